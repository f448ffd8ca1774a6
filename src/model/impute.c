/* SPDX-License-Identifier: BSD-3-Clause */
/* Filling gaps: E[x_m|x_o]·scale + µ into the cells that are missing, or draws from p(x_m|x_o), and the standard
 * deviations. A model that was fitted to rows with gaps has an imputer for that (imputer.h); of others it is what
 * follows from the components (gaps.c), with deviations √(W_m C W_mᵀ + σ²)·scale, widened for what is not known of the
 * parameters (gap_widening.c). Relations between columns are kept to (related.c). Cells that are there are not touched,
 * and rows without gaps cost no arithmetic but their loading. Draw k of row n is stream n·draws + k of the generator:
 * any thread may make it. */

#include "base/sized.h"
#include "model/answers.h"
#include "model/frame.h"
#include "model/imputer.h"
#include "model/kind.h"
#include "model/ppca.h"
#include "model/related.h"

#include <string.h>

/* The missing cells of a row, whoever fills them. */
typedef struct filled {
    const scree_model_view *model;
    const int64_t *columns; /* those observed, then those missing */
    int64_t seen;
} filled;

/* The missing cells of x, back in the columns as they came, into a row of the output. */
static void write_cells(const filled *cells, const scree__impute_out *into, const double *x, double *row)
{
    const scree_model_view *model = cells->model;
    for (int64_t i = cells->seen; i < model->d; i++) {
        const int64_t j = cells->columns[i];
        row[into->offset + (into->columns ? into->columns[j] : j)] = scree__frame_leave(model, j, x[j]);
    }
}

/* x: what is expected. */
static void widen_draw(const filled *cells, const double *x, const double *wide, double *drawn)
{
    for (int64_t i = cells->seen; i < cells->model->d; i++) {
        const int64_t j = cells->columns[i];
        drawn[j] = x[j] + (drawn[j] - x[j]) * wide[j];
    }
}

static scree_status gap(void *solved, const double *x, int64_t row, void *out)
{
    scree__gaps *gaps = solved;
    const scree__impute_out *into = out;
    const scree_model_view *model = gaps->model;
    const filled cells = {model, gaps->columns, gaps->seen};
    const bool is_spread = into->sd || into->draws > 0;
    const double *sd = into->sd ? scree__gaps_deviations(gaps) : NULL;
    const double *wide = is_spread ? scree__gaps_widening(gaps) : NULL;
    if (into->draws == 0)
        write_cells(&cells, into, x, into->data + row * into->stride);
    for (int64_t k = 0; k < into->draws; k++) {
        const int64_t draw = (into->first + row) * into->draws + k;
        const double *drawn = scree__gaps_draw(gaps, into->seed, (uint64_t)draw);
        widen_draw(&cells, x, wide, gaps->drawn);
        write_cells(&cells, into, drawn, into->data + (row * into->draws + k) * into->stride);
    }
    for (int64_t i = gaps->seen; sd && i < model->d; i++) {
        const int64_t j = gaps->columns[i];
        into->sd[row * into->cols + (into->columns ? into->columns[j] : j)] =
            scree__frame_deviation(model, j, x[j], sd[j] * wide[j]);
    }
    return SCREE_OK;
}

/* The same of an imputer. */
static scree_status gap_of_imputer(void *solved, const double *x, int64_t row, void *out)
{
    scree__imputer_row *gaps = solved;
    const scree__impute_out *into = out;
    const scree_model_view *model = gaps->model;
    const filled cells = {model, gaps->columns, gaps->seen};
    if (into->draws == 0)
        write_cells(&cells, into, x, into->data + row * into->stride);
    for (int64_t k = 0; k < into->draws; k++)
        write_cells(&cells, into, scree__imputer_row_draw(gaps, into->seed, into->first + row, k, into->draws),
                    into->data + (row * into->draws + k) * into->stride);
    for (int64_t i = gaps->seen; into->sd && i < model->d; i++) {
        const int64_t j = gaps->columns[i];
        into->sd[row * into->cols + (into->columns ? into->columns[j] : j)] =
            scree__frame_deviation(model, j, x[j], scree__imputer_row_deviation(gaps, j));
    }
    return SCREE_OK;
}

/* The same, with relations between columns. */
static scree_status gap_of_related(void *solved, const double *x, int64_t row, void *out)
{
    scree__related *gaps = solved;
    const scree__impute_out *into = out;
    const scree_model_view *model = gaps->model;
    const filled cells = {model, gaps->columns, gaps->seen};
    const double *sd = into->sd ? scree__related_deviations(gaps) : NULL;
    if (into->draws == 0)
        write_cells(&cells, into, x, into->data + row * into->stride);
    for (int64_t k = 0; k < into->draws; k++)
        write_cells(&cells, into, scree__related_draw(gaps, x, into->seed, into->first + row, k, into->draws),
                    into->data + (row * into->draws + k) * into->stride);
    for (int64_t i = gaps->seen; sd && i < model->d; i++) {
        const int64_t j = gaps->columns[i];
        into->sd[row * into->cols + (into->columns ? into->columns[j] : j)] =
            scree__frame_deviation(model, j, x[j], sd[j]);
    }
    return SCREE_OK;
}

static bool spectrum(const void *out)
{
    const scree__impute_out *into = out;
    return into->sd || into->draws > 0;
}

void scree__ppca_impute(scree__question *question)
{
    question->gaps = true;
    question->gap = gap;
    question->spectrum = spectrum;
}

scree_status scree__impute_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                scree_error *error)
{
    scree__question question = scree__question_of(model->imputer ? model : scree_model_distribution(model));
    const scree_status status = SCREE__DENSITY_NEEDS(model, impute, "impute", error);
    if (status != SCREE_OK)
        return status;
    model->kind->density->impute(&question);
    if (model->imputer) {
        question.gap = gap_of_imputer;
        question.solver = &scree__imputer_gaps;
    }
    if (model->relations && !model->view.noise_given) {
        question.gap = gap_of_related;
        question.solver = model->imputer ? &scree__related_imputer_gaps : &scree__related_ppca_gaps;
    }
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_impute_rows(const scree_model *model, const scree_block *rows, const scree_imputed *out,
                                     const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = scree_model_get(model)->d;
    scree_imputed mine = SCREE_IMPUTED_INIT;
    scree__ask ask = {0};
    SCREE_TRY(SCREE_ADOPT(&mine, out, error));
    SCREE_TRY(scree__ask_rows(&ask, model, d, rows, run, error));
    SCREE_TRY(scree__ask_normalise(&ask, error));
    if (!mine.filled)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there is no place for the rows that are filled; set 'filled'");
    scree__impute_out into = {.data = mine.filled, .sd = mine.sd, .cols = d, .stride = d};
    for (int64_t i = 0; i < ask.rows.x.rows; i++) {
        double *to = mine.filled + i * d;
        const double *from = scree__row_block_load(&ask.rows, i, to);
        if (from != to)
            memmove(to, from, (size_t)d * sizeof *to);
    }
    if (mine.sd)
        memset(mine.sd, 0, (size_t)(ask.rows.x.rows * d) * sizeof *mine.sd);
    SCREE_TRY(scree__ask_question(&ask, scree__impute_open, &into, error));
done:
    scree__ask_close(&ask);
    return status;
}
