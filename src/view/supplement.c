/* SPDX-License-Identifier: BSD-3-Clause */
/* Supplementary columns as scree_supplement_make describes them, on the way to arrows. A column that has no
 * correlation, since it is constant, has no arrow. */

#include "view/supplement.h"

#include "scree_private.h"

#include <math.h>
#include <string.h>

scree_status scree__supplement_gather(scree_supplement **out, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_supplement_options asked = SCREE_SUPPLEMENT_OPTIONS_INIT;
    const char *names = plot->options.supplementary;
    *out = NULL;
    if (!names)
        return SCREE_OK;
    if (!plot->rows)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "supplementary columns are those of rows, and there are none; give data");
    asked.columns = strcmp(names, "all") == 0 ? NULL : names;
    asked.run = plot->options.run;
    SCREE_TRY(scree_supplement_make(out, plot->model, plot->rows, &asked, error));
done:
    return status;
}

int64_t scree__supplement_arrows(const scree_supplement *supplement)
{
    return supplement ? scree_supplement_get(supplement)->columns : 0;
}

double scree__supplement_tip(const scree_supplement *supplement, int64_t i, int64_t component, bool correlation)
{
    const scree_supplement_view *view = scree_supplement_get(supplement);
    const double tip = (correlation ? view->correlations : view->structure)[i * view->m + component];
    return isfinite(tip) ? tip : 0.0;
}

void scree__supplement_add(const scree_supplement *supplement, scree__arrows *arrows, const int64_t component[2],
                           bool correlation)
{
    for (int64_t i = 0; i < scree__supplement_arrows(supplement); i++) {
        scree__arrow *arrow = &arrows->all[arrows->count];
        *arrow = (scree__arrow){.column = -1, .name = scree_supplement_get(supplement)->names[i]};
        for (int k = 0; k < 2; k++)
            arrow->tip[k] = scree__supplement_tip(supplement, i, component[k], correlation);
        arrows->count += hypot(arrow->tip[0], arrow->tip[1]) > 0.0;
    }
}
