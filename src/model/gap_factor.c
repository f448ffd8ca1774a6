/* SPDX-License-Identifier: BSD-3-Clause */
/* E[z|x_o] of a row with gaps without an SVD, for the many rows that are only to be filled. With W_m the rows of W that
 * are missing,
 *
 *     A = W_oᵀW_o + σ²I = Λ - W_mᵀW_m = RᵀR          from whichever has fewer rows, W_o or W_m
 *     z = A⁻¹W_oᵀx_o,   then   z += A⁻¹(W_oᵀ(x_o - W_o z) - σ²z)
 *
 * The second step, with W itself, makes up for the squaring (the corrected seminormal equations of Björck 1987): its
 * error is that of the SVD for as long as λ₁/σ² leaves A its digits, and beyond that the SVD is taken. min(o, D-o) M² +
 * M³/3 flops a pattern, 8DM a row. */

#include "model/gaps.h"

#include "base/cpu.h"
#include "kernel/blas.h"
#include "model/ppca.h"

#include <string.h>

enum { LANES = 8 };
static const double MOST_SPREAD = 1e6; /* of λ₁/σ² */

bool scree__gaps_factorable(const scree_model_view *model)
{
    return model->m > 0 && model->noise_variance > 0 &&
           scree__ppca_variance(model, 0) <= MOST_SPREAD * model->noise_variance;
}

/* Rows first .. first+count-1 of the columns, of W: into q, row by row. */
static void gather_rows(scree__gaps *g, int64_t first, int64_t count)
{
    const scree_model_view *model = g->model;
    for (int64_t j = 0; j < model->m; j++) {
        const double *u = model->components + j * model->d;
        const double loading = scree__ppca_loading(model, j);
        for (int64_t i = 0; i < count; i++)
            g->q[i * model->m + j] = loading * u[g->columns[first + i]];
    }
}

bool scree__gaps_factor(scree__gaps *g)
{
    const scree_model_view *model = g->model;
    const int64_t m = model->m;
    const int64_t lost = model->d - g->seen;
    const bool down = lost < g->seen;
    const int64_t count = down ? lost : g->seen;
    int info = 0;
    memset(g->factor, 0, (size_t)(m * m) * sizeof *g->factor);
    gather_rows(g, down ? g->seen : 0, count);
    if (count > 0)
        info = scree__dsyrk(true, m, count, down ? -1 : 1, g->q, m, 0, g->factor, m);
    for (int64_t j = 0; j < m; j++)
        g->factor[j * (m + 1)] += down ? scree__ppca_variance(model, j) : model->noise_variance;
    return info == 0 && scree__dpotrf(m, g->factor, m) == 0;
}

/* Σ a_i b_i, in lanes that are added up in a fixed order. */
SCREE_CLONES double scree__gaps_dot(const double *a, const double *b, int64_t n)
{
    double lanes[LANES] = {0};
    double sum = 0;
    const int64_t whole = n - n % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (int64_t i = whole; i < n; i++)
        lanes[i - whole] += a[i] * b[i];
    for (int64_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

SCREE_CLONES static void subtract(double *restrict x, const double *restrict u, double times, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] -= times * u[i];
}

/* b = A⁻¹b; sizes that the factorisation took are no surprise here. */
static void solve(const scree__gaps *g, double *b)
{
    const int64_t m = g->model->m;
    (void)scree__dtrsm(false, true, m, 1, 1, g->factor, m, b, 1);
    (void)scree__dtrsm(false, false, m, 1, 1, g->factor, m, b, 1);
}

void scree__gaps_code(scree__gaps *g, const double *x)
{
    const scree_model_view *model = g->model;
    const int64_t d = model->d;
    double *step = g->work;
    double *rest = g->work + model->m; /* x_o, then x_o - W_o z; 0 where nothing is known */
    memcpy(rest, x, (size_t)d * sizeof *x);
    memset(g->z, 0, (size_t)model->m * sizeof *g->z);
    for (int round = 0; round < 2; round++) {
        for (int64_t i = g->seen; i < d; i++)
            rest[g->columns[i]] = 0;
        for (int64_t j = 0; j < model->m; j++)
            step[j] = scree__ppca_loading(model, j) * scree__gaps_dot(model->components + j * d, rest, d) -
                      model->noise_variance * g->z[j];
        solve(g, step);
        for (int64_t j = 0; j < model->m; j++) {
            g->z[j] += step[j];
            subtract(rest, model->components + j * d, scree__ppca_loading(model, j) * step[j], d);
        }
    }
}
