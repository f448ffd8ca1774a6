/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_HELP_H
#define SCREE_CLI_HELP_H

/* What is generated from the tables of commands and options: help, man pages, completions. */

#include "cli.h"

void cli_help_overview(FILE *out);
void cli_help_command(FILE *out, const cli_command *command);
void cli_help_usage(FILE *out, const cli_command *command); /* one line */
void cli_help_option(FILE *out, const cli_option *option);  /* one line, however long */

/* A man page in roff; for scree itself if command is NULL. */
void cli_help_man(FILE *out, const cli_command *command);

/* For one of cli_shells. */
extern const char *const cli_shells[];
void cli_help_completion(FILE *out, const char *shell);

#endif
