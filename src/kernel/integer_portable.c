/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products of bytes in plain C: bytes are packed as 16-bit numbers, row by row, and products of two of them fit
 * in 32 bits, a loop that compilers make vector instructions of. Two columns times one panel (2×16) are few enough sums
 * for the registers of any machine. */

#include "kernel/integer_kernels.h"

enum { STRIP = 2 };

static bool runs_here(void)
{
    return true;
}

static void pack(const uint8_t *x, int64_t stride, int64_t rows, void *panel)
{
    int16_t *restrict out = panel;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < SCREE__PANEL; j++)
            out[i * SCREE__PANEL + j] = x[i * stride + j];
}

/* Two columns times one panel; sums: the first row of theirs in the block. */
static void multiply_strip(const int16_t *restrict a, const int16_t *restrict b, int64_t rows, int64_t *restrict sums)
{
    int32_t first[SCREE__PANEL] = {0};
    int32_t second[SCREE__PANEL] = {0};
    for (int64_t g = 0; g < rows; g++, a += SCREE__PANEL, b += SCREE__PANEL) {
        const int16_t x = a[0];
        const int16_t y = a[1];
        for (int j = 0; j < SCREE__PANEL; j++) {
            first[j] += x * b[j];
            second[j] += y * b[j];
        }
    }
    for (int j = 0; j < SCREE__PANEL; j++) {
        sums[j] += first[j];
        sums[SCREE__PANEL + j] += second[j];
    }
}

static void multiply(const scree__integer_piece *p)
{
    for (int64_t v = 0; v < p->panels; v++) {
        const int16_t *b = (const int16_t *)(const void *)(p->b + v * p->stride);
        for (int64_t column = 0; column < SCREE__PANEL; column += STRIP)
            multiply_strip((const int16_t *)(const void *)p->a + column, b, p->groups,
                           p->sums + v * SCREE__BLOCK + column * SCREE__PANEL);
    }
}

const scree__integer_kernel scree__integer_portable = {
    .name = "portable",
    .runs_here = runs_here,
    .group = 1,
    .bytes = 2 * SCREE__PANEL,
    .shift = 0,
    .pack = pack,
    .multiply = multiply,
};
