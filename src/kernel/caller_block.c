/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of rows as callers have them: any element type, any strides, dense or sparse (CSR).
 *
 * Elements go through a strip of doubles on the stack, which holds every type but the largest integers exactly. Dense
 * rows are read along the direction in which they lie closer together: columns of a Fortran-ordered array are read as
 * runs of TILE elements, so that a cache line is used up before it is left. Cost: one read and one write an element. */

#include "kernel/caller_block.h"

#include "base/sized.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <math.h>

enum { STRIP = 256, TILE = 32 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static scree_status check_shape(const scree_block *b, const char *name, scree_error *error)
{
    if (scree__element_size(b->type) == 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: there is no element type %d; use one of scree_type", name,
                           (int)b->type);
    if (b->rows < 0 || b->cols < 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %" PRId64 " rows of %" PRId64 " columns are impossible; give rows, and columns above 0",
                           name, b->rows, b->cols);
    if (b->row_stride < 0 || b->col_stride < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: strides of %" PRId64 " and %" PRId64 " elements run backwards; give strides above 0",
                           name, b->row_stride, b->col_stride);
    return SCREE_OK;
}

/* Elements from the first to the last of count that are stride apart, with reach elements at each; -1: too many. */
static int64_t extent(int64_t count, int64_t stride, int64_t reach)
{
    int64_t all = 0;
    return __builtin_mul_overflow(count > 0 ? count - 1 : 0, stride, &all) || __builtin_add_overflow(all, reach, &all)
               ? -1
               : all;
}

/* In C order the columns of a row end before the next row begins, in Fortran order the reverse. */
static scree_status check_dense(const scree_block *b, const char *name, scree_error *error)
{
    const int64_t size = scree__element_size(b->type);
    const int64_t row = extent(b->cols, b->col_stride, 1);
    const int64_t col = extent(b->rows, b->row_stride, 1);
    const int64_t all = row < 0 ? -1 : extent(b->rows, b->row_stride, row);
    int64_t bytes = 0;
    if (row < 0 || col < 0 || all < 0 || __builtin_mul_overflow(all, size, &bytes))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %" PRId64 " rows of %" PRId64 " columns with these strides are more than memory holds",
                           name, b->rows, b->cols);
    if (b->row_stride < row && b->col_stride < col)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: with strides of %" PRId64 " and %" PRId64 " elements, rows of %" PRId64
                           " columns overlap; give the strides in elements",
                           name, b->row_stride, b->col_stride, b->cols);
    if (b->rows > 0 && !b->data)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the pointer to %" PRId64 " rows is NULL", name, b->rows);
    return SCREE_OK;
}

static scree_status check_row(const scree_block *b, int64_t i, const char *name, int64_t before,
                              scree__block_order order, scree_error *error)
{
    const bool columns = order == SCREE__BLOCK_COLUMNS;
    int64_t last = -1;
    for (int64_t p = b->starts[i]; p < b->starts[i + 1]; last = b->indices[p++]) {
        if (b->indices[p] < 0 || b->indices[p] >= b->cols)
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: %s %" PRId64 " has an entry in %s %" PRId32
                               ", counted from 0, and there are %" PRId64 " %ss",
                               name, columns ? "column" : "row", before + i + 1, columns ? "row" : "column",
                               b->indices[p], b->cols, columns ? "row" : "column");
        if (order == SCREE__BLOCK_ROWS && b->indices[p] <= last)
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: the columns of row %" PRId64
                               " do not ascend; sort its entries, one for each column",
                               name, before + i + 1);
    }
    return SCREE_OK;
}

static scree_status check_sparse(const scree_block *b, const char *name, int64_t before, scree__block_order order,
                                 scree_error *error)
{
    const char *what = order == SCREE__BLOCK_COLUMNS ? "column" : "row";
    scree_status status = SCREE_OK;
    int64_t bytes = 0;
    if (b->absent != SCREE_ABSENT_ZERO && b->absent != SCREE_ABSENT_MISSING)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: absent entries are either zero or missing, not %d", name,
                           (int)b->absent);
    if (b->starts[0] < 0)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: the entries of the first %s start before 0", name, what);
    for (int64_t i = 0; i < b->rows; i++)
        if (b->starts[i + 1] < b->starts[i])
            return scree__fail(error, SCREE_ERR_VALUE, "%s: the entries of %s %" PRId64 " end before they start", name,
                               what, before + i + 1);
    if (b->starts[b->rows] > b->starts[0] && (!b->data || !b->indices))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the pointer to the %s of the entries is NULL", name,
                           b->data ? "columns" : "values");
    if (__builtin_mul_overflow(b->starts[b->rows], INT64_C(8), &bytes) ||
        __builtin_mul_overflow(b->rows, b->cols, &bytes) || __builtin_mul_overflow(bytes, INT64_C(8), &bytes))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: %" PRId64 " rows of %" PRId64 " columns are too many", name,
                           b->rows, b->cols);
    for (int64_t i = 0; status == SCREE_OK && i < b->rows; i++)
        status = check_row(b, i, name, before, order, error);
    return status;
}

scree_status scree__caller_block_check_as(scree_block *mine, const scree_block *theirs, const char *name,
                                          int64_t before, scree__block_order order, scree_error *error)
{
    scree_status status = SCREE_OK;
    *mine = (scree_block)SCREE_BLOCK_INIT;
    if (!theirs)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: the pointer to the block of rows is NULL", name);
    SCREE_TRY(scree__adopt(mine, sizeof *mine, theirs, "rows", error));
    SCREE_TRY(check_shape(mine, name, error));
    mine->row_stride = mine->row_stride ? mine->row_stride : mine->cols;
    mine->col_stride = mine->col_stride ? mine->col_stride : 1;
    if ((uintptr_t)mine->data % (uintptr_t)scree__element_size(mine->type) != 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: elements do not lie at multiples of their size; copy the array",
                   name);
    SCREE_TRY(mine->starts ? check_sparse(mine, name, before, order, error) : check_dense(mine, name, error));
done:
    return status;
}

scree_status scree__caller_block_check(scree_block *mine, const scree_block *theirs, const char *name, int64_t before,
                                       scree_error *error)
{
    return scree__caller_block_check_as(mine, theirs, name, before, SCREE__BLOCK_ROWS, error);
}

scree_type scree__caller_block_type(const scree_block *block)
{
    const bool is_byte = block->type == SCREE_U8 || block->type == SCREE_BOOL;
    if (is_byte && block->starts && block->absent == SCREE_ABSENT_MISSING)
        return SCREE_F32;
    if (block->type == SCREE_F16 || block->type == SCREE_F32)
        return SCREE_F32;
    return is_byte ? SCREE_U8 : SCREE_F64;
}

bool scree__caller_block_is_plain(const scree_block *block)
{
    const bool known = block->type == SCREE_F32 || block->type == SCREE_F64 || block->type == SCREE_U8;
    return known && !block->starts && block->row_stride >= block->cols && (block->col_stride == 1 || block->cols == 1);
}

static const void *element(const scree_block *b, int64_t at)
{
    return (const char *)b->data + at * scree__element_size(b->type);
}

/* What an absent entry is, count times from to on. */
static void fill_absent(scree_absent absent, scree_type type, int64_t count, char *to)
{
    double strip[STRIP];
    for (int64_t k = 0; k < STRIP; k++)
        strip[k] = absent == SCREE_ABSENT_ZERO ? 0.0 : (double)NAN;
    for (int64_t j = 0; j < count; j += STRIP)
        scree__strided_store(type, strip, smaller(count - j, STRIP), to + j * scree__element_size(type), 1);
}

static void load_entries(const scree_block *b, int64_t i, scree_type type, char *to)
{
    double strip[STRIP];
    const int64_t size = scree__element_size(type);
    fill_absent(b->absent, type, b->cols, to);
    for (int64_t p = b->starts[i], count = 0; p < b->starts[i + 1]; p += count) {
        count = smaller(b->starts[i + 1] - p, STRIP);
        scree__strided_load(b->type, element(b, p), 1, count, strip);
        for (int64_t k = 0; k < count; k++)
            scree__strided_store(type, strip + k, 1, to + b->indices[p + k] * size, 1);
    }
}

void scree__caller_block_load(const scree_block *block, int64_t i, double *to)
{
    if (block->starts)
        load_entries(block, i, SCREE_F64, (char *)to);
    else
        scree__strided_load(block->type, element(block, i * block->row_stride), block->col_stride, block->cols, to);
}

static void convert_rows(const scree_block *b, int64_t first, int64_t count, scree_type type, char *to)
{
    double strip[STRIP];
    const int64_t size = scree__element_size(type);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0, n = 0; j < b->cols; j += n) {
            n = smaller(b->cols - j, STRIP);
            scree__strided_load(b->type, element(b, (first + i) * b->row_stride + j * b->col_stride), b->col_stride, n,
                                strip);
            scree__strided_store(type, strip, n, to + (i * b->cols + j) * size, 1);
        }
}

static void convert_columns(const scree_block *b, int64_t first, int64_t count, scree_type type, char *to)
{
    double strip[TILE];
    const int64_t size = scree__element_size(type);
    for (int64_t i = 0, n = 0; i < count; i += n) {
        n = smaller(count - i, TILE);
        for (int64_t j = 0; j < b->cols; j++) {
            scree__strided_load(b->type, element(b, (first + i) * b->row_stride + j * b->col_stride), b->row_stride, n,
                                strip);
            scree__strided_store(type, strip, n, to + (i * b->cols + j) * size, b->cols);
        }
    }
}

void scree__caller_block_convert(const scree_block *block, int64_t first, int64_t count, void *to)
{
    const scree_type type = scree__caller_block_type(block);
    const int64_t row_bytes = block->cols * scree__element_size(type);
    if (!block->starts && block->row_stride < block->col_stride)
        convert_columns(block, first, count, type, to);
    else if (!block->starts)
        convert_rows(block, first, count, type, to);
    else
        for (int64_t i = 0; i < count; i++)
            load_entries(block, first + i, type, (char *)to + i * row_bytes);
}
