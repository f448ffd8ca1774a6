/* SPDX-License-Identifier: BSD-3-Clause */
/* An imputer as a part of a model: made, settled, written and read. In the file it is the tensors imputer_centre [D],
 * imputer_deviation [D], imputer_weights [F] and, for each fit, imputer_loadings_n [D, k+1], imputer_covers_n [D,
 * (k+1)(k+2)/2] and imputer_noise_n [D], and the texts imputer_widening and imputer_held_out; a file without them is a
 * model without one. O(D k²). */

#include "model/imputer.h"

#include "base/memory.h"
#include "kernel/packed.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const LOADINGS[] = {"imputer_loadings_1", "imputer_loadings_2", "imputer_loadings_3"};
static const char *const COVERS[] = {"imputer_covers_1", "imputer_covers_2", "imputer_covers_3"};
static const char *const NOISE[] = {"imputer_noise_1", "imputer_noise_2", "imputer_noise_3"};
static const double SUM_ERROR = 1e-9; /* that weights may miss 1 by */

int64_t scree__imputer_memory(int64_t d, int64_t k)
{
    const int64_t numbers = SCREE__IMPUTER_FITS * (2 * scree__pairs(k + 1) + k + 2) + 2;
    return 8 * d * numbers;
}

static scree_status make_fit(scree__imputer_fit *fit, int64_t d, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    fit->k = k;
    SCREE_ALLOC(fit->loadings, d * (k + 1), error);
    SCREE_ALLOC(fit->cover, d * scree__pairs(k + 1), error);
    SCREE_ALLOC(fit->noise, d, error);
    SCREE_ALLOC(fit->outer, d * scree__pairs(k + 1), error);
    SCREE_ALLOC(fit->total, scree__pairs(k + 1), error);
done:
    return status;
}

scree_status scree__imputer_new(scree__imputer **out, int64_t d, int64_t fits, const int64_t *k, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer *made = NULL;
    SCREE_ALLOC(made, 1, error);
    made->d = d;
    made->fits = fits;
    made->widening = 1;
    SCREE_ALLOC(made->centre, d, error);
    SCREE_ALLOC(made->deviation, d, error);
    SCREE_ALLOC(made->weights, fits, error);
    for (int64_t j = 0; j < d; j++)
        made->deviation[j] = 1;
    for (int64_t f = 0; f < fits; f++)
        SCREE_TRY(make_fit(&made->fit[f], d, k[f], error));
    *out = made;
    made = NULL;
done:
    scree__imputer_free(made);
    return status;
}

void scree__imputer_free(scree__imputer *imputer)
{
    for (int64_t f = 0; imputer && f < SCREE__IMPUTER_FITS; f++) {
        free(imputer->fit[f].loadings);
        free(imputer->fit[f].cover);
        free(imputer->fit[f].noise);
        free(imputer->fit[f].outer);
        free(imputer->fit[f].total);
    }
    if (!imputer)
        return;
    free(imputer->centre);
    free(imputer->deviation);
    free(imputer->weights);
    free(imputer);
}

static void settle_fit(scree__imputer_fit *fit, int64_t d)
{
    const int64_t k = fit->k;
    const int64_t pairs = scree__pairs(k + 1);
    memset(fit->total, 0, (size_t)pairs * sizeof *fit->total);
    for (int64_t j = 0; j < d; j++) {
        const double *w = fit->loadings + j * (k + 1);
        const double *cover = fit->cover + j * pairs;
        double *outer = fit->outer + j * pairs;
        for (int64_t a = 0; a <= k; a++)
            for (int64_t b = 0; b <= a; b++)
                outer[scree__pair(a, b)] = ((a < k ? w[a] * w[b] : 0) + cover[scree__pair(a, b)]) / fit->noise[j];
        scree__packed_add(fit->total, outer, 1, pairs);
    }
}

/* C_j's entry for µ_j. */
static double *mean_cover(const scree__imputer_fit *fit, int64_t column)
{
    return fit->cover + column * scree__pairs(fit->k + 1) + scree__pair(fit->k, fit->k);
}

bool scree__imputer_is_single(const scree__imputer *imputer, int64_t column)
{
    return imputer->deviation[column] == 0 && *mean_cover(&imputer->fit[0], column) > 0;
}

void scree__imputer_set_single(scree__imputer *imputer, int64_t column)
{
    for (int64_t f = 0; f < imputer->fits; f++)
        *mean_cover(&imputer->fit[f], column) = 1;
}

void scree__imputer_settle(scree__imputer *imputer)
{
    imputer->view = (scree_imputer_view){.size = sizeof imputer->view,
                                         .relations_sought = imputer->view.relations_sought,
                                         .fits = imputer->fits,
                                         .weights = imputer->weights,
                                         .widening = imputer->widening,
                                         .held_out = imputer->held_out};
    for (int64_t f = 0; f < imputer->fits; f++) {
        settle_fit(&imputer->fit[f], imputer->d);
        imputer->weights[f] = imputer->fit[f].weight;
        if (imputer->fit[f].k > imputer->view.components)
            imputer->view.components = imputer->fit[f].k;
    }
    for (int64_t j = imputer->d - 1; j >= 0; j--)
        if (scree__imputer_is_single(imputer, j)) {
            imputer->view.singles++;
            imputer->view.single = j;
        }
}

const scree_imputer_view *scree_model_imputer(const scree_model *model)
{
    return model->imputer ? &model->imputer->view : NULL;
}

void scree__imputer_save(const scree_model *model, scree__draft *draft)
{
    const scree__imputer *imputer = model->imputer;
    if (!imputer)
        return;
    const int64_t d = imputer->d;
    scree__draft_real(draft, "imputer_widening", imputer->widening);
    scree__draft_integer(draft, "imputer_held_out", imputer->held_out);
    if (imputer->view.relations_sought)
        scree__draft_text(draft, "imputer_relations_sought", "true");
    scree__draft_tensor(draft, "imputer_centre", SCREE__DTYPE_F64, 0, d, imputer->centre);
    scree__draft_tensor(draft, "imputer_deviation", SCREE__DTYPE_F64, 0, d, imputer->deviation);
    scree__draft_tensor(draft, "imputer_weights", SCREE__DTYPE_F64, 0, imputer->fits, imputer->weights);
    for (int64_t f = 0; f < imputer->fits && f < SCREE__IMPUTER_FITS; f++) {
        const scree__imputer_fit *fit = &imputer->fit[f];
        scree__draft_tensor(draft, LOADINGS[f], SCREE__DTYPE_F64, d, fit->k + 1, fit->loadings);
        scree__draft_tensor(draft, COVERS[f], SCREE__DTYPE_F64, d, scree__pairs(fit->k + 1), fit->cover);
        scree__draft_tensor(draft, NOISE[f], SCREE__DTYPE_F64, 0, d, fit->noise);
    }
}

/* How many fits, and of how many components each. */
static scree_status read_shape(const scree__safetensors *file, int64_t d, int64_t *fits, int64_t *k, scree_error *error)
{
    const scree__tensor *weights = scree__safetensors_tensor(file, "imputer_weights");
    *fits = weights && weights->rank == 1 ? weights->shape[0] : 0;
    if (*fits < 1 || *fits > SCREE__IMPUTER_FITS)
        return scree__safetensors_refuse(file, error, "'imputer_weights' has not 1 to %d values", SCREE__IMPUTER_FITS);
    for (int64_t f = 0; f < *fits; f++) {
        const scree__tensor *loadings = scree__safetensors_tensor(file, LOADINGS[f]);
        k[f] = loadings && loadings->rank == 2 ? loadings->shape[1] - 1 : 0;
        if (k[f] < 1 || k[f] > d)
            return scree__safetensors_refuse(file, error, "'%s' has not 2 to %lld columns", LOADINGS[f],
                                             (long long)d + 1);
    }
    return SCREE_OK;
}

/* A covariance has no negative variances, and none below what its products with others need. */
static bool is_covariance(const double *cover, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double most = sqrt(fmax(cover[scree__pair(i, i)], 0)) * sqrt(fmax(cover[scree__pair(j, j)], 0));
            if (!(cover[scree__pair(i, i)] >= 0 && fabs(cover[scree__pair(i, j)]) <= most * (1 + 1e-6) + DBL_MIN))
                return false;
        }
    return true;
}

static scree_status read_fit(const scree__safetensors *file, scree__imputer *imputer, int64_t f, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_fit *fit = &imputer->fit[f];
    const int64_t pairs = scree__pairs(fit->k + 1);
    SCREE_TRY(scree__field_matrix(file, LOADINGS[f], imputer->d, fit->k + 1, -INFINITY, fit->loadings, error));
    SCREE_TRY(scree__field_matrix(file, COVERS[f], imputer->d, pairs, -INFINITY, fit->cover, error));
    SCREE_TRY(scree__field_reals(file, NOISE[f], imputer->d, DBL_MIN, fit->noise, error));
    for (int64_t j = 0; j < imputer->d; j++)
        if (!is_covariance(fit->cover + j * pairs, fit->k + 1))
            SCREE_TRY(scree__safetensors_refuse(file, error, "row %lld of '%s' is no covariance", (long long)j + 1,
                                                COVERS[f]));
done:
    return status;
}

scree_status scree__imputer_load(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = model->view.d;
    scree__imputer *imputer = NULL;
    int64_t fits = 0;
    int64_t k[SCREE__IMPUTER_FITS] = {0};
    double sum = 0;
    if (!scree__safetensors_text(file, "imputer_widening"))
        goto done;
    SCREE_TRY(read_shape(file, d, &fits, k, error));
    for (int64_t f = 0; f < fits; f++) /* the file has what is allocated next, so that no lie makes it large */
        if (!scree__field_tensor(file, COVERS[f], SCREE__DTYPE_F64, d, scree__pairs(k[f] + 1), error))
            SCREE_TRY(SCREE_ERR_MODEL);
    SCREE_TRY(scree__imputer_new(&imputer, d, fits, k, error));
    SCREE_TRY(scree__field_number(file, "imputer_widening", DBL_TRUE_MIN, &imputer->widening, error));
    SCREE_TRY(scree__field_integer(file, "imputer_held_out", 0, &imputer->held_out, error));
    const char *sought = scree__safetensors_text(file, "imputer_relations_sought");
    imputer->view.relations_sought = sought && strcmp(sought, "true") == 0;
    SCREE_TRY(scree__field_reals(file, "imputer_centre", d, -DBL_MAX, imputer->centre, error));
    SCREE_TRY(scree__field_reals(file, "imputer_deviation", d, 0, imputer->deviation, error));
    SCREE_TRY(scree__field_reals(file, "imputer_weights", fits, 0, imputer->weights, error));
    for (int64_t f = 0; f < fits; f++) {
        SCREE_TRY(read_fit(file, imputer, f, error));
        imputer->fit[f].weight = imputer->weights[f];
        sum += imputer->weights[f];
    }
    if (!(fabs(sum - 1) <= SUM_ERROR))
        SCREE_TRY(scree__safetensors_refuse(file, error, "'imputer_weights' add up to %g, not 1", sum));
    scree__imputer_settle(imputer);
    model->imputer = imputer;
    imputer = NULL;
done:
    scree__imputer_free(imputer);
    return status;
}
