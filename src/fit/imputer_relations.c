/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between columns (model/relations.h) of rows with gaps. The complete rows among those gathered have a
 * covariance, whose pivots tell (kernel/dependent.c); what they tell must hold in all other rows, too, in which nothing
 * is missing of it: an exact relation in each, another one by its variance. Where complete rows are no more than the
 * directions that they span nothing can be told. Cells that were held out and that a relation determines say nothing of
 * how well fits predict the others. O(N D²), D ≤ 256. */

#include "fit/imputer.h"

#include "base/memory.h"
#include "kernel/decimals.h"
#include "kernel/dependent.h"
#include "kernel/witnesses.h"
#include "model/relations.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RELATIVE = 1e-6; /* of what is added up: rounding */
static const double ROUNDING = 8;    /* of doubles: a cell that was standardised */
static const double LARGER = 3;      /* times its variance: errors in the other rows, squared, on average */

/* Standardised columns of the table, and their moments over complete rows. */
typedef struct complete {
    const scree__imputer_table *table;
    int64_t rows;
    double *mean;                /* cols */
    double *covariance;          /* cols×cols */
    scree__witnesses *witnesses; /* these rows */
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

/* Whether relation k has a part of a column that varies in a few rows only, of which it then says nothing. */
static bool rests_on_few(const complete *c, const scree__dependent *found, int64_t k)
{
    bool few = false;
    for (int64_t j = 0; j < c->table->cols; j++)
        few = few || (found->coefficients[k * c->table->cols + j] != 0 && scree__witnesses_are_few(c->witnesses, j));
    return few;
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

static scree_status keep(scree__relations **out, const complete *c, const scree__dependent *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = c->table->cols;
    scree__relations *made = NULL;
    int64_t count = 0;
    if (found->count == 0)
        goto done;
    SCREE_TRY(scree__relations_new(&made, found->count, 0, cols, error));
    for (int64_t k = 0; k < found->count; k++) {
        const double *a = found->coefficients + k * cols;
        double offset = c->mean[found->columns[k]];
        for (int64_t j = 0; j < cols; j++)
            offset -= a[j] * c->mean[j];
        if (rests_on_few(c, found, k) || !holds(c, found, k, offset))
            continue;
        made->columns[count] = found->columns[k];
        made->variances[count] = found->variances[k];
        made->offsets[count] = offset;
        memcpy(made->coefficients + count * cols, a, (size_t)cols * sizeof *a);
        count++;
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

scree_status scree__imputer_relate(scree__relations **out, bool *sought, const scree__imputer_table *table,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    complete c = {.table = table};
    const scree__rows x = {
        .data = table->x, .type = SCREE_F64, .rows = table->rows, .cols = table->cols, .stride = table->cols};
    scree__dependent found = {0};
    *sought = false;
    if (table->cols > SCREE__DEPENDENT_MOST)
        goto done;
    SCREE_ALLOC(c.mean, table->cols, error);
    SCREE_ALLOC(c.covariance, table->cols * table->cols, error);
    SCREE_TRY(scree__witnesses_new(&c.witnesses, table->cols, error));
    measure(&c);
    scree__witnesses_add(c.witnesses, &x);
    scree__witnesses_finish(c.witnesses);
    const int64_t rows = scree__witnesses_distinct(c.witnesses, c.rows);
    if (rows > 1)
        SCREE_TRY(scree__dependent_find(&found, c.covariance, table->cols, (double)(rows - 1), c.witnesses, error));
    *sought = rows - 1 > found.basis;
    SCREE_TRY(keep(out, &c, &found, error));
done:
    free(c.mean);
    free(c.covariance);
    scree__witnesses_free(c.witnesses);
    scree__dependent_clear(&found);
    return status;
}

scree_status scree__imputer_relations(scree__relations **out, const scree__relations *related, const int64_t *column,
                                      const scree__imputer *frame, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__relations *to = NULL;
    if (!related)
        return SCREE_OK;
    SCREE_TRY(scree__relations_new(&to, related->count, 0, frame->d, error));
    for (int64_t k = 0; k < related->count; k++) {
        const int64_t p = column[related->columns[k]];
        const double deviation = frame->deviation[p];
        to->columns[k] = p;
        to->variances[k] = related->variances[k] * deviation * deviation;
        to->offsets[k] = frame->centre[p] + deviation * related->offsets[k];
        for (int64_t j = 0; j < related->d; j++) {
            const double a = related->coefficients[k * related->d + j] * deviation / frame->deviation[column[j]];
            to->coefficients[k * to->d + column[j]] = a;
            to->offsets[k] -= a * frame->centre[column[j]];
        }
    }
    *out = to;
done:
    return status;
}

void scree__imputer_decimals(scree__relations *relations, const scree__imputer_table *table, const double *mean,
                             const double *variance)
{
    for (int64_t j = 0; relations && j < relations->d; j++)
        relations->decimals[j] = 0; /* of columns that are not in the table: they have no part in relations */
    for (int64_t k = 0; relations && k < table->cols; k++) {
        const int64_t column = table->column[k];
        const double deviation = sqrt(variance[column]);
        int64_t decimals = 0;
        for (int64_t i = 0; i < table->rows; i++) {
            const double x = mean[column] + deviation * table->x[i * table->cols + k];
            if (!isnan(x))
                decimals = scree__decimals(x, ROUNDING * DBL_EPSILON * (fabs(x) + fabs(mean[column])), decimals);
        }
        relations->decimals[column] = decimals;
    }
}

/* The one missing cell of relation k in a row; -1: there is none, or more than one. */
static int64_t only_missing(const scree__relations *related, int64_t k, const bool *missing)
{
    int64_t found = -1;
    for (int64_t j = 0; j < related->d; j++) {
        if (!missing[j] || (related->coefficients[k * related->d + j] == 0 && related->columns[k] != j))
            continue;
        if (found >= 0)
            return -1;
        found = j;
    }
    return found;
}

/* Missing cells that a relation determines are no longer missing, and may determine others. */
static void close_row(const scree__relations *related, bool *missing)
{
    bool more = true;
    while (more) {
        more = false;
        for (int64_t k = 0; k < related->count; k++) {
            const int64_t cell = only_missing(related, k, missing);
            if (cell >= 0)
                missing[cell] = false;
            more |= cell >= 0;
        }
    }
}

scree_status scree__imputer_forget(scree__imputer_held *held, const scree__imputer_table *table,
                                   const scree__relations *related, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = table->cols;
    bool *missing = NULL;
    bool *stays = NULL;
    int64_t left = 0;
    if (!related)
        return SCREE_OK;
    SCREE_ALLOC(missing, cols, error);
    SCREE_ALLOC(stays, held->count, error);
    for (int64_t i = 0; i < held->count; i++) {
        const int64_t row = held->cell[i] / cols;
        if (i == 0 || held->cell[i - 1] / cols != row) {
            for (int64_t j = 0; j < cols; j++)
                missing[j] = (bool)isnan(table->x[row * cols + j]);
            close_row(related, missing);
        }
        stays[i] = missing[held->cell[i] % cols];
    }
    for (int64_t i = 0; i < held->count; i++) {
        if (!stays[i]) {
            table->x[held->cell[i]] = held->value[i];
            continue;
        }
        held->cell[left] = held->cell[i];
        held->value[left] = held->value[i];
        for (int64_t f = 0; f < SCREE__IMPUTER_FITS; f++) {
            held->expected[left * SCREE__IMPUTER_FITS + f] = held->expected[i * SCREE__IMPUTER_FITS + f];
            held->variance[left * SCREE__IMPUTER_FITS + f] = held->variance[i * SCREE__IMPUTER_FITS + f];
        }
        left++;
    }
    held->count = left;
done:
    free(missing);
    free(stays);
    return status;
}
