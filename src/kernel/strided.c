/* SPDX-License-Identifier: BSD-3-Clause */
/* One loop for each element type, stride included: rows of a Fortran-ordered array and columns of a C-ordered one are
 * the same to them. Cost: one read of the elements. */

#include "kernel/strided.h"

#include "base/half.h"
#include "kernel/too_wide.h"

static const int64_t sizes[] = {
    [SCREE_F32] = 4, [SCREE_F64] = 8, [SCREE_U8] = 1,  [SCREE_I8] = 1,  [SCREE_I16] = 2, [SCREE_U16] = 2,
    [SCREE_I32] = 4, [SCREE_U32] = 4, [SCREE_I64] = 8, [SCREE_U64] = 8, [SCREE_F16] = 2, [SCREE_BOOL] = 1,
};

enum { TYPES = sizeof sizes / sizeof sizes[0] };

int64_t scree__element_size(scree_type type)
{
    return (int)type >= 0 && (int)type < TYPES ? sizes[type] : 0;
}

static void load_f32(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = (double)((const float *)from)[k * stride];
}

static void load_f64(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const double *)from)[k * stride];
}

static void load_u8(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const uint8_t *)from)[k * stride];
}

static void load_i8(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const int8_t *)from)[k * stride];
}

static void load_i16(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const int16_t *)from)[k * stride];
}

static void load_u16(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const uint16_t *)from)[k * stride];
}

static void load_i32(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const int32_t *)from)[k * stride];
}

static void load_u32(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const uint32_t *)from)[k * stride];
}

static double double_of_i64(int64_t value)
{
    return scree__double_of_whole(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
}

static void load_i64(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = double_of_i64(((const int64_t *)from)[k * stride]);
}

static void load_u64(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = scree__double_of_whole(((const uint64_t *)from)[k * stride], false);
}

static void load_f16(const void *from, int64_t stride, int64_t count, double *to)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = (double)scree__half_load(((const uint16_t *)from)[k * stride]);
}

typedef void (*load_fn)(const void *from, int64_t stride, int64_t count, double *to);

static const load_fn loads[TYPES] = {
    [SCREE_F32] = load_f32, [SCREE_F64] = load_f64, [SCREE_U8] = load_u8,   [SCREE_I8] = load_i8,
    [SCREE_I16] = load_i16, [SCREE_U16] = load_u16, [SCREE_I32] = load_i32, [SCREE_U32] = load_u32,
    [SCREE_I64] = load_i64, [SCREE_U64] = load_u64, [SCREE_F16] = load_f16, [SCREE_BOOL] = load_u8,
};

void scree__strided_load(scree_type type, const void *from, int64_t stride, int64_t count, double *to)
{
    loads[type](from, stride, count, to);
}

void scree__strided_store(scree_type type, const double *from, int64_t count, void *to, int64_t stride)
{
    switch (type) {
    case SCREE_U8:
        for (int64_t k = 0; k < count; k++)
            ((uint8_t *)to)[k * stride] = (uint8_t)from[k];
        break;
    case SCREE_F32:
        for (int64_t k = 0; k < count; k++)
            ((float *)to)[k * stride] = (float)from[k];
        break;
    default:
        for (int64_t k = 0; k < count; k++)
            ((double *)to)[k * stride] = from[k];
        break;
    }
}
