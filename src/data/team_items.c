/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes share beside rows, such as the columns of few rows: items are cut into as many ranges as rows are, so
 * that whoever fails in between meets the others in the same tree. What each has found of its own items goes to the
 * first process, in turn, and from there to all. */

#include "data/team.h"

#include "base/memory.h"

#include <string.h>

/* The first range of items of a process, or of those after it. */
static int64_t first_of(const scree__team *team, int64_t each, int rank)
{
    return (scree__team_first(team->ranges.count, rank, team->with->ranks) + each - 1) / each;
}

scree__team_items scree__team_cut(const scree__team *team, int64_t items, int64_t least)
{
    int64_t each = 1;
    while (each < team->ranges.count && items / (team->ranges.count / each) < least)
        each *= 2;
    return (scree__team_items){.ranges = {.rows = items,
                                          .count = team->ranges.count / each,
                                          .first = first_of(team, each, team->with->rank),
                                          .end = first_of(team, each, team->with->rank + 1)},
                               .each = each};
}

/* The items from first to end - 1 of one process. */
static void items_of(const scree__team *team, const scree__team_items *items, int rank, int64_t *first, int64_t *end)
{
    *first = scree__range_start(&items->ranges, first_of(team, items->each, rank));
    *end = scree__range_start(&items->ranges, first_of(team, items->each, rank + 1));
}

static int64_t most_items(const scree__team *team, const scree__team_items *all)
{
    int64_t most = 0;
    for (int rank = 0; rank < team->with->ranks; rank++) {
        int64_t first;
        int64_t end;
        items_of(team, all, rank, &first, &end);
        most = end - first > most ? end - first : most;
    }
    return most;
}

/* The columns of some items, from a matrix to one of them alone, or back. */
static void move_items(double *x, int64_t lines, int64_t items, int64_t first, int64_t end, double *parcel, bool back)
{
    for (int64_t l = 0; l < lines; l++) {
        double *own = x + l * items + first;
        double *packed = parcel + l * (end - first);
        memcpy(back ? own : packed, back ? packed : own, (size_t)(end - first) * sizeof *own);
    }
}

scree_status scree__team_gather(scree__team *team, double *x, int64_t lines, const scree__team_items *all,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = team->with;
    const int64_t items = all->ranges.rows;
    double *parcel = scree__alloc_raw(lines * most_items(team, all), sizeof *parcel);
    int64_t first;
    int64_t end;
    if (!parcel)
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld numbers of each process do not fit",
                             (long long)(lines * most_items(team, all)));
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    if (with->rank > 0) {
        items_of(team, all, with->rank, &first, &end);
        move_items(x, lines, items, first, end, parcel, false);
        if (end > first)
            SCREE_TRY(with->send(with->context, 0, parcel, lines * (end - first) * 8, error));
    }
    for (int rank = 1; with->rank == 0 && rank < with->ranks; rank++) {
        items_of(team, all, rank, &first, &end);
        if (end == first)
            continue;
        SCREE_TRY(with->receive(with->context, rank, parcel, lines * (end - first) * 8, error));
        move_items(x, lines, items, first, end, parcel, true);
    }
    SCREE_TRY(with->broadcast(with->context, x, lines * items * 8, error));
done:
    free(parcel);
    return status;
}

scree_status scree__team_collect(scree__team *team, scree_status failed, double *x, const int64_t *counts,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = team->with;
    int64_t at = 0;
    SCREE_TRY(scree__team_agree(team, failed, NULL, error));
    for (int rank = 0; rank < with->ranks; at += counts[rank++]) {
        const int64_t bytes = counts[rank] * (int64_t)sizeof *x;
        if (rank > 0 && bytes > 0 && with->rank == rank)
            SCREE_TRY(with->send(with->context, 0, x + at, bytes, error));
        if (rank > 0 && bytes > 0 && with->rank == 0)
            SCREE_TRY(with->receive(with->context, rank, x + at, bytes, error));
    }
    SCREE_TRY(with->broadcast(with->context, x, at * (int64_t)sizeof *x, error));
done:
    return status;
}

void scree__team_tasks(const scree__team *team, int64_t tasks, int64_t *first, int64_t *end)
{
    *first = team ? scree__team_first(tasks, team->with->rank, team->with->ranks) : 0;
    *end = team ? scree__team_first(tasks, team->with->rank + 1, team->with->ranks) : tasks;
}

scree_status scree__team_collect_tasks(scree__team *team, scree_status failed, double *x, int64_t tasks, int64_t each,
                                       scree_error *error)
{
    scree_status status = failed;
    const int ranks = team ? team->with->ranks : 0;
    int64_t *counts = NULL;
    if (!team)
        return failed;
    if (status == SCREE_OK)
        SCREE_ALLOC(counts, ranks, error);
    for (int rank = 0; counts && rank < ranks; rank++)
        counts[rank] = each * (scree__team_first(tasks, rank + 1, ranks) - scree__team_first(tasks, rank, ranks));
    SCREE_TRY(scree__team_collect(team, status, x, counts, error));
done:
    free(counts);
    return status;
}
