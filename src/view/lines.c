/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines over columns. Where a picture has fewer pixels than there are columns, a line goes through the least and the
 * greatest value of each stretch of columns: O(D), and no peak is lost. */

#include "view/lines.h"

#include <math.h>

enum { NAMED = 60, STRETCHES = 600 };

void scree__lines_standardise(const scree_model_view *view, const double *row, double *out)
{
    for (int64_t j = 0; j < view->d; j++) {
        const double spread = sqrt(view->variances[j]);
        out[j] = spread > 0.0 ? (row[j] - view->mean[j]) / spread : 0.0;
    }
}

scree__axis scree__lines_axis(const scree__plot *plot, char **names, bool titled)
{
    const int64_t d = plot->view->d;
    const double edge = d <= NAMED ? 0.4 : 0.01 * (double)d;
    return (scree__axis){.title = titled && d > NAMED ? "column" : "",
                         .scale = {.low = 1.0 - edge, .high = (double)d + edge, .whole = true},
                         .names = d <= NAMED ? (const char *const *)names : NULL,
                         .name_count = d};
}

void scree__lines_draw(const scree__frame *frame, const double *values, int64_t d, const scree__pen *pen)
{
    double xy[4 * STRETCHES];
    if (d <= 2 * STRETCHES) {
        scree__frame_curve(frame, 1.0, values, d, false, pen);
        return;
    }
    for (int64_t k = 0; k < STRETCHES; k++) {
        const int64_t first = k * d / STRETCHES, last = (k + 1) * d / STRETCHES;
        double range[2];
        scree__range(values + first, last - first, 1, false, range);
        for (int side = 0; side < 2; side++) {
            xy[4 * k + 2 * side] = scree__frame_x(frame, (double)(first + last) / 2);
            xy[4 * k + 2 * side + 1] = scree__frame_y(frame, range[(k + side) % 2]);
        }
    }
    scree__canvas_clip(frame->page->canvas, &frame->inside, false);
    scree__canvas_path(frame->page->canvas, xy, (int64_t)2 * STRETCHES, pen);
    scree__canvas_unclip(frame->page->canvas);
}
