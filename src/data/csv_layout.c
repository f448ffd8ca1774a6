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

/* Which columns the options name. */
typedef struct choice {
    int64_t label; /* -1: none, as the next two */
    int64_t id;
    int64_t weights;
    bool *excluded; /* fields, or NULL */
} choice;

/* The columns that the user chose, in the user's order. */
static scree_status choose(scree__csv_layout *layout, const scree__csv_guess *guess, const choice *made,
                           const char *spec, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *chosen = NULL;
    int64_t count;
    char name[128];
    SCREE_TRY(scree__columns_parse(&chosen, &count, spec, guess->names, guess->fields, file, error));
    for (int64_t i = 0; i < count; i++) {
        scree__csv_field *field = &layout->field[chosen[i]];
        if (field->use == SCREE__CSV_CARRY || chosen[i] == made->weights ||
            (made->excluded && made->excluded[chosen[i]]))
            continue;
        if (guess->is_text[chosen[i]]) {
            name_of(guess, chosen[i], name, sizeof name);
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: column %s holds text, not numbers; leave it out of the columns",
                       file, name);
        }
        *field = (scree__csv_field){.use = SCREE__CSV_VALUE, .place = layout->cols++};
    }
done:
    free(chosen);
    return status;
}

static void choose_all(scree__csv_layout *layout, const scree__csv_guess *guess, const choice *made)
{
    for (int64_t i = 0; i < guess->fields; i++) {
        scree__csv_field *field = &layout->field[i];
        if (field->use != SCREE__CSV_SKIP || i == made->weights || (made->excluded && made->excluded[i]))
            continue;
        if (guess->is_empty && guess->is_empty[i])
            field->use = SCREE__CSV_EMPTY;
        else if (!guess->is_text[i])
            *field = (scree__csv_field){.use = SCREE__CSV_VALUE, .place = layout->cols++};
    }
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

/* A line that grows by parts. */
typedef struct line {
    char *text; /* NULL: nothing yet, or there is no memory */
    size_t length;
    bool failed;
} line;

static void append(line *to, const char *text)
{
    const size_t length = strlen(text);
    char *longer = to->failed ? NULL : realloc(to->text, to->length + length + 1);
    if (!longer) {
        to->failed = true;
        return;
    }
    memcpy(longer + to->length, text, length + 1);
    to->text = longer;
    to->length += length;
}

/* A part of its own, after a comma. */
static void append_part(line *to, const char *text)
{
    if (to->length > 0)
        append(to, ", ");
    append(to, text);
}

/* The same with a number, and with an s where that is not 1. */
static void append_count(line *to, const char *before, int64_t count, const char *what, const char *after)
{
    char part[128];
    snprintf(part, sizeof part, "%s%lld %s%s%s", before, (long long)count, what, count == 1 ? "" : "s", after);
    append_part(to, part);
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
static void note_texts(line *note, const scree__csv_layout *layout, const scree__csv_guess *guess, const choice *made,
                       scree__csv_use use)
{
    int64_t count = 0;
    int64_t named = 0;
    char name[128];
    for (int64_t i = 0; i < guess->fields; i++)
        count +=
            i != made->id && guess->is_text[i] && layout->field[i].use == use && !(made->excluded && made->excluded[i]);
    if (count == 0)
        return;
    append_part(note, use == SCREE__CSV_CARRY ? "label column" : "leaving out text column");
    append(note, count > 1 ? "s " : " ");
    for (int64_t i = 0; i < guess->fields && named < count; i++)
        if (i != made->id && guess->is_text[i] && layout->field[i].use == use &&
            !(made->excluded && made->excluded[i])) {
            name_of(guess, i, name, sizeof name);
            append(note, named++ > 0 ? ", " : "");
            append(note, name);
        }
}

/* What was left out or read in another way than it stands there. */
static void note_odds(line *note, const scree__csv_layout *layout, const scree__csv_guess *guess)
{
    int64_t empty = 0;
    int64_t percents = 0;
    char name[128];
    for (int64_t i = 0; i < guess->fields; i++)
        empty += layout->field[i].use == SCREE__CSV_EMPTY;
    if (empty == 1 && layout->field[guess->fields - 1].use == SCREE__CSV_EMPTY)
        append_part(note, "leaving out the empty column at the end");
    else if (empty > 0)
        append_count(note, "leaving out ", empty, "empty column", "");
    for (int64_t i = 0; i < guess->fields; i++)
        if (layout->field[i].percent) {
            name_of(guess, i, name, sizeof name);
            append_part(note, percents++ == 0 ? "per cent signs taken off column " : "");
            append(note, name);
        }
    if (guess->row_names)
        append_part(note, "the first column has no name in the header and names the rows");
    if (guess->row_numbers)
        append_part(note, "the first column has no name and numbers the rows, and is left out (--columns takes it in)");
    if (guess->comments > 0)
        append_count(note, "", guess->comments, "comment line", " skipped");
    if (guess->titles > 0)
        append_count(note, "", guess->titles, "line", " above the table skipped");
}

static scree_status write_note(const scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                               const choice *made, const scree_read_options *options, scree_error *error)
{
    line note = {NULL, 0, false};
    if (guess->encoding) {
        append_part(&note, "read as ");
        append(&note, guess->encoding);
    }
    if (!options->delimiter)
        append_part(&note, separation(guess->delimiter));
    if (guess->syntax.decimal_comma && !options->decimal)
        append_part(&note, "decimal comma");
    if (guess->syntax.thousands && !options->decimal)
        append_part(&note, guess->syntax.decimal_comma ? "thousands grouped by points" : "thousands grouped by commas");
    if (options->header < 0)
        append_part(&note, guess->header ? "header" : "no header");
    if (!options->label)
        note_texts(&note, layout, guess, made, SCREE__CSV_CARRY);
    if (!options->columns)
        note_texts(&note, layout, guess, made, SCREE__CSV_SKIP);
    note_odds(&note, layout, guess);
    if (note.failed) {
        free(note.text);
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", source->about.path);
    }
    source->about.note = note.text;
    return SCREE_OK;
}

scree_status scree__csv_note_end(scree_source *source, const scree__csv_na *na, const int64_t *missing, int64_t empty,
                                 scree_error *error)
{
    line note = {source->about.note, source->about.note ? strlen(source->about.note) : 0, false};
    const size_t before = note.length;
    char part[128];
    if (empty > 0)
        append_count(&note, "", empty, "empty line", " at the end left out");
    int named = 0;
    for (int i = 0; i < SCREE__CSV_WORDS; i++)
        if (missing[i] > 0 && scree__csv_word_text(na, i)) {
            snprintf(part, sizeof part, "%s%lld '%.60s'", named++ == 0 ? "taken as missing: " : "",
                     (long long)missing[i], scree__csv_word_text(na, i));
            append_part(&note, part);
        }
    source->about.note = note.text;
    if (note.length > before)
        source->about.note_late = 1 + (int64_t)before + (before > 0 ? 2 : 0); /* behind the comma */
    return note.failed ? scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", source->about.path) : SCREE_OK;
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
        const bool plain = field->use == SCREE__CSV_VALUE && !field->percent && !has_origin(layout, field->place);
        field->run = plain ? 1 + (goes_on ? field[1].run : 0) : 0;
    }
}

/* Whom the options name, by their numbers. */
static scree_status find_choice(choice *made, scree__csv_layout *layout, const scree__csv_guess *guess,
                                const scree_read_options *options, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__columns_exclude(&made->excluded, options->exclude, guess->names, guess->fields, file, error));
    SCREE_TRY(carry(layout, &made->label, guess, options->label, file, error));
    SCREE_TRY(carry(layout, &made->id, guess, options->id, file, error));
    if (made->label >= 0 && made->label == made->id)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: column '%.200s' is asked for as label and as id; name it as one of them", file, options->id);
    SCREE_TRY(find_weights(&made->weights, layout, guess, options->weights, file, error));
done:
    return status;
}

/* The places of texts, and which numbers have per cent signs. */
static void place_texts(scree__csv_layout *layout, const scree__csv_guess *guess, const choice *made)
{
    for (int64_t i = 0; i < guess->fields; i++) {
        scree__csv_field *field = &layout->field[i];
        const bool excluded = made->excluded && made->excluded[i];
        if (field->use == SCREE__CSV_CARRY ||
            (field->use == SCREE__CSV_SKIP && guess->is_text[i] && made->label < 0 && !excluded))
            *field = (scree__csv_field){.use = SCREE__CSV_CARRY, .place = layout->text_count++};
        field->percent = field->use == SCREE__CSV_VALUE && guess->is_percent && guess->is_percent[i];
    }
}

scree_status scree__csv_layout_make(scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                                    const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = source->about.path;
    choice made = {.label = -1, .id = -1, .weights = -1};
    layout->delimiter = guess->delimiter;
    layout->syntax = guess->syntax;
    layout->fields = guess->fields;
    SCREE_ALLOC(layout->field, guess->fields, error);
    SCREE_TRY(find_choice(&made, layout, guess, options, file, error));
    if (options->columns)
        SCREE_TRY(choose(layout, guess, &made, options->columns, file, error));
    else
        choose_all(layout, guess, &made);
    if (layout->cols == 0 && made.weights >= 0)
        SCREE_TRY(scree__columns_none_left(file, options->weights, error));
    if (layout->cols == 0 && made.excluded)
        SCREE_TRY(scree__columns_all_excluded(file, error));
    if (layout->cols == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: no column holds numbers; give the delimiter, or skip lines above the table with --skip", file);
    if (made.weights >= 0) /* last of all: weighted.c takes it from there */
        layout->field[made.weights] = (scree__csv_field){.use = SCREE__CSV_VALUE, .place = layout->cols++};
    place_texts(layout, guess, &made);
    source->about.text_label = made.label >= 0 ? layout->field[made.label].place + 1 : 0;
    source->about.text_id = made.id >= 0 ? layout->field[made.id].place + 1 : 0;
    scree__csv_find_runs(layout);
    SCREE_TRY(name_columns(layout, source, guess, error));
    SCREE_TRY(name_texts(source, guess, error));
    source->about.only_header = guess->only_header;
    SCREE_TRY(write_note(layout, source, guess, &made, options, error));
done:
    free(made.excluded);
    return status;
}
