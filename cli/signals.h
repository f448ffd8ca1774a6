/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SIGNALS_H
#define SCREE_CLI_SIGNALS_H

/* Ctrl-C, kill and a closed terminal stop the work and leave nothing unfinished behind. */

#include <stdbool.h>

void cli_signals_catch(void);

/* While someone asks cli_signals_pending now and then, a first signal waits to be asked for; otherwise it ends the
 * program at once. */
void cli_signals_listen(bool on);
bool cli_signals_pending(void);

/* How long the first signal waits to be asked for; a second before this is called. For work that has something to save
 * when it is stopped. */
void cli_signals_patience(int seconds);

/* Ends the program by the signal that is pending; returns when none is. */
void cli_signals_die(void);

#endif
