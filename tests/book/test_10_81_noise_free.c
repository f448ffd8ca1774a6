/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.80), (10.81) As σ → 0, B → TΛ^½ and PPCA becomes PCA: with σ² = ε λ_M and ε from 1e-2 to 1e-10,
 *
 *     m_j √λ_j      → t_j          codes              the error is  t_j (1 - √(1 - σ²/λ_j)) = t_j σ²/2λ_j + …
 *     Bm + µ        → UUᵀ(x-µ)+µ   reconstructions                  Σ u_j t_j σ²/λ_j
 *     C             → 0                                             σ²/λ_j
 *
 * so each error falls tenfold with σ²; at σ² = 0 the answers are PCA's. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "support/calls.h"

#include <string.h>

enum { DECADES = 9 };
enum { LOADINGS, CODES, RECONSTRUCTIONS, COVARIANCE, ERRORS };
static const char *const names[ERRORS] = {"loadings", "codes", "reconstructions", "covariance"};

/* What PCA says of the rows of a case. */
typedef struct pca {
    const ppca_case *c;
    const double *x;
    const double *lambda;
    double *limit;    /* D×M: UΛ^½, in the columns as they came */
    double *codes;    /* N×M */
    double *restored; /* N×D */
} pca;

static double *take(int64_t count)
{
    double *memory = scree__alloc(count, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static pca pca_of(const ppca_case *c, const scree_model *model, const double *x)
{
    const scree_model_view *view = scree_model_get(model);
    pca p = {c, x, view->eigenvalues, take(c->d * c->m), take(c->n * c->m), take(c->n * c->d)};
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t i = 0; i < c->d; i++)
        for (int64_t j = 0; j < c->m; j++)
            p.limit[i * c->m + j] =
                sqrt(p.lambda[j]) * view->components[j * c->d + i] * (view->scale ? view->scale[i] : 1);
    EXPECT_OK(scree_model_project_rows(model, BLOCK(x, SCREE_F64, c->n, c->d), p.codes, NULL, &error), error);
    EXPECT_OK(scree_model_reconstruct_rows(model, BLOCK(p.codes, SCREE_F64, c->n, c->m), p.restored, NULL, &error),
              error);
    return p;
}

static void pca_free(pca *p)
{
    free(p->limit);
    free(p->codes);
    free(p->restored);
}

/* Largest differences between what the model with noise says and what PCA says. */
static void differences(const pca *p, const scree_model *model, double error[ERRORS])
{
    const ppca_case *c = p->c;
    scree_error text = SCREE_ERROR_INIT;
    double *b = take(c->d * c->m);
    double *means = take(c->n * c->m);
    double *variances = take(c->m);
    memset(error, 0, ERRORS * sizeof *error);
    assert_int_equal(scree_model_loadings(model, b, NULL), SCREE_OK);
    assert_int_equal(scree_model_posterior_covariance(model, variances, NULL, NULL), SCREE_OK);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(p->x, SCREE_F64, c->n, c->d), means, NULL, NULL, &text), text);
    for (int64_t i = 0; i < c->d * c->m; i++)
        error[LOADINGS] = fmax(error[LOADINGS], fabs(b[i] - p->limit[i]));
    for (int64_t i = 0; i < c->n * c->m; i++)
        error[CODES] = fmax(error[CODES], fabs(means[i] * sqrt(p->lambda[i % c->m]) - p->codes[i]));
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->d; k++) {
            double restored = scree_model_get(model)->mean[k];
            for (int64_t j = 0; j < c->m; j++)
                restored += b[k * c->m + j] * means[i * c->m + j];
            error[RECONSTRUCTIONS] = fmax(error[RECONSTRUCTIONS], fabs(restored - p->restored[i * c->d + k]));
        }
    for (int64_t j = 0; j < c->m; j++)
        error[COVARIANCE] = fmax(error[COVARIANCE], variances[j]);
    free(b);
    free(means);
    free(variances);
}

/* Tenfold from decade to decade: to the second order of σ²/λ, and to what rounding leaves. */
static void errors_fall_with_the_noise(const pca *p, const scree_model *model)
{
    double before[ERRORS] = {0};
    for (int k = 2; k < 2 + DECADES; k++) {
        double error[ERRORS];
        const double epsilon = pow(10, -k);
        scree_model *quieter = NULL;
        assert_int_equal(scree_model_with_noise(&quieter, model, epsilon * p->lambda[p->c->m - 1], NULL), SCREE_OK);
        differences(p, quieter, error);
        for (int e = 0; e < ERRORS; e++) {
            const double rounding = 1e-14 * (e == COVARIANCE ? 0 : 20);
            if (k > 2 && !(fabs(error[e] - before[e] / 10) <= 20 * epsilon * error[e] + rounding))
                fail_msg("%s: at σ² = %g λ the error of the %s is %g after %g", p->c->label, epsilon, names[e],
                         error[e], before[e]);
            before[e] = error[e];
        }
        scree_model_free(quieter);
    }
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        double error[ERRORS];
        double logdet;
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        scree_model *silent = NULL;
        pca p = pca_of(c, model, x);
        errors_fall_with_the_noise(&p, model);
        assert_int_equal(scree_model_with_noise(&silent, model, 0, NULL), SCREE_OK);
        differences(&p, silent, error);
        for (int e = 0; e < ERRORS; e++)
            EXPECT_NEAR(error[e], 0, e == COVARIANCE ? 0 : 2e-13);
        assert_int_equal(scree_model_posterior_covariance(silent, NULL, &logdet, NULL), SCREE_OK);
        assert_true(isinf(logdet) && logdet < 0);
        pca_free(&p);
        scree_model_free(silent);
        scree_model_free(model);
        free(x);
    }
}

/* In the noise-free limit every draw of what else a row could have been is its reconstruction. */
static void exploring_without_noise_reconstructs(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    const ppca_case c = {"standardised", 60, 7, 3, false, true, 0, 0};
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    double *x = ppca_case_rows(&c);
    double out[60 * 4 * 9];
    scree_model *model = ppca_case_model(&c, x);
    scree_model *silent = NULL;
    scree_source *rows = NULL;
    scree_source *draws = NULL;
    scree_sink *sink = NULL;
    options.draws = 4;
    EXPECT_OK(scree_model_with_noise(&silent, model, 0, &error), error);
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, c.n, c.d), &error), error);
    EXPECT_OK(scree_source_explore(&draws, silent, rows, &options, &error), error);
    EXPECT_OK(scree_sink_to_memory(&sink, out, c.n * options.draws, c.d + 2, &error), error);
    EXPECT_OK(scree_source_copy(draws, sink, NULL, &error), error);
    pca p = pca_of(&c, model, x);
    for (int64_t i = 0; i < c.n * options.draws; i++)
        for (int64_t j = 0; j < c.d; j++)
            EXPECT_NEAR(out[i * 9 + 2 + j], p.restored[i / options.draws * c.d + j], 1e-13);
    pca_free(&p);
    scree_sink_free(sink);
    scree_source_free(draws);
    scree_model_free(silent);
    scree_model_free(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case),
                                       cmocka_unit_test(exploring_without_noise_reconstructs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
