/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TEAM_H
#define SCREE_DATA_TEAM_H

/* Processes that have the same rows and work on them together (scree_communicator). Rows are cut into ranges, as many
 * as their number alone says, and each process has some that follow each other. What ranges come to is joined by a
 * fixed binary tree over the ranges, so that the result is the same to the last bit for any number of processes.
 *
 *   team.c         who they are, what they agree on, the rows of one of them
 *   team_items.c   what they share beside rows
 *   team_tree.c    the tree
 *   team_descend.c the way back down
 *
 * Whatever they do together ends with all knowing whether somebody has failed. One that fails in between says so with
 * what they do together next; so all fail alike, and none waits for ever. */

#include "data/pass.h"

typedef struct scree__team {
    const scree_communicator *with;
    scree__ranges ranges; /* of all rows, and those of this process */
    int64_t turn;         /* how many things were done together */
    bool failed;          /* and all know it */
} scree__team;

/* The sentence of a failure on its way, or that there is none. */
typedef struct scree__note {
    int64_t turn;
    int64_t count; /* doubles that follow, where nothing has failed */
    int32_t status;
    int16_t gap;     /* a missing cell was met */
    int16_t nothing; /* no doubles follow: what the process has of them comes to nothing */
    char text[1024];
} scree__note;

/* This process's share of the cores and the memory of its machine, where the run leaves them open. */
void scree__team_share_machine(scree_run *run);

/* The source has the team until it is closed. Rows are counted where their number is not known. What the run leaves
 * open becomes this process's share of the machine: its cores, and its memory. All processes call it. */
scree_status scree__team_open(scree__team **out, scree_source *source, scree_run *run, scree_error *error);
void scree__team_close(scree__team *team, scree_source *source); /* NULL-safe */

/* Work with a team that is open meanwhile: what one of them could not do, all have failed. */
typedef scree_status scree__team_work(void *context, scree_source *source, scree__team *team, scree_error *error);
scree_status scree__team_run(scree_source *source, scree_run *run, scree__team_work *work, void *context,
                             scree_error *error);

/* The process that a range belongs to; the most rows that a range has. */
int scree__team_owner(const scree__team *team, int64_t range);
int64_t scree__team_range_rows(const scree__team *team);

/* All go on, or all fail. *gap, where not NULL: whether somebody has met a missing cell. */
scree_status scree__team_agree(scree__team *team, scree_status status, bool *gap, scree_error *error);
/* At the end of a call that shares work: where this process has failed before the others knew that it takes part, they
 * are told. shared: it got that far. */
scree_status scree__team_settle(const scree_run *run, bool shared, scree_status status, scree_error *error);
/* The bytes of process 0 for all. */
scree_status scree__team_tell(scree__team *team, void *data, int64_t bytes, scree_error *error);

/* For work that is shared by other things than rows: items, of which ranges have at least so many each. Range r of
 * items belongs to range r·each of the rows, the others come to nothing. */
typedef struct scree__team_items {
    scree__ranges ranges; /* of items; those of this process */
    int64_t each;         /* ranges of rows for one of items */
} scree__team_items;
scree__team_items scree__team_cut(const scree__team *team, int64_t items, int64_t least);
/* x (lines×items), of which each process has its own columns: all have all of it. */
scree_status scree__team_gather(scree__team *team, double *x, int64_t lines, const scree__team_items *items,
                                scree_error *error);
/* x (counts of all processes, one after the other), of which each process has its own: all have all of it. failed: a
 * process that has not. */
scree_status scree__team_collect(scree__team *team, scree_status failed, double *x, const int64_t *counts,
                                 scree_error *error);

/* Tasks that processes share: those from first to end - 1 are this one's; all of them, where team is NULL. */
void scree__team_tasks(const scree__team *team, int64_t tasks, int64_t *first, int64_t *end);
/* x (tasks×each), of which each process has what its own tasks have left there: all have all of it. */
scree_status scree__team_collect_tasks(scree__team *team, scree_status failed, double *x, int64_t tasks, int64_t each,
                                       scree_error *error);

/* The rows of the ranges of this process as a source, of which the given one, with all rows, is borrowed. NULL: it has
 * none. */
scree_status scree__team_part(scree_source **out, const scree__ranges *ranges, scree_source *source,
                              scree_error *error);

/* For rows in memory: whether they are, and a slice whose messages count as those of the source do (source_memory.c).
 */
bool scree__memory_is(const scree_source *source);
scree_status scree__memory_part(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                scree_error *error);

/* ---- the tree ---- */

/* into becomes what both come to. */
typedef scree_status (*scree__team_join)(void *context, double *into, double *from, scree_error *error);

typedef struct scree__team_tree scree__team_tree;

/* Of arrays of count doubles, one a range; join NULL: their sums. Doubles of it at most. */
scree_status scree__team_tree_new(scree__team_tree **out, scree__team *team, int64_t count, scree__team_join join,
                                  void *context, scree_error *error);
int64_t scree__team_tree_doubles(const scree__team *team, int64_t count);
/* Where the array of the next range of this process goes, to be filled; or zeros. NULL: out of memory. */
double *scree__team_tree_room(scree__team_tree *tree);
double *scree__team_tree_place(scree__team_tree *tree);
/* It is there; without a place, the range comes to nothing. */
scree_status scree__team_tree_add(scree__team_tree *tree, scree_error *error);
/* Where several ranges are filled at once: an array, the caller's until it is put back. NULL: out of memory. */
double *scree__team_tree_take(scree__team_tree *tree);
int64_t scree__team_tree_next(const scree__team_tree *tree);
/* It is what the next range comes to; NULL: that is nothing. */
scree_status scree__team_tree_put(scree__team_tree *tree, double *array, scree_error *error);
/* The same of the next count ranges, some of whose joins are done at once; all of them are the tree's, if it fails,
 * too. For joins that threads may do at once. */
scree_status scree__team_tree_put_several(scree__team_tree *tree, double *const *arrays, int64_t count, int threads,
                                          scree_error *error);
/* The same of a range of items, which is the next of the ranges of rows whose number is a multiple of each. */
scree_status scree__team_tree_put_items(scree__team_tree *tree, int64_t each, double *array, scree_error *error);
/* Once those of all ranges of this process are there, ranges left coming to nothing, or it has failed: all (count
 * doubles, lent) is what all ranges of all processes come to. */
scree_status scree__team_tree_finish(scree__team_tree *tree, scree_status status, bool *gap, double **all,
                                     scree_error *error);
void scree__team_tree_free(scree__team_tree *tree);

/* ---- the way back down: arrays of count doubles, from the top of a tree to the ranges of items ---- */

typedef struct scree__team_way {
    const scree__team_items *items;
    int64_t count;
    /* x, of a node that this process has joined, becomes what its first half gets, and other the rest. Nodes come in
     * the order of the joins backwards. */
    void (*split)(void *context, double *x, double *other);
    void (*arrived)(void *context, int64_t range, const double *x); /* of items, one of this process */
    void *context;
} scree__team_way;

/* top: of the first process, and destroyed; for the others it does not matter. */
scree_status scree__team_descend(scree__team *team, const scree__team_way *way, double *top, scree_error *error);

/* ---- for team*.c ---- */

/* The first range of a process, or where those of the one before end. */
int64_t scree__team_first(int64_t ranges, int rank, int ranks);

void scree__note_set(scree__note *note, const scree__team *team, scree_status status, const scree_error *error);
/* The first that failed is told. */
void scree__note_join(scree__note *note, const scree__note *other);
scree_status scree__note_outcome(const scree__note *note, scree_error *error);

#endif
