/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of a step of the demo, ready to be pasted: quoted where a shell would take a word apart, broken
 * where it allows a line to be broken. */

#include "demo_steps.h"
#include "table.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, BACKSLASH = 2 };

/* A word of a command line, quoted where a shell would take it apart; the caller's to free. */
static char *quoted(const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@%=";
    static const char quote[] = "'\\''";
    const bool plain = *word && word[strspn(word, harmless)] == '\0';
    char *text = cli_alloc(sizeof quote * strlen(word) + 3, 1); /* zeroed: the end is there already */
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
    printf("\n%s$", cli_bold(stdout, true));
    for (int i = 0; words[i]; i++) {
        char *word = quoted(words[i]);
        const int width = 1 + cli_width(word);
        const bool is_option = words[i][0] == '-' && words[i + 1]; /* its value stays beside it */
        const int needed = width + (is_option ? 1 + cli_width(words[i + 1]) : 0);
        if (column + needed + BACKSLASH > WIDTH) {
            printf(" \\\n   ");
            column = 3;
        }
        printf(" %s", word);
        column += width;
        free(word);
    }
    printf("%s\n", cli_bold(stdout, false));
    fflush(stdout);
}
