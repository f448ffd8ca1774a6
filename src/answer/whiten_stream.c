/* SPDX-License-Identifier: BSD-3-Clause */
/* Whitened codes: w = L^(-½) Uᵀ((x - µ)/scale), of which each has variance 1 over the fitted rows, and rows of
 * such codes. L has the divisor of the model, N - ddof, or another one that is asked for. A component whose eigenvalue
 * is within its own error bound of 0, or below the rounding of the largest, has no direction that could be stretched
 * to 1: it is refused. M multiplications a row more than a projection. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/team.h"
#include "model/kind.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

typedef struct whitening {
    scree__row_query query; /* first: the map's context */
    double *factor;         /* M: √λ */
    double *zero;           /* M, of unwhiten: what is subtracted from codes */
    double *inverse;        /* M */
    int64_t m;
} whitening;

/* Codes that are of variance 1 as they are: factors of a rotated model. */
static bool is_white(const scree_model *model)
{
    const scree__meaning *meaning = model->kind->meaning;
    for (int64_t k = 0; meaning && k < model->view.m; k++)
        if (meaning->variance(model, k) != 1)
            return false;
    return meaning != NULL;
}

static scree_status check(const scree_model *model, const scree_whiten_options *options, scree_error *error)
{
    if (!scree_model_can(model, SCREE_CAN_ORDER) && is_white(model))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s is %s, and its codes have variance 1 as they are; use 'scree project' and 'scree "
                           "reconstruct' without --whiten",
                           model->name ? model->name : "the model", model->kind->noun);
    const scree_status status = scree__kind_needs(model, SCREE_CAN_ORDER, "whiten", error);
    if (status == SCREE_OK && (options->ddof < -1 || options->ddof > 1))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "ddof is 0 (divisor N), 1 (divisor N-1) or -1 (that of the model), not %d", options->ddof);
    return status;
}

/* √λ of each component, λ with the divisor that is asked for. */
static scree_status find_factors(whitening *w, const scree_model *model, int ddof, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    const double own = view->weight - view->ddof;
    const double divisor = view->weight - (ddof < 0 ? view->ddof : ddof);
    const double least = view->m > 0 ? (double)view->d * DBL_EPSILON * view->eigenvalues[0] : 0;
    w->m = view->m;
    if (view->weight > 0 && !(divisor > 0 && own > 0))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "a total weight of %g leaves nothing of the divisor N - %d; whiten with ddof 0", view->weight, ddof);
    SCREE_ALLOC(w->factor, view->m, error);
    for (int64_t j = 0; j < view->m; j++) {
        const double value = view->eigenvalues[j];
        const double bound = view->graded ? 0 : fmax(least, view->eigenvalue_bounds ? view->eigenvalue_bounds[j] : 0);
        if (!(value > bound))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC,
                       "component %" PRId64 " has the eigenvalue %.3g, which is no more than rounding, so that its "
                       "codes cannot be given unit variance; keep %" PRId64 " component%s (-k)",
                       j + 1, value, j, j == 1 ? "" : "s");
        w->factor[j] = sqrt(view->weight > 0 ? value * own / divisor : value);
    }
done:
    return status;
}

static scree_status whiten_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    whitening *w = context;
    const scree_status status = scree__row_query_block(&w->query, block, out, threads, error);
    for (int64_t i = 0; status == SCREE_OK && i < block->rows; i++)
        for (int64_t j = 0; j < w->m; j++)
            out[i * w->m + j] /= w->factor[j];
    return status;
}

static void clear(whitening *w)
{
    scree__row_query_close(&w->query);
    free(w->factor);
    free(w->zero);
    free(w->inverse);
}

scree_status scree_model_whiten(const scree_model *model, scree_source *source, scree_sink *sink,
                                const scree_whiten_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_whiten_options mine = SCREE_WHITEN_OPTIONS_INIT;
    const scree_model_view *view = scree_model_get(model);
    scree_run own;
    const scree_run *run = NULL;
    whitening w = {.query = {.source = source}};
    char **names = NULL;
    bool shared = false;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    run = mine.run;
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(check(model, &mine, error));
    SCREE_TRY(find_factors(&w, model, mine.ddof, error));
    SCREE_TRY(scree__match_columns(&w.query.columns, model, source, error));
    SCREE_TRY(scree__name_codes(&names, SCREE__WHITE_PREFIX, view->m, error));
    SCREE_TRY(scree__project_open(&w.query.chunks, model, source->about.cols, run->threads, error));
    const scree__map map = {.stage = "project",
                            .cols = view->m,
                            .columns = (const char *const *)names,
                            .rows = whiten_rows,
                            .takes_origin = true,
                            .normal = scree__row_query_normal(model),
                            .uses = w.query.columns,
                            .use_count = view->d,
                            .shares = true,
                            .context = &w};
    shared = true;
    SCREE_TRY(scree__stream_run(source, &map, sink, run, error));
done:
    clear(&w);
    scree__strings_free(names, view->m);
    return scree__team_settle(run, shared, status, error);
}

/* Codes are loaded as (w - 0)/λ^(-½): the loader of chunks then makes codes of them. */
static scree_status stretch(whitening *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(w->zero, w->m, error);
    SCREE_ALLOC(w->inverse, w->m, error);
    for (int64_t j = 0; j < w->m; j++)
        w->inverse[j] = 1 / w->factor[j];
    w->query.chunks.question.mean = w->zero;
    w->query.chunks.question.scale = w->inverse;
done:
    return status;
}

scree_status scree_model_unwhiten(const scree_model *model, scree_source *codes, scree_sink *sink,
                                  const scree_whiten_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_whiten_options mine = SCREE_WHITEN_OPTIONS_INIT;
    const scree_model_view *view = scree_model_get(model);
    scree_run own;
    const scree_run *run = NULL;
    whitening w = {.query = {.source = codes}};
    const scree__map map = {.stage = "reconstruct",
                            .cols = view->d,
                            .columns = view->columns,
                            .rows = scree__row_query_map,
                            .context = &w.query};
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    run = mine.run;
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(check(model, &mine, error));
    SCREE_TRY(find_factors(&w, model, mine.ddof, error));
    SCREE_TRY(scree__match_whitened(&w.query.columns, model, codes, error));
    SCREE_TRY(scree__reconstruct_open(&w.query.chunks, model, codes->about.cols, run->threads, error));
    SCREE_TRY(stretch(&w, error));
    SCREE_TRY(scree__stream_run(codes, &map, sink, run, error));
done:
    clear(&w);
    return status;
}
