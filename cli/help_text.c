/* SPDX-License-Identifier: BSD-3-Clause */
/* Help as text, at most 80 columns wide, generated from the tables. */

#include "help.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 26 };

static const char exit_codes[] = "exit status: 0 success; 1 failure, with one sentence on standard error; 2 wrong "
                                 "usage; 3 outliers were found, with score --alarm; 130 after Ctrl-C, 143 after kill";

/* Prints text, wrapped between words; the first line is already filled up to column at, the others start in column
 * indent. */
static void wrap(FILE *out, const char *unfilled, int at, int indent)
{
    char *filled = cli_text_fill(unfilled);
    const char *text = filled;
    int column = at;
    for (bool first = true; *text; first = false) {
        const int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > WIDTH) {
            cli_print(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        cli_print(out, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
    free(filled);
}

/* "-k, --components K" */
static const char *option_head(char *head, size_t size, const cli_option *option)
{
    int used = option->letter ? snprintf(head, size, "-%c, --%s", option->letter, option->name)
                              : snprintf(head, size, "--%s", option->name);
    if (option->value)
        snprintf(head + used, size - (size_t)used, " %s", option->value);
    return head;
}

void cli_help_option(FILE *out, const cli_option *option)
{
    char head[64];
    char *help = cli_text_fill(option->help);
    cli_print(out, "  %s: %s\n", option_head(head, sizeof head, option), help);
    free(help);
}

static void print_option(FILE *out, const cli_option *option)
{
    char head[64];
    const int used = cli_print(out, "  %s%-*s  ", option->letter ? "" : "    ",
                               option->letter ? INDENT - 4 : INDENT - 8, option_head(head, sizeof head, option));
    wrap(out, option->help, used, INDENT);
}

void cli_help_usage(FILE *out, const cli_command *command)
{
    cli_print(out, "usage: scree %s%s%s\n", command->name, *command->synopsis ? " " : "", command->synopsis);
}

void cli_help_command(FILE *out, const cli_command *command)
{
    cli_print(out, "scree %s: %s\n\n", command->name, command->summary);
    cli_help_usage(out, command);
    fputc('\n', out);
    wrap(out, command->description, 0, 0);
    cli_print(out, "\noptions:\n");
    cli_walk walk = cli_walk_start(command);
    for (const cli_option *option; (option = cli_walk_next(&walk));)
        print_option(out, option);
    cli_print(out, "\nexamples:\n");
    for (const char *const *example = command->examples; *example; example += 2) {
        cli_print(out, "  %s\n      ", example[0]);
        wrap(out, example[1], 6, 6);
    }
    fputc('\n', out);
    wrap(out, exit_codes, 0, 6);
}

void cli_help_overview(FILE *out)
{
    cli_print(out, "scree: principal component analysis that knows how sure it is\n\n"
                   "usage: scree COMMAND [OPTIONS] ARGUMENTS\n\n"
                   "commands:\n");
    for (int i = 0; cli_commands[i]; i++)
        cli_print(out, "  %-12s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    fputc('\n', out);
    wrap(out,
         "A file named - is standard input or output. Data may be {readers}, plain or compressed (gzip, xz, zstd). "
         "Results go to "
         "standard output or to -o FILE.",
         0, 0);
    cli_print(out, "Run scree help COMMAND, or scree COMMAND --help, for details.\n");
}
