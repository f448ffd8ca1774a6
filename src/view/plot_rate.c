/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate-distortion curve: the error over the bits a value that it takes, rmse on a logarithmic axis at the left and
 * PSNR = 20 log10(range/rmse), which falls evenly along the same axis, at the right. Beside what an archive takes
 * stands the bound of the model, by reverse water-filling (src/archive/rate_curve.c). Costs nothing but the drawing. */

#include "view/plot.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>

enum { ACHIEVED = 0, LEAST = 1 };

/* Texts take up to 16 lines of a narrow page; the plot keeps as much. */
static double aspect(const scree__plot *plot, double em)
{
    (void)plot;
    return fmax(0.62, 26.0 * em);
}

static double bits_of(const scree_curve_view *curve, int64_t i, int series)
{
    return series == LEAST ? curve->bound[i] : curve->achieved[i];
}

/* The range of the values in decibels, by which PSNR lies above -20 log10 rmse; NaN where the points do not agree. */
static double range_of(const scree__plot *plot)
{
    const scree_curve_view *curve = plot->curve;
    const double range = curve->psnr[0] + 20.0 * log10(curve->rmse[0]);
    for (int64_t i = 1; i < plot->curve->points; i++)
        if (!(fabs(curve->psnr[i] + 20.0 * log10(curve->rmse[i]) - range) < 1e-6))
            return NAN;
    return isfinite(range) ? range : NAN;
}

static scree__scale bits_scale(const scree__plot *plot)
{
    double most = 0.0;
    for (int64_t i = 0; i < plot->curve->points; i++)
        most = fmax(most, fmax(plot->curve->bound[i], plot->curve->achieved[i]));
    return (scree__scale){.low = most > 0.0 ? -0.02 * most : 0.0, .high = most > 0.0 ? 1.04 * most : 1.0};
}

static scree__scale error_scale(const scree__plot *plot)
{
    double least = plot->curve->rmse[0], greatest = least;
    for (int64_t i = 1; i < plot->curve->points; i++) {
        least = fmin(least, plot->curve->rmse[i]);
        greatest = fmax(greatest, plot->curve->rmse[i]);
    }
    return scree__scale_over(least, greatest, true);
}

static void legend(scree__page *page, int64_t count)
{
    const bool lines = count > 1 && !scree__canvas_is_cells(page->canvas); /* letters tell more than their lines */
    const scree__legend_entry entries[] = {
        {scree__series(page->look, ACHIEVED, 1), lines, false, "what an archive takes"},
        {scree__series(page->look, LEAST, 1), lines, true, "bound of the model"},
    };
    scree__page_legend(page, entries, 2);
}

/* xy has room for a point each. */
static void draw_curve(const scree__frame *frame, const scree__plot *plot, int series, double *xy)
{
    const scree__page *page = frame->page;
    const scree__mark mark = scree__series(page->look, series, (plot->curve->points > 25 ? 0.22 : 0.32) * page->em);
    scree__pen pen = scree__page_pen(mark.colour, 0.14 * page->em);
    pen.dashed = series == LEAST;
    for (int64_t i = 0; i < plot->curve->points; i++) {
        xy[2 * i] = scree__frame_x(frame, bits_of(plot->curve, i, series));
        xy[2 * i + 1] = scree__frame_y(frame, plot->curve->rmse[i]);
    }
    scree__canvas_path(page->canvas, xy, plot->curve->points, &pen);
    for (int64_t i = 0; i < plot->curve->points; i++)
        scree__canvas_mark(page->canvas, xy[2 * i], xy[2 * i + 1], &mark);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__page *page = &plot->page;
    double *xy = NULL;
    scree__frame frame;
    SCREE_ALLOC(xy, 2 * plot->curve->points, error);
    scree__page_begin(page, plot->canvas, "Rate and distortion", "the error of an archive over its size");
    scree__page_note(page, "From a sample of the rows. The bound is that of normally distributed rows with the same "
                           "eigenvalues; others may take less.");
    legend(page, plot->curve->points);
    const double range = range_of(plot);
    const scree__axis x = {.title = "bits a value", .scale = bits_scale(plot)};
    const scree__axis y = {.title = "rmse", .scale = error_scale(plot)};
    const scree__axis right = {
        .title = "PSNR, dB",
        .scale = {.low = range - 20.0 * log10(y.scale.low), .high = range - 20.0 * log10(y.scale.high)}};
    scree__frame_draw(&frame, page, &page->room, &x, &y, isnan(range) ? NULL : &right);
    draw_curve(&frame, plot, LEAST, xy);
    draw_curve(&frame, plot, ACHIEVED, xy);
done:
    free(xy);
    return status;
}

static const scree__plot_kind kind = {"rate", false, false, aspect, draw, NULL};

scree_status scree_curve_plot(const scree_curve *curve, const char *path, const scree_plot_options *options,
                              scree_error *error)
{
    static const scree_plot_options plain = SCREE_PLOT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree__plot plot = {.curve = scree_curve_get(curve), .options = plain};
    scree_run run;
    SCREE_TRY(SCREE_ADOPT(&plot.options, options, error));
    SCREE_TRY(scree__run_adopt(&run, &plot.options.run, error));
    SCREE_TRY(scree__plot_make(&plot, &kind, path, error));
done:
    return status;
}
