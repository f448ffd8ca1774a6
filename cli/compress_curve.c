/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate-distortion curve of rows: the bits per value of archives, from small errors to large ones, next to the bound
 * of the model. As a table, as JSON, or as a picture. */

#include "compress_curve.h"
#include "json.h"
#include "pictures.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

static void print_table(const scree_curve_view *curve)
{
    cli_table *table = cli_table_new("rrrrr");
    static const char *const titles[] = {"rmse", "psnr", "kept", "bound", "bits per value"};
    for (int i = 0; i < 5; i++)
        cli_table_cell(table, "%s", titles[i]);
    for (int64_t i = 0; i < curve->points; i++) {
        cli_table_cell(table, "%.4g", curve->rmse[i]);
        cli_table_cell(table, "%.1f", curve->psnr[i]);
        cli_table_cell(table, "%" PRId64, curve->kept[i]);
        cli_table_cell(table, "%.4g", curve->bound[i]);
        cli_table_cell(table, "%.4g", curve->achieved[i]);
    }
    cli_table_print(table, stdout);
    cli_table_free(table);
}

static void print_json(const scree_curve_view *curve)
{
    cJSON *object = cli_json_object();
    cJSON *points = cli_json_add_array(object, "points");
    for (int64_t i = 0; i < curve->points; i++) {
        cJSON *point = cli_json_object();
        cli_json_number(point, "rmse", curve->rmse[i]);
        cli_json_number(point, "psnr", curve->psnr[i]);
        cli_json_integer(point, "kept", curve->kept[i]);
        cli_json_number(point, "bound", curve->bound[i]);
        cli_json_number(point, "bits_per_value", curve->achieved[i]);
        cli_json_append(points, point);
    }
    cli_json_print(object, stdout);
}

/* To the file, or to the terminal in its full width. */
static scree_status draw(cli_work *work, const scree_curve *curve, bool dark, const cli_length *width)
{
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    const char *output = work->write.output;
    plot.dark = dark;
    plot.width = width->pixels;
    plot.scale = width->print ? CLI_PRINT_SCALE : 1.0;
    if (!output) {
        plot.format = cli_terminal_format();
        plot.width = cli_terminal_is_letters(plot.format) ? cli_terminal_width() : 0.0;
        plot.most_height = cli_terminal_height();
    }
    return cli_curve_plot(curve, output ? output : "-", &plot, &work->error);
}

scree_status cli_curve_show(cli_work *work, bool json, bool dark, const cli_length *width)
{
    scree_status status = SCREE_OK;
    scree_curve_options how = SCREE_CURVE_OPTIONS_INIT;
    scree_curve *curve = NULL;
    how.run = &work->run;
    CLI_TRY_LONG(work, scree_curve_make(&curve, work->source, &how, &work->error));
    if (work->write.output || (!json && cli_terminal_is()))
        CLI_TRY(draw(work, curve, dark, width));
    if (json)
        print_json(scree_curve_get(curve));
    else if (!work->write.output)
        print_table(scree_curve_get(curve));
done:
    scree_curve_free(curve);
    return status;
}
