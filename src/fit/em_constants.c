/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that do not vary in the cells that were observed tell nothing of the codes, and have no noise: left among the
 * others they would take σ² down, to σ²(v-M)/(D-M) with v columns that vary, and every eigenvalue of true noise would
 * stand out. So a fit with gaps is of the v columns alone: rows are read as they are, and loaded without the others.
 * What the model keeps is about all D columns again: loadings of 0, means as measured. A fit needs two columns, and one
 * more than components that are asked for: where fewer vary, the first of the others are among them. O(D). */

#include "fit/em.h"

#include "base/memory.h"

#include <string.h>

static int64_t count_varying(const scree__em *em)
{
    int64_t count = 0;
    for (int64_t j = 0; j < em->d; j++)
        count += em->rows.variance[j] > 0;
    return count;
}

/* Columns that a fit needs. */
static int64_t count_needed(const scree__job *job)
{
    return job->k_is_flexible || job->k < 1 ? 2 : job->k + 1;
}

/* Which columns the fit is of: those that vary, and so many others. */
static void choose(const scree__em *em, int64_t others, scree__chosen *chosen)
{
    int64_t count = 0;
    for (int64_t j = 0; j < em->d; j++) {
        const bool varies = em->rows.variance[j] > 0;
        const bool is_in = varies || others > 0;
        others -= is_in && !varies;
        chosen->place[j] = is_in ? count : -1;
        if (is_in)
            chosen->column[count++] = j;
    }
}

/* An array over all columns, which all keeps, becomes one over those chosen. */
static scree_status shorten(double **array, double **all, const scree__chosen *chosen, int64_t count,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    double *some = NULL;
    SCREE_ALLOC(some, count, error);
    for (int64_t j = 0; j < count; j++)
        some[j] = (*array)[chosen->column[j]];
    *all = *array;
    *array = some;
done:
    return status;
}

scree_status scree__em_narrow(scree__em *em, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_rows *rows = &em->rows;
    const int64_t varying = count_varying(em);
    const int64_t needed = count_needed(em->job);
    const int64_t count = varying > needed ? varying : needed;
    if (count >= em->d)
        return SCREE_OK;
    SCREE_ALLOC(em->narrowed, 1, error);
    scree__em_narrowed *all = em->narrowed;
    all->chosen.width = em->d;
    all->cells = rows->cells;
    all->cell_weight = rows->cell_weight;
    SCREE_ALLOC(all->chosen.column, count, error);
    SCREE_ALLOC(all->chosen.place, em->d, error);
    choose(em, count - varying, &all->chosen);
    SCREE_TRY(shorten(&rows->seen, &all->seen, &all->chosen, count, error));
    SCREE_TRY(shorten(&rows->mean, &all->mean, &all->chosen, count, error));
    SCREE_TRY(shorten(&rows->variance, &all->variance, &all->chosen, count, error));
    rows->cells = 0;
    rows->cell_weight = 0;
    for (int64_t j = 0; j < count; j++) {
        rows->cells += rows->counts[all->chosen.column[j]];
        rows->cell_weight += rows->seen[j];
    }
    em->d = count;
done:
    return status;
}

/* all in the place of what was made of it, if anything was. */
static void restore(double **array, double *all)
{
    if (!all)
        return;
    free(*array);
    *array = all;
}

void scree__em_widen(scree__em *em)
{
    scree__em_narrowed *all = em->narrowed;
    if (!all)
        return;
    restore(&em->rows.seen, all->seen);
    restore(&em->rows.mean, all->mean);
    restore(&em->rows.variance, all->variance);
    em->rows.cells = all->cells;
    em->rows.cell_weight = all->cell_weight;
    em->d = all->chosen.width;
    free(all->chosen.column);
    free(all->chosen.place);
    free(all);
    em->narrowed = NULL;
}

int64_t scree__em_column(const scree__em *em, int64_t j)
{
    return em->narrowed ? em->narrowed->chosen.column[j] : j;
}

void scree__em_spread_out(const scree__em *em, int64_t m, double *vectors)
{
    const scree__em_narrowed *all = em->narrowed;
    for (int64_t k = m - 1; all && k >= 0; k--) {
        const double *from = vectors + k * em->d;
        double *to = vectors + k * all->chosen.width;
        for (int64_t j = all->chosen.width - 1; j >= 0; j--) /* from the end: it never writes over what is to be read */
            to[j] = all->chosen.place[j] >= 0 ? from[all->chosen.place[j]] : 0;
    }
}
