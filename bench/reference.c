/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a result is from the truth: ‖Su - λu‖ for each component, and |λ - true λ|, with S and the true eigenvalues
 * of truth.c. What a model says of its own accuracy is held against that. */

#include "bench.h"

#include "base/memory.h"

#include <math.h>

/* S has divisor N; claims have N - ddof. */
static double scale_of(const bench_matrix *x, const bench_claim *claim)
{
    return (double)x->rows / (double)(x->rows - claim->ddof);
}

/* residuals_j = ‖Su - λu‖. */
static scree_status true_residuals(const bench_matrix *x, const bench_claim *claim, double *residuals,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    double *images = NULL;
    SCREE_ALLOC(images, claim->k * d, error);
    SCREE_TRY(bench_true_images(x, claim->components, claim->k, images, error));
    for (int64_t j = 0; j < claim->k; j++) {
        double sum = 0;
        for (int64_t i = 0; i < d; i++) {
            const double r = scale_of(x, claim) * images[j * d + i] - claim->values[j] * claim->components[j * d + i];
            sum += r * r;
        }
        residuals[j] = sqrt(sum);
    }
done:
    free(images);
    return status;
}

/* Both errors of each component: residuals and |λ - true λ|, k of each. */
static scree_status errors_of(const bench_matrix *x, const bench_claim *claim, double *residuals, double *shifts,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(true_residuals(x, claim, residuals, error));
    SCREE_TRY(bench_true_values(x, claim->k, shifts, error));
    for (int64_t j = 0; j < claim->k; j++)
        shifts[j] = fabs(scale_of(x, claim) * shifts[j] - claim->values[j]);
done:
    return status;
}

scree_status bench_check(const bench_matrix *x, const bench_claim *claim, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double slack = 1e-12 * claim->values[0]; /* rounding of the reference itself */
    double *residuals = NULL;
    double *shifts = NULL;
    SCREE_ALLOC(residuals, claim->k, error);
    SCREE_ALLOC(shifts, claim->k, error);
    SCREE_TRY(errors_of(x, claim, residuals, shifts, error));
    *errors = (bench_errors){0};
    for (int64_t j = 0; j < claim->k; j++) {
        if (claim->residuals && !(residuals[j] <= claim->residuals[j] + slack && shifts[j] <= claim->bounds[j] + slack))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC,
                       "%s: component %d has the residual %.3g and the eigenvalue error %.3g, but is said to have at "
                       "most %.3g and %.3g",
                       x->path, (int)j + 1, residuals[j], shifts[j], claim->residuals[j], claim->bounds[j]);
        errors->residual = fmax(errors->residual, residuals[j] / claim->values[j]);
        errors->value = fmax(errors->value, shifts[j] / claim->values[j]);
    }
done:
    free(residuals);
    free(shifts);
    return status;
}

scree_status bench_check_model(const bench_matrix *x, const scree_model *model, bench_errors *errors,
                               scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const bench_claim claim = {view->eigenvalues,       view->components, view->residuals,
                               view->eigenvalue_bounds, view->m,          view->ddof};
    return bench_check(x, &claim, errors, error);
}
