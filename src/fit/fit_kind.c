/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_fit: what must be known of the columns before any fit, and then the kind of model that is asked for fits
 * itself; the first of the table where none is named. Shared by all kinds: no kind finds scales by itself. */

#include "base/memory.h"
#include "base/sized.h"
#include "data/team.h"
#include "fit/prepare.h"
#include "fit/scales.h"
#include "model/kind.h"
#include "model/model.h"

#include <stdlib.h>

/* What only rows that become those of the first kind may go through. */
static const char *preparation(const scree_fit_options *options)
{
    return options->log1p            ? "log1p"
           : options->normalize != 0 ? "normalize"
           : options->top_variance   ? "top_variance"
                                     : NULL;
}

static scree_status fit(scree_model **out, scree_source *source, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
    scree_error problem = SCREE_ERROR_INIT; /* a first try may fail and a second succeed: then there is none */
    double *scales = NULL;
    scree_model *model = NULL;
    scree__prepared prepared = {0};
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    const scree__kind *kind = mine.kind ? scree__kind_find(mine.kind) : scree__kinds[0];
    if (!kind) {
        char known[256];
        scree__kind_list(known, sizeof known);
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there is no kind of model '%.40s'; there are %s", mine.kind, known);
    }
    if (source->team && kind != scree__kinds[0])
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "a model of the kind %s is fitted by one process; run one, or leave the kind out", kind->name);
    if (preparation(&mine) && kind != scree__kinds[0])
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s is for models of the kind %s; leave it out, or the kind %s",
                   preparation(&mine), scree__kinds[0]->name, kind->name);
    const scree__preparing how = {.normalize = mine.normalize,
                                  .log1p = mine.log1p,
                                  .top_variance = mine.top_variance,
                                  .scales = mine.scales,
                                  .run = mine.run};
    SCREE_TRY(scree__prepare(&prepared, source, &how, error));
    mine.scales = prepared.scales ? prepared.scales : mine.scales;
    status = scree__scales_find(&scales, &mine, prepared.rows, &problem);
    if (status == SCREE_OK)
        status = kind->fit(&model, prepared.rows, &mine, &problem);
    if (status == SCREE_OK)
        status = scree__prepared_tell(&prepared, model, &problem);
    if (status == SCREE_OK) {
        model->view.passes += scales && !prepared.rows->genotypes; /* these were counted before */
        *out = model;
        model = NULL;
    }
    if (status != SCREE_OK)
        scree__fail(error, status, "%s", problem.text);
done:
    free(scales);
    scree__prepared_close(&prepared);
    scree_model_free(model);
    return status;
}

/* The model of the first process for all. */
static scree_status share_model(scree_model **model, scree__team *team, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *told = NULL;
    void *bytes = NULL;
    size_t size = 0;
    int64_t count = 0;
    const bool is_first = team->with->rank == 0;
    if (is_first)
        status = scree_model_save_buffer(&bytes, &size, *model, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    count = (int64_t)size;
    SCREE_TRY(scree__team_tell(team, &count, sizeof count, error));
    if (!is_first)
        bytes = scree__alloc_raw(count, 1);
    status = bytes ? SCREE_OK : scree__fail(error, SCREE_ERR_MEMORY, "out of memory: the model does not fit");
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(scree__team_tell(team, bytes, count, error));
    if (!is_first)
        status = scree_model_load_buffer(&told, bytes, (size_t)count, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    if (!is_first) {
        scree_model_free(*model);
        *model = told;
    }
done:
    free(bytes);
    return status;
}

/* A fit of several processes, and the model that it is to leave. */
typedef struct fitting {
    const scree_fit_options *options;
    scree_model *model;
} fitting;

static scree_status fit_shared(void *context, scree_source *source, scree__team *team, scree_error *error)
{
    fitting *f = context;
    scree_status status = fit(&f->model, source, f->options, error);
    if (!team->failed)
        status = scree__team_agree(team, status, NULL, error);
    return status == SCREE_OK ? share_model(&f->model, team, error) : status;
}

static scree_status fit_together(scree_model **out, scree_source *source, const scree_fit_options *options,
                                 scree_run *run, scree_error *error)
{
    scree_fit_options mine = *options;
    fitting f = {.options = &mine};
    mine.run = run;
    const scree_status status = scree__team_run(source, run, fit_shared, &f, error);
    if (status == SCREE_OK)
        *out = f.model;
    else
        scree_model_free(f.model);
    return status;
}

scree_status scree_model_fit(scree_model **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    if (run.communicator)
        SCREE_TRY(fit_together(out, source, &mine, &run, error));
    else
        SCREE_TRY(fit(out, source, options, error));
done:
    return status;
}
