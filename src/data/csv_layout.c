/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of each column of the file: a value of the row, a text carried along, or nothing. The label and id
 * columns of the options are carried, and without a label every column of text; the columns of the options, or else all
 * columns of numbers, are values. The note says what was guessed. */

#include "data/csv.h"

#include "base/memory.h"
#include "data/columns.h"
#include "data/source.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* columns that the note names at most */

/* *column is left as it is when name is NULL. */
static scree_status carry(scree__csv_layout *layout, int64_t *column, const scree__csv_guess *guess, const char *name,
                          const char *file, scree_error *error)
{
    if (!name)
        return SCREE_OK;
    scree_status status = scree__columns_find(column, name, guess->names, guess->fields, file, error);
    if (status == SCREE_OK)
        layout->field[*column].use = SCREE__CSV_CARRY;
    return status;
}

static void name_of(const scree__csv_guess *guess, int64_t column, char *buffer, size_t size)
{
    if (guess->names)
        snprintf(buffer, size, "'%.100s'", guess->names[column]);
    else
        snprintf(buffer, size, "%lld", (long long)(column + 1));
}

/* *column is left as it is when there are no weights. */
static scree_status find_weights(int64_t *column, const scree__csv_layout *layout, const scree__csv_guess *guess,
                                 const char *name, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!name)
        return SCREE_OK;
    SCREE_TRY(scree__columns_find(column, name, guess->names, guess->fields, file, error));
    if (layout->field[*column].use == SCREE__CSV_CARRY)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: column '%.200s' is asked for as weights and as label or id; name it as one of them", file,
                   name);
    if (guess->is_text[*column])
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: column '%.200s' holds text, and weights are numbers; name another",
                   file, name);
done:
    return status;
}

/* The columns that the user chose, in the user's order. */
static scree_status choose(scree__csv_layout *layout, const scree__csv_guess *guess, const char *spec, int64_t weights,
                           const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *chosen = NULL;
    int64_t count;
    char name[128];
    SCREE_TRY(scree__columns_parse(&chosen, &count, spec, guess->names, guess->fields, file, error));
    for (int64_t i = 0; i < count; i++) {
        scree__csv_field *field = &layout->field[chosen[i]];
        if (field->use == SCREE__CSV_CARRY || chosen[i] == weights)
            continue;
        if (guess->is_text[chosen[i]]) {
            name_of(guess, chosen[i], name, sizeof name);
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: column %s holds text, not numbers; leave it out of the columns",
                       file, name);
        }
        *field = (scree__csv_field){SCREE__CSV_VALUE, layout->cols++, 0};
    }
done:
    free(chosen);
    return status;
}

static void choose_all(scree__csv_layout *layout, const scree__csv_guess *guess, int64_t weights)
{
    if (guess->empty_end && weights != guess->fields - 1 && layout->field[guess->fields - 1].use == SCREE__CSV_SKIP)
        layout->field[guess->fields - 1].use = SCREE__CSV_EMPTY;
    for (int64_t i = 0; i < guess->fields; i++)
        if (layout->field[i].use == SCREE__CSV_SKIP && !guess->is_text[i] && i != weights)
            layout->field[i] = (scree__csv_field){SCREE__CSV_VALUE, layout->cols++, 0};
}

/* A text column without a header is called after its number, as the writer does. */
static scree_status name_columns(const scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    source->about.cols = layout->cols;
    source->about.text_count = layout->text_count;
    if (guess->names)
        SCREE_ALLOC(source->about.columns, layout->cols, error);
    else
        SCREE_ALLOC(source->about.file_column, layout->cols, error);
    SCREE_ALLOC(source->about.text_names, layout->text_count, error);
    for (int64_t i = 0; i < guess->fields; i++) {
        scree__csv_field field = layout->field[i];
        char number[24];
        snprintf(number, sizeof number, "c%lld", (long long)(i + 1));
        if (field.use == SCREE__CSV_VALUE && source->about.file_column)
            source->about.file_column[field.place] = i;
        char **name = field.use == SCREE__CSV_CARRY                            ? &source->about.text_names[field.place]
                      : field.use == SCREE__CSV_VALUE && source->about.columns ? &source->about.columns[field.place]
                                                                               : NULL;
        if (!name)
            continue;
        *name = scree__strdup(guess->names ? guess->names[i] : number);
        if (!*name)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns", source->about.path);
    }
done:
    return status;
}

/* All columns of text, carried along or not, where they have names. */
static scree_status name_texts(scree_source *source, const scree__csv_guess *guess, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_columns *texts = &source->about.texts;
    int64_t count = 0;
    for (int64_t i = 0; guess->names && i < guess->fields; i++)
        count += guess->is_text[i];
    SCREE_ALLOC(texts->names, count, error);
    SCREE_ALLOC(texts->lines, count, error);
    for (int64_t i = 0; texts->count < count; i++) {
        if (!guess->is_text[i])
            continue;
        texts->lines[texts->count] = guess->text_lines[i];
        texts->names[texts->count] = scree__strdup(guess->names[i]);
        if (!texts->names[texts->count++])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns", source->about.path);
    }
done:
    return status;
}

/* A line that grows by parts, cut off when it is full. */
typedef struct line {
    char text[640];
    size_t length;
} line;

static void append(line *to, const char *text)
{
    size_t space = sizeof to->text - 1 - to->length;
    size_t length = strlen(text) < space ? strlen(text) : space;
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = 0;
}

/* A part of its own, after a comma. */
static void append_part(line *to, const char *text)
{
    if (to->length > 0)
        append(to, ", ");
    append(to, text);
}

static const char *separation(char delimiter)
{
    switch (delimiter) {
    case ',':
        return "comma-separated";
    case '\t':
        return "tab-separated";
    case ';':
        return "semicolon-separated";
    case '|':
        return "bar-separated";
    default:
        return "space-separated";
    }
}

/* "label columns 'a', 'b'", for the columns of text that have this use; the id was not guessed. */
static void note_texts(line *note, const scree__csv_layout *layout, const scree__csv_guess *guess, int64_t id,
                       scree__csv_use use)
{
    int64_t count = 0;
    int64_t named = 0;
    char name[128];
    for (int64_t i = 0; i < guess->fields; i++)
        count += i != id && guess->is_text[i] && layout->field[i].use == use;
    if (count == 0)
        return;
    append_part(note, use == SCREE__CSV_CARRY ? "label column" : "leaving out text column");
    append(note, count > 1 ? "s " : " ");
    for (int64_t i = 0; i < guess->fields && named < NAMED; i++)
        if (i != id && guess->is_text[i] && layout->field[i].use == use) {
            name_of(guess, i, name, sizeof name);
            append(note, named++ > 0 ? ", " : "");
            append(note, name);
        }
    if (count > NAMED) {
        snprintf(name, sizeof name, " and %lld more", (long long)(count - NAMED));
        append(note, name);
    }
}

static scree_status write_note(const scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                               int64_t id, const scree_read_options *options, scree_error *error)
{
    line note = {{0}, 0};
    if (!options->delimiter)
        append_part(&note, separation(guess->delimiter));
    if (guess->decimal_comma)
        append_part(&note, "decimal comma");
    if (options->header < 0)
        append_part(&note, guess->header ? "header" : "no header");
    if (!options->label)
        note_texts(&note, layout, guess, id, SCREE__CSV_CARRY);
    if (!options->columns)
        note_texts(&note, layout, guess, id, SCREE__CSV_SKIP);
    if (layout->field[guess->fields - 1].use == SCREE__CSV_EMPTY)
        append_part(&note, "leaving out the empty column at the end");
    if (guess->comments > 0) {
        char part[64];
        snprintf(part, sizeof part, "%lld comment line%s skipped", (long long)guess->comments,
                 guess->comments == 1 ? "" : "s");
        append_part(&note, part);
    }
    if (note.length == 0)
        return SCREE_OK;
    source->about.note = scree__strdup(note.text);
    return source->about.note ? SCREE_OK
                              : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", source->about.path);
}

static bool has_origin(const scree__csv_layout *layout, int64_t place)
{
    return layout->origin && layout->origin[place].magnitude > 0;
}

void scree__csv_find_runs(scree__csv_layout *layout)
{
    for (int64_t i = layout->fields - 1; i >= 0; i--) {
        scree__csv_field *field = &layout->field[i];
        const bool goes_on = i + 1 < layout->fields && field[1].run > 0 && field[1].place == field->place + 1;
        const bool plain = field->use == SCREE__CSV_VALUE && !has_origin(layout, field->place);
        field->run = plain ? 1 + (goes_on ? field[1].run : 0) : 0;
    }
}

scree_status scree__csv_layout_make(scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                                    const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = source->about.path;
    int64_t label = -1;
    int64_t id = -1;
    int64_t weights = -1;
    layout->delimiter = guess->delimiter;
    layout->decimal_comma = guess->decimal_comma;
    layout->fields = guess->fields;
    SCREE_ALLOC(layout->field, guess->fields, error);
    SCREE_TRY(carry(layout, &label, guess, options->label, file, error));
    SCREE_TRY(carry(layout, &id, guess, options->id, file, error));
    if (label >= 0 && label == id)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: column '%.200s' is asked for as label and as id; name it as one of them", file, options->id);
    SCREE_TRY(find_weights(&weights, layout, guess, options->weights, file, error));
    if (options->columns)
        SCREE_TRY(choose(layout, guess, options->columns, weights, file, error));
    else
        choose_all(layout, guess, weights);
    if (layout->cols == 0 && weights >= 0)
        SCREE_TRY(scree__columns_none_left(file, options->weights, error));
    if (layout->cols == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: no column holds numbers; is the delimiter right?", file);
    if (weights >= 0) /* last of all: weighted.c takes it from there */
        layout->field[weights] = (scree__csv_field){SCREE__CSV_VALUE, layout->cols++, 0};
    for (int64_t i = 0; i < guess->fields; i++) {
        scree__csv_field *field = &layout->field[i];
        if (field->use == SCREE__CSV_CARRY || (field->use == SCREE__CSV_SKIP && guess->is_text[i] && !options->label))
            *field = (scree__csv_field){SCREE__CSV_CARRY, layout->text_count++, 0};
    }
    source->about.text_label = label >= 0 ? layout->field[label].place + 1 : 0;
    source->about.text_id = id >= 0 ? layout->field[id].place + 1 : 0;
    scree__csv_find_runs(layout);
    SCREE_TRY(name_columns(layout, source, guess, error));
    SCREE_TRY(name_texts(source, guess, error));
    source->about.only_header = guess->only_header;
    SCREE_TRY(write_note(layout, source, guess, id, options, error));
done:
    return status;
}
