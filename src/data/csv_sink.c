/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to CSV or TSV: a header, then one line a row, texts in front (and behind, where the shape says so), numbers as
 * short as they read back the same. A text is quoted when it could be misread without. */

#include "base/number.h"
#include "data/text_sink.h"

#include <string.h>

static bool needs_quotes(const char *text, char delimiter)
{
    size_t length = strlen(text);
    if (length > 0 && (text[0] == ' ' || text[length - 1] == ' '))
        return true;
    return strpbrk(text, "\"\r\n") != NULL || strchr(text, delimiter) != NULL;
}

/* A spreadsheet would run it. What is a number runs nothing. */
static bool is_formula(const char *text)
{
    double value = 0;
    const char *end = text + strlen(text);
    return *text && strchr("=+-@\t\r", *text) && scree__parse_double(text, end, &value) != end;
}

/* A cell of text, what stands in front of it (a letter or nothing), and the delimiter after it. */
static bool put_cell(scree__text *to, const char *front, const char *text, char delimiter)
{
    if (!scree__text_reserve(to, 2 * (int64_t)strlen(text) + 4))
        return false;
    char *p = to->bytes + to->size;
    bool quotes = needs_quotes(text, delimiter);
    if (quotes)
        *p++ = '"';
    if (*front)
        *p++ = *front;
    for (; *text; text++) {
        if (*text == '"')
            *p++ = '"';
        *p++ = *text;
    }
    if (quotes)
        *p++ = '"';
    *p++ = delimiter;
    to->size = p - to->bytes;
    return true;
}

/* The same on a terminal, which must not be steered by it. */
static bool put_visible(scree__text *to, const char *front, const char *text, char delimiter)
{
    const size_t size = scree_text_visible(NULL, 0, text) + 1;
    char *shown = malloc(size);
    if (!shown)
        return false;
    scree_text_visible(shown, size, text);
    const bool fine = put_cell(to, front, shown, delimiter);
    free(shown);
    return fine;
}

static bool put_text(const scree__text_sink *sink, const char *text, scree__text *to)
{
    const char delimiter = sink->format->delimiter;
    const char *formula = sink->spreadsheet && is_formula(text) ? "'" : "";
    return sink->visible ? put_visible(to, formula, text, delimiter) : put_cell(to, formula, text, delimiter);
}

static bool put_numbers(scree__text *to, const double *values, int64_t count, char delimiter)
{
    if (!scree__text_reserve(to, count * SCREE__NUMBER_SIZE))
        return false;
    char *p = to->bytes + to->size;
    for (int64_t i = 0; i < count; i++) {
        p += scree__print_double(p, values[i]);
        *p++ = delimiter;
    }
    to->size = p - to->bytes;
    return true;
}

/* The delimiter after the last cell becomes the end of the line. */
static bool put_row(const scree__text_sink *sink, int64_t row, const double *values, const char *const *texts,
                    scree__text *to)
{
    const char delimiter = sink->format->delimiter;
    (void)row;
    for (int64_t i = 0; i < sink->text_front; i++)
        if (!put_text(sink, texts ? texts[i] : "", to))
            return false;
    if (!put_numbers(to, values, sink->cols, delimiter))
        return false;
    for (int64_t i = sink->text_front; i < sink->text_count; i++)
        if (!put_text(sink, texts ? texts[i] : "", to))
            return false;
    to->bytes[to->size - 1] = '\n';
    return true;
}

static bool put_header(scree__text_sink *sink, const scree__sink_shape *shape, scree__text *to)
{
    for (int64_t i = 0; i < shape->text_count + shape->cols; i++) {
        char number[24];
        if (!put_text(sink, scree__sink_heading(shape, i, number), to))
            return false;
    }
    if (to->size > 0)
        to->bytes[to->size - 1] = '\n';
    return true;
}

static const scree__text_format csv_format = {
    .table = SCREE__TEXT_TABLE("csv"), .delimiter = ',', .head = put_header, .row = put_row};
static const scree__text_format tsv_format = {
    .table = SCREE__TEXT_TABLE("tsv"), .delimiter = '\t', .head = put_header, .row = put_row};

static scree_status open_with(scree_sink **out, const char *path, const scree__text_format *format,
                              const scree_write_options *options, scree_error *error)
{
    const scree_status status = scree__text_open(out, path, format, options->append, error);
    if (status == SCREE_OK)
        ((scree__text_sink *)*out)->spreadsheet = options->spreadsheet;
    return status;
}

static scree_status csv_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    return open_with(out, path, &csv_format, options, error);
}

static scree_status tsv_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    return open_with(out, path, &tsv_format, options, error);
}

static const char *const csv_extensions[] = {"csv", "txt", NULL};
static const char *const tsv_extensions[] = {"tsv", "tab", NULL};

const scree__writer scree__writer_csv = {"csv", csv_extensions, csv_open, "comma-separated text"};
const scree__writer scree__writer_tsv = {"tsv", tsv_extensions, tsv_open, "tab-separated text"};
