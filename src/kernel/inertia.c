/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the eigenvalues of A (n×n) beside k known ones Θ, with vectors U (k×n), lie below τ: yes, if τI - A + UᵀΘU
 * has a Cholesky factor (Sylvester's law of inertia). n²k + n³/3 flops.
 *
 * What rounding may hide from a factorisation that succeeds: (n+1)u tr(τI - A + UᵀΘU) in the factor (Rump 2006), and
 * (k+2)u ΣΘ in forming UᵀΘU. */

#include "kernel/inertia.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/cholesky.h"

#include <math.h>

enum { ROW_TILE = 128 };
static const double ROUND_OFF = 0x1p-53;

typedef struct shifted {
    const scree__proof *proof;
    double tau;
    const double *scaled; /* k×n: √θ_j u_j */
} shifted;

/* Task: a band of rows of the upper triangle of τI - A + UᵀΘU. */
static void shift_band(void *context, int64_t index, int worker)
{
    const shifted *s = context;
    const int64_t n = s->proof->n;
    const int64_t first = index * ROW_TILE;
    const int64_t rows = n - first < ROW_TILE ? n - first : ROW_TILE;
    const double *scaled = s->scaled + first;
    double *out = s->proof->work;
    (void)worker;
    for (int64_t i = first; i < first + rows; i++) {
        for (int64_t j = first; j < n; j++)
            out[i * n + j] = -s->proof->a[i * n + j];
        out[i * n + i] += s->tau;
    }
    out += first * (n + 1);
    if (scree__dgemm(true, false, rows, n - first, s->proof->k, 1, scaled, n, scaled, n, 1, out, n) != 0)
        *out = -1; /* not positive definite then */
}

static double doubt(const scree__proof *p, double tau)
{
    double trace = (double)p->n * tau;
    double kept = 0;
    for (int64_t i = 0; i < p->n; i++)
        trace -= p->a[i * (p->n + 1)];
    for (int64_t j = 0; j < p->k; j++)
        kept += p->values[j];
    return ROUND_OFF * ((double)(p->n + 1) * fmax(trace + kept, 0) + (double)(p->k + 2) * kept);
}

bool scree__others_below(const scree__proof *p, double tau, double *bound)
{
    double *scaled = scree__alloc_raw(p->k * p->n, sizeof *scaled);
    shifted s = {p, tau, scaled};
    if (!scaled)
        return false;
    for (int64_t j = 0; j < p->k; j++)
        for (int64_t i = 0; i < p->n; i++)
            scaled[j * p->n + i] = sqrt(p->values[j]) * p->vectors[j * p->n + i];
    scree__blas_enter();
    scree__parallel(p->threads, (p->n + ROW_TILE - 1) / ROW_TILE, shift_band, &s);
    scree__blas_leave();
    free(scaled);
    if (!scree__cholesky(p->work, p->n, p->threads))
        return false;
    *bound = tau + doubt(p, tau);
    return true;
}
