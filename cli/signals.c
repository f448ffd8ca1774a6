/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGINT, SIGTERM, SIGHUP: the first signal is left to the progress callback, which cancels the work, so that
 * everything is closed in order. If the callback does not run within a second (for instance, because the program waits
 * for a pipe), or on a second signal, unfinished files are removed and the program dies by the signal. SIGPIPE is
 * noted, and the write fails: where rows or a model were to go there, the command fails, and dies by SIGPIPE; a report
 * of which a reader has seen enough (| head) costs the files of the command nothing. Where rows are answered as they
 * come, the first signal ends the input instead, and the answers to what was read are written before the program dies
 * by it. Where a file would have been complete at the end alone, dying says that it was not written. */

#include "signals.h"
#include "print.h"
#include "scree.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { PATIENCE = 1, GENTLE = 5 }; /* seconds */

static volatile sig_atomic_t pending;
static volatile sig_atomic_t listening;
static volatile sig_atomic_t gentle;
static volatile sig_atomic_t reader_left;
static volatile sig_atomic_t patience = PATIENCE;

static char last_words[1024];
static volatile sig_atomic_t last_words_length;

static void die(int number)
{
    scree_cleanup();
    if (number != SIGPIPE)
        cli_print_at_once(last_words, (size_t)last_words_length);
    signal(number, SIG_DFL);
    raise(number);
}

static void handle(int number)
{
    if (number == SIGPIPE)
        reader_left = 1;
    if (number == SIGPIPE || (number == SIGALRM && !pending))
        return; /* the latter is not ours */
    if (pending || !listening)
        die(number == SIGALRM ? pending : number);
    pending = number;
    if (gentle)
        scree_input_stop(true);
    alarm((unsigned)(gentle ? GENTLE : patience));
}

void cli_signals_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        /* Signals that the parent process made us ignore (nohup, background jobs) stay ignored. */
        if (sigaction(numbers[i], NULL, &before) == 0 && (before.sa_handler != SIG_IGN || numbers[i] == SIGALRM))
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that grows past its limit is then an ordinary write error */
}

void cli_signals_listen(bool on)
{
    listening = on;
    if (on || !pending)
        return;
    if (!gentle)
        cli_signals_die();
    alarm(0); /* what is left is to be written */
}

void cli_signals_gently(bool on)
{
    gentle = on;
}

void cli_signals_unwritten(const char *path)
{
    char visible[512];
    last_words_length = 0;
    if (!path)
        return;
    scree_text_visible(visible, sizeof visible, path);
    last_words_length = snprintf(last_words, sizeof last_words,
                                 "scree: stopped before the end of the rows: %s was not written, as it would not be "
                                 "complete; with --append, rows are written to a CSV file as they come\n",
                                 visible);
}

void cli_signals_patience(int seconds)
{
    patience = seconds;
}

bool cli_signals_pending(void)
{
    return pending != 0 && !gentle;
}

void cli_signals_die(void)
{
    if (pending)
        die(pending);
}

void cli_signals_die_unread(void)
{
    if (reader_left)
        die(SIGPIPE);
}
