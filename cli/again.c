/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines that are suggested: options once more as they were written, from the table that read them, so that none
 * is forgotten; values in quotes where a shell needs them. */

#include "again.h"

#include <string.h>

void cli_print_quoted(FILE *out, const char *text)
{
    const bool seen = scree_text_visible(NULL, 0, text) == strlen(text);
    if (*text &&
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.:/+-") == strlen(text)) {
        cli_print(out, "%s", text);
        return;
    }
    cli_print(out, seen ? "'" : "$'");
    while (*text) {
        const int plain = (int)strcspn(text, seen ? "'" : "'\\");
        cli_print(out, "%.*s", plain, text);
        text += plain;
        if (*text && seen)
            cli_print(out, "'\\''");
        else if (*text)
            cli_print(out, "\\%c", *text);
        text += *text != '\0';
    }
    cli_print(out, "'");
}

void cli_again_print(FILE *out, const cli_call *call, const cli_option *group)
{
    for (int i = 0; i < call->given_count; i++)
        for (const cli_option *option = group; option->name; option++) {
            if (option != call->given[i])
                continue;
            cli_print(out, " --%s", option->name);
            if (!call->values[i])
                continue;
            fputc(' ', out);
            cli_print_quoted(out, call->values[i]);
        }
}
