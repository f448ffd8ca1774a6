/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits by several processes, played by threads: the same bits for any number of them, the numbers of one process alone,
 * and one failure for all. */

#include "support/checks.h"

#include "data/source.h"
#include "support/calls.h"
#include "support/rows.h"
#include "support/together.h"
#include "unit/same_model.h"

#include <string.h>

/* Rows to be fitted. */
typedef struct task {
    const char *solver;
    int64_t n;
    int64_t d;
    scree_type type;
    double mean;
    double tolerance; /* of the fit */
    double bound;     /* of eigenvalues, against one process alone, relative to the first */
    bool weighted;
    bool light; /* nearly all rows of a range weigh nothing */
    bool sparse;
    bool gappy;
    bool many;     /* processes, more than there are ranges */
    bool hollow;   /* every seventh row has no cell */
    bool open;     /* how many components is left open */
    bool by_calls; /* read row by row, of a number that is not known */
    int64_t block_rows;
    int64_t memory; /* that a fit may use: too little to keep the rows */
} task;

/* What all processes look at. */
typedef struct data {
    const task *t;
    rows *all;
    double *weights;
    int64_t *starts;
    int32_t *indices;
    double *values;
} data;

static data make(const task *t)
{
    data made = {.t = t};
    double *x = malloc((size_t)(t->n * t->d) * sizeof *x);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++) {
            x[i * t->d + j] = rows_random(41, i, j) * pow(0.8, (double)(j % 40)) + t->mean + 1e-4 * (double)i;
            if (t->sparse && rows_random(43, i, j) < 1.2)
                x[i * t->d + j] = 0;
            if ((t->gappy && rows_random(44, i, j) > 1.5) || (t->hollow && i % 7 == 3))
                x[i * t->d + j] = (double)NAN;
        }
    made.weights = malloc((size_t)t->n * sizeof *made.weights);
    for (int64_t i = 0; i < t->n; i++)
        made.weights[i] = i % 5 == 3 || i < (t->light ? t->n / 9 : 40) ? 0 : 1 + 0.25 * (double)(i % 4);
    made.starts = calloc((size_t)t->n + 1, sizeof *made.starts);
    made.indices = malloc((size_t)(t->n * t->d) * sizeof *made.indices);
    made.values = malloc((size_t)(t->n * t->d) * sizeof *made.values);
    for (int64_t i = 0; i < t->n; i++) {
        made.starts[i + 1] = made.starts[i];
        for (int64_t j = 0; j < t->d; j++)
            if (x[i * t->d + j] != 0) {
                made.indices[made.starts[i + 1]] = (int32_t)j;
                made.values[made.starts[i + 1]++] = x[i * t->d + j];
            }
    }
    made.all = rows_of(x, t->n, t->d, t->type, 40);
    return made;
}

static void clear(data *made)
{
    rows_free(made->all);
    free(made->weights);
    free(made->starts);
    free(made->indices);
    free(made->values);
}

static scree_source *open_data(void *context, int rank)
{
    const data *made = context;
    const task *t = made->t;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    (void)rank;
    if (t->sparse) {
        scree_block block = SCREE_BLOCK_INIT;
        block.data = made->values;
        block.type = SCREE_F64;
        block.rows = t->n;
        block.cols = t->d;
        block.starts = made->starts;
        block.indices = made->indices;
        EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    } else {
        source = rows_source(made->all);
    }
    if (t->weighted)
        EXPECT_OK(scree_source_weigh(source, made->weights, t->n, &error), error);
    if (t->by_calls) /* neither sliced nor in memory, and nobody knows how many there are */
        source->can = SCREE__CAN_REWIND;
    return source;
}

static void expect_near(const scree_model *model, const scree_model *alone, double bound)
{
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(alone);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    assert_string_equal(a->solver, b->solver);
    assert_true(a->weight == b->weight);
    EXPECT_NEAR(a->total_variance, b->total_variance, bound * b->total_variance);
    for (int64_t j = 0; j < a->m; j++)
        EXPECT_NEAR(a->eigenvalues[j], b->eigenvalues[j], bound * b->eigenvalues[0]);
    for (int64_t j = 0; j < a->d; j++)
        EXPECT_NEAR(a->mean[j], b->mean[j], bound * sqrt(b->variances[j]) + 4e-16 * fabs(b->mean[j]));
}

/* Components are those of one process, but for their signs. */
static void expect_near_components(const scree_model *model, const scree_model *alone)
{
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(alone);
    for (int64_t k = 0; k < a->m; k++) {
        double cosine = 0;
        double length = 0;
        for (int64_t j = 0; j < a->d; j++) {
            cosine += a->components[k * a->d + j] * b->components[k * a->d + j];
            length += a->components[k * a->d + j] * a->components[k * a->d + j];
        }
        EXPECT_NEAR(fabs(cosine), 1, 1e-11);
        EXPECT_NEAR(length, 1, 1e-13);
    }
}

static void expect_the_same(const task *t)
{
    static const int ranks[] = {1, 2, 3, 4, 7, 11};
    const int64_t most = t->many ? COUNT_OF(ranks) : 4;
    data made = make(t);
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    together_fits first;
    scree_model *alone = NULL;
    options.components = t->open ? SCREE_AUTO : 3;
    options.solver = t->gappy ? NULL : t->solver;
    options.tolerance = t->tolerance;
    options.no_imputer = t->d > 2000;
    options.run = &run;
    run.threads = 1;
    run.block_rows = t->block_rows;
    run.memory = t->memory;
    scree_source *source = open_data(&made, 0);
    EXPECT_OK(scree_model_fit(&alone, source, &options, &error), error);
    scree_source_free(source);
    assert_string_equal(scree_model_get(alone)->solver, t->solver);
    assert_true(t->memory == 0 || scree_model_get(alone)->passes > 3);
    together_fit(&first, 1, open_data, &made, &options);
    EXPECT_OK(first.status[0], first.error[0]);
    expect_near(first.model[0], alone, t->bound);
    if (t->many)
        expect_near_components(first.model[0], alone);
    for (int64_t k = 1; k < most; k++) {
        together_fits fits;
        run.threads = k % 2 ? 2 : 1;
        together_fit(&fits, ranks[k], open_data, &made, &options);
        for (int i = 0; i < ranks[k]; i++) {
            EXPECT_OK(fits.status[i], fits.error[i]);
            expect_same_model(fits.model[i], first.model[0]);
        }
        together_clear(&fits, ranks[k]);
    }
    together_clear(&first, 1);
    scree_model_free(alone);
    clear(&made);
}

static void test_covariance(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "covariance", .n = 3000, .d = 40, .type = SCREE_F64, .bound = 1e-12},
        {.solver = "covariance", .n = 3000, .d = 40, .type = SCREE_F64, .mean = 1e8, .bound = 1e-12},
        {.solver = "covariance", .n = 20000, .d = 300, .type = SCREE_F32, .mean = 5, .bound = 1e-6},
        {.solver = "covariance", .n = 900, .d = 33, .type = SCREE_U8, .bound = 1e-12},
        {.solver = "covariance", .n = 1500, .d = 20, .type = SCREE_F64, .weighted = true, .bound = 1e-12},
        {.solver = "covariance", .n = 1500, .d = 20, .type = SCREE_F64, .by_calls = true, .bound = 1e-12},
        {.solver = "covariance", .n = 1500, .d = 20, .type = SCREE_F32, .block_rows = 7, .bound = 1e-12},
        {.solver = "covariance", .n = 800, .d = 30, .type = SCREE_F64, .sparse = true, .bound = 1e-12},
        {.solver = "covariance", .n = 7, .d = 3, .type = SCREE_F64, .bound = 1e-12},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - 2 * SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

static void test_svd(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "svd", .n = 2000, .d = 30, .type = SCREE_F64, .bound = 1e-12},
        {.solver = "svd", .n = 2000, .d = 30, .type = SCREE_F64, .mean = 1e8, .bound = 1e-12},
        {.solver = "svd", .n = 700, .d = 20, .type = SCREE_F32, .weighted = true, .bound = 1e-12},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks); i++)
        expect_the_same(&tasks[i]);
}

/* Processes share the columns: slabs of one range and of several, ranges that are one slab, few and many of them. */
static void test_svd_of_few_rows(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "svd", .n = 30, .d = 50, .type = SCREE_F64, .bound = 1e-12},
        {.solver = "svd", .n = 40, .d = 1031, .type = SCREE_F64, .bound = 1e-12, .many = true},
        {.solver = "svd", .n = 40, .d = 2100, .type = SCREE_F64, .mean = 1e8, .bound = 1e-12, .many = true},
        {.solver = "svd", .n = 64, .d = 9001, .type = SCREE_F32, .bound = 1e-12, .many = true},
        {.solver = "svd", .n = 9, .d = 20011, .type = SCREE_F64, .bound = 1e-12, .many = true},
        {.solver = "svd", .n = 100, .d = 4099, .type = SCREE_F64, .weighted = true, .bound = 1e-12, .many = true},
        {.solver = "svd", .n = 50, .d = 4500, .type = SCREE_F64, .by_calls = true, .bound = 1e-12},
        {.solver = "svd", .n = 50, .d = 4500, .type = SCREE_U8, .block_rows = 7, .bound = 1e-12},
        {.solver = "svd", .n = 40, .d = 4500, .sparse = true, .bound = 1e-12},
        {.solver = "svd", .n = 330, .d = 3000, .type = SCREE_F64, .bound = 1e-12},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

enum { GRADED = 40, BROAD = 4096 };

/* Orthogonal rows of lengths that fall to 2⁻⁷⁸ of the first: singular values that are known exactly, and vectors that
 * are the rows, each keep their digits, whoever has which columns. */
static void test_small_eigenvalues_of_few_rows(void **state)
{
    (void)state;
    double *x = malloc(sizeof *x * GRADED * BROAD);
    for (int64_t i = 0; i < GRADED; i++)
        for (int64_t j = 0; j < BROAD; j++)
            x[i * BROAD + j] = ldexp(rows_walsh(i + 1, j), (int)(-2 * i));
    data made = {.t = &(task){.d = BROAD}, .all = rows_of(x, GRADED, BROAD, SCREE_F64, 0)};
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    together_fits fits;
    options.components = GRADED - 1;
    options.solver = "svd";
    options.uncentred = true;
    together_fit(&fits, 3, open_data, &made, &options);
    for (int rank = 0; rank < 3; rank++) {
        EXPECT_OK(fits.status[rank], fits.error[rank]);
        const scree_model_view *view = scree_model_get(fits.model[rank]);
        for (int64_t k = 0; k < view->m; k++) {
            const double exact = ldexp((double)BROAD / GRADED, (int)(-4 * k));
            EXPECT_NEAR(view->eigenvalues[k], exact, 1e-13 * exact);
            for (int64_t j = 0; j < BROAD; j++)
                EXPECT_NEAR(fabs(view->components[k * BROAD + j]), 1 / sqrt(BROAD), 1e-14);
        }
    }
    together_clear(&fits, 3);
    rows_free(made.all);
}

/* Rows of two values, many of them equal, with columns that are constant: what there is is found, as by one process. */
static void test_few_rows_of_small_rank(void **state)
{
    (void)state;
    enum { ROWS = 24, COLS = 5003, RANK = 2 };
    double *x = malloc(sizeof *x * ROWS * COLS);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = 1e8 + (j % 4 ? rows_random(51, i % (RANK + 1), j) : 0);
    data made = {.t = &(task){.d = COLS}, .all = rows_of(x, ROWS, COLS, SCREE_F64, 0)};
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    together_fits fits;
    options.components = RANK + 3;
    options.solver = "svd";
    scree_model *alone = rows_fit(made.all, &options);
    together_fit(&fits, 5, open_data, &made, &options);
    for (int rank = 0; rank < 5; rank++) {
        EXPECT_OK(fits.status[rank], fits.error[rank]);
        expect_near(fits.model[rank], alone, 1e-13);
        assert_true(scree_model_get(fits.model[rank])->eigenvalues[RANK] < 1e-14);
        expect_same_model(fits.model[rank], fits.model[0]);
    }
    together_clear(&fits, 5);
    scree_model_free(alone);
    rows_free(made.all);
}

static void expect_failure(int64_t n, const char *words)
{
    const task t = {.n = n, .d = 5000, .type = SCREE_F64};
    data made = make(&t);
    together_fits fits;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    options.solver = "svd";
    options.run = &run;
    options.components = 1;
    run.memory = n > 1 ? 1 << 20 : 0;
    together_fit(&fits, 4, open_data, &made, &options);
    for (int rank = 0; rank < 4; rank++) {
        assert_null(fits.model[rank]);
        if (!strstr(fits.error[rank].text, words))
            fail_msg("rank %d says '%s'", rank, fits.error[rank].text);
    }
    clear(&made);
}

/* One row, and too little memory: one sentence for all. */
static void test_few_rows_that_are_refused(void **state)
{
    (void)state;
    expect_failure(1, "row");
    expect_failure(300, "memory");
}

static void test_lanczos(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "lanczos", .n = 900, .d = 120, .type = SCREE_F64, .tolerance = 1e-11, .bound = 1e-12},
        {.solver = "lanczos", .n = 900, .d = 120, .type = SCREE_F64, .mean = 1e8, .tolerance = 1e-9, .bound = 1e-7},
        {.solver = "lanczos", .n = 10500, .d = 200, .type = SCREE_F64, .tolerance = 1e-8, .bound = 1e-7},
        {.solver = "lanczos",
         .n = 900,
         .d = 120,
         .type = SCREE_F64,
         .by_calls = true,
         .tolerance = 1e-11,
         .bound = 1e-12},
        {.solver = "lanczos",
         .n = 900,
         .d = 120,
         .type = SCREE_F32,
         .weighted = true,
         .tolerance = 1e-9,
         .bound = 1e-12},
        {.solver = "lanczos", .n = 900, .d = 120, .sparse = true, .tolerance = 1e-11, .bound = 1e-12},
        {.solver = "lanczos", .n = 900, .d = 120, .sparse = true, .weighted = true, .tolerance = 1e-11, .bound = 1e-12},
        {.solver = "lanczos",
         .n = 70000,
         .d = 64,
         .type = SCREE_F64,
         .weighted = true,
         .light = true,
         .tolerance = 1e-9,
         .bound = 1e-9},
        {.solver = "lanczos", .n = 120, .d = 900, .type = SCREE_F64, .tolerance = 1e-11, .bound = 1e-12},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks); i++)
        expect_the_same(&tasks[i]);
}

static void test_rows_that_all_need(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "gram", .n = 60, .d = 200, .type = SCREE_F64, .bound = 1e-12},
        {.solver = "gram", .n = 60, .d = 200, .type = SCREE_U8, .bound = 1e-12},
        {.solver = "gram", .n = 40, .d = 9001, .type = SCREE_F64, .mean = 1e8, .bound = 1e-12},
        {.solver = "gram", .n = 90, .d = 9001, .type = SCREE_F32, .weighted = true, .bound = 1e-6},
        {.solver = "gram", .n = 50, .d = 3000, .type = SCREE_U8, .bound = 1e-12},
        {.solver = "gram", .n = 1500, .d = 2300, .type = SCREE_F32, .bound = 1e-6},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks); i++)
        expect_the_same(&tasks[i]);
}

/* Rows of each alone: measured, kept or read again, and a sample of them for the imputer. */
static void test_em(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.solver = "em", .n = 400, .d = 12, .type = SCREE_F64, .gappy = true, .bound = 1e-5},
        {.solver = "em", .n = 400, .d = 12, .type = SCREE_F64, .mean = 1e8, .gappy = true, .bound = 1e-4},
        {.solver = "em", .n = 400, .d = 12, .type = SCREE_F64, .gappy = true, .weighted = true, .bound = 1e-5},
        {.solver = "em",
         .n = 400,
         .d = 12,
         .type = SCREE_F32,
         .gappy = true,
         .weighted = true,
         .by_calls = true,
         .bound = 1e-5},
        {.solver = "em", .n = 400, .d = 12, .type = SCREE_F64, .gappy = true, .open = true, .bound = 1e-5},
        {.solver = "em", .n = 9, .d = 5, .type = SCREE_F64, .hollow = true, .bound = 1e-4},
        {.solver = "em", .n = 60, .d = 2100, .type = SCREE_F32, .gappy = true, .bound = 1e-4},
        {.solver = "em",
         .n = 20000,
         .d = 30,
         .type = SCREE_F64,
         .gappy = true,
         .hollow = true,
         .by_calls = true,
         .memory = 16 << 20,
         .bound = 1e-5},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - 2 * SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

static scree_source *open_bad(void *context, int rank)
{
    rows *const *all = context;
    return rows_source(all[rank == 2]);
}

/* A cell that one process alone has; its sentence is everybody's. */
static void test_a_cell_that_is_infinite(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "lanczos", "em", "svd"};
    static const task tall = {.n = 400, .d = 60, .type = SCREE_F64};
    static const task wide = {.n = 300, .d = 4000, .type = SCREE_F64};
    for (int64_t i = 0; i < COUNT_OF(solvers); i++) {
        const task *t = i < 4 ? &tall : &wide;
        data good = make(t);
        data bad = make(t);
        rows *both[] = {good.all, bad.all};
        ((double *)bad.all->data)[250 * bad.all->stride + 7] = (double)INFINITY;
        together_fits fits;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 2;
        options.solver = solvers[i];
        together_fit(&fits, 4, open_bad, both, &options);
        for (int rank = 0; rank < 4; rank++) {
            assert_int_equal(fits.status[rank], SCREE_ERR_VALUE);
            assert_null(fits.model[rank]);
            if (!strstr(fits.error[rank].text, "memory: row 251, column 8 is infinite"))
                fail_msg("rank %d says '%s'", rank, fits.error[rank].text);
        }
        clear(&good);
        clear(&bad);
    }
}

/* What needs all rows in one process. */
static void test_refused(void **state)
{
    (void)state;
    static const task t = {.n = 400, .d = 10, .type = SCREE_F64};
    data made = make(&t);
    for (int i = 0; i < 3; i++) {
        together_fits fits;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.bootstrap = i == 0 ? 10 : 0;
        options.online = i == 1;
        options.kind = i == 2 ? "network" : NULL;
        together_fit(&fits, 2, open_data, &made, &options);
        for (int rank = 0; rank < 2; rank++) {
            assert_int_equal(fits.status[rank], SCREE_ERR_UNSUPPORTED);
            if (!strstr(fits.error[rank].text, "one process"))
                fail_msg("'%s'", fits.error[rank].text);
        }
    }
    clear(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covariance),
        cmocka_unit_test(test_svd),
        cmocka_unit_test(test_svd_of_few_rows),
        cmocka_unit_test(test_small_eigenvalues_of_few_rows),
        cmocka_unit_test(test_few_rows_of_small_rank),
        cmocka_unit_test(test_few_rows_that_are_refused),
        cmocka_unit_test(test_lanczos),
        cmocka_unit_test(test_rows_that_all_need),
        cmocka_unit_test(test_em),
        cmocka_unit_test(test_a_cell_that_is_infinite),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
