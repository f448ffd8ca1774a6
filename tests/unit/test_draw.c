/* SPDX-License-Identifier: BSD-3-Clause */
/* A draw is a function of the seed and its number: in whatever company, on however many threads it is made. */

#include "support/checks.h"

#include "made_model.h"
#include "model/draw.h"

#include <string.h>

enum { DRAWS = 300, FIRST = 77, D = 13, M = 4 };

static void draw_range(scree__draw *draw, int64_t first, int64_t count, double *z, double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__draw_latent(draw, first, count, z);
    EXPECT_OK(scree__draw_visible(draw, first, count, z, x, &error), error);
}

static void company_does_not_matter(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 3, 64, 299};
    static double z[DRAWS * M];
    static double x[DRAWS * D];
    static double some_z[DRAWS * M];
    static double some_x[DRAWS * D];
    scree_error error = SCREE_ERROR_INIT;
    scree__draw draw = {0};
    scree_model *model = made_model(D, M, 5.0, true, NULL);
    EXPECT_OK(scree__draw_open(&draw, model, 3, 1, DRAWS, &error), error);
    draw_range(&draw, FIRST, DRAWS, z, x);
    scree__draw_close(&draw);
    for (int64_t k = 0; k < COUNT_OF(sizes); k++) {
        EXPECT_OK(scree__draw_open(&draw, model, 3, 1 + (int)k, sizes[k], &error), error);
        for (int64_t at = 0; at < DRAWS; at += sizes[k]) {
            const int64_t count = sizes[k] < DRAWS - at ? sizes[k] : DRAWS - at;
            draw_range(&draw, FIRST + at, count, some_z + at * M, some_x + at * D);
        }
        assert_memory_equal(some_z, z, sizeof z);
        assert_memory_equal(some_x, x, sizeof x);
        scree__draw_close(&draw);
    }
    scree_model_free(model);
}

/* z that comes from elsewhere is used as it is: x moves with it along B, and ε stays. */
static void latent_values_are_the_callers(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__draw draw = {0};
    scree_model *model = made_model(D, M, 0.0, true, NULL);
    double z[2 * M] = {0};
    double still[2 * D];
    double moved[2 * D];
    double b[D * M];
    assert_int_equal(scree_model_loadings(model, b, NULL), SCREE_OK);
    EXPECT_OK(scree__draw_open(&draw, model, 1, 2, 2, &error), error);
    EXPECT_OK(scree__draw_visible(&draw, 10, 2, z, still, &error), error);
    z[M + 2] = 3;
    EXPECT_OK(scree__draw_visible(&draw, 10, 2, z, moved, &error), error);
    for (int64_t k = 0; k < D; k++) {
        assert_true(moved[k] == still[k]);
        EXPECT_NEAR(moved[D + k] - still[D + k], 3 * b[k * M + 2], 1e-14 * (1 + fabs(still[D + k])));
    }
    scree__draw_close(&draw);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(company_does_not_matter),
                                       cmocka_unit_test(latent_values_are_the_callers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
