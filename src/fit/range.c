/* SPDX-License-Identifier: BSD-3-Clause */
/* With y = f x, f a power of two, S_x = S_y/f² and µ_x = µ_y/f without a rounding: eigenvectors are the same, and
 * eigenvalues and bounds are divided by f². f is the power that brings the largest distance from the first row, of all
 * columns or, where these are scaled, of each, to between 1 and 2. The log-likelihood of x is that of y plus log f for
 * each cell. Cost: one pass. */

#include "fit/range.h"

#include "base/memory.h"
#include "model/imputer.h"

#include <float.h>
#include <math.h>

enum { BATCH_BYTES = 1 << 20, MOST_EXPONENT = 1000 };
static const double LEAST_VALUE =
    0x1p-1012; /* of an eigenvalue: it has all its digits, and some below it are doubles */

typedef struct looking {
    double *first;  /* D: of the cells that are there */
    double *reach;  /* D: the largest distance from it */
    double *seen;   /* D */
    double *buffer; /* D */
} looking;

static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    const looking *l = context;
    const scree__rows x = scree__batch_rows(batch);
    (void)error;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, l->buffer);
        for (int64_t j = 0; j < x.cols; j++) {
            if (isnan(row[j]))
                continue;
            if (l->seen[j] == 0)
                l->first[j] = row[j];
            l->seen[j] += x.weights ? x.weights[i] : 1;
            l->reach[j] = fmax(l->reach[j], fabs(row[j] - l->first[j]));
        }
    }
    return SCREE_OK;
}

static double factor_of(double reach)
{
    const int exponent = ilogb(fmin(reach, DBL_MAX));
    return ldexp(1, -exponent < MOST_EXPONENT ? -exponent : MOST_EXPONENT);
}

scree_status scree__range_find(scree__range *range, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    double most = 0;
    looking l = {0};
    *range = (scree__range){0};
    SCREE_ALLOC(range->factor, job->cols, error);
    SCREE_ALLOC(range->seen, job->cols, error);
    SCREE_ALLOC(l.first, job->cols, error);
    SCREE_ALLOC(l.reach, job->cols, error);
    SCREE_ALLOC(l.buffer, job->cols, error);
    l.seen = range->seen;
    SCREE_TRY(scree__job_pass(job, 1, 0, scree__source_rows_in(job->source, BATCH_BYTES), look, &l, NULL, error));
    for (int64_t j = 0; j < job->cols; j++)
        most = fmax(most, l.reach[j]);
    if (most == 0)
        SCREE_TRY(scree__job_constant(job, error));
    for (int64_t j = 0; j < job->cols; j++)
        range->factor[j] = factor_of(job->options->scale != SCREE_SCALE_NONE && l.reach[j] > 0 ? l.reach[j] : most);
done:
    free(l.first);
    free(l.reach);
    free(l.buffer);
    if (status != SCREE_OK)
        scree__range_clear(range);
    return status;
}

void scree__range_clear(scree__range *range)
{
    free(range->factor);
    free(range->seen);
    *range = (scree__range){0};
}

/* Eigenvalues and their bounds, of columns that are not scaled. */
static void restore_values(scree__solution *s, double f)
{
    for (int64_t k = 0; k < s->k + s->spare; k++) {
        s->values[k] = s->values[k] / f / f;
        s->residuals[k] = s->residuals[k] / f / f;
        if (s->errors)
            s->errors[k] = s->errors[k] / f / f;
    }
    for (int64_t j = 0; j < s->spectrum_count; j++)
        s->spectrum[j] = s->spectrum[j] / f / f;
    s->squares = s->squares / f / f / f / f;
    if (!isfinite(s->squares)) /* not a double: as if nothing were known of it */
        s->squares = 0;
    s->total = s->total / f / f;
    s->next = s->next / f / f;
    s->rounding = s->rounding / f / f;
}

static scree_status fail_squares(const scree__job *job, double square, int64_t column, scree_error *error)
{
    char label[256] = "";
    if (column >= 0)
        scree__column_label(job->source, column, label, sizeof label);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: the values%s%s are too %s for their squares; rescale %s%s",
                       job->source->about.path, column >= 0 ? " of " : "", label, square < 1 ? "small" : "large",
                       column >= 0 ? "it" : "them", job->source->about.weighted ? ", or the weights" : "");
}

/* The column of the largest variance. */
static int64_t widest(const scree__solution *s, int64_t cols)
{
    int64_t found = 0;
    for (int64_t j = 1; j < cols; j++)
        if (s->variances[j] > s->variances[found])
            found = j;
    return found;
}

scree_status scree__range_restore(const scree__range *range, const scree__job *job, scree__solution *s,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t j = 0; j < job->cols; j++) {
        const double f = range->factor[j];
        const bool varies = s->variances[j] > 0;
        s->mean[j] /= f;
        s->variances[j] = s->variances[j] / f / f;
        if (s->scale && varies && !(s->variances[j] >= DBL_MIN && s->variances[j] <= DBL_MAX))
            SCREE_TRY(fail_squares(job, s->variances[j], j, error));
        if (s->scale && varies)
            s->scale[j] /= f;
        if (s->imputer && !s->scale) { /* its columns are those of the model, scaled or not */
            s->imputer->centre[j] /= f;
            s->imputer->deviation[j] /= f;
        }
        if (s->likelihood)
            s->likelihood->log_likelihood += range->seen[j] * log(f);
    }
    if (!s->scale)
        restore_values(s, range->factor[0]);
    if (!s->scale)
        scree__solution_rescale_relations(s, range->factor[0]);
    if (!s->scale && !(s->values[0] >= LEAST_VALUE && s->total <= DBL_MAX))
        SCREE_TRY(fail_squares(job, s->values[0], s->values[0] > 1 ? widest(s, job->cols) : -1, error));
done:
    return status;
}
