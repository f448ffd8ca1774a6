/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions for bash, zsh and fish, generated from the tables: commands, their options, the values an option may
 * take, and files everywhere else. */

#include "help.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_shells[] = {"bash", "zsh", "fish", NULL};

/* Text inside single quotes; in zsh, brackets and colons must be escaped as well. */
static void quoted(FILE *out, const char *text, bool zsh)
{
    char *filled = cli_text_fill(text);
    for (const char *c = filled; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", out);
        else if (zsh && strchr("[]:\\", *c))
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
    }
    free(filled);
}

static void words(FILE *out, const cli_option *option)
{
    cli_option_print_choices(out, option, " ", " ");
}

static void command_names(FILE *out)
{
    for (int i = 0; cli_commands[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", cli_commands[i]->name);
}

static void bash_command(FILE *out, const cli_command *command)
{
    fprintf(out, "    %s)\n        case $before in\n", command->name);
    cli_walk walk = cli_walk_start(command);
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        if (cli_option_is_choice(option)) {
            fprintf(out, "        --%s) words='", option->name);
            words(out, option);
            fprintf(out, "' ;;\n");
        }
    }
    fprintf(out, "        *) [[ $word == -* ]] && words='");
    walk = cli_walk_start(command);
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        if (option->letter)
            fprintf(out, "-%c ", option->letter);
        fprintf(out, "--%s ", option->name);
    }
    if (strcmp(command->name, "help") == 0) {
        fprintf(out, "' || words='");
        command_names(out);
    }
    fprintf(out, "' ;;\n        esac ;;\n");
}

static void bash(FILE *out)
{
    fprintf(out, "# bash completion for scree\n"
                 "_scree()\n{\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''\n"
                 "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
                 "        words='");
    command_names(out);
    fprintf(out, "'\n    else\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; cli_commands[i]; i++)
        bash_command(out, cli_commands[i]);
    fprintf(out, "    esac\n    fi\n"
                 "    if [[ -n $words ]]; then\n"
                 "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                 "    else\n"
                 "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                 "    fi\n}\n"
                 "complete -o filenames -F _scree scree\n");
}

static void zsh_option(FILE *out, const cli_option *option)
{
    fprintf(out, " \\\n            '");
    if (option->letter)
        fprintf(out, "(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
                option->value ? "+" : "", option->name, option->value ? "=" : "");
    else
        fprintf(out, "--%s%s", option->name, option->value ? "=" : "");
    fputc('[', out);
    quoted(out, option->help, true);
    fputc(']', out);
    if (cli_option_is_choice(option)) {
        fprintf(out, ":%s:(", option->value);
        words(out, option);
        fputc(')', out);
    } else if (option->value) {
        fprintf(out, ":%s:%s", option->value, strcmp(option->value, "FILE") == 0 ? "_files" : " ");
    }
    fputc('\'', out);
}

static void zsh(FILE *out)
{
    fprintf(out, "#compdef scree\n# zsh completion for scree\n"
                 "_scree()\n{\n    local -a commands=(\n");
    for (int i = 0; cli_commands[i]; i++) {
        fprintf(out, "        '%s:", cli_commands[i]->name);
        quoted(out, cli_commands[i]->summary, true);
        fprintf(out, "'\n");
    }
    fprintf(out, "    )\n"
                 "    if (( CURRENT == 2 )); then\n"
                 "        _describe command commands\n"
                 "        return\n"
                 "    fi\n"
                 "    local command=$words[2]\n"
                 "    shift words\n"
                 "    (( CURRENT-- ))\n"
                 "    case $command in\n");
    for (int i = 0; cli_commands[i]; i++) {
        const cli_command *command = cli_commands[i];
        fprintf(out, "    %s)\n        _arguments -s -S", command->name);
        cli_walk walk = cli_walk_start(command);
        for (const cli_option *option; (option = cli_walk_next(&walk));)
            zsh_option(out, option);
        if (strcmp(command->name, "help") == 0) {
            fprintf(out, " \\\n            '1:command:(");
            command_names(out);
            fprintf(out, ")' ;;\n");
        } else {
            fprintf(out, " \\\n            '*:file:_files' ;;\n");
        }
    }
    fprintf(out, "    esac\n}\n_scree \"$@\"\n");
}

static void fish_command(FILE *out, const cli_command *command)
{
    fprintf(out, "complete -c scree -n __fish_use_subcommand -f -a %s -d '", command->name);
    quoted(out, command->summary, false);
    fprintf(out, "'\n");
    cli_walk walk = cli_walk_start(command);
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        fprintf(out, "complete -c scree -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
        if (option->letter)
            fprintf(out, " -s %c", option->letter);
        if (cli_option_is_choice(option)) {
            fprintf(out, " -x -a '");
            words(out, option);
            fputc('\'', out);
        } else if (option->value) {
            fprintf(out, " -r");
        }
        fprintf(out, " -d '");
        quoted(out, option->help, false);
        fprintf(out, "'\n");
    }
}

static void fish(FILE *out)
{
    fprintf(out, "# fish completion for scree\n");
    for (int i = 0; cli_commands[i]; i++)
        fish_command(out, cli_commands[i]);
    fprintf(out, "complete -c scree -n '__fish_seen_subcommand_from help' -f -a '");
    command_names(out);
    fprintf(out, "'\n");
}

void cli_help_completion(FILE *out, const char *shell)
{
    static void (*const print[])(FILE *) = {bash, zsh, fish};
    for (int i = 0; cli_shells[i]; i++)
        if (strcmp(cli_shells[i], shell) == 0)
            print[i](out);
}
