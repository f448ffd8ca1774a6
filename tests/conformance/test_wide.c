/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in memory, far fewer than columns, and large enough that lanczos searches in float with vectors of N entries:
 * what it reports is of the D×D problem all the same. The true errors of every component are within their bounds
 * whatever the rows are - tied, clustered, fewer than they seem, constant, far from zero, of wild scales - and the bits
 * do not depend on threads, nor on the rows read at a time. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <math.h>

enum { N = 64, D = 32768, FUNCTIONS = 48 };

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

/* All eigenvalues within a few parts in a hundred. */
static double flat(int64_t i, int64_t j)
{
    return rows_random(2, i, j);
}

/* The eighth eigenvalue is 1e-5 of the first, and of the first 1e-10. */
static double steep(int64_t i, int64_t j)
{
    return rows_random(3, i, j) * exp2(-1.2 * (double)i);
}

static double very_steep(int64_t i, int64_t j)
{
    return rows_random(3, i, j) * exp2(-2.4 * (double)i);
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
    return j < D / 2 ? decaying(i / 2, j) : (double)(j % 7);
}

static double constant_rows(int64_t i, int64_t j)
{
    (void)j;
    return 1 + rows_random(6, i, 0);
}

/* Columns from 1e-60 to 1e60. */
static double wild(int64_t i, int64_t j)
{
    return decaying(i, j) * pow(10, (double)(j % 121 - 60));
}

static double wild_floats(int64_t i, int64_t j)
{
    return decaying(i, j) * pow(10, (double)(j % 75 - 44));
}

/* Too small, and too large, for squares in float. */
static double tiny(int64_t i, int64_t j)
{
    return 1e-30 * decaying(i, j);
}

static double huge(int64_t i, int64_t j)
{
    return 1e30 * decaying(i, j);
}

static double ties(int64_t r)
{
    return r < 3 ? 5 : r < 8 ? 4 : 2;
}

static double cut_tie(int64_t r)
{
    return r < 3 ? 5 : r < 33 ? 4 : 2;
}

/* More alike than a block of vectors. */
static double many_alike(int64_t r)
{
    return r < 40 ? 5 : 4;
}

/* Gaps of 1e-7 between neighbours, the cut goes through. */
static double tiny_gaps(int64_t r)
{
    return 5 - 1e-7 * (double)r;
}

/* Two clusters, each narrower than the tolerance. */
static double clusters(int64_t r)
{
    return (r < 4 ? 5 : r < 8 ? 4 : 1) - 1e-9 * (double)r;
}

static const wide cases[] = {
    {"decaying", 8, decaying, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"wild scales", 8, wild, NULL, 0, 1e-6, SCREE_F64, 1, true, 0},
    {"ties, floats", 8, NULL, ties, 0, 1e-6, SCREE_F32, 1, false, 0},
    {"very steep", 8, very_steep, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"bytes", 6, decaying, NULL, 0, 1e-6, SCREE_U8, 40, false, 1},
    {"each row twice", 8, twice, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"a tie that is cut", 8, NULL, cut_tie, 100, 1e-6, SCREE_F64, 1, false, 0},
    {"far away, strict", 8, decaying, NULL, 1e8, 1e-8, SCREE_F64, 1, false, 1},
    {"floats far away", 8, decaying, NULL, 1000, 1e-6, SCREE_F32, 1, false, 0},
    {"floats far away, unit scale", 8, decaying, NULL, 1000, 1e-6, SCREE_F32, 1, true, 1},
    {"constant rows", 4, constant_rows, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"four directions", 8, four_directions, NULL, 10, 1e-6, SCREE_F64, 1, false, 0},
    {"flat", 4, flat, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"more alike than the block, cut", 8, NULL, many_alike, 0, 1e-8, SCREE_F64, 1, false, 0},
    {"tiny gaps", 8, NULL, tiny_gaps, 0, 1e-8, SCREE_F64, 1, false, 0},
    {"clusters", 8, NULL, clusters, -1e5, 1e-6, SCREE_F64, 1, false, 0},
    {"steep", 8, steep, NULL, 0, 1e-6, SCREE_F64, 1, false, 0},
    {"tiny floats", 8, tiny, NULL, 0, 1e-3, SCREE_F32, 1, false, 0},
    {"huge floats", 8, huge, NULL, 0, 1e-3, SCREE_F32, 1, false, 0},
    {"floats of wild scales", 8, wild_floats, NULL, 0, 1e-3, SCREE_F32, 1, true, 0},
    {"floats as they are", 8, decaying, NULL, 100, 1e-3, SCREE_F32, 1, false, 0},
};

static rows *rows_of_case(const wide *c)
{
    double s[FUNCTIONS];
    for (int64_t r = 0; r < FUNCTIONS; r++)
        s[r] = c->cell ? 0 : c->size(r);
    double *x = rows_walsh_sum(N, D, s, c->cell ? 0 : FUNCTIONS);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] += (c->cell ? c->cell(i, j) : 0) + c->mean;
    return rows_of(x, N, D, c->type, c->levels);
}

static void run_case(const wide *c)
{
    static const int threads[] = {2, 1, 4};
    static const int64_t block_rows[] = {0, 7, 64};
    scree_model *first = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    rows *x = rows_of_case(c);
    reference *r = reference_of_wide(x->exact, N, D, c->k, (reference_options){.unit = c->unit, .ddof = c->ddof});
    options.components = c->k;
    options.solver = "lanczos";
    options.tolerance = c->tolerance;
    options.scale = c->unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.ddof = c->ddof;
    for (int run = 0; run < 3; run++) {
        options.run.threads = threads[run];
        options.run.block_rows = block_rows[run];
        scree_model *model = rows_fit(x, &options);
        if (first) {
            models_expect_same(first, model, c->name);
            scree_model_free(model);
            continue;
        }
        first = model;
        if (!scree_model_get(model)->converged)
            fail_msg("%s: it did not converge", c->name);
        reference_expect(r, model, c->name);
    }
    scree_model_free(first);
    reference_free(r);
    rows_free(x);
}

static void test_true_errors(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i += SLOW_BUILD ? 6 : 1)
        run_case(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_true_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
