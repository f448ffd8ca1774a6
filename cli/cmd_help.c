/* SPDX-License-Identifier: BSD-3-Clause */
/* scree help: help as text, as man page and as shell completions, all made from the tables of options. */

#include "cli.h"
#include "help.h"

typedef struct arguments {
    const char *shell;
    int man;
    int list;
} arguments;

static const arguments defaults = {0};

static const cli_option options[] = {
    {.name = "man", .help = "print the man page, as roff", .offset = offsetof(arguments, man), .set = 1},
    {.name = "completion",
     .value = "SHELL",
     .help = "print completions for bash, zsh or fish",
     .read = cli_read_choice,
     .offset = offsetof(arguments, shell),
     .choices = cli_shells},
    {.name = "list",
     .help = "print the names of all commands, one a line",
     .offset = offsetof(arguments, list),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree help fit",
    "says all about scree fit; scree fit --help is the same",
    "scree help --man fit | man -l -",
    "shows the man page without installing it",
    "source <(scree help --completion bash)",
    "completes commands, options and their words in this shell",
    NULL,
};

static int unknown(const char *name)
{
    const char *meant = cli_command_suggest(name);
    if (meant)
        return cli_usage(&cli_help, NULL, "there is no command '%s'; did you mean '%s'?", name, meant);
    return cli_usage(&cli_help, NULL, "there is no command '%s'", name);
}

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    const cli_command *command = NULL;
    if (call->operand_count > 0) {
        command = cli_command_find(call->operands[0]);
        if (!command)
            return unknown(call->operands[0]);
    }
    if (args->shell)
        cli_help_completion(stdout, args->shell);
    else if (args->man)
        cli_help_man(stdout, command);
    else if (args->list)
        for (int i = 0; cli_commands[i]; i++)
            printf("%s\n", cli_commands[i]->name);
    else if (command)
        cli_help_command(stdout, command);
    else
        cli_help_overview(stdout);
    return cli_finish(SCREE_OK, NULL);
}

const cli_command cli_help = {
    .name = "help",
    .synopsis = "[COMMAND] [--man] [--completion SHELL] [--list]",
    .operands = "[COMMAND]",
    .summary = "say how a command is used",
    .description = "Without a command, lists the commands. With one, prints its usage, its options, examples and exit "
                   "codes. Man pages and shell completions are printed from the same tables, for packagers and for "
                   "shells without them.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
