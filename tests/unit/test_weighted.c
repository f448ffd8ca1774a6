/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of weights is taken out of a file of any format, wherever it stands; weights reach the visits of a pass with
 * their rows, those of weight 0 are passed over, and what is no weight is refused with its row. */

#include "support/checks.h"

#include "csv_file.h"
#include "data/pass.h"
#include "scripted_source.h"
#include "support/calls.h"

static const char table_text[] = "a,w,name,b\n1,2,x,10\n3,0,y,\n4,1.5,z,40\n";

/* Rows that a pass has shown, up to four columns. */
typedef struct shown {
    int64_t rows;
    int64_t batch_rows;
    double cell[400][4];
    double weight[400];
    int64_t number[400];
} shown;

static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    shown *s = context;
    (void)error;
    assert_non_null(batch->weights);
    assert_true(batch->rows == s->batch_rows || s->batch_rows == 0 || batch->rows < s->batch_rows);
    assert_int_equal(s->rows % (s->batch_rows ? s->batch_rows : 1), 0); /* only the last one is shorter */
    for (int64_t i = 0; i < batch->rows; i++, s->rows++) {
        for (int64_t j = 0; j < batch->cols; j++)
            s->cell[s->rows][j] = ((const double *)batch->data)[i * batch->stride + j];
        s->weight[s->rows] = batch->weights[i];
        s->number[s->rows] = scree__batch_number(batch, i);
    }
    return SCREE_OK;
}

static scree_status run(shown *s, scree_source *source, int64_t batch_rows, int64_t block_rows, scree_error *error)
{
    const scree_run how = SIZED(scree_run, .block_rows = block_rows);
    const scree__pass pass = {
        .stage = "test", .pass = 1, .batch_rows = batch_rows, .run = &how, .visit = look, .context = s};
    *s = (shown){.batch_rows = batch_rows};
    return scree__pass_run(source, &pass, NULL, error);
}

static void test_a_column_is_taken_out(void **state)
{
    (void)state;
    static shown s;
    scree_error error = SCREE_ERROR_INIT;
    static const char *const names[] = {"w", "2"};
    for (int64_t k = 0; k < COUNT_OF(names); k++) {
        scree_read_options options = SCREE_READ_OPTIONS_INIT;
        options.weights = names[k];
        scree_source *source = csv_open_text("w.csv", table_text, &options);
        assert_int_equal(source->about.cols, 2);
        assert_string_equal(scree_source_column(source, 1), "b");
        assert_string_equal(source->about.text_names[0], "name");
        EXPECT_OK(run(&s, source, 8, 0, &error), error);
        assert_int_equal(s.rows, 2);
        assert_int_equal(source->about.rows, 3);
        assert_true(s.cell[0][0] == 1 && s.cell[0][1] == 10 && s.cell[1][0] == 4 && s.cell[1][1] == 40);
        assert_true(s.weight[0] == 2 && s.weight[1] == 1.5);
        assert_true(s.number[0] == 0 && s.number[1] == 2);
        scree_source_free(source);
    }
}

/* Columns may be chosen with the weights among them, or not. */
static void test_beside_chosen_columns(void **state)
{
    (void)state;
    static shown s;
    scree_error error = SCREE_ERROR_INIT;
    static const char *const chosen[] = {"b", "b,w"};
    for (int64_t k = 0; k < COUNT_OF(chosen); k++) {
        scree_read_options options = SCREE_READ_OPTIONS_INIT;
        options.weights = "w";
        options.columns = chosen[k];
        scree_source *source = csv_open_text("w.csv", table_text, &options);
        assert_int_equal(source->about.cols, 1);
        EXPECT_OK(run(&s, source, 1, 0, &error), error);
        assert_true(s.rows == 2 && s.cell[1][0] == 40 && s.weight[1] == 1.5);
        scree_source_free(source);
    }
}

static void test_several_files(void **state)
{
    (void)state;
    static shown s;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    char first[4096];
    snprintf(first, sizeof first, "%s", file_write("1.csv", table_text, strlen(table_text)));
    const char *paths[] = {first, file_write("2.csv", "a,w,name,b\n7,-1,x,8\n", 20)};
    options.weights = "w";
    EXPECT_OK(scree_source_open_many(&source, paths, 2, &options, &error), error);
    assert_int_equal(run(&s, source, 2, 0, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "2.csv: row 1: the weight, column 'w', is -1; give it a number from 0 on"));
    scree_source_free(source);
    source = NULL;
    paths[1] = first;
    EXPECT_OK(scree_source_open_many(&source, paths, 2, &options, &error), error);
    EXPECT_OK(run(&s, source, 3, 0, &error), error);
    assert_int_equal(s.rows, 4);
    assert_true(s.weight[2] == 2 && s.weight[3] == 1.5 && s.number[3] == 5);
    scree_source_free(source);
}

/* Cells one by one: rows are lent whole. */
static void test_triplets(void **state)
{
    (void)state;
    static shown s;
    scree_error error = SCREE_ERROR_INIT;
    static const char text[] = "row,column,value\nr,1,5\nr,9,2\nq,1,6\nq,2,7\nq,9,0.5\n";
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.weights = "9";
    scree_source *source = csv_open_text("t.triplets", text, &options);
    assert_int_equal(source->about.cols, 2);
    EXPECT_OK(run(&s, source, 2, 0, &error), error);
    assert_true(s.rows == 2 && s.weight[0] == 2 && s.weight[1] == 0.5);
    assert_true(s.cell[0][0] == 5 && isnan(s.cell[0][1]) && s.cell[1][1] == 7);
    scree_source_free(source);
}

static void test_wrong_columns(void **state)
{
    (void)state;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.weights = "name";
    csv_expect_error(table_text, &options, "column 'name' holds text, and weights are numbers; name another");
    options.weights = "v";
    csv_expect_error(table_text, &options, "there is no column 'v'; choose by name or by number from 1 to 4");
    options.weights = "w";
    options.id = "w";
    csv_expect_error(table_text, &options,
                     "column 'w' is asked for as weights and as label or id; name it as one of them");
    options.id = NULL;
    options.columns = "w";
    csv_expect_error(table_text, &options,
                     "column 'w' holds the weights, and no other column of numbers is left; choose more");
}

static double weight_of(int64_t i, int64_t every)
{
    return every > 0 && (i / 3) % every == 0 ? 0 : 0.5 + (double)(i % 4);
}

/* Whatever the blocks, the batches are those of a source that never had the rows of weight 0. */
static void test_rows_of_weight_zero_are_passed_over(void **state)
{
    (void)state;
    enum { N = 300 };
    static shown s;
    static double weights[N];
    scree_error error = SCREE_ERROR_INIT;
    static const int64_t sizes[] = {1, 5, 16, 1000};
    for (int64_t every = 0; every < 4; every++)
        for (int64_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(sizes); i++) {
            if (every == 1)
                continue; /* nothing would be left */
            scripted_source *scripted = scripted_open(N, -1, SCREE__CAN_REWIND);
            for (int64_t row = 0; row < N; row++)
                weights[row] = weight_of(row, every);
            EXPECT_OK(scree_source_weigh(&scripted->base, weights, N, &error), error);
            EXPECT_OK(run(&s, &scripted->base, sizes[i / 4], sizes[i % 4], &error), error);
            int64_t at = 0;
            for (int64_t row = 0; row < N; row++) {
                if (!(weights[row] > 0))
                    continue;
                assert_int_equal(s.number[at], row);
                assert_true(s.weight[at] == weights[row] && s.cell[at][2] == (double)(1000 * row + 2));
                at++;
            }
            assert_int_equal(s.rows, at);
            assert_int_equal(scripted->base.about.rows, N);
            scree_source_free(&scripted->base);
        }
}

static void expect_refused(double bad, const char *sentence)
{
    static shown s;
    scree_error error = SCREE_ERROR_INIT;
    double weights[40];
    scripted_source *scripted = scripted_open(40, -1, SCREE__CAN_REWIND);
    for (int64_t i = 0; i < 40; i++)
        weights[i] = bad == 0 || i == 29 ? bad : 1;
    EXPECT_OK(scree_source_weigh(&scripted->base, weights, 40, &error), error);
    assert_int_equal(run(&s, &scripted->base, 8, 0, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, sentence);
    scree_source_free(&scripted->base);
}

static void test_what_is_no_weight(void **state)
{
    (void)state;
    expect_refused(-0.5, "script: row 30: the weight is -0.5; give it a number from 0 on");
    expect_refused(NAN, "script: row 30: the weight is missing; give it a number from 0 on");
    expect_refused(INFINITY, "script: row 30: the weight is infinite; give it a number from 0 on");
    expect_refused(0, "script: every weight is 0, so that no row counts; give some a weight above 0");
}

static void test_as_many_as_rows(void **state)
{
    (void)state;
    static shown s;
    static const double weights[] = {1, 2, 3, 4, 5};
    static const double x[] = {1, 2, 3, 4};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_source *slice = NULL;
    for (int64_t count = 3; count <= 5; count += 2) {
        scripted_source *scripted = scripted_open(4, -1, 0);
        EXPECT_OK(scree_source_weigh(&scripted->base, weights, count, &error), error);
        assert_int_equal(run(&s, &scripted->base, 8, 0, &error), SCREE_ERR_SHAPE);
        assert_string_equal(error.text, count == 3 ? "script: there are more rows than the 3 weights that were given; "
                                                     "give a weight for each row"
                                                   : "script: there are 4 rows, and 5 weights were given; give a "
                                                     "weight for each row");
        scree_source_free(&scripted->base);
    }
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, 4, 1), &error), error);
    assert_int_equal(scree_source_weigh(source, weights, 5, &error), SCREE_ERR_SHAPE);
    assert_int_equal(scree_source_weigh(source, NULL, 4, &error), SCREE_ERR_ARGUMENT);
    EXPECT_OK(scree_source_weigh(source, weights, 4, &error), error);
    EXPECT_OK(source->table->slice(&slice, source, 1, 2, &error), error);
    EXPECT_OK(run(&s, slice, 8, 0, &error), error);
    assert_true(s.rows == 2 && s.weight[0] == 2 && s.weight[1] == 3 && s.cell[1][0] == 3);
    scree_source_free(slice);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_column_is_taken_out), cmocka_unit_test(test_beside_chosen_columns),
        cmocka_unit_test(test_several_files),         cmocka_unit_test(test_triplets),
        cmocka_unit_test(test_wrong_columns),         cmocka_unit_test(test_rows_of_weight_zero_are_passed_over),
        cmocka_unit_test(test_what_is_no_weight),     cmocka_unit_test(test_as_many_as_rows),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
