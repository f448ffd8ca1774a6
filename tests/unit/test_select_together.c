/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection by several processes, played by threads: the same bits for any number of them, the numbers of one process
 * alone, the same sample of the rows, and one failure for all. */

#include "support/checks.h"

#include "data/source.h"
#include "data/team.h"
#include "fit/select_sample.h"
#include "support/calls.h"
#include "support/rows.h"
#include "support/together.h"

#include <math.h>
#include <string.h>

/* Rows to choose by. */
typedef struct task {
    int64_t n;
    int64_t d;
    scree_type type;
    double mean;
    double bound; /* of values, against one process alone */
    bool weighted;
    bool scaled;
    bool gappy;
    bool by_calls; /* read row by row, of a number that is not known */
    bool few;      /* two and three processes will do */
    bool without;  /* there is no memory for folds */
    bool fitted;   /* nor for any way but a fit */
    int64_t max;   /* components */
    int64_t memory;
    int64_t block_rows;
} task;

/* What all processes look at, and what each comes to. */
typedef struct choosing {
    const task *t;
    rows *all;
    rows *other; /* that process 2 has instead, or NULL */
    double *weights;
    const char *cancelled; /* what process 1 breaks off: "rows", or a part of what follows them; or NULL */
    int threads;
    scree_selection *selection[TOGETHER_MOST];
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} choosing;

static rows *make_rows(const task *t)
{
    double *x = malloc((size_t)(t->n * t->d) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++) {
            x[i * t->d + j] = 0.5 * rows_random(61, i, j) + t->mean;
            for (int64_t k = 0; k < 3; k++)
                x[i * t->d + j] += rows_random(62, i, k) * rows_random(63, j, k) / (double)(k + 1);
            if (t->gappy && rows_random(64, i, j) > 1.5)
                x[i * t->d + j] = (double)NAN;
        }
    return rows_of(x, t->n, t->d, t->type, 40);
}

static choosing make(const task *t)
{
    choosing made = {.t = t, .all = make_rows(t), .threads = 1};
    made.weights = malloc((size_t)t->n * sizeof *made.weights);
    assert_non_null(made.weights);
    for (int64_t i = 0; i < t->n; i++)
        made.weights[i] = i % 5 == 3 || i < 40 ? 0 : 1 + 0.25 * (double)(i % 4);
    return made;
}

static void forget(choosing *c, int ranks)
{
    for (int i = 0; i < ranks; i++)
        scree_selection_free(c->selection[i]);
    memset(c->selection, 0, sizeof c->selection);
    memset(c->error, 0, sizeof c->error);
}

static void clear(choosing *c)
{
    rows_free(c->all);
    if (c->other)
        rows_free(c->other);
    free(c->weights);
}

static int cancel(void *context, const scree_progress *progress)
{
    const choosing *c = context;
    const bool reading = !progress->part && progress->rows > 0;
    return strcmp(progress->part ? progress->part : reading ? "rows" : "", c->cancelled) == 0;
}

static void choose(void *context, const scree_communicator *with)
{
    choosing *c = context;
    const task *t = c->t;
    const int rank = with ? with->rank : 0;
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_source *source = rows_source(c->other && rank == 2 ? c->other : c->all);
    if (t->weighted)
        EXPECT_OK(scree_source_weigh(source, c->weights, t->n, &error), error);
    if (t->by_calls)
        source->can = SCREE__CAN_REWIND;
    run.communicator = with;
    run.threads = c->threads;
    run.memory = t->memory;
    run.block_rows = t->block_rows;
    options.run = &run;
    if (c->cancelled && rank == 1) {
        run.progress = cancel;
        run.progress_context = c;
    }
    options.seed = 3;
    options.max_components = t->max;
    options.scale = t->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    c->status[rank] = scree_selection_make(&c->selection[rank], source, &options, &c->error[rank]);
    scree_source_free(source);
}

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static void expect_same_values(const scree_selection *a, const scree_selection *b, double bound)
{
    const int64_t counts = scree_selection_get(b)->max_components + 1;
    const scree_criterion *x;
    const scree_criterion *y;
    for (int64_t i = 0; (x = scree_selection_criterion(a, i)) && (y = scree_selection_criterion(b, i)); i++) {
        assert_int_equal(!x->values, !y->values);
        assert_int_equal(x->choice, y->choice);
        if (!x->reason || !y->reason || !strstr(x->reason, "MiB")) /* which depends on how many share the work */
            assert_true(same_text(x->reason, y->reason));
        for (int64_t m = 0; x->values && m < counts; m++) {
            const double p = x->values[m];
            const double q = y->values[m];
            if (bound == 0 ? memcmp(&p, &q, sizeof p) != 0
                           : isnan(p) != isnan(q) || fabs(p - q) > bound * (1 + fabs(q)))
                fail_msg("%s, M = %d: %.17g and %.17g", x->name, (int)m, p, q);
        }
    }
}

/* bound 0: to the last bit. */
static void expect_same(const scree_selection *a, const scree_selection *b, double bound)
{
    const scree_selection_view *x = scree_selection_get(a);
    const scree_selection_view *y = scree_selection_get(b);
    assert_int_equal(x->n, y->n);
    assert_int_equal(x->d, y->d);
    assert_int_equal(x->directions, y->directions);
    assert_int_equal(x->max_components, y->max_components);
    assert_int_equal(x->recommended, y->recommended);
    assert_int_equal(x->fewest, y->fewest);
    assert_int_equal(x->most, y->most);
    assert_true(same_text(x->gaps, y->gaps));
    for (int64_t j = 0; j < x->max_components; j++)
        EXPECT_NEAR(x->eigenvalues[j], y->eigenvalues[j], bound * y->eigenvalues[0]);
    expect_same_values(a, b, bound);
}

/* What the memory was to leave out. */
static void expect_left_out(const task *t, const scree_selection *selection)
{
    const scree_criterion *c = NULL;
    for (int64_t i = 0; (c = scree_selection_criterion(selection, i)); i++)
        if (strcmp(c->name, "heldout") == 0)
            assert_int_equal(!c->values, t->without || t->fitted);
        else if (strcmp(c->name, "minka") == 0)
            assert_int_equal(!c->values, t->fitted);
}

static void expect_the_same(const task *t)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 11};
    choosing alone = make(t);
    choosing first = make(t);
    choosing c = make(t);
    choose(&alone, NULL);
    EXPECT_OK(alone.status[0], alone.error[0]);
    if (t->memory > 0)
        expect_left_out(t, alone.selection[0]);
    together_run(1, choose, &first);
    EXPECT_OK(first.status[0], first.error[0]);
    expect_same(first.selection[0], alone.selection[0], t->bound);
    for (int64_t k = 1; k < (t->few || SLOW_BUILD ? 3 : COUNT_OF(ranks)); k++) {
        c.threads = k % 2 ? 2 : 1;
        together_run(ranks[k], choose, &c);
        for (int i = 0; i < ranks[k]; i++) {
            EXPECT_OK(c.status[i], c.error[i]);
            expect_same(c.selection[i], first.selection[0], 0);
        }
        forget(&c, ranks[k]);
    }
    forget(&alone, 1);
    forget(&first, 1);
    clear(&alone);
    clear(&first);
    clear(&c);
}

static void test_more_rows_than_columns(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.n = 1009, .d = 30, .type = SCREE_F64, .bound = 1e-9},
        {.n = 1009, .d = 30, .type = SCREE_F64, .mean = 1e8, .bound = 1e-6},
        {.n = 1009, .d = 30, .type = SCREE_F64, .scaled = true, .by_calls = true, .bound = 1e-9},
        {.n = 1500, .d = 20, .type = SCREE_F32, .weighted = true, .bound = 1e-9},
        {.n = 1500, .d = 20, .type = SCREE_F64, .weighted = true, .scaled = true, .by_calls = true, .bound = 1e-9},
        {.n = 700, .d = 24, .type = SCREE_U8, .block_rows = 7, .bound = 1e-9},
        {.n = 13, .d = 6, .type = SCREE_F64, .bound = 1e-9},
        {.n = 4, .d = 3, .type = SCREE_F64, .bound = 1e-9},
        {.n = 900, .d = 30, .type = SCREE_F64, .gappy = true, .bound = 1e-6},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks); i++)
        expect_the_same(&tasks[i]);
}

/* Of these whitening sees a sample; and there are more than 8 ranges of these. */
static void test_many_rows(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.n = 9000, .d = 200, .type = SCREE_F32, .few = true, .bound = 1e-6},
        {.n = 140000, .d = 6, .type = SCREE_F64, .few = true, .bound = 1e-6},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - 2 * SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

/* Columns are shared: in one range, in two, and in eight. */
static void test_fewer_rows_than_columns(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.n = 40, .d = 90, .type = SCREE_F64, .bound = 1e-9},
        {.n = 40, .d = 4500, .type = SCREE_F64, .mean = 1e8, .bound = 1e-6},
        {.n = 31, .d = 20011, .type = SCREE_F32, .scaled = true, .bound = 1e-9},
        {.n = 40, .d = 5003, .type = SCREE_U8, .by_calls = true, .bound = 1e-9},
        {.n = 60, .d = 2100, .type = SCREE_F64, .gappy = true, .bound = 1e-6},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

/* No folds, and no way but the components of a fit. */
static void test_little_memory(void **state)
{
    (void)state;
    static const task tasks[] = {
        {.n = 600, .d = 300, .type = SCREE_F64, .memory = 80 << 20, .without = true, .bound = 1e-9},
        {.n = 600, .d = 300, .type = SCREE_F64, .memory = 24 << 20, .fitted = true, .max = 8, .bound = 1e-4},
    };
    for (int64_t i = 0; i < COUNT_OF(tasks) - SLOW_BUILD; i++)
        expect_the_same(&tasks[i]);
}

/* ---- the sample ---- */

enum { COLS = 3 };

typedef struct sampling {
    rows *all;
    int64_t capacity;
    const double *expected;
    int64_t count;
} sampling;

static void add_rows(scree__row_sample *sample, const rows *r, int64_t first, int64_t end)
{
    const scree__rows x = {r->data, r->type, r->n, r->d, r->stride, NULL};
    for (int64_t i = first; i < end; i++)
        scree__row_sample_add(sample, &x, i);
}

static void sample_own(void *context, const scree_communicator *with)
{
    const sampling *s = context;
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree__row_sample sample = {0};
    scree__team *team = NULL;
    scree_source *source = rows_source(s->all);
    run.communicator = with;
    EXPECT_OK(scree__team_open(&team, source, &run, &error), error);
    EXPECT_OK(scree__row_sample_make(&sample, s->capacity, COLS, 5, &error), error);
    sample.seen = scree__range_start(&team->ranges, team->ranges.first);
    add_rows(&sample, s->all, sample.seen, scree__range_start(&team->ranges, team->ranges.end));
    EXPECT_OK(scree__row_sample_share(&sample, team, &error), error);
    assert_int_equal(sample.rows, s->count);
    assert_memory_equal(sample.x, s->expected, (size_t)(s->count * COLS) * sizeof *sample.x);
    scree__row_sample_clear(&sample);
    scree__team_close(team, source);
    scree_source_free(source);
}

static void test_a_sample_is_that_of_all_rows(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{1000, 37}, {1000, 900}, {100, 200}, {9, 4}, {5, 5}, {3, 7}};
    for (int64_t i = 0; i < COUNT_OF(shapes); i++) {
        const task t = {.n = shapes[i][0], .d = COLS, .type = i % 2 ? SCREE_F32 : SCREE_F64};
        scree_error error = SCREE_ERROR_INIT;
        scree__row_sample whole = {0};
        sampling s = {.all = make_rows(&t), .capacity = shapes[i][1]};
        EXPECT_OK(scree__row_sample_make(&whole, s.capacity, COLS, 5, &error), error);
        add_rows(&whole, s.all, 0, t.n);
        EXPECT_OK(scree__row_sample_sort(&whole, &error), error);
        s.expected = whole.x;
        s.count = t.n < s.capacity ? t.n : s.capacity;
        assert_int_equal(whole.rows, s.count);
        for (int ranks = 1; ranks <= 12; ranks += ranks < 5 ? 1 : 3)
            together_run(ranks, sample_own, &s);
        scree__row_sample_clear(&whole);
        rows_free(s.all);
    }
}

/* ---- failures ---- */

static void expect_sentence(choosing *c, int ranks, scree_status status, const char *words)
{
    together_run(ranks, choose, c);
    for (int rank = 0; rank < ranks; rank++) {
        assert_null(c->selection[rank]);
        assert_int_equal(c->status[rank], status);
        if (!strstr(c->error[rank].text, words))
            fail_msg("rank %d says '%s'", rank, c->error[rank].text);
    }
    forget(c, ranks);
}

/* A cell that one process alone has; its sentence is everybody's. */
static void test_a_cell_that_is_infinite(void **state)
{
    (void)state;
    static const task tasks[] = {{.n = 400, .d = 60, .type = SCREE_F64}, {.n = 300, .d = 5000, .type = SCREE_F64}};
    for (int64_t i = 0; i < COUNT_OF(tasks); i++) {
        choosing c = make(&tasks[i]);
        c.other = make_rows(&tasks[i]);
        ((double *)c.other->data)[250 * c.other->stride + 7] = (double)INFINITY;
        expect_sentence(&c, 4, SCREE_ERR_VALUE, "memory: row 251, column 8 is infinite");
        clear(&c);
    }
}

/* One process ends in the midst of its rows, of its folds, or of its simulations: so do all. */
static void test_one_that_is_cancelled(void **state)
{
    (void)state;
    static const task tasks[] = {{.n = 900, .d = 40, .type = SCREE_F64}, {.n = 60, .d = 5000, .type = SCREE_F64}};
    static const char *const parts[] = {"rows", "folds", "criteria"};
    for (int64_t i = 0; i < COUNT_OF(tasks); i++)
        for (int64_t k = 0; k < COUNT_OF(parts); k++) {
            choosing c = make(&tasks[i]);
            c.cancelled = parts[k];
            expect_sentence(&c, 3, SCREE_ERR_CANCELLED, "cancelled");
            clear(&c);
        }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const task one = {.n = 1, .d = 4, .type = SCREE_F64};
    static const task tight = {.n = 400, .d = 300, .type = SCREE_F64, .by_calls = true, .memory = 1 << 18};
    static const task other = {.n = 399, .d = 60, .type = SCREE_F64};
    static const task fine = {.n = 400, .d = 60, .type = SCREE_F64};
    choosing c = make(&one);
    expect_sentence(&c, 3, SCREE_ERR_SHAPE, "one row");
    clear(&c);
    c = make(&tight);
    expect_sentence(&c, 3, SCREE_ERR_LIMIT, "is too little memory: choosing needs");
    clear(&c);
    c = make(&fine);
    c.other = make_rows(&other);
    expect_sentence(&c, 3, SCREE_ERR_SHAPE, "give all processes the same rows");
    clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_rows_than_columns),       cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_fewer_rows_than_columns),      cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_a_sample_is_that_of_all_rows), cmocka_unit_test(test_a_cell_that_is_infinite),
        cmocka_unit_test(test_one_that_is_cancelled),        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
