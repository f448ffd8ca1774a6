/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in memory, far fewer than columns, and large enough that lanczos searches in float with vectors of N entries:
 * what it reports is of the D×D problem all the same. The true errors of every component are within their bounds
 * whatever the rows are - tied, clustered, fewer than they seem, far from zero, of wild scales - and the bits
 * do not depend on threads, nor on the rows read at a time. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <math.h>

enum { N = 64, D = 32768, COPIES = 8, OWN = D / COPIES, FUNCTIONS = 48 };

typedef struct wide {
    const char *name;
    int64_t k;
    double (*cell)(int64_t i, int64_t j); /* or NULL: Walsh functions */
    double (*size)(int64_t r);            /* of these */
    double mean;
    double tolerance;
    scree_type type;
    double levels; /* of bytes */
    bool unit;
    int ddof;
} wide;

static double decaying(int64_t i, int64_t j)
{
    return rows_random(1, i, j) / (double)(1 + i);
}

static double four_directions(int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t r = 0; r < 4; r++)
        sum += rows_random(4, i, r) * rows_random(5, r, j) / (double)(1 + r);
    return sum;
}

/* Each row twice, and the last half of the columns the same in all rows. */
static double twice(int64_t i, int64_t j)
{
    return j < OWN / 2 ? decaying(i / 2, j) : (double)(j % 7);
}

/* Columns from 1e-60 to 1e60. */
static double wild(int64_t i, int64_t j)
{
    return decaying(i, j) * pow(10, (double)(j % 121 - 60));
}

/* Too small for squares in float. */
static double tiny(int64_t i, int64_t j)
{
    return 1e-30 * decaying(i, j);
}

static double ties(int64_t r)
{
    return r < 3 ? 5 : r < 8 ? 4 : 2;
}

static double cut_tie(int64_t r)
{
    return r < 3 ? 5 : r < 33 ? 4 : 2;
}

/* Two clusters, each narrower than the tolerance. */
static double clusters(int64_t r)
{
    return (r < 4 ? 5 : r < 8 ? 4 : 1) - 1e-9 * (double)r;
}

static const wide cases[] = {
    {"wild scales", 8, wild, NULL, 0, 1e-6, SCREE_F64, 1, true, 0},
    {"ties, floats", 8, NULL, ties, 0, 1e-6, SCREE_F32, 1, false, 0},
    {"each row twice", 8, twice, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"a tie that is cut", 8, NULL, cut_tie, 100, 1e-6, SCREE_F64, 1, false, 0},
    {"far away, strict", 8, decaying, NULL, 1e8, 1e-8, SCREE_F64, 1, false, 1},
    {"floats far away, unit scale", 8, decaying, NULL, 1000, 1e-6, SCREE_F32, 1, true, 1},
    {"four directions", 8, four_directions, NULL, 10, 1e-6, SCREE_F64, 1, false, 0},
    {"clusters", 8, NULL, clusters, -1e5, 1e-6, SCREE_F64, 1, false, 0},
    {"tiny floats", 8, tiny, NULL, 0, 1e-3, SCREE_F32, 1, false, 0},
};

static rows *rows_of_case(const wide *c)
{
    double s[FUNCTIONS];
    for (int64_t r = 0; r < FUNCTIONS; r++)
        s[r] = c->cell ? 0 : c->size(r);
    double *x = rows_walsh_sum(N, D, s, c->cell ? 0 : FUNCTIONS);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] += (c->cell ? c->cell(i, j % OWN) : 0) + c->mean;
    return rows_of(x, N, D, c->type, c->levels);
}

static reference_options reference_options_of(const wide *c)
{
    return (reference_options){.unit = c->unit, .ddof = c->ddof, .copies = COPIES};
}

/* Bits are compared where so many more fits are made. */
static void run_case(const wide *c, int more)
{
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 2},
                                     {.size = sizeof(scree_run), .threads = 1, .block_rows = 7},
                                     {.size = sizeof(scree_run), .threads = 4, .block_rows = 64}};
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    rows *x = rows_of_case(c);
    reference *r = reference_of_wide(x->exact, N, D, c->k, reference_options_of(c));
    options.components = c->k;
    options.solver = "lanczos";
    options.tolerance = c->tolerance;
    options.scale = c->unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.ddof = c->ddof;
    scree_model_free(reference_expect_runs(r, x, &options, runs, 1 + more, c->name));
    reference_free(r);
    rows_free(x);
}

static void test_true_errors(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i += SLOW_BUILD ? 5 : 1)
        run_case(&cases[i], i % 4 == 1 ? 2 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_true_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
