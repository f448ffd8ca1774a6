/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command writes: that it can be written, that it is no input, and that it appears when all is said. */

#include "guard.h"
#include "print.h"
#include "signals.h"
#include "together.h"
#include "work.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opening a sink creates its temporary file, and freeing it removes that again: the library reports what is wrong, if
 * anything. Devices and pipes are left alone, since opening one may block until it has a reader. */
scree_status cli_output_check(const char *path, scree_error *error)
{
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    struct stat about;
    scree_sink *sink = NULL;
    if (strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
        return SCREE_OK;
    options.format = "csv";
    scree_status status = scree_sink_open(&sink, path, &options, error);
    scree_sink_free(sink);
    return status;
}

/* The metadata of an input file; for FILE:PART, where no such file exists, those of the FILE before the colon. */
static bool look_at(const char *input, struct stat *about)
{
    if (stat(input, about) == 0)
        return true;
    char *file = strdup(input);
    bool found = false;
    for (char *colon = file ? strrchr(file, ':') : NULL; colon && !found; colon = strrchr(file, ':')) {
        *colon = 0;
        found = stat(file, about) == 0;
    }
    free(file);
    return found;
}

/* Whether an input and an output are the same regular file; devices and pipes do not count. A file that comes by
 * standard input may be replaced, but standard output must not grow into what is read. */
static bool is_same_file(const char *input, const char *output)
{
    struct stat a;
    struct stat b;
    if (!input || !output || (strcmp(input, "-") == 0 && strcmp(output, "-") != 0))
        return false;
    if ((strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &a) != 0 : !look_at(input, &a)) ||
        (strcmp(output, "-") == 0 ? fstat(STDOUT_FILENO, &b) : stat(output, &b)) != 0)
        return false;
    return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

scree_status cli_output_distinct(const cli_call *call, const char *output, const char *other_input, scree_error *error)
{
    const char *same = is_same_file(other_input, output) ? other_input : NULL;
    for (int i = 0; !same && i < call->operand_count; i++)
        if (call->operands[i] != output && is_same_file(call->operands[i], output))
            same = call->operands[i];
    if (!same)
        return SCREE_OK;
    error->status = SCREE_ERR_ARGUMENT;
    snprintf(error->text, sizeof error->text, "%s: is both input and output; write to another file",
             strcmp(same, "-") == 0 ? "standard input" : same);
    return error->status;
}

bool cli_picture_is(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".svg") == 0 || strcasecmp(dot, ".png") == 0 || strcasecmp(dot, ".pdf") == 0);
}

bool cli_picture_is_svg(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".svg") == 0;
}

static int flush_reason; /* of the first flush that failed: errno */

/* Whether what could not be printed had no reader any more. A pipe without one is in error; of a line that the buffer
 * was full for, errno is not known any more. */
static bool reader_has_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (flush_reason != 0)
        return flush_reason == EPIPE;
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

void cli_flush(void)
{
    if (fflush(stdout) != 0 && flush_reason == 0)
        flush_reason = errno;
}

scree_status cli_publish(scree_error *error)
{
    cli_flush();
    /* A reader who has seen enough of a report is no failure. */
    if ((flush_reason == 0 && !ferror(stdout)) || reader_has_left())
        return scree_outputs_publish(error);
    snprintf(error->text, sizeof error->text,
             "cannot write to standard output (%s); free some space, or write to another place",
             strerror(flush_reason != 0 ? flush_reason : EIO));
    return error->status = SCREE_ERR_IO;
}

int cli_finish(scree_status status, const scree_error *error)
{
    scree_error late = SCREE_ERROR_INIT;
    if (error)
        late = *error;
    if (status == SCREE_ERR_CANCELLED)
        cli_signals_die();
    status = cli_together_agree(status, &late);
    if (status == SCREE_OK) {
        cli_signals_unwritten(NULL);
        if (cli_together_is_first())
            status = cli_publish(&late);
        else
            scree_outputs_discard();
        status = cli_together_agree(status, &late);
    }
    if (status == SCREE_OK)
        cli_signals_die(); /* where one has ended the input */
    if (status == SCREE_OK)
        return CLI_SUCCESS;
    if (status == SCREE_ERR_IO && strstr(late.text, strerror(EPIPE)))
        cli_signals_die_unread(); /* rows or a model that nobody reads */
    scree_outputs_discard();
    if (status == SCREE_ERR_CANCELLED && cli_guarded())
        return CLI_FAILURE; /* the guard of the process that was stopped says so */
    cli_print(stderr, "scree: %s\n", late.text[0] ? late.text : scree_status_text(status));
    return CLI_FAILURE;
}
