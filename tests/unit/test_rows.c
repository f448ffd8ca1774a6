/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of each type, with padding between them: slices, loading, sums, squares, and the first bad cell. */

#include "support/checks.h"

#include "kernel/rows.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

enum { N = 6, D = 7 };

static rows *made(scree_type type)
{
    double *x = malloc(N * D * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < N * D; i++)
        x[i] = (double)(i % 11) - 3.5 * (i % 3);
    return rows_of(x, N, D, type, 2);
}

static scree__rows as_rows(const rows *r)
{
    return (scree__rows){r->data, r->type, r->n, r->d, r->stride, NULL};
}

static void test_load_and_slice(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++) {
        rows *r = made((scree_type)type);
        const scree__rows x = as_rows(r);
        const scree__rows part = scree__rows_slice(&x, 2, 3);
        double buffer[D];
        assert_int_equal(part.rows, 3);
        for (int64_t i = 0; i < part.rows; i++)
            assert_memory_equal(scree__rows_load(&part, i, buffer), r->exact + (i + 2) * D, D * sizeof(double));
        rows_free(r);
    }
}

static void test_sums_add_up(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++) {
        rows *r = made((scree_type)type);
        const scree__rows x = as_rows(r);
        double buffer[D];
        double sums[D];
        double squares[D];
        for (int j = 0; j < D; j++)
            sums[j] = squares[j] = 100;
        scree__rows_sum(&x, sums, buffer);
        scree__rows_squares(&x, squares, buffer);
        for (int j = 0; j < D; j++) {
            double sum = 100;
            double square = 100;
            for (int i = 0; i < N; i++) {
                sum += r->exact[i * D + j];
                square += r->exact[i * D + j] * r->exact[i * D + j];
            }
            assert_true(sums[j] == sum && squares[j] == square);
        }
        rows_free(r);
    }
}

static void test_first_bad_cell(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int type = SCREE_F32; type <= SCREE_F64; type++)
        for (int b = 0; b < 3; b++) {
            rows *r = made((scree_type)type);
            scree__rows x = as_rows(r);
            int64_t row = -1;
            int64_t col = -1;
            double value = 0;
            assert_false(scree__rows_find_bad(&x, &row, &col, &value)); /* NaN in the padding is nobody's business */
            for (int64_t at = 4 * r->stride + 1; at >= 3 * r->stride + 5; at -= r->stride - 4) {
                if (type == SCREE_F64)
                    ((double *)r->data)[at] = bad[b];
                else
                    ((float *)r->data)[at] = (float)bad[b];
            }
            assert_true(scree__rows_find_bad(&x, &row, &col, &value));
            assert_int_equal(row, 3);
            assert_int_equal(col, 5);
            assert_true(isnan(bad[b]) ? isnan(value) : value == bad[b]);
            rows_free(r);
        }
    rows *bytes = made(SCREE_U8);
    const scree__rows x = as_rows(bytes);
    int64_t at;
    double value;
    assert_false(scree__rows_find_bad(&x, &at, &at, &value));
    rows_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_and_slice),
        cmocka_unit_test(test_sums_add_up),
        cmocka_unit_test(test_first_bad_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
