/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_WORK_H
#define SCREE_CLI_WORK_H

/* What most commands do: check where the output goes, load a model, open rows and an output, work with progress and
 * signals, say what was guessed, close everything. Each command adds what is its own.
 *
 *     cli_work *work = cli_work_start(call);
 *     CLI_TRY(cli_work_open(work));
 *     CLI_TRY(cli_work_sink(work, SCREE_F64));
 *     CLI_TRY_LONG(work, scree_model_project(work->model, work->source, work->sink, &work->run, &work->error));
 *     CLI_TRY(scree_sink_finish(work->sink, &work->error));
 *     cli_work_notes(work);
 * done:
 *     return cli_work_finish(work, status);
 */

#include "cli.h"
#include "progress.h"

/* Where a command writes. */
typedef struct cli_write {
    const char *output; /* "-": standard output; NULL: the user named none */
    const char *format; /* NULL: by extension */
    const char *type;   /* "f4", "f8", "u1"; NULL: the command decides */
} cli_write;

/* What becomes of a model's noise variance σ². */
typedef struct cli_noise {
    double variance; /* instead of the model's; negative: the model's */
    double floor;    /* raised to this where it is less */
} cli_noise;

/* The arguments of a command that works with data or models begin with this: the options that commands share, then
 * what was opened by them. */
typedef struct cli_work {
    scree_read_options read;
    scree_run run; /* with progress and cache folder */
    cli_write write;
    cli_noise noise;
    int64_t components; /* of the model, the first; 0: all */
    int quiet;

    const cli_call *call;
    scree_model *model;
    scree_source *source;
    scree_sink *sink;
    cli_progress progress;
    scree_error error;
} cli_work;

/* output: where to write when the user does not say. */
#define CLI_WORK_INIT(output)                                                                                          \
    {                                                                                                                  \
        .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT, .write = {(output), NULL, NULL}, .noise = {-1.0, 0.0}, \
        .error = SCREE_ERROR_INIT                                                                                      \
    }

/* To the label done with the status when it is not SCREE_OK; the second, while the user can see progress and stop it.
 */
#define CLI_TRY(expression)                                                                                            \
    do {                                                                                                               \
        status = (expression);                                                                                         \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)
#define CLI_TRY_LONG(work, expression)                                                                                 \
    do {                                                                                                               \
        cli_progress_begin(&(work)->progress, &(work)->run, (work)->quiet != 0);                                       \
        status = (expression);                                                                                         \
        cli_progress_end(&(work)->progress);                                                                           \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)

/* The work that the call's arguments begin with, ready: threads for reading, the cache folder. */
cli_work *cli_work_start(const cli_call *call);

/* Frees what is open. Returns the exit code. */
int cli_work_finish(cli_work *work, scree_status status);

/* The model that the first operand names, with the components and the noise that the user wants. */
scree_status cli_work_model(cli_work *work);

/* The operands from number first on: one file, or several as one source. */
scree_status cli_work_rows(cli_work *work, int first);

/* Checks that the output replaces no input, then opens model and rows. */
scree_status cli_work_open(cli_work *work);

/* type: of an NPY when the user named none. */
scree_status cli_work_sink(cli_work *work, scree_type type);
scree_status cli_sink_open(scree_sink **out, const cli_write *write, scree_type type, scree_error *error);

/* The rows of source to the output, to its end. */
scree_status cli_work_copy(cli_work *work, scree_source *source, scree_type type);

/* What was guessed about the rows, and what was done about gaps in them: a line each on standard error; nothing when
 * quiet. */
void cli_work_notes(const cli_work *work);
void cli_work_note(const cli_work *work); /* only what was guessed */

/* Whether the output is standard output. */
bool cli_work_is_piped(const cli_work *work);

/* Fails when rows have no density under the model: a sentence that names the options that help. asked: what needs it,
 * "score". */
scree_status cli_density_check(const scree_model *model, const char *path, const char *asked, scree_error *error);

/* Fails when a file cannot be written there, so that long work is not done for nothing. */
scree_status cli_output_check(const char *path, scree_error *error);

/* Fails when the output is one of the inputs, which it would replace: the call's operands, and beside, which may be
 * NULL. An operand that is the output itself is no input. */
scree_status cli_output_apart(const cli_call *call, const char *output, const char *beside, scree_error *error);

/* Does the name end as pictures do: .svg, .png or .pdf? */
bool cli_picture_is(const char *path);

#endif
