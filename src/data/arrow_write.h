/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_WRITE_H
#define SCREE_DATA_ARROW_WRITE_H

/* What an Arrow file that is written says of itself (arrow_describe.c). */

#include "data/flat.h"
#include "data/text_sink.h"

typedef struct scree__arrow_planned {
    char *name;
    int64_t value; /* which of the numbers of a row */
    int64_t text;  /* or which of its texts; -1: it is a number */
    int64_t nulls; /* of the batch that is written */
    int64_t chars; /* bytes of its texts */
} scree__arrow_planned;

/* A message of the file: a record batch. */
typedef struct scree__arrow_block {
    int64_t offset;
    int64_t description; /* bytes */
    int64_t body;
} scree__arrow_block;

/* The columns in their order, and the batches so far. */
typedef struct scree__arrow_plan {
    scree__arrow_planned *columns;
    int64_t count;
    int64_t cols;
    int64_t text_count;
    scree_type type;
    scree__arrow_block *blocks;
    int64_t block_count;
    int64_t block_room;
    scree__flat_writer writer;
} scree__arrow_plan;

scree_status scree__arrow_plan_make(scree__arrow_plan *plan, const scree__sink_shape *shape, scree_type type,
                                    const char *path, scree_error *error);
const char *scree__arrow_plan_name(const scree__arrow_plan *plan, int64_t value); /* of a column of numbers */
scree_status scree__arrow_plan_add(scree__arrow_plan *plan, int64_t offset, int64_t description, int64_t body,
                                   const char *path, scree_error *error);
void scree__arrow_plan_clear(scree__arrow_plan *plan);

/* Each is lent until the next, and NULL where memory is out. */
const unsigned char *scree__arrow_describe_schema(scree__arrow_plan *plan, int64_t *size);
const unsigned char *scree__arrow_describe_batch(scree__arrow_plan *plan, int64_t rows, int64_t *size);
const unsigned char *scree__arrow_describe_footer(scree__arrow_plan *plan, int64_t *size);

#endif
