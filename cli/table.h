/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TABLE_H
#define SCREE_CLI_TABLE_H

/* Tables of text, aligned by what a reader sees (UTF-8 letters, not bytes). The first row is the heading. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_table cli_table;

/* align: a letter a column, l or r. */
cli_table *cli_table_new(const char *align);
/* The next cell, row by row. */
void cli_table_cell(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The row that was begun last is printed in bold, on terminals that can. */
void cli_table_mark(cli_table *table);
void cli_table_print(const cli_table *table, FILE *out);
void cli_table_free(cli_table *table);

/* Bold is for terminals, and not where NO_COLOR says no. Returns an escape sequence or "". */
const char *cli_bold(FILE *out, bool on);

/* Letters of a UTF-8 text. */
int cli_width(const char *text);

#endif
