/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables: cells are stored as text; each column is printed as wide as its widest cell, with two blanks between columns
 * and none at the end of a line. */

#include "table.h"
#include "cli.h"
#include "together.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELL = 4096 };

struct cli_table {
    char **cells;
    int64_t count;
    int64_t capacity;
    int64_t marked; /* row */
    int columns;
    char align[32];
};

cli_table *cli_table_new(const char *align)
{
    cli_table *table = cli_alloc(1, sizeof *table);
    snprintf(table->align, sizeof table->align, "%s", align);
    table->columns = (int)strlen(table->align);
    return table;
}

void cli_table_cell(cli_table *table, const char *format, ...)
{
    va_list list;
    char text[CELL];
    if (table->count == table->capacity) {
        const int64_t capacity = table->capacity ? 2 * table->capacity : 256;
        char **cells = cli_alloc((size_t)capacity, sizeof *cells);
        if (table->count)
            memcpy(cells, table->cells, (size_t)table->count * sizeof *cells);
        free(table->cells);
        table->cells = cells;
        table->capacity = capacity;
    }
    va_start(list, format);
    cli_format_list(text, sizeof text, format, list);
    va_end(list);
    char *cell = cli_alloc(strlen(text) + 1, 1);
    memcpy(cell, text, strlen(text));
    table->cells[table->count++] = cell;
}

void cli_table_mark(cli_table *table)
{
    table->marked = (table->count - 1) / table->columns;
}

int cli_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static int column_width(const cli_table *table, int column)
{
    int widest = 0;
    for (int64_t i = column; i < table->count; i += table->columns) {
        const int width = cli_width(table->cells[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void print_row(const cli_table *table, int64_t row, const int *widths, FILE *out)
{
    int blanks = 0; /* printed only if something follows */
    for (int j = 0; j < table->columns && row * table->columns + j < table->count; j++) {
        const char *cell = table->cells[row * table->columns + j];
        const int slack = widths[j] - cli_width(cell);
        const bool right = table->align[j] == 'r';
        blanks += j ? 2 : 0;
        if (*cell) {
            cli_print(out, "%*s%s", blanks + (right ? slack : 0), "", cell);
            blanks = right ? 0 : slack;
        } else {
            blanks += slack;
        }
    }
}

void cli_table_print(const cli_table *table, FILE *out)
{
    int widths[sizeof table->align];
    for (int j = 0; j < table->columns; j++)
        widths[j] = column_width(table, j);
    for (int64_t row = 0; row * table->columns < table->count; row++) {
        const bool bold = row == 0 || row == table->marked;
        if (bold)
            fputs(cli_bold(out, true), out);
        print_row(table, row, widths, out);
        if (bold)
            fputs(cli_bold(out, false), out);
        fputc('\n', out);
    }
}

void cli_table_free(cli_table *table)
{
    for (int64_t i = 0; table && i < table->count; i++)
        free(table->cells[i]);
    if (table)
        free(table->cells);
    free(table);
}

const char *cli_bold(FILE *out, bool on)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const bool passed_on = cli_together_with() != NULL; /* Open MPI's mpirun gives a terminal to whoever it starts */
    if ((refused && *refused) || !terminal || strcmp(terminal, "dumb") == 0 || !isatty(fileno(out)) || passed_on)
        return "";
    return on ? "\033[1m" : "\033[0m";
}
