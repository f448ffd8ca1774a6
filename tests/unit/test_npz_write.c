/* SPDX-License-Identifier: BSD-3-Clause */
/* NPZ out: numbers read back the same, of every element type; names and texts stand there letter by letter, however
 * many they are and wherever they are cut; values that do not fit, bytes that are no text, texts that would be padding
 * and pipes are refused, and leave nothing. */

#include "support/checks.h"

#include "array_files.h"
#include "data/sink.h"
#include "data/zip.h"
#include "support/calls.h"

#include <zlib.h>

static const double rows[3][2] = {{0, 1}, {255, 7}, {42, 100}};
static const char *const names[] = {"left", "größe"};
static const char *const text_names[] = {"kind", "id"};

static scree_status write_rows(const char *path, scree_type type, int64_t text_count, const char *const *texts,
                               int64_t count, scree_error *error)
{
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    const scree__sink_shape shape = {
        .rows = -1, .cols = 2, .columns = names, .text_count = text_count, .text_names = text_names};
    scree_sink *sink = NULL;
    options.type = type;
    scree_status status = scree_sink_open(&sink, path, &options, error);
    if (status == SCREE_OK)
        status = scree__sink_begin(sink, &shape, error);
    for (int64_t i = 0; i < count && status == SCREE_OK; i++)
        status = scree__sink_write(sink, rows[i % 3], text_count > 0 ? texts + i % 3 * text_count : NULL, 1, 1, error);
    if (status == SCREE_OK)
        status = scree_sink_finish(sink, error);
    scree_sink_free(sink);
    return status;
}

/* The content of a member; to be freed. */
static unsigned char *member_of(const char *path, const char *name, int64_t *size)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__bytes *bytes = NULL;
    scree__zip zip = {0};
    unsigned char *content = NULL;
    EXPECT_OK(scree__bytes_open(&bytes, path, &error), error);
    EXPECT_OK(scree__zip_read(&zip, bytes, &error), error);
    for (int64_t i = 0; i < zip.count; i++) {
        scree__bytes *open = NULL;
        if (content || strcmp(zip.members[i].name, name) != 0)
            continue;
        *size = zip.members[i].size;
        content = malloc((size_t)*size);
        assert_non_null(content);
        EXPECT_OK(scree__zip_open(&open, bytes, &zip.members[i], &error), error);
        for (int64_t at = 0, got = 1; at < *size && got > 0; at += got)
            EXPECT_OK(scree__bytes_read(open, content + at, *size - at, &got, &error), error);
        scree__bytes_close(open);
        assert_int_equal(crc32_z(crc32_z(0, NULL, 0), content, (size_t)*size), zip.members[i].crc);
    }
    scree__zip_clear(&zip);
    scree__bytes_close(bytes);
    return content;
}

static void test_reads_back(void **state)
{
    (void)state;
    static const scree_type types[] = {SCREE_F32, SCREE_F64, SCREE_U8};
    for (int i = 0; i < 3; i++)
        for (int64_t count = 0; count < 4; count += 3) {
            double values[6];
            scree_source *source = NULL;
            scree_error error = SCREE_ERROR_INIT;
            const char *path = folder_path("out.npz");
            EXPECT_OK(write_rows(path, types[i], 0, NULL, count, &error), error);
            EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
            assert_int_equal(scree_source_type(source), types[i]);
            assert_int_equal(scree_source_rows(source), count);
            assert_int_equal(scree_source_cols(source), 2);
            assert_int_equal(read_doubles(source, values, 6, NULL), 2 * count);
            assert_memory_equal(values, rows, (size_t)count * sizeof rows[0]);
            scree_source_free(source);
        }
    assert_int_equal(folder_walk(0), 1);
}

/* A text of an array of so many letters each. */
static void expect_text(const unsigned char *at, int64_t width, const uint32_t *letters)
{
    for (int64_t i = 0, done = 0; i < width; i++) {
        done = done || letters[i] == 0;
        for (int b = 0; b < 4; b++)
            assert_int_equal(at[4 * i + b], done ? 0 : (unsigned char)(letters[i] >> (8 * b)));
    }
}

static void expect_header(const unsigned char *content, const char *what)
{
    char header[119] = "";
    assert_non_null(content);
    memcpy(header, content + 10, 118);
    assert_non_null(strstr(header, what));
}

/* So many that they wait in a scratch file, letters of one to four bytes, cut wherever its pieces end. */
static void test_texts(void **state)
{
    (void)state;
    enum { COUNT = 400001, WIDTH = 6 };
    static const char *const texts[] = {"a", "größe", "", "日本", "x\U0001F600y", "id0042"};
    static const uint32_t letters[][WIDTH + 1] = {
        {'a'}, {'g', 'r', 0xF6, 0xDF, 'e'}, {0}, {0x65E5, 0x672C}, {'x', 0x1F600, 'y'}, {'i', 'd', '0', '0', '4', '2'}};
    scree_error error = SCREE_ERROR_INIT;
    const char *path = folder_path("out.npz");
    int64_t size = 0;
    EXPECT_OK(write_rows(path, SCREE_U8, 2, texts, COUNT, &error), error);
    unsigned char *content = member_of(path, "labels.npy", &size);
    expect_header(content, "'descr': '<U6', 'fortran_order': False, 'shape': (400001, 2)");
    assert_int_equal(size, 128 + INT64_C(2) * COUNT * WIDTH * 4);
    for (int64_t i = 0; i < 2 * (int64_t)COUNT; i++)
        expect_text(content + 128 + i * WIDTH * 4, WIDTH, letters[i % 6]);
    free(content);
    content = member_of(path, "columns.npy", &size);
    expect_header(content, "'<U5', 'fortran_order': False, 'shape': (2,)");
    expect_text(content + 128, 5, (const uint32_t[]){'l', 'e', 'f', 't', 0});
    expect_text(content + 128 + 20, 5, letters[1]);
    free(content);
    content = member_of(path, "label_columns.npy", &size);
    expect_header(content, "'<U4'");
    expect_text(content + 128 + 16, 4, (const uint32_t[]){'i', 'd', 0, 0});
    free(content);
    EXPECT_OK(write_rows(path, SCREE_U8, 1, texts, 3, &error), error);
    content = member_of(path, "labels.npy", &size);
    expect_header(content, "'<U5', 'fortran_order': False, 'shape': (3,)");
    free(content);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const bytes[] = {"a", "gr\xF6\xDF", "b"};
    static const char *texts[] = {"", "", ""};
    static const double wrong[] = {1, 300};
    scree_error error = SCREE_ERROR_INIT;
    const char *path = folder_path("refused.npz");
    const int before = folder_walk(0);
    assert_int_equal(write_rows(path, SCREE_F64, 1, bytes, 3, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "refused.npz: row 2: a text is not UTF-8"));
    scree_sink *sink = NULL;
    const scree__sink_shape shape = {.rows = 1, .cols = 2, .columns = names};
    EXPECT_OK(scree_sink_open(&sink, path, &SIZED(scree_write_options, .type = SCREE_U8), &error), error);
    EXPECT_OK(scree__sink_begin(sink, &shape, &error), error);
    assert_int_equal(scree__sink_write(sink, wrong, NULL, 1, 1, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 1, column 'größe': 300 is not a whole number from 0 to 255"));
    scree_sink_free(sink);
    char *text = malloc(3000001);
    assert_non_null(text);
    memset(text, 'x', 3000000);
    text[3000000] = '\0';
    texts[1] = text;
    assert_int_equal(write_rows(path, SCREE_F64, 1, texts, 3, &error), SCREE_OK);
    texts[0] = texts[2] = "short";
    EXPECT_OK(scree_sink_open(&sink, path, &SIZED(scree_write_options, .type = SCREE_U8), &error), error);
    const scree__sink_shape labelled = {.rows = -1, .cols = 2, .text_count = 1, .text_names = text_names};
    EXPECT_OK(scree__sink_begin(sink, &labelled, &error), error);
    for (int i = 0; i < 200; i++)
        EXPECT_OK(scree__sink_write(sink, rows[0], i == 5 ? texts + 1 : texts, 1, 1, &error), error);
    assert_int_equal(scree_sink_finish(sink, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "here 3000000 letters, which takes 2.4 GB for 0.003 GB of text: leave"));
    scree_sink_free(sink);
    free(text);
    remove(path);
    assert_int_equal(folder_walk(0), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_back),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
