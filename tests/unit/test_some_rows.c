/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of the rows: which ones a sample has, whatever tells them, and that numbers of rows stay those of the source. */

#include "support/checks.h"

#include "base/budget.h"
#include "data/some_rows.h"
#include "temporary_folder.h"

#include <inttypes.h>

enum { ROWS = 500 };

static const char *numbers(void)
{
    static char text[ROWS * 16];
    int used = 0;
    for (int i = 1; i <= ROWS; i++)
        used += sprintf(text + used, "%d,%d\n", i, 2 * i);
    return file_write("numbers.csv", text, (size_t)used);
}

static scree_read_options asked(int64_t first, int64_t last, int64_t sample, uint64_t seed)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.first_row = first;
    options.last_row = last;
    options.sample = sample;
    options.sample_seed = seed;
    return options;
}

/* The first column of all rows; locate says the same. */
static int64_t read_all(scree_source *source, double *to)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block;
    int64_t count = 0;
    for (;;) {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        if (block.rows == 0)
            return count;
        assert_int_equal(block.first, count);
        for (int64_t i = 0; i < block.rows; i++, count++) {
            int64_t row = count;
            to[count] = ((const double *)block.data)[i * block.stride];
            scree__source_locate(source, &row);
            assert_int_equal(row + 1, (int64_t)to[count]);
        }
    }
}

static void test_ranges(void **state)
{
    (void)state;
    static const int64_t ranges[][3] = {{0, 0, ROWS}, {5, 0, ROWS - 4}, {0, 7, 7}, {100, 130, 31}, {500, 500, 1}};
    const char *path = numbers();
    double found[ROWS];
    for (int64_t r = 0; r < COUNT_OF(ranges); r++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        const scree_read_options options = asked(ranges[r][0], ranges[r][1], 0, 0);
        EXPECT_OK(scree_source_open(&source, path, &options, &error), error);
        for (int turn = 0; turn < 2; turn++) {
            source->block_rows = turn == 0 ? 7 : 1000;
            assert_int_equal(read_all(source, found), ranges[r][2]);
            for (int64_t i = 0; i < ranges[r][2]; i++)
                assert_true(found[i] == (double)(i + (ranges[r][0] > 0 ? ranges[r][0] : 1)));
            EXPECT_OK(scree__source_rewind(source, &error), error);
        }
        scree_source_free(source);
    }
}

/* In memory, from a file whose length is not known, and with blocks of any size: the same rows, ascending. */
static void test_samples(void **state)
{
    (void)state;
    static double values[ROWS][2];
    for (int64_t i = 0; i < ROWS; i++)
        values[i][0] = (double)(i + 1);
    const char *path = numbers();
    double found[3][ROWS];
    for (uint64_t seed = 0; seed < 3; seed++) {
        for (int way = 0; way < 3; way++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_source *source = NULL;
            scree_source *part = NULL;
            const scree_read_options options = asked(50, 450, 40, seed);
            if (way == 0) {
                EXPECT_OK(scree__memory_open(&source, values, SCREE_F64, ROWS, 2, 2, &error), error);
                EXPECT_OK(scree__some_rows_open(&part, source, &options, &error), error);
            } else if (way == 1) {
                EXPECT_OK(scree_source_open(&part, path, &options, &error), error);
            } else {
                EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
                source->can = 0; /* as a pipe */
                EXPECT_OK(scree__rows_kept_open(&part, source, &options, &error), error);
            }
            assert_int_equal(scree_source_rows(part), 40);
            part->block_rows = 11;
            assert_int_equal(read_all(part, found[way]), 40);
            for (int64_t i = 0; i < 40; i++) {
                assert_true(found[way][i] >= 50 && found[way][i] <= 450);
                assert_true(i == 0 || found[way][i] > found[way][i - 1]);
                assert_true(found[way][i] == found[0][i]);
            }
            scree_source_free(part);
        }
    }
}

/* Each row is drawn about as often as any other. */
static void test_chances(void **state)
{
    (void)state;
    enum { SEEDS = 2000, OF = 40, DRAWN = 10 };
    int64_t times[OF] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        scree__budget budget = {0};
        scree__draw draw = {.seed = seed, .wanted = DRAWN, .budget = &budget, .file = "rows"};
        int64_t slot = 0;
        for (int64_t row = 0; row < OF; row++)
            assert_int_equal(scree__draw_offer(&draw, row, &slot, NULL), SCREE_OK);
        assert_int_equal(draw.count, DRAWN);
        for (int64_t i = 0; i < DRAWN; i++)
            times[draw.heap[i].row]++;
        scree__draw_clear(&draw);
    }
    for (int64_t row = 0; row < OF; row++) /* 500 expected, with a standard deviation of 19.4 */
        assert_in_range(times[row], 500 - 90, 500 + 90);
}

static void expect_refused(const scree_read_options *options, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    scree_status status = scree_source_open(&source, numbers(), options, &error);
    while (status == SCREE_OK && (status = scree__source_next(source, &block, &error)) == SCREE_OK && block.rows > 0)
        ;
    assert_int_equal(status, SCREE_ERR_ARGUMENT);
    if (!strstr(error.text, part))
        fail_msg("'%s' is not in: %s", part, error.text);
    scree_source_free(source);
}

static void test_refused(void **state)
{
    (void)state;
    scree_read_options options = asked(1, ROWS + 1, 0, 0);
    expect_refused(&options, "has 500 rows, and --rows asks for row 501");
    options = asked(ROWS + 1, 0, 0, 0);
    expect_refused(&options, "has 500 rows, and --rows asks for row 501");
    options = asked(0, 0, ROWS + 1, 0);
    expect_refused(&options, "501 rows cannot be drawn from 500");
    options = asked(10, 12, 4, 0);
    expect_refused(&options, "4 rows cannot be drawn from 3");
    options = asked(12, 10, 0, 0);
    expect_refused(&options, "are impossible");
    options = asked(0, 0, -1, 0);
    expect_refused(&options, "are impossible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges), cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_chances), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
