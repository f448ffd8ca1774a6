/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables that name rows and columns of a 10x matrix, lines of cells between tabs without a header. Of features:
 * identifier, symbol and, since the third generation, type. Columns are called by their symbols, an empty one by its
 * identifier; the second that is called x becomes x-1, or the next such name that no feature has, as anndata has it.
 * Where there are several types, those of genes are columns. */

#include "data/tenx.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "data/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 1024, FIRST_SIZE = 1 << 16, MOST_TYPES = 32, FIELDS = 3, COUNTER_SIZE = 24 };

static const char GENES[] = "Gene Expression";

static scree_status fail_memory(const char *file, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for its names", file);
}

/* Room for one text more. */
static scree_status grow(scree__tenx_texts *t, int64_t length, scree__lines *lines, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__budget *budget = scree__bytes_budget(lines->bytes);
    if (t->count == t->room) {
        const int64_t room = t->room > 0 ? 2 * t->room : FIRST_ROOM;
        SCREE_TRY(scree__budget_take(budget, 8 * (room - t->room), lines->file, "its lines", error));
        int64_t *at = realloc(t->at, (size_t)room * sizeof *at);
        if (!at)
            return fail_memory(lines->file, error);
        t->at = at;
        t->room = room;
    }
    if (t->used + length + 1 > t->size) {
        const int64_t wanted = t->used + length + 1;
        const int64_t twice = t->size > 0 ? 2 * t->size : FIRST_SIZE;
        const int64_t size = twice > wanted ? twice : wanted;
        SCREE_TRY(scree__budget_take(budget, size - t->size, lines->file, "its lines", error));
        char *text = realloc(t->text, (size_t)size);
        if (!text)
            return fail_memory(lines->file, error);
        t->text = text;
        t->size = size;
    }
done:
    return status;
}

static scree_status add(scree__tenx_texts *t, const char *text, scree__lines *lines, scree_error *error)
{
    const int64_t length = (int64_t)strlen(text);
    const scree_status status = grow(t, length, lines, error);
    if (status != SCREE_OK)
        return status;
    if (scree__utf8_valid(text, (size_t)length) < (size_t)length)
        return scree__fail(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " is not UTF-8; save the file as UTF-8",
                           lines->file, lines->number);
    t->at[t->count++] = t->used;
    memcpy(t->text + t->used, text, (size_t)length + 1);
    t->used += length + 1;
    return SCREE_OK;
}

const char *scree__tenx_text(const scree__tenx_texts *t, int64_t index)
{
    return t->text + t->at[index];
}

void scree__tenx_texts_clear(scree__tenx_texts *t)
{
    free(t->text);
    free(t->at);
    *t = (scree__tenx_texts){0};
}

/* The next line, which says something; NULL: there is none. */
static scree_status next_line(scree__lines *lines, char **line, scree_error *error)
{
    const scree_status status = scree__lines_next(lines, line, error);
    if (status == SCREE_OK && *line && !**line)
        return scree__fail(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " is empty; copy the file again", lines->file,
                           lines->number);
    return status;
}

scree_status scree__tenx_barcodes_read(scree__tenx_texts *barcodes, const char *path, const scree_read_options *options,
                                       scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__lines lines = {0};
    char *line = NULL;
    SCREE_TRY(scree__lines_open(&lines, path, options, error));
    for (;;) {
        SCREE_TRY(next_line(&lines, &line, error));
        if (!line)
            break;
        line[strcspn(line, "\t")] = 0; /* some tools write more columns */
        SCREE_TRY(add(barcodes, line, &lines, error));
    }
    if (barcodes->count == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: names no cell; copy the file again", lines.file);
done:
    scree__lines_close(&lines);
    return status;
}

/* Features as they are read. */
typedef struct table {
    scree__lines lines;
    scree__tenx_texts symbols;
    uint8_t *type; /* of each symbol, an index */
    int64_t type_room;
    char *types[MOST_TYPES];
    int64_t counts[MOST_TYPES];
    int64_t type_count;
    bool typed; /* lines have types */
} table;

/* The number of a type, a new one where it is met first. */
static scree_status number_type(table *t, const char *name, uint8_t *number, scree_error *error)
{
    int64_t i = 0;
    while (i < t->type_count && strcmp(t->types[i], name) != 0)
        i++;
    if (i == MOST_TYPES)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " has the type '%.60s', and there are %d others; check the third column",
                           t->lines.file, t->lines.number, name, MOST_TYPES);
    if (i == t->type_count) {
        t->types[i] = scree__strdup(name);
        if (!t->types[i])
            return fail_memory(t->lines.file, error);
        t->type_count++;
    }
    t->counts[i]++;
    *number = (uint8_t)i;
    return SCREE_OK;
}

static scree_status take_feature(table *t, char *line, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *fields[FIELDS] = {line, NULL, NULL};
    int64_t count = 1;
    for (char *p = line; count < FIELDS && (p = strchr(p, '\t')); count++) {
        *p++ = 0;
        fields[count] = p;
    }
    if (fields[2])
        fields[2][strcspn(fields[2], "\t")] = 0;
    const char *symbol = fields[1] && *fields[1] ? fields[1] : fields[0];
    if (!*symbol)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " names no feature; copy the file again", t->lines.file,
                   t->lines.number);
    if (t->symbols.count == 0)
        t->typed = count == FIELDS;
    if (t->typed != (count == FIELDS))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " has %" PRId64 " columns, and the lines before have %s; copy the file again",
                   t->lines.file, t->lines.number, count, t->typed ? "three" : "fewer");
    if (t->symbols.count == t->type_room) {
        const int64_t room = t->type_room > 0 ? 2 * t->type_room : FIRST_ROOM;
        uint8_t *type = realloc(t->type, (size_t)room);
        if (!type)
            return fail_memory(t->lines.file, error);
        t->type = type;
        t->type_room = room;
    }
    SCREE_TRY(number_type(t, t->typed ? fields[2] : "", &t->type[t->symbols.count], error));
    SCREE_TRY(add(&t->symbols, symbol, &t->lines, error));
done:
    return status;
}

static scree_status read_table(table *t, const char *path, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    SCREE_TRY(scree__lines_open(&t->lines, path, options, error));
    for (;;) {
        SCREE_TRY(next_line(&t->lines, &line, error));
        if (!line)
            break;
        SCREE_TRY(take_feature(t, line, error));
        if (t->symbols.count >= INT32_MAX)
            SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: has more lines than a matrix has rows; check the file", path);
    }
    if (t->symbols.count == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: names no feature; copy the file again", path);
done:
    return status;
}

static void clear_table(table *t)
{
    scree__lines_close(&t->lines);
    scree__tenx_texts_clear(&t->symbols);
    free(t->type);
    for (int64_t i = 0; i < t->type_count; i++)
        free(t->types[i]);
}

/* "Gene Expression (33538), Antibody Capture (17)" */
static void list_types(const table *t, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int64_t i = 0; i < t->type_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.40s (%" PRId64 ")", i ? ", " : "", t->types[i],
                                 t->counts[i]);
}

/* Which type becomes columns: -1 for all. */
static scree_status choose_type(const table *t, const char *wanted, int64_t *chosen, scree_error *error)
{
    char all[400];
    const char *name = wanted ? wanted : GENES;
    *chosen = -1;
    if (!wanted && t->type_count == 1)
        return SCREE_OK;
    for (int64_t i = 0; i < t->type_count; i++)
        if (t->typed && strcmp(t->types[i], name) == 0)
            *chosen = i;
    if (*chosen >= 0)
        return SCREE_OK;
    list_types(t, all, sizeof all);
    if (!t->typed)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: its features have no types, so that none is '%.60s'; leave "
                           "the type out",
                           t->lines.file, wanted);
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: no feature is of the type '%.60s'; there are %s: choose one of "
                       "these with --dataset",
                       t->lines.file, name, all);
}

/* The name of feature i; *renamed counts those that had to be changed. number: of its symbol among all. */
static scree_status make_unique(char **out, scree__names *names, int64_t *counter, const char *symbol, int64_t number,
                                const char *file, scree_error *error)
{
    const size_t size = strlen(symbol) + COUNTER_SIZE;
    char *name = malloc(size);
    if (!name)
        return fail_memory(file, error);
    for (int64_t before = names->count; names->count == before;) {
        snprintf(name, size, "%s-%" PRId64, symbol, ++counter[number]);
        if (scree__names_number(names, name) < 0) {
            free(name);
            return fail_memory(file, error);
        }
    }
    *out = name;
    return SCREE_OK;
}

/* All names of features, unique; made: count of them, NULL where the symbol itself does. */
static scree_status name_all(char **made, const table *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = t->symbols.count;
    scree__names names = {0};
    int64_t *number = NULL;
    int64_t *counter = NULL;
    bool *again = NULL;
    SCREE_ALLOC(number, count, error);
    SCREE_ALLOC(counter, count, error);
    SCREE_ALLOC(again, count, error);
    for (int64_t i = 0; i < count; i++) {
        const int64_t before = names.count;
        number[i] = scree__names_number(&names, scree__tenx_text(&t->symbols, i));
        again[i] = names.count == before;
        if (number[i] < 0)
            SCREE_TRY(fail_memory(t->lines.file, error));
    }
    for (int64_t i = 0; i < count; i++)
        if (again[i])
            SCREE_TRY(make_unique(&made[i], &names, counter, scree__tenx_text(&t->symbols, i), number[i], t->lines.file,
                                  error));
done:
    scree__names_clear(&names);
    free(number);
    free(counter);
    free(again);
    return status;
}

/* Columns and their names. */
static scree_status take_columns(scree__tenx_features *f, const table *t, int64_t chosen, scree_error *error)
{
    scree_status status = SCREE_OK;
    char **made = NULL;
    const int64_t count = t->symbols.count;
    const int64_t cols = chosen < 0 ? count : t->counts[chosen];
    SCREE_ALLOC(made, count, error);
    SCREE_TRY(name_all(made, t, error));
    SCREE_ALLOC(f->place, count, error);
    SCREE_ALLOC(f->names, cols, error);
    f->count = count;
    for (int64_t i = 0; i < count; i++) {
        const bool kept = chosen < 0 || t->type[i] == chosen;
        f->place[i] = kept ? (int32_t)f->cols : -1;
        if (!kept)
            continue;
        f->renamed += made[i] != NULL;
        f->names[f->cols] = made[i] ? made[i] : scree__strdup(scree__tenx_text(&t->symbols, i));
        made[i] = NULL;
        if (!f->names[f->cols++])
            SCREE_TRY(fail_memory(t->lines.file, error));
    }
done:
    scree__strings_free(made, count);
    return status;
}

scree_status scree__tenx_features_read(scree__tenx_features *f, const char *path, const char *wanted,
                                       const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    table t = {0};
    int64_t chosen = -1;
    SCREE_TRY(read_table(&t, path, options, error));
    SCREE_TRY(choose_type(&t, wanted, &chosen, error));
    SCREE_TRY(take_columns(f, &t, chosen, error));
    f->types = t.type_count;
    if (t.typed && (chosen >= 0 || strcmp(t.types[0], GENES) != 0)) {
        snprintf(f->own, sizeof f->own, "%s", t.types[chosen < 0 ? 0 : chosen]);
        scree__utf8_trim(f->own);
        f->type = f->own;
    }
done:
    clear_table(&t);
    return status;
}

void scree__tenx_features_clear(scree__tenx_features *f)
{
    free(f->place);
    scree__strings_free(f->names, f->cols);
    *f = (scree__tenx_features){0};
}
