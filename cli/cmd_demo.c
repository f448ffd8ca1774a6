/* SPDX-License-Identifier: BSD-3-Clause */
/* scree demo: a complete analysis of 1000 handwritten digits, which are embedded in the binary. It writes them to a
 * folder, fits a model, prints and plots the eigenvalues, projects, draws Figure 10.10 in the terminal and as a
 * picture, and compares the reconstruction error from the data (10.29) with that from the eigenvalues (10.44). Each
 * step is preceded by the command that does the same, ready to be pasted. Without libscree-view there are no pictures
 * and no page. */

#include "demo_files.h"
#include "demo_steps.h"
#include "human.h"
#include "model_text.h"
#include "pictures.h"
#include "terminal.h"
#include "work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { COMPONENTS = 50, SHOWN = 10, WIDTH = 80 };

static const cli_work defaults = CLI_WORK_INIT("scree-demo");

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FOLDER",
     .help = "write data, model, codes and pictures to this folder (default: scree-demo)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, write.output)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree demo",
    "demonstrates principal component analysis, from data to picture",
    "scree demo -o /tmp/digits",
    "the same, with the files in another folder",
    NULL,
};

/* What the steps share. */
typedef struct demo {
    const char *program;
    char *images; /* paths */
    char *labels;
    char *model_path;
    char *codes_path;
    char *rows_path;
    char *figure_path;
    char *report_path;
    cli_work *work;
} demo;

#define COMMAND(...) cli_demo_command((const char *const[]){__VA_ARGS__, NULL})

static scree_status fit(const demo *d, scree_error *error)
{
    cli_work *work = d->work;
    scree_status status = SCREE_OK;
    scree_fit_options how = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    char time[32];
    COMMAND(d->program, "fit", d->images, "-k", "50", "-o", d->model_path);
    how.components = COMPONENTS;
    how.run = &work->run;
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY_LONG(work, scree_model_fit(&work->model, source, &how, error));
    CLI_TRY(scree_model_save(work->model, d->model_path, error));
    const scree_model_view *model = scree_model_get(work->model);
    cli_print(stdout, "%" PRId64 " rows × %" PRId64 " columns, %" PRId64 " components, method %s, %d pass%s, %s\n",
              model->n, model->d, model->m, model->solver, model->passes, model->passes == 1 ? "" : "es",
              cli_human_time(time, sizeof time, work->progress.seconds));
done:
    scree_source_free(source);
    return status;
}

static void print_eigenvalues(const demo *d)
{
    const scree_model_view *model = scree_model_get(d->work->model);
    putchar('\n');
    cli_model_table(stdout, d->work->model, SHOWN, true);
    cli_print(stdout, "and %" PRId64 " more: scree info prints them\n", model->m - SHOWN);
}

/* A picture in the terminal, of the model, or of rows with labels where these are given; in letters, whatever else the
 * terminal could show. */
static scree_status draw(const demo *d, const char *images, const char *labels, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    scree_source *source = NULL;
    plot.format = cli_terminal_letters();
    plot.width = WIDTH;
    if (images) {
        CLI_TRY(scree_source_open(&source, images, NULL, error));
        CLI_TRY(scree_source_open(&plot.labels, labels, NULL, error));
    }
    cli_flush();
    CLI_TRY(cli_model_plot(d->work->model, source, "-", &plot, error));
done:
    scree_source_free(plot.labels);
    scree_source_free(source);
    return status;
}

static scree_status project(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    COMMAND(d->program, "project", d->model_path, d->images, "-o", d->codes_path);
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY(scree_sink_open(&sink, d->codes_path, NULL, error));
    CLI_TRY(scree_model_project(d->work->model, source, sink, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    cli_print(stdout, "a code of %d numbers for each digit, in %s\n", COMPONENTS, d->codes_path);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* Figure 10.10 in the terminal, and the same as a picture in a file. */
static scree_status picture(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    scree_source *source = NULL;
    COMMAND(d->program, "plot", d->model_path, d->images, "--labels", d->labels);
    cli_print(stdout, "The digits in the plane of the first two components (Figure 10.10 of the book):\n\n");
    CLI_TRY(draw(d, d->images, d->labels, error));
    COMMAND(d->program, "plot", d->model_path, d->images, "--labels", d->labels, "-o", d->figure_path);
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY(scree_source_open(&plot.labels, d->labels, NULL, error));
    CLI_TRY(cli_model_plot(d->work->model, source, d->figure_path, &plot, error));
    cli_print(stdout, "the same as a picture: %s\n", d->figure_path);
done:
    scree_source_free(plot.labels);
    scree_source_free(source);
    return status;
}

static scree_status reconstruct(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    double from_data = 0.0;
    COMMAND(d->program, "reconstruct", d->model_path, "--data", d->images, "-o", d->rows_path);
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY(scree_sink_open(&sink, d->rows_path, NULL, error));
    CLI_TRY(scree_model_round_trip(d->work->model, source, sink, &from_data, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    const double promised = scree_model_get(d->work->model)->reconstruction_error;
    cli_print(stdout,
              "mean squared error with %d components: %.10g from the data (10.29),\n"
              "%.10g from the eigenvalues (10.44); relative difference %.0e\n",
              COMPONENTS, from_data, promised, fabs(from_data - promised) / promised);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* The page, unless scree was built without it. */
static scree_status report(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_report_options how = SCREE_REPORT_OPTIONS_INIT;
    scree_report_summary done = SCREE_REPORT_SUMMARY_INIT;
    scree_source *source = NULL;
    how.training = true;
    COMMAND(d->program, "report", d->model_path, d->images, "--labels", d->labels, "--training", "-o", d->report_path);
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY(scree_source_open(&how.labels, d->labels, NULL, error));
    status = cli_model_report(d->work->model, source, d->report_path, &done, &how, error);
    if (status == SCREE_OK) {
        cli_print(stdout, "a page to explore all this in a browser, even offline\n");
    } else if (status == SCREE_ERR_UNSUPPORTED) {
        cli_print(stdout, "%s\n", error->text);
        *error = (scree_error)SCREE_ERROR_INIT;
        status = SCREE_OK;
    }
done:
    scree_source_free(how.labels);
    scree_source_free(source);
    return status;
}

static void begin(demo *d, cli_work *work, const char *folder)
{
    d->work = work;
    d->program = work->call->program;
    d->images = cli_demo_path(folder, "digits.idx.gz");
    d->labels = cli_demo_path(folder, "labels.idx.gz");
    d->model_path = cli_demo_path(folder, "digits.scree");
    d->codes_path = cli_demo_path(folder, "codes.csv");
    d->rows_path = cli_demo_path(folder, "rows.npy");
    d->figure_path = cli_demo_path(folder, "figure-10-10.png");
    d->report_path = cli_demo_path(folder, "report.html");
}

static void end(demo *d)
{
    free(d->images);
    free(d->labels);
    free(d->model_path);
    free(d->codes_path);
    free(d->rows_path);
    free(d->figure_path);
    free(d->report_path);
}

static scree_status show(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_error why = SCREE_ERROR_INIT;
    const bool pictures = cli_pictures_can_be_drawn(&why);
    CLI_TRY(cli_demo_unpack("images", d->images, error));
    CLI_TRY(cli_demo_unpack("labels", d->labels, error));
    cli_print(stdout,
              "%s now contains 1000 handwritten digits,\n"
              "500 zeros and 500 ones of 28 × 28 pixels, from the MNIST database\n"
              "(© Yann LeCun and Corinna Cortes, CC BY-SA 3.0). Each step below is preceded by\n"
              "the command that does it.\n",
              d->images);
    CLI_TRY(fit(d, error));
    print_eigenvalues(d);
    if (pictures) {
        COMMAND(d->program, "plot", d->model_path);
        CLI_TRY(draw(d, NULL, NULL, error));
    }
    CLI_TRY(project(d, error));
    if (pictures)
        CLI_TRY(picture(d, error));
    CLI_TRY(reconstruct(d, error));
    if (pictures)
        CLI_TRY(report(d, error));
    else
        cli_print(stdout, "\nThe pictures are left out: %s\n", why.text);
    cli_print(stdout, "\nNext: %s help, or your own data: %s fit DATA -o MODEL\n", d->program, d->program);
done:
    return status;
}

static int run(const cli_call *call)
{
    cli_work *work = cli_work_start(call);
    const char *folder = work->write.output;
    scree_status status = SCREE_OK;
    demo d = {0};
    scree_outputs_discard(); /* files appear as they are made: some steps read those of others */
    begin(&d, work, folder);
    CLI_TRY(cli_demo_folder(folder, &work->error));
    CLI_TRY(show(&d, &work->error));
done:
    end(&d);
    return cli_work_finish(work, status);
}

const cli_command cli_demo = {
    .name = "demo",
    .synopsis = "[-o FOLDER]",
    .operands = "",
    .summary = "demonstrate everything on 1000 handwritten digits",
    .description =
        "Needs no data: writes 1000 images of zeros and ones (MNIST) to a folder, fits 50 components, prints and plots "
        "the eigenvalues, draws the digits in the plane of the first two components, saves the model, codes, a "
        "picture, reconstructed rows and a page for the browser, and shows the command for each step.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
