/* SPDX-License-Identifier: BSD-3-Clause */
/* Entropy coding: values come back, in about the bits of their entropy; what is not a code is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/values.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 40000 };

static int32_t values[MOST];
static int32_t found[MOST];

static double normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(*state >> 11) * 0x1p-53;
    }
    return sum;
}

/* Bytes that count values take, after they came back. */
static int64_t round_trip(int64_t count)
{
    scree__pack pack = {0};
    scree__values_put(&pack, values, count);
    assert_false(pack.failed);
    scree__unpack unpack = {pack.data, pack.size, false};
    scree__values_get(&unpack, found, count);
    assert_false(unpack.failed);
    assert_int_equal(unpack.left, 0);
    if (count > 0)
        assert_memory_equal(found, values, (size_t)count * sizeof *values);
    const int64_t size = pack.size;
    scree__pack_free(&pack);
    return size;
}

static void test_near_entropy(void **state)
{
    static const double scales[] = {0.05, 0.3, 1, 5, 40, 900, 1e5};
    static const int64_t counts[] = {4000, MOST};
    uint64_t seed = 1;
    (void)state;
    for (int s = 0; s < 7; s++)
        for (int c = 0; c < 2; c++) {
            scree__tally tally = {0};
            for (int64_t i = 0; i < counts[c]; i++)
                values[i] = (int32_t)rint(scales[s] * normal(&seed));
            scree__tally_add(&tally, values, counts[c]);
            const double bits = 8 * (double)round_trip(counts[c]);
            /* The table, and what coarse frequencies and mostly zeros cost. */
            assert_true(bits <= scree__tally_entropy(&tally) + 0.02 * (double)counts[c] + 600);
            if (scales[s] > 1)
                assert_true(fabs(scree__tally_entropy(&tally) / (double)counts[c] - log2(4.1327 * scales[s])) < 0.05);
        }
}

static void test_edges(void **state)
{
    (void)state;
    round_trip(0);
    for (int64_t count = 1; count < 40; count++) {
        for (int64_t i = 0; i < count; i++)
            values[i] = (int32_t)(i % 3 == 0 ? 0 : i % 3 == 1 ? SCREE__VALUE_MOST : -SCREE__VALUE_MOST);
        round_trip(count);
    }
    for (int32_t i = 0; i < MOST; i++)
        values[i] = 0;
    assert_int_equal(round_trip(MOST), 1);
    values[0] = SCREE__VALUE_RAW;
    values[7] = SCREE__VALUE_NAN;
    values[MOST - 1] = -1;
    assert_true(round_trip(MOST) < 100);
    for (int32_t i = 0; i < MOST; i++)
        values[i] = i % 2 ? i : -i;
    round_trip(MOST);
    for (int32_t i = 0; i < MOST; i++)
        values[i] = 7;
    assert_true(round_trip(MOST) < 40);
}

/* Whatever bytes are given, decoding ends, and stays within its room. */
static void test_nonsense(void **state)
{
    unsigned char bytes[400];
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        for (int b = 0; b < 400; b++) {
            normal(&seed);
            bytes[b] = (unsigned char)(seed >> 40);
        }
        bytes[0] = (unsigned char)(i % 4);
        scree__unpack unpack = {bytes, 1 + i % 400, false};
        scree__values_get(&unpack, found, 1 + i);
        assert_true(unpack.left >= 0);
    }
}

/* A code that is cut or changed is not taken for one. */
static void test_cut(void **state)
{
    scree__pack pack = {0};
    uint64_t seed = 9;
    (void)state;
    for (int64_t i = 0; i < 2000; i++)
        values[i] = (int32_t)rint(20 * normal(&seed));
    scree__values_put(&pack, values, 2000);
    for (int64_t size = 0; size < pack.size; size += 7) {
        scree__unpack unpack = {pack.data, size, false};
        scree__values_get(&unpack, found, 2000);
        assert_true(unpack.failed);
    }
    scree__pack_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_entropy),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
