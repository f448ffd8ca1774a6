/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark trusts: S = (1/(N-ddof)) Σ(x-µ)(x-µ)ᵀ from rows centred in double by a mean of two passes, its
 * largest eigenvalues by LAPACK's tridiagonal reduction (N D² and 4D³/3 flops), and ‖Su - λu‖ as Cᵀ(Cu) - λu without
 * S (4NDk flops). Nothing of the library under test but its wrappers of BLAS is used. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { PIECE_ROWS = 1000 };

typedef struct centred {
    const bench_matrix *x;
    double *mean;  /* D */
    double *piece; /* PIECE_ROWS×D */
} centred;

static double element(const bench_matrix *x, int64_t i)
{
    return x->type == SCREE_F32 ? (double)((const float *)x->data)[i] : ((const double *)x->data)[i];
}

/* mean += Σ(x - mean)/N: the second time this removes the rounding of the first. */
static void improve_mean(const bench_matrix *x, double *mean, double *sums)
{
    memset(sums, 0, (size_t)x->cols * sizeof *sums);
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->cols; j++)
            sums[j] += element(x, i * x->cols + j) - mean[j];
    for (int64_t j = 0; j < x->cols; j++)
        mean[j] += sums[j] / (double)x->rows;
}

static scree_status centred_new(centred *c, const bench_matrix *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    *c = (centred){.x = x};
    SCREE_ALLOC(c->mean, x->cols, error);
    SCREE_ALLOC(c->piece, PIECE_ROWS * x->cols, error);
    improve_mean(x, c->mean, c->piece);
    improve_mean(x, c->mean, c->piece);
done:
    return status;
}

static void centred_clear(centred *c)
{
    free(c->mean);
    free(c->piece);
}

/* The piece holds the centred rows from first on; how many. */
static int64_t centred_load(centred *c, int64_t first)
{
    const int64_t d = c->x->cols;
    const int64_t count = c->x->rows - first < PIECE_ROWS ? c->x->rows - first : PIECE_ROWS;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < d; j++)
            c->piece[i * d + j] = element(c->x, (first + i) * d + j) - c->mean[j];
    return count;
}

/* The k largest, descending. */
static scree_status true_eigenvalues(const bench_matrix *x, int ddof, int64_t k, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    const lapack_int n = (lapack_int)d;
    centred c = {0};
    double *s = NULL;
    double *w = NULL;
    lapack_int found = 0;
    lapack_int support[2];
    double unused[1];
    SCREE_TRY(centred_new(&c, x, error));
    SCREE_ALLOC(s, d * d, error);
    SCREE_ALLOC(w, d, error);
    for (int64_t first = 0; first < x->rows; first += PIECE_ROWS) {
        const int64_t count = centred_load(&c, first);
        scree__dsyrk(true, d, count, 1.0 / (double)(x->rows - ddof), c.piece, d, 1, s, d);
    }
    if (LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'N', 'I', 'L', n, s, n, 0, 0, (lapack_int)(d - k + 1), n, 0, &found, w, unused,
                       1, support) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: LAPACK found no reference eigenvalues", x->path);
    for (int64_t j = 0; j < k; j++)
        values[j] = w[k - 1 - j];
done:
    centred_clear(&c);
    free(s);
    free(w);
    return status;
}

/* residuals_j = ‖Su - λu‖. */
static scree_status true_residuals(const bench_matrix *x, const bench_claim *claim, double *residuals,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    const int64_t k = claim->k;
    centred c = {0};
    double *y = NULL;
    double *image = NULL;
    SCREE_TRY(centred_new(&c, x, error));
    SCREE_ALLOC(y, PIECE_ROWS * k, error);
    SCREE_ALLOC(image, k * d, error);
    for (int64_t first = 0; first < x->rows; first += PIECE_ROWS) {
        const int64_t count = centred_load(&c, first);
        scree__dgemm(false, true, count, k, d, 1, c.piece, d, claim->components, d, 0, y, k);
        scree__dgemm(true, false, k, d, count, 1.0 / (double)(x->rows - claim->ddof), y, k, c.piece, d, 1, image, d);
    }
    for (int64_t j = 0; j < k; j++) {
        double sum = 0;
        for (int64_t i = 0; i < d; i++) {
            const double r = image[j * d + i] - claim->values[j] * claim->components[j * d + i];
            sum += r * r;
        }
        residuals[j] = sqrt(sum);
    }
done:
    centred_clear(&c);
    free(y);
    free(image);
    return status;
}

/* True eigenvalues come once a matrix from LAPACK, and from then on from a file beside it. */
static scree_status kept_eigenvalues(const bench_matrix *x, int ddof, int64_t k, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[sizeof x->path + 32];
    snprintf(path, sizeof path, "%s.ddof%d.k%d", x->path, ddof, (int)k);
    const size_t bytes = (size_t)k * sizeof *values;
    FILE *file = fopen(path, "rb");
    const bool is_kept = file && fread(values, 1, bytes, file) == bytes;
    if (file)
        fclose(file);
    if (is_kept)
        return SCREE_OK;
    fprintf(stderr, "finding the eigenvalues of %s\n", x->path);
    SCREE_TRY(true_eigenvalues(x, ddof, k, values, error));
    file = fopen(path, "wb");
    if (file && (fwrite(values, 1, bytes, file) != bytes) | (fclose(file) != 0))
        remove(path);
done:
    return status;
}

/* Both errors of each component: residuals and |λ - true λ|, k of each. */
static scree_status errors_of(const bench_matrix *x, const bench_claim *claim, double *residuals, double *shifts,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(true_residuals(x, claim, residuals, error));
    SCREE_TRY(kept_eigenvalues(x, claim->ddof, claim->k, shifts, error));
    for (int64_t j = 0; j < claim->k; j++)
        shifts[j] = fabs(shifts[j] - claim->values[j]);
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
        const scree_accuracy *said = claim->accuracy ? &claim->accuracy[j] : NULL;
        if (said && !(residuals[j] <= said->residual + slack && shifts[j] <= said->eigenvalue_bound + slack))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC,
                       "%s: component %d has the residual %.3g and the eigenvalue error %.3g, but is said to have at "
                       "most %.3g and %.3g",
                       x->path, (int)j + 1, residuals[j], shifts[j], said->residual, said->eigenvalue_bound);
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
    const bench_claim claim = {view->eigenvalues, view->components, view->accuracy, view->m, view->ddof};
    return bench_check(x, &claim, errors, error);
}
