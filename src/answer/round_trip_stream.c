/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_round_trip: rows in, rows x̃ = UUᵀ(x - µ) + µ out, and the mean of ‖x - x̃‖² (10.29), which must agree with
 * the J_M that the eigenvalues give (10.44) when the rows are those of the fit.
 *
 * Errors are added row by row in the order of the rows, with the rounding of each sum carried along: the same bits for
 * any blocks and threads, and as good for 10⁹ rows as for ten. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/sum.h"

typedef struct trip {
    scree__row_query query;
    bool wants_rows;
    double *squares; /* of a block */
    int64_t capacity;
    int64_t rows;
    scree__sum sum;
} trip;

static scree_status make_trip(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    trip *made = context;
    if (block->rows > made->capacity) {
        free(made->squares);
        made->capacity = 0;
        SCREE_ALLOC(made->squares, block->rows, error);
        made->capacity = block->rows;
    }
    scree__round_trip_rows rows = {made->wants_rows ? out : NULL, made->squares};
    SCREE_TRY(scree__row_query_block(&made->query, block, &rows, threads, error));
    for (int64_t i = 0; i < block->rows; i++)
        scree__sum_add(&made->sum, made->squares[i]);
    made->rows += block->rows;
done:
    return status;
}

scree_status scree_model_round_trip(const scree_model *model, scree_source *source, scree_sink *sink,
                                    double *mean_squared_error, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree_run own;
    trip made = {.query = {.source = source}, .wants_rows = sink != NULL};
    scree__map map = {.stage = "round trip",
                      .cols = sink ? view->d : 0,
                      .columns = view->columns,
                      .rows = make_trip,
                      .takes_origin = true,
                      .normal = scree__row_query_normal(model),
                      .use_count = view->d,
                      .context = &made};
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(scree__match_columns(&made.query.columns, model, source, error));
    map.uses = made.query.columns;
    SCREE_TRY(scree__round_trip_open(&made.query.chunks, model, source->about.cols, run->threads, error));
    SCREE_TRY(scree__stream_run(source, &map, sink, run, error));
    if (mean_squared_error)
        *mean_squared_error = made.rows > 0 ? scree__sum_total(&made.sum) / (double)made.rows : 0.0;
done:
    scree__row_query_close(&made.query);
    free(made.squares);
    return status;
}
