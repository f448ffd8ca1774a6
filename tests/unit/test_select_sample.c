/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample of rows: all where there are few; else so many, in their order, each row as often as any other. */

#include "fit/select_sample.h"

#include "support/checks.h"

enum { CAPACITY = 8, ROWS = 40 };

static scree__row_sample taken(uint64_t seed, int64_t rows)
{
    scree__row_sample sample;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__row_sample_make(&sample, CAPACITY, 2, seed, &error), error);
    for (int64_t i = 0; i < rows; i++) {
        const float row[] = {(float)i, (float)(-i)};
        const scree__rows x = {row, SCREE_F32, 1, 2, 2, NULL};
        scree__row_sample_add(&sample, &x, 0);
    }
    EXPECT_OK(scree__row_sample_sort(&sample, &error), error);
    return sample;
}

static void test_few_rows_are_all_kept(void **state)
{
    (void)state;
    scree__row_sample sample = taken(1, 5);
    assert_int_equal(sample.rows, 5);
    for (int64_t i = 0; i < 5; i++)
        assert_true(sample.x[2 * i] == (double)i && sample.x[2 * i + 1] == (double)-i);
    scree__row_sample_clear(&sample);
}

static void test_many_rows_are_sampled_evenly(void **state)
{
    (void)state;
    enum { SEEDS = 2000 };
    int seen[ROWS] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        scree__row_sample sample = taken(seed, ROWS);
        assert_int_equal(sample.rows, CAPACITY);
        assert_int_equal(sample.seen, ROWS);
        for (int64_t i = 0; i < CAPACITY; i++) {
            assert_true(i == 0 || sample.x[2 * i] > sample.x[2 * i - 2]);
            assert_true(sample.x[2 * i + 1] == -sample.x[2 * i]);
            seen[(int)sample.x[2 * i]]++;
        }
        scree__row_sample_clear(&sample);
    }
    for (int i = 0; i < ROWS; i++) /* 400 expected, standard deviation 18 */
        assert_in_range(seen[i], 325, 475);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_rows_are_all_kept),
        cmocka_unit_test(test_many_rows_are_sampled_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
