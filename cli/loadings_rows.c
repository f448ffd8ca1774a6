/* SPDX-License-Identifier: BSD-3-Clause */
/* What components mean, as rows of a source, so that every format can be written: the name of a column, or of a group,
 * as text, and numbers for each component. The table is small, D×M or less, and made at once. */

#include "cli.h"
#include "loadings_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96 };

typedef struct sheet {
    double *values; /* rows × cols */
    int64_t rows;
    int64_t cols;
    const char **texts; /* rows × text_count, lent */
    int64_t text_count;
    char (*names)[NAME]; /* of columns, and of rows where these have none */
    const char **columns;
    int64_t next;
} sheet;

static scree_status lend(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    sheet *all = context;
    const int64_t left = all->rows - all->next;
    (void)error;
    block->rows = left < max_rows ? left : max_rows;
    if (block->rows == 0)
        return SCREE_OK;
    block->data = all->values + all->next * all->cols;
    block->type = SCREE_F64;
    block->cols = all->cols;
    block->texts = all->texts + all->next * all->text_count;
    all->next += block->rows;
    return SCREE_OK;
}

static scree_status rewind_sheet(void *context, scree_error *error)
{
    (void)error;
    ((sheet *)context)->next = 0;
    return SCREE_OK;
}

static void release(void *context)
{
    sheet *all = context;
    free(all->values);
    free(all->texts);
    free(all->names);
    free(all->columns);
    free(all);
}

static sheet *new_sheet(int64_t rows, int64_t cols, int64_t text_count)
{
    sheet *all = cli_alloc(1, sizeof *all);
    all->rows = rows;
    all->cols = cols;
    all->text_count = text_count;
    all->values = cli_alloc((size_t)(rows * cols), sizeof *all->values);
    all->texts = cli_alloc((size_t)(rows * text_count), sizeof *all->texts);
    all->names = cli_alloc((size_t)(rows + cols), sizeof *all->names);
    all->columns = cli_alloc((size_t)cols, sizeof *all->columns);
    for (int64_t j = 0; j < cols; j++)
        all->columns[j] = all->names[j];
    for (int64_t i = 0; i < rows * cols; i++)
        all->values[i] = NAN;
    return all;
}

static scree_status give(scree_source **out, sheet *all, const char *const *text_names, scree_error *error)
{
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    calls.context = all;
    calls.next = lend;
    calls.rewind = rewind_sheet;
    calls.release = release;
    calls.rows = all->rows;
    calls.cols = all->cols;
    calls.columns = all->columns;
    calls.text_names = text_names;
    calls.text_count = all->text_count;
    const scree_status status = scree_source_from_calls(out, &calls, error);
    if (status != SCREE_OK)
        release(all);
    return status;
}

/* Names the m columns from at on: "cos2_pc1"; before "" gives "pc1". */
static void name_part(sheet *all, int64_t at, const char *before, const scree_model_view *view)
{
    for (int64_t k = 0; k < view->m; k++)
        snprintf(all->names[at + k], NAME, "%s%s%s%" PRId64, before, *before ? "_" : "", view->code_prefix, k + 1);
}

/* The m values of a row of the sheet from column at on. */
static void put(sheet *all, int64_t row, int64_t at, const double *values, int64_t m)
{
    memcpy(all->values + row * all->cols + at, values, (size_t)m * sizeof *values);
}

/* The name of each column, and the facts that its source gives about it. */
static const char **name_columns(sheet *all, const scree_model_view *view, const scree_source *facts)
{
    const int64_t count = all->text_count - 1;
    const char **text_names = cli_alloc((size_t)all->text_count, sizeof *text_names);
    text_names[0] = "column";
    for (int64_t i = 0; i < count; i++)
        text_names[1 + i] = scree_source_fact_name(facts, i);
    for (int64_t j = 0; j < view->d; j++) {
        const char **texts = all->texts + j * all->text_count;
        snprintf(all->names[all->cols + j], NAME, "%" PRId64, j + 1);
        texts[0] = view->columns ? view->columns[j] : all->names[all->cols + j];
        for (int64_t i = 0; i < count; i++)
            texts[1 + i] = scree_source_fact(facts, j, i);
    }
    return text_names;
}

scree_status cli_meaning_source(scree_source **out, const scree_model *model, const cli_meaning *meaning,
                                const scree_source *facts, scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t text_count = 1 + (facts ? scree_source_fact_count(facts) : 0);
    int64_t parts = meaning ? 1 : 0;
    for (const cli_meaning *each = cli_meanings; !meaning && each->name; each++)
        parts++;
    sheet *all = new_sheet(view->d, parts * view->m, text_count);
    double *values = cli_alloc((size_t)(view->d * view->m), sizeof *values);
    for (int64_t part = 0; part < parts; part++) {
        const cli_meaning *each = meaning ? meaning : &cli_meanings[part];
        name_part(all, part * view->m, meaning ? "" : each->one, view);
        cli_known(scree_model_meaning(model, each->what, values, NULL));
        for (int64_t j = 0; j < view->d; j++)
            put(all, j, part * view->m, values + j * view->m, view->m);
    }
    free(values);
    const char **text_names = name_columns(all, view, facts);
    const scree_status status = give(out, all, text_names, error);
    free(text_names);
    return status;
}

/* Columns of numbers, then groups, then columns of texts; what one of them does not have is missing. */
scree_status cli_supplement_source(scree_source **out, const scree_model *model, const scree_supplement *supplement,
                                   scree_error *error)
{
    enum { COORDINATES, CORRELATIONS, COS2, V_TESTS, ETA2, PARTS };
    static const char *const parts[] = {"", "correlation", "cos2", "v_test", "eta2"};
    static const char *const text_names[] = {"column", "group"};
    const scree_supplement_view *s = scree_supplement_get(supplement);
    const int64_t m = s->m;
    sheet *all = new_sheet(s->columns + s->groups + s->texts, PARTS * m + 2, 2);
    int64_t row = 0;
    snprintf(all->names[0], NAME, "rows");
    snprintf(all->names[1], NAME, "distance");
    for (int part = 0; part < PARTS; part++)
        name_part(all, 2 + part * m, parts[part], scree_model_get(model));
    for (int64_t i = 0; i < s->columns; i++, row++) {
        all->texts[2 * row] = s->names[i];
        put(all, row, 2 + COORDINATES * m, s->structure + i * m, m);
        put(all, row, 2 + CORRELATIONS * m, s->correlations + i * m, m);
        put(all, row, 2 + COS2 * m, s->cos2 + i * m, m);
    }
    for (int64_t g = 0; g < s->groups; g++, row++) {
        all->texts[2 * row] = s->text_names[s->group_text[g]];
        all->texts[2 * row + 1] = s->group_names[g];
        put(all, row, 0, s->group_weights + g, 1);
        put(all, row, 1, s->distances + g, 1);
        put(all, row, 2 + COORDINATES * m, s->coordinates + g * m, m);
        put(all, row, 2 + COS2 * m, s->group_cos2 + g * m, m);
        put(all, row, 2 + V_TESTS * m, s->v_tests + g * m, m);
    }
    for (int64_t t = 0; t < s->texts; t++, row++) {
        all->texts[2 * row] = s->text_names[t];
        put(all, row, 2 + ETA2 * m, s->eta2 + t * m, m);
    }
    return give(out, all, text_names, error);
}
