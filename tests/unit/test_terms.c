/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns have a part in a relation between numbers that were rounded: those that have, however small, and
 * no others; and cells whose part in it is too small for it to determine them are not taken for determined. */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/dependent.h"
#include "support/calls.h"

#include <math.h>

enum { D = 6, SUM = 3, OTHER = 4, ROWS = 120, NEW = 100, TABLES = 12 };

/* Columns 0 to 2 share a factor, column 3 is their sum and a small part of column 4, which goes along with column 0;
 * and column 5 is, but for a little of its own, column 1. All rounded to steps. */
typedef struct shape {
    double part;
    double own;
    double step;
} shape;

static void make(double *x, int64_t n, uint64_t seed, const shape *s)
{
    double z[D];
    for (int64_t i = 0; i < n; i++) {
        double *row = x + i * D;
        scree__normals(seed, (uint64_t)i, 0, D, z);
        for (int j = 0; j < SUM; j++)
            row[j] = 2 * z[SUM] + z[j];
        row[OTHER] = z[OTHER] + 0.5 * row[0];
        row[5] = row[1] + s->own * z[5];
        row[SUM] = row[0] + row[1] + row[2] + s->part * row[OTHER];
        for (int j = 0; j < D; j++)
            row[j] = rint(row[j] / s->step) * s->step;
    }
}

static void covariance(const double *x, int64_t n, double *a)
{
    double mean[D] = {0};
    for (int64_t i = 0; i < n * D; i++)
        mean[i % D] += x[i] / (double)n;
    for (int j = 0; j < D * D; j++) {
        a[j] = 0;
        for (int64_t i = 0; i < n; i++)
            a[j] += (x[i * D + j / D] - mean[j / D]) * (x[i * D + j % D] - mean[j % D]) / (double)(n - 1);
    }
}

/* The one exact relation of a table, solved for the sum: -1 there. */
static void expect_relation(const shape *s, int64_t rows, uint64_t seed, const double *expected)
{
    static double x[ROWS * D];
    double a[D * D];
    scree__dependent found = {0};
    make(x, rows, seed, s);
    covariance(x, rows, a);
    assert_int_equal(scree__dependent_find(&found, a, D, (double)(rows - 1), NULL, NULL), SCREE_OK);
    int64_t exact = -1;
    for (int64_t k = 0; k < found.count; k++)
        if (found.variances[k] == 0) {
            assert_int_equal(exact, -1);
            exact = k;
        }
    assert_true(exact >= 0);
    double *b = found.coefficients + exact * D;
    b[found.columns[exact]] = -1;
    const double ratio = -1 / b[SUM];
    for (int j = 0; j < D; j++) {
        EXPECT_NEAR(ratio * b[j], expected[j], 1e-6);
        assert_true((b[j] != 0) == (expected[j] != 0));
    }
    scree__dependent_clear(&found);
}

/* Also in few rows, of few digits, and beside a column that is nearly another. */
static void test_rounding(void **state)
{
    (void)state;
    static const double expected[D] = {1, 1, 1, -1, 0, 0};
    static const shape shapes[] = {{0, 1, 4e-7}, {0, 1, 1e-7}, {0, 1e-3, 2e-7}, {0, 1e-3, 1e-9}, {0, 1, 0x1p-40}};
    for (uint64_t seed = 1; seed <= TABLES; seed++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            expect_relation(&shapes[i], ROWS, seed, expected);
            expect_relation(&shapes[i], 24, seed, expected);
        }
}

/* A part that is more than rounding stays. */
static void test_small_part(void **state)
{
    (void)state;
    static const shape shapes[] = {{1e-5, 1, 1e-6}, {1e-2, 1, 1e-6}, {1e-6, 1, 1e-10}};
    for (uint64_t seed = 1; seed <= TABLES; seed++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const double expected[D] = {1, 1, 1, -1, shapes[i].part, 0};
            expect_relation(&shapes[i], ROWS, seed, expected);
        }
}

/* So it is with a relation that holds but for errors, which are no larger for it. */
static void test_nearly(void **state)
{
    (void)state;
    static const shape rounded = {0, 1, 1e-3};
    static double x[ROWS * D];
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        double a[D * D];
        scree__dependent found = {0};
        make(x, ROWS, seed, &rounded);
        covariance(x, ROWS, a);
        assert_int_equal(scree__dependent_find(&found, a, D, ROWS - 1, NULL, NULL), SCREE_OK);
        assert_int_equal(found.count, 1);
        for (int j = 0; j < D; j++)
            assert_true((found.coefficients[j] != 0) == (j <= SUM && j != found.columns[0]));
        EXPECT_NEAR(sqrt(found.variances[0] * 12 / 4) / rounded.step, 1, 0.2); /* of four cells */
        scree__dependent_clear(&found);
    }
}

/* Cells of column 4, filled: as far off as stated, whatever part they have. */
static void expect_honest(const shape *s, uint64_t seed, double most)
{
    static double x[ROWS * D], fresh[NEW * D], gaps[NEW * D], filled[NEW * D], sd[NEW * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 3;
    make(x, ROWS, seed, s);
    make(fresh, NEW, seed + 1000, s);
    for (int64_t i = 0; i < NEW * D; i++)
        gaps[i] = i % D == OTHER ? NAN : fresh[i];
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &o, &error), error);
    const scree_imputed out = {.size = sizeof out, .filled = filled, .sd = sd};
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(gaps, SCREE_F64, NEW, D), &out, NULL, &error), error);
    double squares = 0, stated = 0;
    for (int64_t i = OTHER; i < NEW * D; i += D) {
        squares += (filled[i] - fresh[i]) * (filled[i] - fresh[i]) / NEW;
        stated += sd[i] * sd[i] / NEW;
    }
    assert_true(sqrt(squares) < most);
    assert_true(sqrt(squares) < 2 * sqrt(stated) + s->step);
    scree_source_free(source);
    scree_model_free(model);
}

static void test_filled(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        expect_honest(&(shape){0, 1, 1e-6}, seed, 1.5);
        expect_honest(&(shape){1e-6, 1, 1e-6}, seed, 1.5);
        expect_honest(&(shape){1e-5, 1, 1e-6}, seed, 0.5);
        expect_honest(&(shape){1e-4, 1, 1e-6}, seed, 0.05);
        expect_honest(&(shape){1, 1, 1e-6}, seed, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_small_part),
        cmocka_unit_test(test_nearly),
        cmocka_unit_test(test_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
