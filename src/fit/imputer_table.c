/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows for the imputer: as many as it may have, chosen at random one after the other as they come (selection sampling,
 * Knuth 3.4.2 S), standardised by the means and deviations that the fit has measured. Columns that are constant, or
 * whose variance is that of a few cells (few_cells.h), are left out. One pass. */

#include "fit/imputer.h"

#include "base/memory.h"
#include "base/random.h"
#include "fit/few_cells.h"

#include <math.h>

enum { BATCH_ROWS = 1024 };
static const uint64_t STREAM = 0x726f7773;

typedef struct gathering {
    scree__imputer_table *table;
    const scree__em *em;
    int64_t wanted;
    int64_t visited; /* rows with a cell */
    double *buffer;  /* D */
} gathering;

/* Whether the next row with a cell is among those wanted; they are as many as there are, at most. */
static bool is_chosen(gathering *g)
{
    uint32_t word[4];
    const double left = (double)(g->em->rows.rows - g->em->rows.empty - g->visited);
    scree__philox(g->em->job->options->seed, STREAM, (uint64_t)g->visited, word);
    g->visited++;
    return ((double)word[0] + 0.5) * 0x1p-32 * left < (double)(g->wanted - g->table->rows);
}

static bool has_cell(const double *row, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++)
        if (!isnan(row[j]))
            return true;
    return false;
}

/* The row in standardised columns. */
static void standardise(const gathering *g, const double *row, double *out)
{
    const scree__em_rows *rows = &g->em->rows;
    for (int64_t j = 0; j < g->em->d; j++)
        out[j] = rows->variance[j] > 0 ? (row[j] - rows->mean[j]) / sqrt(rows->variance[j]) : row[j] - rows->mean[j];
}

/* Row i of a batch as doubles. */
static const double *load(const scree__batch *batch, int64_t i, double *buffer)
{
    const scree__csr *cells = batch->cells;
    const scree__rows x = scree__batch_rows(batch);
    if (!cells)
        return scree__rows_load(&x, i, buffer);
    for (int64_t j = 0; j < batch->cols; j++)
        buffer[j] = NAN;
    for (int64_t c = cells->start[batch->first + i]; c < cells->start[batch->first + i + 1]; c++)
        buffer[cells->column[c]] = cells->value[c];
    return buffer;
}

/* Whether a column varies by more than a few of its cells. */
static bool varies(const gathering *g, int64_t j)
{
    const scree__imputer_table *t = g->table;
    double squares = 0;
    double fourths = 0;
    double count = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        const double z = t->x[i * t->cols + j];
        const double square = isnan(z) ? 0 : z * z;
        count += !isnan(z);
        squares += square;
        fourths += square * square;
    }
    return g->em->rows.variance[j] > 0 && squares > 0 && !scree__few_cells(count, squares, fourths);
}

/* Keeps only the columns that are fitted. */
static scree_status choose_columns(gathering *g, const scree__imputer_table *like, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_table *t = g->table;
    const int64_t d = t->cols;
    int64_t kept = 0;
    SCREE_ALLOC(t->column, d, error);
    for (int64_t j = 0; !like && j < d; j++)
        if (varies(g, j))
            t->column[kept++] = j;
    for (int64_t j = 0; like && j < like->cols; j++)
        t->column[kept++] = like->column[j];
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t j = 0; j < kept; j++)
            t->x[i * kept + j] = t->x[i * d + t->column[j]];
    t->cols = kept;
done:
    return status;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    gathering *g = context;
    scree__imputer_table *table = g->table;
    (void)error;
    for (int64_t i = 0; i < batch->rows && table->rows < g->wanted; i++) {
        const double *row = load(batch, i, g->buffer);
        if (!has_cell(row, table->cols) || !is_chosen(g))
            continue;
        standardise(g, row, table->x + table->rows * table->cols);
        if (table->weights)
            table->weights[table->rows] = batch->weights ? batch->weights[i] : 1;
        table->rows++;
    }
    return SCREE_OK;
}

/* Processes that share the rows each choose among their own, and all have all in the end. */
static scree_status gather_together(gathering *g, scree__em *em, scree__reading *reading, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_table *table = g->table;
    int64_t before;
    SCREE_TRY(scree__em_rows_before(&em->rows, &before, error));
    while (g->visited < before)
        table->rows += is_chosen(g);
    const int64_t first = table->rows;
    status = scree__em_rows_read(&em->rows, reading, error);
    const scree__em_collected all = {table->x, table->weights, table->cols, table->rows - first};
    SCREE_TRY(scree__em_rows_collect(&em->rows, status, &all, error));
    table->rows = g->wanted;
done:
    return status;
}

scree_status scree__imputer_gather(scree__imputer_table *table, scree__em *em, int64_t rows,
                                   const scree__imputer_table *like, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t filled = em->rows.rows - em->rows.empty;
    gathering g = {.table = table, .em = em, .wanted = rows < filled ? rows : filled};
    *table = (scree__imputer_table){.cols = em->d};
    SCREE_ALLOC(table->x, rows * em->d, error);
    if (em->job->source->about.weighted)
        SCREE_ALLOC(table->weights, rows, error);
    SCREE_ALLOC(g.buffer, em->d, error);
    scree__reading reading = {.batch_rows = BATCH_ROWS, .visit = visit, .context = &g};
    if (em->rows.cuts)
        SCREE_TRY(gather_together(&g, em, &reading, error));
    else
        SCREE_TRY(scree__em_rows_read(&em->rows, &reading, error));
    SCREE_TRY(choose_columns(&g, like, error));
done:
    free(g.buffer);
    return status;
}

void scree__imputer_table_clear(scree__imputer_table *table)
{
    free(table->x);
    free(table->weights);
    free(table->column);
    *table = (scree__imputer_table){0};
}
