/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done around the products of panel.h: tiles are laid out, centred on the way, thin matrices are cut into
 * panels, and the best table for the machine is found. One read and one write of each element. */

#include "base/cpu.h"
#include "kernel/typed/panel_tables.h"

#include <string.h>

/* A row of a tile: blocks that are `apart` elements from each other. */
SCREE_CLONES static void lay_f32(const float *x, const real *shift, int64_t blocks, int64_t apart, real *restrict out)
{
    for (; blocks > 0; blocks--, x += SCREE__BLOCK, shift += SCREE__BLOCK, out += apart)
        for (int j = 0; j < SCREE__BLOCK; j++)
            out[j] = (real)x[j] - shift[j];
}

SCREE_CLONES static void lay_f64(const double *x, const double *shift, int64_t blocks, int64_t apart,
                                 real *restrict out)
{
    for (; blocks > 0; blocks--, x += SCREE__BLOCK, shift += SCREE__BLOCK, out += apart)
        for (int j = 0; j < SCREE__BLOCK; j++)
            out[j] = (real)(x[j] - shift[j]);
}

SCREE_CLONES static void lay_u8(const uint8_t *x, const real *shift, int64_t blocks, int64_t apart, real *restrict out)
{
    for (; blocks > 0; blocks--, x += SCREE__BLOCK, shift += SCREE__BLOCK, out += apart)
        for (int j = 0; j < SCREE__BLOCK; j++)
            out[j] = (real)x[j] - shift[j];
}

#if SCREE_REAL_IS_FLOAT && defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

/* The same, eight at a time: compilers take detours from bytes to floats. */
__attribute__((target("avx2"))) static void lay_u8_avx2(const uint8_t *x, const float *shift, int64_t blocks,
                                                        int64_t apart, float *out)
{
    for (; blocks > 0; blocks--, x += SCREE__BLOCK, shift += SCREE__BLOCK, out += apart)
        for (int j = 0; j < SCREE__BLOCK; j += 8) {
            const __m256i whole = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(x + j)));
            _mm256_storeu_ps(out + j, _mm256_sub_ps(_mm256_cvtepi32_ps(whole), _mm256_loadu_ps(shift + j)));
        }
}

static void lay_bytes(const uint8_t *x, const float *shift, int64_t blocks, int64_t apart, float *out)
{
    if (__builtin_cpu_supports("avx2"))
        lay_u8_avx2(x, shift, blocks, apart, out);
    else
        lay_u8(x, shift, blocks, apart, out);
}

#else
#define lay_bytes lay_u8
#endif

static void lay_row(const scree__rows *x, int64_t row, const void *shift, int64_t apart, real *out)
{
    const int64_t blocks = x->cols / SCREE__BLOCK;
    if (x->type == SCREE_F32)
        lay_f32((const float *)x->data + row * x->stride, shift, blocks, apart, out);
    else if (x->type == SCREE_F64)
        lay_f64((const double *)x->data + row * x->stride, shift, blocks, apart, out);
    else
        lay_bytes((const uint8_t *)x->data + row * x->stride, shift, blocks, apart, out);
}

static real cell(const scree__rows *x, int64_t row, int64_t col, const void *shift)
{
    const int64_t at = row * x->stride + col;
    if (x->type == SCREE_F64)
        return (real)(((const double *)x->data)[at] - ((const double *)shift)[col]);
    return (x->type == SCREE_F32 ? (real)((const float *)x->data)[at] : (real)((const uint8_t *)x->data)[at]) -
           ((const real *)shift)[col];
}

void FN(panels_lay)(const scree__panel_tile *tile, const scree__rows *x, const void *shift)
{
    real *c = tile->c;
    const int64_t whole = x->cols / SCREE__BLOCK * SCREE__BLOCK;
    for (int64_t i = 0; i < x->rows; i++) {
        lay_row(x, i, shift, tile->apart, c + i * SCREE__BLOCK);
        if (whole < tile->cols) {
            real *last = c + whole / SCREE__BLOCK * tile->apart + i * SCREE__BLOCK;
            for (int64_t j = 0; j < SCREE__BLOCK; j++)
                last[j] = whole + j < x->cols ? cell(x, i, whole + j, shift) : 0;
        }
    }
    for (int64_t block = 0; block < tile->cols / SCREE__BLOCK; block++)
        memset(c + block * tile->apart + x->rows * SCREE__BLOCK, 0,
               (size_t)((tile->rows - x->rows) * SCREE__BLOCK) * sizeof *c);
}

void FN(panels_split)(const scree__thin *x, int64_t known, int64_t width, void *panel)
{
    real *out = panel;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t l = 0; l < width; l++)
            out[i * width + l] = l < known ? (real)(x->x[i * x->ld + l] * (x->factor ? x->factor[i] : 1)) : 0;
}

const scree__panels *FN(panels_best)(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_avx2 && __builtin_cpu_supports("avx512f"))
        return &FN(panels_avx512);
    if (has_avx2)
        return &FN(panels_avx2);
#endif
    return &FN(panels_portable);
}
