/* SPDX-License-Identifier: BSD-3-Clause */
/* Spare components: of few rows, a model that keeps few components has the same p-values as one that keeps them all;
 * files, arrays and models cut shorter carry them; of many rows there are none. And an M that the data chose is the one
 * that they would choose with the new row among them. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "model/spare.h"
#include "support/calls.h"

#include <stdlib.h>
#include <string.h>

enum { N = 40, D = 50 };

/* Two strong directions; the last row is new. */
static double *made_rows(void)
{
    double *x = scree__alloc((N + 1) * D, sizeof *x);
    assert_non_null(x);
    scree__normals(11, 0, 0, (N + 1) * D, x);
    for (int64_t i = 0; i <= N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = x[i * D + j] * (j < 2 ? 9 - 3 * (double)j : 1) + (double)j;
    return x;
}

static scree_model *fit_share(const double *x, int64_t n, int64_t d, int64_t components, double share)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    options.share = share;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static scree_model *fit_of(const double *x, int64_t n, int64_t d, int64_t components)
{
    return fit_share(x, n, d, components, 0);
}

static double p_of(const scree_model *model, const double *row)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score score;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(row, SCREE_F64, 1, scree_model_get(model)->d), &score, &error), error);
    scree_scorer_free(scorer);
    return score.p_value;
}

static void few_kept_are_judged_as_all(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double *x = made_rows();
    scree_model *all = fit_of(x, N, D, N - 1);
    scree_model *few = fit_of(x, N, D, 2);
    scree_model *two = NULL;
    scree_model *cut = NULL;
    const scree_model_view *view = scree_model_get(few);
    EXPECT_OK(scree_model_with_latent(&two, all, 2, &error), error);
    EXPECT_OK(scree_model_truncate(&cut, all, 2, &error), error);
    assert_int_equal(view->m, 2);
    assert_int_equal(view->spare_count, N - 3);
    assert_int_equal(scree_model_get(all)->spare_count, 0);
    for (int64_t i = 0; i < view->spare_count; i++)
        EXPECT_NEAR(view->spare_values[i] / scree_model_get(all)->eigenvalues[i + 2], 1, 1e-10);
    for (int64_t k = 0; k < 5; k++) {
        x[N * D + 7] += 3;
        EXPECT_NEAR(log(p_of(few, x + N * D) / p_of(two, x + N * D)), 0, 1e-6);
        EXPECT_NEAR(log(p_of(cut, x + N * D) / p_of(two, x + N * D)), 0, 1e-6);
    }
    scree_model_free(all);
    scree_model_free(few);
    scree_model_free(two);
    scree_model_free(cut);
    free(x);
}

/* A share of the variance keeps as many as hold it; the distribution is the same as by default. */
static void of_a_share_too(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *whole = fit_of(x, N, D, 0);
    const scree_model_view *all = scree_model_get(whole);
    assert_int_equal(all->m, N - 1);
    for (int tenths = 7; tenths < 10; tenths++) {
        scree_model *part = fit_share(x, N, D, 0, 0.1 * tenths);
        const scree_model_view *view = scree_model_get(part);
        double sum = 0;
        for (int64_t j = 0; j < view->m; j++) {
            EXPECT_NEAR(view->eigenvalues[j] / all->eigenvalues[j], 1, 1e-12);
            sum += view->eigenvalues[j];
        }
        assert_true(sum >= 0.1 * tenths * view->total_variance);
        assert_true(sum - view->eigenvalues[view->m - 1] < 0.1 * tenths * view->total_variance);
        assert_int_equal(view->latent, all->latent);
        assert_int_equal(view->m + view->spare_count, N - 1);
        EXPECT_NEAR(view->spare_values[0] / all->eigenvalues[view->m], 1, 1e-12);
        EXPECT_NEAR(log(p_of(part, x + N * D) / p_of(whole, x + N * D)), 0, 1e-6);
        scree_model_free(part);
    }
    scree_model_free(whole);
    free(x);
}

static void files_and_arrays_carry_them(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double *x = made_rows();
    scree_model *model = fit_of(x, N, D, 3);
    scree_model *copies[2] = {NULL, NULL};
    void *data = NULL;
    size_t bytes = 0;
    EXPECT_OK(scree_model_save_buffer(&data, &bytes, model, &error), error);
    EXPECT_OK(scree_model_load_buffer(&copies[0], data, bytes, &error), error);
    EXPECT_OK(scree_model_from_arrays(&copies[1], scree_model_get(model), &error), error);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(scree_model_get(copies[k])->spare_count, N - 4);
        EXPECT_NEAR(p_of(copies[k], x + N * D), p_of(model, x + N * D), 0);
        scree_model_free(copies[k]);
    }
    scree_buffer_free(data);
    scree_model_free(model);
    free(x);
}

static void arrays_that_cannot_be_are_refused(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, N, D, 3);
    scree_model *other = NULL;
    scree_model_view view = *scree_model_get(model);
    view.spare_components = NULL;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    view = *scree_model_get(model);
    view.spare_count = D;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    view = *scree_model_get(model);
    view.latent_next = -1;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    view.latent_next = INFINITY;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    view = *scree_model_get(model);
    view.latent_less = view.latent + 1;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    view.latent = 0;
    view.no_latent = true;
    view.latent_less = 1;
    assert_int_equal(scree_model_from_arrays(&other, &view, NULL), SCREE_ERR_VALUE);
    scree_model_free(model);
    free(x);
}

/* Numbers that no fit finds, in the model's own arrays: neither a file nor arrays with them are taken. */
static void what_no_fit_finds_is_refused(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, N, D, 3);
    double *const places[] = {model->spare_values,   model->spare_values + 5, model->spare_components,
                              model->rest.values,    model->rest.values + 3,  model->rest.counts,
                              model->rest.counts + 1};
    static const double wrong[] = {1e6, 1e6, 3, 1e6, 1e6, D + 1, 1e308};
    static const char *const parts[] = {"value 1 of 'spare_values' is larger", "value 6 of 'spare_values' is larger",
                                        "spare component 1 has length",        "value 1 of 'rest_values' is larger",
                                        "value 4 of 'rest_values' is larger",  "'rest_counts' add up to",
                                        "'rest_counts' add up to 1e+308"};
    for (int64_t i = 0; i < COUNT_OF(places); i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *other = NULL;
        const double right = *places[i];
        void *data = NULL;
        size_t bytes = 0;
        *places[i] = wrong[i];
        assert_int_equal(scree_model_from_arrays(&other, scree_model_get(model), &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, parts[i]));
        EXPECT_OK(scree_model_save_buffer(&data, &bytes, model, &error), error);
        assert_int_equal(scree_model_load_buffer(&other, data, bytes, &error), SCREE_ERR_MODEL);
        assert_non_null(strstr(error.text, parts[i]));
        scree_buffer_free(data);
        *places[i] = right;
    }
    scree_model_free(model);
    free(x);
}

static void only_where_they_matter(void **state)
{
    (void)state;
    assert_int_equal(scree__spare_wanted(40, 50, 39, 2, false), 37);
    assert_int_equal(scree__spare_wanted(200, 3000, 199, 3, false), 61);
    assert_int_equal(scree__spare_wanted(200, 3000, 199, 60, false), 20);
    assert_int_equal(scree__spare_wanted(1000, 200, 199, 3, false), 20);
    assert_int_equal(scree__spare_wanted(40, 50, 39, 39, false), 0);
    assert_int_equal(scree__spare_wanted(5000, 50, 50, 2, false), 0);     /* many rows */
    assert_int_equal(scree__spare_wanted(2000, 3000, 1999, 2, false), 0); /* many components */
    assert_int_equal(scree__spare_wanted(30, 1 << 22, 29, 2, false), 0);  /* too large */
    assert_int_equal(scree__spare_wanted(30, 1 << 18, 29, 2, false), 2);  /* as many as fit */
    assert_int_equal(scree__spare_wanted(5000, 50, 50, 2, true), 48);     /* scaled columns: all */
    assert_int_equal(scree__spare_wanted(5000, 300, 300, 2, true), 0);
}

/* A row that would be a component of its own is judged by the law with that component. */
static void chosen_with_the_new_row(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double *x = made_rows();
    scree_model *model = fit_of(x, N, D, 0);
    scree_model *same = NULL;
    scree_model *more = NULL;
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(view->latent, 2);
    assert_int_equal(view->latent_less, 0);
    assert_true(view->latent_next > view->eigenvalues[2] && view->latent_next < view->eigenvalues[1]);
    EXPECT_OK(scree_model_with_latent(&same, model, 2, &error), error);
    EXPECT_OK(scree_model_with_latent(&more, model, 3, &error), error);
    assert_true(scree_model_get(same)->latent_next == view->latent_next);
    assert_true(scree_model_get(more)->latent_next == 0);
    EXPECT_NEAR(p_of(model, x + N * D), p_of(same, x + N * D), 0);
    assert_true(p_of(model, x + N * D) != p_of(more, x + N * D));
    x[N * D + 7] += 60;
    const double chance = log(p_of(more, x + N * D));
    EXPECT_NEAR(log(p_of(model, x + N * D)), chance, 1e-10 * fabs(chance));
    scree_model_free(model);
    scree_model_free(same);
    scree_model_free(more);
    free(x);
}

/* Of so few rows one more may make the data choose fewer components: files and arrays say how many. */
static void fewer_with_the_new_row(void **state)
{
    (void)state;
    enum { ROWS = 16, COLUMNS = 5, SEEDS = 40 };
    scree_error error = SCREE_ERROR_INIT;
    double x[(ROWS + 1) * COLUMNS];
    int found = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        scree_model *copies[3] = {NULL, NULL, NULL};
        void *data = NULL;
        size_t bytes = 0;
        scree__normals(seed, 0, 0, COUNT_OF(x), x);
        for (int64_t i = 0; i < COUNT_OF(x); i++)
            x[i] *= i % COLUMNS < 2 ? 2 : 1;
        scree_model *model = fit_of(x, ROWS, COLUMNS, 0);
        scree_model_view view = *scree_model_get(model);
        assert_true(view.latent_less >= 0 && view.latent_less <= view.latent);
        found += view.latent_less > 0;
        EXPECT_OK(scree_model_save_buffer(&data, &bytes, model, &error), error);
        EXPECT_OK(scree_model_load_buffer(&copies[0], data, bytes, &error), error);
        EXPECT_OK(scree_model_from_arrays(&copies[1], &view, &error), error);
        EXPECT_OK(scree_model_with_latent(&copies[2], model, view.latent, &error), error);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(scree_model_get(copies[k])->latent_less, view.latent_less);
            EXPECT_NEAR(p_of(copies[k], x + ROWS * COLUMNS), p_of(model, x + ROWS * COLUMNS), 1e-12);
            scree_model_free(copies[k]);
        }
        view.latent_less = COLUMNS + 1;
        assert_int_equal(scree_model_from_arrays(&copies[1], &view, NULL), SCREE_ERR_VALUE);
        model->view.latent_less = COLUMNS + 1;
        scree_buffer_free(data);
        EXPECT_OK(scree_model_save_buffer(&data, &bytes, model, &error), error);
        assert_int_equal(scree_model_load_buffer(&copies[0], data, bytes, &error), SCREE_ERR_MODEL);
        assert_non_null(strstr(error.text, "'latent_less' is 6 with"));
        scree_buffer_free(data);
        scree_model_free(model);
    }
    assert_true(found > 2 && found < SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_kept_are_judged_as_all),
                                       cmocka_unit_test(files_and_arrays_carry_them),
                                       cmocka_unit_test(arrays_that_cannot_be_are_refused),
                                       cmocka_unit_test(only_where_they_matter),
                                       cmocka_unit_test(what_no_fit_finds_is_refused),
                                       cmocka_unit_test(chosen_with_the_new_row),
                                       cmocka_unit_test(of_a_share_too),
                                       cmocka_unit_test(fewer_with_the_new_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
