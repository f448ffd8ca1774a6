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

/* What scree project alone writes, as its description says. */
static bool is_for_codes(const char *name)
{
    return strcmp(name, "h5ad") == 0;
}

const char *cli_writer_name(int64_t index)
{
    const char *name = NULL;
    for (int64_t at = 0; index >= 0 && (name = scree_table_name(SCREE_TABLE_WRITERS, at)); at++)
        index -= !is_for_codes(name);
    return name;
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

/* Appends count bytes to a text that is being filled; to NULL: it is only measured. Returns where it ends now. */
static size_t append(char *to, size_t at, const char *bytes, size_t count)
{
    if (to)
        memcpy(to + at, bytes, count);
    return at + count;
}

static size_t append_choices(char *to, size_t at, const cli_option *option)
{
    const char *name = NULL;
    for (int64_t i = 0; (name = cli_option_choice(option, i)); i++) {
        const char *between = i == 0 ? "" : cli_option_choice(option, i + 1) ? ", " : " or ";
        at = append(to, at, between, strlen(between));
        at = append(to, at, name, strlen(name));
    }
    return at;
}

static size_t fill(char *to, const char *text)
{
    static const struct {
        const char *mark;
        cli_option option;
    } lists[] = {{"{solvers}", {.names = cli_solver_name}},
                 {"{readers}", {.names = cli_reader_name}},
                 {"{writers}", {.names = cli_writer_name}},
                 {"{kinds}", {.names = cli_kind_name}}};
    size_t at = 0;
    while (*text) {
        size_t used = 0;
        for (size_t i = 0; !used && i < sizeof lists / sizeof *lists; i++)
            if (strncmp(text, lists[i].mark, strlen(lists[i].mark)) == 0) {
                at = append_choices(to, at, &lists[i].option);
                used = strlen(lists[i].mark);
            }
        if (!used)
            at = append(to, at, text, 1);
        text += used ? used : 1;
    }
    return at;
}

char *cli_text_fill(const char *text)
{
    char *filled = cli_alloc(fill(NULL, text) + 1, 1); /* zeroed, so it is terminated */
    fill(filled, text);
    return filled;
}
