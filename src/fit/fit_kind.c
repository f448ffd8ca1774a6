/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_fit: what must be known of the columns before any fit, and then the kind of model that is asked for fits
 * itself; the first of the table where none is named. Shared by all kinds: no kind finds scales by itself. */

#include "base/sized.h"
#include "fit/scales.h"
#include "model/kind.h"
#include "model/latent.h"
#include "model/model.h"

#include <stdlib.h>

/* The model was fitted to logarithms, and from now on takes the rows themselves. The pass over the logarithms has
 * counted the rows of the source, too. */
static scree_status become_logged(scree_model *model, scree_source *source, const scree_source *logged,
                                  scree_error *error)
{
    if (source->about.rows < 0)
        source->about.rows = logged->about.rows;
    model->view.log1p = true;
    return scree__model_distribute(model, error);
}

scree_status scree_model_fit(scree_model **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
    scree_error problem = SCREE_ERROR_INIT; /* a first try may fail and a second succeed: then there is none */
    double *scales = NULL;
    scree_model *model = NULL;
    scree_source *logged = NULL;
    scree_source *rows = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    const scree__kind *kind = mine.kind ? scree__kind_find(mine.kind) : scree__kinds[0];
    if (!kind) {
        char known[256];
        scree__kind_list(known, sizeof known);
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there is no kind of model '%.40s'; there are %s", mine.kind, known);
    }
    if (mine.log1p && kind != scree__kinds[0])
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "log1p is for models of the kind %s; leave it out, or the kind %s",
                   scree__kinds[0]->name, kind->name);
    if (mine.log1p)
        SCREE_TRY(scree__logged_open(&logged, source, error));
    rows = logged ? logged : source;
    status = scree__scales_find(&scales, &mine, rows, &problem);
    if (status == SCREE_OK)
        status = kind->fit(&model, rows, &mine, &problem);
    if (status == SCREE_OK && logged)
        status = become_logged(model, source, logged, &problem);
    if (status == SCREE_OK) {
        model->view.passes += scales != NULL;
        *out = model;
        model = NULL;
    }
    if (status != SCREE_OK)
        scree__fail(error, status, "%s", problem.text);
done:
    free(scales);
    scree_source_free(logged);
    scree_model_free(model);
    return status;
}
