/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_CHECKPOINT_H
#define SCREE_CLI_CHECKPOINT_H

/* --checkpoint and --every, of commands that may take long. */

#include "work.h"

typedef struct cli_checkpoint {
    const char *path;
    double every; /* seconds */
} cli_checkpoint;

/* clang-format off */
#define CLI_CHECKPOINT_INIT {NULL, 300.0}
/* clang-format on */

extern const cli_option cli_checkpoint_options[]; /* cli_checkpoint */

/* Wrong usage, an exit code; or 0. */
int cli_checkpoint_check(const cli_call *call, const cli_checkpoint *checkpoint, const char *output);
/* Says that there is something to go on from, unless quiet. */
void cli_checkpoint_note(const cli_checkpoint *checkpoint, bool quiet);
/* The work is over, and its outputs are in their places. */
void cli_checkpoint_remove(const cli_checkpoint *checkpoint);

#endif
