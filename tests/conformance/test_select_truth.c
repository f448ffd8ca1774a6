/* SPDX-License-Identifier: BSD-3-Clause */
/* How often select finds the true number of components: seven kinds of data that are hard, seven that are easy. Prints
 * a row a scenario with the share of tables that each criterion gets right, and expects of the recommendation
 *
 *     at least 80 % wherever any criterion reaches 80 %;
 *     with 10 % of the cells missing, the same choice in at least 90 % of the tables.
 *
 * A few tables a scenario; with SCREE_PROVE=full in the environment 100. */

#include "support/calls.h"
#include "support/checks.h"
#include "support/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = SLOW_BUILD ? 1 : 5, MANY = 100, MOST_CRITERIA = 20 };

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

typedef struct tally {
    const char *name[MOST_CRITERIA];
    int right[MOST_CRITERIA];
    int recommended;
    int with_gaps; /* as without them */
    int tables;
} tally;

static scree_selection *select_from(const scenario *s, const double *x)
{
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, s->n, s->d), &error), error);
    EXPECT_OK(scree_selection_make(&selection, source, NULL, &error), error);
    scree_source_free(source);
    return selection;
}

static void count_table(const scenario *s, uint64_t seed, tally *t)
{
    double *x = scenario_draw(s, seed);
    scree_selection *selection = select_from(s, x);
    const scree_criterion *c = NULL;
    for (int64_t i = 0; (c = scree_selection_criterion(selection, i)) != NULL; i++) {
        assert_true(i < MOST_CRITERIA);
        t->name[i] = c->name;
        t->right[i] += c->choice == s->components;
    }
    const int64_t found = scree_selection_get(selection)->recommended;
    t->recommended += found == s->components;
    t->tables++;
    scree_selection_free(selection);
    scenario_punch(x, s->n * s->d, 0.1, seed);
    selection = select_from(s, x);
    t->with_gaps += scree_selection_get(selection)->recommended == found;
    scree_selection_free(selection);
    free(x);
}

static void print_row(const scenario *s, const tally *t)
{
    printf("%-17s %4d×%-4d M = %-3d recommended %3d %%, same with gaps %3d %%:", s->name, (int)s->n, (int)s->d,
           (int)s->components, 100 * t->recommended / t->tables, 100 * t->with_gaps / t->tables);
    for (int i = 0; i < MOST_CRITERIA && t->name[i]; i++)
        if (strcmp(t->name[i], "error") != 0 && strcmp(t->name[i], "gavish-known") != 0)
            printf(" %s %d", t->name[i], 100 * t->right[i] / t->tables);
    printf("\n");
    fflush(stdout);
}

static int tables_wanted(void)
{
    const char *prove = getenv("SCREE_PROVE");
    return prove && strcmp(prove, "full") == 0 ? MANY : FEW;
}

static void test_the_truth_is_recommended(void **state)
{
    (void)state;
    int failures = 0;
    const int slack = tables_wanted() < MANY ? 10 : 0; /* one table of a few */
    for (int64_t i = 0; i < COUNT_OF(scenarios); i++) {
        tally t = {0};
        for (int r = 0; r < tables_wanted(); r++)
            count_table(&scenarios[i], 1000 * (uint64_t)(i + 1) + (uint64_t)r, &t);
        print_row(&scenarios[i], &t);
        int best = 0;
        for (int c = 0; c < MOST_CRITERIA; c++)
            best = t.right[c] > best ? t.right[c] : best;
        failures += 10 * t.with_gaps < 9 * t.tables - slack;
        failures += 10 * best >= 8 * t.tables && 10 * t.recommended < 8 * t.tables - slack;
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truth_is_recommended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
