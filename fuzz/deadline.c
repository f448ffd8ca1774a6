/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the place of cli/signals.c in the targets of the command: a deadline for each command line is what Ctrl-C is
 * elsewhere. So work that would take hours ends, and what does not listen for a signal shows as a timeout. */

#include "deadline.h"

#include "signals.h"

#include <time.h>

static double deadline;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void fuzz_deadline_set(double seconds)
{
    deadline = now() + seconds;
}

void cli_signals_catch(void)
{
}

void cli_signals_listen(bool on)
{
    (void)on;
}

void cli_signals_gently(bool on)
{
    (void)on;
}

void cli_signals_patience(int seconds)
{
    (void)seconds;
}

void cli_signals_unwritten(const char *path)
{
    (void)path;
}

bool cli_signals_pending(void)
{
    return now() > deadline;
}

void cli_signals_die(void)
{
}

void cli_signals_die_unread(void)
{
}
