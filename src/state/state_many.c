/* SPDX-License-Identifier: BSD-3-Clause */
/* Many states of files as one. They are the leaves of a binary tree whose shape depends on their number alone
 * (data/team_tree.c), and each is loaded when its turn has come, so that log₂ S + 2 matrices are held of S states.
 * Processes that share the work load the states of their own leaves, in contiguous runs, and send what these come to up
 * the tree: the result is the same to the last bit for any number of them, one included.
 *
 * Before anything is joined between processes, each tells what it knows of its states beside the sums, names of columns
 * among it, and all of them find, or miss, in the order of the files what does not belong together. */

#include "base/memory.h"
#include "base/sized.h"
#include "base/threads.h"
#include "data/gather_sums.h"
#include "state/state_parcel.h"

#include <string.h>

enum { ABOUT_HEAD = 7 }; /* doubles before the texts of a state */

typedef struct loading {
    const char *const *paths;
    int64_t count;
    const scree_run *run;
    scree__team team; /* its ranges are the leaves */
    scree__state_shape shape;
    scree__team_tree *tree;
    scree_state *about; /* what is known of all so far; its sums are none */
} loading;

/* ---- a process that is alone ---- */

static scree_status to_nobody(void *context, void *data, int64_t bytes, scree_error *error)
{
    (void)context;
    (void)data;
    (void)bytes;
    (void)error;
    return SCREE_OK;
}

/* ---- the states of this process ---- */

/* The leaf of a state. There are as many leaves as the next power of two, and states lie evenly among them. */
static int64_t leaf_of(const loading *l, int64_t i)
{
    return i * l->team.ranges.count / l->count;
}

/* The first one says what arrays are like, and is kept without its sums. */
static scree_status begin(loading *l, scree_state *first, scree_error *error)
{
    scree_status status = SCREE_OK;
    l->shape = scree__state_shape_of(first, scree__threads(l->run->threads), false);
    const int64_t doubles = scree__state_parcel_doubles(&l->shape);
    SCREE_TRY(scree__state_check_memory(first, l->run->memory, 8 * scree__team_tree_doubles(&l->team, doubles), error));
    SCREE_TRY(scree__team_tree_new(&l->tree, &l->team, doubles, scree__state_parcel_join, &l->shape, error));
done:
    return status;
}

static scree_status load_one(loading *l, int64_t i, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *next = NULL;
    scree__tally tally;
    if (l->run->communicator && l->paths[i] && strcmp(l->paths[i], "-") == 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "standard input can be read only once, and processes that merge states read them from files; save "
                   "the state to a file first");
    SCREE_TRY(scree_state_load(&next, l->paths[i], error));
    SCREE_TRY(l->about ? scree__state_join_about(l->about, next, error) : begin(l, next, error));
    while (scree__team_tree_next(l->tree) < leaf_of(l, i))
        SCREE_TRY(scree__team_tree_put(l->tree, NULL, error));
    double *parcel = scree__team_tree_take(l->tree);
    if (!parcel)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", l->paths[i]);
    status = scree__state_tally(next, &tally, error);
    if (status == SCREE_OK)
        scree__state_parcel_fill(&l->shape, &tally, parcel);
    if (status != SCREE_OK)
        free(parcel);
    SCREE_TRY(status);
    next->method->free(next->sums);
    next->sums = NULL;
    SCREE_TRY(scree__team_tree_put(l->tree, parcel, error));
    if (!l->about) {
        l->about = next;
        next = NULL;
    }
done:
    scree_state_free(next);
    return status;
}

static scree_status load_own(loading *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *leaves = &l->team.ranges;
    for (int64_t i = 0; i < l->count && status == SCREE_OK; i++)
        if (leaf_of(l, i) >= leaves->first && leaf_of(l, i) < leaves->end)
            status = load_one(l, i, error);
    return status;
}

/* ---- what is known of them beside the sums ---- */

/* Doubles of what a process tells, and of this many bytes behind its head. */
static int64_t about_doubles(const scree_state *s, int64_t *bytes)
{
    *bytes = 0;
    if (!s)
        return 0;
    *bytes = (int64_t)strlen(scree__state_label(s)) + 1;
    for (int64_t j = 0; s->columns && j < s->cols; j++)
        *bytes += (int64_t)strlen(s->columns[j]) + 1;
    return ABOUT_HEAD + (*bytes + 7) / 8;
}

static void write_about(const scree_state *s, double *x)
{
    int64_t method = 0;
    char *text = (char *)(x + ABOUT_HEAD);
    while (scree__state_methods[method] != s->method)
        method++;
    const double head[ABOUT_HEAD] = {(double)method,        (double)s->cols,       (double)s->rank,   s->forget,
                                     (double)s->image_rows, (double)s->image_cols, s->columns ? 1 : 0};
    memcpy(x, head, sizeof head);
    text = stpcpy(text, scree__state_label(s)) + 1;
    for (int64_t j = 0; s->columns && j < s->cols; j++)
        text = stpcpy(text, s->columns[j]) + 1;
}

static scree_status read_about(scree_state **out, const double *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *text = (const char *)(x + ABOUT_HEAD);
    const char **names = NULL;
    scree_state *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->method = scree__state_methods[(int64_t)x[0]];
    s->cols = (int64_t)x[1];
    s->rank = (int64_t)x[2];
    s->forget = x[3];
    s->image_rows = (int64_t)x[4];
    s->image_cols = (int64_t)x[5];
    s->name = scree__strdup(text);
    if (x[6] > 0) {
        SCREE_ALLOC(names, s->cols, error);
        for (int64_t j = 0; j < s->cols; j++)
            names[j] = text += strlen(text) + 1;
        s->columns = scree__strings_copy(names, s->cols);
    }
    if (!s->name || (names && !s->columns))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: what is known of a state does not fit");
    *out = s;
    s = NULL;
done:
    scree_state_free(s);
    free(names);
    return status;
}

/* What all processes know, joined in their order. */
static scree_status join_abouts(loading *l, const double *x, const int64_t *counts, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *all = NULL;
    scree_state *next = NULL;
    for (int rank = 0; rank < l->team.with->ranks; x += counts[rank++]) {
        if (counts[rank] == 0)
            continue;
        SCREE_TRY(read_about(&next, x, error));
        if (all)
            SCREE_TRY(scree__state_join_about(all, next, error));
        else
            all = next;
        if (all != next)
            scree_state_free(next);
        next = NULL;
    }
    scree_state_free(l->about);
    l->about = all;
    all = NULL;
done:
    if (next != all)
        scree_state_free(next);
    scree_state_free(all);
    return status;
}

/* All know what the states are like, or all fail: also where one has failed before. */
static scree_status compare(loading *l, scree_status failed, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int ranks = l->team.with->ranks;
    int64_t *counts = NULL;
    int64_t bytes = 0;
    int64_t total = 0;
    int64_t before = 0;
    double *x = NULL;
    counts = scree__alloc(ranks, sizeof *counts);
    if (!counts && failed == SCREE_OK)
        failed = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: what is known of the states does not fit");
    if (failed != SCREE_OK)
        SCREE_TRY(scree_communicator_agree(l->team.with, failed, error));
    counts[l->team.with->rank] = about_doubles(l->about, &bytes);
    SCREE_TRY(scree__gather_sums(l->team.with, SCREE_OK, counts, ranks, error));
    for (int rank = 0; rank < ranks; total += counts[rank++])
        before += rank < l->team.with->rank ? counts[rank] : 0;
    x = scree__alloc(total, sizeof *x);
    if (x && l->about)
        write_about(l->about, x + before);
    if (!x)
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: what is known of the states does not fit");
    SCREE_TRY(scree__team_collect(&l->team, status, x, counts, error));
    status = join_abouts(l, x, counts, error);
    SCREE_TRY(scree__team_agree(&l->team, status, NULL, error));
done:
    free(counts);
    free(x);
    return status;
}

/* ---- all of them ---- */

/* A state that has seen nothing, like all of them. */
static scree_status make_like(scree_state **out, const loading *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_state *about = l->about;
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_state *s = NULL;
    options.method = about->method->name;
    options.rank = about->rank;
    options.forget = about->forget;
    options.threads = l->run->threads;
    SCREE_TRY(scree__state_make(&s, about->cols, (const char *const *)about->columns, &options, error));
    s->image_rows = about->image_rows;
    s->image_cols = about->image_cols;
    s->name = scree__strdup(l->paths[0]);
    if (!s->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", l->paths[0]);
    *out = s;
    s = NULL;
done:
    scree_state_free(s);
    return status;
}

/* Up the tree, and into a state. A process without states has no tree yet. */
static scree_status join_all(scree_state **out, loading *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *s = NULL;
    double *parcel = NULL;
    status = make_like(&s, l, error);
    if (status == SCREE_OK && !l->tree)
        status = begin(l, s, error);
    SCREE_TRY(scree__team_agree(&l->team, status, NULL, error));
    SCREE_TRY(scree__team_tree_finish(l->tree, SCREE_OK, NULL, &parcel, error));
    const scree__tally all = scree__state_parcel_tally(&l->shape, parcel);
    status = s->method->gain(s->sums, &all, error);
    SCREE_TRY(scree__team_agree(&l->team, status, NULL, error));
    s->rows = all.rows;
    *out = s;
    s = NULL;
done:
    scree_state_free(s);
    return status;
}

static scree_status load_many(scree_state **out, loading *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = l->team.with;
    int64_t leaves = 1;
    while (leaves < l->count)
        leaves *= 2;
    l->team.ranges = (scree__ranges){.rows = l->count,
                                     .count = leaves,
                                     .first = scree__team_first(leaves, with->rank, with->ranks),
                                     .end = scree__team_first(leaves, with->rank + 1, with->ranks)};
    status = load_own(l, error);
    SCREE_TRY(compare(l, status, error));
    SCREE_TRY(join_all(out, l, error));
done:
    scree__team_tree_free(l->tree);
    scree_state_free(l->about);
    return status;
}

scree_status scree_state_load_many(scree_state **out, const char *const *paths, int64_t count, const scree_run *run,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run mine;
    scree_communicator alone = SCREE_COMMUNICATOR_INIT;
    bool shared = false;
    alone.broadcast = to_nobody;
    SCREE_TRY(scree__run_adopt(&mine, &run, error));
    if (count < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there are no states to merge; give 1 or more");
    if (mine.communicator)
        scree__team_share_machine(&mine);
    loading l = {.paths = paths, .count = count, .run = &mine};
    l.team.with = mine.communicator ? mine.communicator : &alone;
    shared = true;
    SCREE_TRY(load_many(out, &l, error));
done:
    return scree__team_settle(run, shared, status, error);
}
