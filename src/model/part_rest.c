/* SPDX-License-Identifier: BSD-3-Clause */
/* What the axes of the observed columns (part.c) leave of their covariance: with Q the projection off the axes, the
 * traces of QS_ooQ and of its square. Directions are projected first, U = QU_o and B = QB_o, so that variances of the
 * axes, however large, are not there to cancel. With Z = U A Uᵀ - U Bᵀ - B Uᵀ, G = UᵀU, X = BᵀU, J = BᵀB, H = UᵀΨU:
 *
 *     tr QΨQ = Σ ψ_i(1 - h_i),               tr Z = tr AG - 2 tr X
 *     tr (QΨQ)² = Σ ψ_i²(1 - 2h_i) + ‖EΨEᵀ‖²,   E the axes, h_i = Σ_j e_ji²
 *     tr ΨZ = tr AH - 2 Σ ψ_i Σ_k b_ki u_ki,     tr Z² = tr AGAG + 2 tr X² + 2 tr JG - 4 tr AGX
 *
 * O(o(r + K)K). */

#include "model/part.h"

#include "kernel/blas.h"
#include "model/support.h"

#include <math.h>

/* Rows of a become those of aQ. along: K×r. */
static int project(const scree__part_desk *at, const double *axes, double *along, double *a)
{
    if (at->r == 0 || at->k == 0)
        return 0;
    int info = scree__dgemm(false, true, at->k, at->r, at->o, 1, a, at->o, axes, at->o, 0, along, at->r);
    info |= scree__dgemm(false, false, at->k, at->o, at->r, -1, along, at->r, axes, at->o, 1, a, at->o);
    return info;
}

/* Σ a_ij b_ji. */
static double trace_of(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            sum += a[i * n + j] * b[j * n + i];
    return sum;
}

/* Of the noise alone. */
static void add_noise(scree__part *part, const scree__part_desk *at, const double *axes)
{
    for (int64_t i = 0; i < at->o; i++) {
        double inside = 0;
        for (int64_t j = 0; j < at->r; j++)
            inside += axes[j * at->o + i] * axes[j * at->o + i];
        part->sum += at->noise[i] * (1 - inside);
        part->squares += at->noise[i] * at->noise[i] * (1 - 2 * inside);
    }
    for (int64_t j = 0; j < at->r; j++)
        for (int64_t l = 0; l <= j; l++) {
            double sum = 0;
            for (int64_t i = 0; i < at->o; i++)
                sum += axes[j * at->o + i] * axes[l * at->o + i] * at->noise[i];
            part->squares += (j == l ? 1 : 2) * sum * sum;
        }
}

/* Of the directions, projected. */
static int add_directions(scree__part *part, const scree__parts *p, const scree__part_desk *at)
{
    const int64_t k = at->k;
    const int64_t o = at->o;
    double *g = at->square;
    double *x = g + k * k;
    double *j = x + k * k;
    double *ag = j + k * k;
    double *h = ag + k * k;
    int info = scree__dgemm(false, true, k, k, o, 1, at->u, o, at->u, o, 0, g, k);
    info |= scree__dgemm(false, true, k, k, o, 1, at->b, o, at->u, o, 0, x, k);
    info |= scree__dgemm(false, true, k, k, o, 1, at->b, o, at->b, o, 0, j, k);
    info |= scree__dgemm(false, false, k, k, k, 1, p->middle, k, g, k, 0, ag, k);
    part->sum += trace_of(p->middle, g, k);
    part->squares += trace_of(ag, ag, k) + 2 * trace_of(x, x, k) + 2 * trace_of(j, g, k) - 4 * trace_of(ag, x, k);
    for (int64_t i = 0; i < k; i++) {
        part->sum -= 2 * x[i * (k + 1)];
        for (int64_t c = 0; c < o; c++) {
            part->squares -= 4 * at->noise[c] * at->b[i * o + c] * at->u[i * o + c];
            at->b[i * o + c] = at->noise[c] * at->u[i * o + c];
        }
    }
    info |= scree__dgemm(false, true, k, k, o, 1, at->b, o, at->u, o, 0, h, k);
    part->squares += 2 * trace_of(p->middle, h, k);
    return info;
}

int scree__part_rest(scree__part *part, const scree__parts *p, const scree__part_desk *at, const double *axes)
{
    const double d = (double)scree__varying_columns(p->model);
    const double o = (double)at->o;
    int info = project(at, axes, at->turned, at->u);
    info |= project(at, axes, at->turned, at->b);
    part->sum = 0;
    part->squares = d > 1 ? p->links * (o * (o - 1)) / (d * (d - 1)) : 0;
    add_noise(part, at, axes);
    if (at->k > 0)
        info |= add_directions(part, p, at);
    return info;
}
