/* SPDX-License-Identifier: BSD-3-Clause */
/* Centred chunks: their shape depends on the width alone, they go to lanes in turn, and what stands in them is exact
 * where the data allows it, however far from zero it lies. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/centred.h"

#include <string.h>

static void test_shape_depends_on_width_alone(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 7, 64, 513, 784, 5000};
    for (int64_t i = 0; i < COUNT_OF(widths); i++) {
        const int64_t d = widths[i];
        const scree__centred c = scree__centred_shape(d, d * d * 8, &scree__ops_f64);
        assert_true(c.lanes >= 1 && c.lanes <= SCREE__MOST_LANES);
        assert_int_equal(c.batch_rows % c.chunk_rows, 0);
        assert_true(c.batch_rows >= c.chunk_rows * c.lanes);
        assert_true(scree__centred_memory(&c) >= c.batch_rows * widths[i] * c.ops->size);
    }
    assert_int_equal(scree__centred_shape(5000, INT64_C(5000) * 5000 * 8, &scree__ops_f64).lanes, 1);
}

/* Chunk c of column 0 alternates 2^40 + c ± 1: centred it is ±1 exactly, and w is the way between chunks. */
static void test_exact_far_from_zero(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__centred c = scree__centred_shape(1, 8, &scree__ops_f64);
    const int64_t chunks = c.lanes + 2;
    const int64_t n = chunks * c.chunk_rows;
    double *x = scree__alloc(n, sizeof *x);
    assert_non_null(x);
    assert_true(n <= c.batch_rows);
    for (int64_t i = 0; i < n; i++)
        x[i] = 0x1p40 + (double)(i / c.chunk_rows) + (i % 2 ? 1 : -1);
    const scree__rows all = {x, SCREE_F64, n, 1, 1, NULL};
    EXPECT_OK(scree__centred_start(&c, 2, &error), error);
    EXPECT_OK(scree__centred_take(&c, &all, &error), error);
    assert_int_equal(c.batch_chunks, chunks);
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const double *rows = scree__centred_chunk(&c, chunk);
        assert_int_equal(scree__centred_chunk_rows(&c, chunk), c.chunk_rows + 1);
        assert_int_equal(scree__centred_chunk_lane(&c, chunk), chunk % c.lanes);
        for (int64_t i = 0; i < c.chunk_rows; i++)
            assert_true(rows[i] == (i % 2 ? 1 : -1));
        /* A lane's first chunk joins nothing; its second is c.lanes further on. */
        const double half = (double)c.chunk_rows / 2;
        const double w = chunk < c.lanes ? 0 : sqrt(half) * (double)c.lanes;
        EXPECT_NEAR(rows[c.chunk_rows], w, 1e-12 * w);
    }
    scree__centred_done(&c);
    assert_int_equal(c.rows, n);
    double w;
    for (int64_t lane = 1; lane < c.lanes; lane++)
        assert_true(scree__centred_join(&c, 0, lane, &w));
    EXPECT_NEAR(scree__centred_mean(&c)[0], 0x1p40 + (double)(chunks - 1) / 2, 0x1p-12);
    scree__centred_clear(&c);
    free(x);
}

static void test_empty_lane_joins_nothing(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    static const double x[] = {1, 2, 6};
    const scree__rows all = {x, SCREE_F64, 3, 1, 1, NULL};
    double w = 0;
    scree__centred c = scree__centred_shape(1, 8, &scree__ops_f64);
    EXPECT_OK(scree__centred_start(&c, 1, &error), error);
    EXPECT_OK(scree__centred_take(&c, &all, &error), error);
    scree__centred_done(&c);
    assert_false(scree__centred_join(&c, 0, 1, &w));
    assert_true(scree__centred_mean(&c)[0] == 3);
    scree__centred_clear(&c);
}

/* Mean and squares of whole weights are those of rows repeated; √w times a whole number is exact for squares. */
static void test_weights_count(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    static const double x[] = {1, 2, 7, 5};
    static const double weights[] = {4, 1, 1, 9}; /* mean 58/15 */
    const scree__rows all = {x, SCREE_F64, 4, 1, 1, weights};
    double squares = 0;
    scree__centred c = scree__centred_shape(1, 8, &scree__ops_f64);
    EXPECT_OK(scree__centred_start(&c, 1, &error), error);
    EXPECT_OK(scree__centred_take(&c, &all, &error), error);
    const double *rows = scree__centred_chunk(&c, 0);
    for (int i = 0; i < 5; i++)
        squares += rows[i] * rows[i];
    EXPECT_NEAR(rows[3], 3 * (5 - 58.0 / 15), 1e-15);
    EXPECT_NEAR(squares, 4 + 4 + 49 + 225 - 58.0 * 58 / 15, 1e-13);
    scree__centred_done(&c);
    assert_true(scree__centred_weight(&c) == 15);
    assert_int_equal(c.rows, 4);
    EXPECT_NEAR(scree__centred_mean(&c)[0], 58.0 / 15, 1e-15);
    scree__centred_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_depends_on_width_alone),
        cmocka_unit_test(test_exact_far_from_zero),
        cmocka_unit_test(test_empty_lane_joins_nothing),
        cmocka_unit_test(test_weights_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
