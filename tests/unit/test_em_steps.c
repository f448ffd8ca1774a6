/* SPDX-License-Identifier: BSD-3-Clause */
/* EM with gaps against brute force in long double: the same iterates, the same optimum, no slope of the likelihood
 * there; what never falls never falls. */

#include "support/checks.h"

#include "fit/em.h"
#include "support/calls.h"
#include "support/gappy.h"

typedef struct made {
    gappy *g;
    scree_source *source;
    scree_fit_options options;
    scree__job job;
    scree__em em;
    scree__em_state state;
} made;

static void begin(made *x, gappy *g, int64_t m, bool bayes)
{
    scree_error error = SCREE_ERROR_INIT;
    *x = (made){.g = g, .options = SCREE_FIT_OPTIONS_INIT};
    x->options.solver = "em";
    x->options.run = &run_plain;
    x->options.components = m;
    EXPECT_OK(scree_source_from_memory(&x->source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree__job_make(&x->job, x->source, &x->options, &error), error);
    x->em = (scree__em){.job = &x->job, .d = g->d, .floor = 1e-12};
    EXPECT_OK(scree__em_rows_open(&x->em.rows, &x->job, 0, &error), error);
    EXPECT_OK(scree__em_start(&x->em, &x->state, m, false, bayes, &error), error);
    EXPECT_OK(scree__em_open(&x->em, m, &error), error);
}

static void end(made *x)
{
    scree__em_state_clear(&x->state);
    scree__em_close(&x->em);
    scree_source_free(x->source);
    gappy_free(x->g);
}

static void step(made *x)
{
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__em_expect(&x->em, &x->state, &error), error);
    EXPECT_OK(scree__em_maximise(&x->em, &x->state, &error), error);
    EXPECT_OK(scree__em_expand(&x->em, &x->state, &error), error);
}

/* WW', µ and σ² do not depend on how w is turned. */
static void expect_same(const made *x, const gappy_ppca *p, double bound)
{
    const int64_t m = p->m;
    EXPECT_NEAR(x->state.noise, p->noise, bound);
    for (int64_t i = 0; i < p->d; i++) {
        EXPECT_NEAR(x->em.rows.mean[i] + x->state.offset[i], p->mean[i], bound);
        for (int64_t j = 0; j <= i; j++) {
            long double a = 0;
            long double b = 0;
            for (int64_t k = 0; k < m; k++) {
                a += x->state.w[i * m + k] * x->state.w[j * m + k];
                b += p->w[i * m + k] * p->w[j * m + k];
            }
            EXPECT_NEAR(a, b, bound * 10);
        }
    }
}

static gappy_ppca *start_of(const made *x)
{
    gappy_ppca *p = gappy_ppca_new(x->state.d, x->state.m);
    p->noise = x->state.noise;
    for (int64_t i = 0; i < p->d * p->m; i++)
        p->w[i] = x->state.w[i];
    for (int64_t i = 0; i < p->d; i++)
        p->mean[i] = x->em.rows.mean[i] + x->state.offset[i];
    return p;
}

static void test_iterates(void **state)
{
    (void)state;
    made x;
    begin(&x, gappy_made(300, 20, 3, 0.3, 1), 3, false);
    gappy_ppca *p = start_of(&x);
    for (int i = 0; i < 6; i++) {
        step(&x);
        EXPECT_NEAR(x.em.sums.density, gappy_log_likelihood(x.g, p), 1e-8);
        gappy_em_step(x.g, p);
        expect_same(&x, p, 1e-10);
    }
    gappy_ppca_free(p);
    end(&x);
}

static void test_iterates_of_listed_cells(void **state)
{
    (void)state;
    made x;
    begin(&x, gappy_made(400, 20, 1, 0.94, 7), 1, false);
    gappy_ppca *p = start_of(&x);
    for (int i = 0; i < 3; i++) {
        step(&x);
        gappy_em_step(x.g, p);
        expect_same(&x, p, 1e-9);
    }
    gappy_ppca_free(p);
    end(&x);
}

/* The likelihood's slope in every parameter, by differences, at what scree_model_fit found. */
static void test_optimum(void **state)
{
    (void)state;
    gappy *g = gappy_made(200, 10, 2, 0.25, 3);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    options.components = 2;
    options.em = "ml";
    options.tolerance = 1e-9;
    scree_model *model = gappy_fit(g, &options);
    const scree_model_view *view = scree_model_get(model);
    gappy_ppca *p = gappy_ppca_of(model);
    const long double best = gappy_log_likelihood(g, p);
    EXPECT_NEAR(view->log_likelihood, best, 1e-8 * fabsl(best));
    assert_string_equal(view->stopped, "tolerance");
    const long double step_size = 1e-4L;
    for (int64_t i = 0; i < p->d * p->m + p->d + 1; i++) {
        long double *at = i < p->d * p->m ? p->w + i : i < p->d * p->m + p->d ? p->mean + (i - p->d * p->m) : &p->noise;
        const long double kept = *at;
        *at = kept + step_size;
        const long double up = gappy_log_likelihood(g, p);
        *at = kept - step_size;
        const long double down = gappy_log_likelihood(g, p);
        *at = kept;
        EXPECT_NEAR((up - down) / (2 * step_size), 0, 1e-4); /* curvature is of the order of 200 rows */
        assert_true(up < best + 1e-9L && down < best + 1e-9L);
    }
    for (int i = 0; i < 300; i++)
        gappy_em_step(g, p);
    EXPECT_NEAR(gappy_log_likelihood(g, p), best, 1e-9 * fabsl(best));
    gappy_ppca_free(p);
    scree_model_free(model);
    gappy_free(g);
}

static void expect_rising(gappy *g, int64_t m, bool bayes)
{
    made x;
    double before = -HUGE_VAL;
    begin(&x, g, m, bayes);
    for (int i = 0; i < 40; i++) {
        step(&x);
        if (!(x.em.sums.density >= before - 1e-13 * fabs(before)))
            fail_msg("step %d: %.17g after %.17g", i, x.em.sums.density, before);
        before = x.em.sums.density;
    }
    end(&x);
}

static void test_likelihood_rises(void **state)
{
    (void)state;
    expect_rising(gappy_made(150, 12, 2, 0.3, 11), 4, false);
    expect_rising(gappy_made(150, 30, 2, 0.92, 12), 3, false);
}

static void test_bound_rises(void **state)
{
    (void)state;
    expect_rising(gappy_made(150, 12, 2, 0.0, 13), 5, true);
    expect_rising(gappy_made(150, 12, 2, 0.3, 14), 5, true);
    expect_rising(gappy_made(150, 30, 2, 0.92, 15), 3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iterates),    cmocka_unit_test(test_iterates_of_listed_cells),
        cmocka_unit_test(test_optimum),     cmocka_unit_test(test_likelihood_rises),
        cmocka_unit_test(test_bound_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
