/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that breaks careless solvers, through every method and element type: the true errors of every component must be
 * within the bounds that the model reports (reference.c), clusters included, and the bits of the model must not depend
 * on the number of threads nor on the rows read at a time. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <stdio.h>
#include <string.h>

static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos"};
static const char *const type_names[] = {[SCREE_F32] = "f32", [SCREE_F64] = "f64", [SCREE_U8] = "u8"};

typedef struct nasty {
    const char *name;
    int64_t n;
    int64_t d;
    int64_t k; /* SCREE_ALL allowed */
    double (*cell)(int64_t i, int64_t j);
    double levels; /* of u8; 0: the case means nothing there */
    bool mix;
    int ddof;
    bool unit;
    bool no_float; /* float cannot hold it */
    bool at_limit; /* squares of eigenvalues overflow: what cannot be proven may be said to be so */
} nasty;

static double decaying(int64_t i, int64_t j)
{
    return rows_random(1, i, j) / (double)(1 + j);
}

static double large_mean(int64_t i, int64_t j)
{
    return 1e5 + decaying(i, j);
}

/* Eigenvalues in the ratio 49 : 25 25 25 : 9 4 1 and zeros. */
static double tie_of_three(int64_t i, int64_t j)
{
    static const double s[] = {7, 5, 5, 5, 3, 2, 1};
    double sum = 0;
    for (int64_t r = 0; r < COUNT_OF(s); r++)
        sum += s[r] * rows_walsh(r + 1, i) * rows_walsh(r + 1, j);
    return sum;
}

static double one_direction(int64_t i, int64_t j)
{
    return rows_random(2, i, 0) * (double)(j % 5 - 2);
}

static double four_directions(int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t r = 0; r < 4; r++)
        sum += rows_random(3, i, r) * rows_random(4, r, j) / (double)(1 + r);
    return sum;
}

static double some_constant(int64_t i, int64_t j)
{
    return j % 3 == 2 ? 7.25 : decaying(i, j);
}

static double some_twice(int64_t i, int64_t j)
{
    return decaying(i, j % 3 == 2 ? j - 1 : j);
}

static double huge(int64_t i, int64_t j)
{
    return 1e70 * decaying(i, j);
}

static double tiny(int64_t i, int64_t j)
{
    return 1e-70 * decaying(i, j);
}

static double largest(int64_t i, int64_t j)
{
    return 1e150 * decaying(i, j);
}

static double smallest(int64_t i, int64_t j)
{
    return 1e-150 * decaying(i, j);
}

/* The first rows look nothing like the last. */
static double drifting(int64_t i, int64_t j)
{
    return 0.01 * (double)i * (j % 2 ? 1 : -0.5) + 0.1 * decaying(i, j);
}

static double drifting_far_away(int64_t i, int64_t j)
{
    return 1e5 + drifting(i, j);
}

static double first_row_far_away(int64_t i, int64_t j)
{
    return i == 0 ? 1e7 : decaying(i, j);
}

static const nasty cases[] = {
    {.name = "decaying", .n = 700, .d = 64, .k = 5, .cell = decaying, .levels = 30, .mix = true},
    {.name = "all of them", .n = 200, .d = 20, .k = SCREE_ALL, .cell = decaying, .levels = 30, .mix = true},
    {.name = "large mean", .n = 1300, .d = 64, .k = 5, .cell = large_mean},
    {.name = "tie of three", .n = 64, .d = 64, .k = 6, .cell = tie_of_three, .levels = 4},
    {.name = "tie at the cut", .n = 64, .d = 64, .k = 3, .cell = tie_of_three, .levels = 4},
    {.name = "tie with the zeros", .n = 64, .d = 64, .k = 8, .cell = tie_of_three, .levels = 4},
    {.name = "one direction", .n = 90, .d = 64, .k = 1, .cell = one_direction, .levels = 15},
    {.name = "one of one, more asked for", .n = 90, .d = 64, .k = 4, .cell = one_direction, .levels = 15},
    {.name = "ten of four", .n = 40, .d = 30, .k = 10, .cell = four_directions, .levels = 30},
    {.name = "six of four", .n = 100, .d = 70, .k = 6, .cell = four_directions, .levels = 30},
    {.name = "wide", .n = 64, .d = 90, .k = 5, .cell = decaying, .levels = 30, .mix = true},
    {.name = "wide, all", .n = 12, .d = 40, .k = SCREE_ALL, .cell = decaying, .levels = 30},
    {.name = "wide, as many as rows", .n = 12, .d = 40, .k = 12, .cell = decaying, .levels = 30},
    {.name = "wide, far away", .n = 64, .d = 70, .k = 5, .cell = large_mean},
    {.name = "two rows", .n = 2, .d = 5, .k = 1, .cell = decaying, .levels = 30},
    {.name = "two rows, two components", .n = 2, .d = 5, .k = 2, .cell = decaying, .levels = 30},
    {.name = "two rows, one column", .n = 2, .d = 1, .k = 1, .cell = decaying, .levels = 30},
    {.name = "one column", .n = 50, .d = 1, .k = 1, .cell = large_mean},
    {.name = "square", .n = 30, .d = 30, .k = SCREE_ALL, .cell = decaying, .levels = 30, .mix = true},
    {.name = "constant columns", .n = 100, .d = 64, .k = 5, .cell = some_constant, .levels = 30},
    {.name = "columns twice", .n = 100, .d = 64, .k = 5, .cell = some_twice, .levels = 30},
    {.name = "unit scale", .n = 300, .d = 64, .k = 5, .cell = drifting, .levels = 9, .unit = true},
    {.name = "unit scale, constant columns",
     .n = 90,
     .d = 8,
     .k = 6,
     .cell = some_constant,
     .levels = 60,
     .unit = true},
    {.name = "unit scale, wide, N-1", .n = 64, .d = 70, .k = 5, .cell = large_mean, .unit = true, .ddof = 1},
    {.name = "N-1", .n = 65, .d = 64, .k = 5, .cell = decaying, .levels = 30, .mix = true, .ddof = 1},
    {.name = "N-1 of two", .n = 2, .d = 3, .k = 1, .cell = decaying, .levels = 30, .ddof = 1},
    {.name = "huge", .n = 100, .d = 64, .k = 5, .cell = huge, .no_float = true},
    {.name = "tiny", .n = 100, .d = 64, .k = 5, .cell = tiny, .no_float = true},
    {.name = "huge, wide", .n = 64, .d = 70, .k = 5, .cell = huge, .no_float = true},
    {.name = "tiny, wide", .n = 64, .d = 70, .k = 5, .cell = tiny, .no_float = true},
    {.name = "largest", .n = 64, .d = 70, .k = 5, .cell = largest, .no_float = true, .at_limit = true},
    {.name = "smallest", .n = 64, .d = 70, .k = 5, .cell = smallest, .no_float = true, .at_limit = true},
    {.name = "drifting", .n = 1100, .d = 64, .k = 4, .cell = drifting, .levels = 9},
    {.name = "drifting far away", .n = 1100, .d = 64, .k = 4, .cell = drifting_far_away},
    {.name = "first row far away", .n = 600, .d = 64, .k = 4, .cell = first_row_far_away},
};

static rows *rows_of_case(const nasty *c, scree_type type)
{
    double *x = scree__alloc(c->n * c->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t j = 0; j < c->d; j++)
            x[i * c->d + j] = c->cell(i, j);
    if (c->mix)
        rows_mix(x, c->n, c->d);
    return rows_of(x, c->n, c->d, type, c->levels);
}

/* Which methods must take the case; the others must refuse it. */
static bool applies(const char *solver, const nasty *c)
{
    const int64_t side = c->n < c->d ? c->n : c->d;
    const int64_t k = c->k < side ? c->k : side;
    const int64_t block = k < 8 ? 8 : k < 32 ? k : 32;
    if (strcmp(solver, "gram") == 0)
        return c->n < c->d;
    return strcmp(solver, "lanczos") != 0 || k + 3 * block <= side / 2;
}

static void run_solver(const nasty *c, const rows *x, const reference *r, const char *solver)
{
    static const int threads[] = {1, 4, 2, 1, 2, 4};
    static const int64_t block_rows[] = {0, 37, 0, 37, 37, 0};
    char label[128];
    scree_model *first = NULL;
    scree_run how = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    options.run = &how;
    options.components = c->k;
    options.solver = solver;
    options.ddof = c->ddof;
    options.scale = c->unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.tolerance = 1e-10;
    snprintf(label, sizeof label, "%s, %s, %s", c->name, type_names[x->type], solver);
    for (int run = 0; run < (SLOW_BUILD ? 2 : 6); run++) {
        how.threads = threads[run];
        how.block_rows = block_rows[run];
        scree_model *model = rows_fit(x, &options);
        if (first) {
            models_expect_same(first, model, label);
            scree_model_free(model);
            continue;
        }
        first = model;
        if (!scree_model_get(model)->converged && !c->at_limit)
            fail_msg("%s: it did not converge", label);
        reference_expect(r, model, label);
    }
    scree_model_free(first);
}

static void refuse(const nasty *c, const rows *x, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(x);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    options.components = c->k;
    options.solver = solver;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_UNSUPPORTED);
    assert_null(model);
    scree_source_free(source);
}

static void run_case(const nasty *c, scree_type type)
{
    rows *x = rows_of_case(c, type);
    reference *r = reference_of(x->exact, c->n, c->d, (reference_options){.ddof = c->ddof, .unit = c->unit});
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        if (applies(solvers[s], c))
            run_solver(c, x, r, solvers[s]);
        else
            refuse(c, x, solvers[s]);
    }
    reference_free(r);
    rows_free(x);
}

static void run_type(scree_type type)
{
    for (int64_t i = 0; i < COUNT_OF(cases); i += SLOW_BUILD && type != SCREE_F64 ? 4 : 1) {
        if ((type == SCREE_F32 && cases[i].no_float) || (type == SCREE_U8 && cases[i].levels == 0))
            continue;
        run_case(&cases[i], type);
    }
}

static void test_double(void **state)
{
    (void)state;
    run_type(SCREE_F64);
}

static void test_float(void **state)
{
    (void)state;
    run_type(SCREE_F32);
}

static void test_bytes(void **state)
{
    (void)state;
    run_type(SCREE_U8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
