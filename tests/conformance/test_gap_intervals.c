/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of whole rows, and new rows with gaps: 1.96 of the deviations that are said hold what was there in about 95 %,
 * with few rows, more columns than rows, and as many components as columns. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"

enum { FITS = SLOW_BUILD ? 4 : 60, FRESH = 50, MOST_SIGNALS = 4 };
static const double NORMAL = 1.96;

typedef struct shape {
    int64_t n;
    int64_t d;
    int64_t signals;
    int64_t kept;
    int64_t gaps;
    double least; /* of the cells, that is expected to be held */
} shape;

static void draw_rows(const shape *s, uint64_t seed, double *x)
{
    double loadings[MOST_SIGNALS];
    double z[MOST_SIGNALS];
    const int64_t d = s->d;
    for (int64_t i = 0; i < s->n + FRESH; i++) {
        scree__normals(seed, 1, i * d, d, x + i * d);
        scree__normals(seed, 2, i * s->signals, s->signals, z);
        for (int64_t j = 0; j < d; j++) {
            scree__normals(seed, 3, j * s->signals, s->signals, loadings);
            for (int64_t k = 0; k < s->signals; k++)
                x[i * d + j] += z[k] * loadings[k];
        }
    }
}

static scree_model *fit_rows(const shape *s, const double *x)
{
    const scree_run run = run_with_threads(1);
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = s->kept;
    options.run = &run;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, s->n, s->d), NULL), SCREE_OK);
    assert_int_equal(scree_model_fit(&model, source, &options, NULL), SCREE_OK);
    scree_source_free(source);
    return model;
}

/* The share of the missing cells that are held. */
static double held(const shape *s, uint64_t seed)
{
    const int64_t cells = FRESH * s->d;
    double *x = scree__alloc((s->n + FRESH) * s->d, sizeof *x);
    double *lost = scree__alloc(cells, sizeof *lost);
    double *filled = scree__alloc(cells, sizeof *filled);
    double *sd = scree__alloc(cells, sizeof *sd);
    const scree_imputed out = {sizeof out, filled, sd};
    double count = 0;
    draw_rows(s, seed, x);
    const double *fresh = x + s->n * s->d;
    scree_model *model = fit_rows(s, x);
    for (int64_t i = 0; i < FRESH; i++)
        for (int64_t j = 0; j < s->d; j++)
            lost[i * s->d + (i + j) % s->d] = j < s->gaps ? NAN : fresh[i * s->d + (i + j) % s->d];
    assert_int_equal(scree_model_impute_rows(model, BLOCK(lost, SCREE_F64, FRESH, s->d), &out, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < cells; i++)
        count += isnan(lost[i]) && fabs(filled[i] - fresh[i]) <= NORMAL * sd[i];
    scree_model_free(model);
    free(x);
    free(lost);
    free(filled);
    free(sd);
    return count / (double)(FRESH * s->gaps);
}

static void holds_what_was_there(void **state)
{
    (void)state;
    static const shape shapes[] = {
        {20, 6, 2, 0, 1, 0.92},   {20, 6, 2, 6, 1, 0.94},   {20, 6, 2, 6, 4, 0.94},
        {50, 10, 3, 10, 5, 0.94}, {30, 60, 3, 3, 20, 0.93}, {100, 20, 3, 0, 4, 0.94},
    };
    for (int64_t k = 0; k < COUNT_OF(shapes); k++) {
        double sum = 0;
        double squares = 0;
        for (int f = 0; f < FITS; f++) {
            const double share = held(&shapes[k], (uint64_t)(1000 * (k + 1) + f));
            sum += share / FITS;
            squares += share * share / FITS;
        }
        const double error = sqrt(fmax(squares - sum * sum, 0) / (FITS - 1));
        if (sum < shapes[k].least - 3 * error || sum > 0.97 + 3 * error)
            fail_msg("%lld×%lld, %lld gaps: %.4f of the cells are held", (long long)shapes[k].n, (long long)shapes[k].d,
                     (long long)shapes[k].gaps, sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_what_was_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
