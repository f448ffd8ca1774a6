/* SPDX-License-Identifier: BSD-3-Clause */
/* The block operations on the CPU (ops.h): packing by plain loops, products by BLAS.
 *
 * Float products are formed in float over one panel, or a few that are told apart, and added up in double, so that the
 * error of a long sum is that of one panel (about 1e-7); double products go straight into the accumulator. */

#include "base/cpu.h"
#include "kernel/ops.h"
#include "kernel/typed/real.h"

#include <math.h>

enum { STRIP = 256 }; /* columns of a weighted row at a time */

SCREE_CLONES static void pack_row(const double *x, const double *shift, const double *factor, int64_t n, real *out)
{
    if (factor) {
        for (int64_t j = 0; j < n; j++)
            out[j] = (real)((x[j] - shift[j]) * factor[j]);
    } else {
        for (int64_t j = 0; j < n; j++)
            out[j] = (real)(x[j] - shift[j]);
    }
}

/* The weight is the last factor, so that it costs a rounding of double and no more. */
SCREE_CLONES static void weigh_row(const double *x, const double *shift, const double *factor, double root, int64_t n,
                                   real *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)((x[j] - shift[j]) * (factor ? factor[j] : 1) * root);
}

static void pack(const scree__rows *x, const double *shift, const double *factor, void *packed, double *buffer)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const double *row = scree__rows_load(x, i, buffer);
        real *out = (real *)packed + i * x->cols;
        if (x->weights)
            weigh_row(row, shift, factor, sqrt(x->weights[i]), x->cols, out);
        else
            pack_row(row, shift, factor, x->cols, out);
    }
}

SCREE_CLONES static void centre_f32(const scree__rows *x, const double *origin, const double *mean, real *restrict out)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const float *row = (const float *)x->data + i * x->stride;
        for (int64_t j = 0; j < x->cols; j++)
            out[i * x->cols + j] = (real)((double)row[j] - origin[j] - mean[j]);
    }
}

SCREE_CLONES static void centre_f64(const scree__rows *x, const double *origin, const double *mean, real *restrict out)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const double *row = (const double *)x->data + i * x->stride;
        for (int64_t j = 0; j < x->cols; j++)
            out[i * x->cols + j] = (real)(row[j] - origin[j] - mean[j]);
    }
}

SCREE_CLONES static void centre_u8(const scree__rows *x, const double *origin, const double *mean, real *restrict out)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const uint8_t *row = (const uint8_t *)x->data + i * x->stride;
        for (int64_t j = 0; j < x->cols; j++)
            out[i * x->cols + j] = (real)((double)row[j] - origin[j] - mean[j]);
    }
}

SCREE_CLONES static void centre_row(const double *x, const double *origin, const double *mean, double root, int64_t n,
                                    real *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)((x[j] - origin[j] - mean[j]) * root);
}

/* A few columns at a time, so that a row as doubles needs no room of the caller's. */
static void centre_weighted(const scree__rows *x, const double *origin, const double *mean, real *out)
{
    double buffer[STRIP];
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t first = 0; first < x->cols; first += STRIP) {
            const scree__rows part = scree__rows_columns(x, first, x->cols - first < STRIP ? x->cols - first : STRIP);
            centre_row(scree__rows_load(&part, i, buffer), origin + first, mean + first, sqrt(x->weights[i]), part.cols,
                       out + i * x->cols + first);
        }
}

static void centre(const scree__rows *x, const double *origin, const double *mean, void *packed)
{
    if (x->weights) {
        centre_weighted(x, origin, mean, packed);
        return;
    }
    switch (x->type) {
    case SCREE_F32:
        centre_f32(x, origin, mean, packed);
        break;
    case SCREE_U8:
        centre_u8(x, origin, mean, packed);
        break;
    case SCREE_F64:
    default:
        centre_f64(x, origin, mean, packed);
        break;
    }
}

SCREE_CLONES static void narrow_row(const double *x, int64_t n, real *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)x[j];
}

static void narrow(const double *x, int64_t n, void *out)
{
    narrow_row(x, n, out);
}

#if SCREE_REAL_IS_FLOAT
SCREE_CLONES static void add_panel(const real *x, int64_t m, int64_t n, bool upper, double *acc, int64_t ldacc)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = upper ? i : 0; j < n; j++)
            acc[i * ldacc + j] += (double)x[i * n + j];
}
#endif

SCREE_CLONES static void add_joined(const scree__tile *t, const double *u, const double *v)
{
    const real *x = t->scratch;
    for (int64_t i = 0; i < t->m; i++)
        for (int64_t j = t->a == t->b ? i : 0; j < t->n; j++)
            t->acc[i * t->ldacc + j] += (double)x[i * t->n + j] + u[i] * v[j];
}

/* scratch = op(A) op(B), or gains it. */
static int multiply_tile(const scree__tile *t, bool inner, bool more)
{
    const real beta = more ? 1 : 0;
    return t->a == t->b
               ? REAL_SYRK(inner, t->n, t->k, 1, t->a, t->lda, beta, t->scratch, t->n)
               : REAL_GEMM(inner, !inner, t->m, t->n, t->k, 1, t->a, t->lda, t->b, t->ldb, beta, t->scratch, t->n);
}

/* acc += op(A) op(B), with the detour through scratch that float needs. */
static int accumulate(const scree__tile *t, bool inner)
{
#if SCREE_REAL_IS_FLOAT
    const int info = multiply_tile(t, inner, false);
    if (info == 0)
        add_panel(t->scratch, t->m, t->n, t->a == t->b, t->acc, t->ldacc);
    return info;
#else
    return t->a == t->b
               ? REAL_SYRK(inner, t->n, t->k, 1, t->a, t->lda, 1, t->acc, t->ldacc)
               : REAL_GEMM(inner, !inner, t->m, t->n, t->k, 1, t->a, t->lda, t->b, t->ldb, 1, t->acc, t->ldacc);
#endif
}

static int inner(const scree__tile *tile)
{
    return accumulate(tile, true);
}

static int outer(const scree__tile *tile)
{
    return accumulate(tile, false);
}

static int gather(const scree__tile *tile, bool more)
{
    return multiply_tile(tile, true, more);
}

static int multiply(const void *p, int64_t rows, int64_t cols, const void *q, int64_t b, void *y)
{
    return REAL_GEMM(false, false, rows, b, cols, 1, p, cols, q, b, 0, y, b);
}

const scree__ops FN(ops) = {
    .type = REAL_TYPE,
    .size = (int64_t)sizeof(real),
    .scratch = SCREE_REAL_IS_FLOAT ? (int64_t)sizeof(real) : 0,
    .pack = pack,
    .centre = centre,
    .narrow = narrow,
    .inner = inner,
    .outer = outer,
    .gather = gather,
    .gain = add_joined,
    .multiply = multiply,
};
