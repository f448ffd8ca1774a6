/* SPDX-License-Identifier: BSD-3-Clause */
/* scree report: a model and its data as one page that opens offline in any browser. */

#include "cli.h"
#include "human.h"
#include "progress.h"
#include "pictures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *output;
    const char *labels;
    scree_report_options report;
    scree_read_options read;
    scree_run run;
    cli_noise noise;
    int64_t components;
    int training;
    int quiet;
} arguments;

static const arguments defaults = {.output = "report.html",
                                   .report = SCREE_REPORT_OPTIONS_INIT,
                                   .read = SCREE_READ_OPTIONS_INIT,
                                   .run = SCREE_RUN_INIT,
                                   .noise = CLI_NOISE_INIT};

/* 28x28: rows, then columns of pixels. */
static const char *read_shape(void *where, const char *text, const cli_option *option)
{
    scree_report_options *report = where;
    char rows[24];
    const char *cross = strchr(text, 'x');
    if (!cross || (size_t)(cross - text) >= sizeof rows)
        return "rows and columns of pixels such as 28x28";
    memcpy(rows, text, (size_t)(cross - text));
    rows[cross - text] = '\0';
    if (cli_read_count(&report->image_rows, rows, option) || cli_read_count(&report->image_cols, cross + 1, option))
        return "rows and columns of pixels such as 28x28";
    return NULL;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the page here (default: report.html); - is standard output",
     .read = cli_read_text,
     .offset = offsetof(arguments, output)},
    {.name = "labels",
     .value = "FILE",
     .help = "take labels from this file, one for each row, as IDX images have them (default: the first text column "
             "of DATA that is no id and not different in every row)",
     .read = cli_read_text,
     .offset = offsetof(arguments, labels)},
    {.name = "rows",
     .value = "COUNT",
     .help = "show at most this many rows, a sample stratified by label (default: 60000)",
     .read = cli_read_count,
     .offset = offsetof(arguments, report.rows)},
    {.name = "max-size",
     .value = "SIZE",
     .help = "let the page have at most this size, such as 5MB; fewer rows are shown if need be (default: 12MB)",
     .read = cli_read_size,
     .offset = offsetof(arguments, report.max_size)},
    {.name = "image",
     .value = "RxC",
     .help = "rows are images of R times C pixels, such as 28x28 (known by itself when the model was fitted to IDX)",
     .read = read_shape,
     .offset = offsetof(arguments, report)},
    {.name = "title",
     .value = "TEXT",
     .help = "of the page (default: the name of DATA)",
     .read = cli_read_text,
     .offset = offsetof(arguments, report.title)},
    {.name = "alpha",
     .value = "P",
     .help = "call a row an outlier when its p-value is at most this (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, report.alpha)},
    {.name = "training",
     .help = "the rows are those that were fitted; their p-values follow other distributions",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "seed",
     .value = "NUMBER",
     .help = "of the sample of rows (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, report.seed)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_data_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree report iris.scree iris.csv --training",
    "writes report.html; open it in a browser, no network is needed",
    "scree report digits.scree digits.idx.gz --labels labels.idx.gz -o digits.html",
    "digits with their labels from a second file",
    "scree report big.scree big.npy --rows 20000 --max-size 5MB -o small.html",
    "a page of at most 5 MB with a sample of the rows",
    NULL,
};

static void print_summary(const arguments *args, const scree_report_summary *done)
{
    char size[32];
    if (args->quiet || strcmp(args->output, "-") == 0)
        return;
    fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " rows, %" PRId64 " component%s, %s\n", args->output, done->shown,
            done->rows, done->components, done->components == 1 ? "" : "s",
            cli_human_bytes(size, sizeof size, (double)done->bytes));
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_report_summary summary = SCREE_REPORT_SUMMARY_INIT;
    scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    cli_progress progress;
    args->read.threads = plain.threads = args->run.threads;
    args->report.run = &args->run;
    args->report.training = args->training != 0;
    args->report.label = args->read.label;
    args->report.id = args->read.id;
    CLI_TRY(cli_output_apart(call, args->output, args->labels, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    if (args->labels)
        CLI_TRY(scree_source_open(&args->report.labels, args->labels, &plain, &error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = cli_model_report(model, source, args->output, &summary, &args->report, &error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    print_summary(args, &summary);
    cli_gaps(source, args->quiet);
    cli_note(source, args->quiet);
done:
    scree_source_free(args->report.labels);
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_report = {
    .name = "report",
    .synopsis = "MODEL DATA... [-o FILE] [--labels FILE] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "write a page to explore a model and its rows in a browser",
    .description =
        "Writes one HTML file that needs nothing else, no network either. It shows the rows in the plane of any two "
        "components, coloured by label, column or log-likelihood, each with its image or its columns; decodes codes "
        "live as they are changed, with the posterior of a row and draws from it; and has the eigenvalues with J_M, "
        "the components, the outliers with what is to blame, and what is proven of the model. DATA is read twice. "
        "Where there are more rows than fit, a sample is shown, in which each label has its share. Of an auto-encoder "
        "it has what needs no distribution: the plane of codes, "
        "decoding, and errors.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
