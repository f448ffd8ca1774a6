/* SPDX-License-Identifier: BSD-3-Clause */
/* p-values are uniform on data drawn from the model: Kolmogorov–Smirnov at 1 % over 20 seeds, for rows that were fitted
 * and for new rows, for T², Q and both together; calibrated p-values also on data with heavy tails. With 20 trials at 1
 * % three or more rejections happen once in a thousand times: two are allowed.
 *
 *     D_n = sup |F_n(p) - p|,   reject when (√n + 0.12 + 0.11/√n) D_n > 1.628    (Stephens 1970)
 *
 * New rows share the errors of the fit that judges them: a seed has many fits, and few new rows for each. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"

#include <stdlib.h>

enum { SEEDS = SLOW_BUILD ? 4 : 20, ALLOWED = 2 };
enum { P_T2, P_Q, P_BOTH, KINDS };
static const char *const kinds[KINDS] = {"p_t2", "p_q", "p_value"};
static const double CRITICAL = 1.628;

/* A true distribution, and how many rows are fitted and scored. */
typedef struct population {
    const char *label;
    int64_t d;
    int64_t m;
    int64_t fitted;
    int64_t fits;  /* for each seed */
    int64_t fresh; /* new rows for each fit */
    double signal; /* smallest eigenvalue of the signal over σ² */
    int ddof;
    bool heavy; /* Student's t with 3 degrees of freedom, all columns of a row by one χ² */
} population;

static const population populations[] = {
    {"tall", 20, 3, 1000, 10, 50, 5, 0, false},          {"divisor N-1", 10, 1, 200, 30, 10, 5, 1, false},
    {"few rows", 10, 2, 40, 60, 4, 50, 0, false},        {"all but one", 6, 5, 100, 40, 5, 20, 0, false},
    {"many columns", 100, 5, 200, 20, 10, 20, 0, false}, {"wide", 150, 3, 60, 30, 5, 50, 0, false},
};

static double *take(int64_t count)
{
    double *memory = scree__alloc(count, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

/* x = Bz + ε: column j of B has its weight on every M-th coordinate, from j on. */
static double *rows_from(const population *p, uint64_t seed, int64_t first, int64_t count)
{
    double *x = take(count * p->d);
    double *normals = take(p->m + p->d + 3);
    for (int64_t i = 0; i < count; i++) {
        scree__normals(seed, (uint64_t)(first + i), 0, p->m + p->d + 3, normals);
        const double *wild = normals + p->m + p->d;
        const double chi = wild[0] * wild[0] + wild[1] * wild[1] + wild[2] * wild[2];
        for (int64_t k = 0; k < p->d; k++) {
            const int64_t j = k % p->m;
            const double share = sqrt((double)p->m / (double)p->d * p->signal * (double)(p->m - j));
            const double value = share * normals[j] * (k % 2 ? 1 : -1) + normals[p->m + k];
            x[i * p->d + k] = (double)k + value / (p->heavy ? sqrt(chi / 3) : 1);
        }
    }
    free(normals);
    return x;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The statistic, scaled so that one critical value serves; effective: rows, fewer when p itself is an estimate. */
static double kolmogorov(double *p, int64_t n, double effective)
{
    double most = 0;
    qsort(p, (size_t)n, sizeof *p, ascending);
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fmax(p[i] - (double)i / (double)n, (double)(i + 1) / (double)n - p[i]));
    return (sqrt(effective) + 0.12 + 0.11 / sqrt(effective)) * most;
}

/* p-values of n rows, of each kind, written from place at on. */
static void collect(const scree_scorer *scorer, const double *x, int64_t d, int64_t n, double *const p[KINDS],
                    int64_t at)
{
    scree_error error = SCREE_ERROR_INIT;
    row_score *scores = scree__alloc(n, sizeof *scores);
    assert_non_null(scores);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, n, d), scores, &error), error);
    for (int64_t i = 0; i < n; i++) {
        p[P_T2][at + i] = scores[i].p_t2;
        p[P_Q][at + i] = scores[i].p_q;
        p[P_BOTH][at + i] = scores[i].p_value;
    }
    free(scores);
}

static scree_source *source_of(const double *x, int64_t n, int64_t d)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    return source;
}

static scree_model *model_of(const population *p, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_source *source = source_of(x, p->fitted, p->d);
    options.components = p->m;
    options.ddof = p->ddof;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* One seed: fit and score the same rows, or fit again and again and score others. */
static void trial(const population *p, uint64_t seed, bool training, int rejected[KINDS])
{
    scree_error error = SCREE_ERROR_INIT;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    const int64_t each = training ? p->fitted : p->fresh;
    const int64_t fits = training ? 1 : p->fits;
    const int64_t count = fits * each;
    double *const found[KINDS] = {take(count), take(count), take(count)};
    options.training = training;
    for (int64_t f = 0; f < fits; f++) {
        scree_scorer *scorer = NULL;
        double *x = rows_from(p, seed, f * (p->fitted + p->fresh), p->fitted + p->fresh);
        scree_model *model = model_of(p, x);
        EXPECT_OK(scree_scorer_make(&scorer, model, &options, &error), error);
        collect(scorer, training ? x : x + p->fitted * p->d, p->d, each, found, f * each);
        scree_scorer_free(scorer);
        scree_model_free(model);
        free(x);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        rejected[kind] += kolmogorov(found[kind], count, (double)count) > CRITICAL;
        free(found[kind]);
    }
}

/* When rows are few beside columns, signal that the components missed shows in Q and correlates it with T²: together
 * they are then less than two witnesses, and p_value only roughly uniform. */
static bool is_wide(const population *p)
{
    return p->fitted < p->d;
}

static void expect_few(const population *p, const char *which, const int rejected[KINDS])
{
    for (int kind = 0; kind < KINDS; kind++)
        if (rejected[kind] > ALLOWED && !(kind == P_BOTH && is_wide(p)))
            fail_msg("%s: %s of %s rows are not uniform for %d of %d seeds", p->label, kinds[kind], which,
                     rejected[kind], SEEDS);
}

static void uniform_on_data_from_the_model(void **state)
{
    (void)state;
    for (int64_t k = 0; k < COUNT_OF(populations); k++)
        for (int training = 0; training < 2; training++) {
            int rejected[KINDS] = {0};
            for (uint64_t seed = 0; seed < SEEDS; seed++)
                trial(&populations[k], seed, training, rejected);
            expect_few(&populations[k], training ? "fitted" : "new", rejected);
        }
}

/* Rows of a heavy-tailed population judged by a model of it, with and without calibration. Calibrated p-values are
 * ranks among the calibration rows: two samples are compared, and count together as nm/(n+m). */
static void heavy_trial(const population *p, uint64_t seed, bool calibrated, int *rejected)
{
    enum { CALIBRATION = 3000 };
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    const int64_t n = p->fresh;
    double *const found[KINDS] = {take(n), take(n), take(n)};
    double *x = rows_from(p, seed, 0, p->fitted + CALIBRATION + n);
    scree_model *model = model_of(p, x);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    if (calibrated) {
        scree_source *source = source_of(x + p->fitted * p->d, CALIBRATION, p->d);
        EXPECT_OK(scree_scorer_calibrate(scorer, source, NULL, &error), error);
        scree_source_free(source);
    }
    collect(scorer, x + (p->fitted + CALIBRATION) * p->d, p->d, n, found, 0);
    *rejected += kolmogorov(found[P_BOTH], n, (double)n * CALIBRATION / (double)(n + CALIBRATION)) > CRITICAL;
    for (int kind = 0; kind < KINDS; kind++)
        free(found[kind]);
    scree_scorer_free(scorer);
    scree_model_free(model);
    free(x);
}

static void calibrated_ones_are_uniform_on_anything(void **state)
{
    (void)state;
    static const population heavy = {"heavy tails", 10, 2, 300, 1, 400, 5, 0, true};
    int rejected[2] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int calibrated = 0; calibrated < 2; calibrated++)
            heavy_trial(&heavy, seed, calibrated, &rejected[calibrated]);
    assert_int_equal(rejected[false], SEEDS); /* this is what calibration is for */
    assert_in_range(rejected[true], 0, ALLOWED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_on_data_from_the_model),
                                       cmocka_unit_test(calibrated_ones_are_uniform_on_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
