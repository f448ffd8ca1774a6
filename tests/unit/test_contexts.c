/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by their contexts: they come back in every way of coding, in about the bits that they are worth; blocks of
 * all kinds of columns come back to the bit, or within the error; bytes that make no sense are refused, and harm
 * nothing. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/block.h"
#include "archive/lags.h"
#include "archive/squeeze.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, COLS = 60, COUNT = ROWS * COLS, SIDE = 12, DAMAGES = 400 };

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

/* Bytes that these cells take, after they came back; 0: they cannot be coded so. */
static int64_t round_trip(const scree__contexts *how, const int32_t *cells)
{
    const int64_t pad = scree__contexts_pad(how);
    int32_t *room = scree__alloc(pad + COUNT, sizeof *room);
    int32_t *back = scree__alloc(pad + COUNT, sizeof *back);
    scree__pack pack = {0};
    scree__contexts read;
    assert_true(room && back);
    memcpy(room + pad, cells, COUNT * sizeof *cells);
    if (scree__contexts_put(&pack, how, room + pad, ROWS, COLS, 16 * COUNT)) {
        scree__unpack unpack = {pack.data, pack.size, false};
        scree__contexts_get_head(&unpack, &read);
        assert_false(unpack.failed);
        assert_int_equal(scree__contexts_pad(&read), pad);
        scree__contexts_get(&unpack, &read, back + pad, ROWS, COLS);
        assert_false(unpack.failed);
        assert_int_equal(unpack.left, 0);
        assert_memory_equal(back + pad, cells, COUNT * sizeof *cells);
    }
    const int64_t size = pack.size;
    scree__pack_free(&pack);
    free(back);
    free(room);
    return size;
}

static void test_every_way(void **state)
{
    static const uint32_t ranges[] = {1, 2, 3, 200, 256, 70000, INT32_MAX};
    static int32_t cells[COUNT];
    (void)state;
    for (int r = 0; r < 7; r++) {
        for (int t = 0; t < COUNT; t++)
            cells[t] = (int32_t)draw(ranges[r]);
        for (unsigned way = 0; way < 4 * SCREE__GUESSES; way++) {
            const scree__contexts how = {.mode = way % 2,
                                         .by_column = way / 2 % 2,
                                         .guess = way / 4,
                                         .near = 1 + (int32_t)draw(3),
                                         .far = 4 + (int32_t)draw(2 * COLS)};
            const double bits = 8 * (double)round_trip(&how, cells);
            if (how.mode == SCREE__CONTEXT_VALUES && ranges[r] > SCREE__CONTEXT_LEVELS)
                assert_true(bits == 0);
            else
                assert_true(bits > 0 && bits < COUNT * (log2(ranges[r]) + 4) + 8000);
        }
    }
}

/* Pictures one behind the other, 12 pixels wide: the width is found, and a pixel costs what its noise is worth. */
static void test_finds_the_width(void **state)
{
    static int32_t cells[COUNT];
    scree__contexts found[SCREE__LAGS_MOST];
    int64_t least = INT64_MAX;
    (void)state;
    for (int t = 0, height = 5000; t < COUNT; t++) {
        height += t % SIDE == 0 ? (int)draw(41) - 20 : 0;
        cells[t] = height + 30 * (t % SIDE) * (t % SIDE - 11) + (int)draw(4);
    }
    const int count = scree__lags_find(found, cells, ROWS, COLS, SCREE__CONTEXT_FARTHEST);
    assert_int_equal(count, 2);
    assert_true(found[0].near == SIDE || found[0].far == SIDE);
    for (int i = 0; i < count; i++) {
        const int64_t size = round_trip(&found[i], cells);
        least = size < least ? size : least;
    }
    assert_true(8 * least < COUNT * 7);
}

/* ---- whole blocks ---- */

static double table[ROWS * COLS];

static const scree__contexts plain = {.mode = SCREE__CONTEXT_DIFFERENCES, .by_column = true, .near = 1, .far = COLS};

/* Columns of decimals, of few values, of none, of any; gaps, infinities and a negative zero among them. */
static void fill_table(void)
{
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++) {
            static const double grids[] = {1, 10, 1000, 1e7};
            const double few[] = {M_PI, 1e300, -1e-300};
            double *x = &table[i * COLS + j];
            *x = j % 6 < 4 ? (double)draw(5000) / grids[j % 6] : j % 6 == 4 ? few[draw(3)] : sqrt(draw(1U << 30));
            if (draw(200) == 0)
                *x = (double[]){NAN, INFINITY, -INFINITY, -0.0, 1e18}[draw(5)];
        }
}

static scree__pack put_block(const scree__code *code, scree__outcome *outcome)
{
    const scree__rows rows = {table, SCREE_F64, ROWS, COLS, COLS, NULL};
    scree__pack pack = {0};
    scree__block_put(&pack, code, &rows, outcome);
    assert_false(pack.failed);
    return pack;
}

static void test_mixed_columns(void **state)
{
    static const double errors[] = {0, 0.003, 40};
    static double back[COUNT];
    (void)state;
    fill_table();
    for (int e = 0; e < 3; e++) {
        const scree__code code = {.coding = SCREE__CODING_NUMBERS,
                                  .tagged = true,
                                  .lattice = {.type = SCREE_F64},
                                  .cols = COLS,
                                  .max_error = errors[e],
                                  .contexts = plain,
                                  .gain = scree__best_gain};
        scree__outcome outcome = {0};
        scree__pack pack = put_block(&code, &outcome);
        scree__unpack unpack = {pack.data, pack.size, false};
        scree__block_get(&unpack, &code, back, ROWS);
        assert_false(unpack.failed);
        assert_int_equal(unpack.left, 0);
        assert_true(pack.size < (int64_t)sizeof table / 2);
        assert_true(outcome.worst <= errors[e]);
        for (int t = 0; t < COUNT; t++)
            assert_true(memcmp(&table[t], &back[t], sizeof *back) == 0 ||
                        (e > 0 && fabs(table[t] - back[t]) <= errors[e]) || (isnan(table[t]) && isnan(back[t])));
        scree__pack_free(&pack);
    }
}

/* The same few rows again and again: zstd sees it, and its block is taken. */
static void test_repeats(void **state)
{
    static double few[7 * COLS];
    const scree__code code = {.coding = SCREE__CODING_NUMBERS,
                              .tagged = true,
                              .lattice = {.type = SCREE_F64},
                              .cols = COLS,
                              .contexts = plain,
                              .gain = scree__best_gain};
    scree__outcome outcome = {0};
    (void)state;
    for (int t = 0; t < 7 * COLS; t++)
        few[t] = sqrt(draw(1U << 30));
    for (int i = 0; i < ROWS; i++)
        memcpy(table + (int64_t)i * COLS, few + (int64_t)draw(7) * COLS, COLS * sizeof *few);
    scree__pack hard = {0};
    scree__pack pack = put_block(&code, &outcome);
    scree__squeeze_hard(&hard, table, COUNT, sizeof *table);
    assert_true(pack.size <= hard.size + 16);
    scree__pack_free(&hard);
    scree__pack_free(&pack);
}

/* Whatever the bytes are, reading ends, in refusal or in some cells. */
static void test_damage(void **state)
{
    static double back[COUNT];
    const scree__code code = {.coding = SCREE__CODING_NUMBERS,
                              .tagged = true,
                              .lattice = {.type = SCREE_F64},
                              .cols = COLS,
                              .contexts = plain,
                              .gain = scree__best_gain};
    scree__outcome outcome = {0};
    int refused = 0;
    (void)state;
    fill_table();
    scree__pack pack = put_block(&code, &outcome);
    for (int i = 0; i < DAMAGES; i++) {
        const uint32_t at = draw(i % 2 ? 300 : (uint32_t)pack.size);
        const unsigned char was = pack.data[at];
        pack.data[at] = (unsigned char)(was ^ (1U << draw(8)));
        scree__unpack unpack = {pack.data, i % 5 ? pack.size : (int64_t)draw((uint32_t)pack.size), false};
        scree__block_get(&unpack, &code, back, ROWS);
        refused += unpack.failed || unpack.left != 0;
        pack.data[at] = was;
    }
    assert_true(refused > DAMAGES / 5);
    scree__pack_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way), cmocka_unit_test(test_finds_the_width), cmocka_unit_test(test_mixed_columns),
        cmocka_unit_test(test_repeats),   cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
