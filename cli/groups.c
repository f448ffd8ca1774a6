/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that several commands share: one name, one meaning and one help text each. Values are stored directly in
 * the library's option structs, inside the cli_work at the start of a command's arguments or where the command says. */

#include "element_types.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

static const char *const gap_methods[] = {"ml", "vb", NULL};
static const char *const absent_words[] = {"zero", "missing", NULL};
static const char *const fault_words[] = {"stop", "skip", "nan", NULL};

/* A count has no decimal point, a share has one (or a per cent sign); or all, or auto. */
const char *cli_read_components(void *where, const char *text, const cli_option *option)
{
    scree_fit_options *fit = where;
    char *end = NULL;
    if (strcmp(text, "all") == 0 || strcmp(text, "auto") == 0) {
        fit->components = strcmp(text, "all") == 0 ? SCREE_ALL : SCREE_AUTO;
        fit->share = 0.0;
        return NULL;
    }
    if (!strpbrk(text, ".eE%") && !cli_read_count(&fit->components, text, option)) {
        fit->share = 0.0;
        return NULL;
    }
    double share = strtod(text, &end);
    if (end != text && strcmp(end, "%") == 0) {
        share /= 100.0;
        end++;
    }
    if (end != text && !*end && share == 1.0)
        return "less than all of the variance; for all components use -k all";
    if (end == text || *end || !(share > 0.0 && share < 1.0))
        return "a count such as 2, a share of the variance such as 0.95, all, or auto";
    fit->components = 0;
    fit->share = share;
    return NULL;
}

/* One of the formats, or f4 or f8 with a number of columns. */
static const char *read_format(void *where, const char *text, const cli_option *option)
{
    const bool raw = strncmp(text, "f4:", 3) == 0 || strncmp(text, "f8:", 3) == 0;
    int64_t columns = 0;
    if (!raw || cli_read_count(&columns, text + 3, option))
        return cli_read_choice(where, text, option);
    *(const char **)where = text;
    return NULL;
}

/* A format that all commands write, or h5ad, for codes. */
static const char *read_written(void *where, const char *text, const cli_option *option)
{
    if (strcmp(text, "h5ad") != 0)
        return cli_read_choice(where, text, option);
    *(const char **)where = text;
    return NULL;
}

static const char *read_on_error(void *where, const char *text, const cli_option *option)
{
    const char *word = NULL;
    const char *wanted = cli_read_choice(&word, text, option);
    if (!wanted)
        *(scree_on_error *)where = word == fault_words[0]   ? SCREE_STOP
                                   : word == fault_words[1] ? SCREE_SKIP
                                                            : SCREE_NAN;
    return wanted;
}

static const char *read_absent(void *where, const char *text, const cli_option *option)
{
    const char *word = NULL;
    const char *wanted = cli_read_choice(&word, text, option);
    if (!wanted)
        *(scree_absent_cells *)where = word == absent_words[0] ? SCREE_CELLS_ZERO : SCREE_CELLS_MISSING;
    return wanted;
}

/* A:B, A: or :B, or one number, into first_row and last_row of reading. */
static const char *read_rows(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "a range of rows such as 1:100, 5000: or 7";
    scree_read_options *read = where;
    char *end = NULL;
    (void)option;
    if (text[strspn(text, "0123456789:")] != 0 || !strpbrk(text, "0123456789"))
        return wanted;
    const int64_t first = *text == ':' ? 1 : strtoll(text, &end, 10);
    const char *rest = *text == ':' ? text : end;
    const int64_t last = *rest == 0 ? first : rest[1] == 0 ? 0 : strtoll(rest + 1, &end, 10);
    if (first < 1 || (*rest == ':' && rest[1] != 0 && (*end != 0 || last < first)))
        return wanted;
    read->first_row = first;
    read->last_row = last;
    return NULL;
}

static const char *read_ddof(void *where, const char *text, const cli_option *option)
{
    int ddof = 0;
    if (cli_read_int(&ddof, text, option) || ddof > 1)
        return "0 or 1";
    *(int *)where = ddof;
    return NULL;
}

static const char *read_folds(void *where, const char *text, const cli_option *option)
{
    int folds = 0;
    if (cli_read_int(&folds, text, option) || folds < 2 || folds > 20)
        return "a whole number from 2 to 20";
    *(int *)where = folds;
    return NULL;
}

const cli_option cli_read_options[] = {
    {.name = "input-format",
     .value = "FORMAT",
     .help = "read DATA as {readers} (default: detected from content and extension); mtx is Matrix Market; triplets "
             "are lines of row, column, value; f4:768 is rows of 768 little-endian "
             "floats without a header, and f8:768 of doubles",
     .read = read_format,
     .offset = offsetof(cli_work, read.format),
     .names = cli_reader_name,
     .also = "f4:D or f8:D for rows of D numbers"},
    {.name = "dataset",
     .value = "PART",
     .help =
         "which part of DATA to read, of a file that holds several; FILE:PART says the same, where no file has that "
         "name (default: the only one)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.dataset)},
    {.name = "columns-from",
     .value = "COLUMN",
     .help = "of an AnnData file, use only the columns for which this column of var is true or not 0, such as "
             "highly_variable",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.columns_from)},
    {.name = "absent",
     .value = "WHAT",
     .help =
         "cells that a Matrix Market file or triplets do not list are zero or missing (default: zero in Matrix Market "
         "files, missing in triplets)",
     .read = read_absent,
     .offset = offsetof(cli_work, read.absent),
     .choices = absent_words},
    {.name = "query",
     .value = "SELECT",
     .help =
         "the rows of DATA, a database, are those of this SELECT (default: those of the table that --dataset names, "
         "or of the only one)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.query)},
    {.name = "columns",
     .value = "LIST",
     .help = "use only these columns: names, numbers from 1, and ranges, such as a,c,5-9; names with commas stand in "
             "double quotes",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.columns)},
    {.name = "exclude",
     .value = "LIST",
     .help = "leave these columns out, given as for --columns",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.exclude)},
    {.name = "rows",
     .value = "A:B",
     .help = "use only rows A to B, counted from 1 over all files; A: means from A on, :B up to B, and A only row A",
     .read = read_rows,
     .offset = offsetof(cli_work, read)},
    {.name = "sample",
     .value = "COUNT",
     .help = "use COUNT rows, drawn at random without replacement, in their order; which ones depends on --seed and on "
             "how many rows there are, and on nothing else",
     .read = cli_read_count,
     .offset = offsetof(cli_work, read.sample)},
    {.name = "label",
     .value = "COLUMN",
     .help = "use this column as the label, by name or number (default: text columns are labels)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.label)},
    {.name = "id",
     .value = "COLUMN",
     .help = "use this column as the row id, by name or number",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.id)},
    {.name = "header",
     .help = "the first line of a CSV file names the columns (default: detected)",
     .offset = offsetof(cli_work, read.header),
     .set = 1},
    {.name = "no-header",
     .help = "the first line of a CSV file is data",
     .offset = offsetof(cli_work, read.header),
     .set = 0},
    {.name = "delimiter",
     .value = "CHAR",
     .help = "the separator of a CSV file: a character, or comma, tab, semicolon, space or bar (default: detected)",
     .read = cli_read_delimiter,
     .offset = offsetof(cli_work, read.delimiter)},
    {.name = "transpose",
     .help = "the columns of DATA are the rows: files of genes by samples, with names of genes in the first column; "
             "--columns, --label and --id name columns of the file",
     .offset = offsetof(cli_work, read.transpose),
     .set = 1},
    {.name = "encoding",
     .value = "NAME",
     .help = "the encoding of a CSV file, such as latin1 or utf-16 (default: detected: UTF-8, UTF-16 or windows-1252)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.encoding)},
    {.name = "na",
     .value = "LIST",
     .help =
         "cells of a CSV file that are missing, such as -999,n.m.,'<*': words, numbers, and beginnings with a star; "
         "empty cells, NA and the like are missing anyway",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.na)},
    {.name = "decimal",
     .value = "CHAR",
     .help = "the decimal mark of a CSV file, . or , (default: detected); the other one may group thousands",
     .read = cli_read_decimal,
     .offset = offsetof(cli_work, read.decimal)},
    {.name = "skip",
     .value = "COUNT",
     .help = "skip COUNT lines at the top of a CSV file (default: titles above the table are detected)",
     .read = cli_read_count,
     .offset = offsetof(cli_work, read.skip)},
    CLI_OPTIONS_END,
};

const cli_option cli_live_options[] = {
    {.name = "on-error",
     .value = "WHAT",
     .help =
         "rows with a cell that is not a number or infinite, or with too few or too many cells: stop, after the rows "
         "before are answered; skip them; or answer with nan; those that are not the end are named and counted "
         "(default: stop)",
     .read = read_on_error,
     .offset = offsetof(cli_work, read.on_error),
     .choices = fault_words},
    {.name = "append",
     .help =
         "add the rows to the CSV or TSV file given with -o, which must have the same header if it exists; each row "
         "is there as soon as it is written, and stays",
     .offset = offsetof(cli_work, write.append),
     .set = 1},
    CLI_OPTIONS_END,
};

const cli_option cli_sample_options[] = {
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for --sample (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(cli_work, read.sample_seed)},
    CLI_OPTIONS_END,
};

const cli_option cli_weight_options[] = {
    {.name = "weights",
     .value = "COLUMN",
     .help = "weight each row by this column, given by name or number; the column is not part of the data, and rows of "
             "weight 0 are ignored",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.weights)},
    CLI_OPTIONS_END,
};

const cli_option cli_run_options[] = {
    {.name = "threads",
     .value = "COUNT",
     .help = "use at most COUNT threads (default: all); results do not depend on it",
     .read = cli_read_threads,
     .offset = offsetof(cli_work, run.threads)},
    {.name = "memory",
     .value = "SIZE",
     .help = "use at most this much memory, such as 256M, 2G or 800MB (default: most of the free memory)",
     .read = cli_read_size,
     .offset = offsetof(cli_work, run.memory)},
    {.name = "block-rows",
     .value = "COUNT",
     .help = "advanced: read COUNT rows at a time (default: automatic); results do not depend on it",
     .read = cli_read_count,
     .offset = offsetof(cli_work, run.block_rows)},
    CLI_OPTIONS_END,
};

const cli_option cli_fit_options[] = {
    {.name = "components",
     .letter = 'k',
     .value = "K",
     .help = "how many components to keep: a count such as 2; a share of the variance such as 0.95 or 95%; all; or "
             "auto, the number that scree select recommends or, if values are missing, that variational Bayes finds "
             "(default: all, but at most 50)",
     .read = cli_read_components,
     .offset = 0},
    {.name = "solver",
     .value = "METHOD",
     .help = "{solvers} (default: the cheapest, see scree help plan; em if values are missing)",
     .read = cli_read_choice,
     .offset = offsetof(scree_fit_options, solver),
     .names = cli_solver_name},
    {.name = "em",
     .value = "HOW",
     .help = "how em treats missing values: ml is maximum likelihood; vb is variational Bayes, which also finds the "
             "number of components (default: vb without -k, or if less than half of the cells or only a few per column "
             "are observed)",
     .read = cli_read_choice,
     .offset = offsetof(scree_fit_options, em),
     .choices = gap_methods},
    {.name = "ddof",
     .value = "COUNT",
     .help =
         "the covariance has the divisor N - COUNT: 0 for maximum likelihood, 1 for the unbiased estimate (default: 0)",
     .read = read_ddof,
     .offset = offsetof(scree_fit_options, ddof)},
    {.name = "tol",
     .value = "NUMBER",
     .help =
         "stop lanczos when the residual of every component, relative to its eigenvalue, is below this (default: when "
         "its proven error is small beside the sampling error); stop em when its parameters are this close to the "
         "optimum (default: 1e-6)",
     .read = cli_read_tolerance,
     .offset = offsetof(scree_fit_options, tolerance)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the random start of an iterative method, and for --bootstrap (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(scree_fit_options, seed)},
    {.name = "bootstrap",
     .value = "COUNT",
     .help =
         "95 % intervals from COUNT replicates of the rows, 40 or more, instead of the theory of normal rows; takes "
         "memory for COUNT covariances",
     .read = cli_read_count,
     .offset = offsetof(scree_fit_options, bootstrap)},
    CLI_OPTIONS_END,
};

const cli_option cli_bayes_options[] = {
    {.name = "bayes",
     .help = "use variational Bayes even if no values are missing: components that explain nothing vanish",
     .set = 1},
    CLI_OPTIONS_END,
};

const cli_option cli_select_options[] = {
    {.name = "max",
     .value = "M",
     .help = "consider up to M components (default: all; the table shows a few more than are recommended)",
     .read = cli_read_count,
     .offset = offsetof(scree_select_options, max_components)},
    {.name = "folds",
     .value = "COUNT",
     .help = "split the rows into COUNT folds, 2 to 20, for cross-validation (default: 5)",
     .read = read_folds,
     .offset = offsetof(scree_select_options, folds)},
    {.name = "noise-sd",
     .value = "S",
     .help = "the standard deviation of the noise in every column, if it is known",
     .read = cli_read_positive,
     .offset = offsetof(scree_select_options, noise_sd)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the folds and for the random data of parallel analysis (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(scree_select_options, seed)},
    CLI_OPTIONS_END,
};

const cli_option cli_write_options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write to FILE, in the format of its extension (default: -, standard output)",
     .read = cli_read_text,
     .offset = offsetof(cli_work, write.output)},
    {.name = "format",
     .value = "FORMAT",
     .help = "write {writers}, regardless of the extension (default: csv if there is none)",
     .read = read_written,
     .offset = offsetof(cli_work, write.format),
     .names = cli_writer_name},
    {.name = "type",
     .value = "TYPE",
     .help = "element type of an NPY, NPZ, Arrow or HDF5 file: f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or bool; a "
             "value that "
             "does not "
             "fit is an error",
     .read = cli_read_choice,
     .offset = offsetof(cli_work, write.type),
     .choices = cli_type_names},
    {.name = "spreadsheet",
     .help = "for CSV that is opened in a spreadsheet: put an apostrophe before labels and names that it would run as "
             "formulas, those that begin with =, +, -, @, a tab or a carriage return and are not numbers",
     .offset = offsetof(cli_work, write.spreadsheet),
     .set = 1},
    CLI_OPTIONS_END,
};

const cli_option cli_model_options[] = {
    {.name = "components",
     .letter = 'k',
     .value = "COUNT",
     .help = "use the first COUNT components of the model (default: all)",
     .read = cli_read_count,
     .offset = offsetof(cli_work, components)},
    CLI_OPTIONS_END,
};

const cli_option cli_whiten_options[] = {
    {.name = "whiten",
     .help = "codes have unit variance over the fitted rows, in the columns w1, w2, ...",
     .offset = offsetof(cli_whiten, wanted),
     .set = 1},
    {.name = "ddof",
     .value = "COUNT",
     .help = "with --whiten: the variances have the divisor N - COUNT, 0 or 1 (default: as the model was fitted, 0 "
             "unless fit --ddof 1)",
     .read = read_ddof,
     .offset = offsetof(cli_whiten, how.ddof)},
    CLI_OPTIONS_END,
};

const cli_option cli_noise_options[] = {
    {.name = "noise",
     .value = "S2",
     .help = "set the noise variance of the model; 0 is the noise-free limit, plain PCA (default: the model's own)",
     .read = cli_read_variance,
     .offset = offsetof(cli_work, noise.variance)},
    {.name = "noise-floor",
     .value = "S2",
     .help = "raise the noise variance to at least this; gives a density to models without noise",
     .read = cli_read_variance,
     .offset = offsetof(cli_work, noise.floor)},
    CLI_OPTIONS_END,
};

const cli_option cli_draw_options[] = {
    {.name = "draws",
     .letter = 'n',
     .value = "COUNT",
     .help = "number of draws (default: 1)",
     .read = cli_read_count,
     .offset = offsetof(cli_draw, count)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the draws, which do not depend on the number of threads (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(cli_draw, seed)},
    CLI_OPTIONS_END,
};

const cli_option cli_quiet_options[] = {
    {.name = "quiet",
     .letter = 'q',
     .help = "print results only: no notes on standard error and no progress",
     .offset = offsetof(cli_work, quiet),
     .set = 1},
    CLI_OPTIONS_END,
};
