/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_ROW_QUERY_H
#define SCREE_ANSWER_ROW_QUERY_H

/* A question about the rows of a source: what joins the stream driver, which knows nothing of models, with the
 * questions, which know nothing of sources. */

#include "data/stream.h"
#include "model/answers.h"

typedef struct scree__row_query {
    scree__chunks chunks;
    int64_t *columns;     /* of the source, in the model's order; NULL: as they stand */
    scree_source *source; /* is told of the gaps that are met */
} scree__row_query;

/* A block of the source as the question takes it. */
scree__row_block scree__row_query_rows(const scree__row_query *query, const scree__block *block);

/* What a model wants done to rows before it is asked about them. */
scree__normal scree__row_query_normal(const scree_model *model);

/* Asks the question of a block; out as the question wants it. */
scree_status scree__row_query_block(scree__row_query *query, const scree__block *block, void *out, int threads,
                                    scree_error *error);

/* A map's rows, for questions whose answers are rows of doubles; the context is the scree__row_query. */
scree_status scree__row_query_map(void *context, const scree__block *block, double *out, int threads,
                                  scree_error *error);

/* Fails where a row of the block has a weight that is none: negative, infinite or NaN. */
scree_status scree__row_query_weights(const scree__row_query *query, const scree__block *block, scree_error *error);

void scree__row_query_close(scree__row_query *query);

#endif
