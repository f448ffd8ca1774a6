/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin wrappers of CBLAS, the only calls of it in the library; those of LAPACK are in lapack.c. How many threads a
 * library uses is set through functions that only that library has: they are looked up as weak symbols, and found in
 * OpenBLAS, MKL and BLIS. */

#include "kernel/blas.h"

#include "kernel/narrow.h"

#include <cblas.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

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
