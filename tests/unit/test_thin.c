/* SPDX-License-Identifier: BSD-3-Clause */
/* A column that was observed a few times in many rows makes no outliers: it is left out, and counted; one that was
 * observed often is not. */

#include "support/checks.h"

#include "support/calls.h"
#include "support/gappy.h"

#include <math.h>

enum { N = 800, D = 8, NEW = 400 };

/* The last column of the first rows is seen so often. */
static scree_model *fitted(const gappy *g, int64_t seen)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 2;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < D; j++)
            g->x[i * D + j] = j == D - 1 && i >= seen ? NAN : g->whole[i * D + j];
    return gappy_fit(g, &o);
}

static scree_score_summary scored(const scree_model *model, const double *rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_scorer *scorer = NULL;
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, NEW, D), &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score(scorer, source, NULL, &summary, NULL, &error), error);
    assert_int_equal(gaps_of(source).rows, 0);
    scree_scorer_free(scorer);
    scree_source_free(source);
    return summary;
}

static void test_thin(void **state)
{
    (void)state;
    static const int64_t seen[] = {1, 2, 5, 12, 300};
    gappy *g = gappy_made(N + NEW, D, 2, 0.1, 4);
    g->n = N; /* the others are new */
    for (int i = 0; i < 5; i++) {
        scree_model *model = fitted(g, seen[i]);
        const scree_score_summary summary = scored(model, g->whole + N * D);
        assert_in_range(summary.outliers, 0, NEW / 40);
        assert_int_equal(summary.columns_left_out, seen[i] < 300);
        assert_true(summary.columns_left_out == 0 || summary.column_left_out == D - 1);
        scree_model_free(model);
    }
    gappy_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
