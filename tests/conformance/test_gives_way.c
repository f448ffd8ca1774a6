/* SPDX-License-Identifier: BSD-3-Clause */
/* A method that iterates gives way to a direct one where the spectrum makes it slow: eigenvalues some millionths apart,
 * on data whose eigenpairs are known by construction. The model is the direct method's, says so, counts the passes of
 * both, and is the same for any number of threads; asked for by name, the method that iterates stays. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <string.h>

enum { N = 2048, D = 1024, K = 3, COUNT = D - 1 };

static double size_of(int64_t r)
{
    return 1 - 3e-3 * (double)r / D;
}

/* A row of Walsh coefficients becomes the row: D log D sums. */
static void transform(double *row)
{
    for (int64_t half = 1; half < D; half *= 2)
        for (int64_t i = 0; i < D; i++)
            if (!(i & half)) {
                const double a = row[i];
                row[i] = a + row[i + half];
                row[i + half] = a - row[i + half];
            }
}

static rows *made(void)
{
    double *x = scree__alloc(N * D, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t r = 0; r < COUNT; r++)
            x[i * D + r + 1] = size_of(r) * rows_walsh(r + 1, i);
        transform(x + i * D);
    }
    return rows_of(x, N, D, SCREE_F64, 1);
}

static reference *reference_of_rows(void)
{
    double *values = scree__alloc(COUNT, sizeof *values);
    double *vectors = scree__alloc(COUNT * D, sizeof *vectors);
    assert_non_null(values);
    assert_non_null(vectors);
    for (int64_t r = 0; r < COUNT; r++) {
        values[r] = size_of(r) * size_of(r) * D;
        for (int64_t j = 0; j < D; j++)
            vectors[r * D + j] = rows_walsh(r + 1, j) / sqrt(D);
    }
    reference *found = reference_known(N, D, COUNT, values, vectors);
    free(values);
    free(vectors);
    return found;
}

static void test_slow_spectrum(void **state)
{
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 2},
                                     {.size = sizeof(scree_run), .threads = 1, .block_rows = 99},
                                     {.size = sizeof(scree_run), .threads = 4}};
    rows *x = made();
    reference *r = reference_of_rows();
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    (void)state;
    options.components = K;
    options.tolerance = 1e-7;
    scree_model *model = reference_expect_runs(r, x, &options, runs, SLOW_BUILD ? 1 : COUNT_OF(runs), "by choice");
    const scree_model_view *m = scree_model_get(model);
    assert_string_equal(m->solver, "covariance");
    assert_non_null(strstr(m->solver_reason, "converged too slowly"));
    assert_true(m->passes > 5);
    scree_model_free(model);
    options.solver = "lanczos";
    model = reference_expect_runs(r, x, &options, runs, 1, "by name");
    assert_string_equal(scree_model_get(model)->solver, "lanczos");
    scree_model_free(model);
    reference_free(r);
    rows_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slow_spectrum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
