/* SPDX-License-Identifier: BSD-3-Clause */
/* scree version: prints the version, and whether there is a library for pictures. */

#include "cli.h"
#include "pictures.h"

static const cli_option options[] = {CLI_OPTIONS_END};
static const char *const examples[] = {
    "scree version",
    "prints the version number, and whether scree can draw",
    NULL,
};

static int run(const cli_call *call)
{
    (void)call;
    scree_error error = SCREE_ERROR_INIT;
    const bool pictures = cli_pictures_are_there(&error);
    cli_print(stdout, "scree %s\n%s%s\n", scree_version(),
              pictures ? "with pictures and pages" : "without pictures and pages: ", error.text);
    return cli_finish(SCREE_OK, NULL);
}

const cli_command cli_version = {
    .name = "version",
    .synopsis = "",
    .operands = "",
    .summary = "print the version",
    .description = "Prints the version of the command and of its library, and whether pictures and pages can be drawn: "
                   "they need a library of their own, libscree-view.",
    .options = options,
    .examples = examples,
    .defaults = "",
    .arguments_size = 1,
    .run = run,
};
