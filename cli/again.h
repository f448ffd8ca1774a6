/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_AGAIN_H
#define SCREE_CLI_AGAIN_H

/* Command lines that are suggested, so that they can be pasted. */

#include "cli.h"

/* In quotes where a shell would not take the text as it is; in those of $'\x1b' where it would not be seen. */
void cli_print_quoted(FILE *out, const char *text);

/* The options of the group that were written, once more, in their order, with a space before each. */
void cli_again_print(FILE *out, const cli_call *call, const cli_option *group);

#endif
