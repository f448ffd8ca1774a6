/* SPDX-License-Identifier: BSD-3-Clause */
/* The note of several files. Where the same was guessed about all of them, the note of one is that of all. Otherwise it
 * says of which files what was guessed, "a.csv and 2 more (comma-separated, header); b.tsv (tab-separated, header)",
 * for the first few kinds of files. Then it says whose rows have no label where others have one, and which files have a
 * header and no rows: a label that is left out, or a file that came out empty, shall not go unnoticed. */

#include "data/join.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

scree_status scree__join_add_note(scree__join *join, int64_t index, const scree_source *part, scree_error *error)
{
    if (part->about.text_count == 0) {
        join->bare_by = join->bare == 0 ? index : join->bare_by;
        join->bare_rows = join->bare_rows < 0 || part->about.rows < 0 ? -1 : join->bare_rows + part->about.rows;
        join->bare++;
    }
    if (!part->about.note) {
        join->silent++;
        return SCREE_OK;
    }
    for (int64_t i = 0; i < join->kind_count; i++)
        if (strcmp(join->kinds[i].note, part->about.note) == 0) {
            join->kinds[i].count++;
            return SCREE_OK;
        }
    if (join->kind_count == SCREE__JOIN_KINDS) {
        join->others++;
        return SCREE_OK;
    }
    char *note = scree__strdup(part->about.note);
    if (!note)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a note", part->about.path);
    join->kinds[join->kind_count++] = (scree__join_kind){note, index, 1};
    return SCREE_OK;
}

/* A line that grows by parts, cut off when it is full. */
typedef struct line {
    char text[2048];
    size_t length;
} line;

static void append(line *to, const char *text)
{
    const size_t space = sizeof to->text - 1 - to->length;
    const size_t length = strlen(text) < space ? strlen(text) : space;
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = 0;
}

/* "a.csv and 2 more", after a semicolon where something stands before it. */
static void append_files(line *to, const char *before, const char *name, int64_t count)
{
    char more[40];
    append(to, to->length > 0 ? "; " : "");
    append(to, before);
    append(to, name);
    snprintf(more, sizeof more, " and %" PRId64 " more", count - 1);
    append(to, count > 1 ? more : "");
}

static void note_kinds(line *note, const scree__join *join)
{
    char rest[64];
    if (join->kind_count == 1 && join->silent == 0) {
        append(note, join->kinds[0].note);
        return;
    }
    for (int64_t i = 0; i < join->kind_count; i++) {
        const scree__join_kind *kind = &join->kinds[i];
        append_files(note, "", join->parts[kind->first].name, kind->count);
        append(note, " (");
        append(note, kind->note);
        append(note, ")");
    }
    snprintf(rest, sizeof rest, "; %" PRId64 " more file%s of other kinds", join->others, join->others == 1 ? "" : "s");
    append(note, join->others > 0 ? rest : "");
}

/* Parts that are neither silent nor of a kind are empty. */
static void note_gaps(line *note, const scree__join *join)
{
    char rows[64] = "rows of ";
    int64_t empty = join->count - join->silent - join->others;
    for (int64_t i = 0; i < join->kind_count; i++)
        empty -= join->kinds[i].count;
    if (join->base.about.text_count > 0 && join->bare > 0) {
        if (join->bare_rows >= 0)
            snprintf(rows, sizeof rows, "%" PRId64 " row%s of ", join->bare_rows, join->bare_rows == 1 ? "" : "s");
        append_files(note, rows, join->parts[join->bare_by].name, join->bare);
        append(note, join->bare_rows == 1 ? " has no label" : " have no label");
    }
    for (int64_t i = 0; empty > 0 && i < join->count; i++)
        if (join->parts[i].empty) {
            append_files(note, "no rows in ", join->parts[i].name, empty);
            break;
        }
}

scree_status scree__join_make_note(scree__join *join, scree_error *error)
{
    line note = {{0}, 0};
    note_kinds(&note, join);
    note_gaps(&note, join);
    if (note.length == 0)
        return SCREE_OK;
    join->base.about.note = scree__strdup(note.text);
    return join->base.about.note
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a note", join->parts[0].name);
}

scree_status scree__join_add_late(scree__join *join, int64_t index, const scree_source *part, scree_error *error)
{
    line note = {{0}, 0};
    while (part->noted)
        part = part->noted;
    if (index < join->told)
        return SCREE_OK;
    join->told = index + 1;
    if (part->about.note_late == 0)
        return SCREE_OK;
    append(&note, join->base.about.note ? join->base.about.note : "");
    append_files(&note, "", join->parts[index].name, 1);
    append(&note, ": ");
    append(&note, part->about.note + part->about.note_late - 1);
    char *longer = scree__strdup(note.text);
    if (!longer)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a note", join->parts[index].name);
    free(join->base.about.note);
    join->base.about.note = longer;
    return SCREE_OK;
}
