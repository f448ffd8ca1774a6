/* SPDX-License-Identifier: BSD-3-Clause */
/* scree plot: a picture of a model, or of what it says about rows, to a file or to the terminal. */

#include "cli.h"
#include "progress.h"
#include "pictures.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LISTED = 64 };

typedef struct list {
    int64_t items[LISTED]; /* from 0 */
    int64_t count;         /* -1: chosen by the library */
} list;

/* Pixels, or what is printed at 300 dots an inch. */
typedef struct length {
    double pixels; /* of 1/96 inch; 0: as suits */
    bool print;
} length;

typedef struct arguments {
    const char *output;
    const char *kind;
    const char *terminal;
    const char *labels;
    list components;
    list highlight;
    length width;
    length height;
    int64_t image_rows;
    int64_t image_cols;
    int64_t draws;
    int64_t keep;
    int64_t points;
    uint64_t seed;
    double alpha;
    int training;
    int dark;
    int quiet;
    cli_noise noise;
    scree_read_options read;
    scree_run run;
} arguments;

static const arguments defaults = {.highlight = {.count = -1},
                                   .alpha = 0.01,
                                   .noise = CLI_NOISE_INIT,
                                   .read = SCREE_READ_OPTIONS_INIT,
                                   .run = SCREE_RUN_INIT};

static const char *const kinds[] = {"scree",  "error",          "loadings", "samples", "embedding",
                                    "biplot", "reconstruction", "outliers", NULL};
static const char *const terminals[] = {"kitty", "sixel", "unicode", NULL};

/* "1,2" or "3,7-9", numbers from 1; at most LISTED of them. */
static const char *read_list(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "numbers from 1 and ranges, such as 1,2 or 3,7-9, at most 64 in all";
    list *all = where;
    (void)option;
    all->count = 0;
    while (*text) {
        char *end = NULL;
        const long long first = strtoll(text, &end, 10);
        long long last = first;
        if (end == text || first < 1)
            return wanted;
        if (*end == '-') {
            text = end + 1;
            last = strtoll(text, &end, 10);
            if (end == text || last < first || last - first >= LISTED)
                return wanted;
        }
        for (long long i = first; i <= last; i++) {
            if (all->count == LISTED)
                return wanted;
            all->items[all->count++] = i - 1;
        }
        if (*end && (*end != ',' || !end[1]))
            return wanted;
        text = *end ? end + 1 : end;
    }
    return all->count > 0 ? NULL : wanted;
}

static const char *read_rows(void *where, const char *text, const cli_option *option)
{
    if (strcmp(text, "none") == 0) {
        ((list *)where)->count = 0;
        return NULL;
    }
    return read_list(where, text, option) ? "row numbers from 1 and ranges, such as 3,17 or 5-8, or none" : NULL;
}

static const char *read_length(void *where, const char *text, const cli_option *option)
{
    static const double pixels_a_mm = 96.0 / 25.4;
    length *l = where;
    char *end = NULL;
    const double value = strtod(text, &end);
    (void)option;
    l->print = strcmp(end, "mm") == 0;
    if (end == text || !(value > 0.0 && isfinite(value)) || (*end && !l->print && strcmp(end, "px") != 0))
        return "a length in pixels such as 800, or in millimetres such as 85mm";
    l->pixels = l->print ? value * pixels_a_mm : value;
    return NULL;
}

/* Stored as two numbers, rows first. */
static const char *read_shape(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    int64_t *shape = where;
    (void)option;
    shape[0] = strtoll(text, &end, 10);
    if (end == text || *end != 'x')
        return "rows and columns of pixels, such as 28x28";
    text = end + 1;
    shape[1] = strtoll(text, &end, 10);
    return end == text || *end || shape[0] < 1 || shape[1] < 1 ? "rows and columns of pixels, such as 28x28" : NULL;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "draw to this file, .svg, .png or .pdf (default: in the terminal)",
     .read = cli_read_text,
     .offset = offsetof(arguments, output)},
    {.name = "kind",
     .value = "KIND",
     .help =
         "scree, error, loadings or samples; with DATA also embedding, biplot, reconstruction or outliers (default: "
         "scree, with DATA embedding)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, kind),
     .choices = kinds},
    {.name = "components",
     .value = "LIST",
     .help = "the components to show, such as 1,2 or 1-6: two of them in embedding and biplot, 4 in loadings, 12 where "
             "rows are images (default: the first)",
     .read = read_list,
     .offset = offsetof(arguments, components)},
    {.name = "highlight",
     .value = "ROWS",
     .help = "show these rows by themselves, such as 3,17, each with the ellipse where its code lies with 95 % given "
             "the cells that are there; 12 at most (default: where rows are images, some that lie far out; none: none)",
     .read = read_rows,
     .offset = offsetof(arguments, highlight)},
    {.name = "labels",
     .value = "FILE",
     .help = "colour the rows by the first column of this file, a line for each row (default: by a text column of "
             "DATA: --label, or the first that is not --id and not another text in every row)",
     .read = cli_read_text,
     .offset = offsetof(arguments, labels)},
    {.name = "image",
     .value = "ROWSxCOLS",
     .help = "rows are images of this shape (default: as IDX files say)",
     .read = read_shape,
     .offset = offsetof(arguments, image_rows)},
    {.name = "width",
     .value = "PX",
     .help = "width in pixels, 200 to 20000, or in millimetres for print, such as 85mm; in the terminal in letters "
             "(default: 800; PNG 1200)",
     .read = read_length,
     .offset = offsetof(arguments, width)},
    {.name = "height",
     .value = "PX",
     .help = "height in pixels, 10 to 80000, or in millimetres (default: as suits the kind)",
     .read = read_length,
     .offset = offsetof(arguments, height)},
    {.name = "dark", .help = "draw on dark paper", .offset = offsetof(arguments, dark), .set = 1},
    {.name = "terminal",
     .value = "HOW",
     .help = "draw in the terminal with kitty, sixel or unicode (default: what it can show)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, terminal),
     .choices = terminals},
    {.name = "draws",
     .letter = 'n',
     .value = "COUNT",
     .help = "samples: how many draws (default: as many as look good)",
     .read = cli_read_count,
     .offset = offsetof(arguments, draws)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "samples: the same seed gives the same draws (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, seed)},
    {.name = "alpha",
     .value = "P",
     .help = "outliers: mark rows whose p-value is at most this (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, alpha)},
    {.name = "training",
     .help = "outliers: the rows are those that were fitted",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "points",
     .value = "COUNT",
     .help = "draw at most so many rows, evenly spaced (default: 1000000)",
     .read = cli_read_count,
     .offset = offsetof(arguments, points)},
    {.name = "keep",
     .letter = 'k',
     .value = "COUNT",
     .help = "use the first COUNT components of the model (default: all)",
     .read = cli_read_count,
     .offset = offsetof(arguments, keep)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_data_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree plot iris.scree",
    "draws the eigenvalues in the terminal",
    "scree plot iris.scree iris.csv -o iris.svg",
    "draws the rows in the plane of the first two components, coloured by species",
    "scree plot digits.scree digits.idx --labels labels.idx -o figure.png",
    "the same with some of the images beside it: Figure 10.10 of the book",
    "scree plot digits.scree --kind loadings --components 1-8 --dark -o components.pdf",
    "draws eight components as images, on dark paper",
    NULL,
};

static void describe(arguments *args, scree_plot_options *plot)
{
    const double dots = 300.0 / 96.0; /* of a PNG that will be printed */
    plot->kind = args->kind;
    plot->components = args->components.count > 0 ? args->components.items : NULL;
    plot->component_count = args->components.count;
    plot->width = args->width.pixels;
    plot->height = args->height.pixels;
    plot->scale = args->width.print || args->height.print ? dots : 1.0;
    plot->dark = args->dark != 0;
    plot->highlight = args->highlight.items;
    plot->highlight_count = args->highlight.count;
    plot->image_rows = args->image_rows;
    plot->image_cols = args->image_cols;
    plot->draws = args->draws;
    plot->points = args->points;
    plot->alpha = args->alpha;
    plot->training = args->training != 0;
    plot->seed = args->seed;
    plot->label = args->read.label;
    plot->run = &args->run;
}

/* Without a file the picture goes to the terminal; letters take its width. */
static void describe_terminal(const arguments *args, scree_plot_options *plot)
{
    plot->format = !args->terminal                          ? cli_terminal_format()
                   : strcmp(args->terminal, "unicode") == 0 ? cli_terminal_letters()
                                                            : args->terminal;
    const bool letters = strcmp(plot->format, "ansi") == 0 || strcmp(plot->format, "text") == 0;
    plot->scale = 1.0;
    if (letters && plot->width == 0.0)
        plot->width = cli_terminal_width();
}

static bool is_density_needed(const arguments *args)
{
    return args->kind && strcmp(args->kind, "outliers") == 0;
}

static scree_status work(arguments *args, const cli_call *call, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    scree_source *rows = NULL;
    cli_progress progress;
    describe(args, &plot);
    if (!args->output)
        describe_terminal(args, &plot);
    if (call->operand_count > 1)
        CLI_TRY(cli_data_open(&rows, call, 1, &args->read, error));
    if (args->labels)
        CLI_TRY(scree_source_open(&plot.labels, args->labels, NULL, error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = cli_model_plot(model, rows, args->output ? args->output : "-", &plot, error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    if (rows)
        cli_note(rows, args->quiet);
done:
    scree_source_free(plot.labels);
    scree_source_free(rows);
    return status;
}

static bool is_one_of(const char *text, const char *const *all)
{
    for (; *all; all++)
        if (strcasecmp(text, *all) == 0)
            return true;
    return false;
}

/* NULL, or what is wrong with a length: letters are fewer than pixels, and what a terminal shows is known later. */
static const char *check_size(const arguments *args)
{
    const bool letters = !args->output && (!args->terminal || strcmp(args->terminal, "unicode") == 0);
    const double width = args->width.pixels, height = args->height.pixels;
    if (width > 0.0 && !(width >= (letters ? 30.0 : 200.0) && width <= 20000.0))
        return letters ? "--width may be 30 to 20000 letters in the terminal"
                       : "--width may be 200 to 20000 pixels, or 53mm to 5291mm";
    if (height > 0.0 && !(height >= 10.0 && height <= 80000.0))
        return "--height may be 10 to 80000 pixels, or 2.7mm to 21166mm";
    return NULL;
}

/* What can be told before any file is read. */
static int check(const arguments *args, const cli_call *call)
{
    static const char *const of_rows[] = {"embedding", "biplot", "reconstruction", "outliers", NULL};
    const char *wrong = check_size(args);
    if (args->output && args->terminal)
        return cli_usage(call->command, NULL, "give -o FILE or --terminal, not both");
    if (args->output && !cli_picture_is(args->output))
        return cli_usage(call->command, NULL, "-o %s is not the name of a picture; let it end with .svg, .png or .pdf",
                         args->output);
    if (args->labels && call->operand_count < 2)
        return cli_usage(call->command, NULL, "--labels are of rows; give DATA as well");
    if (args->kind && is_one_of(args->kind, of_rows) && call->operand_count < 2)
        return cli_usage(call->command, NULL, "--kind %s shows rows; give DATA as well", args->kind);
    return wrong ? cli_usage(call->command, NULL, "%s", wrong) : 0;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    const int wrong = check(args, call);
    if (wrong)
        return wrong;
    args->read.threads = args->run.threads;
    if (args->output)
        CLI_TRY(cli_output_apart(call, args->output, args->labels, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->keep, &args->noise, &error));
    if (is_density_needed(args))
        CLI_TRY(cli_density_check(model, call->operands[0], "plot --kind outliers", &error));
    CLI_TRY(work(args, call, model, &error));
done:
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_plot = {
    .name = "plot",
    .synopsis = "MODEL [DATA...] [-o FILE] [--kind KIND] [OPTIONS]",
    .operands = "MODEL [DATA...]",
    .summary = "draw a model, or rows as it sees them",
    .description =
        "Draws a picture to an SVG, PNG or PDF file, or in the terminal. Of a model alone: its eigenvalues with what "
        "they keep and what they lose (scree), the error of M components (error), the components themselves "
        "(loadings), rows that it makes up (samples). Of rows: their place in the plane of two components (embedding), "
        "the same with the columns as arrows (biplot), what M components leave of some of them (reconstruction), how "
        "far out they lie (outliers). Rows are coloured and shaped by their label: that of --labels or --label, or the "
        "first column of text that is not the --id and not another text in every row; of more than 12 labels the "
        "commonest, and the rest are 'other'. They are called by their --id, or by a column of text that is another in "
        "every row, or by their number. A row with gaps lies where the cells that are there put it, and its ellipse is "
        "as large as they leave it; an empty row has that of the model alone, and a dashed ring. Many points become "
        "one image inside the file. Of an auto-encoder there are loadings, which are the slopes of its decoder, "
        "embedding "
        "and reconstruction. The same input gives the same bytes.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
