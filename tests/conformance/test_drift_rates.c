/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are like those fitted are said to have drifted as often as the level says, and rows that are not are found.
 * 200 sets a case; with SCREE_PROVE=full in the environment 1000, and 10000 of draws.
 *
 *     --only WORD     cases that have it in their names
 *     --sets S */

#include "support/checks.h"
#include "support/drifts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = SLOW_BUILD ? 20 : 200, FEWER_SETS = SETS / 4, MORE_SETS = 1000, ALL_SETS = 10000 };

typedef struct one_case {
    const char *name;
    drift_cell cell;
    int64_t share; /* sets that share a fit; 0: all */
    double least;  /* share that is said to have drifted */
    double most;
} one_case;

#define WHITE(n, d)                                                                                                    \
    {                                                                                                                  \
        "", n, d, 3, 10, 3, NOISE_WHITE                                                                                \
    }
#define OF(n, d, noise)                                                                                                \
    {                                                                                                                  \
        "", n, d, 3, 10, 3, noise                                                                                      \
    }

static const one_case cases[] = {
    {"draws of the model, 200",
     {.population = WHITE(1000, 20), .rows = 200, .from_model = true, .exact = true},
     0,
     0.04,
     0.06},
    {"draws of the model, 2000",
     {.population = WHITE(1000, 20), .rows = 2000, .from_model = true, .exact = true},
     0,
     0.04,
     0.06},
    {"draws of a model of many rows, 200",
     {.population = WHITE(100000, 20), .rows = 200, .from_model = true},
     0,
     0.04,
     0.06},
    {"draws of a model of many rows, 2000",
     {.population = WHITE(100000, 20), .rows = 2000, .from_model = true},
     0,
     0.04,
     0.06},
    {"population, 2000 and 200", {.population = WHITE(2000, 20), .rows = 200}, 4, 0.04, 0.06},
    {"population, 2000 and 2000", {.population = WHITE(2000, 20), .rows = 2000}, 1, 0.04, 0.06},
    {"population, 200 and 2000", {.population = WHITE(200, 20), .rows = 2000}, 1, 0.03, 0.07},
    {"wide, 100 and 200", {.population = WHITE(100, 60), .rows = 200}, 1, 0.03, 0.07},
    {"wide, 100 and 2000", {.population = WHITE(100, 60), .rows = 2000}, 1, 0.03, 0.07},
    {"scaled, 2000 and 2000",
     {.population = OF(2000, 20, NOISE_DIFFERENT_SCALES), .rows = 2000, .scaled = true},
     1,
     0.03,
     0.07},
    {"along columns, 2000 and 2000", {.population = OF(2000, 20, NOISE_ALONG_COLUMNS), .rows = 2000}, 1, 0.03, 0.07},
    {"unequal columns, 2000 and 2000",
     {.population = OF(2000, 20, NOISE_UNEQUAL_COLUMNS), .rows = 2000},
     1,
     0.03,
     0.07},
    {"heavy cells, 2000 and 2000", {.population = OF(2000, 20, NOISE_HEAVY_CELLS), .rows = 2000}, 1, 0, 0.1},
    {"heavy rows, 2000 and 2000", {.population = OF(2000, 20, NOISE_HEAVY_ROWS), .rows = 2000}, 1, 0, 0.1},
    {"one component more, 2000 and 2000", {.population = WHITE(2000, 20), .rows = 2000, .latent = 4}, 1, 0.03, 0.07},
    {"shuffled, 40 and 60", {.population = WHITE(40, 20), .rows = 60, .shuffled = true}, 1, 0.03, 0.07},
    {"shuffled, wide, 100 and 200", {.population = WHITE(100, 60), .rows = 200, .shuffled = true}, 1, 0.03, 0.07},
    {"shuffled, 2000 and 2000", {.population = WHITE(2000, 20), .rows = 2000, .shuffled = true}, 1, 0.03, 0.07},
    {"shuffled, heavy rows, 200 and 100",
     {.population = OF(200, 20, NOISE_HEAVY_ROWS), .rows = 100, .shuffled = true, .scaled = true},
     1,
     0.03,
     0.07},
    {"shuffled, heavy cells, 100 and 2500",
     {.population = OF(100, 20, NOISE_HEAVY_CELLS), .rows = 2500, .shuffled = true},
     1,
     0.03,
     0.07},
    {"shift, shuffled",
     {.population = WHITE(2000, 20), .rows = 2000, .shuffled = true, .change = DRIFT_SHIFT, .amount = 0.2},
     4,
     0.9,
     1},
    {"turn, shuffled",
     {.population = WHITE(2000, 20), .rows = 2000, .shuffled = true, .change = DRIFT_TURN, .amount = 10},
     4,
     0.9,
     1},
    {"noisier, shuffled",
     {.population = WHITE(2000, 20), .rows = 2000, .shuffled = true, .change = DRIFT_NOISIER, .amount = 1.2},
     4,
     0.9,
     1},
    {"shift, exact",
     {.population = WHITE(20000, 20), .rows = 2000, .exact = true, .change = DRIFT_SHIFT, .amount = 0.2},
     4,
     0.9,
     1},
    {"shift, 20000", {.population = WHITE(20000, 20), .rows = 2000, .change = DRIFT_SHIFT, .amount = 0.2}, 4, 0.9, 1},
    {"shift, 2000", {.population = WHITE(2000, 20), .rows = 2000, .change = DRIFT_SHIFT, .amount = 0.2}, 4, 0.9, 1},
    {"turn, 20000", {.population = WHITE(20000, 20), .rows = 2000, .change = DRIFT_TURN, .amount = 10}, 4, 0.9, 1},
    {"turn, 2000", {.population = WHITE(2000, 20), .rows = 2000, .change = DRIFT_TURN, .amount = 10}, 4, 0.9, 1},
    {"noisier, 2000", {.population = WHITE(2000, 20), .rows = 2000, .change = DRIFT_NOISIER, .amount = 1.2}, 4, 0.9, 1},
};

static int64_t sets_asked;
static bool full;
static const char *only = "";

static void as_often_as_the_level_says(void **state)
{
    int wrong = 0;
    (void)state;
    for (int64_t k = 0; k < COUNT_OF(cases); k++) {
        const one_case *c = &cases[k];
        if (!strstr(c->name, only))
            continue;
        const int64_t most = c->share == 0 ? ALL_SETS : MORE_SETS;
        const int64_t sets = sets_asked > 0 ? sets_asked : full ? most : c->cell.shuffled ? FEWER_SETS : SETS;
        const drift_rates r = drifts(&c->cell, sets, c->share, 77 + (uint64_t)k);
        const double chance = 3.5 * sqrt(0.05 * 0.95 / (double)sets);
        const bool right = r.without == 0 && r.all >= c->least - chance && r.all <= c->most + chance;
        printf("%-40s %.4f  mean %.4f spread %.4f angle %.4f likelihood %.4f  blamed %.3f%s\n", c->name, r.all,
               r.checks[0], r.checks[1], r.checks[2], r.checks[3], r.blamed, right ? "" : "  WRONG");
        fflush(stdout);
        wrong += !right;
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_often_as_the_level_says)};
    const char *prove = getenv("SCREE_PROVE");
    if (prove && strcmp(prove, "full") == 0)
        full = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
        if (strcmp(argv[i], "--sets") == 0)
            sets_asked = strtoll(argv[i + 1], NULL, 10);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
