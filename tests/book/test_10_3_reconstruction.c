/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.3, the projection view) x̃ = BBᵀ(x - µ) + µ is an orthogonal projection: what is left of a row stands at right
 * angles to every component, and projecting again changes nothing. With M = D nothing is left. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"
#include "support/calls.h"

enum { M = 3 };

static void there_and_back(const scree_model *model, const double *x, double *restored)
{
    double z[BOOK_N * BOOK_D];
    const int64_t m = scree_model_get(model)->m;
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, BOOK_N, BOOK_D), z, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(z, SCREE_F64, BOOK_N, m), restored, NULL, NULL),
                     SCREE_OK);
}

static void what_is_left_is_orthogonal(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double once[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, M, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    double left = 0.0;
    there_and_back(model, x, once);
    for (int i = 0; i < BOOK_N; i++) {
        for (int k = 0; k < M; k++) {
            double product = 0.0;
            for (int j = 0; j < BOOK_D; j++) {
                double rest = x[i * BOOK_D + j] - once[i * BOOK_D + j];
                product += rest * view->components[k * BOOK_D + j];
                left += rest * rest;
            }
            assert_near(product, 0.0, 1e-13);
        }
    }
    assert_true(left > 1.0); /* three of eight components do lose something */
    scree_model_free(model);
}

static void a_projection_stays(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double once[BOOK_N * BOOK_D];
    double twice[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, M, NULL, SCREE_SCALE_UNIT);
    there_and_back(model, x, once);
    there_and_back(model, once, twice);
    for (int i = 0; i < BOOK_N * BOOK_D; i++)
        assert_near(twice[i], once[i], 1e-12);
    scree_model_free(model);
}

static void all_components_lose_nothing(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double once[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, BOOK_D, NULL, SCREE_SCALE_UNIT);
    there_and_back(model, x, once);
    for (int i = 0; i < BOOK_N * BOOK_D; i++)
        assert_near(once[i], x[i], 1e-12);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left_is_orthogonal),
                                       cmocka_unit_test(a_projection_stays),
                                       cmocka_unit_test(all_components_lose_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
