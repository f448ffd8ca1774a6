/* SPDX-License-Identifier: BSD-3-Clause */
/* Man pages in roff (man macros), generated from the tables: scree(1), and scree-COMMAND(1) for each command. */

#include "help.h"

#include <stdlib.h>
#include <string.h>

/* Text with the characters escaped that are special in roff: backslashes, dashes, and dots or quotes at the start. */
static void roff(FILE *out, const char *text)
{
    char *filled = cli_text_fill(text);
    if (*filled == '.' || *filled == '\'')
        fputs("\\&", out);
    for (const char *c = filled; *c; c++) {
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else
            fputc(*c, out);
    }
    free(filled);
}

static void section(FILE *out, const char *title)
{
    fprintf(out, ".SH %s\n", title);
}

static void head(FILE *out, const char *dash, const char *name, const char *summary)
{
    fprintf(out, ".TH \"SCREE");
    for (const char *c = name; *c; c++)
        fprintf(out, "%s%c", c == name ? dash : "", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    fprintf(out, "\" 1 \"\" \"scree %s\" \"scree manual\"\n", scree_version());
    section(out, "NAME");
    fprintf(out, "scree%s%s \\- ", *name ? dash : "", name);
    roff(out, summary);
    fputc('\n', out);
}

static void exit_status(FILE *out)
{
    section(out, "EXIT STATUS");
    fprintf(out,
            ".TP\n0\nsuccess\n.TP\n1\nfailure; one sentence on standard error says where, what and what to do; no "
            "unfinished file is left behind\n.TP\n2\nwrong usage\n.TP\n3\noutliers were found, with\n.B score "
            "\\-\\-alarm\n.PP\n"
            "A run that is stopped by a signal ends by that signal (130 after Ctrl\\-C, 143 after kill). Where rows "
            "are answered to standard output, a named pipe or with \\-\\-append, SIGINT, SIGTERM and SIGHUP end the "
            "input: the rows that were read are answered first.\n");
}

static void options(FILE *out, const cli_command *command)
{
    cli_walk walk = cli_walk_start(command);
    section(out, "OPTIONS");
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        fprintf(out, ".TP\n");
        if (option->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
        fprintf(out, "\\fB\\-\\-");
        roff(out, option->name);
        fprintf(out, "\\fR");
        if (option->value)
            fprintf(out, " \\fI%s\\fR", option->value);
        fputc('\n', out);
        roff(out, option->help);
        fputc('\n', out);
    }
}

static void page_command(FILE *out, const cli_command *command)
{
    head(out, "\\-", command->name, command->summary);
    section(out, "SYNOPSIS");
    fprintf(out, ".B scree %s\n", command->name);
    if (*command->synopsis) {
        roff(out, command->synopsis);
        fputc('\n', out);
    }
    section(out, "DESCRIPTION");
    roff(out, command->description);
    fputc('\n', out);
    options(out, command);
    section(out, "EXAMPLES");
    for (const char *const *example = command->examples; *example; example += 2) {
        fprintf(out, ".PP\n.nf\n.RS\n");
        roff(out, example[0]);
        fprintf(out, "\n.RE\n.fi\n");
        roff(out, example[1]);
        fputc('\n', out);
    }
    exit_status(out);
    section(out, "SEE ALSO");
    fprintf(out, ".BR scree (1)\n");
}

static void page_overview(FILE *out)
{
    head(out, "", "", "principal component analysis that knows how sure it is");
    section(out, "SYNOPSIS");
    fprintf(out, ".B scree\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIARGUMENTS\\fR\n");
    section(out, "DESCRIPTION");
    roff(out,
         "Finds the principal components of rows in a file or a pipe, proves how accurate each of them is, saves them "
         "as a model, and applies the model to other rows. Data is read as {readers}, plain or compressed (gzip, xz, "
         "zstd), and "
         "need not fit in memory. Results go to standard output or to -o FILE, in the format of its extension "
         "({writers}); messages go to standard error. A file named - is standard input or output.");
    fputc('\n', out);
    section(out, "COMMANDS");
    for (int i = 0; cli_commands[i]; i++) {
        fprintf(out, ".TP\n\\fBscree %s\\fR\n", cli_commands[i]->name);
        roff(out, cli_commands[i]->summary);
        fputc('\n', out);
    }
    exit_status(out);
    section(out, "ENVIRONMENT");
    fprintf(out, ".TP\n\\fBNO_COLOR\\fR\nif set and not empty, nothing is printed in bold or in "
                 "colour\n.TP\n\\fBSCREE_CACHE\\fR\nthe folder for the measured speed of this machine, as an absolute "
                 "path, or off (default: $XDG_CACHE_HOME/scree or ~/.cache/scree)\n");
    section(out, "SEE ALSO");
    for (int i = 0; cli_commands[i]; i++)
        fprintf(out, ".BR scree\\-%s (1)%s\n", cli_commands[i]->name, cli_commands[i + 1] ? "," : "");
}

void cli_help_man(FILE *out, const cli_command *command)
{
    if (command)
        page_command(out, command);
    else
        page_overview(out);
}
