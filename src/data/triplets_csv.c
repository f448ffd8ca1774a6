/* SPDX-License-Identifier: BSD-3-Clause */
/* Triplets in a text file: a line a cell, its row, its column, its value, and whatever follows is left alone: ratings
 * are often kept so (user, item, rating, time). Rows and columns have ids, numbers or names; a row is one id, in the
 * order in which ids are met. The file is read as CSV, in parallel, the ids as texts that are carried along. A value
 * that is empty or NA makes its row and column known, and nothing more; one that doubles would round is refused. */

#include "data/csv.h"
#include "data/formats.h"
#include "data/triplets.h"
#include "data/wide.h"

#include <string.h>

/* Where the lines go. */
typedef struct gathering {
    scree__triplets_whole *whole;
    scree__bytes *bytes;
    int64_t ids;      /* bytes that were taken for them */
    const char *last; /* id of the row before */
    int64_t row;      /* its number */
} gathering;

static scree_status fail_ids(const scree__triplets_whole *whole, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the ids of rows and columns",
                       whole->triplets.file);
}

/* One line: row and column by their ids. */
static scree_status take_line(gathering *g, const char *const *ids, double value, scree_error *error)
{
    scree__triplets_whole *whole = g->whole;
    if (!g->last || strcmp(g->last, ids[0]) != 0) {
        g->row = scree__names_number(&whole->rows, ids[0]);
        if (g->row < 0)
            return fail_ids(whole, error);
        g->last = ids[0];
    }
    const int64_t column = scree__names_number(&whole->columns, ids[1]);
    if (column < 0)
        return fail_ids(whole, error);
    if (scree__is_too_wide(value))
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: row '%.200s', column '%.200s' is a whole number beyond 2^53, which double precision "
                           "would round; leave the cell out, or subtract a constant from its column first",
                           whole->triplets.file, ids[0], ids[1]);
    if (value != value)
        return scree__triplets_begin(&whole->triplets, g->row, error);
    return scree__triplets_add(&whole->triplets, g->row, column, value, error);
}

/* Memory of the ids, and as much again: they double when they are full. */
static scree_status take_ids(gathering *g, scree_error *error)
{
    scree__triplets *t = &g->whole->triplets;
    const int64_t ids = 2 * (scree__names_memory(&g->whole->rows) + scree__names_memory(&g->whole->columns));
    t->budget.seen = scree__bytes_budget(g->bytes)->seen;
    const scree_status status =
        scree__budget_take(&t->budget, ids - g->ids, t->file, "the ids of rows and columns", error);
    g->ids = ids;
    return status;
}

static scree_status take_lines(scree__triplets_whole *whole, scree_source *lines, scree__bytes *bytes,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block;
    gathering g = {.whole = whole, .bytes = bytes};
    whole->triplets.budget = *scree__bytes_budget(bytes);
    do {
        SCREE_TRY(scree__source_next(lines, &block, error));
        const double *values = block.data;
        for (int64_t i = 0; i < block.rows; i++)
            SCREE_TRY(take_line(&g, block.text + 2 * i, values[i * block.stride], error));
        SCREE_TRY(take_ids(&g, error));
        g.last = NULL; /* texts are lent with their block */
    } while (block.rows > 0);
done:
    return status;
}

static scree_status check_options(const scree_read_options *options, const char *file, scree_error *error)
{
    if (options->label || options->id)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: triplets have no column for a label or an id: the row of each cell is its id already",
                           file);
    return SCREE_OK;
}

static scree_status triplets_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *lines = NULL;
    scree__triplets_whole whole = {.triplets = {.file = scree__bytes_name(bytes)},
                                   .zeros = options->absent == SCREE_CELLS_ZERO};
    scree_read_options three = *options;
    scree_error why = SCREE_ERROR_INIT;
    three.columns = "3";
    three.id = "1";
    three.label = "2";
    three.weights = NULL;
    three.exclude = NULL;
    three.absent = SCREE_CELLS_BY_FORMAT;
    SCREE_TRY(check_options(options, whole.triplets.file, error));
    status = scree__reader_csv.open(&lines, bytes, &three, &why);
    if (status == SCREE_ERR_ARGUMENT && !options->delimiter)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: triplets are lines of three columns, a row, a column and a value, and here there are fewer; "
                   "give the delimiter, or another format",
                   whole.triplets.file);
    if (status != SCREE_OK)
        SCREE_FAIL(error, status, "%s", why.text);
    whole.triplets.file = lines->about.path;
    if (lines->about.only_header)
        SCREE_TRY(scree__only_header_fail(lines->about.path, error));
    SCREE_TRY(take_lines(&whole, lines, bytes, error));
    whole.row_name = lines->about.text_names[0];
    whole.row_count = whole.rows.count;
    whole.col_count = whole.columns.count;
    SCREE_TRY(scree__triplets_open(out, &whole, options, error));
done:
    scree__triplets_whole_clear(&whole);
    if (lines && status != SCREE_OK)
        scree__csv_disown(lines);
    scree_source_free(lines);
    return status;
}

static const char *const triplets_extensions[] = {"triplets", NULL};

const scree__reader scree__reader_triplets = {"triplets",
                                              triplets_extensions,
                                              NULL,
                                              triplets_open,
                                              "lines of row, column and value, all other cells missing",
                                              false,
                                              false,
                                              NULL};
