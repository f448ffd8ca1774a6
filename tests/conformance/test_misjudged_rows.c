/* SPDX-License-Identifier: BSD-3-Clause */
/* A CSV file whose first megabytes have long lines and whose others have short ones: from its size it seems to have
 * fewer rows than columns, and it has more. The plan that was made for few rows must be made again, within the limit.
 */

#include "support/checks.h"

#include "unit/temporary_folder.h"

#include "base/random.h"

#include <stdio.h>

enum { LONG_ROWS = 130, SHORT_ROWS = 2400, COLS = 2000 };

static void write_rows(const char *path, int cols, int digits)
{
    FILE *file = fopen(path, "w");
    double x[COLS];
    assert_non_null(file);
    for (int i = 0; i < LONG_ROWS + SHORT_ROWS; i++) {
        scree__normals(7, (uint64_t)i, 0, cols, x);
        for (int j = 0; j < cols; j++)
            fprintf(file, "%s%.*f", j ? "," : "", i < LONG_ROWS ? digits : 0, x[j] * (j < 4 ? 50 : 1));
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

static void test_rows_are_counted_and_planned_again(void **state)
{
    char path[256];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_plan *plan = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    (void)state;
    snprintf(path, sizeof path, "%s/rows.csv", folder);
    write_rows(path, COLS, 30);
    options.components = 4;
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    EXPECT_OK(scree_plan_make(&plan, source, &options, &error), error);
    assert_true(scree_plan_at(plan, 1)->applicable); /* gram: the file was to mislead */
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(view->n, LONG_ROWS + SHORT_ROWS);
    assert_string_not_equal(view->solver, "gram");
    assert_true(view->passes > 2);
    for (int j = 0; j < 4; j++) /* 2500 + the rounding of the short numbers */
        assert_true(fabs(view->eigenvalues[j] - 2500) < 300);
    scree_model_free(model);
    scree_plan_free(plan);
    scree_source_free(source);
}

static scree_model *fitted(const char *path, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 4;
    options.bootstrap = 40;
    options.solver = solver;
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* The first plan is for so little work that it has one thread, and the second has more: replicates have room for all
 * of them, and say what they say where nothing was misjudged. */
static void test_replicates_are_planned_again(void **state)
{
    enum { FEW_COLS = 300 };
    char path[256];
    (void)state;
    snprintf(path, sizeof path, "%s/replicates.csv", folder);
    write_rows(path, FEW_COLS, 200);
    scree_model *model = fitted(path, NULL);
    scree_model *wanted = fitted(path, "covariance");
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(view->n, LONG_ROWS + SHORT_ROWS);
    assert_true(view->passes > 2);
    assert_int_equal(scree_model_get(wanted)->passes, 1);
    for (int j = 0; j < 4; j++) {
        scree_sampling s = SCREE_SAMPLING_INIT, t = SCREE_SAMPLING_INIT;
        assert_int_equal(scree_model_sampling(model, j, &s, NULL), SCREE_OK);
        assert_int_equal(scree_model_sampling(wanted, j, &t, NULL), SCREE_OK);
        assert_int_equal(s.replicates, 40);
        EXPECT_NEAR(s.low, t.low, 1e-9 * t.low);
        EXPECT_NEAR(s.high, t.high, 1e-9 * t.high);
    }
    scree_model_free(model);
    scree_model_free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_counted_and_planned_again),
                                       cmocka_unit_test(test_replicates_are_planned_again)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
