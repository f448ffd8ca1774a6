/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plane of the fitted rows rests on. In the file: the texts distinct_rows and rows_alone, and the tensors
 * rare_columns [C] and rare_values [C]; a file without them is a model of which nothing is known, and its planes are
 * believed, as they were by those who wrote such files.
 *
 * Of N rows of which a are alone in differing in some column, a new one is the first to differ in another with
 * probability (a + 1)/(N + 1): that is the share of the N + 1, in any order, that are alone (Good 1953). */

#include "model/evidence.h"

#include "base/memory.h"
#include "kernel/witnesses.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { A_DIRECTION = 5 };
static const double MANY_REPEATED = 0.9; /* of the rows are different, or fewer: else it makes no difference */
static const double SAME = 1e-9;         /* of a column's deviation and mean: rounding */

scree_status scree__evidence_new(scree__evidence **out, int64_t count, int64_t d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__evidence *made = NULL;
    SCREE_ALLOC(made, 1, error);
    made->d = d;
    made->count = count;
    SCREE_ALLOC(made->columns, count, error);
    SCREE_ALLOC(made->values, count, error);
    SCREE_ALLOC(made->places, d, error);
    *out = made;
    made = NULL;
done:
    scree__evidence_free(made);
    return status;
}

void scree__evidence_free(scree__evidence *evidence)
{
    if (!evidence)
        return;
    free(evidence->columns);
    free(evidence->values);
    free(evidence->places);
    free(evidence);
}

void scree__evidence_show(scree_model *model)
{
    if (!model->evidence)
        return;
    model->view.distinct = model->evidence->distinct;
    model->view.alone = model->evidence->alone;
    model->view.rare = model->evidence->count;
    model->view.rare_columns = model->evidence->columns;
    model->view.rare_values = model->evidence->values;
}

void scree__evidence_settle(scree__evidence *evidence)
{
    for (int64_t j = 0; j < evidence->d; j++)
        evidence->places[j] = NAN;
    for (int64_t i = 0; i < evidence->count; i++)
        evidence->places[evidence->columns[i]] = evidence->values[i];
}

scree_status scree__evidence_copy(scree_model *to, const scree_model *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__evidence *e = from->evidence;
    if (!e)
        return SCREE_OK;
    SCREE_TRY(scree__evidence_new(&to->evidence, e->count, e->d, error));
    to->evidence->distinct = e->distinct;
    to->evidence->alone = e->alone;
    memcpy(to->evidence->columns, e->columns, (size_t)e->count * sizeof *e->columns);
    memcpy(to->evidence->values, e->values, (size_t)e->count * sizeof *e->values);
    scree__evidence_settle(to->evidence);
    scree__evidence_show(to);
done:
    return status;
}

void scree__evidence_save(const scree_model *model, scree__draft *draft)
{
    const scree__evidence *e = model->evidence;
    if (!e)
        return;
    scree__draft_integer(draft, "distinct_rows", e->distinct);
    scree__draft_integer(draft, "rows_alone", e->alone);
    if (e->count == 0)
        return;
    scree__draft_tensor(draft, "rare_columns", SCREE__DTYPE_I64, 0, e->count, e->columns);
    scree__draft_tensor(draft, "rare_values", SCREE__DTYPE_F64, 0, e->count, e->values);
}

static bool are_possible(const scree__evidence *e, int64_t rows)
{
    for (int64_t i = 0; i < e->count; i++)
        if (e->columns[i] < 0 || e->columns[i] >= e->d || (i > 0 && e->columns[i] <= e->columns[i - 1]))
            return false;
    for (int64_t i = 0; i < e->count; i++)
        if (!isfinite(e->values[i]))
            return false;
    return e->distinct >= 1 && e->distinct <= rows && e->alone >= 0 && e->alone <= e->distinct && e->alone <= e->count;
}

scree_status scree__evidence_load(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__tensor *tensor = scree__safetensors_tensor(file, "rare_columns");
    const int64_t d = model->view.d;
    scree__evidence *made = NULL;
    if (!scree__safetensors_text(file, "distinct_rows"))
        return SCREE_OK;
    const int64_t count = !tensor ? 0 : tensor->rank == 1 ? tensor->shape[0] : -1;
    if (count < 0 || count > d)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'rare_columns' has not 1 to %lld values", (long long)d));
    SCREE_TRY(scree__evidence_new(&made, count, d, error));
    SCREE_TRY(scree__field_integer(file, "distinct_rows", 0, &made->distinct, error));
    SCREE_TRY(scree__field_integer(file, "rows_alone", 0, &made->alone, error));
    if (count > 0) {
        const void *columns = scree__field_tensor(file, "rare_columns", SCREE__DTYPE_I64, 0, count, error);
        if (!columns)
            SCREE_TRY(SCREE_ERR_MODEL);
        memcpy(made->columns, columns, (size_t)count * sizeof *made->columns);
        SCREE_TRY(scree__field_reals(file, "rare_values", count, -DBL_MAX, made->values, error));
    }
    if (!are_possible(made, model->view.n))
        SCREE_TRY(scree__safetensors_refuse(file, error,
                                            "of %lld rows, %lld cannot be different ('distinct_rows') and %lld alone "
                                            "('rows_alone') in %lld ascending 'rare_columns' with finite 'rare_values'",
                                            (long long)model->view.n, (long long)made->distinct, (long long)made->alone,
                                            (long long)count));
    scree__evidence_settle(made);
    model->evidence = made;
    made = NULL;
    scree__evidence_show(model);
done:
    scree__evidence_free(made);
    return status;
}

scree_status scree__evidence_adopt(scree_model *model, const scree_model_view *arrays, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (arrays->distinct == 0)
        return SCREE_OK;
    if (arrays->rare < 0 || arrays->rare > arrays->d ||
        (arrays->rare > 0 && (!arrays->rare_columns || !arrays->rare_values)))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "rare needs as many rare_columns and rare_values, one a column at most");
    SCREE_TRY(scree__evidence_new(&model->evidence, arrays->rare, arrays->d, error));
    model->evidence->distinct = arrays->distinct;
    model->evidence->alone = arrays->alone;
    for (int64_t i = 0; i < arrays->rare; i++) {
        model->evidence->columns[i] = arrays->rare_columns[i];
        model->evidence->values[i] = arrays->rare_values[i];
    }
    if (!are_possible(model->evidence, arrays->n))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "of %lld rows, %lld cannot be distinct and %lld alone in %lld ascending rare_columns with finite "
                   "rare_values",
                   (long long)arrays->n, (long long)arrays->distinct, (long long)arrays->alone,
                   (long long)arrays->rare);
    scree__evidence_settle(model->evidence);
    scree__evidence_show(model);
done:
    return status;
}

bool scree__evidence_is_rare(const scree_model *model, const double *y, int64_t column)
{
    const scree_model_view *view = &model->view;
    if (!model->evidence || isnan(model->evidence->places[column]))
        return false;
    const double scale = view->scale ? view->scale[column] : 1;
    const double size = (fabs(view->mean[column]) + sqrt(view->variances[column])) / scale;
    return fabs(y[column] - model->evidence->places[column]) > SAME * size;
}

bool scree__evidence_of_plane(const scree_model *model, int64_t directions)
{
    const scree__evidence *e = model->evidence;
    return !e || (e->count == 0 && e->distinct > A_DIRECTION * directions);
}

double scree__evidence_share(const scree_model *model)
{
    const scree__evidence *e = model->evidence;
    const double share = e && model->view.n > 0 ? (double)e->distinct / (double)model->view.n : 1;
    return share < MANY_REPEATED ? share : 1;
}

double scree__evidence_chance(const scree_model *model)
{
    const scree__evidence *e = model->evidence;
    return e && e->count > 0 ? ((double)e->alone + 1) / ((double)e->distinct + 1) : 0;
}
