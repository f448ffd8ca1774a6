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

SCREE_CLONES static void lay_f32(const float *x, const real *shift, int64_t n, real *restrict out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)x[j] - shift[j];
}

SCREE_CLONES static void lay_f64(const double *x, const double *shift, int64_t n, real *restrict out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)(x[j] - shift[j]);
}

SCREE_CLONES static void lay_u8(const uint8_t *x, const real *shift, int64_t n, real *restrict out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)x[j] - shift[j];
}

static void lay(const scree__rows *x, const void *shift, void *packed)
{
    real *out = packed;
    for (int64_t i = 0; i < x->rows; i++, out += x->cols) {
        if (x->type == SCREE_F32)
            lay_f32((const float *)x->data + i * x->stride, shift, x->cols, out);
        else if (x->type == SCREE_F64)
            lay_f64((const double *)x->data + i * x->stride, shift, x->cols, out);
        else
            lay_u8((const uint8_t *)x->data + i * x->stride, shift, x->cols, out);
    }
}

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

SCREE_CLONES static void add_panel(const real *panel, int64_t n, double *y, int64_t ld)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < LANES; l++)
            y[i * ld + l] += (double)panel[i * LANES + l];
}

static void add(const void *panel, int64_t n, double *y, int64_t ld, int64_t width)
{
    const real *from = panel;
    if (width == LANES)
        add_panel(from, n, y, ld);
    else
        for (int64_t i = 0; i < n; i++)
            add_lanes(from + i * LANES, y + i * ld, width);
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

static int spread_blas(const scree__strip *s, const void *y, void *w)
{
    return REAL_GEMM(true, false, s->cols, LANES, s->rows, 1, s->p, s->ld, y, LANES, 1, w, LANES);
}

const scree__skinny FN(skinny_blas) = {.lanes = LANES,
                                       .lay = lay,
                                       .split = split,
                                       .forward = forward_blas,
                                       .backward = backward_blas,
                                       .spread = spread_blas,
                                       .add = add,
                                       .sum = sum};

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

/* w_j += Σ_r a[r·ld + j] y_r for six rows. */
AVX2_FMA static inline void six_spread(const real *restrict a, int64_t ld, const half *restrict y, int64_t count,
                                       half *restrict w)
{
    half low[GROUP];
    half high[GROUP];
    for (int r = 0; r < GROUP; r++) {
        low[r] = y[2 * r];
        high[r] = y[2 * r + 1];
    }
    for (int64_t j = 0; j < count; j++) {
        half x = w[2 * j];
        half z = w[2 * j + 1];
#pragma GCC unroll 6
        for (int r = 0; r < GROUP; r++) {
            x += low[r] * a[r * ld + j];
            z += high[r] * a[r * ld + j];
        }
        w[2 * j] = x;
        w[2 * j + 1] = z;
    }
}

AVX2_FMA static int spread_avx2(const scree__strip *s, const void *y, void *w)
{
    const real *p = s->p;
    const half *from = y;
    half *to = w;
    int64_t i = 0;
    for (; i + GROUP <= s->rows; i += GROUP)
        six_spread(p + i * s->ld, s->ld, from + 2 * i, s->cols, to);
    for (; i < s->rows; i++)
        for (int64_t j = 0; j < s->cols; j++) {
            to[2 * j] += from[2 * i] * p[i * s->ld + j];
            to[2 * j + 1] += from[2 * i + 1] * p[i * s->ld + j];
        }
    return 0;
}

static const scree__skinny skinny_avx2 = {.lanes = LANES,
                                          .lay = lay,
                                          .split = split,
                                          .forward = forward_avx2,
                                          .backward = backward_avx2,
                                          .spread = spread_avx2,
                                          .add = add,
                                          .sum = sum};

#define AVX512 __attribute__((target("avx512f")))

enum { DOZEN = 12 };
typedef real whole __attribute__((vector_size(64), aligned(sizeof(real)), may_alias));

/* What is wanted after a strip of twelve rows: a line of it is asked for every few columns, row after row. */
typedef struct wish {
    const char *at;
    int64_t apart; /* bytes from row to row */
    int64_t step;  /* bytes, a column of the strip */
} wish;

static inline wish wish_of(const scree__strip *s)
{
    if (!s->ahead)
        return (wish){s->p, 0, 0};
    return (wish){s->ahead, s->ahead_apart, DOZEN * s->ahead_size};
}

/* Σ_j a[r·ld + j] v_j, for r in 0..11: the lanes of twelve sums. */
AVX512 static inline void dozen_sums(const real *restrict a, int64_t ld, const whole *restrict v, int64_t count,
                                     whole *restrict out, wish w)
{
    whole sums[DOZEN] = {0};
    for (int64_t row = 0, j = 0; row < DOZEN; row++) {
        const int64_t end = count * (row + 1) / DOZEN;
        const char *far = w.at + row * w.apart;
        for (; j < end; j++, far += w.step) {
            __builtin_prefetch(far, 0, 2);
            const whole x = v[j];
#pragma GCC unroll 12
            for (int r = 0; r < DOZEN; r++)
                sums[r] += x * a[r * ld + j];
        }
    }
    memcpy(out, sums, sizeof sums);
}

AVX512 static int forward_avx512(const scree__strip *s, const void *q, void *y)
{
    const real *p = s->p;
    const whole *v = q;
    whole *out = y;
    int64_t i = 0;
    for (; i + DOZEN <= s->rows; i += DOZEN)
        dozen_sums(p + i * s->ld, s->ld, v, s->cols, out + i, wish_of(s));
    for (; i < s->rows; i++) {
        whole sum = {0};
        for (int64_t j = 0; j < s->cols; j++)
            sum += v[j] * p[i * s->ld + j];
        out[i] = sum;
    }
    return 0;
}

/* w_j += Σ_r a[r·ld + j] y_r for twelve rows: four sums at a time, since each waits for itself. */
AVX512 static inline void dozen_spread(const real *restrict a, int64_t ld, const whole *restrict y, int64_t count,
                                       whole *restrict w, wish next)
{
    whole rows[DOZEN];
    memcpy(rows, y, sizeof rows);
    int64_t j = 0;
    for (int64_t row = 0; row < DOZEN; row++) {
        const int64_t end = count * (row + 1) / DOZEN;
        const char *far = next.at + row * next.apart;
        for (; j + 1 < end; j += 2, far += 2 * next.step) {
            __builtin_prefetch(far, 0, 2);
            __builtin_prefetch(far + next.step, 0, 2);
            whole sum = w[j];
            whole sum2 = w[j + 1];
            whole other = rows[6] * a[6 * ld + j];
            whole other2 = rows[6] * a[6 * ld + j + 1];
#pragma GCC unroll 6
            for (int r = 0; r < 6; r++) {
                sum += rows[r] * a[r * ld + j];
                sum2 += rows[r] * a[r * ld + j + 1];
                if (r > 0) {
                    other += rows[6 + r] * a[(6 + r) * ld + j];
                    other2 += rows[6 + r] * a[(6 + r) * ld + j + 1];
                }
            }
            w[j] = sum + other;
            w[j + 1] = sum2 + other2;
        }
    }
    for (; j < count; j++)
        for (int r = 0; r < DOZEN; r++)
            w[j] += rows[r] * a[r * ld + j];
}

AVX512 static int spread_avx512(const scree__strip *s, const void *y, void *w)
{
    const real *p = s->p;
    const whole *from = y;
    whole *to = w;
    int64_t i = 0;
    for (; i + DOZEN <= s->rows; i += DOZEN)
        dozen_spread(p + i * s->ld, s->ld, from + i, s->cols, to, wish_of(s));
    for (; i < s->rows; i++)
        for (int64_t j = 0; j < s->cols; j++)
            to[j] += from[i] * p[i * s->ld + j];
    return 0;
}

static const scree__skinny skinny_avx512 = {.lanes = LANES,
                                            .lay = lay,
                                            .split = split,
                                            .forward = forward_avx512,
                                            .backward = backward_avx2,
                                            .spread = spread_avx512,
                                            .add = add,
                                            .sum = sum};

const scree__skinny *FN(skinny_best)(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &skinny_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &skinny_avx2 : &FN(skinny_blas);
}

#else

const scree__skinny *FN(skinny_best)(void)
{
    return &FN(skinny_blas);
}

#endif
