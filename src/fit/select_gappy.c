/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection from rows with gaps: rows are kept as for whitening, which takes gaps as they are (whiten.c). Under the
 * number of components that it finds, or the most that it could test, each gap becomes what the components expect, plus
 * noise drawn at random, of the size that its row and column have: so filled, a table has about the covariance that it
 * would have had without gaps, and the other criteria see that table. What may fill a gap is bounded (whiten_gaps.c).
 */

#include "fit/selection.h"

#include "base/memory.h"
#include "base/size_text.h"
#include "fit/em.h"

#include <math.h>
#include <stdio.h>

typedef struct keeping {
    const scree__job *job;
    scree__row_sample sample;
    int64_t gaps;
    int64_t rows; /* read */
    double *seen; /* cells of each column */
} keeping;

/* Keeps the rows in which something is observed. */
static scree_status keep(void *context, const scree__batch *batch, scree_error *error)
{
    keeping *k = context;
    const scree__rows x = scree__batch_rows(batch);
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, k->sample.x + k->sample.capacity * k->sample.cols);
        int64_t missing = 0;
        for (int64_t j = 0; j < x.cols; j++) {
            missing += isnan(row[j]);
            k->seen[j] += !isnan(row[j]);
            if (isinf(row[j]))
                return scree__em_bad_cell(k->job, batch, error);
        }
        k->gaps += missing;
        k->rows++;
        if (missing < x.cols)
            scree__row_sample_add(&k->sample, &x, i);
    }
    return SCREE_OK;
}

static scree_status read_rows(keeping *k, const scree__selecting *w, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__pass pass = {.stage = "select",
                              .pass = 2,
                              .passes = 2,
                              .batch_rows = SCREE__FILL_ROWS,
                              .run = w->options->run,
                              .visit = keep,
                              .context = k};
    SCREE_ALLOC(k->seen, w->job->cols, error);
    SCREE_TRY(scree__row_sample_make(&k->sample, rows, w->job->cols, w->options->seed, error));
    SCREE_TRY(scree__pass_run(w->job->source, &pass, NULL, error));
    SCREE_TRY(scree__em_check_columns(w->job, k->seen, k->rows, error));
    SCREE_TRY(scree__row_sample_sort(&k->sample, error));
    if (!scree__whiten_suffices(k->sample.rows, w->job->cols))
        SCREE_FAIL(
            error, SCREE_ERR_VALUE,
            "%s: cells are missing, and choosing despite that needs at least 12 rows and 4 columns; scree impute "
            "fills them in",
            w->job->source->about.path);
done:
    return status;
}

static scree_status check_memory(const scree__job *job, scree_error *error)
{
    const int64_t needed = scree__select_fill_memory(job);
    char limit[SCREE__SIZE_TEXT];
    char need[SCREE__SIZE_TEXT];
    if (needed <= job->memory)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s: %s is too little memory: cells are missing, and choosing despite that needs %s; allow that "
                       "much",
                       job->source->about.path, scree__size_text(limit, job->memory), scree__size_text(need, needed));
}

scree_status scree__select_fill(const scree__selecting *w, scree__spectrum *s, scree__filled *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    keeping k = {.job = w->job};
    const int64_t cols = w->job->cols;
    SCREE_TRY(scree__em_check_cells(w->job, error));
    SCREE_TRY(check_memory(w->job, error));
    const int64_t rows = scree__select_sample_rows(w->job, scree__pass_memory(w->job->source, SCREE__FILL_ROWS), s);
    if (rows == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: cells are missing, and choosing despite that %s",
                   w->job->source->about.path, s->unwhitened);
    SCREE_TRY(read_rows(&k, w, rows, error));
    scree__whiten_table table = {.x = k.sample.x,
                                 .n = k.sample.rows,
                                 .cols = cols,
                                 .directions = cols,
                                 .unit = s->is_scaled,
                                 .max_components = s->max_components > 0 ? s->max_components : cols,
                                 .complete = true,
                                 .seed = w->options->seed};
    SCREE_TRY(scree__whiten(&s->whitened, &table, error));
    if (!scree__whiten_suffices(table.n, table.cols_left))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: fewer than 4 columns vary, and cells are missing; scree impute fills them in",
                   w->job->source->about.path);
    *out = (scree__filled){
        .x = k.sample.x, .rows = table.n, .cols = table.cols_left, .gaps = k.gaps, .all_rows = k.sample.seen};
    k.sample.x = NULL;
done:
    free(k.seen);
    scree__row_sample_clear(&k.sample);
    return status;
}
