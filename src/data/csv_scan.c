/* SPDX-License-Identifier: BSD-3-Clause */
/* Records and cells after RFC 4180, and a little more: LF or CRLF, quotes that may hold delimiters, line breaks and
 * doubled quotes. A quote opens a cell only as its first character; elsewhere it is a character like any other. When
 * the delimiter is a space, a run of spaces is one delimiter. Cells are looked at in place. */

#include "data/csv.h"

#include "base/utf8.h"

#include <string.h>

/* The quote that closes the one at p, or NULL. */
static char *closing_quote(char *p, const char *end)
{
    for (p++; (p = memchr(p, '"', (size_t)(end - p))) != NULL; p += 2)
        if (p + 1 == end || p[1] != '"')
            return p;
    return NULL;
}

char *scree__csv_record_end(char *p, const char *end, char delimiter, char **open)
{
    const char *record = p;
    *open = NULL;
    for (;;) {
        char *line = memchr(p, '\n', (size_t)(end - p));
        if (!line)
            return NULL;
        char *quote = memchr(p, '"', (size_t)(line - p));
        while (quote && quote != record && quote[-1] != delimiter)
            quote = memchr(quote + 1, '"', (size_t)(line - quote - 1));
        if (!quote)
            return line + 1;
        char *close = closing_quote(quote, end);
        if (!close) {
            *open = quote;
            return NULL;
        }
        p = close + 1;
    }
}

static char *skip_spaces(char *p)
{
    while (*p == ' ')
        p++;
    return p;
}

bool scree__csv_is_blank(char *p, char **next)
{
    p = skip_spaces(p);
    p += *p == '\r';
    *next = p + 1;
    return *p == '\n';
}

/* After the quote that closes the one at p; the record being whole, there is one. */
static char *skip_quoted(char *p, int64_t *wrap)
{
    do {
        for (p++; *p != '"'; p++)
            *wrap += *p == '\n';
        p++;
    } while (*p == '"');
    return p;
}

static void trim(scree__csv_cell *cell)
{
    if (cell->last && cell->end > cell->begin && cell->end[-1] == '\r')
        cell->end--;
    while (cell->end > cell->begin && cell->end[-1] == ' ')
        cell->end--;
    while (cell->end > cell->begin && *cell->begin == ' ')
        cell->begin++;
}

void scree__csv_cell_read(scree__csv_cell *cell, char *p, char delimiter)
{
    cell->wrap = 0;
    cell->begin = p = delimiter == ' ' ? skip_spaces(p) : p;
    cell->quoted = *p == '"';
    if (cell->quoted)
        p = skip_quoted(p, &cell->wrap);
    while (*p != delimiter && *p != '\n')
        p++;
    cell->end = p;
    if (delimiter == ' ') {
        p = skip_spaces(p);
        p += p[0] == '\r' && p[1] == '\n';
        cell->last = *p == '\n';
        cell->next = p + cell->last;
    } else {
        cell->last = *p == '\n';
        cell->next = p + 1;
    }
    trim(cell);
}

int64_t scree__csv_cell_text(const scree__csv_cell *cell, char *out)
{
    const char *p = cell->begin;
    char *to = out;
    if (cell->quoted) {
        for (p++; *p != '"' || p[1] == '"'; p++) {
            p += *p == '"';
            *to++ = *p;
        }
        p++;
    }
    while (p < cell->end)
        *to++ = *p++;
    *to = 0;
    return to - out;
}

bool scree__csv_is_utf8(const char **text, int64_t size)
{
    const size_t valid = scree__utf8_valid(*text, (size_t)size);
    const char *zero = memchr(*text, 0, valid);
    *text = zero ? zero : *text + valid;
    return !zero && valid == (size_t)size;
}

scree_status scree__csv_fail_encoding(const char *at, const char *file, int64_t line, int64_t field, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: line %lld, column %lld: byte 0x%02x is not UTF-8; save the file as UTF-8, or name its "
                       "encoding, such as --encoding windows-1252",
                       file, (long long)line, (long long)(field + 1), (unsigned)(unsigned char)*at);
}
