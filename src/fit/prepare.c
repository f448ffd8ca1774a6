/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as a fit is to see them: a source around the caller's for each thing that is done to them. What is found out
 * first, the median of the sums and the columns that vary most, takes a pass each. */

#include "fit/prepare.h"

#include "base/memory.h"
#include "base/sized.h"
#include "data/normalised.h"
#include "model/latent.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>

static scree_status find_target(scree__prepared *p, const scree__preparing *how, scree_error *error)
{
    scree_status status = SCREE_OK;
    p->target = how->normalize;
    if (how->normalize != SCREE_NORMALIZE_MEDIAN)
        return SCREE_OK;
    p->target = 1;
    p->passes++;
    if (!how->shape_only)
        SCREE_TRY(scree__normal_median(&p->target, p->source, how->run, error));
done:
    return status;
}

static scree_status change(scree__prepared *p, const scree__preparing *how, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (how->normalize != 0) {
        SCREE_TRY(find_target(p, how, error));
        const scree__normal normal = {.target = p->target, .log1p = how->log1p};
        SCREE_TRY(scree__normalised_open(&p->changed, p->source, &normal, error));
    } else if (how->log1p) {
        SCREE_TRY(scree__logged_open(&p->changed, p->source, error));
    }
    if (p->changed)
        p->rows = p->changed;
done:
    return status;
}

static scree_status choose(scree__prepared *p, const scree__preparing *how, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = how->top_variance;
    if (count < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "top_variance is %" PRId64 "; ask for at least one column", count);
    if (count == 0 || count >= p->rows->about.cols)
        return SCREE_OK;
    p->passes++;
    if (how->shape_only) {
        SCREE_ALLOC(p->kept, count, error);
        for (int64_t j = 0; j < count; j++)
            p->kept[j] = j;
    } else {
        SCREE_TRY(scree__top_variance(&p->kept, count, p->rows, how->run, error));
    }
    if (how->scales) {
        SCREE_ALLOC(p->scales, count, error);
        for (int64_t j = 0; j < count; j++)
            p->scales[j] = how->scales[p->kept[j]];
    }
    SCREE_TRY(scree__select_borrow(&p->chosen, p->rows, p->kept, count, error));
    p->rows = p->chosen;
done:
    return status;
}

scree_status scree__prepare(scree__prepared *p, scree_source *source, const scree__preparing *how, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run run;
    scree__preparing mine = *how;
    p->source = p->rows = source;
    p->log1p = how->log1p;
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(change(p, &mine, error));
    SCREE_TRY(choose(p, &mine, error));
done:
    return status;
}

/* The pass over the prepared rows has counted those of the source, too. */
scree_status scree__prepared_tell(const scree__prepared *p, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (p->rows == p->source)
        return SCREE_OK;
    if (p->source->about.rows < 0)
        p->source->about.rows = p->rows->about.rows;
    model->view.log1p = p->log1p;
    model->view.passes += p->passes;
    if (p->target > 0) {
        model->view.normalize = p->target;
        model->view.normalize_columns = scree__source_summed(p->source);
        model->view.normalize_empty = scree__normalised_empty(p->changed);
    }
    if (p->kept && !model->view.columns)
        SCREE_TRY(scree__model_keep_columns(model, p->kept, error));
    SCREE_TRY(scree__model_distribute(model, error));
done:
    return status;
}

void scree__prepared_close(scree__prepared *p)
{
    scree_source_free(p->chosen);
    scree_source_free(p->changed);
    free(p->kept);
    free(p->scales);
    *p = (scree__prepared){0};
}
