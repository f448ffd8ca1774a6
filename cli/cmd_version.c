/* SPDX-License-Identifier: BSD-3-Clause */
/* scree version: prints the version, and which of the libraries are there that are loaded when they are needed. */

#include "cli.h"
#include "pictures.h"
#include "together.h"

static const cli_option options[] = {CLI_OPTIONS_END};
static const char *const examples[] = {
    "scree version",
    "prints the version number, whether scree can draw, and which formats have a module",
    NULL,
};

static void print_modules(void)
{
    const char *name = NULL;
    for (int64_t i = 0; (name = scree_table_name(SCREE_TABLE_MODULES, i)); i++) {
        scree_error error = SCREE_ERROR_INIT;
        const bool there = cli_known(scree_module_check(name, &error)) == SCREE_OK;
        if (there)
            cli_print(stdout, "with %s: %s\n", name, scree_table_text(SCREE_TABLE_MODULES, i));
        else
            cli_print(stdout, "without %s: %s\n", name, error.text);
    }
}

static int run(const cli_call *call)
{
    (void)call;
    scree_error error = SCREE_ERROR_INIT;
    const bool pictures = cli_pictures_are_there(&error);
    cli_print(stdout, "scree %s\n%s%s\n", scree_version(),
              pictures ? "with pictures and pages" : "without pictures and pages: ", error.text);
    print_modules();
    for (int i = 0; cli_together_mpis[i]; i++)
        if (cli_together_is_there(cli_together_mpis[i]))
            cli_print(stdout, "with mpi %s: processes of mpirun share rows\n", cli_together_mpis[i]);
    return cli_finish(SCREE_OK, NULL);
}

const cli_command cli_version = {
    .name = "version",
    .synopsis = "",
    .operands = "",
    .summary = "print the version",
    .description = "Prints the version of the command and of its library, and whether pictures and pages can be drawn: "
                   "they need a library of their own, libscree-view. Formats that need further libraries are read and "
                   "written by modules: those that can be loaded are named, and the others with the reason. So are the "
                   "MPIs under whose mpirun processes can share rows.",
    .options = options,
    .examples = examples,
    .defaults = "",
    .arguments_size = 1,
    .run = run,
};
