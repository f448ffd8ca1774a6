/* SPDX-License-Identifier: BSD-3-Clause */
/* scree decompress: restores the rows of an archive, all or a range of them, or what is left of a damaged one. */

#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* From 1; the last is included. last 0: to the end. */
typedef struct range {
    int64_t first;
    int64_t last;
} range;

typedef struct arguments {
    cli_work work;
    range rows;
    int salvage;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .rows = {1, 0}};

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
    {.group = cli_write_options},
    {.name = "rows",
     .value = "A:B",
     .help = "restore only rows A to B, counted from 1; A: means from A on, :B up to B, and A only row A",
     .read = read_range,
     .offset = offsetof(arguments, rows)},
    {.name = "salvage",
     .help = "restore what is left of a damaged archive; lost rows become NaN, or 0 for bytes",
     .offset = offsetof(arguments, salvage),
     .set = 1},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree decompress spectra.screez -o spectra.npy",
    "restores the rows with their original element type",
    "scree decompress digits.screez --rows 1001:1100 -o some.npy",
    "restores a hundred rows without reading the others",
    "scree decompress --salvage damaged.screez -o rest.npy",
    "restores all rows of undamaged blocks",
    NULL,
};

/* Opens the archive, limited to the rows that are wanted. */
static scree_status open_rows(const arguments *args, cli_work *work)
{
    const char *path = work->call->operands[0];
    scree_source *whole = NULL;
    int64_t lost = 0;
    work->read.format = "screez";
    scree_status status = args->salvage ? scree_archive_salvage_within(&whole, path, &work->read, &lost, &work->error)
                                        : scree_source_open(&whole, path, &work->read, &work->error);
    if (status != SCREE_OK)
        return status;
    const char *which = scree_source_note(whole);
    if (args->salvage && !work->quiet)
        cli_print(stderr, "%s: %" PRId64 " of %" PRId64 " rows are lost%s%s\n", path, lost, scree_source_rows(whole),
                  which ? ": " : "", which ? which : "");
    const int64_t first = args->rows.first - 1;
    const int64_t end = args->rows.last > 0 ? args->rows.last : scree_source_rows(whole);
    if (first == 0 && end == scree_source_rows(whole)) {
        work->source = whole;
        return SCREE_OK;
    }
    status = scree_source_slice(&work->source, whole, first, end - first, &work->error);
    scree_source_free(whole);
    return status;
}

/* Whether some rows of a damaged archive can be restored. */
static bool can_salvage(const cli_work *work)
{
    scree_source *rest = NULL;
    int64_t lost = 0;
    const bool some =
        cli_known(scree_archive_salvage_within(&rest, work->call->operands[0], &work->read, &lost, NULL)) == SCREE_OK;
    scree_source_free(rest);
    return some;
}

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    CLI_TRY(open_rows(args, work));
    /* Rows that are lost are NaN, which whole numbers cannot be. */
    CLI_TRY(cli_work_copy(work, work->source,
                          args->salvage ? scree_source_type(work->source) : scree_source_element_type(work->source)));
done:
    if (status == SCREE_ERR_FORMAT && !args->salvage && can_salvage(work)) {
        const size_t used = strlen(work->error.text);
        snprintf(work->error.text + used, sizeof work->error.text - used, ", or recover the rest with --salvage");
    }
    return cli_work_finish(work, status);
}

const cli_command cli_decompress = {
    .name = "decompress",
    .synopsis = "FILE.screez [-o DATA] [--rows A:B] [OPTIONS]",
    .operands = "FILE",
    .summary = "restore the rows of an archive",
    .description = "Restores the rows of an archive written by scree compress, in the format given by the extension of "
                   "DATA; an NPY file has the original element type. --rows reads only the blocks that contain these "
                   "rows. Every block is verified; if one is damaged, nothing is written, unless --salvage is given. "
                   "All other commands read archives directly, like any other format.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
