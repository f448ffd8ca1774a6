/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_SCRIPTED_SOURCE_H
#define SCREE_TESTS_SCRIPTED_SOURCE_H

/* A source for tests of drivers: element (i, j) is 1000 i + j, row i has the label "row i", blocks have 1, 2, 3, ...
 * rows like those of a format that lends what it likes, and after fail_at rows comes an error. Include after cmocka.h.
 */

#include "base/memory.h"
#include "data/source.h"

#include <stdio.h>
#include <string.h>

enum { SCRIPTED_BLOCK = 16, SCRIPTED_COLS = 3 };

typedef struct scripted_source {
    scree_source base;
    int64_t count;   /* rows there are */
    int64_t fail_at; /* -1: never */
    int64_t at;
    int64_t calls;
    int64_t lent; /* rows in all, those that were lent again too */
    double data[SCRIPTED_BLOCK * SCRIPTED_COLS];
    char labels[SCRIPTED_BLOCK][32];
    const char *text[SCRIPTED_BLOCK];
} scripted_source;

static inline scree_status scripted_next(scree_source *source, scree__block *block, scree_error *error)
{
    scripted_source *scripted = (scripted_source *)source;
    int64_t rows = 1 + scripted->calls++ % SCRIPTED_BLOCK;
    if (rows > source->block_rows)
        rows = source->block_rows;
    if (rows > scripted->count - scripted->at)
        rows = scripted->count - scripted->at;
    if (scripted->fail_at >= 0 && scripted->at + rows > scripted->fail_at)
        return scree__fail(error, SCREE_ERR_VALUE, "row %lld is bad", (long long)scripted->fail_at + 1);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < SCRIPTED_COLS; j++)
            scripted->data[i * SCRIPTED_COLS + j] = (double)(1000 * (scripted->at + i) + j);
        snprintf(scripted->labels[i], sizeof scripted->labels[i], "row %lld", (long long)(scripted->at + i));
        scripted->text[i] = scripted->labels[i];
    }
    block->data = scripted->data;
    block->rows = rows;
    block->first = scripted->at;
    block->text = scripted->text;
    scripted->at += rows;
    scripted->lent += rows;
    return SCREE_OK;
}

static inline scree_status scripted_rewind(scree_source *source, scree_error *error)
{
    (void)error;
    ((scripted_source *)source)->at = 0;
    return SCREE_OK;
}

static inline void scripted_close(scree_source *source)
{
    (void)source;
}

static const scree__source_table scripted_table = {
    .name = "scripted", .next = scripted_next, .rewind = scripted_rewind, .close = scripted_close};

static inline scripted_source *scripted_open(int64_t rows, int64_t fail_at, unsigned can)
{
    static const char *const names[] = {"a", "b", "c"};
    static const char *const text_names[] = {"label"};
    scripted_source *scripted = scree__alloc(1, sizeof *scripted);
    assert_non_null(scripted);
    scripted->base.table = &scripted_table;
    scripted->base.about.path = scree__strdup("script");
    scripted->base.about.type = SCREE_F64;
    scripted->base.about.rows = -1;
    scripted->base.about.cols = SCRIPTED_COLS;
    scripted->base.can = can;
    scripted->base.block_rows = SCRIPTED_BLOCK;
    scripted->base.about.columns = scree__strings_copy(names, SCRIPTED_COLS);
    scripted->base.about.text_names = scree__strings_copy(text_names, 1);
    scripted->base.about.text_count = 1;
    scripted->count = rows;
    scripted->fail_at = fail_at;
    return scripted;
}

#endif
