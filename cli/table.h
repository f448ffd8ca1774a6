/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TABLE_H
#define SCREE_CLI_TABLE_H

/* Tables of text, aligned by visible width (UTF-8 characters, not bytes). The first row is the heading. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_table cli_table;

/* align: a letter per column, l or r. */
cli_table *cli_table_new(const char *align);
/* Adds the next cell, row by row. */
void cli_table_cell(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the current row in bold, if the terminal can. */
void cli_table_mark(cli_table *table);
void cli_table_print(const cli_table *table, FILE *out);
void cli_table_free(cli_table *table);

/* The escape sequence for bold on or off; "" if out is not a terminal, or NO_COLOR is set. */
const char *cli_bold(FILE *out, bool on);

/* Number of characters in a UTF-8 text. */
int cli_width(const char *text);

#endif
