/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of counts, x_ij·t/Σ_j x_ij as doubles, and log(1 + that) where it is wanted. A row that sums to 0 stays as it
 * is. Zeros stay zeros: sparse rows stay sparse, whatever the driver takes. What is negative, missing or infinite has
 * no share of a sum, and is an error that names the cell; the rows before it are lent first.
 *
 * Counts are mostly small: a row has few different ones, and the logarithm of each is taken once. Cost: two reads of
 * each entry and one write, and some ten logarithms a row. */

#include "data/normalised.h"

#include "base/memory.h"
#include "base/sort.h"
#include "data/pass.h"
#include "data/wide.h"
#include "kernel/rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MEMO = 64, FIRST_ROOM = 1 << 12, MEDIAN_BYTES = 1 << 20 };

typedef struct normalised_source {
    scree_source base;
    scree_source *inner; /* borrowed */
    scree__normal normal;
    scree__buffer own;    /* cells, where the driver offers no place */
    scree__buffer loaded; /* cells of a block as doubles */
    scree__buffer bad;    /* of each row: it cannot be used */
    scree_error problem;  /* of the row behind those that were lent last */
    int64_t empty;
    double *sums; /* that are not 0, where they are gathered, in memory for some */
    int64_t sum_count;
    int64_t sum_room;
    bool gathers;
    bool lost; /* there was no memory for one */
} normalised_source;

/* What becomes of a row. */
typedef struct portion {
    double factor;
    bool log1p;
    double memo[MEMO]; /* log(1 + c·factor) */
    uint64_t known;    /* for which c */
} portion;

static inline double change(portion *p, double x)
{
    if (!p->log1p)
        return x * p->factor;
    if (!(x < MEMO && x == (double)(int)x))
        return log1p(x * p->factor);
    const int c = (int)x;
    if (!(p->known >> c & 1)) {
        p->memo[c] = log1p(x * p->factor);
        p->known |= UINT64_C(1) << c;
    }
    return p->memo[c];
}

int64_t scree__source_summed(const scree_source *source)
{
    return source->summed > 0 ? source->summed : source->about.cols;
}

/* The sentence about row i of a block. x: its cells, column by column or, sparse, entry by entry. */
static void refuse(const normalised_source *n, const scree__block *block, int64_t i, const double *x, int64_t count,
                   scree_error *error)
{
    char label[256];
    char what[40];
    int64_t row = block->first + i;
    int64_t p = 0;
    const char *file = scree__source_locate(&n->base, &row);
    while (p < count && x[p] >= 0 && x[p] < HUGE_VAL)
        p++;
    if (p == count) {
        scree__fail(error, SCREE_ERR_VALUE,
                    "%s: row %" PRId64 " has a cell that is negative, missing or infinite in a column that is not "
                    "used, and rows are divided by the sum of all columns; correct the row, or fit without normalize",
                    file, row + 1);
        return;
    }
    scree__column_label(&n->base, block->starts ? block->indices[block->starts[i] + p] : p, label, sizeof label);
    scree__format(what, sizeof what, "%g", x[p]);
    const bool wide = scree__is_too_wide(x[p]);
    scree__fail(error, SCREE_ERR_VALUE,
                "%s: row %" PRId64 ", %s is %s, and rows that are divided by their sums have counts of 0 or more; "
                "correct the cell, or fit without normalize",
                file, row + 1, label,
                wide          ? "a whole number beyond 2^53"
                : isnan(x[p]) ? "missing"
                : isinf(x[p]) ? "infinite"
                              : what);
}

/* A sum that is kept. */
static void gather(normalised_source *n, double sum)
{
    if (n->sum_count == n->sum_room) {
        const int64_t room = n->sum_room > 0 ? 2 * n->sum_room : FIRST_ROOM;
        double *larger = realloc(n->sums, (size_t)room * sizeof *larger);
        n->lost = n->lost || !larger;
        if (!larger)
            return;
        n->sums = larger;
        n->sum_room = room;
    }
    n->sums[n->sum_count++] = sum;
}

/* A row from x to to; false: it cannot be used. */
static bool take_row(normalised_source *n, const double *x, int64_t count, const double *total, double *to)
{
    portion p = {.log1p = n->normal.log1p};
    double sum = 0;
    bool fine = true;
    for (int64_t j = 0; j < count; j++) {
        sum += x[j];
        fine = fine && x[j] >= 0;
    }
    sum = total ? *total : sum;
    if (!fine || !(sum >= 0) || isinf(sum))
        return false;
    n->empty += sum == 0;
    if (n->gathers && sum > 0)
        gather(n, sum);
    p.factor = sum > 0 ? n->normal.target / sum : 1;
    for (int64_t j = 0; j < count; j++)
        to[j] = change(&p, x[j]);
    return true;
}

/* A row that cannot be used: it is marked where the source has something for such rows, else the block ends before it.
 */
static scree_status give_up(normalised_source *n, scree__block *block, int64_t i, const double *x, int64_t count,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_error why = SCREE_ERROR_INIT;
    refuse(n, block, i, x, count, &why);
    if (n->inner->faults) {
        scree__faults_add(n->inner->faults, why.text);
        if (block->bad != (const uint8_t *)n->bad.data) {
            SCREE_TRY(scree__buffer_reserve(&n->bad, block->rows, n->base.about.path, error));
            for (int64_t r = 0; r < block->rows; r++)
                n->bad.data[r] = block->bad ? (char)block->bad[r] : 0;
            block->bad = (const uint8_t *)n->bad.data;
        }
        n->bad.data[i] = 1;
        goto done;
    }
    if (i == 0)
        SCREE_FAIL(error, why.status, "%s", why.text);
    n->problem = why;
    block->rows = i;
done:
    return status;
}

static bool is_bad(const scree__block *block, int64_t i)
{
    return block->bad && block->bad[i];
}

static scree_status take_entries(normalised_source *n, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = n->base.about.path;
    const int64_t end = block->starts[block->rows];
    const scree__rows cells = {block->data, block->type, 1, end, end, NULL};
    SCREE_TRY(scree__buffer_reserve(&n->own, (end + 1) * 8, file, error));
    SCREE_TRY(scree__buffer_reserve(&n->loaded, (end + 1) * 8, file, error));
    double *to = (double *)(void *)n->own.data;
    const double *x = scree__rows_load(&cells, 0, (double *)(void *)n->loaded.data);
    for (int64_t i = 0; i < block->rows; i++) {
        const int64_t at = block->starts[i];
        const int64_t count = block->starts[i + 1] - at;
        if (!is_bad(block, i) && !take_row(n, x + at, count, block->totals ? block->totals + i : NULL, to + at))
            SCREE_TRY(give_up(n, block, i, x + at, count, error));
    }
    block->data = to;
done:
    return status;
}

static scree_status take_cells(normalised_source *n, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = n->base.about.cols;
    const scree__rows cells = {block->data, block->type, block->rows, cols, block->stride, NULL};
    scree__buffer *buffer = n->base.buffer ? n->base.buffer : &n->own;
    SCREE_TRY(scree__buffer_reserve(buffer, block->rows * cols * 8, n->base.about.path, error));
    SCREE_TRY(scree__buffer_reserve(&n->loaded, cols * 8, n->base.about.path, error));
    double *to = (double *)(void *)buffer->data;
    for (int64_t i = 0; i < block->rows; i++) {
        const double *x = scree__rows_load(&cells, i, (double *)(void *)n->loaded.data);
        if (!is_bad(block, i) && !take_row(n, x, cols, block->totals ? block->totals + i : NULL, to + i * cols))
            SCREE_TRY(give_up(n, block, i, x, cols, error));
    }
    block->data = to;
    block->stride = cols;
done:
    return status;
}

static scree_status normalised_next(scree_source *source, scree__block *block, scree_error *error)
{
    normalised_source *n = (normalised_source *)source;
    scree_status status = SCREE_OK;
    if (n->problem.status != SCREE_OK)
        SCREE_FAIL(error, n->problem.status, "%s", n->problem.text);
    scree__source_pass_on(source, n->inner);
    n->inner->buffer = NULL;
    n->inner->takes_origin = false;
    n->inner->takes_sparse = n->inner->sparse;
    n->inner->takes_totals = true;
    SCREE_TRY(scree__source_next(n->inner, block, error));
    if (block->rows > 0)
        SCREE_TRY(block->starts ? take_entries(n, block, error) : take_cells(n, block, error));
    block->totals = NULL;
    block->type = SCREE_F64;
done:
    return status;
}

static scree_status normalised_rewind(scree_source *source, scree_error *error)
{
    normalised_source *n = (normalised_source *)source;
    n->empty = 0;
    n->problem = (scree_error)SCREE_ERROR_INIT;
    return scree__source_rewind(n->inner, error);
}

static void normalised_close(scree_source *source)
{
    normalised_source *n = (normalised_source *)source;
    n->inner->takes_totals = false;
    n->inner->takes_sparse = false;
    scree__buffer_free(&n->own);
    scree__buffer_free(&n->loaded);
    scree__buffer_free(&n->bad);
    free(n->sums);
}

static const char *locate(const scree_source *source, int64_t *row)
{
    return scree__source_locate(((const normalised_source *)source)->inner, row);
}

static const scree__source_table normalised_table = {
    .name = "normalised", .next = normalised_next, .rewind = normalised_rewind, .close = normalised_close};

int64_t scree__normalised_empty(const scree_source *source)
{
    return source->table == &normalised_table ? ((const normalised_source *)source)->empty : 0;
}

static scree_status check_columns(const scree_source *inner, const scree__normal *normal, scree_error *error)
{
    const int64_t summed = scree__source_summed(inner);
    if (normal->columns <= normal->chosen || summed > normal->chosen)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_SHAPE,
                       "%s: its rows have %" PRId64
                       " columns, and the model divides rows by their sums over all %" PRId64
                       ", of which it uses %" PRId64 "; give files with all columns",
                       inner->about.path, summed, normal->columns, normal->chosen);
}

scree_status scree__normalised_open(scree_source **out, scree_source *inner, const scree__normal *normal,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    normalised_source *n = NULL;
    if (!(normal->target > 0) || isinf(normal->target))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "normalize is %g; rows are brought to a sum that is positive and finite",
                   normal->target);
    SCREE_TRY(check_columns(inner, normal, error));
    SCREE_ALLOC(n, 1, error);
    n->inner = inner;
    n->base.table = &normalised_table;
    SCREE_TRY(scree__source_around(&n->base, inner, error));
    n->base.about.type = SCREE_F64;
    n->base.about.element = 0;
    n->base.about.wide_integers = false;
    n->base.can = inner->can & SCREE__CAN_REWIND;
    n->base.locate = locate;
    n->base.noted = inner;
    n->base.started = inner->started;
    n->normal = *normal;
    *out = &n->base;
    n = NULL;
done:
    scree_source_free(n ? &n->base : NULL);
    return status;
}

static scree_status ignore(void *context, const scree__batch *batch, scree_error *error)
{
    (void)context;
    (void)batch;
    (void)error;
    return SCREE_OK;
}

scree_status scree__normal_median(double *median, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *opened = NULL;
    const scree__normal plain = {.target = 1};
    if (source->about.weighted)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: rows are brought to the median of their sums where they count alike; name a number, or leave "
                   "the weights out",
                   source->about.path);
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and the median of the sums of its rows takes a pass of its own; name a "
                   "number such as 10000, or save the rows to a file",
                   source->about.path);
    SCREE_TRY(scree__normalised_open(&opened, source, &plain, error));
    normalised_source *n = (normalised_source *)opened;
    n->gathers = true;
    const scree__pass pass = {.stage = "normalize",
                              .pass = 1,
                              .passes = 1,
                              .batch_rows = scree__source_rows_in(source, MEDIAN_BYTES),
                              .run = run,
                              .takes_sparse = true,
                              .visit = ignore};
    SCREE_TRY(scree__pass_run(opened, &pass, NULL, error));
    if (n->lost)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the sums of its rows", source->about.path);
    if (n->sum_count == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: every row sums to 0, so there is nothing to bring to a sum; check the data",
                   source->about.path);
    scree__sort_doubles(n->sums, n->sum_count);
    *median = (n->sums[(n->sum_count - 1) / 2] + n->sums[n->sum_count / 2]) / 2;
done:
    scree_source_free(opened);
    return status;
}
