/* SPDX-License-Identifier: BSD-3-Clause */
/* Bi-cross-validation (Owen and Perry 2009) from Grams. Rows are held in (I) or out (J), columns are kept (K) or left
 * out (L); the cells of J×L are predicted by X_JK (X_IK)⁺_M X_IL, and with G = XᵀX over the rows of I or J all that
 * enters is
 *
 *     W = V_M S_M⁻¹ V_Mᵀ G^I_KL  with  G^I_KK = V S Vᵀ,
 *     error = tr G^J_LL - 2 tr(Wᵀ G^J_KL) + tr(Wᵀ G^J_KK W).
 *
 * With A = S⁻¹ Vᵀ G^I_KL the last two are sums over leading blocks, Σ_{j≤M} and Σ_{i,j≤M}, of the entries of
 * (Vᵀ G^J_KL) ∘ A and (Vᵀ G^J_KK V) ∘ (A Aᵀ): all M in O(p³). Rows and columns may change roles; then each part of the
 * rows is centred by itself, which takes a direction from each and leaves noise in K and L independent. */

#include "fit/selection.h"

#include "kernel/blas.h"

#include <math.h>
#include <string.h>

/* Matrices of one split, in the caller's work. k is the larger half of p. */
typedef struct split {
    const int64_t *kept; /* k indices */
    const int64_t *left; /* l indices */
    int64_t k;
    int64_t l;
    int64_t r;      /* components that can be told: at most most, and the rank */
    double *v;      /* k×k: G^I_KK, then eigenvectors as rows, ascending */
    double *cross;  /* k×l: G^I_KL, then G^J_KL */
    double *a;      /* r×l */
    double *seen;   /* k×k: G^J_KK, then A Aᵀ */
    double *vx;     /* r×k or r×l: V times something */
    double *quad;   /* r×r: V G^J_KK Vᵀ */
    double *values; /* k */
    double *means;  /* p */
} split;

static void gather(const double *g, int64_t p, const int64_t *rows, int64_t m, const int64_t *cols, int64_t n,
                   double *out)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            out[i * n + j] = g[rows[i] * p + cols[j]];
}

/* Takes the mean of every row, then of every column, from an m×n matrix. means: n. */
static void centre(double *x, int64_t m, int64_t n, double *means)
{
    memset(means, 0, (size_t)n * sizeof *means);
    for (int64_t i = 0; i < m; i++) {
        double mean = 0;
        for (int64_t j = 0; j < n; j++)
            mean += x[i * n + j] / (double)n;
        for (int64_t j = 0; j < n; j++) {
            x[i * n + j] -= mean;
            means[j] += x[i * n + j] / (double)m;
        }
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            x[i * n + j] -= means[j];
}

/* A block of g, in out. */
static void block(const scree__bicross *b, const split *s, const double *g, bool square, double *out)
{
    const int64_t n = square ? s->k : s->l;
    gather(g, b->p, s->kept, s->k, square ? s->kept : s->left, n, out);
    if (b->centre)
        centre(out, s->k, n, s->means);
}

/* tr of the block of the part left out. */
static double trace_left(const scree__bicross *b, const split *s)
{
    double trace = 0;
    double all = 0;
    for (int64_t i = 0; i < s->l; i++) {
        trace += b->out[s->left[i] * b->p + s->left[i]];
        for (int64_t j = 0; j < s->l && b->centre; j++)
            all += b->out[s->left[i] * b->p + s->left[j]];
    }
    return trace - all / (double)s->l;
}

/* V, S and A = S⁻¹ V G^I_KL; components in descending order from here on. */
static int solve(const scree__bicross *b, split *s)
{
    block(b, s, b->in, true, s->v);
    int info = scree__dsyevd(s->k, s->v, s->k, s->values);
    const double floor = 4 * (double)(s->k > 16 ? s->k : 16) * 0x1p-52 * s->values[s->k - 1];
    s->r = 0;
    while (s->r < s->k && s->r < b->max_components && s->values[s->k - 1 - s->r] > floor)
        s->r++;
    for (int64_t i = 0; i < s->k / 2; i++)
        for (int64_t j = 0; j < s->k; j++) {
            const double held = s->v[i * s->k + j];
            s->v[i * s->k + j] = s->v[(s->k - 1 - i) * s->k + j];
            s->v[(s->k - 1 - i) * s->k + j] = held;
        }
    if (s->r == 0)
        return info;
    block(b, s, b->in, false, s->cross);
    info |= scree__dgemm(false, false, s->r, s->l, s->k, 1, s->v, s->k, s->cross, s->l, 0, s->a, s->l);
    for (int64_t i = 0; i < s->r; i++)
        for (int64_t j = 0; j < s->l; j++)
            s->a[i * s->l + j] /= s->values[s->k - 1 - i];
    return info;
}

/* Adds the errors of one split for M = 0 .. r; beyond, none can be told. */
static void add_errors(const scree__bicross *b, const split *s, double *errors)
{
    double error = trace_left(b, s);
    errors[0] += error;
    for (int64_t m = 1; m <= b->max_components; m++) {
        if (m > s->r) {
            errors[m] = NAN;
            continue;
        }
        const int64_t i = m - 1;
        for (int64_t j = 0; j < s->l; j++)
            error -= 2 * s->vx[i * s->l + j] * s->a[i * s->l + j];
        for (int64_t j = 0; j < i; j++)
            error += 2 * s->quad[i * s->r + j] * s->seen[j * s->r + i];
        error += s->quad[i * s->r + i] * s->seen[i * s->r + i];
        errors[m] += error;
    }
}

static int score_split(const scree__bicross *b, split *s, double *errors)
{
    int info = solve(b, s);
    const int64_t r = s->r;
    if (r == 0) {
        add_errors(b, s, errors);
        return info;
    }
    block(b, s, b->out, true, s->seen);
    info |= scree__dgemm(false, false, r, s->k, s->k, 1, s->v, s->k, s->seen, s->k, 0, s->vx, s->k);
    info |= scree__dgemm(false, true, r, r, s->k, 1, s->vx, s->k, s->v, s->k, 0, s->quad, r);
    block(b, s, b->out, false, s->cross);
    info |= scree__dgemm(false, false, r, s->l, s->k, 1, s->v, s->k, s->cross, s->l, 0, s->vx, s->l);
    info |= scree__dsyrk(false, r, s->l, 1, s->a, s->l, 0, s->seen, r);
    add_errors(b, s, errors);
    return info;
}

int scree__bicross_score(const scree__bicross *b, double *errors)
{
    const int64_t half = b->live / 2;
    const int64_t side = b->live - half;
    const int64_t size = side * side;
    double *w = b->work;
    split s = {.v = w, .cross = w + size, .a = w + 2 * size, .seen = w + 3 * size, .vx = w + 4 * size};
    s.quad = w + 5 * size;
    s.values = w + 6 * size;
    s.means = s.values + side;
    memset(errors, 0, (size_t)(b->max_components + 1) * sizeof *errors);
    int info = 0;
    for (int part = 0; part < 2 * b->splits; part++) {
        const int64_t *order = b->order + part / 2 * b->live;
        s.kept = order + (part % 2 ? half : 0);
        s.left = order + (part % 2 ? 0 : half);
        s.k = part % 2 ? side : half;
        s.l = part % 2 ? half : side;
        info = scree__blas_first(score_split(b, &s, errors), info);
    }
    return info;
}
