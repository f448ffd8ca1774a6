/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: twenty kinds of data come back within the error that was asked for, missing and infinite cells as such;
 * the same bytes for any number of threads; rows alone; texts; a thousand flipped bits, each noticed, with all other
 * blocks whole. */

#include "support/checks.h"

#include "archive/choose.h"
#include "archive/compress.h"
#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <math.h>

enum { ROWS = 150, COLS = 24, CELLS = ROWS * COLS };

static uint64_t seed;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

/* ---- data sets ---- */

typedef struct set {
    const char *name;
    scree_type type;
    double error; /* 0: none is allowed */
    double (*cell)(int64_t i, int64_t j);
} set;

static double low_rank(int64_t i, int64_t j)
{
    return 3 * sin((double)i) * cos(0.3 * (double)j) + cos(2.1 * (double)i) * sin(0.7 * (double)j) + 0.01 * normal();
}

static double noise(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return normal();
}

static double smooth(int64_t i, int64_t j)
{
    return sin(0.02 * (double)i + 0.05 * (double)j);
}

static double constant(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return 42.5;
}

static double some_constant(int64_t i, int64_t j)
{
    return j % 3 == 0 ? 7 : low_rank(i, j);
}

static double spikes(int64_t i, int64_t j)
{
    return (i * 31 + j * 7) % 997 == 0 ? 1e30 * normal() : low_rank(i, j);
}

static double gaps(int64_t i, int64_t j)
{
    return (i * 13 + j * 5) % 7 == 0 ? (double)NAN : low_rank(i, j);
}

static double empty_column(int64_t i, int64_t j)
{
    return j == 3 || i == 5 ? (double)NAN : low_rank(i, j);
}

static double nothing(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return (double)NAN;
}

static double infinities(int64_t i, int64_t j)
{
    const int64_t k = (i * 17 + j * 3) % 101;
    return k == 0 ? (double)INFINITY : k == 1 ? -(double)INFINITY : low_rank(i, j);
}

static double far_mean(int64_t i, int64_t j)
{
    return 1e9 + low_rank(i, j);
}

static double tiny(int64_t i, int64_t j)
{
    return 1e-300 * low_rank(i, j);
}

static double huge(int64_t i, int64_t j)
{
    return 1e300 * low_rank(i, j);
}

static double whole(int64_t i, int64_t j)
{
    return rint(100 * low_rank(i, j));
}

static double decimals(int64_t i, int64_t j)
{
    return rint(100 * low_rank(i, j)) / 100;
}

static double pixels(int64_t i, int64_t j)
{
    const double x = rint(60 * low_rank(i, j));
    return x < 0 ? 0 : x > 255 ? 255 : x;
}

static double bytes(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return floor(256 * uniform());
}

static double zeros_of_both_signs(int64_t i, int64_t j)
{
    return (i + j) % 2 ? 0.0 : -0.0;
}

static double heavy_tails(int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return tan(3.14 * (uniform() - 0.5));
}

static const set sets[] = {
    {"low rank", SCREE_F64, 0.01, low_rank},
    {"low rank, floats", SCREE_F32, 0.05, low_rank},
    {"white noise", SCREE_F64, 0.1, noise},
    {"white noise, finely", SCREE_F32, 1e-5, noise},
    {"white noise, finer than floats", SCREE_F32, 1e-9, noise},
    {"smooth", SCREE_F64, 1e-3, smooth},
    {"constant", SCREE_F32, 1e-3, constant},
    {"some columns constant", SCREE_F64, 1e-2, some_constant},
    {"spikes", SCREE_F32, 1e-2, spikes},
    {"spikes, doubles", SCREE_F64, 1e-2, spikes},
    {"gaps", SCREE_F64, 1e-2, gaps},
    {"an empty column and an empty row", SCREE_F32, 1e-2, empty_column},
    {"nothing", SCREE_F64, 1, nothing},
    {"infinities", SCREE_F32, 1e-2, infinities},
    {"a mean far away", SCREE_F64, 1e-4, far_mean},
    {"tiny", SCREE_F64, 1e-302, tiny},
    {"huge", SCREE_F64, 1e298, huge},
    {"whole numbers", SCREE_F64, 3, whole},
    {"whole numbers, nothing lost", SCREE_F32, 0, whole},
    {"decimals", SCREE_F64, 0.05, decimals},
    {"decimals, nothing lost", SCREE_F64, 0, decimals},
    {"pixels", SCREE_U8, 4, pixels},
    {"pixels, nothing lost", SCREE_U8, 0, pixels},
    {"random bytes", SCREE_U8, 0, bytes},
    {"zeros of both signs, nothing lost", SCREE_F64, 0, zeros_of_both_signs},
    {"noise, nothing lost", SCREE_F32, 0, noise},
    {"heavy tails", SCREE_F64, 0.01, heavy_tails},
};

enum { SETS = sizeof sets / sizeof sets[0] };

static void make(const set *s, void *data)
{
    seed = 11;
    for (int64_t i = 0; i < CELLS; i++) {
        const double x = s->cell(i / COLS, i % COLS);
        if (s->type == SCREE_F64)
            ((double *)data)[i] = x;
        else if (s->type == SCREE_F32)
            ((float *)data)[i] = (float)x;
        else
            ((unsigned char *)data)[i] = (unsigned char)x;
    }
}

static double at(const void *data, scree_type type, int64_t i)
{
    return type == SCREE_F64   ? ((const double *)data)[i]
           : type == SCREE_F32 ? (double)((const float *)data)[i]
                               : ((const unsigned char *)data)[i];
}

static void compress(const void *data, scree_type type, const scree_compress_options *options, const char *path,
                     scree_archive *about)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, type, ROWS, COLS), NULL), SCREE_OK);
    if (scree_source_compress(source, path, about, options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
}

/* All elements of a source into data; the status of the read that ended it. */
static scree_status read_all(scree_source *source, void *data)
{
    scree__block block = {0};
    const int64_t size = scree_source_cols(source) * scree__type_size(scree_source_type(source));
    scree_status status = SCREE_OK;
    int64_t rows = 0;
    do {
        status = scree__source_next(source, &block, NULL);
        for (int64_t i = 0; status == SCREE_OK && i < block.rows; i++)
            memcpy((char *)data + rows++ * size, (const char *)block.data + i * size, (size_t)size);
    } while (status == SCREE_OK && block.rows > 0);
    return status;
}

static void decompress(const char *path, void *data)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (scree_source_open(&source, path, NULL, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scree_source_rows(source), ROWS);
    assert_int_equal(read_all(source, data), SCREE_OK);
    scree_source_free(source);
}

static void check_cell(const set *s, int64_t i, double x, double y)
{
    if (isnan(x) ? !isnan(y) : isinf(x) ? y != x : !(fabs(x - y) <= s->error))
        fail_msg("%s: cell %lld: %.17g came back as %.17g", s->name, (long long)i, x, y);
}

static void test_within_error(void **state)
{
    static double data[CELLS];
    static double back[CELLS];
    (void)state;
    for (int i = 0; i < SETS; i++) {
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        scree_archive about = SCREE_ARCHIVE_INIT;
        options.max_error = sets[i].error;
        make(&sets[i], data);
        compress(data, sets[i].type, &options, folder_path("a.screez"), &about);
        decompress(folder_path("a.screez"), back);
        for (int64_t k = 0; k < CELLS; k++)
            check_cell(&sets[i], k, at(data, sets[i].type, k), at(back, sets[i].type, k));
        if (sets[i].error == 0)
            assert_memory_equal(back, data, (size_t)(CELLS * scree__type_size(sets[i].type)));
        assert_true(about.worst <= sets[i].error);
        assert_true(about.bytes < (int64_t)CELLS * scree__type_size(sets[i].type) + 1000);
    }
}

/* The mean error, the PSNR, the ratio; a number of components. */
static void test_goals(void **state)
{
    static double data[CELLS];
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    scree_archive about = SCREE_ARCHIVE_INIT;
    double least = HUGE_VAL;
    double largest = -HUGE_VAL;
    (void)state;
    make(&sets[0], data);
    for (int64_t i = 0; i < CELLS; i++) {
        least = fmin(least, data[i]);
        largest = fmax(largest, data[i]);
    }
    options.rmse = 0.05;
    compress(data, SCREE_F64, &options, folder_path("a.screez"), &about);
    assert_true(about.rmse <= 0.05 && about.rmse > 0.03);
    options = (scree_compress_options)SCREE_COMPRESS_OPTIONS_INIT;
    options.psnr = 40;
    compress(data, SCREE_F64, &options, folder_path("a.screez"), &about);
    assert_true(20 * log10((largest - least) / about.rmse) >= 40);
    options = (scree_compress_options)SCREE_COMPRESS_OPTIONS_INIT;
    options.ratio = 12;
    compress(data, SCREE_F64, &options, folder_path("a.screez"), &about);
    assert_true(about.ratio >= 12 && about.ratio < 20);
    options = (scree_compress_options)SCREE_COMPRESS_OPTIONS_INIT;
    options.max_error = 0.05;
    options.components = 2;
    compress(data, SCREE_F64, &options, folder_path("a.screez"), &about);
    assert_int_equal(about.components, 2);
    assert_true(about.code_bits < about.rate_bound + 2.5); /* of 300 codes; docs/archive.md has larger ones */
}

static void test_wrong_goals(void **state)
{
    static const double data[4] = {1, 2, 3, 4};
    const scree_compress_options wrong[] = {
        SIZED(scree_compress_options, .max_error = -1, .components = SCREE_AUTO),
        SIZED(scree_compress_options, .max_error = 1, .ratio = 2, .components = SCREE_AUTO),
        SIZED(scree_compress_options, .max_error = 1, .components = -7),
        SIZED(scree_compress_options, .max_error = 1, .components = 100), /* more than there are */
    };
    scree_source *source = NULL;
    (void)state;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, SCREE_F64, 2, 2), NULL), SCREE_OK);
    for (int64_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(scree_source_compress(source, folder_path("b.screez"), NULL, &wrong[i], NULL),
                         SCREE_ERR_ARGUMENT);
    scree_source_free(source);
}

static void test_same_bytes_for_any_threads(void **state)
{
    static double data[CELLS];
    unsigned char *first = NULL;
    size_t size = 0;
    (void)state;
    make(&sets[0], data);
    for (int threads = 1; threads <= 4; threads++) {
        const scree_run run = run_with_blocks(threads, 7 * threads);
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        scree_archive about = SCREE_ARCHIVE_INIT;
        size_t again = 0;
        options.max_error = 0.02;
        options.run = &run;
        compress(data, SCREE_F64, &options, folder_path("a.screez"), &about);
        unsigned char *other = file_read(folder_path("a.screez"), &again);
        if (first) {
            assert_int_equal(again, size);
            assert_memory_equal(first, other, size);
            free(other);
        } else {
            first = other;
            size = again;
        }
    }
    free(first);
}

/* ---- several blocks ---- */

enum { BLOCK_ROWS = 16 };

/* An archive of blocks of BLOCK_ROWS rows, as scree_source_compress would write it. */
static void write_blocks(const double *data, const char *path)
{
    scree_source *source = NULL;
    scree__sample sample = {0};
    scree__learnt learnt = {0};
    scree__choice choice = {.coding = SCREE__CODING_MODEL, .components = 2, .step = 0.1};
    scree__head head = {.rows = ROWS, .block_rows = BLOCK_ROWS};
    scree__index index = {.count = 0};
    scree__pack end = {0};
    scree__atomic_file *file = NULL;
    const scree_run run = SCREE_RUN_INIT;
    int64_t size = 0;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, SCREE_F64, ROWS, COLS), NULL), SCREE_OK);
    assert_int_equal(scree__sample_take(&sample, source, SCREE__SAMPLE_CELLS, &run, NULL), SCREE_OK);
    assert_int_equal(scree__learn(&learnt, &sample, 2, &run, NULL), SCREE_OK);
    assert_true(scree__lattice_make(&choice.lattice, &sample, 0.05));
    assert_int_equal(scree__choice_make(&head.code, &choice, &learnt, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_open(&file, path, NULL), SCREE_OK);
    assert_int_equal(scree__archive_write(&head, source, file, &run, &index, &size, NULL), SCREE_OK);
    scree__index_put(&end, &index, size);
    assert_int_equal(scree__atomic_write(file, end.data, end.size, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, NULL), SCREE_OK);
    scree__atomic_free(file);
    scree__pack_free(&end);
    free(index.places);
    scree__head_clear(&head);
    scree__learnt_clear(&learnt);
    scree__sample_clear(&sample);
    scree_source_free(source);
}

static void test_rows_alone(void **state)
{
    static double data[CELLS];
    static double back[CELLS];
    static double part[CELLS];
    scree_source *source = NULL;
    (void)state;
    make(&sets[0], data);
    write_blocks(data, folder_path("a.screez"));
    decompress(folder_path("a.screez"), back);
    assert_int_equal(scree_source_open(&source, folder_path("a.screez"), NULL, NULL), SCREE_OK);
    for (int64_t first = 0; first < ROWS; first += 13)
        for (int64_t count = 0; first + count <= ROWS; count += 29) {
            scree_source *slice = NULL;
            assert_int_equal(scree_source_slice(&slice, source, first, count, NULL), SCREE_OK);
            assert_int_equal(read_all(slice, part), SCREE_OK);
            if (count > 0)
                assert_memory_equal(part, back + first * COLS, (size_t)(count * COLS) * sizeof *part);
            scree_source_free(slice);
        }
    scree_source *none = NULL;
    assert_int_equal(scree_source_slice(&none, source, 1, ROWS, NULL), SCREE_ERR_ARGUMENT);
    scree_source_free(source);
}

/* Blocks whose rows are not those of the whole archive. */
static int64_t count_changed(const double *back, const double *whole)
{
    int64_t changed = 0;
    for (int64_t first = 0; first < ROWS; first += BLOCK_ROWS) {
        const int64_t rows = ROWS - first < BLOCK_ROWS ? ROWS - first : BLOCK_ROWS;
        changed += memcmp(back + first * COLS, whole + first * COLS, (size_t)(rows * COLS) * sizeof *back) != 0;
    }
    return changed;
}

static void check_damaged(const char *path, const double *whole, bool in_head)
{
    static double back[CELLS];
    scree_source *source = NULL;
    int64_t lost = 0;
    if (scree_source_open(&source, path, NULL, NULL) == SCREE_OK)
        assert_int_not_equal(read_all(source, back), SCREE_OK);
    scree_source_free(source);
    source = NULL;
    if (in_head) {
        assert_int_not_equal(scree_archive_salvage(&source, path, &lost, NULL), SCREE_OK);
        return;
    }
    assert_int_equal(scree_archive_salvage(&source, path, &lost, NULL), SCREE_OK);
    assert_int_equal(read_all(source, back), SCREE_OK);
    assert_true(lost <= BLOCK_ROWS);
    assert_int_equal(count_changed(back, whole), lost > 0 ? 1 : 0);
    scree_source_free(source);
}

static void test_flipped_bits(void **state)
{
    static double data[CELLS];
    static double whole[CELLS];
    size_t size = 0;
    (void)state;
    make(&sets[0], data);
    write_blocks(data, folder_path("a.screez"));
    decompress(folder_path("a.screez"), whole);
    unsigned char *file = file_read(folder_path("a.screez"), &size);
    scree__unpack fixed = {file + 12, 4, false};
    const size_t head = SCREE__HEAD_FIXED + 4 + scree__unpack_u32(&fixed);
    assert_true(head < size / 2);
    seed = 3;
    for (int i = 0; i < 1000; i++) {
        const size_t bit = (size_t)(uniform() * 8 * (double)size);
        file[bit / 8] ^= (unsigned char)(1U << bit % 8);
        file_write("damaged.screez", file, size);
        check_damaged(folder_path("damaged.screez"), whole, bit / 8 < head);
        file[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    free(file);
}

/* A file that was cut: what is left is saved. */
static void test_cut(void **state)
{
    static double data[CELLS];
    static double back[CELLS];
    size_t size = 0;
    (void)state;
    make(&sets[0], data);
    write_blocks(data, folder_path("a.screez"));
    unsigned char *file = file_read(folder_path("a.screez"), &size);
    for (size_t left = 0; left < size; left += 97) {
        scree_source *source = NULL;
        int64_t lost = 0;
        const char *path = file_write("cut.screez", file, left);
        assert_int_not_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
        if (scree_archive_salvage(&source, path, &lost, NULL) == SCREE_OK)
            assert_int_equal(read_all(source, back), SCREE_OK);
        scree_source_free(source);
    }
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within_error), cmocka_unit_test(test_goals),
        cmocka_unit_test(test_wrong_goals),  cmocka_unit_test(test_same_bytes_for_any_threads),
        cmocka_unit_test(test_rows_alone),   cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
