/* SPDX-License-Identifier: BSD-3-Clause */
/* States by several processes, played by threads: states of files that are dealt out, and rows that are shared, come to
 * the same bytes for any number of processes, those of one fit to 1e-12 or within the bound, old rows count less by the
 * rows after them, and where one process fails all do, with one sentence and the state as it was. */

#include "support/checks.h"

#include "base/memory.h"
#include "state/state.h"
#include "support/rows.h"
#include "support/together.h"
#include "temporary_folder.h"

#include <math.h>

enum { N = 1500, D = 12, STATES = 7, RANK = 3, PATH = 600 };

static const char *const methods[] = {"covariance", "svd", "low-rank"};
static const int all_ranks[] = {1, 2, 3, 4, 9};
static const int64_t cuts[STATES + 1] = {0, 1, 300, 301, 700, 710, 1100, N};

typedef struct saved {
    void *bytes;
    size_t size;
} saved;

static double *made(double base)
{
    double *x = scree__alloc(N * D, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = base + (double)j + rows_random(1, i, j) * exp2(-(double)j / 2) + 3 * rows_random(2, i, 0);
    return x;
}

static scree_block block_of(const double *x, int64_t from, int64_t to)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = x + from * D;
    block.rows = to - from;
    block.cols = D;
    return block;
}

static scree_state *new_state(const char *method, double forget, const char *const *names)
{
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    options.method = method;
    options.forget = forget;
    options.columns = names;
    options.rank = strcmp(method, "low-rank") == 0 ? RANK : 0;
    EXPECT_OK(scree_state_new(&state, D, &options, &error), error);
    return state;
}

static saved saved_of(scree_state *state)
{
    saved s = {0};
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_state_save_buffer(&s.bytes, &s.size, state, &error), error);
    return s;
}

static void expect_bytes(const saved *found, const saved *wanted)
{
    assert_non_null(found->bytes);
    assert_int_equal(found->size, wanted->size);
    assert_memory_equal(found->bytes, wanted->bytes, wanted->size);
}

static scree_model *model_of(const saved *bytes)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    scree_model *model = NULL;
    options.components = 2;
    EXPECT_OK(scree_state_load_buffer(&state, bytes->bytes, bytes->size, &error), error);
    EXPECT_OK(scree_state_fit(&model, state, &options, &error), error);
    scree_state_free(state);
    return model;
}

static scree_model *fitted(const double *x, const double *weights)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_block block = block_of(x, 0, N);
    scree_source *source = NULL;
    scree_model *model = NULL;
    block.weights = weights;
    options.components = 2;
    options.solver = "svd";
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* The model of a state: that of a fit of all rows. */
static void expect_model(const saved *state, const scree_model *wanted)
{
    scree_model *model = model_of(state);
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(wanted);
    const bool exact = a->eigenvalue_bounds[0] < 1e-9 * b->eigenvalues[0];
    EXPECT_NEAR(a->weight, b->weight, 1e-12 * b->weight);
    EXPECT_NEAR(a->total_variance, b->total_variance, 1e-12 * b->total_variance);
    for (int64_t j = 0; j < D; j++)
        EXPECT_NEAR(a->mean[j], b->mean[j], 1e-15 * fabs(b->mean[j]) + 1e-13);
    for (int64_t k = 0; k < 2; k++)
        EXPECT_NEAR(a->eigenvalues[k], b->eigenvalues[k],
                    (exact ? 0 : a->eigenvalue_bounds[k]) + 1e-12 * b->eigenvalues[k]);
    scree_model_free(model);
}

/* ---- states of files ---- */

typedef struct merging {
    char names[TOGETHER_MOST][64][PATH]; /* that each process is given */
    int64_t count;
    saved merged[TOGETHER_MOST];
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} merging;

static void merge(void *context, const scree_communicator *with)
{
    merging *m = context;
    const char *paths[64];
    scree_run run = SCREE_RUN_INIT;
    scree_state *state = NULL;
    const int rank = with ? with->rank : 0;
    run.communicator = with;
    run.threads = 1 + rank % 2;
    for (int64_t i = 0; i < m->count; i++)
        paths[i] = m->names[rank][i];
    m->status[rank] = scree_state_load_many(&state, paths, m->count, &run, &m->error[rank]);
    if (m->status[rank] == SCREE_OK)
        m->merged[rank] = saved_of(state);
    scree_state_free(state);
}

static merging *merging_of(int64_t count)
{
    merging *m = scree__alloc(1, sizeof *m);
    assert_non_null(m);
    m->count = count;
    for (int rank = 0; rank < TOGETHER_MOST; rank++) {
        m->error[rank] = (scree_error)SCREE_ERROR_INIT;
        for (int64_t i = 0; i < count; i++)
            snprintf(m->names[rank][i], PATH, "%s/%d.state", folder, (int)i);
    }
    return m;
}

static void merging_free(merging *m)
{
    for (int rank = 0; rank < TOGETHER_MOST; rank++)
        scree_buffer_free(m->merged[rank].bytes);
    free(m);
}

static void write_state(int64_t i, const char *method, const double *x, int64_t from, int64_t to,
                        const char *const *names)
{
    char path[PATH];
    scree_error error = SCREE_ERROR_INIT;
    const scree_block block = block_of(x, from, to);
    scree_state *state = new_state(method, 0, names);
    EXPECT_OK(scree_state_add(state, &block, &error), error);
    snprintf(path, sizeof path, "%s/%d.state", folder, (int)i);
    EXPECT_OK(scree_state_save(state, path, &error), error);
    scree_state_free(state);
}

/* Any number of processes, and one without a communicator. */
static void expect_merged(int64_t count, const scree_model *wanted)
{
    merging *alone = merging_of(count);
    merge(alone, NULL);
    EXPECT_OK(alone->status[0], alone->error[0]);
    if (wanted)
        expect_model(&alone->merged[0], wanted);
    for (int64_t p = 0; p < COUNT_OF(all_ranks); p++) {
        merging *m = merging_of(count);
        together_run(all_ranks[p], merge, m);
        for (int rank = 0; rank < all_ranks[p]; rank++) {
            EXPECT_OK(m->status[rank], m->error[rank]);
            expect_bytes(&m->merged[rank], &alone->merged[0]);
        }
        merging_free(m);
    }
    merging_free(alone);
}

static void uneven_states_are_merged_alike(void **unused)
{
    static const double bases[] = {0, 1e8};
    (void)unused;
    for (int64_t b = 0; b < COUNT_OF(bases); b++) {
        double *x = made(bases[b]);
        scree_model *wanted = fitted(x, NULL);
        for (int64_t m = 0; m < COUNT_OF(methods); m++) {
            for (int64_t i = 0; i < STATES; i++)
                write_state(i, methods[m], x, cuts[i], cuts[i + 1], NULL);
            expect_merged(STATES, wanted);
        }
        scree_model_free(wanted);
        free(x);
    }
}

static void any_number_of_states_is_merged(void **unused)
{
    static const int64_t counts[] = {1, 2, 3, 5, 8, 33};
    (void)unused;
    double *x = made(1e3);
    scree_model *wanted = fitted(x, NULL);
    for (int64_t c = 0; c < COUNT_OF(counts); c++) {
        for (int64_t i = 0; i < counts[c]; i++)
            write_state(i, "covariance", x, N * i / counts[c], N * (i + 1) / counts[c], NULL);
        expect_merged(counts[c], wanted);
    }
    scree_model_free(wanted);
    free(x);
}

/* All processes fail with a sentence that has these words. */
static void expect_refused(merging *m, int ranks, const char *words)
{
    together_run(ranks, merge, m);
    for (int rank = 0; rank < ranks; rank++) {
        assert_true(m->status[rank] != SCREE_OK);
        assert_string_equal(m->error[rank].text, m->error[0].text);
    }
    if (!strstr(m->error[0].text, words))
        fail_msg("'%s' does not say '%s'", m->error[0].text, words);
    merging_free(m);
}

static void one_bad_state_ends_all(void **unused)
{
    static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    static const char *const others[D] = {"a", "b", "x", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    (void)unused;
    double *x = made(0);
    for (int64_t i = 0; i < STATES; i++)
        write_state(i, "covariance", x, cuts[i], cuts[i + 1], i > 0 && i < 3 ? names : NULL);
    expect_merged(STATES, NULL);
    write_state(5, "covariance", x, 0, 9, others);
    expect_refused(merging_of(STATES), 4, "5.state: column 3 is 'x', and 'c' in ");
    expect_refused(merging_of(STATES), 1, "5.state: column 3 is 'x', and 'c' in ");
    write_state(5, "svd", x, 0, 9, NULL);
    expect_refused(merging_of(STATES), 3, "5.state is kept by svd, and ");
    file_write("5.state", "half", 4);
    expect_refused(merging_of(STATES), 4, "5.state: ");
    write_state(5, "covariance", x, 0, 9, NULL);
    merging *m = merging_of(STATES);
    for (int64_t i = 0; i < STATES; i++) /* one process looks elsewhere */
        snprintf(m->names[2][i], PATH, "%s/none.state", folder);
    expect_refused(m, 4, "rank 2: ");
    m = merging_of(STATES);
    strcpy(m->names[3][6], "-");
    expect_refused(m, 4, "standard input");
    m = merging_of(STATES);
    m->count = 0;
    expect_refused(m, 2, "no states");
    free(x);
}

/* ---- rows ---- */

typedef struct adding {
    const char *method;
    double forget;
    const double *x;
    int64_t before; /* rows that the state has seen */
    int failing;    /* a process that has another cell, or -1 */
    saved first[TOGETHER_MOST];
    saved last[TOGETHER_MOST];
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} adding;

static void add(void *context, const scree_communicator *with)
{
    adding *a = context;
    const int rank = with->rank;
    scree_error *error = &a->error[rank];
    scree_run run = SCREE_RUN_INIT;
    scree_source *source = NULL;
    const scree_block old = block_of(a->x, 0, a->before);
    scree_block next = block_of(a->x, a->before, N);
    scree_state *state = new_state(a->method, a->forget, NULL);
    double *mine = scree__alloc(N * D, sizeof *mine);
    assert_non_null(mine);
    memcpy(mine, a->x, N * D * sizeof *mine);
    mine[(N - 1) * D] = rank == a->failing ? NAN : mine[(N - 1) * D];
    next.data = mine + a->before * D;
    *error = (scree_error)SCREE_ERROR_INIT;
    run.communicator = with;
    run.threads = 1 + with->ranks % 2;
    if (a->before > 0)
        EXPECT_OK(scree_state_add(state, &old, error), *error);
    a->first[rank] = saved_of(state);
    EXPECT_OK(scree_source_from_memory(&source, &next, error), *error);
    a->status[rank] = scree_state_add_source(state, source, &run, error);
    a->last[rank] = saved_of(state);
    scree_source_free(source);
    scree_state_free(state);
    free(mine);
}

static void adding_clear(adding *a, int ranks)
{
    for (int rank = 0; rank < ranks; rank++) {
        scree_buffer_free(a->first[rank].bytes);
        scree_buffer_free(a->last[rank].bytes);
    }
}

/* Whatever the number of processes: the bytes of the first, and the model of one fit. */
static void expect_added(const char *method, const double *x, int64_t before, double forget, const scree_model *wanted)
{
    adding one = {.method = method, .forget = forget, .x = x, .before = before, .failing = -1};
    together_run(1, add, &one);
    EXPECT_OK(one.status[0], one.error[0]);
    expect_model(&one.last[0], wanted);
    for (int64_t p = 1; p < COUNT_OF(all_ranks); p++) {
        adding a = {.method = method, .forget = forget, .x = x, .before = before, .failing = -1};
        together_run(all_ranks[p], add, &a);
        for (int rank = 0; rank < all_ranks[p]; rank++) {
            EXPECT_OK(a.status[rank], a.error[rank]);
            expect_bytes(&a.last[rank], &one.last[0]);
        }
        adding_clear(&a, all_ranks[p]);
    }
    adding_clear(&one, 1);
}

static void rows_are_shared(void **unused)
{
    static const double bases[] = {0, 1e8};
    static const int64_t before[] = {0, 1, 700, N - 1};
    (void)unused;
    for (int64_t b = 0; b < COUNT_OF(bases); b++) {
        double *x = made(bases[b]);
        scree_model *wanted = fitted(x, NULL);
        for (int64_t m = 0; m < COUNT_OF(methods); m++)
            for (int64_t i = 0; i < COUNT_OF(before); i++)
                expect_added(methods[m], x, before[i], 0, wanted);
        scree_model_free(wanted);
        free(x);
    }
}

/* Weights by age, as frequencies in one fit; the shorter half-life leaves nothing of most ranges. */
static void shared_rows_fade(void **unused)
{
    static const double halves[] = {300, 2};
    (void)unused;
    double *x = made(1e3);
    double weights[N];
    for (int64_t h = 0; h < COUNT_OF(halves); h++) {
        for (int64_t i = 0; i < N; i++)
            weights[i] = exp2(-(double)(N - 1 - i) / halves[h]);
        scree_model *wanted = fitted(x, weights);
        for (int64_t m = 0; m < COUNT_OF(methods); m++) {
            expect_added(methods[m], x, 0, halves[h], wanted);
            expect_added(methods[m], x, 500, halves[h], wanted);
        }
        scree_model_free(wanted);
    }
    free(x);
}

static void a_bad_row_leaves_all_as_they_were(void **unused)
{
    (void)unused;
    double *x = made(0);
    adding a = {.method = "covariance", .x = x, .before = 700, .failing = 3};
    together_run(4, add, &a);
    for (int rank = 0; rank < 4; rank++) {
        assert_int_equal(a.status[rank], SCREE_ERR_VALUE);
        assert_non_null(strstr(a.error[rank].text, "row 800, column 1 is missing; a state takes complete rows"));
        assert_string_equal(a.error[rank].text, a.error[0].text);
        expect_bytes(&a.last[rank], &a.first[rank]);
    }
    adding_clear(&a, 4);
    free(x);
}

/* The first three of six are joined before the fourth is taken: what fails there is not passed over. */
static void rows_beyond_counting_are_refused(void **unused)
{
    enum { SIX = 6 };
    scree_error error = SCREE_ERROR_INIT;
    char path[PATH];
    (void)unused;
    double *x = made(0);
    const scree_block block = block_of(x, 0, 9);
    for (int i = 0; i < SIX; i++) {
        scree_state *state = new_state("covariance", 0, NULL);
        if (i < 3) {
            EXPECT_OK(scree_state_add(state, &block, &error), error);
            state->rows = SCREE__STATE_MOST_ROWS / 2;
        }
        snprintf(path, sizeof path, "%s/%d.state", folder, i);
        EXPECT_OK(scree_state_save(state, path, &error), error);
        scree_state_free(state);
    }
    for (int64_t p = 0; p < COUNT_OF(all_ranks); p++)
        expect_refused(merging_of(SIX), all_ranks[p], "more than a state can count");
    scree_state *into = NULL;
    scree_state *from = NULL;
    snprintf(path, sizeof path, "%s/0.state", folder);
    EXPECT_OK(scree_state_load_many(&into, (const char *const[]){path}, 1, NULL, &error), error);
    EXPECT_OK(scree_state_load(&from, path, &error), error);
    into->rows++;
    assert_int_equal(scree_state_merge(into, from, &error), SCREE_ERR_LIMIT);
    assert_true(into->rows == SCREE__STATE_MOST_ROWS / 2 + 1);
    scree_state_free(into);
    scree_state_free(from);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(uneven_states_are_merged_alike, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(any_number_of_states_is_merged, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(one_bad_state_ends_all, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(rows_beyond_counting_are_refused, folder_make, folder_remove),
        cmocka_unit_test(rows_are_shared),
        cmocka_unit_test(shared_rows_fade),
        cmocka_unit_test(a_bad_row_leaves_all_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
