/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows for what looks at rows themselves: all of them up to a number, and of more a random sample in which each row is
 * as likely as any other (Vitter 1985, algorithm R). Which rows depends on their numbers and the seed alone; they are
 * kept in their order. O(1) a row.
 *
 * Of several processes, each keeps what its own rows leave in the places of the sample; a place is that of the last row
 * of all that went there. Rows are shared in their order, and so that is the row of the last process that has one. */

#include "fit/select_sample.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 103 }; /* stream */

scree_status scree__row_sample_make(scree__row_sample *s, int64_t capacity, int64_t cols, uint64_t seed,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    *s = (scree__row_sample){.capacity = capacity, .cols = cols, .seed = seed};
    SCREE_ALLOC(s->x, (capacity + 1) * cols, error);
    SCREE_ALLOC(s->places, capacity, error);
    for (int64_t i = 0; i < capacity; i++)
        s->places[i].number = -1;
done:
    return status;
}

void scree__row_sample_clear(scree__row_sample *s)
{
    free(s->x);
    free(s->places);
}

void scree__row_sample_add(scree__row_sample *s, const scree__rows *x, int64_t row)
{
    const int64_t number = s->seen++;
    int64_t place = number;
    if (number >= s->capacity) {
        uint32_t words[4];
        scree__philox(s->seed, SAMPLE, (uint64_t)number, words);
        place = (int64_t)(((uint64_t)words[0] << 32 | words[1]) % (uint64_t)(number + 1));
        if (place >= s->capacity)
            return;
    }
    double *to = s->x + place * s->cols;
    const double *from = scree__rows_load(x, row, to);
    if (from != to)
        memcpy(to, from, (size_t)s->cols * sizeof *to);
    s->places[place] = (scree__row_place){.number = number, .place = place};
    s->rows = number < s->capacity ? number + 1 : s->capacity;
}

static int by_number(const void *a, const void *b)
{
    const scree__row_place *x = a;
    const scree__row_place *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* places[i].place is where the i-th row lies: cycle after cycle, with one row in hand. */
scree_status scree__row_sample_sort(scree__row_sample *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const size_t bytes = (size_t)s->cols * sizeof *s->x;
    double *hand = NULL;
    SCREE_ALLOC(hand, s->cols, error);
    qsort(s->places, (size_t)s->rows, sizeof *s->places, by_number);
    for (int64_t first = 0; first < s->rows; first++) {
        if (s->places[first].place == first)
            continue;
        memcpy(hand, s->x + first * s->cols, bytes);
        int64_t to = first;
        for (int64_t from = s->places[to].place; from != first; from = s->places[to].place) {
            memcpy(s->x + to * s->cols, s->x + from * s->cols, bytes);
            s->places[to].place = to;
            to = from;
        }
        memcpy(s->x + to * s->cols, hand, bytes);
        s->places[to].place = to;
    }
done:
    free(hand);
    return status;
}

/* The last process that has a row in a place, counted from 1. */
static scree_status join_owners(void *context, double *into, double *from, scree_error *error)
{
    const scree__row_sample *s = context;
    (void)error;
    for (int64_t i = 0; i < s->capacity; i++)
        into[i] = fmax(into[i], from[i]);
    return SCREE_OK;
}

/* Keeps the rows of the places that are this process's, one after the other, and counts those of all. */
static void drop_others(scree__row_sample *s, const double *owners, int rank, int64_t *counts)
{
    s->rows = 0;
    for (int64_t i = 0; i < s->capacity; i++) {
        if (owners[i] > 0)
            counts[(int64_t)owners[i] - 1]++;
        if ((int64_t)owners[i] != rank + 1)
            continue;
        memmove(s->x + s->rows * s->cols, s->x + i * s->cols, (size_t)s->cols * sizeof *s->x);
        s->places[s->rows] = (scree__row_place){.number = s->places[i].number, .place = s->rows};
        s->rows++;
    }
}

/* Who has what. */
static scree_status share_places(scree__row_sample *s, scree__team *team, int64_t *counts, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team_tree *tree = NULL;
    double *owners = NULL;
    const int rank = team->with->rank;
    SCREE_TRY(scree__team_tree_new(&tree, team, s->capacity, join_owners, s, error));
    if (team->ranges.end > team->ranges.first) {
        owners = scree__team_tree_place(tree);
        for (int64_t i = 0; owners && i < s->capacity; i++)
            owners[i] = s->places[i].number >= 0 ? rank + 1 : 0;
        status = owners ? scree__team_tree_add(tree, error)
                        : scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld places of a sample do not fit",
                                      (long long)s->capacity);
    }
    SCREE_TRY(scree__team_tree_finish(tree, status, NULL, &owners, error));
    drop_others(s, owners, rank, counts);
done:
    scree__team_tree_free(tree);
    return status;
}

scree_status scree__row_sample_share(scree__row_sample *s, scree__team *team, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int ranks = team->with->ranks;
    int64_t *counts = NULL;
    int64_t before = 0;
    int64_t all = 0;
    SCREE_ALLOC(counts, ranks, error);
    SCREE_TRY(share_places(s, team, counts, error));
    status = scree__row_sample_sort(s, error);
    for (int rank = 0; rank < ranks; rank++) {
        before += rank < team->with->rank ? counts[rank] : 0;
        all += counts[rank];
        counts[rank] *= s->cols;
    }
    memmove(s->x + before * s->cols, s->x, (size_t)(s->rows * s->cols) * sizeof *s->x);
    SCREE_TRY(scree__team_collect(team, status, s->x, counts, error));
    s->rows = all;
    s->seen = team->ranges.rows;
    for (int64_t i = 0; i < all; i++) /* in their order: which number each has is of no account any more */
        s->places[i] = (scree__row_place){.number = i, .place = i};
done:
    free(counts);
    return status;
}
