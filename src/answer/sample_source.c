/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_source_sample: the model as a source of rows x ~ N(µ, BBᵀ + σ²I) (10.64, 10.66), of any length in O(block)
 * memory, which can be rewound and sliced like a file. */

#include "base/memory.h"
#include "base/sized.h"
#include "data/source.h"
#include "model/draw.h"

enum { BLOCK_BYTES = 4 << 20, MOST_ROWS = 65536 };

typedef struct sampler {
    scree_source base;
    const scree_model *model; /* with all components that were kept */
    scree__draw draw;
    int64_t start; /* number of the draw that is row 0 */
    int64_t at;    /* next row */
    int64_t capacity;
    double *z;
    double *x;
} sampler;

static scree_status next(scree_source *source, scree__block *block, scree_error *error)
{
    sampler *s = (sampler *)source;
    const int64_t left = source->about.rows - s->at;
    int64_t rows = source->block_rows < s->capacity ? source->block_rows : s->capacity;
    rows = left < rows ? left : rows;
    scree__draw_latent(&s->draw, s->start + s->at, rows, s->z);
    scree_status status = scree__draw_visible(&s->draw, s->start + s->at, rows, s->z, s->x, error);
    if (status != SCREE_OK)
        return status;
    *block =
        (scree__block){.data = s->x, .type = SCREE_F64, .rows = rows, .stride = source->about.cols, .first = s->at};
    s->at += rows;
    return SCREE_OK;
}

static scree_status rewind_draws(scree_source *source, scree_error *error)
{
    (void)error;
    ((sampler *)source)->at = 0;
    return SCREE_OK;
}

static void close_sampler(scree_source *source)
{
    sampler *s = (sampler *)source;
    scree__draw_close(&s->draw);
    free(s->z);
    free(s->x);
}

static scree_status open_sampler(scree_source **out, const sampler *like, int64_t start, int64_t rows,
                                 scree_error *error);

static scree_status slice(scree_source **out, scree_source *source, int64_t first, int64_t count, scree_error *error)
{
    const sampler *s = (const sampler *)source;
    if (first < 0 || count < 0 || first > source->about.rows - count)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "draws: a slice of %lld rows after the first %lld reaches past the last", (long long)count,
                           (long long)first);
    return open_sampler(out, s, s->start + first, count, error);
}

static const scree__source_table table = {
    .name = "sample", .next = next, .rewind = rewind_draws, .slice = slice, .close = close_sampler};

/* A sampler with the model, seed and threads of another. */
static scree_status open_sampler(scree_source **out, const sampler *like, int64_t start, int64_t rows,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scree_model_distribution(like->model));
    sampler *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->base = (scree_source){.table = &table,
                             .about.path = scree__strdup("draws"),
                             .about.type = SCREE_F64,
                             .about.rows = rows,
                             .about.rows_estimate = rows,
                             .about.cols = view->d,
                             .can = SCREE__CAN_REWIND | SCREE__CAN_SLICE,
                             .about.columns = scree__strings_copy(view->columns, view->d),
                             .about.image_rows = view->image_rows,
                             .about.image_cols = view->image_cols};
    if (!s->base.about.path || (view->columns && !s->base.about.columns))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory");
    s->model = like->model;
    s->start = start;
    const int64_t fit = scree__source_rows_in(&s->base, BLOCK_BYTES);
    s->capacity = fit < MOST_ROWS ? fit : MOST_ROWS;
    s->base.block_rows = s->capacity;
    s->base.memory = 8 * s->capacity * (view->m + 2 * view->d);
    SCREE_TRY(scree__draw_open(&s->draw, like->model, like->draw.seed, like->draw.threads, s->capacity, error));
    SCREE_ALLOC(s->z, s->capacity * view->m, error);
    SCREE_ALLOC(s->x, s->capacity * view->d, error);
    *out = &s->base;
    s = NULL;
done:
    scree_source_free(s ? &s->base : NULL);
    return status;
}

scree_status scree_source_sample(scree_source **out, const scree_model *model, const scree_sample_options *options,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sample_options mine = SCREE_SAMPLE_OPTIONS_INIT;
    scree_run run;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    if (mine.rows < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%lld draws cannot be made; ask for at least 1", (long long)mine.rows);
    const sampler like = {.model = model, .draw = {.seed = mine.seed, .threads = run.threads}};
    SCREE_TRY(open_sampler(out, &like, 0, mine.rows, error));
    (*out)->memory += mine.held;
done:
    return status;
}
