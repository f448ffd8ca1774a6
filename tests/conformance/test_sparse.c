/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse rows against the plain reference of the same rows, every cell of them: every method × pattern of entries ×
 * element type × source; errors within bounds, and one model, bit for bit, whatever the threads and blocks. What cannot
 * be fitted is refused with the sentence that dense rows get. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 3 };

typedef struct csr {
    scree_block block;
    int64_t *starts;
    int32_t *indices;
    void *data;
    double *cells; /* n×d, as what they became in the type */
} csr;

typedef double (*pattern)(int64_t i, int64_t j);

static bool is_there(uint64_t seed, int64_t i, int64_t j, double share)
{
    const double x = rows_random(seed, i, j); /* about normal */
    return 0.5 * erfc(-x / sqrt(2)) < share;
}

/* Three directions and noise, in a fifth of the cells. */
static double scattered(int64_t i, int64_t j)
{
    double x = 0.3 * rows_random(2, i, j);
    for (int64_t r = 0; r < K; r++)
        x += rows_random(3, i, r) * rows_random(4, j, r) * (double)(4 - r);
    return is_there(1, i, j, 0.2) ? round(8 * x) / 4 : 0;
}

/* Counts, with every tenth column in nearly all rows, around the share at which columns are centred cell by cell. */
static double counts(int64_t i, int64_t j)
{
    const double size = 1 + (double)(i % 4) * (double)(j % 3);
    if (j % 10 == 0)
        return is_there(5, i, j, 0.70 + 0.02 * (double)(j / 10)) ? 6 + round(2 * rows_random(6, i, j)) : 0;
    return is_there(5, i, j, 0.05 * size) ? 1 + round(fabs(size * rows_random(6, i, j))) : 0;
}

/* Rows and columns without an entry, and one that has a single one. */
static double with_holes(int64_t i, int64_t j)
{
    if (i % 7 == 3 || j % 5 == 1)
        return j == 6 && i == 10 ? 40 : 0;
    return scattered(i, j);
}

/* Every row is one of, or a multiple of one of, four. */
static double few_ranks(int64_t i, int64_t j)
{
    return (double)(1 + i % 3) * scattered(i % 4, j);
}

/* A number in every cell. */
static double full(int64_t i, int64_t j)
{
    return round(20 * rows_random(7, i, j) * pow(0.8, (double)j)) + 40;
}

/* One 1 of each five columns. */
static double one_hot(int64_t i, int64_t j)
{
    return j % 5 == (int64_t)fabs(floor(3 * rows_random(8, i, j / 5))) % 5 ? 1 : 0;
}

/* Columns around 10⁸ that vary by a thousandth, beside sparse ones. */
static double far_away(int64_t i, int64_t j)
{
    return j % 30 == 4 ? 1e8 + 1e-3 * rows_random(9, i, j) : scattered(i, j) * 1e-3;
}

/* The same, and some of these cells are absent: the column then varies by 10⁷. */
static double far_with_gaps(int64_t i, int64_t j)
{
    return j % 30 == 4 ? (i % 50 == j % 50 ? 0 : 1e8 + rows_random(9, i, j)) : scattered(i, j);
}

static double constant_columns(int64_t i, int64_t j)
{
    return j % 6 == 2 ? 0.1 + (double)j : scattered(i, j);
}

static double one_entry(int64_t i, int64_t j)
{
    return i == 17 && j == 5 ? 3 : 0;
}

static double nothing(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return 0;
}

static const struct {
    const char *name;
    pattern cell;
    bool whole; /* numbers that bytes can hold */
} patterns[] = {
    {"scattered", scattered, false},
    {"counts", counts, true},
    {"with holes", with_holes, false},
    {"few ranks", few_ranks, false},
    {"full", full, false},
    {"one hot", one_hot, true},
    {"far away", far_away, false},
    {"far, with gaps", far_with_gaps, false},
    {"constant columns", constant_columns, false},
};

static const struct {
    const char *name;
    scree_type type;
    int64_t size;
} types[] = {{"f64", SCREE_F64, 8}, {"f32", SCREE_F32, 4}, {"i32", SCREE_I32, 4}, {"u8", SCREE_U8, 1},
             {"i16", SCREE_I16, 2}, {"i64", SCREE_I64, 8}, {"u16", SCREE_U16, 2}};

enum { F64_TYPE, F32_TYPE, WHOLE_TYPES };

/* x as an element of the type at place p; what it became. */
static double store(scree_type type, double x, void *data, int64_t p)
{
    switch (type) {
    case SCREE_F32:
        return (double)(((float *)data)[p] = (float)x);
    case SCREE_I32:
        return (double)(((int32_t *)data)[p] = (int32_t)x);
    case SCREE_U8:
        return (double)(((uint8_t *)data)[p] = (uint8_t)x);
    case SCREE_I16:
        return (double)(((int16_t *)data)[p] = (int16_t)x);
    case SCREE_U16:
        return (double)(((uint16_t *)data)[p] = (uint16_t)x);
    case SCREE_I64:
        return (double)(((int64_t *)data)[p] = (int64_t)x);
    default:
        return ((double *)data)[p] = x;
    }
}

/* The n×d cells of a pattern, each row repeat times over. */
static csr csr_of(pattern cell, int64_t n, int64_t d, int64_t type, int64_t repeat)
{
    csr x = {.block = SCREE_BLOCK_INIT};
    int64_t count = 0;
    x.starts = scree__alloc(n * repeat + 1, sizeof *x.starts);
    x.indices = scree__alloc(n * repeat * d, sizeof *x.indices);
    x.data = scree__alloc(n * repeat * d, (size_t)types[type].size);
    x.cells = scree__alloc(n * d, sizeof *x.cells);
    assert_true(x.starts && x.indices && x.data && x.cells);
    for (int64_t i = 0; i < n * repeat; i++) {
        for (int64_t j = 0; j < d; j++) {
            const double value = cell(i % n, j);
            if (value == 0)
                continue;
            x.indices[count] = (int32_t)j;
            x.cells[i % n * d + j] = store(types[type].type, value, x.data, count++);
        }
        x.starts[i + 1] = count;
    }
    x.block.data = x.data;
    x.block.type = types[type].type;
    x.block.rows = n * repeat;
    x.block.cols = d;
    x.block.starts = x.starts;
    x.block.indices = x.indices;
    return x;
}

static void csr_clear(csr *x)
{
    free(x->starts);
    free(x->indices);
    free(x->data);
    free(x->cells);
}

/* Rows that callbacks hand in, a few at a time. */
typedef struct producer {
    const csr *x;
    int64_t at;
    int64_t most;
} producer;

static scree_status next_rows(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    producer *p = context;
    const scree_block *all = &p->x->block;
    const int64_t left = all->rows - p->at;
    const int64_t most = max_rows < p->most ? max_rows : p->most;
    (void)error;
    if (left == 0)
        return SCREE_OK;
    *block = *all;
    block->rows = left < most ? left : most;
    block->starts = all->starts + p->at;
    p->at += block->rows;
    return SCREE_OK;
}

static scree_status first_row(void *context, scree_error *error)
{
    (void)error;
    ((producer *)context)->at = 0;
    return SCREE_OK;
}

typedef enum origin { MEMORY, CALLS, PIPE, ORIGINS } origin;

static const char *const origin_names[] = {"memory", "calls", "pipe"};

static scree_source *opened(const csr *x, origin from, producer *p)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    *p = (producer){x, 0, 37};
    if (from == MEMORY) {
        EXPECT_OK(scree_source_from_memory(&source, &x->block, &error), error);
        return source;
    }
    calls.context = p;
    calls.next = next_rows;
    calls.rewind = from == CALLS ? first_row : NULL;
    calls.rows = from == CALLS ? x->block.rows : -1;
    calls.cols = x->block.cols;
    calls.type = x->block.type;
    calls.sparse = true;
    calls.entries = from == CALLS ? x->starts[x->block.rows] : 0;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    return source;
}

static bool applies(const char *solver, const csr *x, origin from)
{
    if (strcmp(solver, "gram") == 0)
        return x->block.rows < x->block.cols && from != PIPE;
    return strcmp(solver, "lanczos") != 0 || from != PIPE;
}

typedef struct trial {
    const char *label;
    const reference *r;
    scree_fit_options options;
    const double *weights; /* of the rows, or NULL */
} trial;

static scree_model *fit(const trial *t, const csr *x, origin from, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    producer p;
    scree_fit_options options = t->options;
    scree_source *source = opened(x, from, &p);
    options.run = run;
    if (t->weights)
        EXPECT_OK(scree_source_weigh(source, t->weights, x->block.rows, &error), error);
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        fail_msg("%s: %s", t->label, error.text);
    scree_source_free(source);
    return model;
}

/* One model whatever the threads and blocks, which the reference agrees with. */
static void expect(const trial *t, const csr *x, origin from)
{
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 1},
                                     {.size = sizeof(scree_run), .threads = 2, .block_rows = 29},
                                     {.size = sizeof(scree_run), .threads = 5}};
    scree_model *first = NULL;
    for (int64_t run = 0; run < (SLOW_BUILD ? 2 : COUNT_OF(runs)); run++) {
        scree_model *model = fit(t, x, from, &runs[run]);
        if (first) {
            models_expect_same(first, model, t->label);
            scree_model_free(model);
        } else {
            first = model;
            assert_true(scree_model_get(model)->converged);
            reference_expect(t->r, model, t->label);
        }
    }
    scree_model_free(first);
}

static const char *const solvers[] = {NULL, "covariance", "lanczos", "gram", "svd"};

static void run_pattern(int64_t which, int64_t type, int64_t n, int64_t d, bool unit)
{
    char label[160];
    csr x = csr_of(patterns[which].cell, n, d, type, 1);
    reference *r = reference_of(x.cells, n, d, (reference_options){.unit = unit, .ddof = unit});
    for (origin from = MEMORY; from < ORIGINS; from++)
        for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
            trial t = {label, r, SCREE_FIT_OPTIONS_INIT, NULL};
            if (solvers[s] && !applies(solvers[s], &x, from))
                continue;
            snprintf(label, sizeof label, "%s, %lld×%lld %s%s, %s, %s", patterns[which].name, (long long)n,
                     (long long)d, types[type].name, unit ? ", unit scale" : "", origin_names[from],
                     solvers[s] ? solvers[s] : "no solver named");
            t.options.components = K;
            t.options.solver = solvers[s];
            t.options.tolerance = 1e-9;
            t.options.scale = unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
            t.options.ddof = unit;
            expect(&t, &x, from);
        }
    reference_free(r);
    csr_clear(&x);
}

static void test_tall(void **state)
{
    (void)state;
    for (int64_t p = 0; p < COUNT_OF(patterns); p += SLOW_BUILD ? 3 : 1) {
        run_pattern(p, F64_TYPE, 300, 90, false);
        run_pattern(p, p % 2 ? F32_TYPE : F64_TYPE, 300, 90, true);
    }
}

static void test_wide(void **state)
{
    (void)state;
    for (int64_t p = 0; p < COUNT_OF(patterns); p += SLOW_BUILD ? 3 : 1)
        run_pattern(p, p % 2 ? F64_TYPE : F32_TYPE, 86, 110, false);
}

static void test_types(void **state)
{
    (void)state;
    for (int64_t p = 0; p < COUNT_OF(patterns); p++)
        for (int64_t type = WHOLE_TYPES; patterns[p].whole && type < COUNT_OF(types); type += SLOW_BUILD ? 2 : 1)
            run_pattern(p, type, 200, 60, false);
}

/* Whole weights are rows repeated. */
static void test_weights(void **state)
{
    enum { N = 200, D = 60, MOST = 3 };
    static double repeated[N * MOST * D];
    double weights[N];
    char label[96];
    int64_t count = 0;
    csr x = csr_of(counts, N, D, F64_TYPE, 1);
    (void)state;
    for (int64_t i = 0; i < N; i++) {
        weights[i] = (double)(1 + i % MOST);
        for (int64_t copy = 0; copy < (int64_t)weights[i]; copy++)
            memcpy(repeated + count++ * D, x.cells + i * D, D * sizeof *repeated);
    }
    reference *r = reference_of(repeated, count, D, (reference_options){0});
    r->n = N;
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        trial t = {label, r, SCREE_FIT_OPTIONS_INIT, weights};
        if (solvers[s] && !applies(solvers[s], &x, MEMORY))
            continue;
        snprintf(label, sizeof label, "weights, %s", solvers[s] ? solvers[s] : "no solver named");
        t.options.components = K;
        t.options.solver = solvers[s];
        t.options.tolerance = 1e-9;
        expect(&t, &x, MEMORY);
        expect(&t, &x, CALLS);
    }
    reference_free(r);
    csr_clear(&x);
}

/* Rows that are read again for every sweep, since there is no room for them: the same bits as where they are kept. */
static void expect_little_memory(const trial *t, const csr *x)
{
    static const scree_run little = {.size = sizeof(scree_run), .threads = 2, .memory = INT64_C(32) << 20};
    static const scree_run plenty = {.size = sizeof(scree_run), .threads = 2};
    scree_model *kept = fit(t, x, CALLS, &plenty);
    scree_model *again = fit(t, x, CALLS, &little);
    assert_true(12 * x->starts[x->block.rows] > little.memory);
    models_expect_same(kept, again, t->label);
    scree_model_free(kept);
    scree_model_free(again);
}

/* So large that lanczos searches in float and proves in double; to a tolerance, and to the error of sampling. */
static void test_mixed(void **state)
{
    enum { N = 1500, D = 110, COPIES = 100 };
    static const int64_t taken[] = {0, 1, 6};
    char label[96];
    (void)state;
    for (int64_t p = 0; p < (SLOW_BUILD ? 1 : COUNT_OF(taken)); p++) {
        const int64_t type = patterns[taken[p]].whole ? 2 : F64_TYPE;
        csr x = csr_of(patterns[taken[p]].cell, N, D, type, COPIES);
        reference *r = reference_of(x.cells, N, D, (reference_options){0});
        r->n = (int64_t)N * COPIES;
        for (int digits = 0; digits <= 8; digits += 8) {
            trial t = {label, r, SCREE_FIT_OPTIONS_INIT, NULL};
            snprintf(label, sizeof label, "%s, %d digits", patterns[taken[p]].name, digits);
            t.options.components = K;
            t.options.solver = "lanczos";
            t.options.tolerance = digits ? pow(10, -digits) : 0;
            t.options.no_imputer = true;
            expect(&t, &x, MEMORY);
            expect_little_memory(&t, &x);
        }
        reference_free(r);
        csr_clear(&x);
    }
}

/* The same eigenvalues, or the same sentence. */
static void expect_like_dense(const csr *x, const scree_fit_options *options, const char *label)
{
    scree_error errors[2] = {SCREE_ERROR_INIT, SCREE_ERROR_INIT};
    scree_model *models[2] = {NULL, NULL};
    scree_status statuses[2];
    for (int way = 0; way < 2; way++) {
        scree_source *source = NULL;
        scree_block dense = SCREE_BLOCK_INIT;
        dense.data = x->cells;
        dense.rows = x->block.rows;
        dense.cols = x->block.cols;
        EXPECT_OK(scree_source_from_memory(&source, way ? &x->block : &dense, &errors[way]), errors[way]);
        statuses[way] = scree_model_fit(&models[way], source, options, &errors[way]);
        scree_source_free(source);
    }
    if (statuses[0] != statuses[1] || strcmp(errors[0].text, errors[1].text) != 0)
        fail_msg("%s: dense rows: '%s', sparse ones: '%s'", label, errors[0].text, errors[1].text);
    if (statuses[0] == SCREE_OK) {
        const scree_model_view *a = scree_model_get(models[0]);
        const scree_model_view *b = scree_model_get(models[1]);
        EXPECT_NEAR(b->total_variance, a->total_variance, 1e-12 * a->total_variance);
        assert_int_equal(a->m, b->m);
        for (int64_t j = 0; j < a->m; j++) {
            const double bound = a->eigenvalue_bounds[j] + b->eigenvalue_bounds[j] + 1e-15 * a->total_variance;
            if (!(fabs(b->eigenvalues[j] - a->eigenvalues[j]) <= bound))
                fail_msg("%s, %s and %s: eigenvalue %d of dense rows is %.17g, of sparse ones %.17g: not within %.3g",
                         label, a->solver, b->solver, (int)j, a->eigenvalues[j], b->eigenvalues[j], bound);
        }
    }
    scree_model_free(models[0]);
    scree_model_free(models[1]);
}

static void test_edges(void **state)
{
    static const pattern cells[] = {nothing, one_entry, scattered, counts, one_hot, far_away};
    static const int64_t shapes[][2] = {{60, 70}, {1, 40}, {2, 3}, {40, 1}, {100, 60}, {20, 200}};
    char label[96];
    (void)state;
    for (int64_t c = 0; c < COUNT_OF(cells); c++)
        for (int64_t s = 0; s < COUNT_OF(shapes); s++)
            for (int64_t solver = 0; solver < COUNT_OF(solvers); solver++)
                for (int uncentred = 0; uncentred < 2 - SLOW_BUILD; uncentred++) {
                    csr x = csr_of(cells[c], shapes[s][0], shapes[s][1], F64_TYPE, 1);
                    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
                    options.components = 2;
                    options.solver = solvers[solver];
                    options.tolerance = 1e-9;
                    options.uncentred = uncentred;
                    snprintf(label, sizeof label, "pattern %d, %d×%d, %s%s", (int)c, (int)shapes[s][0],
                             (int)shapes[s][1], solvers[solver] ? solvers[solver] : "no solver",
                             uncentred ? ", uncentred" : "");
                    expect_like_dense(&x, &options, label);
                    csr_clear(&x);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tall),    cmocka_unit_test(test_wide),  cmocka_unit_test(test_types),
        cmocka_unit_test(test_weights), cmocka_unit_test(test_mixed), cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
