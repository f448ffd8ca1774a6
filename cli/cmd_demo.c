/* SPDX-License-Identifier: BSD-3-Clause */
/* scree demo: the whole way through on 1000 handwritten digits that travel inside the binary. It writes them to a
 * folder as a file, then fits, prints eigenvalues and their plot, projects, draws Figure 10.10, in the terminal and as
 * a picture, and checks the reconstruction error from the data (10.29) against the eigenvalues (10.44). Above each step
 * stands the command that does the same, ready to be pasted. */

#include "cli.h"
#include "demo_files.h"
#include "draw.h"
#include "human.h"
#include "model_text.h"
#include "progress.h"
#include "pictures.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 50, SHOWN = 10, MARKED = 4, WIDTH = 80, BACKSLASH = 2 };

typedef struct arguments {
    const char *folder;
} arguments;

static const arguments defaults = {"scree-demo"};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FOLDER",
     .help = "write data, model, codes and picture to this folder (default: scree-demo)",
     .read = cli_read_text,
     .offset = offsetof(arguments, folder)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree demo",
    "shows principal component analysis at work, from data to picture",
    "scree demo -o /tmp/digits",
    "the same, with its files elsewhere",
    NULL,
};

/* What the steps hand on. */
typedef struct demo {
    const char *program;
    char *images; /* paths */
    char *labels;
    char *model_path;
    char *codes_path;
    char *rows_path;
    char *figure_path;
    char *report_path;
    scree_model *model;
} demo;

/* A word of a command line, quoted where a shell would take it apart; the caller's to free. */
static char *quoted(const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@%=";
    static const char quote[] = "'\\''";
    const bool plain = *word && word[strspn(word, harmless)] == '\0';
    char *text = cli_alloc(sizeof quote * strlen(word) + 3, 1); /* zeroed: the end is there already */
    char *end = text;
    if (!plain)
        *end++ = '\'';
    for (; *word; word++) {
        const bool is_quote = *word == '\'';
        const size_t size = is_quote ? sizeof quote - 1 : 1;
        memcpy(end, is_quote ? quote : word, size);
        end += size;
    }
    if (!plain)
        *end = '\'';
    return text;
}

/* The command line of a step, broken where the shell allows it; ends at NULL. */
static void print_command(const char *const *words)
{
    int column = 1;
    printf("\n%s$", cli_bold(stdout, true));
    for (int i = 0; words[i]; i++) {
        char *word = quoted(words[i]);
        const int width = 1 + cli_width(word);
        const bool is_option = words[i][0] == '-' && words[i + 1]; /* its value stays beside it */
        const int needed = width + (is_option ? 1 + cli_width(words[i + 1]) : 0);
        if (column + needed + BACKSLASH > WIDTH) {
            printf(" \\\n   ");
            column = 3;
        }
        printf(" %s", word);
        column += width;
        free(word);
    }
    printf("%s\n", cli_bold(stdout, false));
    fflush(stdout);
}

#define COMMAND(...) print_command((const char *const[]){__VA_ARGS__, NULL})

static scree_status fit(demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options fit_options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_source *source = NULL;
    cli_progress progress;
    char time[32];
    COMMAND(d->program, "fit", d->images, "-k", "50", "-o", d->model_path);
    fit_options.components = COMPONENTS;
    fit_options.run = &run;
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    cli_progress_begin(&progress, &run, false);
    status = scree_model_fit(&d->model, source, &fit_options, error);
    const double seconds = cli_seconds() - progress.began;
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_model_save(d->model, d->model_path, error));
    const scree_model_view *model = scree_model_get(d->model);
    printf("%" PRId64 " rows × %" PRId64 " columns, %" PRId64 " components, method %s, %d pass%s, %s\n", model->n,
           model->d, model->m, model->solver, model->passes, model->passes == 1 ? "" : "es",
           cli_human_time(time, sizeof time, seconds));
done:
    scree_source_free(source);
    return status;
}

static void print_eigenvalues(const demo *d)
{
    const scree_model_view *model = scree_model_get(d->model);
    COMMAND(d->program, "info", d->model_path);
    cli_model_table(stdout, model, SHOWN, false);
    printf("and %" PRId64 " more; J_M is the mean squared error that M components leave (10.44)\n\n", model->m - SHOWN);
    cli_draw_scree(stdout, model->eigenvalues, model->m);
}

/* All rows of a file in memory, as doubles; the caller's to free. */
static scree_status load(double **out, int64_t *rows, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    double *data = NULL;
    CLI_TRY(scree_source_open(&source, path, NULL, error));
    *rows = scree_source_rows(source);
    data = cli_alloc((size_t)(*rows * scree_source_cols(source)), sizeof *data);
    CLI_TRY(scree_sink_to_memory(&sink, data, *rows, scree_source_cols(source), error));
    CLI_TRY(scree_source_copy(source, sink, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    *out = data;
    data = NULL;
done:
    free(data);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* Of each digit the one that lies lowest along the second component, and the one that lies highest. */
static void choose(const cli_plane *plane, int64_t marked[MARKED])
{
    double best[MARKED] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int64_t i = 0; i < plane->count; i++)
        for (int high = 0; high < 2; high++) {
            const int mark = 2 * (plane->labels[i] > 0.5) + high;
            const double value = plane->codes[i * plane->stride + 1] * (high ? -1.0 : 1.0);
            if (value < best[mark]) {
                best[mark] = value;
                marked[mark] = i;
            }
        }
}

static scree_status draw(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *model = scree_model_get(d->model);
    double *pixels = NULL;
    double *labels = NULL;
    double *codes = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    int64_t rows = 0, count = 0, marked[MARKED] = {0};
    CLI_TRY(load(&pixels, &rows, d->images, error));
    CLI_TRY(load(&labels, &count, d->labels, error));
    codes = cli_alloc((size_t)(rows * model->m), sizeof *codes);
    block.data = pixels;
    block.rows = rows;
    block.cols = model->d;
    CLI_TRY(scree_model_project_rows(d->model, &block, codes, NULL, error));
    cli_plane plane = {.codes = codes,
                       .count = count < rows ? count : rows,
                       .stride = model->m,
                       .labels = labels,
                       .marked = marked,
                       .pixels = pixels,
                       .image_rows = model->image_rows,
                       .image_cols = model->image_cols};
    choose(&plane, marked);
    printf("The digits in the plane of the first two components (Figure 10.10 of the book):\n\n");
    cli_draw_plane(stdout, &plane);
done:
    free(codes);
    free(labels);
    free(pixels);
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
    CLI_TRY(scree_model_project(d->model, source, sink, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    CLI_TRY(draw(d, error));
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* The same as a picture in a file. */
static scree_status picture(const demo *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    scree_source *source = NULL;
    COMMAND(d->program, "plot", d->model_path, d->images, "--labels", d->labels, "-o", d->figure_path);
    CLI_TRY(scree_source_open(&source, d->images, NULL, error));
    CLI_TRY(scree_source_open(&plot.labels, d->labels, NULL, error));
    CLI_TRY(cli_model_plot(d->model, source, d->figure_path, &plot, error));
    printf("the same as a picture, in %s\n", d->figure_path);
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
    CLI_TRY(scree_model_round_trip(d->model, source, sink, &from_data, NULL, error));
    CLI_TRY(scree_sink_finish(sink, error));
    const double promised = scree_model_get(d->model)->reconstruction_error;
    printf("mean squared error of %d components: %.10g from the data (10.29),\n"
           "%.10g from the eigenvalues (10.44); they differ by %.0e of it\n",
           COMPONENTS, from_data, promised, fabs(from_data - promised) / promised);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* The page; scree may have been built without what it needs. */
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
    status = cli_model_report(d->model, source, d->report_path, &done, &how, error);
    if (status == SCREE_OK) {
        printf("a page to explore all this in a browser; it needs no network\n");
    } else if (status == SCREE_ERR_UNSUPPORTED) {
        printf("%s\n", error->text);
        *error = (scree_error)SCREE_ERROR_INIT;
        status = SCREE_OK;
    }
done:
    scree_source_free(how.labels);
    scree_source_free(source);
    return status;
}

static void begin(demo *d, const cli_call *call, const char *folder)
{
    d->program = call->program;
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
    scree_model_free(d->model);
    free(d->images);
    free(d->labels);
    free(d->model_path);
    free(d->codes_path);
    free(d->rows_path);
    free(d->figure_path);
    free(d->report_path);
}

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    demo d = {0};
    begin(&d, call, args->folder);
    CLI_TRY(cli_demo_folder(args->folder, &error));
    CLI_TRY(cli_demo_unpack("images", d.images, &error));
    CLI_TRY(cli_demo_unpack("labels", d.labels, &error));
    printf("%s now holds 1000 handwritten digits,\n"
           "500 zeros and 500 ones of 28 × 28 pixels, from the MNIST database\n"
           "(© Yann LeCun and Corinna Cortes, CC BY-SA 3.0). Above each step below stands\n"
           "the command that does it.\n",
           d.images);
    CLI_TRY(fit(&d, &error));
    print_eigenvalues(&d);
    CLI_TRY(project(&d, &error));
    CLI_TRY(picture(&d, &error));
    CLI_TRY(reconstruct(&d, &error));
    CLI_TRY(report(&d, &error));
    printf("\nNext: %s help, and your own data: %s fit DATA -o MODEL\n", d.program, d.program);
done:
    end(&d);
    return cli_finish(status, &error);
}

const cli_command cli_demo = {
    .name = "demo",
    .synopsis = "[-o FOLDER]",
    .operands = "",
    .summary = "see it all at work on 1000 handwritten digits",
    .description =
        "Needs no data: writes 1000 images of zeros and ones (MNIST) to a folder, fits 50 components, prints "
        "the eigenvalues with J_M and their plot, draws the digits in the plane of the first two "
        "components, saves model, codes, picture, reconstructed rows and a page for the browser, and says which "
        "command does each step.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
