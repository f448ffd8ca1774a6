/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles: the pixels of an image become colours, the canvas makes rectangles of them. */

#include "view/tiles.h"

#include "scree_private.h"

#include <math.h>

scree__tone scree__tone_of(const double *values, int64_t count)
{
    double range[2];
    scree__range(values, count, 1, false, range);
    return (scree__tone){range[0], range[1] > range[0] ? range[1] : range[0] + 1.0, false};
}

scree_status scree__tile_draw(const scree__plot *plot, const scree__box *room, const double *row,
                              const scree__tone *tone, scree__box *drawn, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = plot->image_rows, cols = plot->image_cols;
    uint32_t *pixels = NULL;
    const double size = fmin(room->w / (double)cols, room->h / (double)rows);
    scree__box box = {room->x + (room->w - size * (double)cols) / 2, room->y + (room->h - size * (double)rows) / 2,
                      size * (double)cols, size * (double)rows};
    const scree__pen pen = scree__page_pen(plot->page.theme->muted, 0.05 * plot->page.em);
    SCREE_ALLOC(pixels, rows * cols, error);
    for (int64_t i = 0; i < rows * cols; i++)
        pixels[i] = tone->diverging ? scree__diverging(plot->page.look, row[i] / tone->high)
                                    : scree__grey((row[i] - tone->low) / (tone->high - tone->low));
    scree__canvas_image(plot->canvas, &box, pixels, rows, cols);
    if (!scree__canvas_is_cells(plot->canvas))
        scree__canvas_frame(plot->canvas, &box, &pen);
    if (drawn)
        *drawn = box;
done:
    free(pixels);
    return status;
}

/* In em. */
static const double text_line = 1.35, between = 0.6, around = 2.0, above_and_below = 5.6;

scree__grid scree__grid_over(const scree__page *page, int64_t count, int64_t across, double shape, int lines)
{
    const bool cells = scree__canvas_is_cells(page->canvas);
    scree__grid grid = {page->room, across, (count + across - 1) / across, lines * (cells ? 1.0 : text_line) * page->em,
                        (cells ? 0.5 : between) * page->em};
    const double width = (grid.room.w - (double)(across - 1) * grid.gap) / (double)across;
    const double height = (double)grid.down * (width * shape + grid.text + grid.gap) - grid.gap;
    grid.room.h = fmin(grid.room.h, height);
    return grid;
}

double scree__grid_aspect(int64_t count, int64_t across, double shape, int lines, double em)
{
    const double down = (double)((count + across - 1) / across);
    const double width = (1.0 - around * em - (double)(across - 1) * between * em) / (double)across;
    return above_and_below * em + down * (width * shape + (lines * text_line + between) * em);
}

scree__box scree__grid_at(const scree__grid *grid, int64_t i)
{
    const double w = (grid->room.w - (double)(grid->across - 1) * grid->gap) / (double)grid->across;
    const double h = (grid->room.h - (double)(grid->down - 1) * grid->gap) / (double)grid->down;
    return (scree__box){grid->room.x + (double)(i % grid->across) * (w + grid->gap),
                        grid->room.y + (double)(i / grid->across) * (h + grid->gap), w, fmax(h - grid->text, 1.0)};
}
