/* SPDX-License-Identifier: BSD-3-Clause */
/* What the values of a column say of it, in one line each: a number such as -999 that is repeated far from all others
 * may stand for missing cells, and whole numbers that grow by one from row to row number the rows. Files of few
 * cells are read once more for it; of others, and of pipes, nothing is said. */

#include "look.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_CELLS = 1 << 22, FEWEST_ROWS = 10, CODES = 8, MOST_NAMED = 5 };
static const double codes[CODES] = {-9, -99, -999, -9999, -99999, 999, 9999, 99999};
static const double FAR = 2; /* ranges of the others away */

typedef struct column {
    int64_t counts[CODES];
    double least[CODES]; /* of cells that have not the code */
    double most[CODES];
    double first;
    double last;
    bool numbers_rows;
} column;

typedef struct look {
    int64_t rows;
    int64_t cols;
    column *columns;
} look;

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    look *l = context;
    (void)rows;
    (void)columns;
    (void)text_names;
    (void)text_count;
    (void)error;
    l->cols = cols;
    l->columns = cli_alloc((size_t)cols, sizeof *l->columns);
    for (int64_t j = 0; j < cols; j++)
        for (int k = 0; k < CODES; k++) {
            l->columns[j].least[k] = HUGE_VAL;
            l->columns[j].most[k] = -HUGE_VAL;
        }
    return SCREE_OK;
}

static void see(column *c, double x, bool first)
{
    c->numbers_rows = first ? x == floor(x) : c->numbers_rows && x == c->last + 1;
    c->first = first ? x : c->first;
    c->last = x;
    for (int k = 0; k < CODES; k++) {
        c->counts[k] += x == codes[k];
        c->least[k] = x < c->least[k] && x != codes[k] ? x : c->least[k];
        c->most[k] = x > c->most[k] && x != codes[k] ? x : c->most[k];
    }
}

static scree_status take(void *context, const scree_block *block, scree_error *error)
{
    look *l = context;
    const double *data = block->data;
    (void)error;
    for (int64_t i = 0; i < block->rows; i++, l->rows++)
        for (int64_t j = 0; j < l->cols; j++)
            see(&l->columns[j], data[i * l->cols + j], l->rows == 0);
    return SCREE_OK;
}

static void print_name(const scree_source *source, int64_t j)
{
    const char *name = scree_source_column(source, j);
    if (name)
        cli_print(stderr, "column '%.100s'", name);
    else
        cli_print(stderr, "column %" PRId64, j + 1);
}

/* The code that is repeated, with all else far from it; -1: none. */
static int code_of(const column *c)
{
    for (int k = 0; k < CODES; k++) {
        const double range = c->most[k] - c->least[k];
        const double away = codes[k] < c->least[k] ? c->least[k] - codes[k] : codes[k] - c->most[k];
        if (c->counts[k] > 1 && range > 0 && away > FAR * range && away > fabs(codes[k]) / 2)
            return k;
    }
    return -1;
}

/* Columns that rise by one from row to row: row numbers, and days as numbers. One of them may be an id. */
static void print_rises(const look *l, const scree_source *source, const bool *told)
{
    int64_t named = 0;
    for (int64_t j = 0; j < l->cols && l->rows >= FEWEST_ROWS && named < MOST_NAMED; j++) {
        if (!l->columns[j].numbers_rows || told[j])
            continue;
        const char *name = scree_source_column(source, j);
        const char *option = named++ == 0 ? "--id" : "--exclude";
        print_name(source, j);
        cli_print(stderr, " was fitted but counts the rows from %.17g to %.17g; ", l->columns[j].first,
                  l->columns[j].last);
        if (name) /* numbers count text columns, too */
            cli_print(stderr, "exclude it with %s '%.100s'\n", option, name);
        else
            cli_print(stderr, "exclude it with %s and its number in the file\n", option);
    }
}

static void print(const look *l, const scree_source *source, const bool *told)
{
    int64_t found = 0;
    int64_t at = -1;
    for (int64_t j = 0; j < l->cols; j++) {
        at = code_of(&l->columns[j]) >= 0 && at < 0 ? j : at;
        found += code_of(&l->columns[j]) >= 0;
    }
    if (at >= 0) {
        const int k = code_of(&l->columns[at]);
        print_name(source, at);
        cli_print(stderr, " has %" PRId64 " cells of %g, far from all others", l->columns[at].counts[k], codes[k]);
        if (found > 1)
            cli_print(stderr, ", and so have %" PRId64 " more columns", found - 1);
        cli_print(stderr, ": if that stands for missing, use --na %g if this is text, or write NaN instead\n",
                  codes[k]);
    }
    if (told)
        print_rises(l, source, told);
}

/* The same files again; a pipe is gone. */
static bool are_files(const char *const *paths, int count)
{
    struct stat about;
    for (int i = 0; i < count; i++)
        if (stat(paths[i], &about) != 0 || !S_ISREG(about.st_mode))
            return false;
    return true;
}

void cli_look(const cli_work *work, const bool *told)
{
    const char *const *paths = (const char *const *)work->call->operands;
    const int count = work->call->operand_count;
    const scree_model_view *view = scree_model_get(work->model);
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    look l = {0};
    const scree_sink_calls calls = {.size = sizeof calls, .context = &l, .begin = begin, .write = take};
    if ((double)view->n * (double)view->d <= MOST_CELLS && are_files(paths, count) &&
        cli_known(scree_source_open_many(&source, paths, count, &work->read, NULL)) == SCREE_OK &&
        cli_known(scree_sink_to_calls(&sink, &calls, NULL)) == SCREE_OK &&
        cli_known(scree_source_copy(source, sink, NULL, NULL)) == SCREE_OK)
        print(&l, source, told);
    scree_sink_free(sink);
    scree_source_free(source);
    free(l.columns);
}
