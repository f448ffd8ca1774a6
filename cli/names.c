/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that an option may take, and lists of them in sentences. The names of solvers and formats come from the
 * library's tables, in options, help and completions alike: there is no second list to maintain. */

#include "cli.h"

#include <stdlib.h>
#include <string.h>

const char *cli_solver_name(int64_t index)
{
    return scree_table_name(SCREE_TABLE_SOLVERS, index);
}

const char *cli_reader_name(int64_t index)
{
    return scree_table_name(SCREE_TABLE_READERS, index);
}

const char *cli_writer_name(int64_t index)
{
    return scree_table_name(SCREE_TABLE_WRITERS, index);
}

const char *cli_kind_name(int64_t index)
{
    return scree_table_name(SCREE_TABLE_KINDS, index);
}

bool cli_option_is_choice(const cli_option *option)
{
    return option->choices || option->names;
}

const char *cli_option_choice(const cli_option *option, int64_t index)
{
    return option->names ? option->names(index) : option->choices[index];
}

void cli_option_print_choices(FILE *out, const cli_option *option, const char *between, const char *before_last)
{
    const char *name = NULL;
    for (int64_t i = 0; (name = cli_option_choice(option, i)); i++) {
        if (i > 0)
            cli_print(out, "%s", cli_option_choice(option, i + 1) ? between : before_last);
        cli_print(out, "%s", name);
    }
}

char *cli_text_fill(const char *text)
{
    static const struct {
        const char *mark;
        cli_option option;
    } lists[] = {{"{solvers}", {.names = cli_solver_name}},
                 {"{readers}", {.names = cli_reader_name}},
                 {"{writers}", {.names = cli_writer_name}},
                 {"{kinds}", {.names = cli_kind_name}}};
    char *filled = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&filled, &size);
    if (!out)
        cli_out_of_memory();
    while (*text) {
        size_t used = 0;
        for (size_t i = 0; !used && i < sizeof lists / sizeof *lists; i++)
            if (strncmp(text, lists[i].mark, strlen(lists[i].mark)) == 0) {
                cli_option_print_choices(out, &lists[i].option, ", ", " or ");
                used = strlen(lists[i].mark);
            }
        if (!used) {
            used = 1 + strcspn(text + 1, "{");
            cli_print(out, "%.*s", (int)used, text);
        }
        text += used;
    }
    if (fclose(out) != 0)
        cli_out_of_memory();
    return filled;
}
