/* SPDX-License-Identifier: BSD-3-Clause */
/* scree serve: the page of scree report for rows that are too many for a file, on this machine alone. The page is made
 * of a sample and is there at once; then this thread finds the codes of all rows, while another one answers the page.
 */

#include "human.h"
#include "pictures.h"
#include "serve_http.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

typedef struct arguments {
    cli_work work;
    scree_report_options report;
    int training;
    int port;
    double idle; /* seconds; 0: for ever */
    int open;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .report = SCREE_REPORT_OPTIONS_INIT};

enum { TOKEN_LETTERS = 32, LEAST_MEMORY = 64 << 20 };

static const char *read_port(void *where, const char *text, const cli_option *option)
{
    int64_t port = 0;
    const char *wrong = cli_read_count(&port, text, option);
    if (wrong || port > 65535)
        return "a port, a whole number from 1 to 65535";
    *(int *)where = (int)port;
    return NULL;
}

static const cli_option options[] = {
    {.name = "port",
     .value = "NUMBER",
     .help = "listen at this port of 127.0.0.1 (default: one that is free)",
     .read = read_port,
     .offset = offsetof(arguments, port)},
    {.name = "open",
     .help = "open the page in the browser; other users of this machine can then list its address",
     .offset = offsetof(arguments, open),
     .set = 1},
    {.name = "idle",
     .value = "SECONDS",
     .help = "end when the page has asked for nothing for so long (default: never)",
     .read = cli_read_positive,
     .offset = offsetof(arguments, idle)},
    {.name = "points",
     .value = "COUNT",
     .help = "show at most COUNT rows as points, a sample (default: 20000)",
     .read = cli_read_count,
     .offset = offsetof(arguments, report.rows)},
    {.group = cli_image_options, .offset = offsetof(arguments, report.image_rows)},
    {.name = "training",
     .help = "the rows are those that were fitted; their p-values follow different distributions",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.group = cli_page_options, .offset = offsetof(arguments, report)},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree serve big.scree big.npy --open",
    "shows a page of 10 million rows in the browser; Ctrl-C ends it",
    "scree serve big.scree big.csv --port 8080 --label kind",
    "listens at port 8080 of this machine, as for a tunnel by ssh",
    NULL,
};

/* ---- the address ---- */

/* 128 bits of chance, as hexadecimal. */
static scree_status make_token(char token[TOKEN_LETTERS + 1], scree_error *error)
{
    unsigned char bytes[TOKEN_LETTERS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        snprintf(error->text, sizeof error->text, "the system gives no random numbers for the address: %s; try again",
                 strerror(errno));
        return error->status = SCREE_ERR_IO;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return SCREE_OK;
}

/* The browser is the user's, and goes on when scree has ended. */
static void open_browser(const char *address, bool quiet)
{
    extern char **environ;
    char program[] = "xdg-open";
    char *copy = strdup(address);
    char *const words[] = {program, copy, NULL};
    pid_t child = 0;
    posix_spawn_file_actions_t quietly;
    const bool ready = posix_spawn_file_actions_init(&quietly) == 0;
    bool started = copy && ready;
    for (int stream = STDIN_FILENO; started && stream <= STDERR_FILENO; stream++)
        started = posix_spawn_file_actions_addopen(&quietly, stream, "/dev/null", O_RDWR, 0) == 0;
    started = started && posix_spawnp(&child, program, &quietly, NULL, words, environ) == 0;
    if (ready)
        posix_spawn_file_actions_destroy(&quietly);
    free(copy);
    if (!started && !quiet)
        fputs("xdg-open is not here; open the address by hand\n", stderr);
}

/* ---- serving ---- */

typedef struct serving {
    arguments *args;
    scree_source *all; /* the rows, to be read from the first to the last */
    cli_http *http;
    scree_server *server;
    char address[96];
} serving;

static void answer(void *context, const scree_request *request, scree_reply *reply)
{
    const serving *own = context;
    cli_server_answer(own->server, request, reply);
}

static void print_plan(const cli_work *work, const scree_server *server)
{
    char bytes[32];
    scree_serve_summary about = SCREE_SERVE_SUMMARY_INIT;
    if (work->quiet || cli_server_about(server, &about, NULL) != SCREE_OK)
        return;
    cli_print(stderr, "%s: a sample of %" PRId64 " of %" PRId64 " rows as points; ", scree_source_name(work->source),
              about.shown, about.rows);
    if (about.counted > 0)
        cli_print(stderr, "codes of all rows for %" PRId64 " of %" PRId64 " components take %s\n", about.counted,
                  about.components, cli_human_bytes(bytes, sizeof bytes, (double)about.bytes));
    else
        cli_print(stderr, "codes of all rows do not fit into the memory allowed, so there is no density\n");
    if (!about.fetches)
        cli_print(stderr,
                  "%s: rows can only be read one after the other, so those beside the sample cannot be looked "
                  "at; scree convert makes an .npy file, of which any can\n",
                  scree_source_name(work->source));
}

/* All threads of the program are this one and that of the answers: a glance ten times a second costs nothing. */
static void wait_for_end(const serving *own)
{
    const double idle = own->args->idle;
    const struct timespec moment = {.tv_nsec = idle > 0.0 && idle < 0.4 ? (long)(idle * 25e7) : 100000000};
    while (!cli_signals_pending() && !(idle > 0.0 && cli_http_idle(own->http) >= idle))
        nanosleep(&moment, NULL);
}

/* Between signals that are listened for: the first one ends this in order. */
static scree_status serve(serving *own, cli_work *work)
{
    const cli_http_calls calls = {answer, cli_reply_clear, own};
    scree_status status = cli_http_start(own->http, &calls, &work->error);
    if (status != SCREE_OK)
        return status;
    cli_print(stdout, "%s\n", own->address);
    cli_flush();
    if (own->args->open)
        open_browser(own->address, work->quiet != 0);
    status = cli_server_count(own->server, own->all, &work->run, &work->error);
    cli_progress_clear(&work->progress);
    if (status == SCREE_OK && !work->quiet)
        fputs("all rows are counted; Ctrl-C ends this\n", stderr);
    if (status == SCREE_OK)
        wait_for_end(own);
    return status;
}

static scree_status make_server(serving *own, cli_work *work)
{
    char token[TOKEN_LETTERS + 1];
    scree_serve_options how = SCREE_SERVE_OPTIONS_INIT;
    scree_status status = make_token(token, &work->error);
    if (status == SCREE_OK)
        status = cli_http_open(&own->http, own->args->port, &how.port, &work->error);
    if (status != SCREE_OK)
        return status;
    how.report = &own->args->report;
    how.token = token;
    how.memory = work->run.memory > 0 ? work->run.memory / 2 : 0;
    snprintf(own->address, sizeof own->address, "http://127.0.0.1:%d/%s/", how.port, token);
    return cli_server_open(&own->server, work->model, work->source, &how, &work->error);
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    serving own = {.args = args};
    scree_status status = SCREE_OK;
    work->read.held += work->run.memory > 0 ? CLI_PICTURE_MEMORY : 0;
    args->report.run = &work->run;
    args->report.training = args->training != 0;
    args->report.label = work->read.label;
    args->report.id = work->read.id;
    CLI_TRY(cli_work_open(work));
    own.all = work->source;
    work->source = NULL;
    CLI_TRY(cli_work_rows(work, 1)); /* the same rows again: each thread reads its own */
    CLI_TRY_LONG(work, make_server(&own, work));
    print_plan(work, own.server);
    cli_work_notes(work);
    CLI_TRY_LONG(work, serve(&own, work));
done:
    cli_http_close(own.http);
    cli_server_free(own.server);
    scree_source_free(own.all);
    return cli_work_finish(work, status);
}

const cli_command cli_serve = {
    .name = "serve",
    .synopsis = "MODEL DATA... [--port NUMBER] [--open] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "show the page of a report for data too large for a file",
    .description =
        "Opens the page of scree report on this machine, for rows that are too many for a file, and prints its "
        "address. "
        "The page shows a sample at once; then the codes of all rows are computed, and the page shows how densely they "
        "lie, and fetches any row that is asked for, where DATA is an .npy file or another array. Only this machine "
        "can reach the page, and only with the address, which has a random token in it and ends with the command. "
        "Ctrl-C ends it.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
