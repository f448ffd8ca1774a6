/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion of stored numbers: byte order first, in place, then the type. Integers of 64 bits stay what they are
 * (wide.h makes doubles of them); all conversions are exact. Cost: one sweep each. */

#include "data/elements.h"

#include "base/half.h"
#include "data/source.h"

#include <string.h>

scree_type scree__element_stored(scree__element element)
{
    static const scree_type types[4][4] = {
        [SCREE__UNSIGNED] = {SCREE_U8, SCREE_U16, SCREE_U32, SCREE_U64},
        [SCREE__SIGNED] = {SCREE_I8, SCREE_I16, SCREE_I32, SCREE_I64},
        [SCREE__FLOAT] = {SCREE_F16, SCREE_F16, SCREE_F32, SCREE_F64},
        [SCREE__BOOLEAN] = {SCREE_BOOL, SCREE_BOOL, SCREE_BOOL, SCREE_BOOL},
    };
    return types[element.kind][element.size == 8 ? 3 : element.size / 2];
}

scree_type scree__element_type(scree__element element)
{
    if (element.kind == SCREE__FLOAT)
        return element.size == 8 ? SCREE_F64 : SCREE_F32;
    return element.kind != SCREE__SIGNED && element.size == 1 ? SCREE_U8 : SCREE_F64;
}

bool scree__element_is_plain(scree__element element)
{
    bool kept =
        element.kind == SCREE__FLOAT ? element.size > 2 : element.size == 8 || scree__element_type(element) == SCREE_U8;
    return kept && (!element.swapped || element.size == 1);
}

static void swap_bytes(void *data, int size, int64_t count)
{
    switch (size) {
    case 2:
        for (uint16_t *word = data, *end = word + count; word < end; word++)
            *word = __builtin_bswap16(*word);
        break;
    case 4:
        for (uint32_t *word = data, *end = word + count; word < end; word++)
            *word = __builtin_bswap32(*word);
        break;
    case 8:
        for (uint64_t *word = data, *end = word + count; word < end; word++)
            *word = __builtin_bswap64(*word);
        break;
    default:
        break;
    }
}

static void double_of_u2(const void *from, void *to, int64_t count)
{
    const uint16_t *in = from;
    double *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i];
}

static void double_of_u4(const void *from, void *to, int64_t count)
{
    const uint32_t *in = from;
    double *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i];
}

static void double_of_i1(const void *from, void *to, int64_t count)
{
    const int8_t *in = from;
    double *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i];
}

static void double_of_i2(const void *from, void *to, int64_t count)
{
    const int16_t *in = from;
    double *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i];
}

static void double_of_i4(const void *from, void *to, int64_t count)
{
    const int32_t *in = from;
    double *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i];
}

static void float_of_f2(const void *from, void *to, int64_t count)
{
    const uint16_t *in = from;
    float *out = to;
    for (int64_t i = 0; i < count; i++)
        out[i] = scree__half_load(in[i]);
}

typedef void (*convert_fn)(const void *from, void *to, int64_t count);

/* By kind and by the binary logarithm of the size; NULL: the same in the block. */
static const convert_fn conversions[4][4] = {
    [SCREE__UNSIGNED] = {NULL, double_of_u2, double_of_u4, NULL},
    [SCREE__SIGNED] = {double_of_i1, double_of_i2, double_of_i4, NULL},
    [SCREE__FLOAT] = {NULL, float_of_f2, NULL, NULL},
    [SCREE__BOOLEAN] = {NULL, NULL, NULL, NULL},
};

void scree__elements_convert(scree__element element, void *from, void *to, int64_t count)
{
    int rank = element.size == 8 ? 3 : element.size / 2;
    convert_fn convert = conversions[element.kind][rank];
    if (element.swapped)
        swap_bytes(from, element.size, count);
    if (convert)
        convert(from, to, count);
    else if (from != to)
        memcpy(to, from, (size_t)(count * element.size));
}
