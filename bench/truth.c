/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance and its largest eigenvalues as LAPACK finds them in double, computed once a matrix and kept beside its
 * file. S is formed and reduced where D is at most 5000 (N D² and 4D³/3 flops), and kept as a whole where D is at most
 * 1000. Beyond, eigenvalues are those of subspace iteration from a random start of twice the width, until none of them
 * moves by more than 1e-12 of itself: slow, simple, and nothing like what is under test. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST_KEPT = 1000, MOST_FORMED = 5000, MOST_ITERATIONS = 60, SEED = 12 };
static const double STILL = 1e-12;

static bool read_kept(const char *path, double *values, int64_t count)
{
    FILE *file = fopen(path, "rb");
    const bool is_there = file && fread(values, sizeof *values, (size_t)count, file) == (size_t)count;
    if (file)
        fclose(file);
    return is_there;
}

/* When that fails it is computed again next time. */
static void write_kept(const char *path, const double *values, int64_t count)
{
    FILE *file = fopen(path, "wb");
    if (file && (fwrite(values, sizeof *values, (size_t)count, file) != (size_t)count) | (fclose(file) != 0))
        remove(path);
}

/* All of S: SYRK fills the upper triangle. */
static scree_status form(const bench_matrix *x, double *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    bench_doubles c = {0};
    SCREE_TRY(bench_doubles_new(&c, x, error));
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    for (int64_t first = 0; first < x->rows; first += c.piece_rows) {
        const int64_t count = bench_doubles_load(&c, first);
        if (scree__dsyrk(true, d, count, 1.0 / (double)x->rows, c.piece, d, 1, s, d) != 0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: SYRK failed for the reference", x->path);
    }
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < i; j++)
            s[i * d + j] = s[j * d + i];
done:
    bench_doubles_clear(&c);
    return status;
}

static scree_status covariance(const bench_matrix *x, double *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[sizeof x->path + 32];
    const int64_t cells = x->cols * x->cols;
    snprintf(path, sizeof path, "%s.covariance", x->path);
    if (x->cols <= MOST_KEPT && read_kept(path, s, cells))
        return SCREE_OK;
    fprintf(stderr, "forming the covariance of %s\n", x->path);
    SCREE_TRY(form(x, s, error));
    if (x->cols <= MOST_KEPT)
        write_kept(path, s, cells);
done:
    return status;
}

static scree_status values_of_formed(const bench_matrix *x, int64_t k, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const lapack_int n = (lapack_int)x->cols;
    double *s = NULL;
    double *w = NULL;
    lapack_int found = 0;
    lapack_int support[2];
    double unused[1];
    SCREE_ALLOC(s, x->cols * x->cols, error);
    SCREE_ALLOC(w, x->cols, error);
    SCREE_TRY(covariance(x, s, error));
    if (LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'N', 'I', 'L', n, s, n, 0, 0, (lapack_int)(n - k + 1), n, 0, &found, w, unused,
                       1, support) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: LAPACK found no reference eigenvalues", x->path);
    for (int64_t j = 0; j < k; j++)
        values[j] = w[k - 1 - j];
done:
    free(s);
    free(w);
    return status;
}

/* Rows of v, p×D, made orthonormal. */
static scree_status orthonormalise(double *v, int64_t p, int64_t d, double *tau, scree_error *error)
{
    const lapack_int n = (lapack_int)d;
    const lapack_int m = (lapack_int)p;
    if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, v, n, tau) != 0 ||
        LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, m, m, v, n, tau) != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "LAPACK could not orthonormalise for the reference");
    return SCREE_OK;
}

/* One step: image = vS, Ritz values descending in w, v becomes an orthonormal basis of the image. t is p×p. */
static scree_status step(const bench_matrix *x, double *v, double *image, double *t, double *w, int64_t p,
                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    SCREE_TRY(bench_covariance_times(x, v, p, image, error));
    if (scree__dgemm(false, true, p, p, d, 1, v, d, image, d, 0, t, p) != 0 ||
        LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)p, t, (lapack_int)p, w) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: LAPACK found no reference eigenvalues", x->path);
    for (int64_t i = 0; i < p / 2; i++) {
        const double larger = w[p - 1 - i];
        w[p - 1 - i] = w[i];
        w[i] = larger;
    }
    memcpy(v, image, (size_t)(p * d) * sizeof *v);
    SCREE_TRY(orthonormalise(v, p, d, t, error));
done:
    return status;
}

static scree_status values_by_iteration(const bench_matrix *x, int64_t k, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    const int64_t least = x->rows < d ? x->rows : d;
    const int64_t p = 2 * k < least ? 2 * k : least;
    double *v = NULL;
    double *image = NULL;
    double *t = NULL;
    double *w = NULL;
    double moved = 1;
    SCREE_ALLOC(v, p * d, error);
    SCREE_ALLOC(image, p * d, error);
    SCREE_ALLOC(t, p * p, error);
    SCREE_ALLOC(w, p, error);
    scree__normals(SEED, 0, 0, p * d, v);
    SCREE_TRY(orthonormalise(v, p, d, t, error));
    memset(values, 0, (size_t)k * sizeof *values);
    for (int i = 0; i < MOST_ITERATIONS && moved > STILL; i++) {
        SCREE_TRY(step(x, v, image, t, w, p, error));
        moved = 0;
        for (int64_t j = 0; j < k; j++) {
            moved = fmax(moved, fabs(w[j] - values[j]) / w[j]);
            values[j] = w[j];
        }
    }
    if (moved > STILL)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: the reference eigenvalues still move by %.1e after %d steps", x->path,
                   moved, MOST_ITERATIONS);
done:
    free(v);
    free(image);
    free(t);
    free(w);
    return status;
}

scree_status bench_true_values(const bench_matrix *x, int64_t k, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[sizeof x->path + 32];
    snprintf(path, sizeof path, "%s.values%d", x->path, (int)k);
    if (read_kept(path, values, k))
        return SCREE_OK;
    fprintf(stderr, "finding the eigenvalues of %s\n", x->path);
    if (x->cols <= MOST_FORMED)
        SCREE_TRY(values_of_formed(x, k, values, error));
    else
        SCREE_TRY(values_by_iteration(x, k, values, error));
    write_kept(path, values, k);
done:
    return status;
}

scree_status bench_true_images(const bench_matrix *x, const double *vectors, int64_t k, double *images,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    double *s = NULL;
    if (d > MOST_KEPT)
        return bench_covariance_times(x, vectors, k, images, error);
    SCREE_ALLOC(s, d * d, error);
    SCREE_TRY(covariance(x, s, error));
    if (scree__dgemm(false, false, k, d, d, 1, vectors, d, s, d, 0, images, d) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: GEMM failed for the reference", x->path);
done:
    free(s);
    return status;
}
