/* SPDX-License-Identifier: BSD-3-Clause */
/* Where nobody asks for a tolerance, lanczos stops by the error of sampling. Then its true errors are a tenth of that,
 * or as the bulk allows, and within what the model reports; the variance captured is the best one; and the bits depend
 * neither on threads nor on the rows read at a time. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <math.h>
#include <string.h>

enum { K = 8, COPIES = 8 }; /* each row is there so often: the reference needs it once */

typedef struct spectrum {
    const char *name;
    int64_t n;
    int64_t d;
    double (*deviation)(int64_t j);
} spectrum;

static double spikes(int64_t j)
{
    static const double first[] = {9, 7, 5, 4};
    return j < 4 ? first[j] : 1;
}

static double noise(int64_t j)
{
    (void)j;
    return 1;
}

static double plateaus(int64_t j)
{
    return j < 20 ? 2 : 1;
}

static double falling(int64_t j)
{
    return 1 / sqrt((double)(1 + j));
}

static const spectrum spectra[] = {
    {"spikes", 18000, 120, spikes},                                      /* searched in float */
    {"noise", 18000, 120, noise},     {"plateaus", 4000, 120, plateaus}, /* in double throughout */
    {"falling", 18000, 120, falling}, {"spikes, wide", 160, 400, spikes},
};

static rows *rows_with(const spectrum *c, scree_type type)
{
    double *x = scree__alloc(c->n * c->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t j = 0; j < c->d; j++)
            x[i * c->d + j] = c->deviation(j) * rows_random(7, i % (c->n < 1000 ? c->n : c->n / COPIES), j);
    rows_mix(x, c->n, c->d);
    return rows_of(x, c->n, c->d, type, 20);
}

static void expect_small_beside_sampling(const reference *r, const scree_model_view *m, const char *name)
{
    double captured = 0;
    double best = 0;
    for (int64_t j = 0; j < K; j++) {
        const double value = (double)r->values[j];
        const double error = value * sqrt(2.0 / (double)r->n);
        const double above = j > 0 ? (double)r->values[j - 1] - value : HUGE_VAL;
        const double gap = fmin(above, value - (double)r->values[j + 1]);
        if (fabs(m->eigenvalues[j] - value) > 0.1 * error)
            fail_msg("%s: eigenvalue %d is off by %g standard errors", name, (int)j,
                     fabs(m->eigenvalues[j] - value) / error);
        if (gap > 4 * error && m->cluster_first[j] == m->cluster_last[j] && m->eigenvalue_bounds[j] > 0.1 * error)
            fail_msg("%s: eigenvalue %d is bounded by %g standard errors", name, (int)j,
                     m->eigenvalue_bounds[j] / error);
        captured += m->eigenvalues[j];
        best += value;
    }
    if (captured < best - 0.1 * (double)r->values[0] * sqrt(2.0 / (double)r->n))
        fail_msg("%s: %g of %g are captured", name, captured, best);
}

static void run_spectrum(const spectrum *c, scree_type type)
{
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 2},
                                     {.size = sizeof(scree_run), .threads = 1, .block_rows = 333},
                                     {.size = sizeof(scree_run), .threads = 4, .block_rows = 77}};
    rows *x = rows_with(c, type);
    reference *r = reference_of(x->exact, c->n < 1000 ? c->n : c->n / COPIES, c->d, (reference_options){0});
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = "lanczos";
    r->n = c->n;
    scree_model *model = reference_expect_runs(r, x, &options, runs, COUNT_OF(runs), c->name);
    assert_string_equal(scree_model_get(model)->stop_rule, "sampling");
    expect_small_beside_sampling(r, scree_model_get(model), c->name);
    scree_model_free(model);
    reference_free(r);
    rows_free(x);
}

static void test_spectra(void **state)
{
    (void)state;
    if (SLOW_BUILD) /* minutes, for loops that test_every_way runs, too */
        skip();
    for (int64_t i = 0; i < COUNT_OF(spectra); i++)
        run_spectrum(&spectra[i], i % 2 == 0 ? SCREE_F64 : SCREE_F32);
    run_spectrum(&spectra[0], SCREE_U8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spectra)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
