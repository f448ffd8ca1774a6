/* SPDX-License-Identifier: BSD-3-Clause */
/* scree compress: rows as an archive, by the code of their model; and the rate-distortion curve of that model, as a
 * table and as a picture. */

#include "archive_text.h"
#include "compress_curve.h"
#include "human.h"
#include "json.h"
#include "work.h"

typedef struct arguments {
    cli_work work;
    scree_compress_options compress;
    cli_length width;
    int curve;
    int dark;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .compress = SCREE_COMPRESS_OPTIONS_INIT};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "the archive, by custom FILE.screez; - is standard output; with --rd the picture, .svg, .png or .pdf",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
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
     .help = "width of the picture in pixels, 200 to 20000, or in millimetres for print, such as 85mm (default: 800; "
             "PNG 1200)",
     .read = cli_read_length,
     .offset = offsetof(arguments, width)},
    {.name = "dark", .help = "draw the picture on dark paper", .offset = offsetof(arguments, dark), .set = 1},
    {.name = "json", .help = "print what was done as one JSON object", .offset = offsetof(arguments, json), .set = 1},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
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

static scree_status compress(const arguments *args, cli_work *work)
{
    const char *output = work->write.output;
    scree_status status = SCREE_OK;
    scree_archive about = SCREE_ARCHIVE_INIT;
    char time[32];
    CLI_TRY_LONG(work, scree_source_compress(work->source, output, &args->compress, &about, &work->error));
    if (args->json) {
        cJSON *object = cJSON_CreateObject();
        cli_json_text(object, "data", scree_source_name(work->source));
        cli_json_text(object, "archive", output);
        cli_json_number(object, "seconds", work->progress.seconds);
        cli_archive_json(object, &about);
        cli_json_print(object, stdout);
    } else if (!work->quiet) {
        FILE *out = cli_work_is_piped(work) ? stderr : stdout;
        cli_archive_print(out, &about);
        fprintf(out, "time        %s\n", cli_human_time(time, sizeof time, work->progress.seconds));
    }
done:
    return status;
}

/* What can be told before any file is read. */
static int check(const arguments *args, const cli_call *call)
{
    const char *output = args->work.write.output;
    if (!output && !args->curve)
        return cli_usage(call->command, NULL, "-o FILE is missing");
    if (args->curve && output && !cli_picture_is(output))
        return cli_usage(call->command, NULL,
                         "--rd draws, but -o %s is not the name of a picture; let it end with .svg, .png or .pdf",
                         output);
    if ((args->width.pixels > 0.0 || args->dark) && !(args->curve && output))
        return cli_usage(call->command, NULL, "%s is of a picture; ask for one with --rd -o FILE.svg",
                         args->dark ? "--dark" : "--width");
    if (args->width.pixels > 0.0 && !(args->width.pixels >= 200.0 && args->width.pixels <= 20000.0))
        return cli_usage(call->command, NULL, "--width may be 200 to 20000 pixels, or 53mm to 5291mm");
    const scree_compress_options *c = &args->compress;
    const int goals = (c->max_error > 0.0) + (c->rmse > 0.0) + (c->psnr > 0.0) + (c->ratio > 0.0);
    if (goals > 1)
        return cli_usage(call->command, NULL, "--max-error, --rmse, --psnr and --ratio exclude each other; give one");
    if (args->curve && goals > 0)
        return cli_usage(call->command, NULL,
                         "--rd shows all errors; leave out --max-error, --rmse, --psnr and --ratio");
    if (args->json && cli_work_is_piped(&args->work))
        return cli_usage(call->command, NULL, "-o - and --json both want standard output");
    return 0;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    const int wrong = check(args, call);
    if (wrong)
        return wrong;
    args->compress.run = &work->run;
    CLI_TRY(cli_output_apart(call, work->write.output, NULL, &work->error));
    CLI_TRY(cli_work_rows(work, 0));
    if (work->write.output)
        CLI_TRY(cli_output_check(work->write.output, &work->error));
    if (args->curve)
        CLI_TRY(cli_curve_show(work, args->json != 0, args->dark != 0, &args->width));
    else
        CLI_TRY(compress(args, work));
    cli_work_note(work);
done:
    return cli_work_finish(work, status);
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
