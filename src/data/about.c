/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the description of rows. A copy is made whole: numbers first, then one pointer after the other, so that
 * there is never one that two own. */

#include "data/about.h"

#include "base/memory.h"

bool scree__text_columns_copy(scree__text_columns *to, const scree__text_columns *from)
{
    if (from->count == 0)
        return true;
    to->names = scree__strings_copy((const char *const *)from->names, from->count);
    to->lines = scree__alloc_raw(from->count, sizeof *to->lines);
    to->count = to->names ? from->count : 0;
    for (int64_t i = 0; to->lines && i < from->count; i++)
        to->lines[i] = from->lines[i];
    return to->names && to->lines;
}

void scree__text_columns_clear(scree__text_columns *texts)
{
    scree__strings_free(texts->names, texts->count);
    free(texts->lines);
    *texts = (scree__text_columns){0};
}

void scree__about_clear(scree__about *about)
{
    scree__text_columns_clear(&about->texts);
    scree__strings_free(about->columns, about->cols);
    scree__strings_free(about->facts, about->cols * about->fact_count);
    scree__strings_free(about->fact_names, about->fact_count);
    scree__strings_free(about->text_names, about->text_count);
    free(about->file_column);
    free(about->path);
    free(about->note);
    free(about->weight_name);
    *about = (scree__about){0};
}

/* *to = a copy of text; false: out of memory. */
static bool copy_text(char **to, const char *text)
{
    *to = scree__strdup(text);
    return *to || !text;
}

static bool copy_names(char ***to, char **names, int64_t count)
{
    *to = scree__strings_copy((const char *const *)names, count);
    return *to || !names;
}

/* Of columns index[0..], or of all where index is NULL. */
static bool copy_columns(scree__about *to, const scree__about *from, const int64_t *index)
{
    if (!index && !copy_names(&to->columns, from->columns, to->cols))
        return false;
    if (index && from->columns) {
        to->columns = scree__alloc(to->cols, sizeof *to->columns);
        for (int64_t j = 0; to->columns && j < to->cols; j++)
            if (!copy_text(&to->columns[j], from->columns[index[j]]))
                return false;
    }
    if (!index && !from->file_column)
        return true;
    to->file_column = scree__alloc(to->cols, sizeof *to->file_column);
    for (int64_t j = 0; to->file_column && j < to->cols; j++) {
        const int64_t column = index ? index[j] : j;
        to->file_column[j] = from->file_column ? from->file_column[column] : column;
    }
    return to->file_column && (to->columns || !from->columns);
}

/* The facts about columns index[0..], or about all where index is NULL. */
static bool copy_facts(scree__about *to, const scree__about *from, const int64_t *index)
{
    const int64_t count = from->fact_count;
    if (count == 0)
        return true;
    if (!copy_names(&to->fact_names, from->fact_names, count))
        return false;
    to->fact_count = count;
    to->facts = scree__alloc(to->cols * count, sizeof *to->facts);
    for (int64_t i = 0; to->facts && i < to->cols * count; i++)
        if (!copy_text(&to->facts[i], from->facts[index ? index[i / count] * count + i % count : i]))
            return false;
    return to->facts != NULL;
}

scree_type scree__about_element(const scree__about *about)
{
    return about->element > 0 ? (scree_type)(about->element - 1) : about->type;
}

static scree_status copy(scree__about *to, const scree__about *from, const int64_t *index, int64_t count,
                         scree_error *error)
{
    *to = (scree__about){
        .type = from->type,
        .element = from->element,
        .rows = from->rows,
        .rows_estimate = from->rows_estimate,
        .row_text = from->row_text,
        .cols = count,
        .text_count = from->text_count,
        .text_label = from->text_label,
        .text_id = from->text_id,
        .only_header = from->only_header,
        .image_rows = from->image_rows,
        .image_cols = from->image_cols,
        .is_vector = from->is_vector,
        .wide_integers = from->wide_integers,
        .weighted = from->weighted,
        .scale = from->scale,
    };
    if (copy_text(&to->path, from->path) && copy_text(&to->note, from->note) &&
        copy_text(&to->weight_name, from->weight_name) && copy_columns(to, from, index) &&
        copy_facts(to, from, index) && copy_names(&to->text_names, from->text_names, from->text_count) &&
        scree__text_columns_copy(&to->texts, &from->texts))
        return SCREE_OK;
    scree__about_clear(to);
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", from->path);
}

scree_status scree__about_copy(scree__about *to, const scree__about *from, scree_error *error)
{
    return copy(to, from, NULL, from->cols, error);
}

scree_status scree__about_choose(scree__about *to, const scree__about *from, const int64_t *index, int64_t count,
                                 scree_error *error)
{
    return copy(to, from, index, count, error);
}
