/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of which only the observed cells are kept, measured for EM: counts, means and variances of the columns, by two
 * reads of the cells, the second about the means with what rounding left of them taken off. One thread, in the order of
 * the cells: two additions a cell. */

#include "fit/em.h"

#include "base/memory.h"

#include <math.h>

/* The sentence for the first cell that is infinite. */
static scree_status fail_infinite(const scree__job *job, const scree__csr *cells, int64_t at, scree_error *error)
{
    char label[256];
    int64_t row = 0;
    while (cells->start[row + 1] <= at)
        row++;
    const char *file = scree__source_locate(job->source, &row);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %lld, %s is infinite; give the cell a number, or leave it out",
                       file, (long long)(row + 1),
                       scree__column_label(job->source, cells->column[at], label, sizeof label));
}

scree_status scree__em_rows_measure(scree__em_rows *r, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__csr *cells = job->source->cells;
    const int64_t count = cells->start[cells->rows];
    double *origin = NULL;
    SCREE_ALLOC(origin, cells->cols, error);
    for (int64_t c = 0; c < count; c++) {
        const int32_t j = cells->column[c];
        if (isinf(cells->value[c]))
            SCREE_TRY(fail_infinite(job, cells, c, error));
        if (r->seen[j] == 0)
            origin[j] = cells->value[c];
        r->counts[j]++;
        r->seen[j]++;
        r->mean[j] += cells->value[c] - origin[j];
    }
    for (int64_t j = 0; j < cells->cols; j++) {
        r->mean[j] = r->seen[j] > 0 ? origin[j] + r->mean[j] / r->seen[j] : 0;
        origin[j] = 0; /* from now on: what is left of the sum about the mean */
    }
    for (int64_t c = 0; c < count; c++) {
        const int32_t j = cells->column[c];
        const double off = cells->value[c] - r->mean[j];
        origin[j] += off;
        r->variance[j] += off * off;
    }
    for (int64_t j = 0; j < cells->cols; j++)
        r->variance[j] -= r->seen[j] > 0 ? origin[j] * origin[j] / r->seen[j] : 0;
    for (int64_t i = 0; i < cells->rows; i++)
        r->empty += cells->start[i] == cells->start[i + 1];
    r->rows = cells->rows;
    r->weight = (double)cells->rows;
done:
    free(origin);
    return status;
}
