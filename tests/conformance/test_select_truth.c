/* SPDX-License-Identifier: BSD-3-Clause */
/* How often select finds the true number of components: seven kinds of data that are hard, seven that are easy. Prints
 * a row a scenario with the share of tables that each criterion gets right, and expects of the recommendation
 *
 *     at least 80 % wherever any criterion reaches 80 %;
 *     with 10 % of the cells missing, the same choice in at least 90 % of the tables.
 *
 * A few tables a scenario; with SCREE_PROVE=full in the environment 100. tally.h says how to run it in parts. */

#include "support/calls.h"
#include "support/checks.h"
#include "support/scenario.h"
#include "support/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = SLOW_BUILD ? 1 : 5, MANY = 100 };
static const char RECOMMENDED[] = "recommended";
static const char SAME_WITH_GAPS[] = "same with gaps";

static const scenario scenarios[] = {
    {"30 of 40", 400, 40, 30, 200, 60, NOISE_WHITE},
    {"neighbours alike", 300, 50, 3, 60, 20, NOISE_ALONG_COLUMNS},
    {"unequal noise", 300, 40, 4, 60, 15, NOISE_UNEQUAL_COLUMNS},
    {"heavy cells", 300, 40, 3, 40, 10, NOISE_HEAVY_CELLS},
    {"heavy rows", 300, 40, 3, 40, 10, NOISE_HEAVY_ROWS},
    {"weak", 300, 60, 3, 1.8, 1.35, NOISE_WHITE},
    {"few rows", 25, 300, 3, 60, 30, NOISE_WHITE},
    {"tall", 1000, 20, 3, 50, 5, NOISE_WHITE},
    {"only noise", 200, 30, 0, 1, 1, NOISE_WHITE},
    {"wide", 60, 240, 4, 100, 25, NOISE_WHITE},
    {"square", 120, 100, 4, 60, 12, NOISE_WHITE},
    {"few columns", 2000, 8, 2, 20, 5, NOISE_WHITE},
    {"one", 100, 10, 1, 20, 20, NOISE_WHITE},
    {"other units", 400, 30, 3, 60, 15, NOISE_DIFFERENT_SCALES},
};

static tally_plan plan;
static tally counts;

static tally_row *row_of(const scenario *s, const char *what)
{
    char name[TALLY_NAME];
    snprintf(name, sizeof name, "%s: %s", s->name, what);
    return tally_of(&counts, name);
}

static void add(const scenario *s, const char *what, bool right)
{
    tally_row *row = row_of(s, what);
    row->samples++;
    row->count[0] += right;
}

static int percent(const tally_row *row)
{
    return (int)(100 * row->count[0] / row->samples);
}

static scree_selection *select_from(const scenario *s, const double *x)
{
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    const scree_run run = run_with_threads(1);
    options.run = &run;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, s->n, s->d), &error), error);
    EXPECT_OK(scree_selection_make(&selection, source, &options, &error), error);
    scree_source_free(source);
    return selection;
}

static void count_table(const scenario *s, uint64_t seed)
{
    double *x = scenario_draw(s, seed);
    scree_selection *selection = select_from(s, x);
    const scree_criterion *c = NULL;
    const int64_t found = scree_selection_get(selection)->recommended;
    add(s, RECOMMENDED, found == s->components);
    for (int64_t i = 0; (c = scree_selection_criterion(selection, i)) != NULL; i++)
        if (strcmp(c->name, "error") != 0 && strcmp(c->name, "gavish-known") != 0)
            add(s, c->name, c->choice == s->components);
    scree_selection_free(selection);
    scenario_punch(x, s->n * s->d, 0.1, seed);
    selection = select_from(s, x);
    add(s, SAME_WITH_GAPS, scree_selection_get(selection)->recommended == found);
    scree_selection_free(selection);
    free(x);
}

static int tables_wanted(void)
{
    const char *prove = getenv("SCREE_PROVE");
    return plan.samples > 0 ? (int)plan.samples : prove && strcmp(prove, "full") == 0 ? MANY : FEW;
}

/* Prints the rows of a scenario as one; whether it is wrong. */
static bool judge(const scenario *s)
{
    const size_t length = strlen(s->name);
    const tally_row *found = row_of(s, RECOMMENDED);
    const tally_row *gaps = row_of(s, SAME_WITH_GAPS);
    const int slack =
        found->samples > 0 && found->samples < MANY ? (int)(100 / found->samples) : 0; /* one table of a few */
    int best = 0;
    if (found->samples == 0)
        return false;
    printf("%-17s %4d×%-4d M = %-3d recommended %3d %%, same with gaps %3d %%:", s->name, (int)s->n, (int)s->d,
           (int)s->components, percent(found), percent(gaps));
    for (int64_t i = 0; i < counts.used; i++) {
        const tally_row *row = &counts.row[i];
        if (strncmp(row->name, s->name, length) != 0 || row->name[length] != ':' || row == found || row == gaps)
            continue;
        best = percent(row) > best ? percent(row) : best;
        printf(" %s %d", row->name + length + 2, percent(row));
    }
    const bool wrong = percent(gaps) < 90 - slack || (best >= 80 && percent(found) < 80 - slack);
    printf("%s\n", wrong ? "  WRONG" : "");
    fflush(stdout);
    return wrong;
}

static void test_the_truth_is_recommended(void **state)
{
    (void)state;
    int failures = 0;
    if (plan.files)
        assert_true(tally_read(&counts, &plan));
    for (int64_t i = 0; i < COUNT_OF(scenarios); i++) {
        for (int r = 0; r < tables_wanted() && !plan.files; r++)
            if (tally_has(&plan, r) && tally_wants(&plan, scenarios[i].name))
                count_table(&scenarios[i], 1000 * (uint64_t)(i + 1) + (uint64_t)r);
        failures += !plan.only_count && judge(&scenarios[i]);
    }
    if (plan.only_count)
        tally_print(&counts);
    assert_int_equal(failures, 0);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truth_is_recommended),
    };
    if (!tally_arguments(&plan, count, arguments))
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
