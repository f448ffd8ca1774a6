/* SPDX-License-Identifier: BSD-3-Clause */
/* scree plot: draws a picture of a model, or of rows as the model sees them, to a file or in the terminal. */

#include "explored.h"
#include "picture_values.h"
#include "pictures.h"
#include "plot_kinds.h"
#include "terminal.h"
#include "work.h"

#include <string.h>

typedef struct arguments {
    cli_work work;
    scree_plot_options plot;
    const char *terminal;
    const char *labels;
    const char *others;
    cli_list show;
    cli_list at;
    cli_list highlight;
    cli_shares level;
    cli_length width;
    cli_length height;
    int training;
    int dark;
    int outlines;
    int no_title;
} arguments;

static const arguments defaults = {
    .work = CLI_WORK_INIT(NULL), .plot = SCREE_PLOT_OPTIONS_INIT, .highlight = {.count = SCREE_AUTO}};

static const char *const terminals[] = {"kitty", "sixel", "unicode", "ascii", NULL};
static const char *const layouts[] = {"column", "page", "slide", NULL};
static const char *const themes[] = {"light", "dark", "print", NULL};

static const char *const around[] = {"normal", "t", "confidence", "hull", "density", NULL};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "draw to FILE, .svg, .png or .pdf (default: in the terminal)",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.name = "kind",
     .value = "KIND",
     .help = "scree, variance, error, loadings, heatmap, samples or circle; with DATA embedding, biplot, pairs, "
             "reconstruction, outliers, monitor or rows; contributions or cos2, of the columns, with DATA of its rows "
             "(default: scree; embedding with DATA)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, plot.kind),
     .choices = cli_plot_kinds},
    {.name = "show",
     .value = "LIST",
     .help =
         "loadings, heatmap, pairs, embedding, biplot, circle, contributions, cos2: components to draw, such as 1,2 or "
         "1-6; embedding, biplot and circle draw two; contributions and cos2 are to all of them together "
         "(default: the first two; 4 in loadings and pairs, 12 if rows are images, 8 in heatmap)",
     .read = cli_read_list,
     .offset = offsetof(arguments, show)},
    {.name = "top",
     .value = "COUNT",
     .help = "biplot, circle: show the COUNT columns with the largest contributions, heatmap: with the largest cos²; "
             "contributions, cos2: the COUNT largest columns or rows; variance: COUNT components (default: automatic)",
     .read = cli_read_count,
     .offset = offsetof(arguments, plot.top)},
    {.name = "colour-by",
     .value = "WHAT",
     .help = "embedding, biplot: colour rows by their cos2 with the components that are drawn, their contribution to "
             "them, or a column of numbers; circle: columns by cos2 or contribution",
     .read = cli_read_text,
     .offset = offsetof(arguments, plot.colour_by)},
    {.name = "size-by",
     .value = "WHAT",
     .help = "embedding, biplot: let the areas of points stand for the same",
     .read = cli_read_text,
     .offset = offsetof(arguments, plot.size_by)},
    {.name = "supplementary",
     .value = "COLUMNS",
     .help = "biplot, circle, embedding: columns of DATA that the model was not fitted to, by name, such as "
             "price,country, or all: dashed arrows for those of numbers, the means of their groups for those of text",
     .read = cli_read_text,
     .offset = offsetof(arguments, plot.supplementary)},
    {.name = "supplementary-rows",
     .value = "FILE",
     .help = "embedding, biplot: draw the rows of FILE, too, as crosses, beside those of DATA",
     .read = cli_read_text,
     .offset = offsetof(arguments, others)},
    {.name = "around",
     .value = "WHAT",
     .help =
         "embedding, biplot: draw around the rows of each label, or around all if they have none, an ellipse of the "
         "normal or the t distribution, the confidence ellipse of their mean, their convex hull, or where their "
         "density is highest",
     .read = cli_read_choice,
     .offset = offsetof(arguments, plot.around),
     .choices = around},
    {.name = "level",
     .value = "SHARES",
     .help = "--around: what is inside, such as 0.95 or 0.5,0.95 (default: 0.95; of density 0.5,0.8,0.95)",
     .read = cli_read_shares,
     .offset = offsetof(arguments, level)},
    {.name = "at",
     .value = "LIST",
     .help = "reconstruction: numbers of components to reconstruct from, up to 8 that increase, such as 1,10,100,500 "
             "(default: automatic); error: those to mark on the curve",
     .read = cli_read_list,
     .offset = offsetof(arguments, at)},
    {.name = "highlight",
     .value = "ROWS",
     .help = "highlight up to 12 rows, such as 3,17, each with the ellipse that contains its code with a probability "
             "of 95 % given its observed cells; or none (default: some extreme rows if rows are images); "
             "reconstruction, rows: the rows to show",
     .read = cli_read_rows,
     .offset = offsetof(arguments, highlight)},
    {.group = cli_labels_options, .offset = offsetof(arguments, labels)},
    {.group = cli_image_options, .offset = offsetof(arguments, plot.image_rows)},
    {.name = "layout",
     .value = "NAME",
     .help = "column, 85 mm wide for print, with letters of 8 pt; page, 180 mm; slide, 1280 by 720 pixels "
             "(default: for a screen; for print where --width is in millimetres)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, plot.layout),
     .choices = layouts},
    {.name = "width",
     .value = "PX",
     .help = "width in pixels, 200 to 20000, or in millimetres for print, such as 85mm; in the terminal in characters "
             "(default: 800; 1200 for PNG)",
     .read = cli_read_length,
     .offset = offsetof(arguments, width)},
    {.name = "height",
     .value = "PX",
     .help = "height in pixels, 10 to 80000, or in millimetres (default: automatic)",
     .read = cli_read_length,
     .offset = offsetof(arguments, height)},
    {.name = "font-size",
     .value = "PT",
     .help = "size of letters in points, 4 to 96 (default: by layout and width)",
     .read = cli_read_positive,
     .offset = offsetof(arguments, plot.font_size)},
    {.name = "title",
     .value = "TEXT",
     .help = "title of the picture (default: what it shows)",
     .read = cli_read_text,
     .offset = offsetof(arguments, plot.title)},
    {.name = "no-title",
     .help = "leave out the title and the line under it, which is printed as a note instead",
     .offset = offsetof(arguments, no_title),
     .set = 1},
    {.name = "theme",
     .value = "NAME",
     .help = "light; dark, on a dark background; print, black on white without grid lines (default: light)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, plot.theme),
     .choices = themes},
    {.name = "dark", .help = "the same as --theme dark", .offset = offsetof(arguments, dark), .set = 1},
    {.name = "palette",
     .value = "COLOURS",
     .help = "colours of groups and lines: okabe-ito, tol-bright, tol-muted or viridis, or a list such as "
             "#0072b2,#e07b00; the first two also stand for what lies below and above zero (default: twelve that "
             "colour-blind readers can tell apart)",
     .read = cli_read_text,
     .offset = offsetof(arguments, plot.palette)},
    {.name = "outlines",
     .help = "SVG: draw letters as outlines, for programs without the fonts (default: text)",
     .offset = offsetof(arguments, outlines),
     .set = 1},
    {.name = "terminal",
     .value = "HOW",
     .help = "how to draw in the terminal: kitty, sixel, unicode or ascii (default: what the terminal supports)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, terminal),
     .choices = terminals},
    {.name = "draws",
     .letter = 'n',
     .value = "COUNT",
     .help = "samples: number of draws; rows: number of rows, evenly spaced (default: automatic)",
     .read = cli_read_count,
     .offset = offsetof(arguments, plot.draws)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "samples: seed for the draws (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, plot.seed)},
    {.name = "alpha",
     .value = "P",
     .help = "outliers, monitor: mark rows with a p-value of at most P (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, plot.alpha)},
    {.name = "training",
     .help = "outliers, monitor: the rows are those that were fitted",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "points",
     .value = "COUNT",
     .help = "embedding, biplot, pairs, outliers: draw at most COUNT rows, evenly spaced (default: 1000000)",
     .read = cli_read_count,
     .offset = offsetof(arguments, plot.points)},
    {.name = "components",
     .letter = 'k',
     .value = "COUNT",
     .help = "use the first COUNT components of the model (default: all); --show says which to draw, --at how many to "
             "reconstruct from",
     .read = cli_read_count,
     .offset = offsetof(arguments, work.components)},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree plot iris.scree",
    "draws the eigenvalues in the terminal",
    "scree plot iris.scree iris.csv -o iris.svg",
    "draws the rows in the plane of the first two components, coloured by species",
    "scree plot digits.scree digits.idx --labels labels.idx -o figure.png",
    "the same with some of the images: Figure 10.10 of the book",
    "scree plot digits.scree --kind loadings --show 1-8 --dark -o components.pdf",
    "draws eight components as images, on a dark background",
    "scree plot digits.scree digits.idx --kind reconstruction --at 1,10,100,500 -o rebuilt.png",
    "draws some images beside what 1, 10, 100 and 500 components keep of them",
    "scree plot digits.scree near.npy --kind rows -n 12 -o near.png",
    "draws twelve of the variations that scree explore wrote to near.npy",
    "scree plot plant.scree today.csv --kind monitor -o today.png",
    "a control chart: T² and Q row by row, with limits, outliers and the columns to blame",
    NULL,
};

/* What a picture without a title leaves unsaid. */
static void print_note(void *context, const char *text)
{
    const cli_work *work = context;
    if (work->quiet)
        return;
    cli_flush();
    cli_print(stderr, "not in the picture: %s\n", text);
}

static void describe(arguments *args)
{
    scree_plot_options *plot = &args->plot;
    plot->components = args->show.count > 0 ? args->show.items : NULL;
    plot->component_count = args->show.count;
    for (int64_t i = 0; i < args->at.count; i++)
        args->at.items[i]++; /* from 1 */
    plot->steps = args->at.count > 0 ? args->at.items : NULL;
    plot->step_count = args->at.count;
    plot->levels = args->level.count > 0 ? args->level.items : NULL;
    plot->level_count = args->level.count;
    plot->width = args->width.pixels;
    plot->height = args->height.pixels;
    const bool print = args->width.print || args->height.print;
    if (print && !plot->layout && args->work.write.output)
        plot->layout = "print";
    plot->scale = print ? CLI_PRINT_SCALE : 0.0;
    if (args->no_title)
        plot->title = "";
    plot->note = print_note;
    plot->note_context = &args->work;
    plot->dark = args->dark != 0;
    plot->outlines = args->outlines != 0;
    plot->highlight = args->highlight.items;
    plot->highlight_count = args->highlight.count;
    plot->training = args->training != 0;
    plot->label = args->work.read.label;
    plot->run = &args->work.run;
}

/* Without a file the picture goes to the terminal; text fills its width, and is no higher than it. */
static void describe_terminal(arguments *args)
{
    scree_plot_options *plot = &args->plot;
    plot->format = !args->terminal                          ? cli_terminal_format()
                   : strcmp(args->terminal, "unicode") == 0 ? cli_terminal_letters()
                                                            : args->terminal;
    plot->scale = 1.0;
    if (!cli_terminal_is_letters(plot->format))
        return;
    plot->most_height = cli_terminal_height();
    if (plot->width == 0.0)
        plot->width = cli_terminal_width();
}

static scree_status draw(arguments *args)
{
    cli_work *work = &args->work;
    const char *output = work->write.output;
    scree_plot_options *plot = &args->plot;
    scree_status status = SCREE_OK;
    describe(args);
    if (!output)
        describe_terminal(args);
    if (work->call->operand_count > 1) {
        CLI_TRY(cli_work_rows(work, 1));
        CLI_TRY(cli_explored_rows(work, 1));
    }
    if (args->labels)
        CLI_TRY(cli_work_labels(work, &plot->labels, args->labels));
    if (args->others)
        CLI_TRY(scree_source_open(&plot->supplementary_rows, args->others, &work->read, &work->error));
    CLI_TRY_LONG(work, cli_model_plot(work->model, work->source, output ? output : "-", plot, &work->error));
    if (work->source)
        cli_work_note(work);
done:
    scree_source_free(plot->labels);
    scree_source_free(plot->supplementary_rows);
    return status;
}

/* What is wrong with a length, or NULL; what the terminal can show is not known yet. */
static const char *check_size(const arguments *args)
{
    const char *how = args->terminal;
    const bool letters = !args->work.write.output && (!how || strcmp(how, "unicode") == 0 || strcmp(how, "ascii") == 0);
    const double width = args->width.pixels, height = args->height.pixels;
    if (width > 0.0 && !(width >= (letters ? 30.0 : 200.0) && width <= 20000.0))
        return letters ? "--width must be 30 to 20000 characters in the terminal"
                       : "--width must be 200 to 20000 pixels, or 53mm to 5291mm";
    if (height > 0.0 && !(height >= 10.0 && height <= 80000.0))
        return "--height must be 10 to 80000 pixels, or 2.7mm to 21166mm";
    return NULL;
}

/* Checks the options before any file is read: an exit code, or 0. */
static int check(const arguments *args, const cli_call *call)
{
    const char *output = args->work.write.output;
    const char *wrong = check_size(args);
    if (output && args->terminal)
        return cli_usage(call->command, NULL, "give -o FILE or --terminal, not both");
    if (output && !cli_picture_is(output))
        return cli_usage(call->command, NULL, "-o %s does not end with .svg, .png or .pdf", output);
    if (args->outlines && !(output && cli_picture_is_svg(output)))
        return cli_usage(call->command, NULL, "--outlines is for SVG; give -o FILE.svg");
    if (wrong)
        return cli_usage(call->command, NULL, "%s", wrong);
    if (!output && (args->plot.layout || args->plot.font_size > 0.0))
        return cli_usage(call->command, NULL, "%s is for files; give -o FILE as well",
                         args->plot.layout ? "--layout" : "--font-size");
    if (args->dark && args->plot.theme && strcmp(args->plot.theme, "dark") != 0)
        return cli_usage(call->command, NULL, "give --dark or --theme %s, not both", args->plot.theme);
    if (args->no_title && args->plot.title)
        return cli_usage(call->command, NULL, "give --title or --no-title, not both");
    if (args->labels && call->operand_count < 2)
        return cli_usage(call->command, NULL, "--labels needs rows; give DATA as well");
    if (args->labels && args->work.read.label)
        return cli_usage(call->command, NULL, "give --labels or --label, not both");
    if (cli_given(call, "at") && cli_given(call, "components"))
        return cli_usage(call->command, NULL, "give --at or -k, not both");
    /* Without rows, the kind of picture is the model's to choose. */
    const char *kind = args->plot.kind ? args->plot.kind : call->operand_count > 1 ? "embedding" : NULL;
    const int unused = kind ? cli_plot_kind_check(call, kind) : 0;
    if (unused)
        return unused;
    if (args->level.count > 0 && !args->plot.around)
        return cli_usage(call->command, NULL, "--level needs --around, which says what to draw");
    if (args->level.count > 0 && strcmp(args->plot.around, "hull") == 0)
        return cli_usage(call->command, NULL, "a hull holds all rows; leave --level out");
    return 0;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    work->read.held += work->run.memory > 0 ? CLI_PICTURE_MEMORY : 0;
    scree_status status = SCREE_OK;
    const int wrong = check(args, call);
    if (wrong)
        return wrong;
    if (call->operand_count < 2)
        CLI_TRY(cli_memory_check(work));
    CLI_TRY(cli_output_distinct(call, work->write.output, args->labels, &work->error));
    CLI_TRY(cli_output_distinct(call, work->write.output, args->others, &work->error));
    CLI_TRY(cli_work_model(work));
    if (!args->plot.kind && call->operand_count < 2) {
        args->plot.kind = scree_model_can(work->model, SCREE_CAN_ORDER) ? "scree" : "loadings";
        const int unused = cli_plot_kind_check(call, args->plot.kind);
        if (unused) {
            cli_work_finish(work, SCREE_OK);
            return unused;
        }
    }
    if (args->plot.kind && (strcmp(args->plot.kind, "outliers") == 0 || strcmp(args->plot.kind, "monitor") == 0))
        CLI_TRY(cli_density_check(work->model, call->operands[0], &work->error));
    CLI_TRY(draw(args));
done:
    return cli_work_finish(work, status);
}

const cli_command cli_plot = {
    .name = "plot",
    .synopsis = "MODEL [DATA...] [-o FILE] [--kind KIND] [OPTIONS]",
    .operands = "MODEL [DATA...]",
    .summary = "draw a model, or rows as it sees them",
    .description =
        "Draws a picture to an SVG, PNG or PDF file, or in the terminal. For a model: its eigenvalues, with the "
        "variance they explain and leave unexplained (scree), their shares of the variance as bars (variance), the "
        "error "
        "with M components (error), the components themselves (loadings), the correlations of columns with them "
        "(heatmap), or random rows (samples). For rows: their positions in the plane of two components "
        "(embedding), the same with the columns as arrows (biplot), pairs of several components (pairs), the "
        "reconstruction of some of them from M "
        "components (reconstruction), how extreme they are (outliers), that row by row, as a control chart that names "
        "the "
        "columns to blame (monitor), or the rows themselves, as images or lines "
        "(rows), also those that scree explore has written. An option that the picture does not use is refused. "
        "Colours and markers show labels: those of "
        "--labels or --label, or of the first text column that is not --id and not unique in every row; of more than "
        "36 labels, all but the most frequent become 'other'. Rows are named by --id, by a text column that is unique "
        "in every row, or by their number. A row with missing cells is placed by its observed cells, and its ellipse "
        "shows the remaining uncertainty; an empty row has the ellipse of the prior and a dashed ring. Many points are "
        "drawn as one image inside the file. A model whose components have no order has loadings (the slopes of its "
        "decoder), embedding and reconstruction. The same input gives the same bytes.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
