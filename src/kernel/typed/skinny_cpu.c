/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a strip P of rows with a panel of a few columns (skinny.h): 2·rows·cols·lanes flops each.
 *
 * A panel is 64 bytes wide, 16 floats or 8 doubles: two vectors of AVX2. Six rows (forward) or six columns (backward)
 * of P are multiplied at a time, so that twelve sums stay in registers and each step needs eight loads for twelve
 * fused multiply-adds: the arithmetic bounds it, where a general GEMM packs more than it multiplies. Each sum runs over
 * its strip in order. Machines without AVX2 leave it to BLAS. */

#include "kernel/skinny.h"

#include "base/cpu.h"
#include "kernel/ops.h"
#include "kernel/typed/real.h"

#include <string.h>

enum { LANES = 64 / sizeof(real), HALF = LANES / 2, GROUP = 6, BLAS_COLS = 64 };

static void split(const double *q, int64_t n, int64_t b, void *out)
{
    real *panel = out;
    for (int64_t first = 0; first < b; first += LANES, panel += n * LANES) {
        const int64_t width = b - first < LANES ? b - first : LANES;
        for (int64_t i = 0; i < n; i++)
            for (int64_t l = 0; l < LANES; l++)
                panel[i * LANES + l] = l < width ? (real)q[i * b + first + l] : 0;
    }
}

SCREE_CLONES static void sum_parts(const real *parts, int64_t count, int64_t stride, int64_t n, real *restrict out)
{
    memcpy(out, parts, (size_t)n * sizeof *out);
    for (int64_t part = 1; part < count; part++)
        for (int64_t i = 0; i < n; i++)
            out[i] += parts[part * stride + i];
}

static void sum(const void *parts, int64_t count, int64_t stride, int64_t n, void *out)
{
    sum_parts(parts, count, stride, n, out);
}

static void add_lanes(const real *from, double *w, int64_t width)
{
    if (width == LANES)
        for (int64_t l = 0; l < LANES; l++)
            w[l] += (double)from[l];
    else
        for (int64_t l = 0; l < width; l++)
            w[l] += (double)from[l];
}

static int forward_blas(const scree__strip *s, const void *q, void *y)
{
    return REAL_GEMM(false, false, s->rows, LANES, s->cols, 1, s->p, s->ld, q, LANES, 0, y, LANES);
}

static int backward_blas(const scree__strip *s, const void *y, double *w, int64_t ldw, int64_t width)
{
    real part[BLAS_COLS * LANES];
    int info = 0;
    for (int64_t first = 0; info == 0 && first < s->cols; first += BLAS_COLS) {
        const int64_t cols = s->cols - first < BLAS_COLS ? s->cols - first : BLAS_COLS;
        info = REAL_GEMM(true, false, cols, LANES, s->rows, 1, (const real *)s->p + first, s->ld, y, LANES, 0, part,
                         LANES);
        for (int64_t j = 0; info == 0 && j < cols; j++)
            add_lanes(part + j * LANES, w + (first + j) * ldw, width);
    }
    return info;
}

const scree__skinny FN(skinny_blas) = {
    .lanes = LANES, .split = split, .forward = forward_blas, .backward = backward_blas, .sum = sum};

#if defined(__x86_64__) && defined(__GNUC__)

#define AVX2_FMA __attribute__((target("avx2,fma")))

typedef real half __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));

/* Where six elements of P lie, from one step to the next; and what is wanted after these, which no machine guesses when
 * rows are read in sixes or across: it is asked for along the way. */
typedef struct six {
    const real *a;
    int64_t step;
    int64_t next;
    const real *far;
    int64_t far_step;
} six;

/* Σ_j a[j·step + r·next] v_j, for r in 0..5: the lanes of six sums. */
AVX2_FMA static inline void six_sums(six p, const half *restrict v, int64_t count, half *restrict out)
{
    half a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, a4 = {0}, a5 = {0};
    half b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0}, b4 = {0}, b5 = {0};
    const real *restrict a = p.a;
    const int64_t next = p.next;
    for (int64_t j = 0; j < count; j++, a += p.step, p.far += p.far_step) {
        __builtin_prefetch(p.far);
        const half x = v[2 * j];
        const half z = v[2 * j + 1];
        a0 += x * a[0];
        b0 += z * a[0];
        a1 += x * a[next];
        b1 += z * a[next];
        a2 += x * a[2 * next];
        b2 += z * a[2 * next];
        a3 += x * a[3 * next];
        b3 += z * a[3 * next];
        a4 += x * a[4 * next];
        b4 += z * a[4 * next];
        a5 += x * a[5 * next];
        b5 += z * a[5 * next];
    }
    const half all[2 * GROUP] = {a0, b0, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5};
    memcpy(out, all, sizeof all);
}

/* The same for one. */
AVX2_FMA static inline void one_sum(const real *restrict a, int64_t step, const half *restrict v, int64_t count,
                                    half *restrict out)
{
    half low = {0};
    half high = {0};
    for (int64_t j = 0; j < count; j++, a += step) {
        low += v[2 * j] * a[0];
        high += v[2 * j + 1] * a[0];
    }
    out[0] = low;
    out[1] = high;
}

AVX2_FMA static int forward_avx2(const scree__strip *s, const void *q, void *y)
{
    const real *p = s->p;
    half *out = y;
    int64_t i = 0;
    for (; i + GROUP <= s->rows; i += GROUP)
        six_sums((six){p + i * s->ld, 1, s->ld, p + (i + GROUP) * s->ld, GROUP}, q, s->cols, out + 2 * i);
    for (; i < s->rows; i++)
        one_sum(p + i * s->ld, 1, q, s->cols, out + 2 * i);
    return 0;
}

AVX2_FMA static int backward_avx2(const scree__strip *s, const void *y, double *w, int64_t ldw, int64_t width)
{
    const real *p = s->p;
    real lanes[GROUP * LANES];
    int64_t j = 0;
    for (; j + GROUP <= s->cols; j += GROUP) {
        six_sums((six){p + j, s->ld, 1, p + j + LANES, s->ld}, y, s->rows, (half *)lanes);
        for (int64_t r = 0; r < GROUP; r++)
            add_lanes(lanes + r * LANES, w + (j + r) * ldw, width);
    }
    for (; j < s->cols; j++) {
        one_sum(p + j, s->ld, y, s->rows, (half *)lanes);
        add_lanes(lanes, w + j * ldw, width);
    }
    return 0;
}

static const scree__skinny skinny_avx2 = {
    .lanes = LANES, .split = split, .forward = forward_avx2, .backward = backward_avx2, .sum = sum};

const scree__skinny *FN(skinny_best)(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &skinny_avx2 : &FN(skinny_blas);
}

#else

const scree__skinny *FN(skinny_best)(void)
{
    return &FN(skinny_blas);
}

#endif
