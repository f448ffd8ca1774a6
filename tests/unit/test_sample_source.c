/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws as a source: the same bits for any threads and blocks, from the start again and in slices; seeds and draws are
 * all different; names come from the model; what cannot be drawn is refused. */

#include "support/checks.h"

#include "data/source.h"
#include "made_model.h"
#include "support/calls.h"

#include <string.h>

enum { ROWS = 700, D = 9, M = 3 };

static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

static scree_source *draws(const scree_model *model, int64_t rows, uint64_t seed, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(sample_of(&source, model, rows, seed, threads, &error), error);
    return source;
}

/* All rows that are left, in blocks of at most block_rows (0: as the source likes); how many. */
static int64_t read_all(scree_source *source, int64_t block_rows, double *out)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    int64_t at = 0;
    if (block_rows > 0)
        source->block_rows = block_rows;
    for (;;) {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        if (block.rows == 0)
            return at;
        assert_true(block.first == at && block.rows <= source->block_rows && block.type == SCREE_F64);
        for (int64_t i = 0; i < block.rows; i++)
            memcpy(out + (at + i) * D, (const double *)block.data + i * block.stride, D * sizeof *out);
        at += block.rows;
    }
}

static void blocks_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const int64_t blocks[] = {1, 7, 128, 131, 5000};
    scree_model *model = made_model(D, M, 2.0, true, names);
    static double first[ROWS * D];
    static double again[ROWS * D];
    scree_source *source = draws(model, ROWS, 5, 1);
    assert_int_equal(read_all(source, 0, first), ROWS);
    scree_source_free(source);
    for (int64_t b = 0; b < COUNT_OF(blocks); b++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            source = draws(model, ROWS, 5, threads);
            assert_int_equal(read_all(source, blocks[b], again), ROWS);
            assert_memory_equal(again, first, sizeof first);
            assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
            memset(again, 0, sizeof again);
            assert_int_equal(read_all(source, blocks[b], again), ROWS);
            assert_memory_equal(again, first, sizeof first);
            scree_source_free(source);
        }
    scree_model_free(model);
}

static void slices_are_parts(void **state)
{
    (void)state;
    static const int64_t parts[][2] = {{0, ROWS}, {0, 1}, {ROWS - 1, 1}, {100, 300}, {129, 128}, {5, 0}};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    static double whole[ROWS * D];
    static double part[ROWS * D];
    scree_source *source = draws(model, ROWS, 5, 2);
    scree_source *slice = NULL;
    assert_int_equal(read_all(source, 0, whole), ROWS);
    for (int64_t k = 0; k < COUNT_OF(parts); k++) {
        slice = NULL;
        EXPECT_OK(source->table->slice(&slice, source, parts[k][0], parts[k][1], &error), error);
        assert_int_equal(scree_source_rows(slice), parts[k][1]);
        assert_int_equal(read_all(slice, 50, part), parts[k][1]);
        assert_memory_equal(part, whole + parts[k][0] * D, (size_t)(parts[k][1] * D) * sizeof *part);
        scree_source_free(slice);
    }
    slice = NULL;
    assert_int_equal(source->table->slice(&slice, source, 1, ROWS, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(source->table->slice(&slice, source, -1, 2, &error), SCREE_ERR_ARGUMENT);
    assert_null(slice);
    scree_source_free(source);
    scree_model_free(model);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* No number comes twice: not in a row, not in other rows, not under other seeds. */
static void all_draws_differ(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {0, 1, UINT64_C(1) << 32, UINT64_MAX};
    enum { SEEDS = sizeof seeds / sizeof seeds[0] };
    static double all[SEEDS * ROWS * D];
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    for (int64_t s = 0; s < SEEDS; s++) {
        scree_source *source = draws(model, ROWS, seeds[s], 0);
        assert_int_equal(read_all(source, 0, all + s * ROWS * D), ROWS);
        scree_source_free(source);
    }
    qsort(all, COUNT_OF(all), sizeof *all, ascending);
    for (int64_t i = 1; i < COUNT_OF(all); i++)
        assert_true(all[i] > all[i - 1]);
    scree_model_free(model);
}

static void described_like_the_model(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, names);
    scree_source *source = draws(model, 12, 0, 1);
    assert_int_equal(scree_source_rows(source), 12);
    assert_int_equal(scree_source_cols(source), D);
    assert_int_equal(scree_source_type(source), SCREE_F64);
    for (int64_t j = 0; j < D; j++)
        assert_string_equal(scree_source_column(source, j), names[j]);
    scree_source_free(source);
    scree_model_free(model);
}

static void no_draws_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    assert_int_equal(sample_of(&source, model, 0, 0, 0, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "0 draws cannot be made; ask for at least 1");
    assert_int_equal(sample_of(&source, model, -3, 0, 0, NULL), SCREE_ERR_ARGUMENT);
    assert_null(source);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_threads_do_not_change_a_bit),
        cmocka_unit_test(slices_are_parts),
        cmocka_unit_test(all_draws_differ),
        cmocka_unit_test(described_like_the_model),
        cmocka_unit_test(no_draws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
