/* SPDX-License-Identifier: BSD-3-Clause */
/* scree loadings: what the components of a model mean, as numbers: of columns, from the model alone; of rows, and of
 * columns that were not fitted, with data. */

#include "loadings_text.h"
#include "work.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 5 }; /* components of a table, unless -k asks for some */

typedef struct arguments {
    cli_work work;
    const char *what;
    const char *supplementary;
    const char *variants;
    int training;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL)};

static const char *const choices[] = {"weights",       "loadings",    "structure", "correlations", "cos2",
                                      "contributions", "coordinates", "distance",  "all",          NULL};

static const cli_option options[] = {
    {.name = "what",
     .value = "WHAT",
     .help = "of columns: weights, loadings, structure, correlations, cos2, contributions or all (default: loadings); "
             "of rows: coordinates, cos2, contributions, distance or all (default: all)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, what),
     .choices = choices},
    {.name = "training",
     .help = "DATA is the data that the model was fitted to: rows have contributions, too",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "supplementary",
     .value = "COLUMNS",
     .help =
         "describe these columns of DATA, of numbers or text, by the components instead of the rows: names, such as "
         "price,country; or all, those that the model was not fitted to",
     .read = cli_read_text,
     .offset = offsetof(arguments, supplementary)},
    {.name = "variants",
     .value = "FILE",
     .help = "a .bed whose variants are the columns: write chromosome, id, position and alleles beside them, for -o "
             "and --format",
     .read = cli_read_text,
     .offset = offsetof(arguments, variants)},
    {.name = "json",
     .help = "print JSON with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_weight_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree loadings iris.scree",
    "prints the loadings of the columns",
    "scree loadings iris.scree --what contributions -o contributions.csv",
    "writes what each column contributes to each component, in percent",
    "scree loadings iris.scree iris.csv --training -o rows.csv",
    "writes coordinates, cos2, contributions and distance of every row",
    "scree loadings iris.scree iris.csv --supplementary species",
    "describes the groups of a column of text by the components",
    "scree loadings cohort.scree --variants cohort.bed -o loadings.csv",
    "writes the loadings of variants, with their chromosomes, positions and alleles",
    NULL,
};

/* A file, or standard output, is asked for instead of a table. */
static bool writes(const cli_work *work)
{
    return work->write.output || work->write.format;
}

static int64_t shown(const cli_work *work)
{
    return work->components > 0 ? work->components : SHOWN;
}

/* Says that the table has not all components. */
static void note_shown(const cli_work *work)
{
    const int64_t m = scree_model_get(work->model)->m;
    if (work->quiet || shown(work) >= m)
        return;
    cli_flush();
    cli_print(stderr, "the first %" PRId64 " of %" PRId64 " components; -k %" PRId64 " shows all, -o writes them\n",
              shown(work), m, m);
}

static scree_status write_sheet(cli_work *work, scree_source *sheet)
{
    if (!work->write.output)
        work->write.output = "-";
    return cli_work_copy(work, sheet, SCREE_F64);
}

/* What the .bed says of the columns of the model. */
static scree_status open_variants(cli_work *work, const char *path)
{
    scree_status status = SCREE_OK;
    CLI_TRY(cli_output_distinct(work->call, work->write.output, path, &work->error));
    CLI_TRY(scree_source_open(&work->source, path, &work->read, &work->error));
    if (!work->read.means || scree_source_fact_count(work->source) == 0 ||
        scree_source_cols(work->source) != scree_model_get(work->model)->d) {
        snprintf(work->error.text, sizeof work->error.text,
                 "%s: has no variants of the model: give the .bed that it was fitted to, or one like it", path);
        status = work->error.status = SCREE_ERR_ARGUMENT;
    }
done:
    return status;
}

static scree_status describe_columns(arguments *args)
{
    cli_work *work = &args->work;
    const cli_meaning *meaning = cli_meaning_find(args->what);
    const bool all = args->what && !meaning;
    const cli_meaning *one = meaning ? meaning : cli_meaning_find("loadings");
    scree_source *sheet = NULL;
    scree_status status = SCREE_OK;
    CLI_TRY(cli_work_model(work));
    if (!scree_model_can(work->model, SCREE_CAN_EXPLAIN)) /* says why */
        CLI_TRY(scree_model_meaning(work->model, SCREE_MEANING_LOADINGS, NULL, &work->error));
    if (args->json) {
        cJSON *object = cli_json_object();
        cli_meaning_names_json(object, work->model);
        for (const cli_meaning *each = cli_meanings; each->name; each++)
            if (!meaning || meaning == each)
                cli_meaning_json(object, work->model, each);
        cli_json_print(object, stdout);
    } else if (writes(work)) {
        if (args->variants)
            CLI_TRY(open_variants(work, args->variants));
        CLI_TRY(cli_meaning_source(&sheet, work->model, all ? NULL : one, work->source, &work->error));
        CLI_TRY(write_sheet(work, sheet));
        if (args->variants)
            cli_work_note(work);
    } else {
        for (const cli_meaning *each = cli_meanings; each->name; each++) {
            if (all && each != cli_meanings)
                fputc('\n', stdout);
            if (all || each == one)
                cli_meaning_print(stdout, work->model, each, shown(work));
        }
        note_shown(work);
    }
done:
    scree_source_free(sheet);
    return status;
}

static bool leaves_out(const arguments *args, const char *part)
{
    return args->what && strcmp(args->what, "all") != 0 && strcmp(args->what, part) != 0;
}

static scree_status describe_rows(arguments *args)
{
    cli_work *work = &args->work;
    scree_describe_options asked = SCREE_DESCRIBE_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    asked.no_coordinates = leaves_out(args, "coordinates");
    asked.no_cos2 = leaves_out(args, "cos2");
    asked.no_contributions = leaves_out(args, "contributions");
    asked.no_distance = leaves_out(args, "distance");
    asked.training = args->training != 0;
    asked.run = &work->run;
    if (!work->write.output)
        work->write.output = "-";
    if (args->json)
        work->write.format = "json";
    CLI_TRY(cli_work_open(work));
    CLI_TRY(cli_work_sink(work, SCREE_F64));
    CLI_TRY_LONG(work, scree_model_describe(work->model, work->source, work->sink, &asked, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
    cli_work_notes(work);
done:
    return status;
}

/* A column that is asked for may be there: with --label, other columns of text are not carried along. */
static void blame_label(cli_work *work)
{
    char *text = work->error.text;
    char *start = strstr(text, ": there is no column '");
    char *advice = start ? strstr(start, "'; ") : NULL;
    if (!work->read.label || !advice)
        return;
    snprintf(advice, sizeof work->error.text - (size_t)(advice - text),
             "' among the numbers, and --label leaves out other columns of text; leave --label out");
}

static scree_status describe_supplement(arguments *args)
{
    cli_work *work = &args->work;
    scree_supplement_options asked = SCREE_SUPPLEMENT_OPTIONS_INIT;
    scree_supplement *supplement = NULL;
    scree_source *sheet = NULL;
    scree_status status = SCREE_OK;
    work->every_column = true;
    asked.columns = strcmp(args->supplementary, "all") == 0 ? NULL : args->supplementary;
    asked.run = &work->run;
    CLI_TRY(cli_work_open(work));
    CLI_TRY_LONG(work, scree_supplement_make(&supplement, work->model, work->source, &asked, &work->error));
    if (!work->quiet)
        cli_supplement_note(stderr, supplement);
    if (args->json) {
        cJSON *object = cli_json_object();
        cli_supplement_json(object, work->model, supplement);
        cli_json_print(object, stdout);
    } else if (writes(work)) {
        CLI_TRY(cli_supplement_source(&sheet, work->model, supplement, &work->error));
        CLI_TRY(write_sheet(work, sheet));
    } else {
        cli_supplement_print(stdout, work->model, supplement, shown(work));
        note_shown(work);
    }
done:
    if (status == SCREE_ERR_ARGUMENT && !supplement && work->source)
        blame_label(work);
    scree_source_free(sheet);
    scree_supplement_free(supplement);
    return status;
}

/* What is asked, and whether it can be asked of that: NULL, or what is wrong. */
static const char *wrong_use(const arguments *args, bool has_data)
{
    const bool of_columns =
        cli_meaning_find(args->what) && strcmp(args->what, "cos2") != 0 && strcmp(args->what, "contributions") != 0;
    const bool of_rows = args->what && (strcmp(args->what, "coordinates") == 0 || strcmp(args->what, "distance") == 0);
    if (args->variants && has_data)
        return "--variants is of columns: leave out DATA";
    if (args->variants && !writes(&args->work))
        return "--variants is for columns that are written: give -o FILE or --format";
    if (args->supplementary && !has_data)
        return "--supplementary needs DATA, which has the columns";
    if (args->supplementary && (args->what || args->training))
        return "--supplementary describes columns by all that there is: leave out --what and --training";
    if (!has_data && args->training)
        return "--training needs DATA";
    if (!has_data && of_rows)
        return "--what coordinates and --what distance are of rows, and need DATA";
    if (has_data && of_columns)
        return "--what weights, loadings, structure and correlations are of columns: leave out DATA";
    if (has_data && args->what && strcmp(args->what, "contributions") == 0 && !args->training)
        return "rows contribute to components that were fitted to them: add --training if these were";
    if (args->json && args->work.write.output && (!has_data || args->supplementary))
        return "--json prints to standard output: leave out -o, or --json";
    if (args->json && args->work.write.format)
        return "--json and --format are two formats; give one of them";
    return NULL;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    const bool has_data = call->operand_count > 1;
    const char *wrong = wrong_use(args, has_data);
    if (wrong)
        return cli_usage(call->command, NULL, "%s", wrong);
    static const char *const of_rows[] = {"weights", "block-rows", "seed", NULL};
    const cli_option *unused = has_data ? NULL : cli_given_of(call, cli_read_options);
    unused = unused || has_data ? unused : cli_given_among(call, of_rows);
    if (unused)
        return cli_usage(call->command, unused, "--%s is about rows; give DATA as well", unused->name);
    static const char *const of_files[] = {"type", "spreadsheet", NULL};
    const bool shows = (!has_data || args->supplementary) && (args->json || !writes(&args->work));
    unused = shows ? cli_given_among(call, of_files) : NULL;
    if (unused)
        return cli_usage(call->command, unused, "--%s is for rows that are written: give -o FILE or --format%s",
                         unused->name, args->json ? ", and not --json" : "");
    cli_work *work = cli_work_start(call);
    return cli_work_finish(work, args->supplementary ? describe_supplement(args)
                                 : has_data          ? describe_rows(args)
                                                     : describe_columns(args));
}

const cli_command cli_loadings = {
    .name = "loadings",
    .synopsis = "MODEL [DATA...] [--what WHAT] [--supplementary COLUMNS] [OPTIONS]",
    .operands = "MODEL [DATA...]",
    .summary = "say what components mean: loadings, correlations, cos2, contributions",
    .description =
        "Without DATA, prints what the columns of the model and its components have to do with each other: weights u, "
        "the entries of eigenvectors; loadings u sqrt(eigenvalue); structure, the covariance of a column with a "
        "component of unit variance; correlations; cos2, their squares; or contributions to the variance of a "
        "component, in percent. With DATA, writes for each row its coordinates in the columns pc1, ...; cos2, the "
        "share of its squared distance from the mean that lies along a component; its contribution in percent, if "
        "these rows were fitted (--training); and the distance. With --supplementary, describes columns of DATA that "
        "the model was not fitted to: of numbers, correlations with the components and cos2; of text, for each group "
        "of rows with the same text the mean of their coordinates, its cos2 and v-test, and the share eta2 of the "
        "variance between groups. Prints tables, JSON with --json, or rows in any format with -o and --format.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
