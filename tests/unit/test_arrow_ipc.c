/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow files and streams: what scree writes is read back to the bit, plain, compressed and through a pipe, in any
 * blocks, whole and in pieces; every truncation is an error, and every flipped bit an error or rows. Files of others
 * are in fuzz/corpus/arrow_ipc (tests/cli/arrow.sh reads them). */

#include "support/checks.h"

#include "array_files.h"
#include "data/arrow_column.h"
#include "data/arrow_ipc.h"
#include "support/calls.h"

#include <inttypes.h>

enum { ROWS = 40, COLS = 3 };

static double value_at(int64_t i, int64_t j)
{
    return (double)((i * i + 7 * i * (j + 1)) % 101) / 8 - (double)j;
}

/* rows of numbers, a label in front, written in the format; every seventh number of the last column is missing. */
static const char *make_file(const char *name, int64_t rows, scree_type type)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    char *text = malloc((size_t)rows * 100 + 100);
    assert_non_null(text);
    size_t size = (size_t)sprintf(text, "kind,a,b,c\n");
    for (int64_t i = 0; i < rows; i++) {
        size += (size_t)sprintf(text + size, "k%" PRId64 ",%.17g,%.17g,", i % 5, value_at(i, 0), value_at(i, 1));
        size += (size_t)sprintf(text + size, i % 7 == 3 ? "\n" : "%.17g\n", value_at(i, 2));
    }
    EXPECT_OK(scree_source_open(&source, file_write("rows.csv", text, size), NULL, &error), error);
    const scree_write_options options = SIZED(scree_write_options, .type = type);
    EXPECT_OK(scree_sink_open(&sink, folder_path(name), &options, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(source);
    free(text);
    return folder_path(name);
}

static image load(const char *path)
{
    image file = {.size = 0};
    size_t size = 0;
    void *data = file_read(path, &size);
    put(&file, data, size);
    free(data);
    return file;
}

static void expect_rows(scree_source *source, int64_t rows)
{
    scree_error error = SCREE_ERROR_INIT;
    double *values = malloc(sizeof(double) * COLS * (size_t)rows);
    assert_non_null(values);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(read_doubles(source, values, COLS * rows, &error), COLS * rows);
        for (int64_t i = 0; i < rows; i++) {
            assert_true(values[i * COLS] == value_at(i, 0) && values[i * COLS + 1] == value_at(i, 1));
            assert_true(i % 7 == 3 ? isnan(values[i * COLS + 2]) : values[i * COLS + 2] == value_at(i, 2));
        }
        if (!(source->can & SCREE__CAN_REWIND))
            break;
        EXPECT_OK(scree__source_rewind(source, &error), error);
    }
    free(values);
}

static void expect_file(const char *path, const scree_read_options *options, int64_t rows, bool counted)
{
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t block = 1; block < 100; block += 33) {
        scree_source *source = NULL;
        EXPECT_OK(scree_source_open(&source, path, options, &error), error);
        assert_int_equal(scree_source_rows(source), counted ? rows : -1);
        assert_int_equal(scree_source_cols(source), COLS);
        assert_string_equal(scree_source_column(source, 1), "b");
        assert_string_equal(scree_source_note(source), "label column 'kind'");
        source->block_rows = block;
        expect_rows(source, rows);
        scree_source_free(source);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const names[] = {"rows.arrow", "rows.feather", "rows.arrows"};
    scree_error error = SCREE_ERROR_INIT;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = make_file(names[k], ROWS, SCREE_F64);
        scree_source *source = NULL;
        expect_file(path, NULL, ROWS, true);
        const image file = load(path);
        expect_file(file_write_gzip("rows.gz", file.bytes, file.size), NULL, ROWS, false);
        expect_file(file_write("rows.bin", file.bytes, file.size), NULL, ROWS, true); /* by content */
        const int saved = stdin_replace(file.bytes, file.size);
        EXPECT_OK(scree_source_open(&source, "-", NULL, &error), error);
        assert_int_equal(scree_source_rows(source), -1);
        expect_rows(source, ROWS);
        scree_source_free(source);
        stdin_restore(saved);
    }
}

/* A batch that is read eight rows at a time, with texts and nulls; and one that is read whole. */
static void test_pieces(void **state)
{
    (void)state;
    const char *path = make_file("pieces.arrow", ROWS, SCREE_F64);
    for (int64_t whole = 0; whole < 100000; whole += 99999) {
        scree_error error = SCREE_ERROR_INIT;
        scree__ipc ipc = {.name = path};
        scree__ipc_message message = {0};
        int64_t pieces = 0;
        EXPECT_OK(scree__bytes_open(&ipc.bytes, path, &error), error);
        EXPECT_OK(scree__ipc_begin(&ipc, &error), error);
        ipc.whole = whole;
        ipc.piece = 10;
        for (int64_t i = 0; i < ipc.shape.count; i++)
            ipc.shape.fields[i].wanted = i != 2;
        EXPECT_OK(scree__ipc_next(&ipc, &message, &error), error);
        EXPECT_OK(scree__ipc_batch_begin(&ipc, &ipc.batch, &ipc.shape, &message, &message.header, &error), error);
        for (int64_t at = 0; at < ROWS; pieces++) {
            struct ArrowArray piece;
            EXPECT_OK(scree__ipc_batch_next(&ipc, &ipc.batch, &piece, &error), error);
            const int32_t *offsets = piece.children[0]->buffers[1];
            const char *chars = piece.children[0]->buffers[2];
            const double *a = piece.children[1]->buffers[1];
            for (int64_t r = 0; r < piece.length; r++, at++) {
                assert_true(a[r] == value_at(at, 0));
                assert_int_equal(scree__arrow_has_nulls(piece.children[3], r, 1), at % 7 == 3);
                assert_int_equal(offsets[r + 1] - offsets[r], 2);
                assert_int_equal(chars[offsets[r] + 1], '0' + at % 5);
            }
        }
        assert_int_equal(pieces, whole ? 1 : ROWS / 8);
        scree__ipc_batch_clear(&ipc.batch);
        scree__ipc_shape_clear(&ipc.shape);
        scree__buffer_free(&ipc.schema);
        scree__buffer_free(&ipc.meta);
        free(ipc.blocks);
        scree__bytes_close(ipc.bytes);
    }
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        scree_type type;
        scree_type read;
    } cases[] = {{SCREE_F64, SCREE_F64}, {SCREE_F32, SCREE_F32}, {SCREE_F16, SCREE_F32}, {SCREE_I8, SCREE_F64},
                 {SCREE_U8, SCREE_F32},  {SCREE_I16, SCREE_F64}, {SCREE_U16, SCREE_F64}, {SCREE_I32, SCREE_F64},
                 {SCREE_U32, SCREE_F64}, {SCREE_I64, SCREE_F64}, {SCREE_U64, SCREE_F64}, {SCREE_BOOL, SCREE_F32}};
    const double rows[] = {0, 1, 1, (double)NAN, 1, 0, 0, 0, 1};
    for (int64_t k = 0; k < COUNT_OF(cases); k++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree_sink *sink = NULL;
        double found[9];
        const scree_block block = SIZED(scree_block, .data = rows, .type = SCREE_F64, .rows = 3, .cols = 3);
        const scree_write_options options = SIZED(scree_write_options, .type = cases[k].type);
        EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
        EXPECT_OK(scree_sink_open(&sink, folder_path("t.arrow"), &options, &error), error);
        EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
        EXPECT_OK(scree_sink_finish(sink, &error), error);
        scree_sink_free(sink);
        scree_source_free(source);
        source = NULL;
        EXPECT_OK(scree_source_open(&source, folder_path("t.arrow"), NULL, &error), error);
        assert_int_equal(scree_source_type(source), cases[k].read);
        assert_int_equal(read_doubles(source, found, 9, &error), 9);
        for (int i = 0; i < 9; i++)
            assert_true(i == 3 ? isnan(found[i]) : found[i] == rows[i]);
        scree_source_free(source);
    }
}

static void test_values_that_do_not_fit(void **state)
{
    (void)state;
    const double rows[] = {1, 2, 3, 300};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    const scree_block block = SIZED(scree_block, .data = rows, .type = SCREE_F64, .rows = 2, .cols = 2);
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    EXPECT_OK(scree_sink_open(&sink, folder_path("t.arrow"), &SIZED(scree_write_options, .type = SCREE_U8), &error),
              error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    assert_int_equal(scree_sink_finish(sink, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 2, column 'c2': 300 is not a whole number from 0 to 255"));
    scree_sink_free(sink);
    scree_source_free(source);
    assert_int_equal(access(folder_path("t2.arrow"), F_OK), -1);
}

static void test_robust(void **state)
{
    (void)state;
    const image file = load(make_file("good.arrow", 9, SCREE_F64));
    expect_robust(&file, "bad.arrow");
}

/* Of a stream, which may end after any message, cuts inside of one are errors, and no cut gives a row too many. */
static void test_robust_stream(void **state)
{
    (void)state;
    const image good = load(make_file("good.arrows", 9, SCREE_F64));
    double values[9 * COLS];
    int64_t opened = 0;
    for (size_t size = 0; size < good.size; size++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        if (scree_source_open(&source, file_write("bad.arrows", good.bytes, size), NULL, &error) == SCREE_OK) {
            assert_int_equal(read_doubles(source, values, 9 * COLS, &error), 9 * COLS);
            opened++;
        } else {
            assert_non_null(strstr(error.text, "bad.arrows"));
        }
        scree_source_free(source);
    }
    assert_int_equal(opened, 1); /* all but the mark of the end */
}

/* A pipe of a few bytes that announces a body of a terabyte. */
static void test_lengths_that_lie(void **state)
{
    (void)state;
    image file = load(make_file("good.arrows", 9, SCREE_F64));
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    double values[9 * COLS];
    const int64_t schema = scree__flat_load(file.bytes + 4, 4) + 8; /* bytes of the first message */
    unsigned char *batch = file.bytes + schema + 8;
    const int64_t root = scree__flat_load(batch, 4);
    const int64_t offsets = root - scree__flat_load(batch + root, 4);
    unsigned char *body = batch + root + scree__flat_load(batch + offsets + 4 + 2 * 3, 2);
    body[5] = 1; /* 2^40 bytes */
    const int saved = stdin_replace(file.bytes, file.size);
    EXPECT_OK(scree_source_open(&source, "-", NULL, &error), error);
    assert_int_equal(read_doubles(source, values, 9 * COLS, &error), -1);
    assert_non_null(strstr(error.text, "standard input: is truncated"));
    scree_source_free(source);
    stdin_restore(saved);
    source = NULL;
    assert_int_equal(scree_source_open(&source, file_write("l.arrows", file.bytes, file.size), NULL, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "l.arrows: is truncated"));
}

/* A batch of a file says how many rows it has, and plans are made by that before it is read. */
static void test_rows_that_lie(void **state)
{
    (void)state;
    image file = load(make_file("good.arrows", 9, SCREE_F64));
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    unsigned char *batch = file.bytes + scree__flat_load(file.bytes + 4, 4) + 16;
    const int64_t root = scree__flat_load(batch, 4);
    const int64_t place = root + scree__flat_load(batch + root - scree__flat_load(batch + root, 4) + 4 + 2 * 2, 2);
    unsigned char *header = batch + place + scree__flat_load(batch + place, 4);
    unsigned char *rows = header + scree__flat_load(header - scree__flat_load(header, 4) + 4, 2);
    assert_int_equal(scree__flat_load(rows, 8), 9);
    rows[7] = 0x40; /* 2^62 more */
    assert_int_equal(scree_source_open(&source, file_write("r.arrows", file.bytes, file.size), NULL, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "a batch has no number of rows that can be"));
}

static void test_no_rows(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    image file = load(make_file("good.arrows", 9, SCREE_F64));
    const size_t schema = (size_t)scree__flat_load(file.bytes + 4, 4) + 8;
    assert_int_equal(scree_source_open(&source, file_write("none.arrows", file.bytes, schema), NULL, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "there is a header and no row below it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_values_that_do_not_fit),
        cmocka_unit_test(test_robust),
        cmocka_unit_test(test_robust_stream),
        cmocka_unit_test(test_lengths_that_lie),
        cmocka_unit_test(test_rows_that_lie),
        cmocka_unit_test(test_no_rows),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
