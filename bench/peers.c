/* SPDX-License-Identifier: BSD-3-Clause */
/* Other programs run beside, in one process that lives as long as the benchmark (peers.py): a request is a line to its
 * standard input, the answer a line from its standard output. So its runs can alternate with ours, without the time
 * that it takes to start. */

#include "bench.h"

#include "base/memory.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct bench_peers {
    pid_t process;
    FILE *to;
    FILE *from;
    char packages[1032]; /* "\tNAME VERSION\tNAME absent\t" */
    char versions[1024]; /* the same for people */
};

static bool read_line(bench_peers *p, char *line, int size)
{
    if (!fgets(line, size, p->from))
        return false;
    line[strcspn(line, "\n")] = 0;
    return true;
}

/* Runs the program with its standard input and output in the two pipes; 0, or why not. */
static int spawn(pid_t *process, const char *python, const char *script, const int in[2], const int out[2])
{
    char *const arguments[] = {(char *)python, (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, in[i]);
        posix_spawn_file_actions_addclose(&actions, out[i]);
    }
    int reason = posix_spawnp(process, python, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* The same with commas. */
static void make_readable(char *text, const char *packages, size_t size)
{
    size_t used = 0;
    for (const char *at = packages + 1; *at && used + 3 < size; at++) {
        const bool is_end = at[0] == '\t';
        if (is_end && !at[1])
            break;
        text[used++] = is_end ? ',' : *at;
        if (is_end)
            text[used++] = ' ';
    }
    text[used] = 0;
}

scree_status bench_peers_start(bench_peers **out, const char *python, const char *script, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_peers *p = NULL;
    int request[2] = {-1, -1};
    int answer[2] = {-1, -1};
    signal(SIGPIPE, SIG_IGN); /* a peer that dies is an answer that does not come */
    SCREE_ALLOC(p, 1, error);
    if (pipe(request) != 0 || pipe(answer) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "no pipe to %s can be had (%s)", python, strerror(errno));
    p->to = fdopen(request[1], "w");
    p->from = fdopen(answer[0], "r");
    int reason = spawn(&p->process, python, script, request, answer);
    close(request[0]);
    close(answer[1]);
    if (reason != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be run (%s)", python, strerror(reason));
    if (!p->to || !p->from || !read_line(p, p->versions, sizeof p->versions))
        SCREE_FAIL(error, SCREE_ERR_IO, "%s does not run with %s", script, python);
    snprintf(p->packages, sizeof p->packages, "\t%s\t", p->versions);
    make_readable(p->versions, p->packages, sizeof p->versions);
    *out = p;
    p = NULL;
done:
    bench_peers_stop(p);
    return status;
}

const char *bench_peers_versions(const bench_peers *p)
{
    return p ? p->versions : "none";
}

bool bench_peers_has(const bench_peers *p, const char *package)
{
    char item[128];
    snprintf(item, sizeof item, "\t%s ", package);
    const char *found = p ? strstr(p->packages, item) : NULL;
    return found && strncmp(found + strlen(item), "absent\t", 7) != 0;
}

scree_status bench_peers_ask(bench_peers *p, double *seconds, scree_error *error, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->to, format, arguments);
    va_end(arguments);
    fputc('\n', p->to);
    if (fflush(p->to) != 0 || !read_line(p, line, sizeof line))
        return scree__fail(error, SCREE_ERR_IO, "the program beside has ended");
    if (sscanf(line, "ok %lf", seconds) != 1)
        return scree__fail(error, SCREE_ERR_IO, "the program beside says: %s", line);
    return SCREE_OK;
}

void bench_peers_stop(bench_peers *p)
{
    if (!p)
        return;
    if (p->to)
        fclose(p->to); /* the end of its input is its end */
    if (p->from)
        fclose(p->from);
    if (p->process > 0)
        waitpid(p->process, NULL, 0);
    free(p);
}
