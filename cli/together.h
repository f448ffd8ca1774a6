/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TOGETHER_H
#define SCREE_CLI_TOGETHER_H

/* Several processes of the command that mpirun has started, which share their rows. All parse the same command line and
 * run the same command; the first one alone prints and writes. Everything here does nothing in a process that is alone.
 */

#include "cli.h"

extern const cli_option cli_mpi_options[]; /* stored into a const char *: what --mpi says */

/* cli_call_read, of which the first process alone says what it says. */
bool cli_together_read(cli_call *call, const cli_command *command, int argc, char **argv, int *exit_code);

/* Before a command: if it shares its rows, and mpirun has started this process, as --mpi or the environment say,
 * libscree-mpi is loaded. False: that failed, which was said, and *exit_code is set. */
bool cli_together_start(const cli_call *call, int *exit_code);

/* One that does not share: whether mpirun has started several processes, and what there is to say about it was said;
 * *exit_code is set then. */
bool cli_together_refuses(const cli_command *command, int *exit_code);

/* For scree_run: NULL in a process that is alone. */
const scree_communicator *cli_together_with(void);
/* Whether this process prints and writes. */
bool cli_together_is_first(void);

/* A call that shared its work has failed, and so everybody has. */
void cli_together_failed(void);
/* Whether all have come so far without failing; the sentence of the first that has failed. */
scree_status cli_together_agree(scree_status status, scree_error *error);

/* The MPIs that there may be a library for, NULL-terminated, and whether there is one beside libscree. */
extern const char *const cli_together_mpis[];
bool cli_together_is_there(const char *mpi);

/* At the end of the program. */
void cli_together_end(void);

#endif
