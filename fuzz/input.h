/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FUZZ_INPUT_H
#define SCREE_FUZZ_INPUT_H

/* The input of a reader's target: a file as it is, or behind a line of options,
 *
 *     !read delimiter=; columns=a,c label=kind block=3 pipe
 *
 * with the names of scree_read_options (threads: 1 to 3), and block (rows read at a time), pipe, twice (two files of
 * the same bytes), first and count (a slice), salvage. */

#include "scree.h"

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_HEAD = 256 };

typedef struct fuzz_input {
    scree_read_options read; /* points into head */
    int64_t block;
    int64_t first;
    int64_t count; /* 0: all rows */
    bool pipe;
    bool twice;
    bool salvage;
    char head[FUZZ_HEAD];
    const uint8_t *file; /* what follows the head */
    size_t size;
} fuzz_input;

/* Of the line of options; 0: there is none. */
size_t fuzz_head_length(const uint8_t *data, size_t size);
void fuzz_input_read(fuzz_input *input, const uint8_t *data, size_t size);

/* The bytes as a file in memory; its path is valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* The same, under a name in a folder: for libraries that ask where a link leads. */
const char *fuzz_file_named(const uint8_t *data, size_t size);
/* The bytes, or as many of them as a pipe takes at once, as standard input. */
void fuzz_standard_input(const uint8_t *data, size_t size);

/* What a source gives, as a number that tells it from what another gives: names, cells, texts. */
typedef struct fuzz_rows {
    uint64_t digest;
    int64_t rows;
    int64_t cols;
} fuzz_rows;

/* Reads all rows, block_rows at a time (0: as planned). A failure must come with a sentence. */
scree_status fuzz_rows_read(fuzz_rows *rows, scree_source *source, int64_t block_rows);

#endif
