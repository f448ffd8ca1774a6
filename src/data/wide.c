/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers of 64 bits become doubles without a rounding, counted from an origin: x - o is formed in integers. An origin
 * is the first value of its column, cut to a multiple of 2048: a double whatever its size, and so is the difference of
 * two of them. Columns that begin below 2^52 need none. Cost: one read and one write an element. */

#include "data/wide.h"

#include "base/memory.h"
#include "base/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { STEP = 2048, PART_CELLS = 1 << 16 };
static const uint64_t PLAIN = UINT64_C(1) << 52;

bool scree__is_wide(scree_type type)
{
    return type == SCREE_I64 || type == SCREE_U64;
}

static uint64_t magnitude_of(int64_t value, scree_type type)
{
    return type == SCREE_I64 && value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int64_t load(const char *data, int64_t at)
{
    int64_t value = 0;
    memcpy(&value, data + at * (int64_t)sizeof value, sizeof value);
    return value;
}

/* The origins of the columns from the first row; none where no column needs one. */
static scree_status find_origin(scree__wide *w, const char *row, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool any = false;
    for (int64_t j = 0; j < cols; j++)
        any = any || magnitude_of(load(row, j), w->type) > PLAIN;
    w->known = true;
    if (!any)
        return SCREE_OK;
    SCREE_ALLOC(w->origin, cols, error);
    SCREE_ALLOC(w->taken, cols, error);
    for (int64_t j = 0; j < cols; j++) {
        const int64_t value = load(row, j);
        const uint64_t size = magnitude_of(value, w->type);
        const bool negative = w->type == SCREE_I64 && value < 0;
        const uint64_t cut = size > PLAIN ? size / STEP * STEP : 0;
        w->taken[j] = (int64_t)(negative ? 0 - cut : cut);
        w->origin[j] = negative ? -(double)cut : (double)cut;
    }
done:
    return status;
}

/* x - o, both of the type. */
static double difference(int64_t value, int64_t origin, scree_type type)
{
    const bool below = type == SCREE_I64 ? value < origin : (uint64_t)value < (uint64_t)origin;
    const uint64_t size = below ? (uint64_t)origin - (uint64_t)value : (uint64_t)value - (uint64_t)origin;
    return scree__double_of_whole(size, below);
}

typedef struct conversion {
    scree_type type;
    const int64_t *taken; /* D, or NULL */
    char *data;
    int64_t rows;
    int64_t cols;
    int64_t part; /* rows at a time */
} conversion;

static void convert_part(void *context, int64_t index, int worker)
{
    const conversion *c = context;
    const int64_t first = index * c->part;
    const int64_t end = first + c->part < c->rows ? first + c->part : c->rows;
    (void)worker;
    for (int64_t i = first; i < end; i++) {
        char *row = c->data + i * c->cols * (int64_t)sizeof(double);
        for (int64_t j = 0; j < c->cols; j++) {
            const double value = difference(load(row, j), c->taken ? c->taken[j] : 0, c->type);
            memcpy(row + j * (int64_t)sizeof value, &value, sizeof value);
        }
    }
}

scree_status scree__wide_convert(scree__wide *wide, const scree_source *source, scree__block *block, void *data,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = source->about.cols;
    if (!scree__is_wide(wide->type) || block->rows == 0)
        return SCREE_OK;
    if (!wide->known && source->takes_origin)
        SCREE_TRY(find_origin(wide, data, cols, error));
    const int64_t part = PART_CELLS / cols > 0 ? PART_CELLS / cols : 1;
    conversion c = {wide->type, source->takes_origin ? wide->taken : NULL, data, block->rows, cols, part};
    scree__parallel(source->threads > 1 ? source->threads : 1, (block->rows + part - 1) / part, convert_part, &c);
    block->origin = source->takes_origin ? wide->origin : NULL;
done:
    return status;
}

void scree__wide_clear(scree__wide *wide)
{
    free(wide->origin);
    free(wide->taken);
    wide->origin = NULL;
    wide->taken = NULL;
}

bool scree__wide_origin(scree__whole *origin, const char *text, const char *end)
{
    scree__whole first;
    if (!scree__whole_parse(&first, text, end) || first.magnitude <= PLAIN)
        return false;
    *origin = (scree__whole){first.magnitude / STEP * STEP, first.negative};
    return true;
}

/* x - o as a double, or the mark. */
static double whole_difference(scree__whole x, scree__whole o)
{
    uint64_t size = 0;
    if (x.negative == o.negative) {
        const bool below = x.magnitude < o.magnitude;
        size = below ? o.magnitude - x.magnitude : x.magnitude - o.magnitude;
        return scree__double_of_whole(size, below != x.negative);
    }
    return __builtin_add_overflow(x.magnitude, o.magnitude, &size) ? scree__too_wide()
                                                                   : scree__double_of_whole(size, x.negative);
}

double scree__wide_cell(const char *text, const char *end, double value, const scree__whole *origin)
{
    scree__whole x;
    const scree__whole o = origin ? *origin : (scree__whole){0};
    if (scree__whole_parse(&x, text, end))
        return whole_difference(x, o);
    if (scree__may_be_rounded(text, end, value) && !scree__whole_is_double(text, end, value))
        return scree__too_wide();
    return value - scree__double_of_whole(o.magnitude, o.negative);
}

void scree__wide_recount(const double *row, const double *from, const double *to, int64_t cols, double *out)
{
    for (int64_t j = 0; j < cols; j++) {
        const double step = (from ? from[j] : 0) - (to ? to[j] : 0);
        const double value = row[j] + step;
        const bool is_exact = !isfinite(row[j]) || (fabs(value) <= 0x1p53 && value - step == row[j]);
        out[j] = step == 0 || scree__is_too_wide(row[j]) ? row[j] : is_exact ? value : scree__too_wide();
    }
}

/* The sentence for a cell that is marked. */
static scree_status fail_cell(const scree_source *source, const scree__block *block, int64_t i, int64_t j,
                              scree_error *error)
{
    char label[256];
    int64_t row = block->first + i;
    const char *file = scree__source_locate(source, &row);
    scree__column_label(source, j, label, sizeof label);
    if (block->origin && block->origin[j] != 0)
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: row %" PRId64
                           ", %s is too far from the whole number of the first row: double precision would round "
                           "what is between; leave the column out",
                           file, row + 1, label);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: row %" PRId64 ", %s is a whole number beyond 2^53, which double precision would round; "
                       "leave the column out, or subtract a constant from it first",
                       file, row + 1, label);
}

scree_status scree__wide_check(scree_source *source, const scree__block *block, const int64_t *uses, int64_t count,
                               scree_error *error)
{
    const double *data = block->data;
    const int64_t most = count > 0 ? count : source->about.cols;
    if (block->type != SCREE_F64 || block->rows == 0)
        return SCREE_OK;
    source->origin = block->origin;
    if (!source->about.wide_integers && !block->marked)
        return SCREE_OK;
    for (int64_t i = 0; i < block->rows; i++)
        for (int64_t j = 0; j < most; j++) {
            const int64_t column = uses ? uses[j] : j;
            if (scree__is_too_wide(data[i * block->stride + column]))
                return fail_cell(source, block, i, column, error);
        }
    return SCREE_OK;
}
