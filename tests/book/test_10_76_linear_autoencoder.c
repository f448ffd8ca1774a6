/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.76) the linear auto-encoder minimises (1/N) Σ ‖x - BBᵀx‖²: what training finds spans the principal subspace, and
 * its error is J_M (10.44). On handwritten zeros and ones, and on noise, whose eigenvalues lie close together; tied
 * weights and weights of their own. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kind/network/network.h"
#include "support/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frobenius norm of the part of the decoder's column space, in an orthonormal basis, that lies outside the components:
 * no less than the sine of the largest angle between the two. An encoder with weights of its own may look at columns
 * that never vary, and does not say as much. */
static double largest_sine(const scree__layer *decoder, const scree_model_view *pca)
{
    const int64_t d = decoder->out;
    const int64_t m = decoder->in;
    double *q = scree__alloc(m * d, sizeof *q);
    double outside = 0;
    assert_non_null(q);
    for (int64_t i = 0; i < m; i++) {
        double *row = q + i * d;
        double norm = 0;
        for (int64_t j = 0; j < d; j++)
            row[j] = (double)decoder->weights[j * m + i];
        for (int64_t other = 0; other < 2 * i; other++) { /* twice: once loses digits */
            const double *earlier = q + other % i * d;
            double dot = 0;
            for (int64_t j = 0; j < d; j++)
                dot += row[j] * earlier[j];
            for (int64_t j = 0; j < d; j++)
                row[j] -= dot * earlier[j];
        }
        for (int64_t j = 0; j < d; j++)
            norm += row[j] * row[j];
        for (int64_t j = 0; j < d; j++)
            row[j] /= sqrt(norm);
    }
    for (int64_t i = 0; i < m; i++) {
        double inside = 0;
        for (int64_t k = 0; k < m; k++) {
            double dot = 0;
            for (int64_t j = 0; j < d; j++)
                dot += q[i * d + j] * pca->components[k * d + j];
            inside += dot * dot;
        }
        outside += inside < 1 ? 1 - inside : 0;
    }
    free(q);
    return sqrt(outside);
}

static void check(scree_source *source, int64_t code, int tied)
{
    scree_model *network = NULL;
    scree_model *pca = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    double lost = 0;
    options.code = code;
    options.linear = true;
    options.tied = tied;
    fit.components = code;
    EXPECT_OK(scree_model_autoencode(&network, source, &options, &error), error);
    EXPECT_OK(scree_model_fit(&pca, source, &fit, &error), error);
    EXPECT_OK(scree_model_round_trip(network, source, NULL, &lost, NULL, &error), error);
    const scree_model_view *view = scree_model_get(pca);
    const scree_network_view *trained = scree_model_network(network);
    EXPECT_NEAR(trained->pca_training_error, view->reconstruction_error, 1e-9 * view->total_variance);
    EXPECT_NEAR(trained->training_error, view->reconstruction_error, 1e-3 * view->reconstruction_error);
    EXPECT_NEAR(lost, trained->training_error, 1e-5 * trained->training_error);
    EXPECT_NEAR(largest_sine(&scree__network_of(network)->layers[1], view), 0, 1e-2);
    assert_string_equal(trained->stopped, "converged");
    scree_model_free(network);
    scree_model_free(pca);
}

static void digits(void **state)
{
    (void)state;
    char path[512];
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const char *top = getenv("SRC");
    snprintf(path, sizeof path, "%s/data/mnist01/mnist01-1000-images-idx3-ubyte.gz", top ? top : ".");
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    check(source, 2, -1);
    if (!SLOW_BUILD)
        check(source, 10, -1);
    scree_source_free(source);
}

static void noise(void **state)
{
    (void)state;
    enum { N = 400, D = 24 };
    static double x[N * D];
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree__normals(7, 1, 0, COUNT_OF(x), x);
    for (int64_t i = 0; i < COUNT_OF(x); i++)
        x[i] = 100 + 3 * x[i];
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    check(source, 2, -1);
    check(source, 10, 0);
    if (!SLOW_BUILD)
        check(source, 10, -1);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits), cmocka_unit_test(noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
