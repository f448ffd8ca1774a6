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
