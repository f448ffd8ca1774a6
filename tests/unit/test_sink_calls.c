/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to callbacks: what is begun, written and finished, in order; sentences of callbacks that fail; release once. */

#include "support/checks.h"

#include "scripted_source.h"
#include "support/calls.h"

enum { N = 100 };

typedef struct taker {
    int64_t begun;
    int64_t cols;
    int64_t text_count;
    char first_column[16];
    char text_name[16];
    int64_t rows;
    int64_t writes;
    bool right; /* every row and label as the source has it */
    int finished;
    int released;
    char fails; /* 'b', 'w', 'f': in which call */
    bool silent;
} taker;

static scree_status outcome(const taker *t, char call, scree_error *error)
{
    if (t->fails != call)
        return SCREE_OK;
    if (!t->silent)
        snprintf(error->text, sizeof error->text, "no room in %c", call);
    return SCREE_ERR_LIMIT;
}

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    taker *t = context;
    (void)rows;
    t->begun++;
    t->cols = cols;
    t->text_count = text_count;
    snprintf(t->first_column, sizeof t->first_column, "%s", columns ? columns[0] : "");
    snprintf(t->text_name, sizeof t->text_name, "%s", text_count > 0 ? text_names[0] : "");
    t->right = true;
    return outcome(t, 'b', error);
}

static scree_status take(void *context, const scree_block *block, scree_error *error)
{
    taker *t = context;
    const double *x = block->data;
    assert_int_equal(block->type, SCREE_F64);
    assert_int_equal(block->cols, SCRIPTED_COLS);
    for (int64_t i = 0; i < block->rows; i++) {
        char label[32];
        snprintf(label, sizeof label, "row %d", (int)(t->rows + i));
        t->right = t->right && block->texts && strcmp(block->texts[i], label) == 0;
        for (int64_t j = 0; j < block->cols; j++)
            t->right =
                t->right && x[i * block->row_stride + j * block->col_stride] == (double)(1000 * (t->rows + i) + j);
    }
    t->rows += block->rows;
    t->writes++;
    return outcome(t, 'w', error);
}

static scree_status finish(void *context, scree_error *error)
{
    taker *t = context;
    t->finished++;
    return outcome(t, 'f', error);
}

static void release(void *context)
{
    ((taker *)context)->released++;
}

static scree_sink *sink_of(taker *t)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    const scree_sink_calls calls = SIZED(scree_sink_calls, .context = t, .begin = begin, .write = take,
                                         .finish = finish, .release = release, .name = "basket");
    EXPECT_OK(scree_sink_to_calls(&sink, &calls, &error), error);
    return sink;
}

static void test_takes_rows(void **state)
{
    (void)state;
    taker t = {0};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = &scripted_open(N, -1, 0)->base;
    scree_sink *sink = sink_of(&t);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    assert_int_equal(t.begun, 1);
    assert_int_equal(t.cols, SCRIPTED_COLS);
    assert_int_equal(t.text_count, 1);
    assert_string_equal(t.text_name, "label");
    assert_string_equal(t.first_column, "a");
    assert_int_equal(t.rows, N);
    assert_true(t.writes > 1 && t.right);
    assert_int_equal(t.finished, 0);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    assert_int_equal(t.finished, 1);
    assert_int_equal(t.released, 0);
    scree_sink_free(sink);
    assert_int_equal(t.released, 1);
    scree_source_free(source);
}

static void test_failures(void **state)
{
    (void)state;
    static const char calls[] = {'b', 'w', 'f'};
    static const char *const names[] = {"begin", "write", "finish"};
    for (int i = 0; i < 6; i++) {
        taker t = {.fails = calls[i / 2], .silent = i % 2 == 1};
        scree_error error = SCREE_ERROR_INIT;
        char wanted[80];
        scree_source *source = &scripted_open(N, -1, 0)->base;
        scree_sink *sink = sink_of(&t);
        const scree_status copied = scree_source_copy(source, sink, NULL, &error);
        assert_int_equal(copied, i < 4 ? SCREE_ERR_LIMIT : SCREE_OK);
        if (copied == SCREE_OK)
            assert_int_equal(scree_sink_finish(sink, &error), SCREE_ERR_LIMIT);
        if (t.silent)
            snprintf(wanted, sizeof wanted, "basket: the callback '%s' failed", names[i / 2]);
        else
            snprintf(wanted, sizeof wanted, "no room in %c", t.fails);
        assert_memory_equal(error.text, wanted, strlen(wanted));
        scree_sink_free(sink);
        assert_int_equal(t.released, 1);
        scree_source_free(source);
    }
}

static void test_only_write_is_needed(void **state)
{
    (void)state;
    taker t = {.right = true};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = &scripted_open(N, -1, 0)->base;
    scree_sink *sink = NULL;
    scree_sink_calls calls = SIZED(scree_sink_calls, .context = &t, .write = take);
    EXPECT_OK(scree_sink_to_calls(&sink, &calls, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    assert_int_equal(t.rows, N);
    assert_true(t.right);
    scree_sink_free(sink);
    scree_source_free(source);
    sink = NULL;
    calls.write = NULL;
    calls.release = release;
    assert_int_equal(scree_sink_to_calls(&sink, &calls, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "'write'"));
    assert_null(sink);
    assert_int_equal(t.released, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_rows),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_only_write_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
