/* SPDX-License-Identifier: BSD-3-Clause */
/* scree compress: rows as an archive, by the code of their model; and the rate-distortion curve of that model, as a
 * table and as a picture. */

#include "archive_text.h"
#include "cli.h"
#include "human.h"
#include "json.h"
#include "progress.h"
#include "pictures.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

enum { POINTS = 11 };

typedef struct arguments {
    const char *output;
    scree_compress_options compress;
    scree_read_options read;
    scree_run run;
    double width; /* of the picture; 0: as suits */
    int curve;
    int dark;
    int json;
    int quiet;
} arguments;

static const arguments defaults = {
    .compress = SCREE_COMPRESS_OPTIONS_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "the archive, by custom FILE.screez; - is standard output; with --rd the picture, .svg, .png or .pdf",
     .read = cli_read_text,
     .offset = offsetof(arguments, output)},
    {.name = "max-error",
     .letter = 'e',
     .value = "E",
     .help = "every value comes back within E",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.max_error)},
    {.name = "rmse",
     .value = "E",
     .help = "the root of the mean squared error is at most E",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.rmse)},
    {.name = "psnr",
     .value = "DB",
     .help = "the range of the values (255 for bytes) over that root is at least DB decibels",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.psnr)},
    {.name = "ratio",
     .value = "R",
     .help = "the archive is at least R times smaller than the values",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.ratio)},
    {.name = "components",
     .letter = 'k',
     .value = "COUNT",
     .help = "components of the model, at most the columns, with an error or without (default: as many as make the "
             "archive small)",
     .read = cli_read_count,
     .offset = offsetof(arguments, compress.components)},
    {.name = "rd",
     .help = "write no archive; print the rate-distortion curve of the rows, or draw it with -o; in a terminal both",
     .offset = offsetof(arguments, curve),
     .set = 1},
    {.name = "width",
     .value = "PX",
     .help = "width of the picture in pixels, 200 to 20000 (default: 800; PNG 1200)",
     .read = cli_read_positive,
     .offset = offsetof(arguments, width)},
    {.name = "dark", .help = "draw the picture on dark paper", .offset = offsetof(arguments, dark), .set = 1},
    {.name = "json", .help = "print what was done as one JSON object", .offset = offsetof(arguments, json), .set = 1},
    {.group = cli_data_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree compress spectra.npy --max-error 0.001 -o spectra.screez",
    "every value comes back within a thousandth",
    "scree compress digits.idx.gz -o digits.screez",
    "loses nothing, as for all data when no error is allowed",
    "scree compress faces.npy --ratio 50 -o faces.screez",
    "as good as it gets in a fiftieth of the space",
    "scree compress --rd spectra.npy",
    "what each error costs, and the least that theory allows",
    "scree compress --rd spectra.npy -o curve.svg",
    "the same as a picture",
    NULL,
};

static void print_curve(const scree_curve_view *curve)
{
    cli_table *table = cli_table_new("rrrrr");
    static const char *const titles[] = {"rmse", "psnr", "kept", "bound", "bits a value"};
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

static void print_curve_json(const scree_curve_view *curve)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (int64_t i = 0; i < curve->points; i++) {
        cJSON *point = cJSON_CreateObject();
        cli_json_number(point, "rmse", curve->rmse[i]);
        cli_json_number(point, "psnr", curve->psnr[i]);
        cli_json_integer(point, "kept", curve->kept[i]);
        cli_json_number(point, "bound", curve->bound[i]);
        cli_json_number(point, "bits_per_value", curve->achieved[i]);
        cJSON_AddItemToArray(points, point);
    }
    cli_json_print(object, stdout);
}

/* To the file, or in the terminal, as wide as that is. */
static scree_status draw_curve(const arguments *args, const scree_curve *curve, scree_error *error)
{
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    plot.dark = args->dark != 0;
    plot.width = args->width;
    if (!args->output) {
        plot.format = cli_terminal_format();
        const bool letters = strcmp(plot.format, "ansi") == 0 || strcmp(plot.format, "text") == 0;
        plot.width = letters ? cli_terminal_width() : 0.0;
    }
    return cli_curve_plot(curve, args->output ? args->output : "-", &plot, error);
}

static scree_status show_curve(arguments *args, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_curve_options how = SCREE_CURVE_OPTIONS_INIT;
    scree_curve *curve = NULL;
    cli_progress progress;
    how.points = POINTS;
    how.run = &args->run;
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_curve_make(&curve, source, &how, error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    if (args->output || (!args->json && cli_terminal_is()))
        CLI_TRY(draw_curve(args, curve, error));
    if (args->json)
        print_curve_json(scree_curve_get(curve));
    else if (!args->output)
        print_curve(scree_curve_get(curve));
done:
    scree_curve_free(curve);
    return status;
}

static scree_status compress(arguments *args, scree_source *source, scree_error *error)
{
    scree_archive about = SCREE_ARCHIVE_INIT;
    cli_progress progress;
    char time[32];
    cli_progress_begin(&progress, &args->run, args->quiet);
    scree_status status = scree_source_compress(source, args->output, &args->compress, &about, error);
    const double seconds = cli_seconds() - progress.began;
    cli_progress_end(&progress);
    if (status != SCREE_OK)
        return status;
    if (args->json) {
        cJSON *object = cJSON_CreateObject();
        cli_json_text(object, "data", scree_source_name(source));
        cli_json_text(object, "archive", args->output);
        cli_json_number(object, "seconds", seconds);
        cli_archive_json(object, &about);
        cli_json_print(object, stdout);
    } else if (!args->quiet) {
        FILE *out = strcmp(args->output, "-") == 0 ? stderr : stdout;
        cli_archive_print(out, &about);
        fprintf(out, "time        %s\n", cli_human_time(time, sizeof time, seconds));
    }
    return SCREE_OK;
}

/* What can be told before any file is read. */
static int check(const arguments *args, const cli_call *call)
{
    if (!args->output && !args->curve)
        return cli_usage(call->command, NULL, "-o FILE is missing");
    if (args->curve && args->output && !cli_picture_is(args->output))
        return cli_usage(call->command, NULL,
                         "--rd draws, but -o %s is not the name of a picture; let it end with .svg, .png or .pdf",
                         args->output);
    if ((args->width > 0.0 || args->dark) && !(args->curve && args->output))
        return cli_usage(call->command, NULL, "%s is of a picture; ask for one with --rd -o FILE.svg",
                         args->dark ? "--dark" : "--width");
    if (args->width > 0.0 && !(args->width >= 200.0 && args->width <= 20000.0))
        return cli_usage(call->command, NULL, "--width may be 200 to 20000 pixels");
    const scree_compress_options *c = &args->compress;
    const int goals = (c->max_error > 0.0) + (c->rmse > 0.0) + (c->psnr > 0.0) + (c->ratio > 0.0);
    if (goals > 1)
        return cli_usage(call->command, NULL, "--max-error, --rmse, --psnr and --ratio exclude each other; give one");
    if (args->curve && goals > 0)
        return cli_usage(call->command, NULL,
                         "--rd shows all errors; leave out --max-error, --rmse, --psnr and --ratio");
    if (args->json && args->output && strcmp(args->output, "-") == 0)
        return cli_usage(call->command, NULL, "-o - and --json both want standard output");
    return 0;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const int wrong = check(args, call);
    if (wrong)
        return wrong;
    args->compress.run = &args->run;
    args->read.threads = args->run.threads;
    if (args->output)
        CLI_TRY(cli_output_apart(call, args->output, NULL, &error));
    CLI_TRY(cli_data_open(&source, call, 0, &args->read, &error));
    if (args->output)
        CLI_TRY(cli_output_check(args->output, &error));
    if (args->curve)
        CLI_TRY(show_curve(args, source, &error));
    else
        CLI_TRY(compress(args, source, &error));
    cli_note(source, args->quiet);
done:
    scree_source_free(source);
    return cli_finish(status, &error);
}

const cli_command cli_compress = {
    .name = "compress",
    .synopsis = "DATA... -o FILE.screez [--max-error E|--rmse E|--psnr DB|--ratio R] [OPTIONS]",
    .operands = "DATA...",
    .summary = "write rows as a small archive, with a guaranteed error",
    .description =
        "Finds the model of a sample of the rows, rounds the codes of all rows to one step, and writes them as short "
        "as "
        "their entropy allows, with corrections for values that would come back with too large an error. Step and "
        "number of components are those that make the archive smallest; where no model pays, values are predicted "
        "from those beside them, or stored as they are. Without an error that is allowed, every bit comes back: of "
        "CSV, "
        "every value as double precision reads it; whole numbers of more than a byte come back as f8. "
        "Missing and infinite values come back as such, and label columns come along. The rows are read twice, so "
        "pipes are refused, and "
        "what was promised is measured before the file appears. Prints the size in bits a value, the errors, and the "
        "bits of a code beside the least that rate-distortion theory allows for the same error. With --rd it shows "
        "both "
        "for errors from a thousandth of the standard deviation to two thirds of it.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
