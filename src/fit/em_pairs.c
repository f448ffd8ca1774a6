/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over available pairs: for each two columns the products of their cells, and the rows that observed both. Two
 * products of matrices a chunk, 2 N D² flops; where cells are listed, a sum for each pair of them. */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

/* Rows of a pattern are counted by its mask, times the root of their number, or of their weights; what these are times
 * products of rows, the root of each is times the row. */
static int weigh_masks(scree__em *em, scree__observed *o)
{
    const int info = em->pairs.at_chunk ? em->pairs.at_chunk(em, o) : 0;
    for (int64_t p = 0; !o->sparse && p < o->patterns; p++)
        for (int64_t j = 0; o->members[p] != 1 && j < em->d; j++)
            o->mask[p * em->d + j] *= sqrt(o->members[p]);
    for (int64_t n = 0; o->weights && !o->sparse && n < o->rows; n++)
        for (int64_t j = 0; j < em->d; j++)
            o->x[n * em->d + j] *= sqrt(o->weights[n]);
    return info;
}

static void add_listed(const scree__observed *o, int64_t first, int64_t count, const scree__em_pairs *s)
{
    for (int64_t n = 0; n < o->rows; n++)
        for (int64_t a = o->start[n]; a < o->start[n + 1]; a++) {
            const int64_t i = o->column[a];
            const double weight = o->weights ? o->weights[n] : 1;
            if (i < first || i >= first + count)
                continue;
            for (int64_t b = a; b < o->start[n + 1]; b++) {
                s->products[i * o->cols + o->column[b]] += weight * (o->x[a] * o->x[b]);
                s->counts[i * o->cols + o->column[b]] += weight;
            }
        }
}

/* Rows first .. of the products, from the diagonal on. */
static int add_pairs(scree__em *em, const scree__observed *o, const scree__observed_part *part)
{
    const int64_t d = em->d;
    const int64_t first = part->first;
    const int64_t count = part->count;
    const scree__em_pairs s = em->pairs;
    if (o->sparse) {
        add_listed(o, first, count, &s);
        return 0;
    }
    const int info = scree__dgemm(true, false, count, d - first, o->rows, 1, o->x + first, d, o->x + first, d, 1,
                                  s.products + first * (d + 1), d);
    return info != 0 ? info
                     : scree__dgemm(true, false, count, d - first, o->patterns, 1, o->mask + first, d, o->mask + first,
                                    d, 1, s.counts + first * (d + 1), d);
}

void scree__em_pairs_clear(scree__em *em)
{
    free(em->pairs.products);
    free(em->pairs.counts);
    em->pairs = (scree__em_pairs){0};
}

static void move_pairs(void *context, scree__snapshot *s)
{
    const scree__em *em = ((const scree__em_pass *)context)->em;
    scree__snapshot_same(s, em->d);
    for (int64_t i = 0; i < em->d; i++) {
        scree__snapshot_doubles(s, em->pairs.products + i * (em->d + 1), em->d - i);
        scree__snapshot_doubles(s, em->pairs.counts + i * (em->d + 1), em->d - i);
    }
}

/* Products from the diagonal on, and below it, and behind it all for the diagonal, the counts. */
static void give(scree__em_pass *pass, double *place)
{
    const scree__em_pairs *s = &pass->em->pairs;
    const int64_t d = pass->em->d;
    for (int64_t i = 0; i < d; i++) {
        memcpy(place + i * (d + 1), s->products + i * (d + 1), (size_t)(d - i) * sizeof *place);
        place[d * d + i] = s->counts[i * (d + 1)];
        for (int64_t j = i + 1; j < d; j++)
            place[j * d + i] = s->counts[i * d + j];
    }
    memset(s->products, 0, (size_t)(d * d) * sizeof *s->products);
    memset(s->counts, 0, (size_t)(d * d) * sizeof *s->counts);
}

static void take(scree__em_pass *pass, const double *all)
{
    const scree__em_pairs *s = &pass->em->pairs;
    const int64_t d = pass->em->d;
    for (int64_t i = 0; i < d; i++) {
        memcpy(s->products + i * (d + 1), all + i * (d + 1), (size_t)(d - i) * sizeof *all);
        s->counts[i * (d + 1)] = all[d * d + i];
        for (int64_t j = i + 1; j < d; j++)
            s->counts[i * d + j] = all[j * d + i];
    }
}

scree_status scree__em_pairs_add(scree__em *em, int (*at_chunk)(scree__em *em, scree__observed *chunk),
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_pass pass = {.em = em,
                           .at_chunk = weigh_masks,
                           .at_part = add_pairs,
                           .move = move_pairs,
                           .doubles = em->d * (em->d + 1),
                           .give = give,
                           .take = take};
    scree__em_pairs_clear(em);
    em->pairs.at_chunk = at_chunk;
    SCREE_ALLOC(em->pairs.products, em->d * em->d, error);
    SCREE_ALLOC(em->pairs.counts, em->d * em->d, error);
    SCREE_TRY(scree__em_run_pass(&pass, error));
done:
    return status;
}
