/* SPDX-License-Identifier: BSD-3-Clause */
/* Budgets: what is allowed, and that readers ask before they allocate what a file only announces. */

#include "support/checks.h"

#include "archive/archive.h"
#include "archive/pack.h"
#include "base/budget.h"
#include "data/source.h"

#include "temporary_folder.h"

#include <string.h>
#include <sys/resource.h>

enum { MEBIBYTE = 1 << 20 };

static scree_status take(scree__budget *budget, int64_t bytes, scree_error *error)
{
    return scree__budget_take(budget, bytes, "file", "its rows", error);
}

static void test_a_limit_is_kept(void **state)
{
    scree__budget budget = {.given = 40 * MEBIBYTE};
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    assert_int_equal(take(&budget, 30 * MEBIBYTE, &error), SCREE_OK);
    assert_int_equal(take(&budget, 11 * MEBIBYTE, &error), SCREE_ERR_LIMIT);
    assert_string_equal(error.text,
                        "file: 40 MiB is too little memory: its rows alone need 41 MiB; allow more than that");
    assert_int_equal(scree__budget_left(&budget), 10 * MEBIBYTE);
    assert_int_equal(take(&budget, 10 * MEBIBYTE, &error), SCREE_OK);
    scree__budget_give(&budget, 40 * MEBIBYTE);
    assert_int_equal(scree__budget_left(&budget), 40 * MEBIBYTE);
}

/* Whoever is told a need can give it back as the limit. */
static void test_the_program_counts(void **state)
{
    scree__budget budget = {.given = 40 * MEBIBYTE, .held = 12 * MEBIBYTE};
    scree__budget enough = {.given = 42 * MEBIBYTE, .held = 12 * MEBIBYTE};
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    assert_int_equal(take(&budget, 30 * MEBIBYTE, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "need 42 MiB"));
    assert_int_equal(take(&enough, 30 * MEBIBYTE, &error), SCREE_OK);
}

static void test_what_is_small_is_granted(void **state)
{
    scree__budget budget = {.given = 1, .held = 12 * MEBIBYTE};
    (void)state;
    assert_int_equal(take(&budget, 16 * MEBIBYTE, NULL), SCREE_OK);
    assert_int_equal(take(&budget, 1, NULL), SCREE_ERR_LIMIT);
}

/* Without a limit: 256 MiB and 16 times the input. */
static void test_input_earns_memory(void **state)
{
    scree__budget budget = {.free = INT64_MAX, .seen = 0};
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    assert_int_equal(take(&budget, 256 * MEBIBYTE, &error), SCREE_OK);
    assert_int_equal(take(&budget, 1, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "only 0 bytes of input has been seen"));
    budget.seen = 10 * MEBIBYTE;
    assert_int_equal(take(&budget, 160 * MEBIBYTE, &error), SCREE_OK);
    assert_int_equal(take(&budget, 1, &error), SCREE_ERR_LIMIT);
    budget.seen = INT64_MAX; /* nothing overflows */
    assert_int_equal(take(&budget, INT64_C(1) << 60, &error), SCREE_OK);
    assert_int_equal(take(&budget, INT64_MAX, &error), SCREE_ERR_LIMIT);
    assert_int_equal(take(&budget, -1, &error), SCREE_ERR_LIMIT);
    budget = (scree__budget){.free = 300 * MEBIBYTE, .seen = 100 * MEBIBYTE};
    assert_int_equal(take(&budget, 301 * MEBIBYTE, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "300 MiB is free"));
}

static int64_t peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_maxrss * 1024;
}

/* The file is refused, with words, and before memory was taken for it. */
static void expect_refused_as(const char *path, int64_t memory, scree_absent_cells absent, const char *words)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const int64_t before = peak();
    options.memory = memory;
    options.absent = absent;
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_ERR_LIMIT);
    assert_null(source);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
    if (!SLOW_BUILD) /* a sanitizer keeps what was freed */
        assert_true(peak() - before < 64 * MEBIBYTE);
}

static void expect_refused(const char *path, int64_t memory, const char *words)
{
    expect_refused_as(path, memory, SCREE_CELLS_BY_FORMAT, words);
}

/* An archive of a row and 2³¹ - 1 columns, in some forty bytes. */
static void test_archive_of_many_columns(void **state)
{
    scree__head head = {
        .rows = 1, .block_rows = 1, .code = {.coding = SCREE__CODING_ELEMENTS, .cols = INT32_MAX, .tagged = true}};
    scree__index index = {.count = 1};
    scree__pack pack = {0};
    int64_t places[1];
    (void)state;
    scree__head_put(&pack, &head);
    places[0] = pack.size;
    index.places = places;
    const int64_t frame = scree__frame_begin(&pack);
    scree__pack_u8(&pack, SCREE__CODING_ELEMENTS);
    scree__frame_end(&pack, frame, 1);
    scree__index_put(&pack, &index, pack.size);
    assert_false(pack.failed);
    assert_true(pack.size < 1024);
    const char *path = file_write("wide.screez", pack.data, (size_t)pack.size);
    expect_refused(path, 0, "blocks of 1 rows and 2147483647 columns need");
    expect_refused(path, 100 * MEBIBYTE, "100 MiB is too little memory");
    scree__pack_free(&pack);
}

static void test_matrix_of_many_rows(void **state)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n2000000000 2 1\n1 1 1\n";
    (void)state;
    const char *path = file_write("rows.mtx", text, sizeof text - 1);
    expect_refused(path, 0, "2000000000 rows and 2 columns need 14.91 GiB of memory, but only");
    expect_refused(path, 100 * MEBIBYTE, "100 MiB is too little memory");
}

/* Cells of one file, under a limit that the text keeps and its cells do not. */
static void test_cells_within_the_limit(void **state)
{
    enum { CELLS = 3000000 };
    FILE *file = fopen(folder_path("cells.mtx"), "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n1000000 3 %d\n", CELLS);
    for (int i = 0; i < CELLS; i++)
        fprintf(file, "%d %d 1\n", i / 3 + 1, i % 3 + 1);
    assert_int_equal(fclose(file), 0);
    expect_refused_as(folder_path("cells.mtx"), 30 * MEBIBYTE, SCREE_CELLS_MISSING, "cells and more alone need");
}

static void ones_between_commas(char *text, int ones, char last)
{
    for (int i = 0; i < ones; i++) {
        text[2 * i] = '1';
        text[2 * i + 1] = i + 1 < ones ? ',' : last;
    }
}

static void test_line_of_many_cells(void **state)
{
    enum { CELLS = 1 << 20 };
    char *text = malloc(2 * CELLS);
    (void)state;
    assert_non_null(text);
    ones_between_commas(text, CELLS, '\n');
    const char *path = file_write("line.csv", text, 2 * CELLS);
    expect_refused(path, 64 * MEBIBYTE, "64 MiB is too little memory: 1048576 columns alone need");
    free(text);
}

static void test_header_of_many_items(void **state)
{
    enum { ITEMS = 4 << 20 };
    const uint64_t size = 2 * ITEMS + 6;
    char *text = malloc(size + 8);
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    assert_non_null(text);
    memcpy(text, &size, 8);
    (void)snprintf(text + 8, 7, "{\"a\":[");
    ones_between_commas(text + 14, ITEMS, ']');
    const char *path = file_write("items.scree", text, size + 8);
    assert_int_equal(scree_model_load(&model, path, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "the names in its header need"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_limit_is_kept),          cmocka_unit_test(test_the_program_counts),
        cmocka_unit_test(test_what_is_small_is_granted), cmocka_unit_test(test_input_earns_memory),
        cmocka_unit_test(test_archive_of_many_columns),  cmocka_unit_test(test_matrix_of_many_rows),
        cmocka_unit_test(test_cells_within_the_limit),   cmocka_unit_test(test_line_of_many_cells),
        cmocka_unit_test(test_header_of_many_items),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
