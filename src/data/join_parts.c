/* SPDX-License-Identifier: BSD-3-Clause */
/* What several files are together, and whether one more belongs to them.
 *
 * They have the same columns: as many, and by the same names in the same order where they have names. Texts carried
 * along likewise; a part that carries none has empty ones. The element type of the whole is the widest, which holds the
 * numbers of all the others exactly. Rows are known when those of every part are; an estimate likewise. */

#include "data/join.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool is_among(char **names, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The first of the columns of text that another file has as numbers. */
static scree_status kind_agrees(const scree__text_columns *texts, const char *texts_file, const scree_source *numbers,
                                const char *numbers_file, scree_error *error)
{
    for (int64_t i = 0; i < texts->count; i++)
        if (is_among(numbers->about.columns, numbers->about.cols, texts->names[i]))
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "'%.100s' is text in %s (line %" PRId64
                               ") and numbers in %s; correct the cells, make the "
                               "column the label of all files, or leave it out",
                               texts->names[i], texts_file, texts->lines[i], numbers_file);
    return SCREE_OK;
}

/* Names differ. That may be because a column is text in one of the files only, which is then the thing to say. */
static scree_status names_differ(const scree__join *join, const scree_source *part, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *base = &join->base;
    const char *other = join->parts[join->named_by].name;
    const bool longer = part->about.cols > base->about.cols;
    const int64_t both = longer ? base->about.cols : part->about.cols;
    SCREE_TRY(kind_agrees(&part->about.texts, part->about.path, base, other, error));
    if (base->about.texts.count > 0)
        SCREE_TRY(
            kind_agrees(&base->about.texts, join->parts[join->text_columns_by].name, part, part->about.path, error));
    for (int64_t j = 0; j < both; j++)
        if (strcmp(part->about.columns[j], base->about.columns[j]) != 0)
            SCREE_FAIL(error, SCREE_ERR_SHAPE,
                       "%s: column %" PRId64 " is '%.100s', and in %s it is '%.100s'; give files with the "
                       "same columns in the same order, or choose columns",
                       part->about.path, j + 1, part->about.columns[j], other, base->about.columns[j]);
    SCREE_FAIL(error, SCREE_ERR_SHAPE,
               "%s: %s column '%.100s', which %s %s; give files with the same columns, or choose columns",
               part->about.path, longer ? "has the" : "lacks the",
               longer ? part->about.columns[both] : base->about.columns[both], other, longer ? "lacks" : "has");
done:
    return status;
}

static scree_status columns_agree(const scree__join *join, const scree_source *part, scree_error *error)
{
    const scree_source *base = &join->base;
    bool same = part->about.cols == base->about.cols;
    if (part->about.columns && join->named_by >= 0) {
        for (int64_t j = 0; same && j < part->about.cols; j++)
            same = strcmp(part->about.columns[j], base->about.columns[j]) == 0;
        return same ? SCREE_OK : names_differ(join, part, error);
    }
    if (!same)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has %" PRId64 " column%s of numbers, and %s has %" PRId64
                           "; give files with the same columns, or choose columns",
                           part->about.path, part->about.cols, part->about.cols == 1 ? "" : "s",
                           join->parts[join->leader].name, base->about.cols);
    return SCREE_OK;
}

static scree_status texts_agree(const scree__join *join, const scree_source *part, scree_error *error)
{
    const scree_source *base = &join->base;
    if (part->about.text_count == 0 || join->texts_by < 0)
        return SCREE_OK;
    const char *other = join->parts[join->texts_by].name;
    const bool named = part->about.columns && join->named_by >= 0; /* without a header names are made up */
    for (int64_t j = 0; named && j < part->about.text_count && j < base->about.text_count; j++)
        if (strcmp(part->about.text_names[j], base->about.text_names[j]) != 0)
            return scree__fail(
                error, SCREE_ERR_SHAPE,
                "%s: carries the text column '%.100s' along, and %s '%.100s'; name the same label or id for both",
                part->about.path, part->about.text_names[j], other, base->about.text_names[j]);
    if (part->about.text_count != base->about.text_count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: carries %" PRId64 " text columns along, and %s %" PRId64
                           "; name the same label or id for both",
                           part->about.path, part->about.text_count, other, base->about.text_count);
    return SCREE_OK;
}

scree_status scree__join_agrees(const scree__join *join, const scree_source *part, scree_error *error)
{
    scree_status status = columns_agree(join, part, error);
    return status == SCREE_OK ? texts_agree(join, part, error) : status;
}

scree_status scree__join_agrees_header(const scree__join *join, const scree_source *part, scree_error *error)
{
    const scree_source *base = &join->base;
    int64_t met = 0;
    if (join->named_by < 0)
        return SCREE_OK;
    const char *other = join->parts[join->named_by].name;
    for (int64_t j = 0; j < part->about.cols; j++) {
        const char *name = part->about.columns[j];
        if (met < base->about.cols && strcmp(name, base->about.columns[met]) == 0)
            met++;
        else if (!is_among(base->about.texts.names, base->about.texts.count, name))
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "%s: has a header and no rows, and its column '%.100s' is not in this place in %s; give "
                               "files with the same columns in the same order, or leave this one out",
                               part->about.path, name, other);
    }
    if (met < base->about.cols)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has a header and no rows, and lacks the column '%.100s', which %s has; give files with "
                           "the same columns, or leave this one out",
                           part->about.path, base->about.columns[met], other);
    return SCREE_OK;
}

/* -1: not known, or more than there are numbers for. */
static int64_t sum_known(int64_t a, int64_t b)
{
    int64_t sum = 0;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

/* Names, from the first part that has some. */
static scree_status take_names(scree__join *join, int64_t index, const scree_source *part, scree_error *error)
{
    scree_source *base = &join->base;
    scree_status status = SCREE_OK;
    if (!base->about.columns && part->about.columns) {
        base->about.columns = scree__strings_copy((const char *const *)part->about.columns, part->about.cols);
        if (!base->about.columns)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", part->about.path);
    }
    if (part->about.text_count > 0 && (join->texts_by < 0 || (join->named_by < 0 && part->about.columns))) {
        scree__strings_free(base->about.text_names, base->about.text_count);
        base->about.text_names =
            scree__strings_copy((const char *const *)part->about.text_names, part->about.text_count);
        base->about.text_count = part->about.text_count;
        base->about.text_label = part->about.text_label;
        base->about.text_id = part->about.text_id;
        if (!base->about.text_names)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of texts", part->about.path);
    }
    if (base->about.texts.count == 0 && part->about.texts.count > 0) {
        if (!scree__text_columns_copy(&base->about.texts, &part->about.texts))
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of texts", part->about.path);
        join->text_columns_by = index;
    }
    if (!base->about.weight_name && part->about.weight_name) {
        base->about.weight_name = scree__strdup(part->about.weight_name);
        if (!base->about.weight_name)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", part->about.path);
    }
    if (join->named_by < 0 && part->about.columns)
        join->named_by = index;
    if (join->texts_by < 0 && part->about.text_count > 0)
        join->texts_by = index;
done:
    return status;
}

/* Text of a row, by how many rows the whole so far and the part have. */
static int64_t mean_text(const scree_source *base, const scree_source *part, int64_t rows)
{
    const double before = base->about.rows_estimate > 0 ? (double)base->about.rows_estimate : 0;
    const double after = rows > 0 ? (double)rows : 0;
    const double text = before * (double)base->about.row_text + after * (double)part->about.row_text;
    return before + after > 0 ? (int64_t)(text / (before + after)) : part->about.row_text;
}

scree_status scree__join_describe(scree__join *join, int64_t index, const scree_source *part, scree_error *error)
{
    scree_source *base = &join->base;
    const int64_t guess = part->about.rows >= 0 ? part->about.rows : part->about.rows_estimate;
    if (join->leader < 0) {
        join->leader = index;
        base->about.cols = part->about.cols;
        base->about.type = part->about.type;
        base->about.element = part->about.element;
        base->can = SCREE__CAN_REWIND | SCREE__CAN_SLICE | SCREE__CAN_SEEK;
        base->about.image_rows = part->about.image_rows;
        base->about.image_cols = part->about.image_cols;
        base->block_rows = part->block_rows;
        base->summed = part->summed;
        base->sparse = part->sparse;
        base->about.weighted = part->about.weighted;
        base->about.scale = part->about.scale;
        base->about.file_column =
            part->about.file_column ? scree__alloc(part->about.cols, sizeof *base->about.file_column) : NULL;
        if (part->about.file_column && !base->about.file_column)
            return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for its columns", part->about.path);
        if (base->about.file_column)
            memcpy(base->about.file_column, part->about.file_column,
                   (size_t)part->about.cols * sizeof *base->about.file_column);
    }
    base->about.row_text = mean_text(base, part, guess);
    base->about.rows = sum_known(base->about.rows, part->about.rows);
    base->about.rows_estimate = sum_known(base->about.rows_estimate, guess);
    base->can &= part->can;
    base->sparse = base->sparse && part->sparse && part->about.type == base->about.type;
    base->entries += part->entries;
    if (!scree__source_can_seek(part))
        base->can &= ~(unsigned)SCREE__CAN_SEEK;
    if (part->about.rows < 0)
        base->can &= ~(unsigned)SCREE__CAN_SLICE;
    base->about.wide_integers = base->about.wide_integers || part->about.wide_integers;
    if (scree__about_element(&part->about) != scree__about_element(&base->about))
        base->about.element = 0;
    if (scree__type_size(part->about.type) > scree__type_size(base->about.type))
        base->about.type = part->about.type;
    if (part->about.image_rows != base->about.image_rows || part->about.image_cols != base->about.image_cols)
        base->about.image_rows = base->about.image_cols = 0;
    /* One part is read at a time. */
    base->memory = part->memory > base->memory ? part->memory : base->memory;
    base->block_rows = part->block_rows < base->block_rows ? part->block_rows : base->block_rows;
    return take_names(join, index, part, error);
}
