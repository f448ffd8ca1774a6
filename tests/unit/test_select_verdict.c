/* SPDX-License-Identifier: BSD-3-Clause */
/* What is recommended where criteria cannot be taken at their word: gaps, more components than bi-cross-validation can
 * see, noise that is not white, eigenvalues that fall off gradually, are not all known, or end. */

#include "base/random.h"
#include "support/calls.h"
#include "support/checks.h"
#include "support/criteria.h"
#include "support/scenario.h"

#include <stdlib.h>
#include <string.h>

static scree_source *source_of(const double *x, int64_t n, int64_t d)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    return source;
}

static scree_selection *selected(const double *x, int64_t n, int64_t d)
{
    scree_source *source = source_of(x, n, d);
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_selection_make(&selection, source, NULL, &error), error);
    scree_source_free(source);
    return selection;
}

/* Gaps are told, and change nothing about what is found; rows with weights must be complete. */
static void test_gaps_are_taken(void **state)
{
    (void)state;
    static const scenario tables[] = {{"tall", 300, 20, 3, 40, 20, NOISE_WHITE},
                                      {"wide", 40, 90, 3, 90, 60, NOISE_WHITE}};
    for (int64_t i = 0; i < COUNT_OF(tables); i++) {
        const scenario *s = &tables[i];
        double *x = scenario_draw(s, 41);
        double weights[300];
        scree_error error = SCREE_ERROR_INIT;
        scenario_punch(x, s->n * s->d, 0.1, 41);
        for (int64_t row = 0; row < s->n; row++) {
            x[row * s->d + 5] = row % 2 ? NAN : 4;
            weights[row] = 1 + (double)(row % 2);
        }
        scree_selection *selection = selected(x, s->n, s->d);
        const scree_selection_view *view = scree_selection_get(selection);
        assert_int_equal(view->recommended, 3);
        assert_int_equal(view->d, s->d);
        assert_int_equal(view->directions, s->d - 1);
        assert_non_null(strstr(view->gaps, "cells are missing"));
        assert_int_equal(criterion(selection, "whiten")->choice, 3);
        assert_int_equal(criterion(selection, "minka")->choice, 3);
        scree_selection_free(selection);
        selection = NULL;
        scree_source *source = source_of(x, s->n, s->d);
        EXPECT_OK(scree_source_weigh(source, weights, s->n, &error), error);
        assert_int_equal(scree_selection_make(&selection, source, NULL, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "weights"));
        scree_source_free(source);
        free(x);
    }
}

/* Bi-cross-validation sees half of the columns: the last number that it sees is not its choice. */
static void test_the_most_that_is_seen_is_no_choice(void **state)
{
    (void)state;
    static const scenario s = {"14 of 20", 400, 20, 14, 100, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 43);
    scree_selection *selection = selected(x, s.n, s.d);
    const scree_criterion *bicross = criterion(selection, "bicross");
    assert_true(isfinite(bicross->values[10]) && isnan(bicross->values[11]));
    assert_true(bicross->values[10] < bicross->values[9]);
    assert_int_equal(bicross->choice, -1);
    assert_non_null(strstr(bicross->reason, "half"));
    assert_int_equal(scree_selection_get(selection)->recommended, 14);
    scree_selection_free(selection);
    free(x);
}

/* What the noise is like is told, and where it is white, nothing is. */
static void test_noise_is_told(void **state)
{
    (void)state;
    static const struct {
        scenario of;
        const char *word;
    } cases[] = {{{"", 300, 30, 2, 60, 30, NOISE_ALONG_COLUMNS}, "neighbouring columns (0."},
                 {{"", 300, 30, 2, 60, 30, NOISE_UNEQUAL_COLUMNS}, "unequal between columns (up to "},
                 {{"", 300, 30, 2, 40, 20, NOISE_HEAVY_CELLS}, "heavy-tailed"},
                 {{"", 300, 30, 2, 40, 20, NOISE_HEAVY_ROWS}, "unequal between rows (up to "},
                 {{"", 300, 30, 2, 40, 20, NOISE_WHITE}, NULL}};
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        double *x = scenario_draw(&cases[i].of, 51);
        scree_selection *selection = selected(x, cases[i].of.n, cases[i].of.d);
        const scree_selection_view *view = scree_selection_get(selection);
        assert_int_equal(view->recommended, 2);
        assert_int_equal(view->fewest, 2);
        assert_int_equal(view->most, 2);
        assert_non_null(strstr(view->reason, "whiten"));
        if (cases[i].word && !(view->noise && strstr(view->noise, cases[i].word)))
            fail_msg("'%s' has no '%s'", view->noise ? view->noise : "", cases[i].word);
        if (!cases[i].word)
            assert_null(view->noise);
        scree_selection_free(selection);
        free(x);
    }
}

/* Eigenvalues that fall off gradually: no number, but a range. */
static void test_no_true_number(void **state)
{
    (void)state;
    static const scenario s = {"gradual", 800, 24, 24, 3000, 1, NOISE_WHITE};
    double *x = scenario_draw(&s, 47);
    scree_selection *selection = selected(x, s.n, s.d);
    const scree_selection_view *view = scree_selection_get(selection);
    assert_int_equal(criterion(selection, "whiten")->choice, -1);
    assert_true(view->fewest < view->most && view->fewest <= view->recommended && view->recommended <= view->most);
    assert_non_null(strstr(view->warning, "fall off gradually"));
    assert_null(view->noise);
    scree_selection_free(selection);
    free(x);
}

/* Whitening takes noise for a component in one table of a hundred, this one: of white noise the others know better. */
static void test_nearly_all_others(void **state)
{
    (void)state;
    static const scenario s = {"wide", 60, 240, 4, 100, 25, NOISE_WHITE};
    double *x = scenario_draw(&s, 10020);
    scree_selection *selection = selected(x, s.n, s.d);
    const scree_selection_view *view = scree_selection_get(selection);
    assert_int_equal(criterion(selection, "whiten")->choice, 5);
    assert_int_equal(view->recommended, 4);
    assert_int_equal(view->fewest, 4);
    assert_int_equal(view->most, 5);
    assert_non_null(strstr(view->reason, "7 of the 9 criteria"));
    scree_selection_free(selection);
    free(x);
}

/* Columns in other units are told, and so is what to do about them. */
static void test_a_column_in_another_unit(void **state)
{
    (void)state;
    static const scenario s = {"other unit", 100, 10, 3, 20, 5, NOISE_OTHER_UNIT};
    double *x = scenario_draw(&s, 2);
    scree_selection *selection = selected(x, s.n, s.d);
    assert_int_equal(scree_selection_get(selection)->recommended, 3);
    assert_non_null(strstr(scree_selection_get(selection)->noise, "--scale unit"));
    scree_selection_free(selection);
    free(x);
}

/* The same from the rows and from a model of them; a distribution needs some noise, and has a dimension less. */
static void expect_exact(const double *x, int64_t n, int64_t d, int64_t rank)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = source_of(x, n, d);
    scree_selection *selection = selected(x, n, d);
    scree_model *model = NULL;
    assert_int_equal(scree_selection_get(selection)->recommended, rank);
    assert_int_equal(scree_selection_get(selection)->most, rank);
    assert_null(scree_selection_get(selection)->warning);
    assert_int_equal(criterion(selection, "bicross")->choice, rank);
    assert_non_null(strstr(criterion(selection, "minka")->reason, "no noise"));
    scree_selection_free(selection);
    selection = NULL;
    EXPECT_OK(scree_model_fit(&model, source, NULL, &error), error);
    assert_int_equal(scree_model_get(model)->latent, rank - 1);
    EXPECT_OK(scree_selection_from_model(&selection, model, NULL, &error), error);
    assert_int_equal(scree_selection_get(selection)->recommended, rank);
    scree_selection_free(selection);
    scree_model_free(model);
    scree_source_free(source);
}

static void test_exact_rank(void **state)
{
    (void)state;
    static const scenario tables[] = {{"tall", 60, 30, 4, 20, 5, NOISE_NONE},
                                      {"wide", 30, 60, 4, 20, 5, NOISE_NONE},
                                      {"small", 20, 6, 2, 20, 5, NOISE_NONE},
                                      {"rounding", 60, 30, 4, 2e25, 5e24, NOISE_WHITE}};
    for (int64_t i = 0; i < COUNT_OF(tables); i++) {
        double *x = scenario_draw(&tables[i], 5);
        expect_exact(x, tables[i].n, tables[i].d, tables[i].components);
        free(x);
    }
    double whole[50 * 12];
    for (int64_t i = 0; i < 50; i++)
        for (int64_t j = 0; j < 12; j++)
            whole[i * 12 + j] = (double)((i * 7 % 11 - 5) * (j % 5 - 2) + i * 5 % 13 * (j * 3 % 7) + i % 3 * (j % 2));
    expect_exact(whole, 50, 12, 3);
}

/* A column that repeats another leaves noise in the others: that is no exact rank. */
static void test_a_repeated_column_is_no_exact_rank(void **state)
{
    (void)state;
    static const scenario s = {"white", 150, 12, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 8);
    for (int64_t i = 0; i < s.n; i++)
        x[i * s.d + 7] = x[i * s.d + 3];
    scree_selection *selection = selected(x, s.n, s.d);
    assert_true(scree_selection_get(selection)->recommended <= 3);
    assert_non_null(criterion(selection, "minka")->values);
    scree_selection_free(selection);
    free(x);
}

/* Of a model that kept few components: who would take them all is not believed. */
static void test_not_all_eigenvalues_are_known(void **state)
{
    (void)state;
    static const scenario s = {"many", 300, 40, 15, 100, 30, NOISE_WHITE};
    double *x = scenario_draw(&s, 9);
    scree_source *source = source_of(x, s.n, s.d);
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    for (options.components = 6; options.components <= 20; options.components += 14) {
        scree_model *model = NULL;
        scree_selection *selection = NULL;
        EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
        EXPECT_OK(scree_selection_from_model(&selection, model, NULL, &error), error);
        const scree_criterion *marchenko = criterion(selection, "marchenko");
        const bool enough = options.components > s.components;
        assert_int_equal(marchenko->choice, enough ? 15 : -1);
        assert_true(enough || strstr(marchenko->reason, "the first 6 eigenvalues"));
        assert_int_equal(scree_selection_get(selection)->recommended, enough ? 15 : 6);
        assert_true(enough || strstr(scree_selection_get(selection)->reason, "or more"));
        scree_selection_free(selection);
        scree_model_free(model);
    }
    scree_source_free(source);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_are_taken),
        cmocka_unit_test(test_the_most_that_is_seen_is_no_choice),
        cmocka_unit_test(test_noise_is_told),
        cmocka_unit_test(test_no_true_number),
        cmocka_unit_test(test_nearly_all_others),
        cmocka_unit_test(test_a_column_in_another_unit),
        cmocka_unit_test(test_exact_rank),
        cmocka_unit_test(test_a_repeated_column_is_no_exact_rank),
        cmocka_unit_test(test_not_all_eigenvalues_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
