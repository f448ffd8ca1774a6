/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of a 10x folder, a Matrix Market file of coordinates: features by cells as Cell Ranger writes it, or cells
 * by features, which its sizes tell. Entries are read one by one; those of Cell Ranger come cell after cell. Whether
 * they do is seen in the first few thousand: cells that never come back, and features that do. What looks otherwise, or
 * is too small to tell, has to be put in order. One read of the bytes, some 20 ns an entry. */

#include "data/tenx.h"

#include "base/number.h"
#include "data/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD = 32 };

static const char banner[] = "%%MatrixMarket";

static scree_status check_banner(scree__lines *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    char word[4][WORD] = {{0}};
    SCREE_TRY(scree__lines_next(l, &line, error));
    if (!line || strncmp(line, banner, sizeof banner - 1) != 0 ||
        sscanf(line + sizeof banner - 1, "%31s %31s %31s %31s", word[0], word[1], word[2], word[3]) < 4)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not a Matrix Market file, its first line does not begin with %s and four words; copy the "
                   "folder again",
                   l->file, banner);
    const bool counts = strcasecmp(word[2], "integer") == 0 || strcasecmp(word[2], "real") == 0;
    if (strcasecmp(word[0], "matrix") != 0 || strcasecmp(word[1], "coordinate") != 0 || !counts ||
        strcasecmp(word[3], "general") != 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is a Matrix Market file of the kind '%s %s %s %s', and counts are 'matrix coordinate integer "
                   "general' or 'real'; write it as such",
                   l->file, word[0], word[1], word[2], word[3]);
done:
    return status;
}

/* The next line that says something; NULL: there is none. */
static scree_status next_entry(scree__lines *l, char **line, scree_error *error)
{
    scree_status status = SCREE_OK;
    do
        status = scree__lines_next(l, line, error);
    while (status == SCREE_OK && *line && (**line == '%' || (*line)[strspn(*line, " \t")] == 0));
    return status;
}

/* The line of sizes, and whose they are. */
static scree_status read_sizes(scree__tenx_matrix *m, int64_t features, int64_t cells, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__lines *l = &m->lines;
    char *line = NULL;
    int64_t rows = 0;
    int64_t cols = 0;
    SCREE_TRY(next_entry(l, &line, error));
    const char *p = line ? scree__lines_whole(line, &rows) : NULL;
    p = p ? scree__lines_whole(p, &cols) : NULL;
    p = p ? scree__lines_whole(p, &m->entries) : NULL;
    if (!p || p[strspn(p, " \t")])
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " should say how many rows, columns and entries there are; copy the file again",
                   l->file, l->number);
    m->features = features;
    m->cells = cells;
    m->cells_first = rows == cells && cols == features && rows != features;
    if (!m->cells_first && (rows != features || cols != cells))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is a matrix of %" PRId64 " by %" PRId64 ", and the tables beside it name %" PRId64
                   " features and %" PRId64 " cells; put files that belong together into the folder",
                   l->file, rows, cols, features, cells);
    m->body = l->number + 1;
done:
    return status;
}

static scree_status parse(const scree__tenx_matrix *m, const char *line, scree__tenx_entry *entry, scree_error *error)
{
    const scree__lines *l = &m->lines;
    int64_t first = 0;
    int64_t second = 0;
    int64_t whole = 0;
    const char *p = scree__lines_whole(line, &first);
    p = p ? scree__lines_whole(p, &second) : NULL;
    const char *number = p ? p + strspn(p, " \t") : NULL;
    p = number ? scree__lines_whole(number, &whole) : NULL;
    entry->value = (double)whole;
    if (number && (!p || *p))
        p = scree__parse_double(number, number + strlen(number), &entry->value);
    if (!p || p[strspn(p, " \t")])
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " is '%.60s' where a row, a column and a count are expected; copy the "
                           "file again",
                           l->file, l->number, line);
    entry->feature = (m->cells_first ? second : first) - 1;
    entry->cell = (m->cells_first ? first : second) - 1;
    if (entry->feature < 0 || entry->feature >= m->features || entry->cell < 0 || entry->cell >= m->cells)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " has feature %" PRId64 " and cell %" PRId64 " of %" PRId64
                           " and %" PRId64 "; copy the file again",
                           l->file, l->number, entry->feature + 1, entry->cell + 1, m->features, m->cells);
    if (entry->value != entry->value || entry->value - entry->value != 0 ||
        scree__is_too_wide(scree__wide_cell(number, p, entry->value, NULL)))
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: line %" PRId64 ": '%.60s' is no count; give a finite number below 2^53", l->file,
                           l->number, number);
    return SCREE_OK;
}

scree_status scree__tenx_matrix_next(scree__tenx_matrix *m, scree__tenx_entry *entry, bool *there, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    SCREE_TRY(next_entry(&m->lines, &line, error));
    *there = line != NULL;
    m->found += line != NULL;
    if (line ? m->found > m->entries : m->found != m->entries)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: announces %" PRId64 " entries and has %s%" PRId64 "; copy it again",
                   m->lines.file, m->entries, line ? "at least " : "", m->found);
    if (line)
        SCREE_TRY(parse(m, line, entry, error));
done:
    return status;
}

scree_status scree__tenx_matrix_rewind(scree__tenx_matrix *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    m->found = 0;
    SCREE_TRY(scree__lines_rewind(&m->lines, error));
    while (m->lines.number + 1 < m->body) {
        SCREE_TRY(scree__lines_next(&m->lines, &line, error));
        if (!line)
            SCREE_FAIL(error, SCREE_ERR_IO, "%s: has changed while it was read; read it again", m->lines.file);
    }
done:
    return status;
}

/* What the first entries look like. What cannot be read is for the first pass to refuse. */
static void look(scree__tenx_matrix *m, bool *streams)
{
    enum { LOOKED = 4096 };
    scree__tenx_entry entry;
    bool there = true;
    bool by_cell = true;
    bool by_feature = true;
    int64_t cell = 0;
    int64_t feature = 0;
    for (int i = 0; i < LOOKED && scree__tenx_matrix_next(m, &entry, &there, NULL) == SCREE_OK && there; i++) {
        by_cell = by_cell && entry.cell >= cell;
        by_feature = by_feature && entry.feature >= feature;
        cell = entry.cell;
        feature = entry.feature;
    }
    *streams = by_cell && !by_feature;
}

scree_status scree__tenx_matrix_open(scree__tenx_matrix *m, const char *path, int64_t features, int64_t cells,
                                     bool *streams, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__lines_open(&m->lines, path, options, error));
    SCREE_TRY(check_banner(&m->lines, error));
    SCREE_TRY(read_sizes(m, features, cells, error));
    look(m, streams);
    if (scree__bytes_can_rewind(m->lines.bytes))
        SCREE_TRY(scree__tenx_matrix_rewind(m, error));
    else
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is a pipe, and the files of a folder are read more than once; "
                   "save it to a file",
                   path);
done:
    return status;
}

void scree__tenx_matrix_close(scree__tenx_matrix *m)
{
    scree__lines_close(&m->lines);
    *m = (scree__tenx_matrix){0};
}
