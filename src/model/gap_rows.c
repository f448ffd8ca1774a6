/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a chunk that have gaps: which cells are missing, which rows share a pattern, and what the model expects
 * in the gaps (gap_solver.h). Each pattern is solved once a chunk; how rows are grouped changes what is done when,
 * never a bit of what a row becomes. A row is compared with the others of its chunk, which ends at the first
 * difference. */

#include "model/chunks.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

void scree__gap_rows_close(scree__gap_rows *rows)
{
    if (rows->solver)
        rows->solver->close(rows->gaps);
    free(rows->missing);
    free(rows->done);
    *rows = (scree__gap_rows){0};
}

static scree_status allocate(scree__gap_rows *rows, const scree_model *model, int64_t height)
{
    scree_status status = SCREE_OK;
    if (rows->done)
        return SCREE_OK;
    free(rows->missing);
    rows->missing = NULL;
    rows->solver->close(rows->gaps);
    rows->gaps = NULL;
    SCREE_TRY(rows->solver->open(&rows->gaps, model, NULL));
    SCREE_ALLOC(rows->missing, height * scree_model_get(model)->d, NULL);
    SCREE_ALLOC(rows->done, height, NULL);
done:
    return status;
}

/* Marks the missing cells of a row, and those that are ignored; how many are missing, or -1 when there is an infinite
 * one. */
static int64_t mark(const double *x, int64_t d, const uint8_t *ignored, uint8_t *missing)
{
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++) {
        missing[j] = (bool)isnan(x[j]);
        count += missing[j];
        if (ignored && ignored[j])
            missing[j] = 1;
        if (isinf(x[j]))
            return -1;
    }
    return count;
}

scree_status scree__gap_rows_fill(scree__gap_rows *rows, const scree__question *question, scree__chunk *chunk,
                                  double *x, void *out)
{
    scree_status status = SCREE_OK;
    const int64_t d = question->width;
    const int64_t end = chunk->skip + chunk->count;
    const bool whole = question->spectrum && question->spectrum(out);
    SCREE_TRY(allocate(rows, question->model, chunk->height));
    for (int64_t i = chunk->skip; i < end; i++) {
        const int64_t count = chunk->gap[i] ? mark(x + i * d, d, question->ignored, rows->missing + i * d) : 0;
        if (count < 0)
            return SCREE_ERR_VALUE;
        rows->done[i] = !chunk->gap[i] || (count == 0 && !question->ignored);
        rows->met.rows += count > 0;
        rows->met.cells += count;
        rows->met.empty += count == d;
    }
    for (int64_t i = chunk->skip; i < end; i++) {
        const uint8_t *pattern = rows->missing + i * d;
        if (rows->done[i])
            continue;
        SCREE_TRY(rows->solver->solve(rows->gaps, pattern, whole, NULL));
        for (int64_t k = i; k < end; k++) {
            if (rows->done[k] || memcmp(rows->missing + k * d, pattern, (size_t)d) != 0)
                continue;
            rows->solver->fill(rows->gaps, x + k * d);
            if (question->gap)
                SCREE_TRY(question->gap(rows->gaps, x + k * d, chunk->from + k - chunk->skip, out));
            rows->done[k] = true;
        }
    }
    chunk->missing = rows->missing;
done:
    return status;
}
