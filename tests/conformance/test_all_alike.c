/* SPDX-License-Identifier: BSD-3-Clause */
/* A two-level design: columns of ±1 that are orthogonal, so that S is the identity, and every direction is as good as
 * any other. An iteration finds all there is in one step, from whatever start: each seed must give eigenvalue 1. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/rows.h"

enum { N = 1024, D = 700, SEEDS = SLOW_BUILD ? 7 : 20 };

static rows *made(void)
{
    double *x = scree__alloc(N * D, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = rows_walsh(j + 1, i);
    return rows_of(x, N, D, SCREE_F64, 1);
}

static void expect_ones(const scree_model *model)
{
    const scree_model_view *m = scree_model_get(model);
    assert_true(m->converged);
    for (int64_t j = 0; j < m->m; j++)
        EXPECT_NEAR(m->eigenvalues[j], 1, 1e-12);
}

static void test_design(void **state)
{
    static const int64_t components[] = {1, 2, 8};
    rows *x = made();
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    (void)state;
    options.solver = "lanczos";
    for (int i = 0; i < COUNT_OF(components); i++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            options.components = components[i];
            options.seed = seed;
            options.tolerance = seed % 2 ? 1e-8 : 0;
            scree_model *model = rows_fit(x, &options);
            expect_ones(model);
            scree_model_free(model);
        }
    rows_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_design)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
