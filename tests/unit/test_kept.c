/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are kept: sweeps over them have the bits of sweeps over the source, for every type and arithmetic, with
 * weights; and too many rows are not kept. */

#include "support/checks.h"

#include "base/memory.h"
#include "fit/kept.h"
#include "kernel/product.h"
#include "support/rows.h"

#include <string.h>

enum { N = 700, D = 50, B = 3, PIECE = 300 };

static void sweep(const scree__rows *x, const scree__ops *ops, const double *shift, double *w)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree__product_size size = {x->rows, D, B, x->type, ops, 2, 1};
    scree__product *product = NULL;
    double q[D * B];
    for (int64_t i = 0; i < D * B; i++)
        q[i] = rows_random(8, i, 0);
    EXPECT_OK(scree__product_new(&product, &size, shift, NULL, &error), error);
    scree__product_start(product, q, B, w);
    scree__product_add(product, x);
    scree__product_finish(product);
    scree__product_free(product);
}

static void run_type(scree_type type, const scree__ops *ops, bool weighted)
{
    double shift[D];
    double zeros[D] = {0};
    double weights[N];
    double direct[D * B];
    double kept[D * B];
    double *x = scree__alloc(N * D, sizeof *x);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = rows_random(7, i, 0) + (double)(i % D);
    for (int64_t j = 0; j < D; j++)
        shift[j] = (double)j + 0.1;
    for (int64_t i = 0; i < N; i++)
        weights[i] = 1 + (double)(i % 3);
    rows *r = rows_of(x, N, D, type, 3);
    const scree__rows all = {r->data, type, N, D, r->stride, weighted ? weights : NULL};
    const bool centred = scree__kept_centred(type, ops);
    scree__kept k = {.shift = shift, .threads = 2};
    scree__kept_open(&k, N, &all, ops);
    for (int64_t first = 0; first < N; first += PIECE) {
        const scree__rows part = scree__rows_slice(&all, first, N - first < PIECE ? N - first : PIECE);
        scree__kept_add(&k, &part);
    }
    assert_int_equal(k.x.rows, N);
    assert_true(scree__kept_memory(N, D, type, ops) <= N * (D + 1) * (ops->type == SCREE_F32 ? 5 : 9));
    sweep(&all, ops, shift, direct);
    sweep(&k.x, ops, centred ? zeros : shift, kept);
    assert_memory_equal(direct, kept, sizeof direct);
    scree__kept_add(&k, &all);
    assert_int_equal(k.room, 0);
    scree__kept_clear(&k);
    rows_free(r);
}

static void test_bits(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++)
        for (int weighted = 0; weighted < 2; weighted++) {
            run_type((scree_type)type, &scree__ops_f32, weighted);
            run_type((scree_type)type, &scree__ops_f64, weighted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
