/* SPDX-License-Identifier: BSD-3-Clause */
/* scree compress: writes rows as an archive, coded by their model; or shows the rate-distortion curve of that model, as
 * a table and as a picture. */

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
     .help = "write the archive to FILE, usually named FILE.screez; - is standard output; with --rd write a picture, "
             ".svg, .png or .pdf",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.name = "max-error",
     .letter = 'e',
     .value = "E",
     .help = "restore every value to within E",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.max_error)},
    {.name = "rmse",
     .value = "E",
     .help = "allow a root mean squared error of at most E",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.rmse)},
    {.name = "psnr",
     .value = "DB",
     .help = "achieve a peak signal-to-noise ratio of at least DB decibels: the range of the values (255 for bytes) "
             "over the root mean squared error",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.psnr)},
    {.name = "ratio",
     .value = "R",
     .help = "make the archive at least R times smaller than the values",
     .read = cli_read_positive,
     .offset = offsetof(arguments, compress.ratio)},
    {.name = "components",
     .letter = 'k',
     .value = "COUNT",
     .help = "number of components of the model (default: as many as make the archive smallest)",
     .read = cli_read_count,
     .offset = offsetof(arguments, compress.components)},
    {.name = "rd",
     .help = "print the rate-distortion curve of the rows instead of writing an archive; with -o, draw it; in a "
             "terminal, do both",
     .offset = offsetof(arguments, curve),
     .set = 1},
    {.name = "width",
     .value = "PX",
     .help = "width of the picture in pixels, 200 to 20000, or in millimetres for print, such as 85mm (default: 800; "
             "PNG 1200)",
     .read = cli_read_length,
     .offset = offsetof(arguments, width)},
    {.name = "dark", .help = "draw on a dark background", .offset = offsetof(arguments, dark), .set = 1},
    {.name = "json", .help = "print the report as a JSON object", .offset = offsetof(arguments, json), .set = 1},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree compress spectra.npy --max-error 0.001 -o spectra.screez",
    "every value is restored to within a thousandth",
    "scree compress digits.idx.gz -o digits.screez",
    "lossless, as always if no error is allowed",
    "scree compress faces.npy --ratio 50 -o faces.screez",
    "the best quality in a fiftieth of the space",
    "scree compress --rd spectra.npy",
    "prints the size for each error, and the theoretical bound",
    "scree compress --rd spectra.npy -o curve.svg",
    "draws the same as a picture",
    NULL,
};

static scree_status compress(const arguments *args, cli_work *work)
{
    const char *output = work->write.output;
    scree_status status = SCREE_OK;
    scree_archive about = SCREE_ARCHIVE_INIT;
    char time[32];
    CLI_TRY_LONG(work, scree_source_compress(work->source, output, &about, &args->compress, &work->error));
    if (args->json) {
        cJSON *object = cli_json_object();
        cli_json_text(object, "data", scree_source_name(work->source));
        cli_json_text(object, "archive", output);
        cli_json_number(object, "seconds", work->progress.seconds);
        cli_archive_json(object, &about);
        cli_json_print(object, stdout);
    } else if (!work->quiet) {
        FILE *out = cli_work_is_piped(work) ? stderr : stdout;
        cli_archive_print(out, &about);
        cli_print(out, "time        %s\n", cli_human_time(time, sizeof time, work->progress.seconds));
    }
done:
    return status;
}

/* Checks the options before any file is read: an exit code, or 0. */
static int check(const arguments *args, const cli_call *call)
{
    const char *output = args->work.write.output;
    if (!output && !args->curve)
        return cli_usage(call->command, NULL, "-o FILE is required");
    if (args->curve && output && !cli_picture_is(output))
        return cli_usage(call->command, NULL, "--rd draws a picture, but -o %s does not end with .svg, .png or .pdf",
                         output);
    if ((args->width.pixels > 0.0 || args->dark) && !(args->curve && output))
        return cli_usage(call->command, NULL, "%s is for pictures; draw one with --rd -o FILE.svg",
                         args->dark ? "--dark" : "--width");
    if (args->width.pixels > 0.0 && !(args->width.pixels >= 200.0 && args->width.pixels <= 20000.0))
        return cli_usage(call->command, NULL, "--width must be 200 to 20000 pixels, or 53mm to 5291mm");
    const scree_compress_options *c = &args->compress;
    const int goals = (c->max_error > 0.0) + (c->rmse > 0.0) + (c->psnr > 0.0) + (c->ratio > 0.0);
    if (goals > 1)
        return cli_usage(call->command, NULL,
                         "--max-error, --rmse, --psnr and --ratio exclude each other; give only one");
    if (args->curve && goals > 0)
        return cli_usage(call->command, NULL,
                         "--rd shows a range of errors; remove --max-error, --rmse, --psnr and --ratio");
    if (args->json && cli_work_is_piped(&args->work))
        return cli_usage(call->command, NULL, "-o - and --json both write to standard output");
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
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
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
    .summary = "write rows as a small archive with a guaranteed error",
    .description =
        "Fits a model to a sample of the rows, quantizes the codes of all rows with a common step, and entropy-codes "
        "them, with corrections for values whose error would be too large. The step and the number of components are "
        "chosen to make the archive smallest; if no model helps, values are predicted from their neighbours or stored "
        "as they are. If no error is allowed, compression is lossless: values of CSV files are restored exactly in "
        "double precision, and those of NPY files with their element type. Missing and infinite values are preserved, "
        "and label "
        "columns are included. The rows are read twice, so pipes are not accepted, and the error is verified before "
        "the file appears. Prints the size in bits per value, the errors, and the bits per code next to the minimum "
        "that rate-distortion theory allows for the same error. With --rd, shows both for errors from a thousandth to "
        "two thirds of the standard deviation.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
