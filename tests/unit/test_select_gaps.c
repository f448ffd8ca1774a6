/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection from tables with gaps in columns that are nearly always one value, as pixels at the edge of pictures are:
 * what fills the gaps is of the size of the table. */

#include "support/calls.h"
#include "support/checks.h"
#include "support/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static scree_selection *selected(const double *x, int64_t n, int64_t d)
{
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    EXPECT_OK(scree_selection_make(&selection, source, NULL, &error), error);
    scree_source_free(source);
    return selection;
}

static double variance_of(const double *x, int64_t n, int64_t d)
{
    scree_selection *selection = selected(x, n, d);
    const double variance = scree_selection_get(selection)->total_variance;
    scree_selection_free(selection);
    return variance;
}

/* 0 but for so many cells. */
static void make_rare(double *x, int64_t n, int64_t d, int64_t column, int64_t cells)
{
    for (int64_t i = 0; i < n; i++)
        x[i * d + column] =
            i % (n / cells) == column % (n / cells) && i / (n / cells) < cells ? 1 + (double)(i % 7) : 0;
}

/* Column j of the first of them varies by j+1 cells. */
static void check_rare(const scenario *s, int64_t rare, double share)
{
    double *x = scenario_draw(s, 5);
    for (int64_t j = 0; j < rare; j++)
        make_rare(x, s->n, s->d, j, j + 1);
    const double whole = variance_of(x, s->n, s->d);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        double *gappy = malloc((size_t)(s->n * s->d) * sizeof *gappy);
        assert_non_null(gappy);
        memcpy(gappy, x, (size_t)(s->n * s->d) * sizeof *gappy);
        scenario_punch(gappy, s->n * s->d, share, seed);
        EXPECT_NEAR(variance_of(gappy, s->n, s->d) / whole, 1, 0.25);
        free(gappy);
    }
    free(x);
}

static void test_rare_columns(void **state)
{
    (void)state;
    check_rare(&(scenario){"two", 300, 8, 2, 40, 20, NOISE_WHITE}, 2, 0.05);
    check_rare(&(scenario){"many", 300, 30, 4, 60, 20, NOISE_WHITE}, 16, 0.1);
    check_rare(&(scenario){"wide", 60, 90, 3, 90, 60, NOISE_WHITE}, 12, 0.1);
}

/* A constant column adds nothing, however many of its cells are missing. */
static void test_constant_column(void **state)
{
    (void)state;
    static const scenario s = {"constant", 200, 10, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 6);
    for (int64_t i = 0; i < s.n; i++)
        x[i * s.d + 3] = 1e6;
    const double whole = variance_of(x, s.n, s.d);
    for (int64_t i = 0; i < s.n; i += 3)
        x[i * s.d + 3] = NAN;
    EXPECT_NEAR(variance_of(x, s.n, s.d), whole, 1e-9 * whole);
    free(x);
}

static void test_column_without_value(void **state)
{
    (void)state;
    static const scenario s = {"empty", 50, 6, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 7);
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t i = 0; i < s.n; i++)
        x[i * s.d + 3] = NAN;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, s.n, s.d), &error), error);
    assert_int_equal(scree_selection_make(&selection, source, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text,
                        "memory: column 4 has no value in any of 50 rows; leave it out by choosing the other columns "
                        "with --columns");
    scree_source_free(source);
    free(x);
}

/* Under any limit: a sentence, or a reason for each criterion that was left out. Returns whether rows were held out. */
static bool has_reasons(scree_source *source, int64_t memory, bool *done)
{
    scree_run run = SCREE_RUN_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    bool held_out = false;
    run.memory = memory;
    run.threads = 2;
    options.run = &run;
    const scree_status status = scree_selection_make(&selection, source, &options, &error);
    *done = status == SCREE_OK;
    if (!*done) {
        assert_int_equal(status, SCREE_ERR_LIMIT);
        assert_non_null(strstr(error.text, "allow that much"));
        return false;
    }
    for (int64_t i = 0; scree_selection_criterion(selection, i); i++) {
        const scree_criterion *c = scree_selection_criterion(selection, i);
        assert_true(c->values || (c->reason && c->reason[0]));
        held_out = held_out || (c->values && strcmp(c->name, "heldout") == 0);
    }
    scree_selection_free(selection);
    return held_out;
}

static void test_reasons_under_limits(void **state)
{
    (void)state;
    static const scenario s = {"limits", 60, 150, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 6);
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    int refused = 0;
    bool held_out = false;
    x[7] = NAN;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, s.n, s.d), &error), error);
    for (int64_t memory = 1 << 18; memory < 1 << 24; memory += memory / 8) {
        bool done = false;
        held_out = has_reasons(source, memory, &done);
        refused += !done;
    }
    assert_true(refused > 0 && held_out);
    scree_source_free(source);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rare_columns),
        cmocka_unit_test(test_constant_column),
        cmocka_unit_test(test_column_without_value),
        cmocka_unit_test(test_reasons_under_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
