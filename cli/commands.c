/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands, generated from the list in cli.h, and the iteration over a command's options. */

#include "cli.h"

#include <string.h>

#define CLI_X(name) &cli_##name,
const cli_command *const cli_commands[] = {CLI_COMMAND_LIST(CLI_X) NULL};
#undef CLI_X

static const cli_option help_option = {.name = "help", .letter = 'h', .help = "print this help"};

const cli_command *cli_command_find(const char *name)
{
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

const char *cli_command_suggest(const char *name)
{
    const char *names[sizeof cli_commands / sizeof(const cli_command *)] = {NULL};
    for (int i = 0; cli_commands[i]; i++)
        names[i] = cli_commands[i]->name;
    return cli_suggest(name, names);
}

cli_walk cli_walk_start(const cli_command *command)
{
    return (cli_walk){.outer = command->options};
}

const cli_option *cli_walk_next(cli_walk *walk)
{
    for (;;) {
        if (walk->last)
            return NULL;
        if (walk->inner && walk->inner->name) {
            const cli_option *option = walk->inner++;
            walk->offset = walk->base + option->offset;
            if (option->help || walk->all)
                return option;
            continue;
        }
        walk->inner = NULL;
        const cli_option *option = walk->outer;
        if (!option->group && !option->name) {
            walk->last = true;
            return &help_option;
        }
        walk->outer++;
        if (option->group) {
            walk->inner = option->group;
            walk->base = option->offset;
        } else if (option->help || walk->all) {
            walk->offset = option->offset;
            return option;
        }
    }
}
