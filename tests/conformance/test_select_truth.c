/* SPDX-License-Identifier: BSD-3-Clause */
/* How often select finds the true number of components: seven kinds of data that are hard, seven that are easy; then
 * tables as people bring them, with a column in another unit, few rows and columns, hardly any noise or none. Prints a
 * row a scenario with the share of tables that each criterion gets right, and expects of the recommendation
 *
 *     at least 80 % wherever any criterion reaches 80 %, and of the tables that people bring in any case;
 *     with 10 % of the cells missing, the same choice in at least 90 % of the tables (of the first fourteen).
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

/* Without gaps. */
static const scenario brought[] = {
    {"twice 200", 200, 10, 3, 20, 5, NOISE_TWICE},
    {"twice 100", 100, 10, 3, 20, 5, NOISE_TWICE},
    {"other unit 200", 200, 10, 3, 20, 5, NOISE_OTHER_UNIT},
    {"other unit 100", 100, 10, 3, 20, 5, NOISE_OTHER_UNIT},
    {"other unit, wide", 40, 80, 3, 60, 20, NOISE_OTHER_UNIT},
    {"other unit, noise", 200, 10, 0, 1, 1, NOISE_OTHER_UNIT},
    {"units, few", 100, 9, 2, 30, 10, NOISE_DIFFERENT_SCALES},
    {"small", 20, 6, 2, 20, 10, NOISE_WHITE},
    {"smaller", 12, 4, 1, 20, 20, NOISE_WHITE},
    {"small, unequal", 20, 6, 2, 60, 30, NOISE_UNEQUAL_COLUMNS},
    {"small, noise", 20, 6, 0, 1, 1, NOISE_WHITE},
    {"five columns", 40, 5, 2, 20, 6, NOISE_WHITE},
    {"small, 3 of 8", 30, 8, 3, 40, 15, NOISE_WHITE},
    {"small and wide", 15, 40, 2, 60, 30, NOISE_WHITE},
    {"ten rows", 10, 30, 0, 1, 1, NOISE_WHITE},
    {"clean", 100, 20, 3, 2e7, 5e6, NOISE_WHITE},
    {"cleaner", 200, 12, 4, 2e11, 5e10, NOISE_WHITE},
    {"clean, unequal", 200, 30, 3, 2e9, 5e8, NOISE_UNEQUAL_COLUMNS},
    {"clean, units", 400, 30, 3, 6e5, 1.5e5, NOISE_DIFFERENT_SCALES},
    {"exact", 60, 30, 4, 20, 5, NOISE_NONE},
    {"exact and wide", 30, 60, 4, 20, 5, NOISE_NONE},
    {"exact and small", 20, 6, 2, 20, 5, NOISE_NONE},
    {"rounding", 60, 30, 4, 2e25, 5e24, NOISE_WHITE},
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

/* Whether cells that are missing change what was found. */
static void count_gaps(const scenario *s, double *x, int64_t found, uint64_t seed)
{
    scenario_punch(x, s->n * s->d, 0.1, seed);
    scree_selection *selection = select_from(s, x);
    add(s, SAME_WITH_GAPS, scree_selection_get(selection)->recommended == found);
    scree_selection_free(selection);
}

static void count_table(const scenario *s, uint64_t seed, bool with_gaps)
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
    if (with_gaps)
        count_gaps(s, x, found, seed);
    free(x);
}

static int tables_wanted(void)
{
    const char *prove = getenv("SCREE_PROVE");
    return plan.samples > 0 ? (int)plan.samples : prove && strcmp(prove, "full") == 0 ? MANY : FEW;
}

/* Prints the rows of a scenario as one; whether it is wrong. in_any_case: whatever single criteria can do. */
static bool judge(const scenario *s, bool in_any_case)
{
    const size_t length = strlen(s->name);
    const tally_row *found = row_of(s, RECOMMENDED);
    const tally_row *gaps = row_of(s, SAME_WITH_GAPS);
    const int slack =
        found->samples > 0 && found->samples < MANY ? (int)(100 / found->samples) : 0; /* one table of a few */
    int best = 0;
    if (found->samples == 0)
        return false;
    const int same = gaps->samples > 0 ? percent(gaps) : 100;
    printf("%-17s %4d×%-4d M = %-3d recommended %3d %%", s->name, (int)s->n, (int)s->d, (int)s->components,
           percent(found));
    if (gaps->samples > 0)
        printf(", same with gaps %3d %%", same);
    putchar(':');
    for (int64_t i = 0; i < counts.used; i++) {
        const tally_row *row = &counts.row[i];
        if (strncmp(row->name, s->name, length) != 0 || row->name[length] != ':' || row == found || row == gaps)
            continue;
        best = percent(row) > best ? percent(row) : best;
        printf(" %s %d", row->name + length + 2, percent(row));
    }
    const int needed = best >= 80 || in_any_case ? 80 - slack : 0;
    const bool wrong = same < 90 - slack || percent(found) < needed;
    printf("%s\n", wrong ? "  WRONG" : "");
    fflush(stdout);
    return wrong;
}

static void run_all(const scenario *all, int64_t count, uint64_t seed, bool with_gaps)
{
    int failures = 0;
    if (plan.files && counts.used == 0)
        assert_true(tally_read(&counts, &plan));
    for (int64_t i = 0; i < count; i++) {
        for (int r = 0; r < tables_wanted() && !plan.files; r++)
            if (tally_has(&plan, r) && tally_wants(&plan, all[i].name))
                count_table(&all[i], seed + 1000 * (uint64_t)(i + 1) + (uint64_t)r, with_gaps);
        failures += !plan.only_count && judge(&all[i], !with_gaps);
    }
    assert_int_equal(failures, 0);
}

static void test_the_truth_is_recommended(void **state)
{
    (void)state;
    run_all(scenarios, COUNT_OF(scenarios), 0, true);
}

static void test_tables_as_people_bring_them(void **state)
{
    (void)state;
    run_all(brought, COUNT_OF(brought), 100000, false);
    if (plan.only_count)
        tally_print(&counts);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truth_is_recommended),
        cmocka_unit_test(test_tables_as_people_bring_them),
    };
    if (!tally_arguments(&plan, count, arguments))
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
