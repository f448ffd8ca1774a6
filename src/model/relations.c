/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between columns as a part of a model: made, copied, written and read; what rows
 * may break is in relations_row.c. In the file they are the tensors relation_columns [R], relation_coefficients [R, D],
 * relation_offsets [R] and relation_variances [R], and of loose ones among them, the last, the text relations_loose; a
 * file without them is a model without any. So are relation_decimals [D]; without these, columns whose sum is whole had
 * whole numbers. */

#include "model/relations.h"

#include "base/memory.h"
#include "kernel/decimals.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-8; /* of a direction: what is left of it is rounding */

scree_status scree__relations_new(scree__relations **out, int64_t count, int64_t loose, int64_t d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__relations *made = NULL;
    SCREE_ALLOC(made, 1, error);
    made->d = d;
    made->count = count;
    made->loose = loose;
    SCREE_ALLOC(made->columns, count + loose, error);
    SCREE_ALLOC(made->coefficients, (count + loose) * d, error);
    SCREE_ALLOC(made->offsets, count + loose, error);
    SCREE_ALLOC(made->variances, count + loose, error);
    SCREE_ALLOC(made->decimals, d, error);
    for (int64_t j = 0; j < d; j++)
        made->decimals[j] = -1;
    made->view = (scree_relations_view){.size = sizeof made->view,
                                        .count = count,
                                        .columns = made->columns,
                                        .coefficients = made->coefficients,
                                        .variances = made->variances};
    *out = made;
    made = NULL;
done:
    scree__relations_free(made);
    return status;
}

void scree__relations_free(scree__relations *relations)
{
    if (!relations)
        return;
    free(relations->columns);
    free(relations->coefficients);
    free(relations->offsets);
    free(relations->variances);
    free(relations->decimals);
    free(relations);
}

scree_status scree__relations_copy(scree_model *to, const scree_model *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__relations *r = from->relations;
    if (!r)
        return SCREE_OK;
    const size_t all = (size_t)(r->count + r->loose);
    SCREE_TRY(scree__relations_new(&to->relations, r->count, r->loose, r->d, error));
    memcpy(to->relations->columns, r->columns, all * sizeof *r->columns);
    memcpy(to->relations->coefficients, r->coefficients, all * (size_t)r->d * sizeof *r->coefficients);
    memcpy(to->relations->offsets, r->offsets, all * sizeof *r->offsets);
    memcpy(to->relations->variances, r->variances, all * sizeof *r->variances);
    memcpy(to->relations->decimals, r->decimals, (size_t)r->d * sizeof *r->decimals);
done:
    return status;
}

const scree_relations_view *scree_model_relations(const scree_model *model)
{
    return model->relations && model->relations->count > 0 ? &model->relations->view : NULL;
}

int64_t scree__relations_exact(const scree__relations *relations)
{
    int64_t count = 0;
    for (int64_t k = 0; relations && k < relations->count; k++)
        count += relations->variances[k] == 0;
    return count;
}

void scree__relations_save(const scree_model *model, scree__draft *draft)
{
    const scree__relations *r = model->relations;
    if (!r)
        return;
    const int64_t all = r->count + r->loose;
    scree__draft_tensor(draft, "relation_columns", SCREE__DTYPE_I64, 0, all, r->columns);
    scree__draft_tensor(draft, "relation_coefficients", SCREE__DTYPE_F64, all, r->d, r->coefficients);
    scree__draft_tensor(draft, "relation_offsets", SCREE__DTYPE_F64, 0, all, r->offsets);
    scree__draft_tensor(draft, "relation_variances", SCREE__DTYPE_F64, 0, all, r->variances);
    scree__draft_tensor(draft, "relation_decimals", SCREE__DTYPE_I64, 0, r->d, r->decimals);
    if (r->loose > 0)
        scree__draft_integer(draft, "relations_loose", r->loose);
}

/* Columns ascend, and none determines another. */
static bool are_possible(const scree__relations *r)
{
    const int64_t all = r->count + r->loose;
    for (int64_t k = 0; k < all; k++) {
        const int64_t p = r->columns[k];
        if (p < 0 || p >= r->d || (k > 0 && k != r->count && p <= r->columns[k - 1]))
            return false;
        for (int64_t i = 0; i < all; i++)
            if (r->coefficients[i * r->d + p] != 0 || (i < r->count && k >= r->count && r->columns[i] == p))
                return false;
    }
    return true;
}

/* Whether a column can have been one of whole numbers: its sum is one. */
static bool was_whole(const scree_model_view *view, int64_t column)
{
    const double sum = view->mean[column] * view->weight;
    return fabs(sum - nearbyint(sum)) <= 1e-6 + 8 * DBL_EPSILON * fabs(sum);
}

static scree_status load_decimals(const scree__safetensors *file, const scree_model *model, scree__relations *made,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    const void *decimals = NULL;
    if (scree__safetensors_tensor(file, "relation_decimals")) {
        decimals = scree__field_tensor(file, "relation_decimals", SCREE__DTYPE_I64, 0, made->d, error);
        if (!decimals)
            SCREE_TRY(SCREE_ERR_MODEL);
        memcpy(made->decimals, decimals, (size_t)made->d * sizeof *made->decimals);
    }
    for (int64_t j = 0; j < made->d; j++) {
        if (!decimals)
            made->decimals[j] = was_whole(&model->view, j) ? 0 : -1;
        if (made->decimals[j] < -1 || made->decimals[j] > SCREE__DECIMALS_MOST)
            SCREE_TRY(scree__safetensors_refuse(file, error, "'relation_decimals' are not all from -1 to %d",
                                                SCREE__DECIMALS_MOST));
    }
done:
    return status;
}

scree_status scree__relations_load(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__tensor *tensor = scree__safetensors_tensor(file, "relation_columns");
    const int64_t d = model->view.d;
    scree__relations *made = NULL;
    int64_t loose = 0;
    if (!tensor)
        return SCREE_OK;
    const int64_t count = tensor->rank == 1 ? tensor->shape[0] : -1;
    if (count < 1 || count >= d)
        SCREE_TRY(
            scree__safetensors_refuse(file, error, "'relation_columns' has not 1 to %lld values", (long long)d - 1));
    const void *columns = scree__field_tensor(file, "relation_columns", SCREE__DTYPE_I64, 0, count, error);
    if (!columns || !scree__field_tensor(file, "relation_coefficients", SCREE__DTYPE_F64, count, d, error))
        SCREE_TRY(SCREE_ERR_MODEL);
    if (scree__safetensors_text(file, "relations_loose"))
        SCREE_TRY(scree__field_integer(file, "relations_loose", 0, &loose, error));
    if (loose > count)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'relations_loose' is more than there are"));
    SCREE_TRY(scree__relations_new(&made, count - loose, loose, d, error));
    memcpy(made->columns, columns, (size_t)count * sizeof *made->columns);
    SCREE_TRY(scree__field_matrix(file, "relation_coefficients", count, d, -DBL_MAX, made->coefficients, error));
    SCREE_TRY(scree__field_reals(file, "relation_offsets", count, -DBL_MAX, made->offsets, error));
    SCREE_TRY(scree__field_reals(file, "relation_variances", count, 0, made->variances, error));
    SCREE_TRY(load_decimals(file, model, made, error));
    if (!are_possible(made))
        SCREE_TRY(scree__safetensors_refuse(file, error, "'relation_columns' and their coefficients make no sense"));
    model->relations = made;
    made = NULL;
done:
    scree__relations_free(made);
    return status;
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void scale(double *a, double factor, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        a[i] *= factor;
}

/* Gram and Schmidt, twice. */
int64_t scree__relations_orthonormal(double *units, int64_t count, int64_t d)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        double *unit = units + kept * d;
        memmove(unit, units + k * d, (size_t)d * sizeof *unit);
        const double before = sqrt(dot(unit, unit, d));
        if (!(before > 0))
            continue;
        scale(unit, 1 / before, d);
        for (int twice = 0; twice < 2; twice++)
            for (int64_t i = 0; i < kept; i++) {
                const double *other = units + i * d;
                const double along = dot(unit, other, d);
                for (int64_t j = 0; j < d; j++)
                    unit[j] -= along * other[j];
            }
        const double left = sqrt(dot(unit, unit, d));
        if (!(left > DEPENDENT))
            continue;
        scale(unit, 1 / left, d);
        kept++;
    }
    return kept;
}

scree_status scree__relations_directions(double **out, int64_t *count, const scree__relations *relations, bool loose,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = relations ? relations->d : 0;
    const int64_t all = relations ? relations->count + (loose ? relations->loose : 0) : 0;
    int64_t exact = 0;
    *count = 0;
    if (all == 0)
        return SCREE_OK;
    SCREE_ALLOC(*out, all * d, error);
    for (int64_t k = 0; k < all; k++) {
        double *unit = *out + exact * d;
        if (relations->variances[k] > 0)
            continue;
        memcpy(unit, relations->coefficients + k * d, (size_t)d * sizeof *unit);
        unit[relations->columns[k]] = -1;
        exact++;
    }
    *count = scree__relations_orthonormal(*out, exact, d);
done:
    return status;
}
