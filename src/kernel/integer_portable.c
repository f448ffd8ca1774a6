/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products of bytes in plain C: dot products of 16-bit numbers in 32 bits, a loop that compilers have vector
 * instructions for. Rows are packed by 64, column after column, so that these numbers stand one after the other. Two
 * columns times two (2×2) halve what is loaded, and are few enough sums for the registers of any machine. */

#include "kernel/integer_kernels.h"

enum { GROUP = 64, LENGTH = GROUP * SCREE__PANEL };

static bool runs_here(void)
{
    return true;
}

static void pack(const uint8_t *x, int64_t stride, int64_t rows, void *panel)
{
    int16_t *restrict out = panel;
    for (int64_t first = 0; first < rows; first += GROUP, x += GROUP * stride, out += LENGTH)
        for (int64_t i = 0; i < GROUP; i++)
            for (int64_t j = 0; j < SCREE__PANEL; j++)
                out[j * GROUP + i] = x[i * stride + j];
}

static void pack_across(const uint8_t *x, int64_t stride, int64_t cols, void *panel)
{
    int16_t *restrict out = panel;
    for (int64_t first = 0; first < cols; first += GROUP, x += GROUP, out += LENGTH)
        for (int64_t j = 0; j < SCREE__PANEL; j++)
            for (int64_t i = 0; i < GROUP; i++)
                out[j * GROUP + i] = x[j * stride + i];
}

/* Two columns times two; sums: where theirs begin in the block. */
static void multiply_pairs(const int16_t *a, const int16_t *b, int64_t groups, int64_t *sums)
{
    int32_t s00 = 0;
    int32_t s01 = 0;
    int32_t s10 = 0;
    int32_t s11 = 0;
    for (int64_t g = 0; g < groups; g++, a += LENGTH, b += LENGTH)
        for (int i = 0; i < GROUP; i++) {
            s00 += a[i] * b[i];
            s01 += a[i] * b[GROUP + i];
            s10 += a[GROUP + i] * b[i];
            s11 += a[GROUP + i] * b[GROUP + i];
        }
    sums[0] += s00;
    sums[1] += s01;
    sums[SCREE__PANEL] += s10;
    sums[SCREE__PANEL + 1] += s11;
}

static void multiply(const scree__integer_piece *p)
{
    const int16_t *a = (const int16_t *)(const void *)p->a;
    for (int64_t v = 0; v < p->panels; v++) {
        const int16_t *b = (const int16_t *)(const void *)(p->b + v * p->stride);
        for (int64_t i = 0; i < SCREE__PANEL; i += 2)
            for (int64_t j = 0; j < SCREE__PANEL; j += 2)
                multiply_pairs(a + i * GROUP, b + j * GROUP, p->groups,
                               p->sums + v * SCREE__SQUARE + i * SCREE__PANEL + j);
    }
}

const scree__integer_kernel scree__integer_portable = {
    .name = "portable",
    .runs_here = runs_here,
    .group = GROUP,
    .bytes = 2 * LENGTH,
    .shift = 0,
    .speed = 0.4,
    .pack = pack,
    .pack_across = pack_across,
    .multiply = multiply,
};
