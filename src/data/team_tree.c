/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary tree over ranges of rows: the leaves are ranges, a power of two of them, and each node is what its two
 * halves come to. A process joins the nodes whose ranges are all its own as soon as it has them, so that it holds at
 * most two of each height; of a node that it shares, the process that has the first range gets the other half by a
 * message. The shape of the tree depends on the number of ranges alone, and so do the bits of the result, whoever has
 * joined what. Messages: one for each process but the first, of log₂ P steps one after the other, and a broadcast. */

#include "data/team.h"

#include "base/memory.h"
#include "base/threads.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 128, MOST_SEVERAL = 16 };

/* What ranges from first to end - 1 come to; x NULL: nothing. */
typedef struct part {
    int64_t first;
    int64_t end;
    double *x;
} part;

struct scree__team_tree {
    scree__team *team;
    int64_t count;
    scree__team_join join;
    void *context;
    part parts[MOST_PARTS];
    int held;
    double *place;             /* of the next range, or NULL */
    double *spare[MOST_PARTS]; /* arrays that are not in use */
    int spares;
    double *all; /* where it is not the first of the parts */
    scree__note note;
};

void scree__note_set(scree__note *note, const scree__team *team, scree_status status, const scree_error *error)
{
    const bool is_local = status == SCREE_ERR_IO || status == SCREE_ERR_MEMORY;
    *note = (scree__note){.turn = team->turn, .status = (int32_t)status};
    if (status != SCREE_OK && is_local && team->with->rank > 0)
        snprintf(note->text, sizeof note->text, "rank %d: %.1000s", team->with->rank, error ? error->text : "");
    else if (status != SCREE_OK)
        snprintf(note->text, sizeof note->text, "%s", error ? error->text : "");
}

void scree__note_join(scree__note *note, const scree__note *other)
{
    const int16_t gap = note->gap || other->gap;
    if (note->status == SCREE_OK && other->status == SCREE_OK &&
        (note->turn != other->turn || note->count != other->count)) {
        note->status = SCREE_ERR_NUMERIC;
        snprintf(note->text, sizeof note->text,
                 "the processes have come to different numbers and went apart; let all of them run on processors of "
                 "one kind, with one BLAS library");
    } else if (note->status == SCREE_OK) {
        *note = *other;
    }
    note->gap = gap;
}

scree_status scree__note_outcome(const scree__note *note, scree_error *error)
{
    if (note->status == SCREE_OK)
        return SCREE_OK;
    return scree__fail(error, (scree_status)note->status, "%s", note->text);
}

int64_t scree__team_tree_doubles(const scree__team *team, int64_t count)
{
    int64_t heights = 2;
    for (int64_t ranges = 1; ranges < team->ranges.end - team->ranges.first; ranges *= 2)
        heights++;
    return (heights + 1) * count;
}

scree_status scree__team_tree_new(scree__team_tree **out, scree__team *team, int64_t count, scree__team_join join,
                                  void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team_tree *tree = NULL;
    SCREE_ALLOC(tree, 1, error);
    tree->team = team;
    tree->count = count;
    tree->join = join;
    tree->context = context;
    *out = tree;
done:
    return status;
}

void scree__team_tree_free(scree__team_tree *tree)
{
    if (!tree)
        return;
    for (int i = 0; i < tree->held; i++)
        free(tree->parts[i].x);
    for (int i = 0; i < tree->spares; i++)
        free(tree->spare[i]);
    free(tree->place);
    free(tree->all);
    free(tree);
}

double *scree__team_tree_take(scree__team_tree *tree)
{
    return tree->spares > 0 ? tree->spare[--tree->spares] : scree__alloc_raw(tree->count, sizeof(double));
}

static void give_array(scree__team_tree *tree, double *x)
{
    if (x)
        tree->spare[tree->spares++] = x;
}

double *scree__team_tree_room(scree__team_tree *tree)
{
    if (!tree->place)
        tree->place = scree__team_tree_take(tree);
    return tree->place;
}

double *scree__team_tree_place(scree__team_tree *tree)
{
    if (scree__team_tree_room(tree))
        memset(tree->place, 0, (size_t)tree->count * sizeof *tree->place);
    return tree->place;
}

static scree_status join(scree__team_tree *tree, double **place, double *from, scree_error *error)
{
    double *into = *place;
    if (!from)
        return SCREE_OK;
    if (!into) {
        *place = scree__team_tree_take(tree);
        if (!*place)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld sums do not fit", (long long)tree->count);
        memcpy(*place, from, (size_t)tree->count * sizeof *from);
        return SCREE_OK;
    }
    if (tree->join)
        return tree->join(tree->context, into, from, error);
    for (int64_t i = 0; i < tree->count; i++)
        into[i] += from[i];
    return SCREE_OK;
}

static bool are_halves(const part *a, const part *b)
{
    const int64_t size = a->end - a->first;
    return b->end - b->first == size && a->first % (2 * size) == 0;
}

int64_t scree__team_tree_next(const scree__team_tree *tree)
{
    return tree->held > 0 ? tree->parts[tree->held - 1].end : tree->team->ranges.first;
}

/* The last part, which joins those before it whose other half it is. */
static scree_status settle(scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (tree->held > 1 && are_halves(&tree->parts[tree->held - 2], &tree->parts[tree->held - 1])) {
        part *into = &tree->parts[tree->held - 2];
        const part from = tree->parts[tree->held - 1];
        into->end = from.end;
        tree->held--;
        status = join(tree, &into->x, from.x, error);
        give_array(tree, from.x);
        SCREE_TRY(status);
    }
done:
    return status;
}

scree_status scree__team_tree_put_items(scree__team_tree *tree, int64_t each, double *array, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && scree__team_tree_next(tree) % each != 0)
        status = scree__team_tree_put(tree, NULL, error);
    if (status == SCREE_OK)
        return scree__team_tree_put(tree, array, error);
    free(array);
    return status;
}

scree_status scree__team_tree_put(scree__team_tree *tree, double *array, scree_error *error)
{
    const int64_t range = scree__team_tree_next(tree);
    tree->parts[tree->held++] = (part){range, range + 1, array};
    return settle(tree, error);
}

/* Joins of one height. */
typedef struct level {
    scree__team_tree *tree;
    part *into[MOST_SEVERAL];
    part *from[MOST_SEVERAL];
    int64_t count;
    scree_status status[MOST_SEVERAL];
    scree_error error[MOST_SEVERAL];
} level;

/* Task: one of them. Where one half is nothing, no array is needed. */
static void join_pair(void *context, int64_t i, int worker)
{
    level *l = context;
    part *into = l->into[i];
    part *from = l->from[i];
    (void)worker;
    l->error[i] = (scree_error)SCREE_ERROR_INIT;
    if (into->x && from->x && l->tree->join) {
        l->status[i] = l->tree->join(l->tree->context, into->x, from->x, &l->error[i]);
    } else if (into->x && from->x) {
        for (int64_t at = 0; at < l->tree->count; at++)
            into->x[at] += from->x[at];
    } else if (from->x) {
        into->x = from->x;
        from->x = NULL;
    }
}

/* Halves among parts that follow each other become their nodes; how many parts are left. */
static scree_status join_level(scree__team_tree *tree, part *parts, int *count, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    level l = {.tree = tree};
    int left = 0;
    for (int i = 0; i + 1 < *count; i++)
        if (are_halves(&parts[i], &parts[i + 1])) {
            l.into[l.count] = &parts[i];
            l.from[l.count++] = &parts[++i];
        }
    scree__parallel(threads, l.count, join_pair, &l);
    for (int64_t i = 0; i < l.count; i++) {
        l.into[i]->end = l.from[i]->end;
        l.from[i]->first = l.from[i]->end;
        give_array(tree, l.from[i]->x);
        if (status == SCREE_OK && l.status[i] != SCREE_OK)
            status = scree__fail(error, l.status[i], "%s", l.error[i].text);
    }
    for (int i = 0; i < *count; i++)
        if (parts[i].end > parts[i].first)
            parts[left++] = parts[i];
    *count = left;
    return status;
}

scree_status scree__team_tree_put_several(scree__team_tree *tree, double *const *arrays, int64_t count, int threads,
                                          scree_error *error)
{
    scree_status status = SCREE_OK;
    part parts[MOST_SEVERAL];
    for (int64_t done = 0; done < count;) {
        const int64_t first = scree__team_tree_next(tree);
        int held = count - done < MOST_SEVERAL ? (int)(count - done) : MOST_SEVERAL;
        for (int i = 0; i < held; i++)
            parts[i] = (part){first + i, first + i + 1, arrays[done + i]};
        done += held;
        for (int before = 0; before != held && status == SCREE_OK;) {
            before = held;
            status = join_level(tree, parts, &held, threads, error);
        }
        for (int i = 0; i < held; i++) {
            tree->parts[tree->held++] = parts[i];
            if (status == SCREE_OK)
                status = settle(tree, error);
        }
    }
    return status;
}

scree_status scree__team_tree_add(scree__team_tree *tree, scree_error *error)
{
    double *place = tree->place;
    tree->place = NULL;
    return scree__team_tree_put(tree, place, error);
}

/* The failure of this process, if it is the first. */
static void fail(scree__team_tree *tree, scree_status status, const scree_error *error)
{
    scree__note note;
    scree__note_set(&note, tree->team, status, error);
    if (tree->note.status == SCREE_OK && status != SCREE_OK) {
        note.gap = tree->note.gap;
        tree->note = note;
    }
}

/* Where the array of a node is; NULL: there is no such node here. */
static double **part_of(scree__team_tree *tree, int64_t first)
{
    for (int i = 0; i < tree->held; i++)
        if (tree->parts[i].first == first)
            return &tree->parts[i].x;
    return NULL;
}

/* A node's array to the process that joins it with its other half. */
static scree_status send(scree__team_tree *tree, int to, double *const *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = tree->team->with;
    tree->note.nothing = !x || !*x;
    SCREE_TRY(with->send(with->context, to, &tree->note, sizeof tree->note, error));
    if (tree->note.status == SCREE_OK && tree->count > 0 && !tree->note.nothing)
        SCREE_TRY(with->send(with->context, to, *x, tree->count * (int64_t)sizeof **x, error));
done:
    return status;
}

/* The other way round; what has failed here is told here. */
static scree_status receive(scree__team_tree *tree, int from, double **into, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = tree->team->with;
    scree_error problem = SCREE_ERROR_INIT;
    scree__note note;
    double *x = NULL;
    SCREE_TRY(with->receive(with->context, from, &note, sizeof note, error));
    const bool follows = note.status == SCREE_OK && note.count > 0 && !note.nothing;
    if (follows) {
        x = note.count == tree->count ? scree__team_tree_take(tree) : scree__alloc_raw(note.count, sizeof *x);
        if (!x) /* what was sent cannot be taken: nothing can be done together any more */
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld numbers of another process do not fit",
                       (long long)note.count);
        SCREE_TRY(with->receive(with->context, from, x, note.count * (int64_t)sizeof *x, error));
    }
    const bool fits = note.count == tree->count;
    scree__note_join(&tree->note, &note);
    if (tree->note.status == SCREE_OK && follows)
        fail(tree, join(tree, into, x, &problem), &problem);
    if (x && fits)
        give_array(tree, x);
    else
        free(x);
    x = NULL;
done:
    free(x);
    return status;
}

/* The node of the ranges from first to end - 1, in the array of the process that has the first of them. */
static scree_status walk(scree__team_tree *tree, int64_t first, int64_t end, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__team *team = tree->team;
    const int mine = team->with->rank;
    const int64_t middle = first + (end - first) / 2;
    const int left = scree__team_owner(team, first);
    const int right = scree__team_owner(team, middle);
    if (left == scree__team_owner(team, end - 1) || mine < left || mine > scree__team_owner(team, end - 1))
        return SCREE_OK; /* it is joined already, or is that of others */
    SCREE_TRY(walk(tree, first, middle, error));
    SCREE_TRY(walk(tree, middle, end, error));
    if (left == right && mine == left) {
        scree_error problem = SCREE_ERROR_INIT;
        if (tree->note.status == SCREE_OK && tree->count > 0)
            fail(tree, join(tree, part_of(tree, first), *part_of(tree, middle), &problem), &problem);
    } else if (mine == left) {
        SCREE_TRY(receive(tree, right, part_of(tree, first), error));
    } else if (mine == right) {
        SCREE_TRY(send(tree, left, part_of(tree, middle), error));
    }
done:
    return status;
}

/* Whether a process has no range: where there are more processes than ranges, some between others have none. */
static bool is_idle(const scree__team *team, int rank)
{
    const int64_t ranks = team->with->ranks;
    const int64_t range =
        (rank * team->ranges.count + ranks - 1) / ranks; /* the first of this process, or of one after */
    return range >= team->ranges.count || scree__team_owner(team, range) != rank;
}

/* Processes without rows have nothing to join, but may have failed. */
static scree_status hear_idle(scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__team *team = tree->team;
    const scree_communicator *with = team->with;
    scree__note note;
    if (is_idle(team, with->rank))
        SCREE_TRY(with->send(with->context, 0, &tree->note, sizeof tree->note, error));
    for (int rank = 1; with->rank == 0 && rank < with->ranks; rank++) {
        if (!is_idle(team, rank))
            continue;
        SCREE_TRY(with->receive(with->context, rank, &note, sizeof note, error));
        scree__note_join(&tree->note, &note);
    }
done:
    return status;
}

/* Whether the array of the first range is to become that of all. */
static bool has_first(scree__team_tree *tree)
{
    double **first = tree->team->with->rank == 0 ? part_of(tree, 0) : NULL;
    return first && *first;
}

/* What all ranges come to, on all. */
static scree_status spread(scree__team_tree *tree, double **all, scree_error *error)
{
    const scree_communicator *with = tree->team->with;
    double *x = has_first(tree) ? *part_of(tree, 0) : tree->all;
    if (all)
        *all = x;
    return with->broadcast(with->context, x, tree->count * (int64_t)sizeof *x, error);
}

scree_status scree__team_tree_finish(scree__team_tree *tree, scree_status failed, bool *gap, double **all,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = tree->team;
    const scree_communicator *with = team->with;
    team->turn++;
    while (failed == SCREE_OK && tree->count > 0 && scree__team_tree_next(tree) < team->ranges.end)
        failed = scree__team_tree_put(tree, NULL, error);
    if (tree->count > 0 && !has_first(tree))
        tree->all = scree__alloc(tree->count, sizeof(double));
    if (failed == SCREE_OK && tree->count > 0 && !has_first(tree) && !tree->all)
        failed = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld sums do not fit", (long long)tree->count);
    scree__note_set(&tree->note, team, failed, error);
    tree->note.count = tree->count;
    tree->note.gap = gap && *gap;
    SCREE_TRY(walk(tree, 0, team->ranges.count, error));
    SCREE_TRY(hear_idle(tree, error));
    SCREE_TRY(with->broadcast(with->context, &tree->note, sizeof tree->note, error));
    if (gap)
        *gap = tree->note.gap != 0;
    team->failed = tree->note.status != SCREE_OK;
    SCREE_TRY(scree__note_outcome(&tree->note, error));
    if (tree->count > 0)
        SCREE_TRY(spread(tree, all, error));
done:
    return status;
}

scree_status scree__team_agree(scree__team *team, scree_status failed, bool *gap, scree_error *error)
{
    scree__team_tree tree = {.team = team};
    return scree__team_tree_finish(&tree, failed, gap, NULL, error);
}
