/* SPDX-License-Identifier: BSD-3-Clause */
/* scree version: prints the version. */

#include "cli.h"

static const cli_option options[] = {CLI_OPTIONS_END};
static const char *const examples[] = {
    "scree version",
    "prints one line: \"scree\" and the version number",
    NULL,
};

static int run(const cli_call *call)
{
    (void)call;
    printf("scree %s\n", scree_version());
    return cli_finish(SCREE_OK, NULL);
}

const cli_command cli_version = {
    .name = "version",
    .synopsis = "",
    .operands = "",
    .summary = "print the version",
    .description = "Prints the version of the command and its library.",
    .options = options,
    .examples = examples,
    .defaults = "",
    .arguments_size = 1,
    .run = run,
};
