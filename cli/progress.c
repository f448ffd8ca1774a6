/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress line: "fit: pass 2 of 3  41 %  1.2 M rows/s  820 MB/s  12 s left", or "fit: eigenvectors  41 %  12 s
 * left". It appears after a second of work if standard error is a terminal, is updated five times a second, and is
 * cleared at the end. Rates are those of the current pass; the time left is the library's estimate. */

#include "progress.h"
#include "human.h"
#include "print.h"
#include "signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double patience = 1.0; /* seconds before the line appears */
static const double interval = 0.2; /* seconds between updates */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_line(char *line, size_t size, const cli_progress *progress, const scree_progress *at, double now)
{
    char text[4][32];
    const double seconds = now - progress->pass_began > 1e-3 ? now - progress->pass_began : 1e-3;
    size_t used = (size_t)snprintf(line, size, "%s: ", at->stage);
    if (at->part)
        used += (size_t)snprintf(line + used, size - used, "%s  ", at->part);
    else if (at->passes > 1)
        used += (size_t)snprintf(line + used, size - used, "pass %d of %d  ", at->pass, at->passes);
    else if (at->passes == 0)
        used += (size_t)snprintf(line + used, size - used, "pass %d  ", at->pass);
    if (at->done >= 0)
        used += (size_t)snprintf(line + used, size - used, "%.0f %%  ", 100.0 * at->done);
    else
        used += (size_t)snprintf(line + used, size - used, "%s rows  ",
                                 cli_human_count(text[0], sizeof text[0], (double)at->rows));
    if (!at->part)
        used += (size_t)snprintf(line + used, size - used, "%s rows/s  %s/s  ",
                                 cli_human_count(text[1], sizeof text[1], (double)at->rows / seconds),
                                 cli_human_bytes(text[2], sizeof text[2], (double)at->bytes / seconds));
    if (progress->note[0])
        used += (size_t)snprintf(line + used, size - used, "%s  ", progress->note);
    if (at->seconds_left >= 0)
        snprintf(line + used, size - used, "%s left", cli_human_time(text[3], sizeof text[3], at->seconds_left));
}

static void draw(cli_progress *progress, const scree_progress *at, double now)
{
    char line[256];
    struct winsize window = {0};
    write_line(line, sizeof line, progress, at, now);
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 && strlen(line) >= window.ws_col)
        line[window.ws_col - 1] = '\0';
    cli_print(stderr, "\r%s\033[K", line);
    fflush(stderr);
    progress->drawn = now;
    progress->visible = true;
}

static int report(void *context, const scree_progress *at)
{
    cli_progress *progress = context;
    const double now = cli_seconds();
    if (at->pass != progress->pass) {
        progress->pass = at->pass;
        progress->pass_began = now;
    }
    if (progress->wanted && now - progress->began > patience && now - progress->drawn > interval)
        draw(progress, at, now);
    return cli_signals_pending();
}

void cli_progress_begin(cli_progress *progress, scree_run *run, bool quiet)
{
    const double now = cli_seconds();
    *progress = (cli_progress){.began = now, .pass_began = now, .wanted = !quiet && isatty(STDERR_FILENO)};
    run->progress = report;
    run->progress_context = progress;
    cli_signals_listen(true);
}

void cli_progress_clear(cli_progress *progress)
{
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->visible = false;
    }
}

void cli_progress_end(cli_progress *progress)
{
    progress->seconds = cli_seconds() - progress->began;
    cli_progress_clear(progress);
    cli_signals_listen(false);
}
