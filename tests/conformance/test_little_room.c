/* SPDX-License-Identifier: BSD-3-Clause */
/* lanczos where columns are hardly more than it needs: each number of them from the fewest that it takes, for several
 * numbers of components, to two tolerances. Nothing may be written beyond a basis (this is for the
 * sanitizers), and the errors must be below their bounds. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <stdio.h>

enum { N = 120, WIDTHS = SLOW_BUILD ? 20 : 30, STEP = SLOW_BUILD ? 3 : 1 };

static rows *made(int64_t d)
{
    double *x = scree__alloc(N * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(6, i, j) * (1 + 2 * (double)(j < 3));
    return rows_of(x, N, d, SCREE_F64, 1);
}

static void run_width(int64_t k, int64_t d, double tolerance)
{
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 2}};
    char label[64];
    rows *x = made(d);
    reference *r = reference_of(x->exact, N, d, (reference_options){0});
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = k;
    options.solver = "lanczos";
    options.tolerance = tolerance;
    snprintf(label, sizeof label, "%lld of %lld columns", (long long)k, (long long)d);
    scree_model_free(reference_expect_runs(r, x, &options, runs, 1, label));
    reference_free(r);
    rows_free(x);
}

static void test_widths(void **state)
{
    static const int64_t components[] = {1, 7, 15, 24};
    (void)state;
    for (int i = 0; i < COUNT_OF(components); i++)
        for (int64_t more = 48; more < 48 + WIDTHS; more += STEP)
            run_width(components[i], 2 * components[i] + more, more % 2 ? 1e-8 : 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
