/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods agree on data of real size: the 60000 digits of MNIST where they are to be had ($SCREE_MNIST, or the folder
 * shared/data/mnist beside the repository), 50 components; and 300 rows of 5000 columns. Eigenvalues to 1e-10 of
 * themselves, spaces to an angle of 1e-7, and the reconstruction error from the data (10.29) as the model says (10.44)
 * to 1e-10. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/agreement.h"
#include "support/calls.h"
#include "support/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { PIXELS = 784, COMPONENTS = 50, IDX_HEADER = 16 };
static const int64_t DIGITS = SLOW_BUILD ? 3000 : 60000;

static gzFile open_mnist(void)
{
    static const char name[] = "train-images-idx3-ubyte.gz";
    const char *given = getenv("SCREE_MNIST");
    const char *repository = getenv("SRC");
    char path[4096];
    if (given)
        snprintf(path, sizeof path, "%s/%s", given, name);
    else
        snprintf(path, sizeof path, "%s/../shared/data/mnist/%s", repository ? repository : ".", name);
    return gzopen(path, "rb");
}

/* The pixels of the digits, or NULL when they are not here. */
static uint8_t *mnist(void)
{
    gzFile file = open_mnist();
    if (!file)
        return NULL;
    uint8_t header[IDX_HEADER];
    uint8_t *pixels = scree__alloc(DIGITS, PIXELS);
    assert_non_null(pixels);
    assert_int_equal(gzread(file, header, IDX_HEADER), IDX_HEADER);
    assert_int_equal(gzread(file, pixels, (unsigned)(DIGITS * PIXELS)), DIGITS * PIXELS);
    gzclose(file);
    return pixels;
}

static scree_model *fitted(scree_source *source, const char *solver, double tolerance)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = COMPONENTS;
    options.solver = solver;
    options.tolerance = tolerance;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_true(scree_model_get(model)->converged);
    return model;
}

static void expect_agreement(const scree_model *a, const scree_model *b)
{
    EXPECT_NEAR(models_eigenvalue_distance(a, b), 0, 1e-10);
    EXPECT_NEAR(models_subspace_sine(a, b), 0, 1e-7);
}

static void expect_error_from_data(const scree_model *model, scree_source *source)
{
    scree_error error = SCREE_ERROR_INIT;
    double from_data = 0;
    const double claimed = scree_model_get(model)->reconstruction_error;
    EXPECT_OK(scree_model_round_trip(model, source, NULL, &from_data, NULL, &error), error);
    EXPECT_NEAR(from_data, claimed, 1e-10 * claimed);
}

static void test_mnist(void **state)
{
    (void)state;
    uint8_t *pixels = mnist();
    if (!pixels) {
        print_message("MNIST is not here: set SCREE_MNIST to its folder\n");
        skip();
    }
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(pixels, SCREE_U8, DIGITS, PIXELS), NULL), SCREE_OK);
    scree_model *covariance = fitted(source, "covariance", 0);
    scree_model *svd = fitted(source, "svd", 0);
    scree_model *lanczos = fitted(source, "lanczos", 1e-11);
    expect_agreement(covariance, svd);
    expect_agreement(lanczos, svd);
    expect_error_from_data(covariance, source);
    scree_model_free(covariance);
    scree_model_free(svd);
    scree_model_free(lanczos);
    scree_source_free(source);
    free(pixels);
}

static void test_wide(void **state)
{
    (void)state;
    const int64_t n = SLOW_BUILD ? 150 : 300;
    const int64_t d = SLOW_BUILD ? 500 : 5000;
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = 3 + rows_random(8, i, j) / sqrt((double)(1 + i)) + rows_random(9, i, j % 7);
    rows *made = rows_of(x, n, d, SCREE_F64, 0);
    scree_source *source = rows_source(made);
    scree_model *gram = fitted(source, "gram", 0);
    scree_model *svd = fitted(source, "svd", 0);
    expect_agreement(gram, svd);
    expect_error_from_data(gram, source);
    scree_model_free(gram);
    scree_model_free(svd);
    scree_source_free(source);
    rows_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mnist),
        cmocka_unit_test(test_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
