/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SIGNALS_H
#define SCREE_CLI_SIGNALS_H

/* Ctrl-C, kill and a closed terminal stop the work and leave no unfinished files behind. */

#include <stdbool.h>

void cli_signals_catch(void);

/* While listening, a first signal waits until cli_signals_pending is called; otherwise it ends the program at once. */
void cli_signals_listen(bool on);
bool cli_signals_pending(void);

/* While listening gently, a first signal ends the input (scree_input_stop): the work goes on to its end with the rows
 * that were read, and cli_finish dies by the signal then. */
void cli_signals_gently(bool on);

/* From now on, a signal that ends the program says that the file at path was not written, and that --append does it row
 * by row; NULL: there is no more to say. */
void cli_signals_unwritten(const char *path);

/* How long the first signal waits; a second by default. For work that has something to save when it is stopped. */
void cli_signals_patience(int seconds);

/* Ends the program by the pending signal; returns if there is none. */
void cli_signals_die(void);

/* Ends the program by SIGPIPE, where a pipe was written to that has no reader any more; returns if there was none. */
void cli_signals_die_unread(void);

#endif
