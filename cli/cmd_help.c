/* SPDX-License-Identifier: BSD-3-Clause */
/* scree help: help as text, as a man page and as shell completions, all generated from the option tables. */

#include "cli.h"
#include "help.h"

typedef struct arguments {
    const char *shell;
    int man;
    int list;
} arguments;

static const arguments defaults = {0};

static const cli_option options[] = {
    {.name = "man", .help = "print the man page in roff format", .offset = offsetof(arguments, man), .set = 1},
    {.name = "completion",
     .value = "SHELL",
     .help = "print shell completions for bash, zsh or fish",
     .read = cli_read_choice,
     .offset = offsetof(arguments, shell),
     .choices = cli_shells},
    {.name = "list",
     .help = "print the names of all commands, one per line",
     .offset = offsetof(arguments, list),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree help fit",
    "explains scree fit, as does scree fit --help",
    "scree help --man fit | man -l -",
    "shows the man page without installing it",
    "source <(scree help --completion bash)",
    "enables completion of commands, options and their values in this shell",
    NULL,
};

static int unknown(const char *name)
{
    if (cli_elsewhere_print(stderr, name))
        return CLI_WRONG_USAGE;
    const char *meant = cli_command_suggest(name);
    if (meant)
        return cli_usage(&cli_help, NULL, "unknown command '%s'; did you mean '%s'?", name, meant);
    return cli_usage(&cli_help, NULL, "unknown command '%s'", name);
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
    if ((args->shell != NULL) + (args->man != 0) + (args->list != 0) > 1)
        return cli_usage(call->command, NULL, "give one of --man, --completion and --list");
    if (command && (args->shell || args->list))
        return cli_usage(call->command, NULL, "%s is for all commands; leave %s out",
                         args->shell ? "--completion" : "--list", command->name);
    if (args->shell)
        cli_help_completion(stdout, args->shell);
    else if (args->man)
        cli_help_man(stdout, command);
    else if (args->list)
        for (int i = 0; cli_commands[i]; i++)
            cli_print(stdout, "%s\n", cli_commands[i]->name);
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
    .summary = "explain how to use a command",
    .description = "Without a command, lists all commands. With one, prints its usage, options, examples and exit "
                   "codes. Also prints man pages and shell completions, for packagers and for systems that lack them.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
