/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of Arrow columns. Numbers: integers of all sizes, float, double, half precision and booleans (bits). Texts:
 * UTF-8 with offsets of 32 or 64 bits or by views, plain or as indices into a dictionary; dates and instants are texts,
 * too (arrow_time.c). Row i of an array is value offset + i of its buffers. Cost: one read of what is asked for. */

#include "data/arrow_column.h"

#include "data/elements.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    char format;
    scree_type type;  /* of an element in memory; half precision and booleans have none */
    scree_type block; /* of rows that hold it */
} numbers[] = {
    {'c', SCREE_I8, SCREE_F64},  {'C', SCREE_U8, SCREE_U8},   {'s', SCREE_I16, SCREE_F64}, {'S', SCREE_U16, SCREE_F64},
    {'i', SCREE_I32, SCREE_F64}, {'I', SCREE_U32, SCREE_F64}, {'l', SCREE_I64, SCREE_F64}, {'L', SCREE_U64, SCREE_F64},
    {'f', SCREE_F32, SCREE_F32}, {'g', SCREE_F64, SCREE_F64}, {'e', SCREE_F32, SCREE_F32}, {'b', SCREE_U8, SCREE_U8},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0], INDICES = 8 /* the integers come first */ };

/* Which of the numbers a format is; -1: none. */
static int find_number(const char *format)
{
    for (int i = 0; i < NUMBERS; i++)
        if (format && format[0] == numbers[i].format && format[1] == 0)
            return i;
    return -1;
}

static bool is_text(const char *format)
{
    return format && (strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "vu") == 0);
}

/* Days and milliseconds of dates, and seconds to nanoseconds of instants, which may name a zone. */
static char unit_of(const char *format)
{
    if (format && strcmp(format, "tdD") == 0)
        return 'D';
    if (format && strcmp(format, "tdm") == 0)
        return 'd';
    return format && strncmp(format, "ts", 2) == 0 && format[2] && strchr("smun", format[2]) && format[3] == ':'
               ? format[2]
               : 0;
}

void scree__arrow_column_read(scree__arrow_column *column, const struct ArrowSchema *schema)
{
    const int number = find_number(schema->format);
    const char *text = schema->dictionary ? schema->dictionary->format : schema->format;
    *column = (scree__arrow_column){.kind = SCREE__ARROW_OTHER, .nullable = schema->flags & ARROW_FLAG_NULLABLE};
    if (is_text(text) && (!schema->dictionary || (number >= 0 && number < INDICES))) {
        column->kind = SCREE__ARROW_TEXT;
        column->number = schema->dictionary ? numbers[number].format : 0;
        column->text = text[0];
    } else if (number >= 0 && !schema->dictionary) {
        column->kind = SCREE__ARROW_NUMBER;
        column->number = numbers[number].format;
        column->type = column->nullable && numbers[number].block == SCREE_U8 ? SCREE_F32 : numbers[number].block;
    } else if (unit_of(schema->format) && !schema->dictionary) {
        column->kind = SCREE__ARROW_TIME;
        column->unit = unit_of(schema->format);
        column->zone = schema->format[1] == 's' && schema->format[4] != 0;
    } else if (schema->format && strcmp(schema->format, "n") == 0) {
        column->kind = SCREE__ARROW_EMPTY;
    }
}

static bool texts_fit(const struct ArrowArray *array, char text)
{
    return (text == 'v' ? array->n_buffers >= 2 : array->n_buffers == 3) && array->offset >= 0 && array->length >= 0 &&
           (array->length == 0 || array->buffers[1]);
}

bool scree__arrow_column_fits(const scree__arrow_column *column, const struct ArrowArray *array, int64_t end)
{
    if (!array || array->offset < 0 || array->length < end || !array->buffers)
        return false;
    if (column->kind == SCREE__ARROW_TEXT && column->number)
        return array->n_buffers == 2 && (end == 0 || array->buffers[1]) && array->dictionary &&
               array->dictionary->buffers && texts_fit(array->dictionary, column->text);
    if (column->kind == SCREE__ARROW_TEXT)
        return texts_fit(array, column->text);
    return array->n_buffers == 2 && (end == 0 || array->buffers[1]);
}

static bool bit(const void *bits, int64_t at)
{
    return ((const uint8_t *)bits)[at / 8] >> (at % 8) & 1;
}

static bool is_null(const struct ArrowArray *array, int64_t row)
{
    return array->null_count != 0 && array->buffers[0] && !bit(array->buffers[0], array->offset + row);
}

bool scree__arrow_has_nulls(const struct ArrowArray *array, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count && array->null_count != 0 && array->buffers[0]; k++)
        if (is_null(array, first + k))
            return true;
    return false;
}

static void load_halves(const uint16_t *from, int64_t count, double *to)
{
    uint16_t stored[SCREE__ARROW_STRIP];
    float values[SCREE__ARROW_STRIP];
    memcpy(stored, from, (size_t)count * sizeof *stored);
    scree__elements_convert((scree__element){SCREE__FLOAT, 2, false}, stored, values, count);
    for (int64_t k = 0; k < count; k++)
        to[k] = (double)values[k];
}

static void load_numbers(char format, const void *values, int64_t first, int64_t count, double *to)
{
    const char letter[2] = {format, 0};
    const scree_type type = numbers[find_number(letter)].type;
    if (format == 'b')
        for (int64_t k = 0; k < count; k++)
            to[k] = bit(values, first + k);
    else if (format == 'e')
        load_halves((const uint16_t *)values + first, count, to);
    else
        scree__strided_load(type, (const char *)values + first * scree__element_size(type), 1, count, to);
}

void scree__arrow_numbers(const scree__arrow_column *column, const struct ArrowArray *array, int64_t first,
                          int64_t count, double *to)
{
    load_numbers(column->number, array->buffers[1], array->offset + first, count, to);
    for (int64_t k = 0; k < count; k++)
        if (is_null(array, first + k))
            to[k] = (double)NAN;
}

/* A view: a length, then the text itself, or where it is. */
static const char *view_at(const struct ArrowArray *array, int64_t row, int64_t *length)
{
    enum { VIEW = 16, INLINE = 12 };
    const char *view = (const char *)array->buffers[1] + VIEW * (array->offset + row);
    int32_t words[4];
    memcpy(words, view, sizeof words);
    *length = words[0] > 0 ? words[0] : 0;
    return *length <= INLINE ? view + sizeof *words : (const char *)array->buffers[2 + words[2]] + words[3];
}

static const char *text_at(const struct ArrowArray *array, char text, int64_t row, int64_t *length)
{
    const int64_t at = array->offset + row;
    const void *offsets = array->buffers[1];
    if (text == 'v')
        return view_at(array, row, length);
    const int64_t begin = text == 'U' ? ((const int64_t *)offsets)[at] : ((const int32_t *)offsets)[at];
    const int64_t end = text == 'U' ? ((const int64_t *)offsets)[at + 1] : ((const int32_t *)offsets)[at + 1];
    *length = end > begin && begin >= 0 && array->buffers[2] ? end - begin : 0;
    return *length > 0 ? (const char *)array->buffers[2] + begin : "";
}

/* Integers of 64 bits as they are, all others as the shortest decimal that reads back the same. */
static int64_t print_number(char format, const void *values, int64_t at, char *text)
{
    double value = 0;
    if (format == 'l')
        return snprintf(text, SCREE__NUMBER_SIZE, "%" PRId64, ((const int64_t *)values)[at]);
    if (format == 'L')
        return snprintf(text, SCREE__NUMBER_SIZE, "%" PRIu64, ((const uint64_t *)values)[at]);
    load_numbers(format, values, at, 1, &value);
    return format == 'f' || format == 'e' ? scree__print_float(text, (float)value) : scree__print_double(text, value);
}

bool scree__arrow_index_fits(char format, const struct ArrowArray *array, int64_t row)
{
    double index = 0;
    if (is_null(array, row))
        return true;
    load_numbers(format, array->buffers[1], array->offset + row, 1, &index);
    return index >= 0 && index < (double)array->dictionary->length; /* NaN, for one that no double is, is not */
}

const char *scree__arrow_text(const scree__arrow_column *column, const struct ArrowArray *array, int64_t row,
                              char scratch[SCREE__ARROW_SCRATCH], int64_t *length)
{
    double index = 0;
    *length = 0;
    if (is_null(array, row))
        return "";
    if (column->kind == SCREE__ARROW_TIME) {
        const void *ticks = array->buffers[1];
        const int64_t at = array->offset + row;
        const int64_t value = column->unit == 'D' ? ((const int32_t *)ticks)[at] : ((const int64_t *)ticks)[at];
        *length = scree__arrow_print_time(scratch, column->unit, column->zone, value);
        return scratch;
    }
    if (column->kind == SCREE__ARROW_NUMBER) {
        *length = print_number(column->number, array->buffers[1], array->offset + row, scratch);
        return scratch;
    }
    if (!column->number)
        return text_at(array, column->text, row, length);
    if (!scree__arrow_index_fits(column->number, array, row))
        return "";
    load_numbers(column->number, array->buffers[1], array->offset + row, 1, &index);
    return is_null(array->dictionary, (int64_t)index)
               ? ""
               : text_at(array->dictionary, column->text, (int64_t)index, length);
}
