/* SPDX-License-Identifier: BSD-3-Clause */
/* scree report: a model and its data as a single page that opens offline in any browser. */

#include "human.h"
#include "pictures.h"
#include "work.h"

#include <inttypes.h>

typedef struct arguments {
    cli_work work;
    const char *labels;
    scree_report_options report;
    int training;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("report.html"), .report = SCREE_REPORT_OPTIONS_INIT};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the page to FILE (default: report.html); - is standard output",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.group = cli_labels_options, .offset = offsetof(arguments, labels)},
    {.name = "points",
     .value = "COUNT",
     .help = "show at most COUNT rows, a sample stratified by label (default: 60000)",
     .read = cli_read_count,
     .offset = offsetof(arguments, report.rows)},
    {.name = "max-size",
     .value = "SIZE",
     .help = "limit the size of the page, such as 5MB, by showing fewer rows if necessary (default: 12MB)",
     .read = cli_read_size,
     .offset = offsetof(arguments, report.max_size)},
    {.group = cli_image_options, .offset = offsetof(arguments, report.image_rows)},
    {.name = "training",
     .help = "the rows are those that were fitted; their p-values follow different distributions",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.group = cli_page_options, .offset = offsetof(arguments, report)},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree report iris.scree iris.csv --training",
    "writes report.html; open it in a browser, even offline",
    "scree report digits.scree digits.idx.gz --labels labels.idx.gz -o digits.html",
    "shows digits, with labels from a second file",
    "scree report big.scree big.npy --points 20000 --max-size 5MB -o small.html",
    "writes a page of at most 5 MB with a sample of the rows",
    NULL,
};

static void print_summary(const cli_work *work, const scree_report_summary *done)
{
    char size[32];
    if (work->quiet || cli_work_is_piped(work))
        return;
    cli_print(stderr, "%s: %" PRId64 " of %" PRId64 " rows, %" PRId64 " component%s, %s\n", work->write.output,
              done->shown, done->rows, done->components, done->components == 1 ? "" : "s",
              cli_human_bytes(size, sizeof size, (double)done->bytes));
    if (done->differs)
        fputs(
            "the p-values are not spread evenly: these rows are not Gaussian, or not like the fitted ones; scree score "
            "--calibrate gives p-values that hold for any distribution\n",
            stderr);
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    work->read.held += work->run.memory > 0 ? CLI_PICTURE_MEMORY : 0;
    scree_status status = SCREE_OK;
    scree_report_summary summary = SCREE_REPORT_SUMMARY_INIT;
    if (args->labels && work->read.label)
        return cli_usage(call->command, NULL, "give --labels or --label, not both");
    args->report.run = &work->run;
    args->report.training = args->training != 0;
    args->report.label = work->read.label;
    args->report.id = work->read.id;
    CLI_TRY(cli_output_distinct(call, work->write.output, args->labels, &work->error));
    CLI_TRY(cli_work_open(work));
    if (args->labels)
        CLI_TRY(cli_work_labels(work, &args->report.labels, args->labels));
    CLI_TRY_LONG(
        work, cli_model_report(work->model, work->source, work->write.output, &summary, &args->report, &work->error));
    print_summary(work, &summary);
    cli_work_notes(work);
done:
    scree_source_free(args->report.labels);
    return cli_work_finish(work, status);
}

const cli_command cli_report = {
    .name = "report",
    .synopsis = "MODEL DATA... [-o FILE] [--labels FILE] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "write a page to explore a model and its rows in a browser",
    .description =
        "Writes a self-contained HTML file that works offline. It shows the rows in the plane of any two components, "
        "coloured by label, column or log-likelihood, each with its image or its columns; decodes codes live as they "
        "are changed, with the posterior of a row and draws from it; and shows the eigenvalues with J_M, the "
        "components, the outliers with the columns to blame, and what is proven about the model. DATA is read twice. "
        "If there are too many rows, a sample is shown that preserves the shares of the labels. For a model that is "
        "not a probability distribution it shows the plane of codes, decoding, and errors.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
