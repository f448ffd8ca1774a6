/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter expansion for stepwise EM: codes that agree with their prior. With m the mean of z and RR' its second
 * moment about it, R lower triangular, the same model is obtained with z' = R⁻¹(z - m), W' = WR, µ' = µ + Wm; statistics
 * follow by
 *
 *     [z'; 1] = T[z; 1],   T = [R⁻¹  -R⁻¹m; 0  1],   A' = TAT',   b' = Tb,
 *
 * so that those of all times still speak of the same z. Plain EM finds the scale of W slowly where noise is small; this
 * finds it at once. R is near I: parameters of different times may be averaged. O(D M³). */

#include "fit/online.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct change {
    int64_t n;    /* M+1 */
    double *r;    /* M×M: R, lower */
    double *t;    /* n×n: T */
    double *half; /* n×n */
    double *full; /* pairs(n) */
    double *row;  /* n */
} change;

/* R; false when the codes have no second moment. */
static bool factorise(change *x, const double *z)
{
    const int64_t m = x->n - 1;
    const double *sums = z + scree__pairs(m);
    const double rows = sums[m];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j <= i; j++) {
            double rest = z[scree__pair(i, j)] / rows - sums[i] / rows * (sums[j] / rows);
            for (int64_t k = 0; k < j; k++)
                rest -= x->r[i * m + k] * x->r[j * m + k];
            if (i == j && !(rest > 0))
                return false;
            x->r[i * m + j] = i == j ? sqrt(rest) : rest / x->r[j * m + j];
        }
    return true;
}

/* T, column by column from R. */
static void invert(change *x, const double *z)
{
    const int64_t m = x->n - 1;
    const double *sums = z + scree__pairs(m);
    memset(x->t, 0, (size_t)(x->n * x->n) * sizeof *x->t);
    for (int64_t c = 0; c <= m; c++)
        for (int64_t i = 0; i < m; i++) {
            double rest = c < m ? (double)(i == c) : -sums[i] / sums[m];
            for (int64_t k = 0; k < i; k++)
                rest -= x->r[i * m + k] * x->t[k * x->n + c];
            x->t[i * x->n + c] = rest / x->r[i * m + i];
        }
    x->t[x->n * x->n - 1] = 1;
}

/* A = TAT', packed. */
static void change_pairs(const change *x, double *a)
{
    const int64_t n = x->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += x->t[i * n + k] * (k >= j ? a[scree__pair(k, j)] : a[scree__pair(j, k)]);
            x->half[i * n + j] = sum;
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += x->half[i * n + k] * x->t[j * n + k];
            x->full[scree__pair(i, j)] = sum;
        }
    memcpy(a, x->full, (size_t)scree__pairs(n) * sizeof *a);
}

static void change_column(const change *x, scree__online_chain *c, int64_t d)
{
    const int64_t n = x->n;
    const int64_t m = n - 1;
    double *b = c->b + d * n;
    double *w = c->state.w + d * m;
    const double *sums = c->z + scree__pairs(m);
    for (int64_t i = 0; i < n; i++) {
        x->row[i] = 0;
        for (int64_t k = 0; k < n; k++)
            x->row[i] += x->t[i * n + k] * b[k];
    }
    memcpy(b, x->row, (size_t)n * sizeof *b);
    for (int64_t j = 0; j < m; j++) {
        c->state.offset[d] += w[j] * (sums[j] / sums[m]);
        x->row[j] = 0;
        for (int64_t k = j; k < m; k++)
            x->row[j] += w[k] * x->r[k * m + j];
    }
    memcpy(w, x->row, (size_t)m * sizeof *w);
    change_pairs(x, c->a + d * scree__pairs(n));
}

scree_status scree__online_chain_whiten(scree__online_chain *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = c->state.m + 1;
    change x = {.n = n};
    SCREE_ALLOC(x.r, n * n, error);
    SCREE_ALLOC(x.t, n * n, error);
    SCREE_ALLOC(x.half, n * n, error);
    SCREE_ALLOC(x.full, scree__pairs(n), error);
    SCREE_ALLOC(x.row, n, error);
    if (!factorise(&x, c->z))
        goto done; /* no step is better than a wrong one */
    invert(&x, c->z);
    for (int64_t d = 0; d < c->state.d; d++)
        change_column(&x, c, d);
    change_pairs(&x, c->z);
done:
    free(x.r);
    free(x.t);
    free(x.half);
    free(x.full);
    free(x.row);
    return status;
}
