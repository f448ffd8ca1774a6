/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files as rows. What a coordinate file does not list is 0, as the format has it, and its rows are sparse
 * (turned.h); entries of the same cell are added up, and of a symmetric matrix both halves are there. Where the user
 * says that it is missing, rows are those of triplets, and a cell that is there twice is an error. Transposed, columns
 * of the file are rows without a detour. Arrays are dense: their lines come column by column, and so as rows of what is
 * then transposed. */

#include "base/memory.h"
#include "base/threads.h"
#include "data/formats.h"
#include "data/mtx_text.h"
#include "data/tenx.h"
#include "data/triplets.h"
#include "data/turned.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20 };

/* ---- cells that are missing ---- */

static scree_status take_cells(scree__mtx *mtx, scree__triplets *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__mtx_entry e = {0};
    for (bool there = true;;) {
        SCREE_TRY(scree__mtx_next(mtx, &e, &there, error));
        if (!there)
            break;
        to->budget.seen = mtx->seen;
        if (e.value == e.value)
            SCREE_TRY(scree__triplets_add(to, e.row, e.column, e.value, error));
    }
done:
    return status;
}

static scree_status open_missing(scree_source **out, scree__mtx *mtx, const scree_read_options *options,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__triplets_whole whole = {.triplets = {.file = mtx->file, .budget = *scree__bytes_budget(mtx->bytes)},
                                   .row_count = mtx->rows,
                                   .col_count = mtx->cols};
    if (mtx->symmetry != SCREE__MTX_GENERAL || mtx->pattern)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: cells that are missing are for matrices that are general and have values; leave out --absent "
                   "missing",
                   mtx->file);
    SCREE_TRY(scree__triplets_expect(&whole.triplets, mtx->rows, mtx->cols, error));
    SCREE_TRY(take_cells(mtx, &whole.triplets, error));
    SCREE_TRY(scree__triplets_open(out, &whole, options, error));
done:
    scree__triplets_whole_clear(&whole);
    return status;
}

/* ---- cells that are 0 ---- */

static scree_status take_entries(scree__mtx *mtx, scree__turned *to, bool transpose, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__mtx_entry e = {0};
    for (bool there = true;;) {
        SCREE_TRY(scree__mtx_next(mtx, &e, &there, error));
        if (!there)
            break;
        to->budget.seen = mtx->seen > to->budget.seen ? mtx->seen : to->budget.seen;
        const int64_t row = transpose ? e.column : e.row;
        const int64_t column = transpose ? e.row : e.column;
        SCREE_TRY(scree__turned_add(to, row, column, e.value, error));
        if (mtx->symmetry != SCREE__MTX_GENERAL && row != column)
            SCREE_TRY(scree__turned_add(to, column, row, mtx->symmetry == SCREE__MTX_SKEW ? -e.value : e.value, error));
    }
done:
    return status;
}

/* The matrix of a 10x folder has genes as rows, which is seldom meant. */
static scree_status note_folder(scree_source *source, const char *file, scree_error *error)
{
    static const char more[] =
        "; barcodes lie beside it, so genes are probably the rows here: give the folder to have cells as rows";
    if (source->about.transposed || !scree__tenx_beside(file))
        return SCREE_OK;
    const size_t length = strlen(source->about.note);
    char *note = realloc(source->about.note, length + sizeof more);
    if (!note)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", file);
    memcpy(note + length, more, sizeof more);
    source->about.note = note;
    return SCREE_OK;
}

static scree_status open_sparse(scree_source **out, scree__mtx *mtx, const scree_read_options *options,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool transpose = options->transpose != 0;
    scree_source *source = NULL;
    scree__triplets claims = {.file = mtx->file, .budget = *scree__bytes_budget(mtx->bytes)};
    scree__turned turned = {
        .file = mtx->file,
        .rows = transpose ? mtx->cols : mtx->rows,
        .cols = transpose ? mtx->rows : mtx->cols,
        .type = SCREE_F64,
        .budget = claims.budget,
        .threads = scree__threads(options->threads),
    };
    SCREE_TRY(scree__triplets_expect(&claims, mtx->rows, mtx->cols, error));
    SCREE_TRY(take_entries(mtx, &turned, transpose, error));
    SCREE_TRY(scree__turned_finish(&turned, error));
    claims.budget.seen = mtx->seen;
    if (!options->columns && !options->exclude)
        SCREE_TRY(scree__triplets_believe(&claims, turned.cols, error));
    SCREE_TRY(scree__turned_open(&source, &turned, error));
    source->about.transposed = transpose;
    SCREE_TRY(note_folder(source, mtx->file, error));
    SCREE_TRY(scree__select_by_options(out, source, options, error));
    source = NULL;
done:
    scree_source_free(source);
    scree__turned_clear(&turned);
    return status;
}

/* ---- arrays ---- */

/* A column of the file a row. */
typedef struct array_source {
    scree_source base;
    scree__mtx mtx;
    scree__buffer own;
} array_source;

static scree_status array_next(scree_source *source, scree__block *block, scree_error *error)
{
    array_source *from = (array_source *)source;
    scree_status status = SCREE_OK;
    const int64_t done_rows = from->mtx.found / from->mtx.rows;
    const int64_t left = source->about.rows - done_rows;
    scree__mtx_entry e = {0};
    bool there = true;
    block->rows = left < source->block_rows ? left : source->block_rows;
    block->first = done_rows;
    if (block->rows == 0) /* nothing may follow */
        return scree__mtx_next(&from->mtx, &e, &there, error);
    SCREE_TRY(scree__buffer_reserve(&from->own, 8 * block->rows * from->mtx.rows, source->about.path, error));
    for (int64_t i = 0; i < block->rows * from->mtx.rows; i++) {
        SCREE_TRY(scree__mtx_next(&from->mtx, &e, &there, error));
        ((double *)(void *)from->own.data)[i] = e.value;
    }
    block->data = from->own.data;
done:
    return status;
}

static scree_status array_rewind(scree_source *source, scree_error *error)
{
    array_source *from = (array_source *)source;
    scree_status status = SCREE_OK;
    scree__bytes *bytes = from->mtx.bytes;
    scree__mtx_end(&from->mtx);
    from->mtx = (scree__mtx){.bytes = bytes, .file = source->about.path};
    SCREE_TRY(scree__bytes_rewind(bytes, error));
    SCREE_TRY(scree__mtx_begin(&from->mtx, error));
done:
    return status;
}

static void array_close(scree_source *source)
{
    array_source *from = (array_source *)source;
    scree__mtx_end(&from->mtx);
    scree__bytes_close(from->mtx.bytes);
    scree__buffer_free(&from->own);
}

static const scree__source_table array_table = {
    .name = "mtx array", .next = array_next, .rewind = array_rewind, .close = array_close};

/* Takes over the text, and on success the bytes. */
static scree_status open_array(scree_source **out, scree__mtx *mtx, const scree_read_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    array_source *from = NULL;
    scree_source *lines = NULL;
    scree_source *source = NULL;
    SCREE_TRY(scree__budget_check(scree__bytes_budget(mtx->bytes), 8 * mtx->rows, mtx->file, "its rows", error));
    SCREE_ALLOC(from, 1, error);
    lines = &from->base;
    lines->table = &array_table;
    lines->about.path = scree__strdup(mtx->file);
    if (!lines->about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", mtx->file);
    lines->about.type = SCREE_F64;
    lines->about.rows = lines->about.rows_estimate = mtx->cols;
    lines->about.cols = mtx->rows;
    lines->can = scree__bytes_can_rewind(mtx->bytes) ? SCREE__CAN_REWIND : 0;
    lines->block_rows = scree__source_rows_in(lines, BLOCK_BYTES);
    lines->about.transposed = options->transpose != 0;
    from->mtx = *mtx;
    from->mtx.file = lines->about.path;
    *mtx = (scree__mtx){0};
    if (!options->transpose) {
        SCREE_TRY(scree__transposed_open(&source, lines, options->memory, error));
        free(source->about.note); /* it is as the file means it */
        source->about.note = NULL;
    } else {
        source = lines;
    }
    from = NULL;
    lines = NULL;
    SCREE_TRY(scree__select_by_options(out, source, options, error));
    source = NULL;
done:
    if (from && status != SCREE_OK && from->mtx.bytes) /* they stay the caller's */
        from->mtx.bytes = NULL;
    scree_source_free(source);
    scree_source_free(lines);
    return status;
}

static bool mtx_matches(const unsigned char *head, int64_t size)
{
    static const char banner[] = "%%MatrixMarket";
    return size >= (int64_t)sizeof banner - 1 && memcmp(head, banner, sizeof banner - 1) == 0;
}

static scree_status mtx_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__mtx mtx = {.bytes = bytes, .file = scree__bytes_name(bytes)};
    SCREE_TRY(scree__mtx_begin(&mtx, error));
    if (mtx.array) {
        SCREE_TRY(open_array(out, &mtx, options, error));
        goto done;
    }
    SCREE_TRY(options->absent == SCREE_CELLS_MISSING ? open_missing(out, &mtx, options, error)
                                                     : open_sparse(out, &mtx, options, error));
    scree__bytes_close(bytes);
done:
    scree__mtx_end(&mtx);
    return status;
}

static const char *const mtx_extensions[] = {"mtx", "mm", NULL};

const scree__reader scree__reader_mtx = {
    "mtx", mtx_extensions, mtx_matches, mtx_open, "Matrix Market, cells that are not listed 0", false, false, NULL};
