/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_BLAS_H
#define SCREE_KERNEL_BLAS_H

/* The one door to CBLAS and LAPACKE (blas.c, lapack.c): sizes come in as int64_t and are narrowed here, checked.
 *
 * Every call returns 0 when it is done, and SCREE__BLAS_TOO_LARGE, with nothing touched, when a size is negative or
 * does not fit the library's integers; LAPACK calls also return SCREE__BLAS_NO_MEMORY, with nothing touched but what is
 * destroyed anyway, or the routine's own info: < 0 for a bad argument (a NaN among them), > 0 for a numerical failure.
 * Storage is row-major for BLAS, potrf, syevd, stemr and stedc, and column-major for the QR and SVD routines; ld counts
 * elements from row to row, or from column to column. */

#include "base/error.h"

enum { SCREE__BLAS_TOO_LARGE = -100000, SCREE__BLAS_NO_MEMORY = -100001 };

/* The failure of a LAPACK call, info being what it returned: no memory, or "WHAT of order ORDER failed". */
scree_status scree__blas_fail(int info, const char *what, int64_t order, scree_error *error);

/* Of two calls, what the first that failed has returned. */
static inline int scree__blas_first(int info, int next)
{
    return info != 0 ? info : next;
}

/* Between enter and leave, BLAS and LAPACK run in the calling thread alone: ours are the threads, and what a call
 * computes does not depend on how many there are. Pairs may nest, and may overlap between threads. Nothing happens with
 * a library whose threads cannot be told. */
void scree__blas_enter(void);
void scree__blas_leave(void);

/* Sees to it that so many threads (0: all) can call BLAS at once where address space is limited (blas_reserve.c), or
 * makes them fewer. Before the first call of a piece of work that can fail. */
scree_status scree__blas_reserve(int threads, scree_error *error);

/* Threads that the library would use now; 1 when it cannot be told. */
int scree__blas_threads(void);

/* Which library, and its version, as it calls itself: "OpenBLAS 0.3.21 ..."; "unknown BLAS" when it cannot be told. */
void scree__blas_name(char *name, int64_t size);

/* ---- BLAS, row-major; trans flags say whether the matrix is used transposed ---- */

/* C (m×n) = alpha op(A) op(B) + beta C, op(A) m×k, op(B) k×n. */
int scree__dgemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, double alpha, const double *a,
                 int64_t lda, const double *b, int64_t ldb, double beta, double *c, int64_t ldc);
int scree__sgemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c, int64_t ldc);

/* The upper triangle of C (n×n) = alpha op(A) op(A)ᵀ + beta C. trans: A is k×n and op(A) = Aᵀ, the Gram matrix of the
 * columns; else A is n×k. */
int scree__dsyrk(bool trans, int64_t n, int64_t k, double alpha, const double *a, int64_t lda, double beta, double *c,
                 int64_t ldc);
int scree__ssyrk(bool trans, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, float beta, float *c,
                 int64_t ldc);

/* B (m×n) = alpha op(R)⁻¹ B, or alpha B op(R)⁻¹ when right; R upper triangular, m×m or n×n. */
int scree__dtrsm(bool right, bool trans, int64_t m, int64_t n, double alpha, const double *r, int64_t ldr, double *b,
                 int64_t ldb);

/* y = alpha op(A) x + beta y, A m×n. */
int scree__dgemv(bool trans, int64_t m, int64_t n, double alpha, const double *a, int64_t lda, const double *x,
                 double beta, double *y);

/* ---- LAPACK on symmetric matrices: the upper triangle, row-major, is read ---- */

/* Eigenvalues w ascending; a is overwritten by the eigenvectors as ROWS: row i belongs to w[i]. */
int scree__dsyevd(int64_t n, double *a, int64_t lda, double *w);

/* The k largest eigenvalues w (n of room) ascending, and their eigenvectors z, k×n, as rows; a is destroyed. */
int scree__dsyevr(int64_t n, double *a, int64_t lda, int64_t k, double *w, double *z, int64_t ldz);

/* The eigenvalues alone, at a sixth of the cost; a is destroyed. */
int scree__dsyevd_values(int64_t n, double *a, int64_t lda, double *w);

/* The k largest eigenvalues w (n of room) of a symmetric tridiagonal matrix, ascending, and their eigenvectors z, k×n,
 * as rows. diagonal (n) and beside (n of room, n - 1 used) are destroyed. */
int scree__dstemr(int64_t n, double *diagonal, double *beside, int64_t k, double *w, double *z, int64_t ldz);

/* All eigenvalues alone: diagonal becomes them, ascending; beside is destroyed. */
int scree__dsterf(int64_t n, double *diagonal, double *beside);

/* All of them by divide and conquer; diagonal becomes the eigenvalues, ascending, z (n×n, ldz apart) has the vectors as
 * rows. */
int scree__dstedc(int64_t n, double *diagonal, double *beside, double *z, int64_t ldz);

/* A = RᵀR; the upper triangle of a is overwritten by R. info i > 0: the leading minor i is not positive. */
int scree__dpotrf(int64_t n, double *a, int64_t lda);

/* ---- parts of LAPACK's divide and conquer: how two halves of a tridiagonal problem are joined (divide.c) ---- */

typedef struct scree__join {
    int64_t n;       /* of both halves */
    int64_t cut;     /* of the first */
    double rho;      /* the entry that was torn; on exit what the secular equation has for it */
    double *values;  /* n: of the halves; on exit those that need no work, from kept on */
    double *vectors; /* n×n, ld apart, as rows: of the halves; on exit those that need no work, from kept on */
    int64_t ld;
    int *order;       /* n: what sorts the values of each half, from 1; on exit for the whole, after sorting */
    double *z;        /* n: the last entries of the first half's vectors, the first of the second's */
    int64_t kept;     /* on exit: eigenvalues that are found anew */
    double *poles;    /* n */
    double *weights;  /* n */
    double *halves;   /* n²: columns of the halves that the new vectors are made of, packed by kind */
    int *indices;     /* 4n: work; from 2n on which pole is which packed column, from 1 */
    int64_t kinds[3]; /* columns in the first half only, in both, in the second only */
} scree__join;

/* Finds out which eigenvalues stay (dlaed2). */
int scree__join_begin(scree__join *join);

/* The root-th (from 0) solution of the secular equation, and its distances to the poles (kept) (dlaed4). */
int scree__join_root(const scree__join *join, int64_t root, double *distances, double *value);

/* order for the values as they are, the kept ascending, the others descending (dlamrg). */
void scree__join_order(scree__join *join);

/* ---- LAPACK, column-major, as in its manual ---- */

int scree__dgeqrf(int64_t m, int64_t n, double *a, int64_t lda, double *tau);
int scree__dorgqr(int64_t m, int64_t n, int64_t k, double *a, int64_t lda, const double *tau);
int scree__dormqr(char side, char trans, int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
                  const double *tau, double *c, int64_t ldc);

/* QR of [A; B], A n×n upper triangular, B m×n whose last l rows are upper trapezoidal; panels of nb columns, t nb×n. */
int scree__dtpqrt(int64_t m, int64_t n, int64_t l, int64_t nb, double *a, int64_t lda, double *b, int64_t ldb,
                  double *t, int64_t ldt);

/* [A; B] = Q [A; B], A k×n, B m×n; Q of k reflectors, as dtpqrt has left it in v and t. */
int scree__dtpmqrt(int64_t m, int64_t n, int64_t k, int64_t l, int64_t nb, const double *v, int64_t ldv,
                   const double *t, int64_t ldt, double *a, int64_t lda, double *b, int64_t ldb);

/* One-sided Jacobi SVD of A (m ≥ n), accurate for small singular values too: sigma (n) descending, u m×n, v n×n
 * (columns); u and v may each be NULL. a is overwritten. */
int scree__dgejsv(int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu, double *v,
                  int64_t ldv);

/* SVD by divide and conquer. job 'S': thin u and vt; 'A': full; 'O': the longer of them over a; 'N': none. */
int scree__dgesdd(char job, int64_t m, int64_t n, double *a, int64_t lda, double *sigma, double *u, int64_t ldu,
                  double *vt, int64_t ldvt);

#endif
