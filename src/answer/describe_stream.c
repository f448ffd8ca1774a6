/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_describe: rows in, what they have to do with the components out, in one pass. With c the row centred and
 * scaled, z_k its code and s_k² the variance of code k in the rows that were fitted,
 *
 *     cos²_k = z_k² / (‖w_k‖² ‖c‖²),   contribution_k = 100 ω z_k² / (s_k² (Σω - ddof)),   distance = ‖c‖
 *
 * where w_k are the weights of the code, of length 1 in PCA, and ω that of the row. A row at the mean has no direction:
 * its cos² is NaN. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "model/kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NAME = 40 };

typedef struct describing {
    scree__row_query query;
    scree__describe_out out;
    const scree_model *model;
    scree_describe_options options;
    int64_t cols;
    int64_t capacity; /* rows of a block */
    double weight;    /* of the rows so far */
    double *lengths;  /* M: ‖w_k‖² */
    char **names;     /* cols */
} describing;

static bool has_contributions(const scree_describe_options *options)
{
    return options->training && !options->no_contributions;
}

static scree_status name_columns(describing *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = all->model->view.m;
    const char *prefix = scree__model_code_prefix(all->model);
    const struct {
        bool wanted;
        const char *before;
    } parts[] = {{!all->options.no_coordinates, ""},
                 {!all->options.no_cos2, "cos2_"},
                 {has_contributions(&all->options), "contribution_"}};
    SCREE_ALLOC(all->names, 3 * m + 1, error);
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        for (int64_t k = 0; k < m && parts[part].wanted; k++) {
            SCREE_ALLOC(all->names[all->cols], NAME, error);
            snprintf(all->names[all->cols++], NAME, "%s%s%" PRId64, parts[part].before, prefix, k + 1);
        }
    if (!all->options.no_distance) {
        SCREE_ALLOC(all->names[all->cols], NAME, error);
        snprintf(all->names[all->cols++], NAME, "distance");
    }
    if (all->cols == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "nothing of the rows is asked for; leave something of them in");
done:
    return status;
}

static scree_status reserve(describing *all, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (rows <= all->capacity)
        return SCREE_OK;
    free(all->out.codes);
    free(all->out.squares);
    all->out.codes = all->out.squares = NULL;
    all->capacity = 0;
    SCREE_ALLOC(all->out.codes, rows * all->model->view.m, error);
    SCREE_ALLOC(all->out.squares, rows, error);
    all->capacity = rows;
done:
    return status;
}

static void describe_row(const describing *all, int64_t i, double weight, double *out)
{
    const scree_model_view *view = scree_model_get(all->model);
    const scree__meaning *meaning = all->model->kind->meaning;
    const double *z = all->out.codes + i * view->m;
    const double square = all->out.squares[i];
    const double divisor = scree__model_divisor(view);
    for (int64_t k = 0; k < view->m && !all->options.no_coordinates; k++)
        *out++ = z[k];
    for (int64_t k = 0; k < view->m && !all->options.no_cos2; k++)
        *out++ = square > 0 ? z[k] * z[k] / (all->lengths[k] * square) : NAN;
    for (int64_t k = 0; k < view->m && has_contributions(&all->options); k++)
        *out++ = 100 * weight * z[k] * z[k] / (meaning->variance(all->model, k) * divisor);
    if (!all->options.no_distance)
        *out = sqrt(square);
}

static scree_status describe_rows(void *context, const scree__block *block, double *out, int threads,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    describing *all = context;
    SCREE_TRY(reserve(all, block->rows, error));
    SCREE_TRY(scree__row_query_block(&all->query, block, &all->out, threads, error));
    SCREE_TRY(scree__row_query_weights(&all->query, block, error));
    for (int64_t i = 0; i < block->rows; i++) {
        const double weight = block->weights ? block->weights[i] : 1;
        all->weight += weight;
        describe_row(all, i, weight, out + i * all->cols);
    }
done:
    return status;
}

/* Rows that were fitted are as many as were fitted. */
static scree_status check_training(const describing *all, const scree_source *source, scree_error *error)
{
    const scree_model_view *view = scree_model_get(all->model);
    const bool plain = view->weight == (double)view->n && !source->about.weighted;
    if (!all->options.training || !plain || source->about.rows < 0 || source->about.rows == view->n)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s has %" PRId64 " rows and the model was fitted to %" PRId64
                       ", so these are not the rows that were fitted; ask without contributions",
                       source->about.path, source->about.rows, view->n);
}

/* Nor have rows that were fitted with weights others. */
static scree_status check_weights(const describing *all, const scree_source *source, bool is_read, scree_error *error)
{
    const scree_model_view *view = scree_model_get(all->model);
    if (!has_contributions(&all->options))
        return SCREE_OK;
    if (view->weight != (double)view->n && !source->about.weighted)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: the model was fitted with weights, which contributions of rows depend on; give "
                           "the same weights (--weights), or ask without contributions",
                           source->about.path);
    if (is_read && source->about.weighted && fabs(all->weight - view->weight) > 1e-6 * view->weight)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: the weights add up to %.10g and those of the fit to %.10g, so these are not the rows "
                           "and weights that were fitted; ask without contributions",
                           source->about.path, all->weight, view->weight);
    return SCREE_OK;
}

static scree_status measure_weights(describing *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(all->lengths, all->model->view.m, error);
    for (int64_t k = 0; k < all->model->view.m; k++)
        all->lengths[k] = scree__meaning_length(all->model, k);
done:
    return status;
}

scree_status scree_model_describe(const scree_model *model, scree_source *source, scree_sink *sink,
                                  const scree_describe_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run own;
    describing all = {.query = {.source = source}, .model = model, .options = SCREE_DESCRIBE_OPTIONS_INIT};
    SCREE_TRY(SCREE_ADOPT(&all.options, options, error));
    SCREE_TRY(scree__run_adopt(&own, &all.options.run, error));
    SCREE_TRY(scree__match_columns(&all.query.columns, model, source, error));
    SCREE_TRY(
        scree__describe_open(&all.query.chunks, &all.out, model, source->about.cols, all.options.run->threads, error));
    SCREE_TRY(check_training(&all, source, error));
    SCREE_TRY(check_weights(&all, source, false, error));
    SCREE_TRY(name_columns(&all, error));
    SCREE_TRY(measure_weights(&all, error));
    const scree__map map = {.stage = "describe",
                            .cols = all.cols,
                            .columns = (const char *const *)all.names,
                            .rows = describe_rows,
                            .takes_origin = true,
                            .normal = scree__row_query_normal(model),
                            .uses = all.query.columns,
                            .use_count = scree_model_get(model)->d,
                            .context = &all};
    SCREE_TRY(scree__stream_run(source, &map, sink, all.options.run, error));
    SCREE_TRY(check_training(&all, source, error)); /* now their number is known */
    SCREE_TRY(check_weights(&all, source, true, error));
done:
    scree__row_query_close(&all.query);
    scree__strings_free(all.names, all.cols);
    free(all.out.codes);
    free(all.out.squares);
    free(all.lengths);
    return status;
}
