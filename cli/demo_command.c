/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of a step of the demo, ready to be pasted into a shell: words are quoted if necessary, and long
 * lines are wrapped. */

#include "demo_steps.h"
#include "table.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, BACKSLASH = 2 };

/* A word, quoted if a shell would split or expand it; the caller frees it. */
static char *quoted(const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@%=";
    static const char quote[] = "'\\''";
    const bool plain = *word && word[strspn(word, harmless)] == '\0';
    char *text = cli_alloc(sizeof quote * strlen(word) + 3, 1); /* zeroed, so it is terminated */
    char *end = text;
    if (!plain)
        *end++ = '\'';
    for (; *word; word++) {
        const bool is_quote = *word == '\'';
        const size_t size = is_quote ? sizeof quote - 1 : 1;
        memcpy(end, is_quote ? quote : word, size);
        end += size;
    }
    if (!plain)
        *end = '\'';
    return text;
}

void cli_demo_command(const char *const *words)
{
    int column = 1;
    cli_print(stdout, "\n%s$", cli_bold(stdout, true));
    for (int i = 0; words[i]; i++) {
        char *word = quoted(words[i]);
        const int width = 1 + cli_width(word);
        const bool is_option = words[i][0] == '-' && words[i + 1]; /* its value stays on the same line */
        const int needed = width + (is_option ? 1 + cli_width(words[i + 1]) : 0);
        if (column + needed + BACKSLASH > WIDTH) {
            cli_print(stdout, " \\\n   ");
            column = 3;
        }
        cli_print(stdout, " %s", word);
        column += width;
        free(word);
    }
    cli_print(stdout, "%s\n", cli_bold(stdout, false));
    cli_flush();
}
