/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin wrappers of CBLAS and LAPACKE, the only calls of either in the library.
 *
 * Sizes are narrowed in one function. A symmetric matrix whose upper triangle is stored row by row is, for LAPACK's
 * column-major eye, the lower triangle of the same matrix; its results then read as transposes, which is what blas.h
 * promises. How many threads a library uses is set through functions that only that library has: they are looked up
 * as weak symbols, and found in OpenBLAS, MKL and BLIS. */

#include "kernel/blas.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void MKL_Set_Num_Threads(int threads) __attribute__((weak));
extern int MKL_Get_Max_Threads(void) __attribute__((weak));
extern void bli_thread_set_num_threads(int64_t threads) __attribute__((weak));
extern int64_t bli_thread_get_num_threads(void) __attribute__((weak));
extern char *openblas_get_config(void) __attribute__((weak));
extern void MKL_Get_Version_String(char *name, int size) __attribute__((weak));
extern const char *bli_info_get_version_str(void) __attribute__((weak));

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

static struct {
    pthread_mutex_t lock;
    int depth; /* enters without their leave */
    int saved; /* threads before the first of them */
} guard = {PTHREAD_MUTEX_INITIALIZER, 0, 1};

static void set_threads(int threads);

/* A process that was forked has none of the threads that entered. What they held is given back: the lock, and the
 * BLAS's own threads. */
static void forget_threads(void)
{
    pthread_mutex_init(&guard.lock, NULL);
    if (guard.depth > 0)
        set_threads(guard.saved);
    guard.depth = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_threads);
}

static void set_threads(int threads)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(threads);
    else if (MKL_Set_Num_Threads)
        MKL_Set_Num_Threads(threads);
    else if (bli_thread_set_num_threads)
        bli_thread_set_num_threads(threads);
}

int scree__blas_threads(void)
{
    int threads = 1;
    if (openblas_get_num_threads)
        threads = openblas_get_num_threads();
    else if (MKL_Get_Max_Threads)
        threads = MKL_Get_Max_Threads();
    else if (bli_thread_get_num_threads)
        threads = (int)bli_thread_get_num_threads();
    return threads > 0 ? threads : 1;
}

void scree__blas_name(char *name, int64_t size)
{
    if (openblas_get_config)
        snprintf(name, (size_t)size, "%s", openblas_get_config());
    else if (MKL_Get_Version_String)
        MKL_Get_Version_String(name, (int)size);
    else if (bli_info_get_version_str)
        snprintf(name, (size_t)size, "BLIS %s", bli_info_get_version_str());
    else
        snprintf(name, (size_t)size, "unknown BLAS");
}

void scree__blas_enter(void)
{
    pthread_mutex_lock(&guard.lock);
    if (guard.depth++ == 0) {
        guard.saved = scree__blas_threads();
        set_threads(1);
    }
    pthread_mutex_unlock(&guard.lock);
}

void scree__blas_leave(void)
{
    pthread_mutex_lock(&guard.lock);
    if (--guard.depth == 0)
        set_threads(guard.saved);
    pthread_mutex_unlock(&guard.lock);
}

/* The one place where sizes narrow. */
static bool narrow(int *narrowed, int count, const int64_t *sizes)
{
    for (int i = 0; i < count; i++) {
        if (sizes[i] < 0 || sizes[i] > INT_MAX)
            return false;
        narrowed[i] = (int)sizes[i];
    }
    return true;
}

/* Declares s[], the narrowed sizes, or leaves the function. */
#define NARROW(...)                                                                                                    \
    int s[sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)];                                                         \
    if (!narrow(s, (int)(sizeof s / sizeof s[0]), (const int64_t[]){__VA_ARGS__}))                                     \
    return SCREE__BLAS_TOO_LARGE

static CBLAS_TRANSPOSE flag(bool trans)
{
    return trans ? CblasTrans : CblasNoTrans;
}

int scree__dgemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, double alpha, const double *a,
                 int64_t lda, const double *b, int64_t ldb, double beta, double *c, int64_t ldc)
{
    NARROW(m, n, k, lda, ldb, ldc);
    cblas_dgemm(CblasRowMajor, flag(trans_a), flag(trans_b), s[0], s[1], s[2], alpha, a, s[3], b, s[4], beta, c, s[5]);
    return 0;
}

int scree__sgemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c, int64_t ldc)
{
    NARROW(m, n, k, lda, ldb, ldc);
    cblas_sgemm(CblasRowMajor, flag(trans_a), flag(trans_b), s[0], s[1], s[2], alpha, a, s[3], b, s[4], beta, c, s[5]);
    return 0;
}

int scree__dsyrk(bool trans, int64_t n, int64_t k, double alpha, const double *a, int64_t lda, double beta, double *c,
                 int64_t ldc)
{
    NARROW(n, k, lda, ldc);
    cblas_dsyrk(CblasRowMajor, CblasUpper, flag(trans), s[0], s[1], alpha, a, s[2], beta, c, s[3]);
    return 0;
}

int scree__ssyrk(bool trans, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, float beta, float *c,
                 int64_t ldc)
{
    NARROW(n, k, lda, ldc);
    cblas_ssyrk(CblasRowMajor, CblasUpper, flag(trans), s[0], s[1], alpha, a, s[2], beta, c, s[3]);
    return 0;
}

int scree__dtrsm(bool right, bool trans, int64_t m, int64_t n, double alpha, const double *r, int64_t ldr, double *b,
                 int64_t ldb)
{
    NARROW(m, n, ldr, ldb);
    cblas_dtrsm(CblasRowMajor, right ? CblasRight : CblasLeft, CblasUpper, flag(trans), CblasNonUnit, s[0], s[1], alpha,
                r, s[2], b, s[3]);
    return 0;
}

int scree__dgemv(bool trans, int64_t m, int64_t n, double alpha, const double *a, int64_t lda, const double *x,
                 double beta, double *y)
{
    NARROW(m, n, lda);
    cblas_dgemv(CblasRowMajor, flag(trans), s[0], s[1], alpha, a, s[2], x, 1, beta, y, 1);
    return 0;
}

int scree__dsyevd(int64_t n, double *a, int64_t lda, double *w)
{
    NARROW(n, lda);
    return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', s[0], a, s[1], w);
}

int scree__dsyevr(int64_t n, double *a, int64_t lda, int64_t k, double *w, double *z, int64_t ldz)
{
    NARROW(n, lda, k, ldz);
    int found = 0;
    int *support = malloc(2 * (size_t)(k > 0 ? k : 1) * sizeof *support);
    if (!support)
        return LAPACK_WORK_MEMORY_ERROR;
    int info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', s[0], a, s[1], 0, 0, s[0] - s[2] + 1, s[0], 0, &found, w,
                              z, s[3], support);
    free(support);
    return info != 0 || found == s[2] ? info : 1;
}

int scree__dsyevd_values(int64_t n, double *a, int64_t lda, double *w)
{
    NARROW(n, lda);
    return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', s[0], a, s[1], w);
}

int scree__dstemr(int64_t n, double *diagonal, double *beside, int64_t k, double *w, double *z, int64_t ldz)
{
    NARROW(n, k, ldz);
    int found = 0;
    lapack_logical accurate = 1;
    int *support = malloc(2 * (size_t)(k > 0 ? k : 1) * sizeof *support);
    if (!support)
        return LAPACK_WORK_MEMORY_ERROR;
    int info = LAPACKE_dstemr(LAPACK_COL_MAJOR, 'V', 'I', s[0], diagonal, beside, 0, 0, s[0] - s[1] + 1, s[0], &found,
                              w, z, s[2], s[1], support, &accurate);
    free(support);
    return info != 0 || found == s[1] ? info : 1;
}

int scree__dsterf(int64_t n, double *diagonal, double *beside)
{
    NARROW(n);
    return LAPACKE_dsterf(s[0], diagonal, beside);
}

int scree__dstedc(int64_t n, double *diagonal, double *beside, double *z, int64_t ldz)
{
    NARROW(n, ldz);
    return LAPACKE_dstedc(LAPACK_COL_MAJOR, 'I', s[0], diagonal, beside, z, s[1]);
}

int scree__dpotrf(int64_t n, double *a, int64_t lda)
{
    NARROW(n, lda);
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', s[0], a, s[1]);
}

int scree__dgeqrf(int64_t m, int64_t n, double *a, int64_t lda, double *tau)
{
    NARROW(m, n, lda);
    return LAPACKE_dgeqrf(LAPACK_COL_MAJOR, s[0], s[1], a, s[2], tau);
}

int scree__dorgqr(int64_t m, int64_t n, int64_t k, double *a, int64_t lda, const double *tau)
{
    NARROW(m, n, k, lda);
    return LAPACKE_dorgqr(LAPACK_COL_MAJOR, s[0], s[1], s[2], a, s[3], tau);
}

int scree__dormqr(char side, char trans, int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
                  const double *tau, double *c, int64_t ldc)
{
    NARROW(m, n, k, lda, ldc);
    return LAPACKE_dormqr(LAPACK_COL_MAJOR, side, trans, s[0], s[1], s[2], a, s[3], tau, c, s[4]);
}

int scree__dtpqrt(int64_t m, int64_t n, int64_t l, int64_t nb, double *a, int64_t lda, double *b, int64_t ldb,
                  double *t, int64_t ldt)
{
    NARROW(m, n, l, nb, lda, ldb, ldt);
    return LAPACKE_dtpqrt(LAPACK_COL_MAJOR, s[0], s[1], s[2], s[3], a, s[4], b, s[5], t, s[6]);
}

int scree__dgejsv(int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu, double *v,
                  int64_t ldv)
{
    double stat[7] = {1.0, 1.0};
    lapack_int istat[3] = {0};
    double unused[1];
    NARROW(m, n, lda, u ? ldu : 1, v ? ldv : 1);
    int info = LAPACKE_dgejsv(LAPACK_COL_MAJOR, 'F', u ? 'U' : 'N', v ? 'V' : 'N', 'R', 'N', 'N', s[0], s[1], a, s[2],
                              sigma, u ? u : unused, s[3], v ? v : unused, s[4], stat, istat);
    /* The routine scales to stay clear of overflow, and leaves undoing it to the caller. */
    if (info == 0 && stat[0] != stat[1])
        for (int i = 0; i < s[1]; i++)
            sigma[i] *= stat[0] / stat[1];
    return info;
}

int scree__dgesdd(char job, int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu,
                  double *vt, int64_t ldvt)
{
    NARROW(m, n, lda, ldu, ldvt);
    return LAPACKE_dgesdd(LAPACK_COL_MAJOR, job, s[0], s[1], a, s[2], sigma, u, s[3], vt, s[4]);
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
