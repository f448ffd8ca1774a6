/* SPDX-License-Identifier: BSD-3-Clause */
/* scree decompress: rows out of an archive, all or a range of them, and what is left of a damaged one. */

#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* From 1; the last is included. last 0: to the end. */
typedef struct range {
    int64_t first;
    int64_t last;
} range;

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    range rows;
    scree_run run;
    int salvage;
    int quiet;
} arguments;

static const arguments defaults = {
    .write = CLI_WRITE_INIT, .read = SCREE_READ_OPTIONS_INIT, .rows = {1, 0}, .run = SCREE_RUN_INIT};

/* A:B, A: or :B, or one number. */
static const char *read_range(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "a range of rows such as 1:100, 5000: or 7";
    range *rows = where;
    char *end = NULL;
    (void)option;
    rows->first = *text == ':' ? 1 : strtoll(text, &end, 10);
    const char *rest = *text == ':' ? text : end;
    if (rows->first < 1 || rest == NULL || (*rest != ':' && *rest != 0))
        return wanted;
    rows->last = *rest == 0 ? rows->first : 0;
    if (*rest == ':' && rest[1] != 0) {
        rows->last = strtoll(rest + 1, &end, 10);
        if (*end != 0 || rows->last < rows->first)
            return wanted;
    }
    return NULL;
}

static const cli_option options[] = {
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.name = "rows",
     .value = "A:B",
     .help = "only rows A to B, from 1; A: is all from A on, :B all up to B, and A row A alone",
     .read = read_range,
     .offset = offsetof(arguments, rows)},
    {.name = "salvage",
     .help = "write what is left of a damaged archive; lost rows become NaN, or 0 where they are bytes",
     .offset = offsetof(arguments, salvage),
     .set = 1},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree decompress spectra.screez -o spectra.npy",
    "the rows, in the element type that they had",
    "scree decompress digits.screez --rows 1001:1100 -o some.npy",
    "a hundred rows, without reading the others",
    "scree decompress --salvage damaged.screez -o rest.npy",
    "all rows of the blocks that are whole",
    NULL,
};

/* Opens the archive; *source becomes the rows that are wanted. */
static scree_status open_rows(const arguments *args, const char *path, scree_source **source, scree_error *error)
{
    scree_source *whole = NULL;
    int64_t lost = 0;
    scree_read_options read = args->read;
    read.format = "screez";
    read.threads = args->run.threads;
    scree_status status = args->salvage ? scree_archive_salvage(&whole, path, &lost, error)
                                        : scree_source_open(&whole, path, &read, error);
    if (status != SCREE_OK)
        return status;
    const char *which = scree_source_note(whole);
    if (args->salvage && !args->quiet)
        fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " rows are lost%s%s\n", path, lost, scree_source_rows(whole),
                which ? ": " : "", which ? which : "");
    const int64_t first = args->rows.first - 1;
    const int64_t end = args->rows.last > 0 ? args->rows.last : scree_source_rows(whole);
    if (first == 0 && end == scree_source_rows(whole)) {
        *source = whole;
        return SCREE_OK;
    }
    status = scree_source_slice(source, whole, first, end - first, error);
    scree_source_free(whole);
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    cli_progress progress;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    CLI_TRY(open_rows(args, call->operands[0], &source, &error));
    CLI_TRY(cli_sink_open(&sink, &args->write, scree_source_type(source), &error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_source_copy(source, sink, &args->run, &error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, &error));
done:
    scree_sink_free(sink);
    scree_source_free(source);
    const bool some = strstr(error.text, "others can be read") || strstr(error.text, "may be whole");
    if (status == SCREE_ERR_FORMAT && some && !args->salvage) {
        const size_t used = strlen(error.text);
        snprintf(error.text + used, sizeof error.text - used, ", or save what is left with --salvage");
    }
    return cli_finish(status, &error);
}

const cli_command cli_decompress = {
    .name = "decompress",
    .synopsis = "FILE.screez [-o DATA] [--rows A:B] [OPTIONS]",
    .operands = "FILE",
    .summary = "write the rows of an archive",
    .description =
        "Writes the rows of an archive that scree compress made, in the format of the extension of DATA; an NPY has "
        "the "
        "element type that the rows had. --rows reads only the blocks that hold these rows. Every block is checked; "
        "where one is damaged nothing is written, and --salvage writes the others. Archives are also read by every "
        "other command, like any format.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
