/* SPDX-License-Identifier: BSD-3-Clause */
/* What a low-rank state states: S - BᵀB is within its bound, rounding included, whatever the rows; no model has more
 * components, or a larger share, than it keeps. And sums that overflow are refused, not written. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/sketch.h"
#include "kernel/tally.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

enum { N = 2000, D = 24, RANK = 4 };

/* Rows of rank RANK; noise; a direction that turns; one column after the other; a large one beside small ones. */
static double cell(int kind, int64_t i, int64_t j)
{
    double sum = 0;
    switch (kind) {
    case 0:
        for (int64_t k = 0; k < RANK; k++)
            sum += rows_random(1, i, k) * rows_random(2, k, j);
        return sum;
    case 1:
        return rows_random(3, i, j);
    case 2:
        return cos(6.0 * (double)(i * (j + 1)) / N) * rows_random(4, i, 0);
    case 3:
        return i * D / N == j;
    default:
        return (j == 0 ? 1e8 : 1) * rows_random(5, i, j) + 1e3;
    }
}

static double *made(int kind, double base)
{
    double *x = scree__alloc(N * D, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = cell(kind, i / D, i % D) + base;
    return x;
}

static void centre(const double *x, long double *c)
{
    for (int64_t j = 0; j < D; j++) {
        long double mean = 0;
        for (int64_t i = 0; i < N; i++)
            mean += (long double)x[i * D + j] / N;
        for (int64_t i = 0; i < N; i++)
            c[i * D + j] = (long double)x[i * D + j] - mean;
    }
}

/* The largest entry of S - BᵀB, which its norm is no smaller than. */
static double largest_error(const double *x, const scree__tally *t)
{
    double largest = 0;
    long double *c = scree__alloc(N * D, sizeof *c);
    assert_non_null(c);
    centre(x, c);
    for (int64_t a = 0; a < D; a++)
        for (int64_t b = 0; b <= a; b++) {
            long double sum = 0;
            for (int64_t i = 0; i < N; i++)
                sum += c[i * D + a] * c[i * D + b];
            for (int64_t i = 0; i < t->height; i++)
                sum -= (long double)t->matrix[i * D + a] * (long double)t->matrix[i * D + b];
            largest = fmax(largest, fabs((double)sum));
        }
    free(c);
    return largest;
}

static void add(scree__sketch *sketch, const double *x, int64_t from, int64_t count)
{
    const scree__rows part = {x + from * D, SCREE_F64, count, D, D, NULL};
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__sketch_add(sketch, &part, &error), error);
}

/* In one piece, in parts of 97, or as states of 97 rows that are merged. */
static scree__sketch *sketched(const double *x, int how)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__sketch *all = NULL;
    EXPECT_OK(scree__sketch_new(&all, D, RANK, &error), error);
    for (int64_t at = 0, n = 0; at < N; at += n) {
        scree__sketch *part = NULL;
        scree__tally tally;
        double mean[D];
        double rest[D];
        n = how == 0 ? N : N - at < 97 ? N - at : 97;
        if (how < 2) {
            add(all, x, at, n);
            continue;
        }
        EXPECT_OK(scree__sketch_new(&part, D, RANK, &error), error);
        add(part, x, at, n);
        scree__sketch_tally(part, mean, rest, &tally);
        EXPECT_OK(scree__sketch_gain(all, &tally, &error), error);
        scree__sketch_free(part);
    }
    return all;
}

static void the_bound_is_above_the_error(void **unused)
{
    static const double bases[] = {0, 1e8};
    (void)unused;
    for (int kind = 0; kind < 5; kind++)
        for (int64_t b = 0; b < COUNT_OF(bases); b++)
            for (int how = 0; how < 3; how++) {
                double *x = made(kind, bases[b]);
                double mean[D];
                double rest[D];
                scree__tally t;
                scree__sketch *s = sketched(x, how);
                scree__sketch_tally(s, mean, rest, &t);
                const double error = largest_error(x, &t);
                const double bound = scree__sketch_lost(t.matrix, t.height, D, t.squares, t.lost);
                if (!(error <= bound))
                    fail_msg("rows %d, base %g, way %d: off by %g, with a bound of %g", kind, bases[b], how, error,
                             bound);
                scree__sketch_free(s);
                free(x);
            }
}

static scree_state *low_rank(const double *x)
{
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    scree_state *state = NULL;
    options.method = "low-rank";
    options.rank = RANK;
    block.data = x;
    block.rows = N;
    block.cols = D;
    EXPECT_OK(scree_state_new(&state, D, &options, &error), error);
    EXPECT_OK(scree_state_add(state, &block, &error), error);
    return state;
}

static void expect_refused(scree_status found, scree_status wanted, const scree_error *error, const char *part)
{
    assert_int_equal(found, wanted);
    if (!strstr(error->text, part))
        fail_msg("'%s' does not say '%s'", error->text, part);
}

static void more_than_is_kept_is_refused(void **unused)
{
    (void)unused;
    double *x = made(1, 0);
    scree_state *state = low_rank(x);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    options.components = D;
    expect_refused(scree_state_fit(&model, state, &options, &error), SCREE_ERR_ARGUMENT, &error, "larger rank");
    options.components = 0;
    options.share = 0.99;
    expect_refused(scree_state_fit(&model, state, &options, &error), SCREE_ERR_ARGUMENT, &error, "of the variance");
    options.share = 0.1;
    EXPECT_OK(scree_state_fit(&model, state, &options, &error), error);
    assert_true(scree_model_get(model)->m < RANK);
    scree_model_free(model);
    scree_state_free(state);
    free(x);
}

static void overflow_is_not_written(void **unused)
{
    static const char *const methods[] = {"covariance", "svd", "low-rank"};
    (void)unused;
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        double x[2 * D];
        scree_state_options options = SCREE_STATE_OPTIONS_INIT;
        scree_error error = SCREE_ERROR_INIT;
        scree_block block = SCREE_BLOCK_INIT;
        scree_state *state = NULL;
        scree_state *again = NULL;
        void *bytes = NULL;
        size_t size = 0;
        for (int64_t i = 0; i < COUNT_OF(x); i++)
            x[i] = 1e200 * rows_random(6, i, 0);
        options.method = methods[m];
        block.data = x;
        block.rows = 2;
        block.cols = D;
        EXPECT_OK(scree_state_new(&state, D, &options, &error), error);
        EXPECT_OK(scree_state_add(state, &block, &error), error);
        const scree_status status = scree_state_save_buffer(&bytes, &size, state, &error);
        if (status == SCREE_OK) /* the triangle has room for it */
            EXPECT_OK(scree_state_load_buffer(&again, bytes, size, &error), error);
        else
            expect_refused(status, SCREE_ERR_VALUE, &error, "too large");
        assert_true(status != SCREE_OK || m == 1);
        scree_buffer_free(bytes);
        scree_state_free(again);
        scree_state_free(state);
    }
}

static scree_state *forgetful(double half_life)
{
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    options.forget = half_life;
    EXPECT_OK(scree_state_new(&state, D, &options, &error), error);
    return state;
}

/* Whichever comes first, the sum forgets as its parts do. */
static void half_lives_are_kept(void **unused)
{
    (void)unused;
    for (int order = 0; order < 2; order++) {
        scree_error error = SCREE_ERROR_INIT;
        const scree_state_view *view = NULL;
        scree_state *both[] = {forgetful(0), forgetful(50)};
        scree_state *other = forgetful(60);
        EXPECT_OK(scree_state_merge(both[order], both[1 - order], &error), error);
        EXPECT_OK(scree_state_get(&view, both[order], &error), error);
        EXPECT_NEAR(view->forget, 50, 0);
        expect_refused(scree_state_merge(both[order], other, &error), SCREE_ERR_SHAPE, &error, "the same half-life");
        scree_state_free(both[0]);
        scree_state_free(both[1]);
        scree_state_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_above_the_error),
        cmocka_unit_test(more_than_is_kept_is_refused),
        cmocka_unit_test(overflow_is_not_written),
        cmocka_unit_test(half_lives_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
