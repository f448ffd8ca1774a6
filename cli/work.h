/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_WORK_H
#define SCREE_CLI_WORK_H

/* What most commands do: check the output, load a model, open rows and an output, work with progress and signals, print
 * notes, and close everything. Each command adds its own part.
 *
 *     cli_work *work = cli_work_start(call);
 *     cli_work_live(work);
 *     CLI_TRY(cli_work_open(work));
 *     CLI_TRY(cli_work_sink(work, SCREE_F64));
 *     CLI_TRY_ROWS(work, scree_model_project(work->model, work->source, work->sink, &work->run, &work->error));
 *     CLI_TRY(scree_sink_finish(work->sink, &work->error));
 *     cli_work_notes(work);
 * done:
 *     return cli_work_finish(work, status);
 */

#include "cli.h"
#include "progress.h"
#include "signals.h"
#include "together.h"

/* Where a command writes. */
typedef struct cli_write {
    const char *output; /* "-": standard output; NULL: the user named none */
    const char *format; /* NULL: by extension */
    const char *type;   /* one of cli_type_names; NULL: the command decides */
    int spreadsheet;    /* no text may be a formula */
    int append;         /* rows are added to the file */
    bool takes_codes;   /* of an AnnData file a copy is written, with the codes of its cells in it */
} cli_write;

/* Codes of unit variance. */
typedef struct cli_whiten {
    int wanted;
    scree_whiten_options how;
} cli_whiten;

#define CLI_WHITEN_INIT                                                                                                \
    {                                                                                                                  \
        .how = SCREE_WHITEN_OPTIONS_INIT                                                                               \
    }

/* Whether there is a divisor for whitening and no whitening. */
bool cli_whiten_lacks(const cli_whiten *whiten);

/* Changes to the noise variance σ² of a model. */
typedef struct cli_noise {
    double variance; /* instead of the model's; negative: the model's */
    double floor;    /* raised to at least this */
} cli_noise;

/* The first member of the arguments of a command that works with data or models: shared options, and what was opened.
 */
typedef struct cli_work {
    scree_read_options read;
    scree_run run; /* with progress and cache folder */
    cli_write write;
    cli_noise noise;
    int64_t components; /* keep the first ones of the model; 0: all */
    int quiet;
    const char *mpi;     /* as --mpi says (together.h) */
    int64_t faults;      /* rows that could not be used and were named */
    bool chose_columns;  /* the model's columns were chosen by itself: that others are left out is said elsewhere */
    bool every_column;   /* of the data is wanted, also of genotypes, whichever the model has */
    bool copies_unknown; /* columns of the data that the model does not know go to the output; else they are left out */

    const cli_call *call;
    scree_model *model;
    scree_source *source;
    scree_sink *sink;
    cli_progress progress;
    scree_error error;
} cli_work;

/* name: the default of -o. */
#define CLI_WORK_INIT(name)                                                                                            \
    {                                                                                                                  \
        .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT, .write = {.output = (name)}, .noise = {-1.0, 0.0},     \
        .error = SCREE_ERROR_INIT                                                                                      \
    }

/* Jump to the label done unless the status is SCREE_OK. CLI_TRY_LONG is for long work: it shows progress and can be
 * stopped by a signal. */
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

/* The same for work that goes from rows to answers, the last of a command: the first signal ends the rows where answers
 * are written as they come. */
#define CLI_TRY_ROWS(work, expression)                                                                                 \
    do {                                                                                                               \
        cli_signals_gently(cli_work_is_straight(work));                                                                \
        CLI_TRY_SHARED(work, expression);                                                                              \
    } while (0)

/* Work that processes of mpirun share: where it fails, it fails for all of them. */
#define CLI_TRY_SHARED(work, expression)                                                                               \
    do {                                                                                                               \
        cli_progress_begin(&(work)->progress, &(work)->run, (work)->quiet != 0);                                       \
        status = (expression);                                                                                         \
        cli_progress_end(&(work)->progress);                                                                           \
        if (status != SCREE_OK) {                                                                                      \
            cli_together_failed();                                                                                     \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Bytes that the program takes for itself, whatever it does: its code, and the libraries' with what they hold. Limits
 * of memory are meant for all of it. What draws pictures and writes pages takes more. */
enum { CLI_OWN_MEMORY = 12 << 20, CLI_PICTURE_MEMORY = 12 << 20 };

/* A limit of memory is one of threads, too, where rows are answered: each has buffers of its own, and answers do not
 * depend on their number. Plans count the threads of a fit themselves. */
enum { CLI_THREAD_MEMORY = 16 << 20 };

/* Prepares the work at the start of the call's arguments. */
cli_work *cli_work_start(const cli_call *call);

/* Fails when the limit of memory is less than the program takes for itself. For what reads no rows: whatever reads them
 * counts that with the rest. */
scree_status cli_memory_check(cli_work *work);

/* Flushes and checks standard output, then gives files that wait for their names theirs: nothing that can fail may
 * follow. A reader of standard output that has gone is no failure. cli_finish does it where a command has not. */
scree_status cli_publish(scree_error *error);

/* Closes everything, and returns the exit code. */
int cli_work_finish(cli_work *work, scree_status status);

/* Loads the model named by the first operand, with the components and the noise that the options ask for. */
scree_status cli_work_model(cli_work *work);

/* Rows that are opened from now on are answered one by one: as they come from a pipe, and bad ones as --on-error says.
 */
void cli_work_live(cli_work *work);

/* Opens the operands from number first on as one source. */
scree_status cli_work_rows(cli_work *work, int first);

/* Opens a file that goes with the rows, within the limits of the work; of one without numbers, says this. */
scree_status cli_work_beside(cli_work *work, scree_source **out, const char *path, const char *without_numbers);
/* The same of a file of labels. */
scree_status cli_work_labels(cli_work *work, scree_source **out, const char *path);

/* Checks that the output is not one of the inputs, then opens the model and the rows. */
scree_status cli_work_open(cli_work *work);

/* The element type of numbers computed from the rows: float if they are float or half, else double. */
scree_type cli_work_type(const cli_work *work);

/* Opens the output. type: the default of --type. */
scree_status cli_work_sink(cli_work *work, scree_type type);
scree_status cli_sink_open(scree_sink **out, const cli_write *write, scree_type type, scree_error *error);

/* The output is complete; of processes that share rows the first has all of it. */
scree_status cli_sink_finish(scree_sink *sink, scree_error *error);

/* Copies the rows of source to the output, and finishes it. */
scree_status cli_work_copy(cli_work *work, scree_source *source, scree_type type);

/* Prints on standard error, unless quiet: what was detected about the rows, and how missing cells were treated. */
void cli_work_notes(const cli_work *work);
void cli_work_note(const cli_work *work); /* only what was detected */

/* Prints on standard error, unless quiet, that rows made by the model are rounded, where its means are beyond 2^53. */
void cli_work_rounded(const cli_work *work);

/* Whether the output is standard output. */
bool cli_work_is_piped(const cli_work *work);

/* Whether rows are answered one by one, and what is written is seen at once: by who reads standard output or a named
 * pipe, or in a file that is added to; nothing that is written is such, too. */
bool cli_work_is_straight(const cli_work *work);

/* Fails if rows have no density because the model has no noise, and names the options that help. */
scree_status cli_density_check(const scree_model *model, const char *path, scree_error *error);

/* Fails if the file cannot be written, before long work is done in vain. */
scree_status cli_output_check(const char *path, scree_error *error);

/* Fails if the output is one of the inputs: the call's operands, or other_input, which may be NULL. An operand that
 * is the output itself does not count. */
scree_status cli_output_distinct(const cli_call *call, const char *output, const char *other_input, scree_error *error);

/* Whether the name ends with .svg, .png or .pdf. */
bool cli_picture_is(const char *path);
bool cli_picture_is_svg(const char *path);

#endif
