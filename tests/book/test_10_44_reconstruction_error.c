/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.44) J_M = Σ_{j>M} λ_j = tr S - Σ_{j≤M} λ_j: what a model of M components says it loses is the sum of the
 * eigenvalues that the full model has beyond them; one fit serves every M. (10.79) σ² is its average. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

static void what_is_lost_is_the_tail(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double tail = 0.0;
    book_rows(x);
    scree_model *full = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const scree_model_view *all = scree_model_get(full);
    assert_true(all->reconstruction_error == 0.0);
    for (int64_t m = BOOK_D - 1; m >= 1; m--) {
        scree_model *fitted = book_model(x, m, NULL, SCREE_SCALE_NONE);
        scree_model *cut = NULL;
        assert_int_equal(scree_model_truncate(&cut, full, m, NULL), SCREE_OK);
        tail += all->eigenvalues[m];
        assert_near(scree_model_get(fitted)->reconstruction_error, tail, 1e-12 * all->total_variance);
        assert_near(scree_model_get(cut)->reconstruction_error, tail, 1e-12 * all->total_variance);
        assert_near(scree_model_get(cut)->noise_variance, tail / (double)(BOOK_D - m), 1e-12 * all->total_variance);
        scree_model_free(fitted);
        scree_model_free(cut);
    }
    scree_model_free(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_lost_is_the_tail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
