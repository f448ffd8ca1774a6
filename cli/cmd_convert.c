/* SPDX-License-Identifier: BSD-3-Clause */
/* scree convert: copies rows from one format to another, or writes a model as an ONNX graph. */

#include "prepare.h"
#include "work.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct arguments {
    cli_work work;
    const char *part;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-")};

static const char *const parts[] = {"encode", "decode", "both", NULL};

static const cli_option options[] = {
    {.group = cli_write_options},
    {.name = "part",
     .value = "PART",
     .help = "which part of a model to export to ONNX: encode (rows to codes), decode (codes to rows) or both "
             "(default: both)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, part),
     .choices = parts},
    {.group = cli_model_options},
    {.group = cli_genotype_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree convert train-images-idx3-ubyte.gz digits.npy",
    "turns images into an array that other programs can map into memory",
    "scree convert survey.csv survey.npy --columns age,height,weight --type f4",
    "keeps three columns, in single precision",
    "scree convert part-*.csv -o whole.npy",
    "concatenates several files",
    "scree convert big.npy - | head -3",
    "prints the first rows as CSV",
    "scree convert digits.scree digits.onnx",
    "exports a model for programs that run ONNX graphs: takes rows x, gives codes and reconstruction",
    "scree convert digits.scree encoder.onnx --part encode -k 10 --type f8",
    "only the first ten codes, in double precision",
    NULL,
};

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length > strlen(end) && strcasecmp(name + length - strlen(end), end) == 0;
}

/* A shell pattern may have put an input file in the place of OUT: an existing file is replaced only if -o names it.
 * Devices and pipes are written to, not replaced. */
static scree_status check_free(const char *output, scree_error *error)
{
    struct stat about;
    if (strcmp(output, "-") == 0 || stat(output, &about) != 0 || !S_ISREG(about.st_mode))
        return SCREE_OK;
    error->status = SCREE_ERR_ARGUMENT;
    snprintf(error->text, sizeof error->text, "%s: already exists; replace it with -o %s%s", output, output,
             ends_in(output, ".onnx") ? ", or choose another name"
                                      : ", or concatenate several files with -o and another name");
    return error->status;
}

static scree_status export_model(const arguments *args, cli_work *work)
{
    scree_onnx_options onnx = SCREE_ONNX_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    onnx.part = args->part;
    if (work->write.type)
        onnx.type = strcmp(work->write.type, "f8") == 0 ? SCREE_F64 : SCREE_F32;
    CLI_TRY(cli_work_model(work));
    CLI_TRY(scree_model_export_onnx(work->model, work->write.output, &onnx, &work->error));
done:
    return status;
}

/* What is wrong with the arguments for an ONNX export, or NULL. */
static const char *check_export(const cli_call *inputs, const cli_work *work)
{
    if (inputs->operand_count > 1)
        return "an ONNX file holds one model; convert the others separately";
    if (work->write.type && strcmp(work->write.type, "f4") != 0 && strcmp(work->write.type, "f8") != 0)
        return "an ONNX graph computes in f4 or f8; other types are only for rows";
    if (work->write.spreadsheet)
        return "--spreadsheet is for rows that are written as CSV, not for a model";
    if (cli_given_of(inputs, cli_read_options) || cli_given(inputs, "seed"))
        return "options for reading rows, such as --columns, do not apply to a model";
    return NULL;
}

static bool is_export(const cli_work *work)
{
    return ends_in(work->write.output, ".onnx") && !work->write.format;
}

/* Models are written as ONNX only, and rows as anything else. Returns what is wrong, or NULL. */
static const char *check_kinds(const cli_call *inputs, const arguments *args)
{
    if (is_export(&args->work))
        return check_export(inputs, &args->work);
    if (ends_in(inputs->operands[0], ".scree"))
        return "a model can only be written as ONNX; give OUT the extension .onnx";
    return args->part || args->work.components ? "--part and -k are only for a model that is written as ONNX" : NULL;
}

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    const bool named = work->write.output != defaults.work.write.output; /* by -o: all operands are inputs */
    cli_call inputs = *call;
    if (call->operand_count > 2 && !named)
        return cli_usage(call->command, NULL, "if there are several input files, name the output with -o");
    if (call->operand_count > 1 && !named) {
        work->write.output = call->operands[1];
        inputs.operand_count = 1;
    }
    const char *wrong = check_kinds(&inputs, args);
    if (wrong)
        return cli_usage(call->command, NULL, "%s", wrong);
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    if (!named)
        CLI_TRY(check_free(work->write.output, &work->error));
    work->call = &inputs;
    if (is_export(work)) {
        CLI_TRY(export_model(args, work));
        goto done;
    }
    CLI_TRY(cli_work_rows(work, 0));
    CLI_TRY(cli_work_copy(work, work->source, scree_source_type(work->source)));
    cli_work_note(work);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_convert = {
    .name = "convert",
    .synopsis = "IN [OUT] | IN... -o OUT [OPTIONS]",
    .operands = "IN... [OUT]",
    .summary = "write rows in another format, or a model as ONNX",
    .description =
        "Copies the rows of IN to OUT (default: standard output), in the format of its extension: {writers}. Several "
        "input files are copied one after the other; then OUT must be given with -o, as must an existing file that is "
        "to be replaced. An NPY or Arrow file keeps the element type of IN if that is f4, f8 or u1, unless --type is "
        "given. "
        "--columns selects columns and their order. If OUT ends in .onnx, IN is a model, and is written as an ONNX "
        "graph that maps rows x to codes and reconstruction, in f4, or in f8 with --type f8. The graph runs without "
        "scree; missing cells are not filled there, but give NaN.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
