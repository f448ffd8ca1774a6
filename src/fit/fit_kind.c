/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_fit: what must be known of the columns before any fit, and then the kind of model that is asked for fits
 * itself; the first of the table where none is named. Shared by all kinds: no kind finds scales by itself. */

#include "base/sized.h"
#include "fit/scales.h"
#include "model/kind.h"
#include "model/model.h"

#include <stdlib.h>

scree_status scree_model_fit(scree_model **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
    scree_error problem = SCREE_ERROR_INIT; /* a first try may fail and a second succeed: then there is none */
    double *scales = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    const scree__kind *kind = mine.kind ? scree__kind_find(mine.kind) : scree__kinds[0];
    if (!kind) {
        char known[256];
        scree__kind_list(known, sizeof known);
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there is no kind of model '%.40s'; there are %s", mine.kind, known);
    }
    status = scree__scales_find(&scales, &mine, source, &problem);
    if (status == SCREE_OK)
        status = kind->fit(out, source, &mine, &problem);
    if (status == SCREE_OK && scales)
        (*out)->view.passes++;
    if (status != SCREE_OK)
        scree__fail(error, status, "%s", problem.text);
done:
    free(scales);
    return status;
}
