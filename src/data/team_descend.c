/* SPDX-License-Identifier: BSD-3-Clause */
/* The way back down the tree: what the process of the first range has at the top is split for the two halves of each
 * node, until each range of items has its own. A node is split by the process that joined it, the one that has the
 * first of its ranges, and the other half goes to the process that sent it up. Every process goes through its nodes in
 * one order, which is that of the joins backwards: a node, its other half, its first half. So messages cannot block
 * each other, and what was kept of the joins is taken from a stack. */

#include "data/team.h"

#include "base/memory.h"

typedef struct descent {
    scree__team *team;
    const scree__team_way *way;
    double *room; /* an array for each level but the first */
} descent;

/* The ranges of items from first to end - 1, of which this process has the array x, if the first of them is its own. */
static scree_status descend(const descent *d, int64_t first, int64_t end, double *x, double *room, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__team_way *way = d->way;
    const scree_communicator *with = d->team->with;
    const int64_t bytes = way->count * (int64_t)sizeof *x;
    const int64_t middle = first + (end - first) / 2;
    const int mine = with->rank;
    const int left = scree__team_owner(d->team, first * way->items->each);
    const int right = scree__team_owner(d->team, middle * way->items->each);
    if (mine < left || mine > scree__team_owner(d->team, (end - 1) * way->items->each))
        return SCREE_OK;
    if (end - first == 1) {
        way->arrived(way->context, first, x);
        return SCREE_OK;
    }
    if (mine == left)
        way->split(way->context, x, room);
    if (mine == left && mine != right)
        SCREE_TRY(with->send(with->context, right, room, bytes, error));
    if (mine == right && mine != left)
        SCREE_TRY(with->receive(with->context, left, room, bytes, error));
    SCREE_TRY(descend(d, middle, end, room, room + way->count, error));
    SCREE_TRY(descend(d, first, middle, x, room + way->count, error));
done:
    return status;
}

scree_status scree__team_descend(scree__team *team, const scree__team_way *way, double *top, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = team->with;
    descent d = {.team = team, .way = way};
    int64_t levels = 0;
    while ((int64_t)1 << levels < way->items->ranges.count)
        levels++;
    d.room = scree__alloc_raw(levels * way->count, sizeof *d.room);
    if (!d.room)
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld numbers of each range do not fit",
                             (long long)way->count);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(descend(&d, 0, way->items->ranges.count, with->rank == 0 ? top : NULL, d.room, error));
done:
    free(d.room);
    return status;
}
