/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin wrappers of LAPACK, the only calls of it in the library.
 *
 * A symmetric matrix whose upper triangle is stored row by row is, for LAPACK's column-major eye, the lower triangle of
 * the same matrix; its results then read as transposes, which is what blas.h promises.
 *
 * LAPACKE's own workspaces are not used: where they cannot be had, it prints a line on standard output. The workspace
 * is as large as the routine asks for, which decides on its block sizes, and what is not a number is refused here. */

#include "kernel/blas.h"

#include "kernel/narrow.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Parts of LAPACK that LAPACKE does not know. */
#define DLAED2 LAPACK_GLOBAL(dlaed2, DLAED2)
#define DLAED4 LAPACK_GLOBAL(dlaed4, DLAED4)
#define DLAMRG LAPACK_GLOBAL(dlamrg, DLAMRG)

extern void DLAED2(lapack_int *k, const lapack_int *n, const lapack_int *cut, double *d, double *q,
                   const lapack_int *ldq, lapack_int *indxq, double *rho, double *z, double *poles, double *w,
                   double *q2, lapack_int *indx, lapack_int *indxc, lapack_int *indxp, lapack_int *coltyp,
                   lapack_int *info);
extern void DLAED4(const lapack_int *n, const lapack_int *i, const double *poles, const double *z, double *delta,
                   const double *rho, double *value, lapack_int *info);
extern void DLAMRG(const lapack_int *n1, const lapack_int *n2, const double *a, const lapack_int *step1,
                   const lapack_int *step2, lapack_int *index);

bool scree__narrow(int *narrowed, int count, const int64_t *sizes)
{
    for (int i = 0; i < count; i++) {
        if (sizes[i] < 0 || sizes[i] > INT_MAX)
            return false;
        narrowed[i] = (int)sizes[i];
    }
    return true;
}

scree_status scree__blas_fail(int info, const char *what, int64_t order, scree_error *error)
{
    if (info == SCREE__BLAS_NO_MEMORY)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %s of order %lld needs more", what,
                           (long long)order);
    return scree__fail(error, SCREE_ERR_NUMERIC, "%s of order %lld failed", what, (long long)order);
}

/* What a routine works in. */
typedef struct workspace {
    double *reals;
    int *integers;
    int real_count;
    int integer_count;
} workspace;

/* sizes: what the routine said, or what its manual says. */
static bool take(workspace *w, double reals, int integers)
{
    w->real_count = reals > 1 ? (int)reals : 1;
    w->integer_count = integers > 1 ? integers : 1;
    w->reals = malloc((size_t)w->real_count * sizeof *w->reals);
    w->integers = malloc((size_t)w->integer_count * sizeof *w->integers);
    return w->reals && w->integers;
}

/* Gives it back, and passes on what the routine said. */
static int release(workspace *w, int info)
{
    free(w->reals);
    free(w->integers);
    return info;
}

/* Whether one of the numbers is none: m×n, column-major. */
static bool has_nan(int m, int n, const double *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (isnan(a[i + (int64_t)j * lda]))
                return true;
    return false;
}

/* The same, of a lower triangle. */
static bool has_nan_below(int n, const double *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            if (isnan(a[i + (int64_t)j * lda]))
                return true;
    return false;
}

static bool has_nan_beside(int n, const double *diagonal, const double *beside)
{
    return has_nan(n, 1, diagonal, n) || has_nan(n - 1, 1, beside, n);
}

/* job 'V': with vectors. */
static int syevd(char job, int n, double *a, int lda, double *w)
{
    workspace work = {0};
    double reals = 0;
    int integers = 0;
    if (has_nan_below(n, a, lda))
        return -5;
    const int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, a, lda, w, &reals, -1, &integers, -1);
    if (info != 0)
        return info;
    if (!take(&work, reals, integers))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, a, lda, w, work.reals, work.real_count,
                                              work.integers, work.integer_count));
}

int scree__dsyevd(int64_t n, double *a, int64_t lda, double *w)
{
    NARROW(n, lda);
    return syevd('V', s[0], a, s[1], w);
}

int scree__dsyevd_values(int64_t n, double *a, int64_t lda, double *w)
{
    NARROW(n, lda);
    return syevd('N', s[0], a, s[1], w);
}

int scree__dsyevr(int64_t n, double *a, int64_t lda, int64_t k, double *w, double *z, int64_t ldz)
{
    NARROW(n, lda, k, ldz);
    const int first = s[0] - s[2] + 1;
    workspace work = {0};
    double reals = 0;
    int integers = 0;
    int found = 0;
    if (has_nan_below(s[0], a, s[1]))
        return -6;
    int info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', s[0], a, s[1], 0, 0, first, s[0], 0, &found, w, z,
                                   s[3], &integers, &reals, -1, &integers, -1);
    if (info != 0)
        return info;
    const int support = integers; /* behind the workspace of integers: two a vector */
    if (s[2] > INT_MAX / 4 || !take(&work, reals, support + 2 * s[2]))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', s[0], a, s[1], 0, 0, first, s[0], 0, &found, w, z, s[3],
                               work.integers + support, work.reals, work.real_count, work.integers, support);
    return release(&work, info != 0 || found == s[2] ? info : 1);
}

int scree__dstemr(int64_t n, double *diagonal, double *beside, int64_t k, double *w, double *z, int64_t ldz)
{
    NARROW(n, k, ldz);
    const int first = s[0] - s[1] + 1;
    workspace work = {0};
    double reals = 0;
    int integers = 0;
    int found = 0;
    lapack_logical accurate = 1;
    if (has_nan_beside(s[0], diagonal, beside))
        return -5;
    int info = LAPACKE_dstemr_work(LAPACK_COL_MAJOR, 'V', 'I', s[0], diagonal, beside, 0, 0, first, s[0], &found, w, z,
                                   s[2], s[1], &integers, &accurate, &reals, -1, &integers, -1);
    if (info != 0)
        return info;
    const int support = integers;
    if (s[1] > INT_MAX / 4 || !take(&work, reals, support + 2 * s[1]))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    info = LAPACKE_dstemr_work(LAPACK_COL_MAJOR, 'V', 'I', s[0], diagonal, beside, 0, 0, first, s[0], &found, w, z,
                               s[2], s[1], work.integers + support, &accurate, work.reals, work.real_count,
                               work.integers, support);
    return release(&work, info != 0 || found == s[1] ? info : 1);
}

int scree__dsterf(int64_t n, double *diagonal, double *beside)
{
    NARROW(n);
    return has_nan_beside(s[0], diagonal, beside) ? -2 : LAPACKE_dsterf_work(s[0], diagonal, beside);
}

int scree__dstedc(int64_t n, double *diagonal, double *beside, double *z, int64_t ldz)
{
    NARROW(n, ldz);
    workspace work = {0};
    double reals = 0;
    int integers = 0;
    if (has_nan_beside(s[0], diagonal, beside))
        return -4;
    const int info =
        LAPACKE_dstedc_work(LAPACK_COL_MAJOR, 'I', s[0], diagonal, beside, z, s[1], &reals, -1, &integers, -1);
    if (info != 0)
        return info;
    if (!take(&work, reals, integers))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dstedc_work(LAPACK_COL_MAJOR, 'I', s[0], diagonal, beside, z, s[1], work.reals,
                                              work.real_count, work.integers, work.integer_count));
}

int scree__dpotrf(int64_t n, double *a, int64_t lda)
{
    NARROW(n, lda);
    return has_nan_below(s[0], a, s[1]) ? -4 : LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', s[0], a, s[1]);
}

int scree__dgeqrf(int64_t m, int64_t n, double *a, int64_t lda, double *tau)
{
    NARROW(m, n, lda);
    workspace work = {0};
    double reals = 0;
    if (has_nan(s[0], s[1], a, s[2]))
        return -4;
    const int info = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, s[0], s[1], a, s[2], tau, &reals, -1);
    if (info != 0)
        return info;
    if (!take(&work, reals, 0))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, s[0], s[1], a, s[2], tau, work.reals, work.real_count));
}

int scree__dorgqr(int64_t m, int64_t n, int64_t k, double *a, int64_t lda, const double *tau)
{
    NARROW(m, n, k, lda);
    workspace work = {0};
    double reals = 0;
    if (has_nan(s[0], s[1], a, s[3]) || has_nan(s[2], 1, tau, s[2]))
        return -5;
    const int info = LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, s[0], s[1], s[2], a, s[3], tau, &reals, -1);
    if (info != 0)
        return info;
    if (!take(&work, reals, 0))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work,
                   LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, s[0], s[1], s[2], a, s[3], tau, work.reals, work.real_count));
}

int scree__dormqr(char side, char trans, int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
                  const double *tau, double *c, int64_t ldc)
{
    NARROW(m, n, k, lda, ldc);
    workspace work = {0};
    double reals = 0;
    if (has_nan(side == 'L' ? s[0] : s[1], s[2], a, s[3]) || has_nan(s[0], s[1], c, s[4]) ||
        has_nan(s[2], 1, tau, s[2]))
        return -7;
    const int info =
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, side, trans, s[0], s[1], s[2], a, s[3], tau, c, s[4], &reals, -1);
    if (info != 0)
        return info;
    if (!take(&work, reals, 0))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dormqr_work(LAPACK_COL_MAJOR, side, trans, s[0], s[1], s[2], a, s[3], tau, c, s[4],
                                              work.reals, work.real_count));
}

int scree__dtpqrt(int64_t m, int64_t n, int64_t l, int64_t nb, double *a, int64_t lda, double *b, int64_t ldb,
                  double *t, int64_t ldt)
{
    NARROW(m, n, l, nb, lda, ldb, ldt);
    workspace work = {0};
    if (has_nan(s[1], s[1], a, s[4]) || has_nan(s[0], s[1], b, s[5]))
        return -6;
    if (!take(&work, (double)s[3] * s[1], 0))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(
        &work, LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, s[0], s[1], s[2], s[3], a, s[4], b, s[5], t, s[6], work.reals));
}

int scree__dtpmqrt(int64_t m, int64_t n, int64_t k, int64_t l, int64_t nb, const double *v, int64_t ldv,
                   const double *t, int64_t ldt, double *a, int64_t lda, double *b, int64_t ldb)
{
    NARROW(m, n, k, l, nb, ldv, ldt, lda, ldb);
    workspace work = {0};
    if (has_nan(s[2], s[1], a, s[7]) || has_nan(s[0], s[1], b, s[8]))
        return -13;
    if (!take(&work, (double)s[4] * s[1], 0))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dtpmqrt_work(LAPACK_COL_MAJOR, 'L', 'N', s[0], s[1], s[2], s[3], s[4], v, s[5], t,
                                               s[6], a, s[7], b, s[8], work.reals));
}

int scree__dgejsv(int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu, double *v,
                  int64_t ldv)
{
    NARROW(m, n, lda, u ? ldu : 1, v ? ldv : 1);
    const double tall = 2.0 * s[0] + s[1];
    const double both = u && v ? 6.0 * s[1] + 2.0 * s[1] * s[1] : 4.0 * s[1] + 1;
    double unused[1];
    workspace work = {0};
    if (has_nan(s[0], s[1], a, s[2]))
        return -10;
    if (tall > INT_MAX || both > INT_MAX)
        return SCREE__BLAS_TOO_LARGE;
    if (!take(&work, fmax(7, fmax(tall, both)), s[0] + 3 * s[1] + 3))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    const int info = LAPACKE_dgejsv_work(LAPACK_COL_MAJOR, 'F', u ? 'U' : 'N', v ? 'V' : 'N', 'R', 'N', 'N', s[0], s[1],
                                         a, s[2], sigma, u ? u : unused, s[3], v ? v : unused, s[4], work.reals,
                                         work.real_count, work.integers);
    /* The routine scales to stay clear of overflow, and leaves undoing it to the caller. */
    if (info == 0 && work.reals[0] != work.reals[1])
        for (int i = 0; i < s[1]; i++)
            sigma[i] *= work.reals[0] / work.reals[1];
    return release(&work, info);
}

int scree__dgesdd(char job, int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu,
                  double *vt, int64_t ldvt)
{
    NARROW(m, n, lda, ldu, ldvt);
    const int smaller = s[0] < s[1] ? s[0] : s[1];
    workspace work = {0};
    double reals = 0;
    int integers = 0;
    if (has_nan(s[0], s[1], a, s[2]))
        return -5;
    const int info = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, job, s[0], s[1], a, s[2], sigma, u, s[3], vt, s[4], &reals,
                                         -1, &integers);
    if (info != 0)
        return info;
    if (smaller > INT_MAX / 8 || !take(&work, reals, 8 * smaller))
        return release(&work, SCREE__BLAS_NO_MEMORY);
    return release(&work, LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, job, s[0], s[1], a, s[2], sigma, u, s[3], vt, s[4],
                                              work.reals, work.real_count, work.integers));
}

int scree__join_begin(scree__join *join)
{
    NARROW(join->n, join->cut, join->ld);
    const int n = s[0];
    lapack_int kept = 0;
    lapack_int info = 0;
    int *kinds = join->indices; /* the fourth part: INDX, INDXC and INDXP come first */
    DLAED2(&kept, &s[0], &s[1], join->values, join->vectors, &s[2], join->order, &join->rho, join->z, join->poles,
           join->weights, join->halves, kinds, kinds + 2 * n, kinds + n, kinds + 3 * n, &info);
    join->kept = kept;
    for (int i = 0; i < 3; i++)
        join->kinds[i] = kinds[3 * n + i];
    return info;
}

int scree__join_root(const scree__join *join, int64_t root, double *distances, double *value)
{
    const lapack_int kept = (lapack_int)join->kept;
    const lapack_int at = (lapack_int)(root + 1);
    lapack_int info = 0;
    DLAED4(&kept, &at, join->poles, join->weights, distances, &join->rho, value, &info);
    return info;
}

void scree__join_order(scree__join *join)
{
    const lapack_int kept = (lapack_int)join->kept;
    const lapack_int rest = (lapack_int)(join->n - join->kept);
    const lapack_int up = 1;
    const lapack_int down = -1;
    DLAMRG(&kept, &rest, join->values, &up, &down, join->order);
}
