/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows for what looks at rows themselves: all of them up to a number, and of more a random sample in which each row is
 * as likely as any other (Vitter 1985, algorithm R). Which rows depends on their numbers and the seed alone; they are
 * kept in their order. O(1) a row. */

#include "fit/select_sample.h"

#include "base/memory.h"
#include "base/random.h"

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
