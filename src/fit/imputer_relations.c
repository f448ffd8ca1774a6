/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between columns (model/relations.h) of rows with gaps. The complete rows among those gathered have a
 * covariance, whose pivots tell (kernel/dependent.c); what they tell must hold in all other rows, too, in which nothing
 * is missing of it: an exact relation in each, another one by its variance. Where complete rows are no more than the
 * directions that they span nothing can be told. O(N D²), D ≤ 256. */

#include "fit/imputer.h"

#include "base/memory.h"
#include "kernel/dependent.h"
#include "model/relations.h"

#include <math.h>
#include <string.h>

static const double RELATIVE = 1e-6; /* of what is added up: rounding */
static const double LARGER = 3;      /* times its variance: errors in the other rows, squared, on average */

/* Standardised columns of the table, and their moments over complete rows. */
typedef struct complete {
    const scree__imputer_table *table;
    int64_t rows;
    double *mean;       /* cols */
    double *covariance; /* cols×cols */
} complete;

static bool is_complete(const double *x, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++)
        if (isnan(x[j]))
            return false;
    return true;
}

static void measure(complete *c)
{
    const int64_t cols = c->table->cols;
    for (int64_t i = 0; i < c->table->rows; i++) {
        const double *x = c->table->x + i * cols;
        if (!is_complete(x, cols))
            continue;
        c->rows++;
        for (int64_t j = 0; j < cols; j++)
            c->mean[j] += x[j];
    }
    for (int64_t j = 0; c->rows > 0 && j < cols; j++)
        c->mean[j] /= (double)c->rows;
    for (int64_t i = 0; c->rows > 1 && i < c->table->rows; i++) {
        const double *x = c->table->x + i * cols;
        if (!is_complete(x, cols))
            continue;
        for (int64_t j = 0; j < cols; j++)
            for (int64_t k = 0; k <= j; k++)
                c->covariance[j * cols + k] += (x[j] - c->mean[j]) * (x[k] - c->mean[k]);
    }
    for (int64_t j = 0; j < cols; j++)
        for (int64_t k = 0; k <= j; k++)
            c->covariance[k * cols + j] = c->covariance[j * cols + k] =
                c->rows > 1 ? c->covariance[j * cols + k] / (double)(c->rows - 1) : 0;
}

/* Whether relation k holds in all rows of the table that have its cells. */
static bool holds(const complete *c, const scree__dependent *found, int64_t k, double offset)
{
    const int64_t cols = c->table->cols;
    const int64_t p = found->columns[k];
    const double *a = found->coefficients + k * cols;
    double squares = 0;
    double rows = 0;
    for (int64_t i = 0; i < c->table->rows; i++) {
        const double *x = c->table->x + i * cols;
        double off = offset - x[p];
        double size = 1 + fabs(offset) + fabs(x[p]);
        for (int64_t j = 0; j < cols; j++)
            if (a[j] != 0) {
                off += a[j] * x[j];
                size += fabs(a[j]) * (1 + fabs(x[j]));
            }
        if (isnan(off))
            continue;
        if (found->variances[k] == 0 && fabs(off) > RELATIVE * size)
            return false;
        squares += off * off;
        rows++;
    }
    return found->variances[k] == 0 || squares <= LARGER * rows * found->variances[k];
}

/* Relation k, from standardised columns to those that questions load. */
static void convert(scree__relations *to, int64_t at, const complete *c, const scree__dependent *found, int64_t k,
                    double offset, const scree__imputer *frame)
{
    const int64_t *column = c->table->column;
    const int64_t p = column[found->columns[k]];
    const double deviation = frame->deviation[p];
    to->columns[at] = p;
    to->variances[at] = found->variances[k] * deviation * deviation;
    to->offsets[at] = frame->centre[p] + deviation * offset;
    for (int64_t j = 0; j < c->table->cols; j++) {
        const double a = found->coefficients[k * c->table->cols + j] * deviation / frame->deviation[column[j]];
        to->coefficients[at * to->d + column[j]] = a;
        to->offsets[at] -= a * frame->centre[column[j]];
    }
}

static scree_status keep(scree__relations **out, const complete *c, const scree__dependent *found,
                         const scree__imputer *frame, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = c->table->cols;
    scree__relations *made = NULL;
    int64_t count = 0;
    if (found->count == 0)
        goto done;
    SCREE_TRY(scree__relations_new(&made, found->count, frame->d, error));
    for (int64_t k = 0; k < found->count; k++) {
        double offset = c->mean[found->columns[k]];
        for (int64_t j = 0; j < cols; j++)
            offset -= found->coefficients[k * cols + j] * c->mean[j];
        if (holds(c, found, k, offset))
            convert(made, count++, c, found, k, offset, frame);
    }
    if (count == 0)
        goto done;
    made->count = made->view.count = count;
    *out = made;
    made = NULL;
done:
    scree__relations_free(made);
    return status;
}

scree_status scree__imputer_relate(scree__relations **out, scree__imputer *frame, const scree__imputer_table *table,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    complete c = {.table = table};
    scree__dependent found = {0};
    if (table->cols > SCREE__DEPENDENT_MOST)
        goto done;
    SCREE_ALLOC(c.mean, table->cols, error);
    SCREE_ALLOC(c.covariance, table->cols * table->cols, error);
    measure(&c);
    if (c.rows > 1)
        SCREE_TRY(scree__dependent_find(&found, c.covariance, table->cols, (double)(c.rows - 1), error));
    frame->view.relations_sought = c.rows - 1 > found.basis;
    SCREE_TRY(keep(out, &c, &found, frame, error));
done:
    free(c.mean);
    free(c.covariance);
    scree__dependent_clear(&found);
    return status;
}
