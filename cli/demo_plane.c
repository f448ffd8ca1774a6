/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure 10.10 in the terminal: the digits of the demo in the plane of the first two components, and the images of
 * four of them. */

#include "demo_steps.h"
#include "draw.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>

enum { MARKED = 4 };

/* All rows of a file in memory, as doubles; the caller's to free. */
static scree_status load(double **out, int64_t *rows, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    double *data = NULL;
    CLI_TRY(scree_source_open(&source, path, NULL, error));
    *rows = scree_source_rows(source);
    data = cli_alloc((size_t)(*rows * scree_source_cols(source)), sizeof *data);
    CLI_TRY(scree_sink_to_memory(&sink, data, *rows, scree_source_cols(source), error));
    CLI_TRY(scree_source_copy(source, sink, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    *out = data;
    data = NULL;
done:
    free(data);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* Of each digit the one that lies lowest along the second component, and the one that lies highest. */
static void choose(const cli_plane *plane, int64_t marked[MARKED])
{
    double best[MARKED] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int64_t i = 0; i < plane->count; i++)
        for (int high = 0; high < 2; high++) {
            const int mark = 2 * (plane->labels[i] > 0.5) + high;
            const double value = plane->codes[i * plane->stride + 1] * (high ? -1.0 : 1.0);
            if (value < best[mark]) {
                best[mark] = value;
                marked[mark] = i;
            }
        }
}

scree_status cli_demo_plane(const scree_model *whole, const char *images, const char *digits, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *model = scree_model_get(whole);
    double *pixels = NULL;
    double *labels = NULL;
    double *codes = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    int64_t rows = 0, count = 0, marked[MARKED] = {0};
    CLI_TRY(load(&pixels, &rows, images, error));
    CLI_TRY(load(&labels, &count, digits, error));
    codes = cli_alloc((size_t)(rows * model->m), sizeof *codes);
    block.data = pixels;
    block.rows = rows;
    block.cols = model->d;
    CLI_TRY(scree_model_project_rows(whole, &block, codes, NULL, error));
    cli_plane plane = {.codes = codes,
                       .count = count < rows ? count : rows,
                       .stride = model->m,
                       .labels = labels,
                       .marked = marked,
                       .pixels = pixels,
                       .image_rows = model->image_rows,
                       .image_cols = model->image_cols};
    choose(&plane, marked);
    cli_draw_plane(stdout, &plane);
done:
    free(codes);
    free(labels);
    free(pixels);
    return status;
}
