/* SPDX-License-Identifier: BSD-3-Clause */
/* What columns are divided by: √variance (unit), √√variance (Pareto), what the caller gives, or max - min, which takes
 * a pass of its own before any method begins, over the cells that are there. A column that does not vary has the scale
 * 1. Where columns came times powers of two (range.c), so are their scales: S is that of the columns before. */

#include "fit/scales.h"

#include "base/memory.h"
#include "base/sized.h"

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

scree_status scree__scales_find(double **own, scree_fit_options *options, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *scales = NULL;
    *own = NULL;
    if (options->scale != SCREE_SCALE_RANGE || options->scales)
        return SCREE_OK;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and scaling columns by their ranges takes one pass and fitting them "
                   "another; save the rows to a file first, or scale by unit or pareto",
                   source->about.path);
    SCREE_ALLOC(scales, source->about.cols, error);
    SCREE_TRY(measure(scales, options, source, error));
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
        return job->options->scales ? job->options->scales[j] * f : 1;
    case SCREE_SCALE_NONE:
    default:
        return 1;
    }
}

scree_status scree__scales_check(const scree_fit_options *options, const scree_source *source, scree_error *error)
{
    char label[256];
    if (options->scale < SCREE_SCALE_NONE || options->scale > SCREE_SCALE_GIVEN)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "scale is one of SCREE_SCALE_NONE to SCREE_SCALE_GIVEN, not %d",
                           (int)options->scale);
    if (options->scale == SCREE_SCALE_GIVEN && !options->scales)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "SCREE_SCALE_GIVEN needs scales; give one for each column");
    for (int64_t j = 0; options->scale == SCREE_SCALE_GIVEN && j < source->about.cols; j++)
        if (!(options->scales[j] > 0 && isfinite(options->scales[j])))
            return scree__fail(error, SCREE_ERR_VALUE, "the scale of %s is %g; give each column a positive number",
                               scree__column_label(source, j, label, sizeof label), options->scales[j]);
    return SCREE_OK;
}
