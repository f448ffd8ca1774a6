/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_GUARD_H
#define SCREE_CLI_GUARD_H

#include <stdbool.h>

/* Goes on in a process of its own, and leaves behind the one that mpirun has started, which waits for it and ends as it
 * ends; program: argv[0]. To be called before there are threads. Returns in the new process alone, or, where there
 * cannot be one, in this. */
void cli_guard_start(char *program, const char *rank);

/* Whether this is such a new process: that it was ended by a signal is then said by the guard. */
bool cli_guarded(void);

#endif
