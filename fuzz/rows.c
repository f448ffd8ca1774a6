/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a source to its end and makes one number of all that it gave (FNV-1a, 64 bits). Every byte of every text and
 * every cell is looked at, so that the address sanitizer sees what is lent. */

#include "input.h"
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22 }; /* a sparse file of some bytes may announce billions, and looking at each takes long */

static void add(fuzz_rows *rows, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        rows->digest = (rows->digest ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_texts(fuzz_rows *rows, const char *const *texts, int64_t count)
{
    for (int64_t i = 0; texts && i < count; i++)
        add(rows, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 1);
}

typedef struct gathering {
    fuzz_rows *rows;
    int64_t text_count;
} gathering;

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    gathering *into = context;
    (void)rows; /* may be known the second time only */
    (void)error;
    into->text_count = text_count;
    into->rows->cols = cols;
    add_texts(into->rows, columns, cols);
    add_texts(into->rows, text_names, text_count);
    return SCREE_OK;
}

static scree_status gather(void *context, const scree_block *block, scree_error *error)
{
    gathering *into = context;
    if (into->rows->rows > MOST_CELLS / (block->cols + 1)) {
        error->status = SCREE_ERR_LIMIT;
        snprintf(error->text, sizeof error->text, "enough cells were seen");
        return SCREE_ERR_LIMIT;
    }
    for (int64_t i = 0; i < block->rows; i++) {
        for (int64_t j = 0; j < block->cols; j++) {
            double cell = ((const double *)block->data)[i * (block->row_stride ? block->row_stride : block->cols) + j];
            cell = isnan(cell) ? (double)NAN : cell; /* all of them are one */
            add(into->rows, &cell, sizeof cell);
        }
        if (block->texts)
            add_texts(into->rows, block->texts + i * into->text_count, into->text_count);
    }
    into->rows->rows += block->rows;
    return SCREE_OK;
}

scree_status fuzz_rows_read(fuzz_rows *rows, scree_source *source, int64_t block_rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    scree_sink *sink = NULL;
    gathering into = {.rows = rows};
    run.threads = 1;
    run.block_rows = block_rows;
    calls.context = &into;
    calls.begin = begin;
    calls.write = gather;
    *rows = (fuzz_rows){.digest = UINT64_C(0xcbf29ce484222325)};
    scree_status status = scree_sink_to_calls(&sink, &calls, &error);
    if (status == SCREE_OK)
        status = scree_source_copy(source, sink, &run, &error);
    if (status == SCREE_OK)
        status = scree_sink_finish(sink, &error);
    scree_sink_free(sink);
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    return status;
}
