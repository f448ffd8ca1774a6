/* SPDX-License-Identifier: BSD-3-Clause */
/* The two tables beside a .bed, as text: .fam has a line for each sample, family, individual, father, mother, sex and
 * phenotype; .bim one for each variant, chromosome, id, position in centimorgans (or not), position in bases, A1 and
 * A2. Fields stand between blanks. A file is read whole, and its fields are lent from there: memory is its size and a
 * few pointers a line, whatever it claims. */

#include "data/bed.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 20, MOST_FIELDS = 7 };

/* A file of text while it is cut into fields. */
typedef struct table {
    const char *path;
    char *text;
    char *at; /* the next line */
    char *end;
    int64_t line; /* from 1, of the one that was cut last */
    char *fields[MOST_FIELDS];
    int count; /* of them; MOST_FIELDS: so many or more */
} table;

/* All bytes of the file, and a zero. */
static scree_status load(table *t, const char *path, scree__budget *budget, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    int64_t size = 0;
    int64_t room = 0;
    t->path = path;
    SCREE_TRY(scree__bytes_open(&bytes, path, error));
    for (int64_t got = 1; got > 0; size += got) {
        if (size == room) {
            const int64_t known = scree__bytes_size(bytes) + 1;
            const int64_t more = size == 0 && known > 0 ? known : size > PIECE ? size : PIECE;
            SCREE_TRY(scree__budget_take(budget, more, path, "its text", error));
            char *larger = realloc(t->text, (size_t)(room + more) + 1);
            if (!larger)
                SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its text", path);
            t->text = larger;
            room += more;
        }
        SCREE_TRY(scree__bytes_read(bytes, t->text + size, room - size, &got, error));
    }
    t->text[size] = '\0';
    t->at = t->text;
    t->end = t->text + size;
    const size_t valid = scree__utf8_valid(t->text, (size_t)size);
    if (valid < (size_t)size || memchr(t->text, 0, (size_t)size))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: holds bytes that are no text in UTF-8: this is no .fam or .bim, or it is damaged", path);
done:
    scree__bytes_close(bytes);
    return status;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts the next line that has fields; false: there is none. */
static bool next_line(table *t)
{
    t->count = 0;
    while (t->at < t->end && t->count == 0) {
        char *stop = memchr(t->at, '\n', (size_t)(t->end - t->at));
        stop = stop ? stop : t->end;
        t->line++;
        for (char *c = t->at; c < stop && t->count < MOST_FIELDS;) {
            while (c < stop && is_blank(*c))
                c++;
            if (c == stop)
                break;
            t->fields[t->count++] = c;
            while (c < stop && !is_blank(*c))
                c++;
            if (c < stop)
                *c++ = '\0';
        }
        *stop = '\0';
        t->at = stop < t->end ? stop + 1 : t->end;
    }
    return t->count > 0;
}

/* Lines that may have fields, an upper bound of those that do. */
static int64_t count_lines(const table *t)
{
    int64_t lines = 1;
    for (const char *c = t->at; (c = memchr(c, '\n', (size_t)(t->end - c))); c++)
        lines++;
    return lines;
}

scree_status scree__samples_read(scree__samples *samples, const char *path, scree__budget *budget, scree_error *error)
{
    scree_status status = SCREE_OK;
    table t = {0};
    SCREE_TRY(load(&t, path, budget, error));
    const int64_t lines = count_lines(&t);
    SCREE_TRY(
        scree__budget_take(budget, 2 * lines * (int64_t)sizeof *samples->ids, path, "the names of samples", error));
    SCREE_ALLOC(samples->ids, 2 * lines, error);
    while (next_line(&t)) {
        if (t.count < 2)
            SCREE_FAIL(error, SCREE_ERR_FORMAT,
                       "%s: line %" PRId64 " has %d field, and a .fam has a family and an individual at least: check "
                       "the file",
                       path, t.line, t.count);
        samples->ids[2 * samples->count] = t.fields[0];
        samples->ids[2 * samples->count + 1] = t.fields[1];
        samples->count++;
    }
    if (samples->count == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: names no sample: check the file", path);
done:
    samples->text = t.text;
    return status;
}

void scree__samples_clear(scree__samples *samples)
{
    free(samples->text);
    free(samples->ids);
    *samples = (scree__samples){0};
}

/* fields: of the lines before, 0 of the first; 5 only where all have so many. */
static scree_status take_variant(table *t, scree__variant *v, int *fields, scree_error *error)
{
    char *end = NULL;
    const int with_distance = t->count == 6; /* centimorgans */
    if (t->count != 5 && t->count != 6)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " has %s%d fields, and a .bim has 6: chromosome, id, centimorgans, "
                           "position, A1 and A2: check the file",
                           t->path, t->line, t->count == MOST_FIELDS ? "at least " : "", t->count);
    if (*fields == 0)
        *fields = t->count;
    if (t->count != *fields)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " has %d fields, and the lines before it have %d: check the file",
                           t->path, t->line, t->count, *fields);
    *v = (scree__variant){.chromosome = t->fields[0],
                          .id = t->fields[1],
                          .position = t->fields[2 + with_distance],
                          .a1 = t->fields[3 + with_distance],
                          .a2 = t->fields[4 + with_distance]};
    v->place = strtoll(v->position, &end, 10);
    if (*end)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 ": the position '%.40s' is no whole number: check the file", t->path,
                           t->line, v->position);
    v->order = scree__chromosome_order(v->chromosome);
    return SCREE_OK;
}

scree_status scree__variants_read(scree__variants *variants, const char *path, int64_t expected, scree__budget *budget,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    table t = {0};
    int fields = 0;
    SCREE_TRY(load(&t, path, budget, error));
    const int64_t lines = count_lines(&t);
    const int64_t room = lines < expected ? lines : expected;
    SCREE_TRY(scree__budget_take(budget, room * ((int64_t)sizeof *variants->all + 64), path, "its variants", error));
    SCREE_ALLOC(variants->all, room, error);
    while (next_line(&t)) {
        if (variants->count == expected)
            SCREE_FAIL(error, SCREE_ERR_FORMAT,
                       "%s: has more variants than the %" PRId64
                       " that the .bed has for the samples of the .fam: give files that belong together",
                       path, expected);
        SCREE_TRY(take_variant(&t, &variants->all[variants->count], &fields, error));
        variants->all[variants->count].row = variants->count;
        variants->count++;
    }
    if (variants->count < expected)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: has %" PRId64 " variant%s, and the .bed has %" PRId64
                   " for the samples of the .fam: give files that belong together",
                   path, variants->count, variants->count == 1 ? "" : "s", expected);
done:
    variants->text = t.text;
    return status;
}

void scree__variants_clear(scree__variants *variants)
{
    for (int64_t j = 0; variants->all && j < variants->count; j++)
        free(variants->all[j].name);
    free(variants->all);
    free(variants->text);
    *variants = (scree__variants){0};
}
