/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_CSV_FILE_H
#define SCREE_TESTS_CSV_FILE_H

/* CSV files that tests write, and all of a source in memory. Include after cmocka.h. */

#include "base/memory.h"
#include "data/source.h"

#include "temporary_folder.h"

#include <math.h>

/* Everything that a source lent. */
typedef struct table {
    int64_t rows;
    double *values;
    char **text;
    int64_t text_count; /* rows × texts a row */
} table;

static inline void table_clear(table *t)
{
    free(t->values);
    scree__strings_free(t->text, t->text_count);
    memset(t, 0, sizeof *t);
}

static inline void table_add(table *t, const scree_source *source, const scree__block *block)
{
    int64_t cells = block->rows * source->about.cols;
    int64_t texts = block->rows * source->about.text_count;
    t->values = realloc(t->values, (size_t)(t->rows * source->about.cols + cells) * sizeof *t->values);
    assert_non_null(t->values);
    memcpy(t->values + t->rows * source->about.cols, block->data, (size_t)cells * sizeof *t->values);
    if (texts > 0) {
        t->text = realloc(t->text, (size_t)(t->text_count + texts) * sizeof *t->text);
        assert_non_null(t->text);
        for (int64_t i = 0; i < texts; i++)
            t->text[t->text_count + i] = scree__strdup(block->text[i]);
        t->text_count += texts;
    }
    t->rows += block->rows;
}

/* Reads to the end; checks what every block must be. */
static inline scree_status table_read(table *t, scree_source *source, scree_error *error)
{
    scree__block block;
    *t = (table){0};
    for (;;) {
        scree_status status = scree__source_next(source, &block, error);
        if (status != SCREE_OK || block.rows == 0)
            return status;
        assert_true(block.rows <= source->block_rows);
        assert_int_equal(block.first, t->rows);
        assert_int_equal(block.stride, source->about.cols);
        table_add(t, source, &block);
    }
}

static inline scree_source *csv_open_text(const char *name, const char *text, const scree_read_options *options)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (scree_source_open(&source, file_write(name, text, strlen(text)), options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    return source;
}

/* Opening or reading fails with exactly this sentence, after the path. */
static inline void csv_expect_error(const char *text, const scree_read_options *options, const char *wanted)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    table t = {0};
    const char *path = file_write("bad.csv", text, strlen(text));
    scree_status status = scree_source_open(&source, path, options, &error);
    if (status == SCREE_OK)
        status = table_read(&t, source, &error);
    assert_int_not_equal(status, SCREE_OK);
    assert_int_equal(error.status, status);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
    assert_string_equal(error.text + strlen(path) + 2, wanted);
    table_clear(&t);
    scree_source_free(source);
}

/* The values of a whole file; NAN in wanted stands for a missing one. */
static inline void csv_expect_values(const char *text, const scree_read_options *options, int64_t rows, int64_t cols,
                                     const double *wanted)
{
    scree_source *source = csv_open_text("good.csv", text, options);
    scree_error error = SCREE_ERROR_INIT;
    table t;
    if (table_read(&t, source, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(t.rows, rows);
    assert_int_equal(source->about.cols, cols);
    for (int64_t i = 0; i < rows * cols; i++)
        if (isnan(wanted[i]) ? !isnan(t.values[i]) : t.values[i] != wanted[i])
            fail_msg("cell %lld is %.17g, not %.17g", (long long)i, t.values[i], wanted[i]);
    table_clear(&t);
    scree_source_free(source);
}

#endif
