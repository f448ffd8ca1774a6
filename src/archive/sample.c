/* SPDX-License-Identifier: BSD-3-Clause */
/* The first pass. Rows are kept in runs of 16, of which one in `spacing` is kept; when there is no more room, every
 * other run is dropped and the spacing doubles. So the sample is evenly spaced however many rows come, 8 million cells
 * at most, and depends on nothing but the rows. */

#include "archive/sample.h"

#include "archive/lattice.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LEAST_RUNS = SCREE__SAMPLE_LEAST / SCREE__SAMPLE_RUN, PIECE_CELLS = 1 << 15 };

/* Whether a NaN is one that signals: made a double, it would lose that bit. */
static bool is_signalling(const float *row, int64_t cols)
{
    bool found = false;
    for (int64_t j = 0; j < cols; j++) {
        uint32_t bits = 0;
        memcpy(&bits, &row[j], sizeof bits);
        found |= (bits & 0x7fc00000) == 0x7f800000 && (bits & 0x3fffff) != 0;
    }
    return found;
}

static void range(scree__sample *s, const double *row)
{
    double least = s->least;
    double largest = s->largest;
    for (int64_t j = 0; j < s->cols; j++) {
        least = row[j] < least && row[j] > -HUGE_VAL ? row[j] : least;
        largest = row[j] > largest && row[j] < HUGE_VAL ? row[j] : largest;
    }
    s->least = least;
    s->largest = largest;
}

/* Every other run goes, to make room. */
static void thin(scree__sample *s)
{
    const int64_t bytes = SCREE__SAMPLE_RUN * s->cols * scree__type_size(s->type);
    const int64_t runs = s->kept / SCREE__SAMPLE_RUN;
    for (int64_t i = 1; 2 * i < runs; i++)
        memcpy((char *)s->data + i * bytes, (char *)s->data + 2 * i * bytes, (size_t)bytes);
    s->kept = (runs + 1) / 2 * SCREE__SAMPLE_RUN;
    s->spacing *= 2;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    scree__sample *s = context;
    const int64_t size = scree__type_size(s->type);
    const scree__rows rows = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, NULL};
    (void)error;
    for (int64_t i = 0; i < batch->rows; i++) {
        const int64_t number = batch->first + i;
        if (number % SCREE__SAMPLE_RUN == 0 && s->kept == s->capacity)
            thin(s);
        if (s->type != SCREE_U8) {
            const double *row = scree__rows_load(&rows, i, s->buffer);
            range(s, row);
            scree__grid_fit(&s->grid, row, s->cols, s->type);
            if (s->type == SCREE_F32 && !s->signals &&
                is_signalling((const float *)batch->data + i * batch->stride, s->cols))
                s->signals = true;
        }
        if (number / SCREE__SAMPLE_RUN % s->spacing == 0)
            memcpy((char *)s->data + s->kept++ * s->cols * size, (const char *)batch->data + i * batch->stride * size,
                   (size_t)(s->cols * size));
    }
    return SCREE_OK;
}

/* What values are rounded to, where that is not what rows are worked on as. */
static int element_of(const scree_source *source)
{
    const scree_type element = scree__about_element(&source->about);
    return element == source->about.type ? 0 : 1 + (int)element;
}

scree_status scree__sample_take(scree__sample *sample, scree_source *source, int64_t cells, const scree_run *run,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t runs = cells / source->about.cols / SCREE__SAMPLE_RUN;
    *sample = (scree__sample){.cols = source->about.cols,
                              .type = source->about.type,
                              .element = element_of(source),
                              .least = source->about.type == SCREE_U8 ? 0 : HUGE_VAL,
                              .largest = source->about.type == SCREE_U8 ? UINT8_MAX : -HUGE_VAL,
                              .grid = 1,
                              .spacing = 1};
    sample->capacity = (runs > LEAST_RUNS ? runs : LEAST_RUNS) * SCREE__SAMPLE_RUN;
    if (source->about.rows >= 0 && source->about.rows < sample->capacity)
        sample->capacity = (source->about.rows / SCREE__SAMPLE_RUN + 1) * SCREE__SAMPLE_RUN;
    sample->data =
        scree__alloc_raw(sample->capacity, (size_t)(source->about.cols * scree__type_size(source->about.type)));
    if (!sample->data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for a sample of its rows", source->about.path);
    SCREE_ALLOC(sample->buffer, source->about.cols, error);
    const scree__pass pass = {.stage = "sample",
                              .pass = 1,
                              .passes = 2,
                              .batch_rows = SCREE__SAMPLE_RUN,
                              .run = run,
                              .visit = visit,
                              .context = sample};
    SCREE_TRY(scree__pass_run(source, &pass, &sample->rows, error));
done:
    return status;
}

void scree__sample_clear(scree__sample *sample)
{
    free(sample->data);
    free(sample->buffer);
    *sample = (scree__sample){0};
}

scree_status scree__sample_part(scree__rows *part, void **owned, const scree__sample *sample, int64_t most,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t runs_joined = PIECE_CELLS / sample->cols / SCREE__SAMPLE_RUN;
    const int64_t piece = (runs_joined > 1 ? runs_joined : 1) * SCREE__SAMPLE_RUN;
    const int64_t pieces = (sample->kept + piece - 1) / piece;
    const int64_t wanted = most > piece ? most / piece : 1;
    const int64_t taken = pieces < wanted ? pieces : wanted;
    const int64_t row_bytes = sample->cols * scree__type_size(sample->type);
    char *data = scree__alloc_raw(taken * piece, (size_t)row_bytes);
    *part = (scree__rows){data, sample->type, 0, sample->cols, sample->cols, NULL};
    if (!data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for a sample of the rows");
    *owned = data;
    for (int64_t r = 0; r < taken; r++) {
        const int64_t first = r * pieces / taken * piece;
        const int64_t left = sample->kept - first;
        const int64_t count = left < piece ? left : piece;
        memcpy(data + part->rows * row_bytes, (const char *)sample->data + first * row_bytes,
               (size_t)(count * row_bytes));
        part->rows += count;
    }
done:
    return status;
}
