/* SPDX-License-Identifier: BSD-3-Clause */
/* Philox against the known answers of its authors (Random123, kat_vectors); normals by position, and roughly normal. */

#include "support/checks.h"

#include "base/random.h"

#include <stdlib.h>

static void expect_words(uint64_t seed, uint64_t stream, uint64_t block, const uint32_t wanted[4])
{
    uint32_t found[4];
    scree__philox(seed, stream, block, found);
    for (int i = 0; i < 4; i++)
        assert_int_equal(found[i], wanted[i]);
}

static void test_known_answers(void **state)
{
    (void)state;
    static const uint32_t zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    static const uint32_t pi[] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    expect_words(0, 0, 0, zeros);
    expect_words(UINT64_MAX, UINT64_MAX, UINT64_MAX, ones);
    expect_words(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, pi);
}

static void test_by_position(void **state)
{
    (void)state;
    double all[101];
    scree__normals(3, 4, 0, 101, all);
    for (int64_t first = 0; first < 6; first++)
        for (int64_t count = 0; count < 7; count++) {
            double part[7];
            scree__normals(3, 4, first, count, part);
            for (int64_t i = 0; i < count; i++)
                assert_true(part[i] == all[first + i]);
        }
    double other[1];
    scree__normals(3, 5, 0, 1, other);
    assert_true(other[0] != all[0]);
    scree__normals(4, 4, 0, 1, other);
    assert_true(other[0] != all[0]);
}

/* Moments within five standard errors; the numbers are always the same, so this fails always or never. */
static void test_normal(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double *x = malloc(COUNT * sizeof *x);
    double moments[4] = {0};
    assert_non_null(x);
    scree__normals(1, 2, 0, COUNT, x);
    for (int i = 0; i < COUNT; i++)
        for (int p = 0; p < 4; p++)
            moments[p] += pow(x[i], p + 1) / COUNT;
    EXPECT_NEAR(moments[0], 0, 5 / sqrt(COUNT));
    EXPECT_NEAR(moments[1], 1, 5 * sqrt(2.0 / COUNT));
    EXPECT_NEAR(moments[2], 0, 5 * sqrt(15.0 / COUNT));
    EXPECT_NEAR(moments[3], 3, 5 * sqrt(96.0 / COUNT));
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_by_position),
        cmocka_unit_test(test_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
