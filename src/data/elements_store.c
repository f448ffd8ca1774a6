/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubles become stored elements, of which nothing is lost unseen: a number that is not whole, or too large, is no
 * integer, and a finite one does not become an infinite float. Cost: one sweep. */

#include "base/half.h"
#include "data/elements.h"

#include <math.h>
#include <string.h>

/* How many of the numbers are whole and from low to below end, up to the first that is not. */
static int64_t count_whole(const double *from, int64_t count, double low, double end)
{
    for (int64_t i = 0; i < count; i++)
        if (!(from[i] >= low && from[i] < end) || from[i] != floor(from[i]))
            return i;
    return count;
}

#define STORE_WHOLE(name, type, low, end)                                                                              \
    static int64_t store_##name(const double *from, void *to, int64_t count)                                           \
    {                                                                                                                  \
        const int64_t whole = count_whole(from, count, low, end);                                                      \
        for (int64_t i = 0; i < whole; i++)                                                                            \
            ((type *)to)[i] = (type)from[i];                                                                           \
        return whole;                                                                                                  \
    }

STORE_WHOLE(bool, uint8_t, 0.0, 2.0)
STORE_WHOLE(u8, uint8_t, 0.0, 0x1p8)
STORE_WHOLE(u16, uint16_t, 0.0, 0x1p16)
STORE_WHOLE(u32, uint32_t, 0.0, 0x1p32)
STORE_WHOLE(u64, uint64_t, 0.0, 0x1p64)
STORE_WHOLE(i8, int8_t, -0x1p7, 0x1p7)
STORE_WHOLE(i16, int16_t, -0x1p15, 0x1p15)
STORE_WHOLE(i32, int32_t, -0x1p31, 0x1p31)
STORE_WHOLE(i64, int64_t, -0x1p63, 0x1p63)

static int64_t store_f16(const double *from, void *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (fabs(from[i]) >= 65520.0 && !isinf(from[i])) /* half way to the next power of two, 65536 */
            return i;
        ((uint16_t *)to)[i] = scree__half_store(from[i]);
    }
    return count;
}

static int64_t store_f32(const double *from, void *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const float value = (float)from[i];
        if (isinf(value) && !isinf(from[i]))
            return i;
        ((float *)to)[i] = value;
    }
    return count;
}

static int64_t store_f64(const double *from, void *to, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *from);
    return count;
}

static const struct {
    int64_t (*store)(const double *from, void *to, int64_t count);
    const char *holds;
} types[] = {
    [SCREE_F16] = {store_f16, "number that a float16 can hold"},
    [SCREE_F32] = {store_f32, "number that a float32 can hold"},
    [SCREE_F64] = {store_f64, "number"},
    [SCREE_U8] = {store_u8, "whole number from 0 to 255"},
    [SCREE_I8] = {store_i8, "whole number from -128 to 127"},
    [SCREE_I16] = {store_i16, "whole number from -32768 to 32767"},
    [SCREE_U16] = {store_u16, "whole number from 0 to 65535"},
    [SCREE_I32] = {store_i32, "whole number that an int32 can hold"},
    [SCREE_U32] = {store_u32, "whole number that a uint32 can hold"},
    [SCREE_I64] = {store_i64, "whole number that an int64 can hold"},
    [SCREE_U64] = {store_u64, "whole number that a uint64 can hold"},
    [SCREE_BOOL] = {store_bool, "truth value, 0 or 1"},
};

int64_t scree__elements_store(scree_type type, const double *from, void *to, int64_t count)
{
    return types[type].store(from, to, count);
}

const char *scree__element_holds(scree_type type)
{
    return types[type].holds;
}
