/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.63) z ~ N(0, I), (10.64) x = Bz + µ + ε, ε ~ N(0, σ²I), (10.66) z first, then x: a draw is exactly that, for the
 * normals that are its own. In the standardised columns of a model with a scale, ε has one variance. Rows with ties do
 * not vary in all directions, and draws keep to those in which they do (test_support.c), unless σ² is set by hand. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "base/random.h"
#include "model/draw.h"

enum { FIRST = 1000, DRAWS = 300 };

static void draws_of(const ppca_case *c, const scree_model *model, const dense_gauss *g)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__draw draw = {0};
    double *z = scree__alloc(DRAWS * c->m, sizeof *z);
    double *x = scree__alloc(DRAWS * c->d, sizeof *x);
    double *normals = scree__alloc(c->m + c->d, sizeof *normals);
    assert_true(z && x && normals);
    EXPECT_OK(scree__draw_open(&draw, model, 64, 2, DRAWS, &error), error);
    scree__draw_latent(&draw, FIRST, DRAWS, z);
    EXPECT_OK(scree__draw_visible(&draw, FIRST, DRAWS, z, x, &error), error);
    for (int64_t i = 0; i < DRAWS; i++) {
        scree__normals(64, (uint64_t)(FIRST + i), 0, c->m + c->d, normals);
        for (int64_t j = 0; j < c->m; j++)
            assert_true(z[i * c->m + j] == normals[j]);
        for (int64_t k = 0; k < c->d; k++) {
            long double wanted = g->mean[k] + sqrtl(g->noise[k]) * normals[c->m + k];
            for (int64_t j = 0; j < c->m; j++)
                wanted += g->b[k * c->m + j] * normals[j];
            EXPECT_NEAR(x[i * c->d + k], wanted, 1e-10 * (1 + fabsl(wanted)));
        }
    }
    scree__draw_close(&draw);
    free(z);
    free(x);
    free(normals);
}

/* And without noise, where a draw lies in the subspace: x = Bz + µ, B = UΛ^½. */
static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        scree_model *quiet = NULL;
        assert_int_equal(scree_model_with_noise(&quiet, model, 0, NULL), SCREE_OK);
        if (c->ties) {
            scree_model *set = NULL;
            const double noise = scree_model_get(model)->noise_variance;
            assert_int_equal(scree_model_with_noise(&set, model, noise, NULL), SCREE_OK);
            scree_model_free(model);
            model = set;
        }
        const scree_model *both[] = {model, quiet};
        for (int k = 0; k < 2; k++) {
            dense_gauss *g = dense_gauss_of(both[k]);
            draws_of(c, both[k], g);
            dense_gauss_free(g);
        }
        scree_model_free(quiet);
        scree_model_free(model);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
