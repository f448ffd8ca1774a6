/* SPDX-License-Identifier: BSD-3-Clause */
/* What columns are divided by: √variance (unit), √√variance (Pareto), what the caller gives, or max - min, which takes
 * a pass of its own before any method begins, over the cells that are there; or √(2p(1-p)), which takes one, too, but
 * for genotypes that were counted. A column that does not vary has the scale
 * 1. Where columns came times powers of two (range.c), so are their scales: S is that of the columns before. */

#include "fit/scales.h"

#include "base/memory.h"
#include "base/sized.h"
#include "data/genotypes.h"

#include <math.h>

enum { BATCH_BYTES = 1 << 20 };

typedef struct reaches {
    double *low;    /* D */
    double *high;   /* D */
    double *buffer; /* D */
} reaches;

static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    const reaches *r = context;
    const scree__rows x = scree__batch_rows(batch);
    (void)error;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, r->buffer);
        for (int64_t j = 0; j < x.cols; j++) {
            r->low[j] = row[j] < r->low[j] ? row[j] : r->low[j]; /* a missing cell is neither */
            r->high[j] = row[j] > r->high[j] ? row[j] : r->high[j];
        }
    }
    return SCREE_OK;
}

static scree_status measure(double *scales, const scree_fit_options *options, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = source->about.cols;
    reaches r = {0};
    scree_run run;
    const scree_run *used = options->run;
    char label[256];
    SCREE_TRY(scree__run_adopt(&run, &used, error));
    SCREE_ALLOC(r.low, d, error);
    SCREE_ALLOC(r.high, d, error);
    SCREE_ALLOC(r.buffer, d, error);
    for (int64_t j = 0; j < d; j++) {
        r.low[j] = HUGE_VAL;
        r.high[j] = -HUGE_VAL;
    }
    const scree__pass pass = {.stage = "fit",
                              .pass = 1,
                              .batch_rows = scree__source_rows_in(source, BATCH_BYTES),
                              .run = used,
                              .takes_origin = true,
                              .visit = look,
                              .context = &r};
    SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
    for (int64_t j = 0; j < d; j++) {
        const bool is_known = r.high[j] > r.low[j] && !isinf(r.high[j]) && !isinf(r.low[j]);
        scales[j] = is_known ? r.high[j] - r.low[j] : 1; /* an infinite cell is for the method to refuse */
        if (isinf(scales[j]))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: the range of %s is no double; rescale it", source->about.path,
                       scree__column_label(source, j, label, sizeof label));
    }
done:
    free(r.low);
    free(r.high);
    free(r.buffer);
    return status;
}

typedef struct copies {
    const scree_source *source;
    double *sum;    /* D, of the cells that are there */
    double *seen;   /* D: how many these are */
    double *buffer; /* D */
} copies;

static scree_status add_copies(void *context, const scree__batch *batch, scree_error *error)
{
    const copies *c = context;
    const scree__rows x = scree__batch_rows(batch);
    char label[256];
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, c->buffer);
        for (int64_t j = 0; j < x.cols; j++) {
            if (isnan(row[j]))
                continue;
            if (!(row[j] >= 0 && row[j] <= 2))
                return scree__fail(error, SCREE_ERR_VALUE,
                                   "%s: %s has the value %g, and --scale binomial is for copies of an allele, from 0 "
                                   "to 2; use another scale",
                                   c->source->about.path, scree__column_label(c->source, j, label, sizeof label),
                                   row[j]);
            c->sum[j] += row[j];
            c->seen[j]++;
        }
    }
    return SCREE_OK;
}

/* √(2p(1-p)) from the means of copies: of genotypes, which were counted, and of others by a pass. */
static scree_status measure_copies(double *scales, const scree_fit_options *options, scree_source *source,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = source->about.cols;
    copies c = {.source = source};
    scree_run run;
    const scree_run *used = options->run;
    if (source->genotypes) {
        for (int64_t j = 0; j < d; j++)
            scales[j] = scree__calls_scale(scree__calls_mean(&source->genotypes->counts[j]));
        return SCREE_OK;
    }
    SCREE_TRY(scree__run_adopt(&run, &used, error));
    SCREE_ALLOC(c.sum, d, error);
    SCREE_ALLOC(c.seen, d, error);
    SCREE_ALLOC(c.buffer, d, error);
    const scree__pass pass = {.stage = "fit",
                              .pass = 1,
                              .batch_rows = scree__source_rows_in(source, BATCH_BYTES),
                              .run = used,
                              .visit = add_copies,
                              .context = &c};
    SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
    for (int64_t j = 0; j < d; j++)
        scales[j] = scree__calls_scale(c.seen[j] > 0 ? c.sum[j] / c.seen[j] : 0);
done:
    free(c.sum);
    free(c.seen);
    free(c.buffer);
    return status;
}

scree_status scree__scales_find(double **own, scree_fit_options *options, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *scales = NULL;
    *own = NULL;
    const bool binomial = options->scale == SCREE_SCALE_BINOMIAL;
    if ((options->scale != SCREE_SCALE_RANGE && !binomial) || options->scales)
        return SCREE_OK;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and scaling columns by their %s takes one pass and fitting them "
                   "another; save the rows to a file first, or scale by unit or pareto",
                   source->about.path, binomial ? "frequencies" : "ranges");
    SCREE_ALLOC(scales, source->about.cols, error);
    SCREE_TRY((binomial ? measure_copies : measure)(scales, options, source, error));
    options->scales = *own = scales;
    scales = NULL;
done:
    free(scales);
    return status;
}

double scree__scale_of(const scree__job *job, int64_t j, double variance)
{
    const double f = job->factor ? job->factor[j] : 1;
    switch (job->options->scale) {
    case SCREE_SCALE_UNIT:
        return variance > 0 ? sqrt(variance) : 1;
    case SCREE_SCALE_PARETO:
        return variance > 0 ? sqrt(sqrt(variance) * f) : 1;
    case SCREE_SCALE_RANGE:
    case SCREE_SCALE_GIVEN:
    case SCREE_SCALE_BINOMIAL:
        return job->options->scales ? job->options->scales[j] * f : 1;
    case SCREE_SCALE_NONE:
    default:
        return 1;
    }
}

scree_status scree__scales_check(const scree_fit_options *options, const scree_source *source, scree_error *error)
{
    char label[256];
    if (options->scale < SCREE_SCALE_NONE || options->scale > SCREE_SCALE_BINOMIAL)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "scale is one of SCREE_SCALE_NONE to SCREE_SCALE_BINOMIAL, not %d", (int)options->scale);
    if (options->scale == SCREE_SCALE_GIVEN && !options->scales)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "SCREE_SCALE_GIVEN needs scales; give one for each column");
    for (int64_t j = 0; options->scale == SCREE_SCALE_GIVEN && j < source->about.cols; j++)
        if (!(options->scales[j] > 0 && isfinite(options->scales[j])))
            return scree__fail(error, SCREE_ERR_VALUE, "the scale of %s is %g; give each column a positive number",
                               scree__column_label(source, j, label, sizeof label), options->scales[j]);
    return SCREE_OK;
}
