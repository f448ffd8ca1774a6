/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues with more copies than an iterative method has vectors in its block, on data whose eigenpairs are known by
 * construction (sums of Walsh functions, exact in every type): copies must not be missed, and a cut through them must
 * be seen. Large enough for the iterative solver of the covariance and Gram matrices, and for float arithmetic. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 128 };

typedef struct alike {
    const char *name;
    int64_t n;
    int64_t d;
    int64_t copies[3]; /* of the values 5, 4 and 2 */
    int64_t k;
    scree_type type;
    const char *solvers; /* that apply */
    double tolerance;
} alike;

static const alike cases[] = {
    {"one value, cut", 256, 256, {40, 0, 0}, 10, SCREE_F64, "covariance svd lanczos", 1e-10},
    {"more copies than the block, cut", 256, 256, {40, 30, 0}, 10, SCREE_F64, "covariance svd lanczos", 1e-10},
    {"more copies than the block, whole", 512, 512, {40, 10, 10}, 50, SCREE_F64, "covariance lanczos", 1e-10},
    {"copies below the first", 512, 512, {2, 44, 20}, 46, SCREE_F64, "covariance lanczos", 1e-10},
    {"copies below the first, cut", 512, 512, {2, 48, 20}, 36, SCREE_F64, "covariance lanczos", 1e-10},
    {"bytes", 512, 256, {3, 20, 10}, 8, SCREE_U8, "covariance lanczos", 1e-10},
    {"wide", 256, 1024, {1, 12, 6}, 9, SCREE_F64, "gram lanczos", 1e-10},
    {"wide, all that there is", 256, 1024, {2, 3, 4}, 9, SCREE_F64, "gram svd lanczos", 1e-10},
    {"float arithmetic, iterative", 512, 512, {1, 3, 9}, 4, SCREE_F32, "lanczos", 1e-4},
#if !SLOW_BUILD
    {"float arithmetic", 16384, 512, {1, 3, 9}, 4, SCREE_F32, "covariance", 0},
    {"float arithmetic, wide", 1024, 4096, {1, 3, 9}, 4, SCREE_F32, "gram", 0},
#endif
};

static int64_t values_of(const alike *c, double *s)
{
    static const double value[] = {5, 4, 2};
    int64_t count = 0;
    for (int kind = 0; kind < 3; kind++)
        for (int64_t i = 0; i < c->copies[kind]; i++)
            s[count++] = value[kind];
    return count;
}

/* Eigenvalues s²D, eigenvectors Walsh functions over √D; bytes hold x + 128. */
static reference *reference_of_case(const alike *c, const double *s, int64_t count)
{
    double values[MOST];
    double *vectors = scree__alloc(count * c->d, sizeof *vectors);
    assert_non_null(vectors);
    for (int64_t r = 0; r < count; r++) {
        values[r] = s[r] * s[r] * (double)c->d;
        for (int64_t j = 0; j < c->d; j++)
            vectors[r * c->d + j] = rows_walsh(r + 1, j) / sqrt((double)c->d);
    }
    reference *known = reference_known(c->n, c->d, count, values, vectors);
    free(vectors);
    return known;
}

static void run_case(const alike *c)
{
    static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos"};
    double s[MOST];
    char label[128];
    const int64_t count = values_of(c, s);
    rows *x = rows_of(rows_walsh_sum(c->n, c->d, s, count), c->n, c->d, c->type, 1);
    reference *known = reference_of_case(c, s, count);
    for (int64_t i = 0; i < COUNT_OF(solvers); i++) {
        if (!strstr(c->solvers, solvers[i]))
            continue;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = c->k;
        options.solver = solvers[i];
        options.tolerance = c->tolerance;
        scree_model *model = rows_fit(x, &options);
        snprintf(label, sizeof label, "%s, %s", c->name, solvers[i]);
        if (!scree_model_get(model)->converged)
            fail_msg("%s: it did not converge", label);
        reference_expect(known, model, label);
        scree_model_free(model);
    }
    reference_free(known);
    rows_free(x);
}

static void test_copies(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        run_case(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
