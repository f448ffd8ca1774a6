/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with panels against plain loops, for any machine and for this one, in float and in double: tiles that are
 * filled up, every kind of panel, sums that go on; and how thin matrices are cut. */

#include "support/checks.h"

#include "kernel/panel.h"
#include "support/rows.h"

#include <string.h>

enum { HIGH = 48, WIDE = 72, APART = HIGH * SCREE__BLOCK + 16, MOST_WIDTH = 64 };

typedef struct table {
    const scree__panels *panels;
    bool is_float;
} table;

static double get(const table *t, const void *x, int64_t i)
{
    return t->is_float ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

static void put(const table *t, void *x, int64_t i, double value)
{
    if (t->is_float)
        ((float *)x)[i] = (float)value;
    else
        ((double *)x)[i] = value;
}

static double laid(const table *t, const scree__panel_tile *tile, int64_t i, int64_t j)
{
    return get(t, tile->c, j / SCREE__BLOCK * APART + i * SCREE__BLOCK + j % SCREE__BLOCK);
}

/* Both products with what is laid, on top of what was there. */
static void expect_products(const table *t, const scree__panel_kind *kind, const scree__panel_tile *tile)
{
    static double thin[WIDE * MOST_WIDTH];
    static double sums[WIDE * MOST_WIDTH];
    for (int backward = 0; backward < 2; backward++) {
        const int64_t height = backward ? tile->cols : tile->rows;
        const int64_t depth = backward ? tile->rows : tile->cols;
        for (int64_t i = 0; i < depth * kind->width; i++)
            put(t, thin, i, rows_random(5, i, backward));
        for (int64_t i = 0; i < height * kind->width; i++)
            sums[i] = (double)(i % 10);
        if (backward)
            kind->backward(tile, thin, sums);
        else
            kind->forward(tile, thin, sums);
        for (int64_t i = 0; i < height * kind->width; i++) {
            double wanted = (double)(i % 10);
            double size = 10;
            for (int64_t j = 0; j < depth; j++) {
                const double term = (backward ? laid(t, tile, j, i / kind->width) : laid(t, tile, i / kind->width, j)) *
                                    get(t, thin, j * kind->width + i % kind->width);
                wanted += term;
                size += fabs(term);
            }
            EXPECT_NEAR(sums[i], wanted, (t->is_float ? 1e-6 : 1e-15) * size);
        }
    }
}

static void run_type(const table *t, scree_type type, int64_t height, int64_t width)
{
    static double c[WIDE / SCREE__BLOCK * APART];
    static double shift[WIDE];
    double *x = calloc((size_t)(height * width), sizeof *x);
    for (int64_t i = 0; i < height * width; i++)
        x[i] = rows_random(3, i, 0);
    rows *r = rows_of(x, height, width, type, 10);
    const scree__rows from = {r->data, type, height, width, r->stride, NULL};
    const scree__panel_ahead ahead = {(const char *)r->data, 0, 1};
    const scree__panel_tile tile = {c, APART, HIGH, WIDE, ahead};
    for (int64_t j = 0; j < WIDE; j++) {
        const double value = (double)(j % 5);
        if (type == SCREE_F64)
            shift[j] = value;
        else
            put(t, shift, j, value);
    }
    memset(c, 0x55, sizeof c);
    t->panels->lay(&tile, &from, shift);
    for (int64_t i = 0; i < HIGH; i++)
        for (int64_t j = 0; j < WIDE; j++)
            EXPECT_NEAR(laid(t, &tile, i, j), i < height && j < width ? r->exact[i * width + j] - (double)(j % 5) : 0,
                        t->is_float ? 1e-6 * (1 + fabs(r->exact[0])) : 0);
    for (int k = 0; k < SCREE__PANEL_KINDS && t->panels->kinds[k]; k++)
        expect_products(t, t->panels->kinds[k], &tile);
    rows_free(r);
}

static void test_products(void **state)
{
    (void)state;
    const table tables[] = {{&scree__panels_portable_f32, true},
                            {&scree__panels_portable_f64, false},
                            {scree__panels_best_f32(), true},
                            {scree__panels_best_f64(), false}};
    for (int64_t i = 0; i < COUNT_OF(tables); i++)
        for (int type = SCREE_F32; type <= SCREE_U8; type++) {
            run_type(&tables[i], (scree_type)type, HIGH, WIDE);
            run_type(&tables[i], (scree_type)type, HIGH - 7, WIDE - 5);
            run_type(&tables[i], (scree_type)type, 1, WIDE - SCREE__BLOCK);
        }
}

/* Every column is in one panel, and none is wider than what is left. */
static void test_widths(void **state)
{
    (void)state;
    const scree__panels *panels = scree__panels_best_f32();
    for (int64_t b = 1; b <= 100; b++) {
        const int64_t padded = scree__panels_padded(panels, b);
        int64_t first = 0;
        assert_true(padded >= b && padded < b + panels->kinds[0]->width);
        while (first < padded)
            first += scree__panels_at(panels, first, padded)->width;
        assert_true(first == padded);
    }
}

static void test_split(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6};
    static const double factor[] = {10, 100};
    float panel[8];
    const scree__thin thin = {x + 1, factor, 2, 3};
    const float wanted[] = {20, 30, 0, 0, 500, 600, 0, 0};
    scree__panels_best_f32()->split(&thin, 2, 4, panel);
    assert_memory_equal(panel, wanted, sizeof panel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
