/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse arrays as scipy.sparse.save_npz writes them: members format, shape, data, and indices and indptr (CSR, CSC) or
 * row and col (COO). The members are read side by side, block by block, so that CSR takes no memory but for a block,
 * and CSC and COO what rows take that are made of them (turned.h). Entries of a row may come in any order, and those of
 * a cell are added up, as SciPy does it. */

#include "base/memory.h"
#include "base/threads.h"
#include "data/npy_header.h"
#include "data/npz.h"
#include "data/source_calls.h"
#include "data/turned.h"
#include "data/wide.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK_BYTES = 4 << 20,
    STARTS = SCREE__WINDOW(14), /* of rows, that are read at a time */
    FORMAT_BYTES = 512,
    CHUNK = SCREE__WINDOW(15) /* entries of COO */
};

/* A member that is a vector, read from its begin to its end. */
typedef struct vector {
    scree__bytes *bytes;
    scree__layout layout;
    scree__buffer raw;
    scree__buffer made; /* elements as rows have them; integers of 64 bits stay such */
} vector;

typedef struct sparse {
    char *file; /* for messages */
    scree__npz_shape shape;
    bool by_columns;
    int64_t lines; /* rows of CSR, columns of CSC */
    int64_t width; /* the others */
    vector starts;
    vector indices; /* of COO: columns */
    vector rows;    /* of COO */
    vector data;
    int64_t *start;       /* STARTS + 1 of them, that were read */
    int64_t have;         /* lines of which both starts are there */
    int64_t used;         /* of these, that were lent */
    int64_t read;         /* starts that were read, in all */
    int32_t *index;       /* of a block */
    int64_t room;         /* for so many */
    scree__buffer values; /* of COO, as doubles */
} sparse;

static scree_status fail_shape(const sparse *s, const char *what, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: the sparse array is damaged, %s: save it again", s->file, what);
}

static int64_t get(const vector *v, const void *from, int64_t i)
{
    if (v->layout.element.size == 8 && v->layout.element.kind != SCREE__FLOAT)
        return ((const int64_t *)from)[i];
    return scree__element_type(v->layout.element) == SCREE_U8 ? ((const uint8_t *)from)[i]
                                                              : (int64_t)((const double *)from)[i];
}

static bool is_whole(const vector *v)
{
    return v->layout.element.kind == SCREE__SIGNED || v->layout.element.kind == SCREE__UNSIGNED;
}

/* Up to the first element. */
static scree_status begin_vector(vector *v, scree_error *error)
{
    v->layout = (scree__layout){.format = "NPY"};
    return scree__npy_begin(v->bytes, &v->layout, error);
}

static scree_status open_vector(vector *v, const sparse *s, const scree__bytes *bytes, const scree__zip *zip,
                                const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__zip_member *member = scree__npz_find(zip, name);
    if (!member)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the sparse array has no member %s: save it again", s->file, name);
    SCREE_TRY(scree__zip_open(&v->bytes, bytes, member, error));
    SCREE_TRY(begin_vector(v, error));
    if (v->layout.dimensions != 1 || v->layout.shape[0] > (member->size - v->layout.offset) / v->layout.element.size ||
        v->layout.offset + v->layout.shape[0] * v->layout.element.size != member->size)
        SCREE_TRY(fail_shape(s, "a member is no vector of its size", error));
done:
    return status;
}

static void close_vector(vector *v)
{
    scree__bytes_close(v->bytes);
    scree__buffer_free(&v->raw);
    scree__buffer_free(&v->made);
}

static scree_status rewind_vector(vector *v, scree_error *error)
{
    const scree_status status = v->bytes ? scree__bytes_rewind(v->bytes, error) : SCREE_OK;
    return status == SCREE_OK && v->bytes ? begin_vector(v, error) : status;
}

/* The next elements. */
static scree_status read_vector(vector *v, const sparse *s, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__element element = v->layout.element;
    const int64_t bytes = count * element.size;
    int64_t got = 0;
    SCREE_TRY(scree__buffer_reserve(&v->raw, bytes, s->file, error));
    SCREE_TRY(scree__buffer_reserve(&v->made, 8 * count, s->file, error));
    SCREE_TRY(scree__bytes_read(v->bytes, v->raw.data, bytes, &got, error));
    if (got < bytes)
        SCREE_TRY(fail_shape(s, "a member is truncated", error));
    scree__elements_convert(element, v->raw.data, v->made.data, count);
done:
    return status;
}

/* ---- CSR and CSC ---- */

/* More starts, when all that were read are used up. */
static scree_status read_starts(sparse *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t left = s->lines + 1 - s->read;
    const int64_t before = s->read > 0 ? 1 : 0; /* the last one is the first of the next line */
    const int64_t count = left < STARTS ? left : STARTS;
    if (before > 0)
        s->start[0] = s->start[s->have];
    SCREE_TRY(read_vector(&s->starts, s, count, error));
    for (int64_t i = 0; i < count; i++) {
        const int64_t start = get(&s->starts, s->starts.made.data, i);
        if (start < (before + i > 0 ? s->start[before + i - 1] : 0) || start > s->shape.entries ||
            (before + i == 0 && start != 0))
            SCREE_TRY(fail_shape(s, "where its rows or columns start does not ascend from 0 to the number of entries",
                                 error));
        s->start[before + i] = start;
    }
    s->read += count;
    s->have = before + count - 1;
    s->used = 0;
done:
    return status;
}

/* Indices of some entries, within the width. */
static scree_status take_indices(sparse *s, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (count > s->room) {
        free(s->index);
        s->index = NULL;
        s->room = 0;
        SCREE_ALLOC(s->index, count, error);
        s->room = count;
    }
    SCREE_TRY(read_vector(&s->indices, s, count, error));
    for (int64_t p = 0; p < count; p++) {
        const int64_t index = get(&s->indices, s->indices.made.data, p);
        if (index < 0 || index >= s->width)
            SCREE_FAIL(error, SCREE_ERR_VALUE,
                       "%s: the sparse array has an entry in %s %" PRId64 ", counted from 0, and there are %" PRId64
                       " of them; save it again",
                       s->file, s->by_columns ? "row" : "column", index, s->width);
        s->index[p] = (int32_t)index;
    }
done:
    return status;
}

static scree_type type_of(scree__element element)
{
    return element.size == 8 && element.kind != SCREE__FLOAT ? scree__element_stored(element)
                                                             : scree__element_type(element);
}

static scree_status next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    sparse *s = context;
    scree_status status = SCREE_OK;
    const int64_t most = BLOCK_BYTES / 12;
    if (s->used == s->have && s->read < s->lines + 1)
        SCREE_TRY(read_starts(s, error));
    const int64_t *start = s->start + s->used;
    int64_t rows = s->have - s->used < max_rows ? s->have - s->used : max_rows;
    while (rows > 1 && start[rows] - start[0] > most)
        rows = rows / 2;
    if (rows == 0)
        goto done;
    const int64_t count = start[rows] - start[0];
    SCREE_TRY(take_indices(s, count, error));
    SCREE_TRY(read_vector(&s->data, s, count, error));
    /* Starts of this block count from the first entry of it. */
    int64_t *shifted = s->start + STARTS + 2;
    for (int64_t i = 0; i <= rows; i++)
        shifted[i] = start[i] - start[0];
    s->used += rows;
    block->starts = shifted;
    block->indices = s->index;
    block->data = s->data.made.data;
    block->type = type_of(s->shape.element);
    block->rows = rows;
    block->cols = s->width;
done:
    return status;
}

static scree_status again(void *context, scree_error *error)
{
    sparse *s = context;
    scree_status status = SCREE_OK;
    SCREE_TRY(rewind_vector(&s->starts, error));
    SCREE_TRY(rewind_vector(&s->indices, error));
    SCREE_TRY(rewind_vector(&s->rows, error));
    SCREE_TRY(rewind_vector(&s->data, error));
    s->have = s->used = s->read = 0;
done:
    return status;
}

static void release(void *context)
{
    sparse *s = context;
    if (!s)
        return;
    close_vector(&s->starts);
    close_vector(&s->indices);
    close_vector(&s->rows);
    close_vector(&s->data);
    scree__buffer_free(&s->values);
    free(s->start);
    free(s->index);
    free(s->file);
    free(s);
}

static scree_status open_lines(scree_source **out, sparse *s, const scree__bytes *bytes, const scree__zip *zip,
                               const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    SCREE_TRY(open_vector(&s->starts, s, bytes, zip, "indptr", error));
    SCREE_TRY(open_vector(&s->indices, s, bytes, zip, "indices", error));
    if (!is_whole(&s->starts) || !is_whole(&s->indices) || s->starts.layout.shape[0] != s->lines + 1 ||
        s->indices.layout.shape[0] != s->shape.entries)
        SCREE_TRY(fail_shape(s, "its members do not fit each other", error));
    SCREE_ALLOC(s->start, 2 * (STARTS + 2), error);
    calls.context = s;
    calls.next = next;
    calls.rewind = again;
    calls.release = release;
    calls.name = s->file;
    calls.rows = s->shape.rows;
    calls.cols = s->shape.cols;
    calls.type = type_of(s->shape.element);
    calls.sparse = calls.unsorted = true;
    calls.by_columns = s->by_columns;
    calls.entries = s->shape.entries;
    calls.memory = 2 * BLOCK_BYTES;
    SCREE_TRY(scree__calls_open(out, &calls, options, error));
done:
    return status;
}

/* ---- COO ---- */

/* Values of some entries, as doubles. */
static scree_status take_values(sparse *s, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(read_vector(&s->data, s, count, error));
    SCREE_TRY(scree__buffer_reserve(&s->values, 8 * count, s->file, error));
    double *value = (double *)(void *)s->values.data;
    scree__strided_load(type_of(s->shape.element), s->data.made.data, 1, count, value);
    for (int64_t p = 0; p < count; p++)
        if (scree__is_too_wide(value[p]))
            SCREE_FAIL(error, SCREE_ERR_VALUE,
                       "%s: has a whole number beyond 2^53, which double precision would round; divide the values by a "
                       "constant, or store them as doubles",
                       s->file);
done:
    return status;
}

static scree_status take_entries(sparse *s, scree__turned *turned, bool counting, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t at = 0, n = 0; at < s->shape.entries; at += n) {
        n = s->shape.entries - at < CHUNK ? s->shape.entries - at : CHUNK;
        SCREE_TRY(read_vector(&s->rows, s, n, error));
        if (!counting) {
            SCREE_TRY(take_values(s, n, error));
            SCREE_TRY(take_indices(s, n, error));
        }
        const double *value = (const double *)(const void *)s->values.data;
        for (int64_t p = 0; p < n; p++) {
            const int64_t row = get(&s->rows, s->rows.made.data, p);
            if (row < 0 || row >= s->shape.rows)
                SCREE_TRY(fail_shape(s, "an entry is in a row that there is not", error));
            if (counting)
                SCREE_TRY(scree__turned_count(turned, row, error));
            else
                SCREE_TRY(scree__turned_add(turned, row, s->index[p], value[p], error));
        }
    }
done:
    return status;
}

static scree_status open_entries(scree_source **out, sparse *s, const scree__bytes *bytes, const scree__zip *zip,
                                 const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__turned turned = {
        .file = s->file,
        .rows = s->shape.rows,
        .cols = s->shape.cols,
        .type = scree__element_type(s->shape.element),
        .budget = {.given = options->memory, .held = options->held, .seen = scree__bytes_size(bytes)},
        .threads = scree__threads(options->threads),
    };
    SCREE_TRY(open_vector(&s->rows, s, bytes, zip, "row", error));
    SCREE_TRY(open_vector(&s->indices, s, bytes, zip, "col", error));
    if (!is_whole(&s->rows) || !is_whole(&s->indices) || s->rows.layout.shape[0] != s->shape.entries ||
        s->indices.layout.shape[0] != s->shape.entries)
        SCREE_TRY(fail_shape(s, "its members do not fit each other", error));
    SCREE_TRY(take_entries(s, &turned, true, error));
    SCREE_TRY(scree__turned_counted(&turned, error));
    SCREE_TRY(again(s, error));
    SCREE_TRY(take_entries(s, &turned, false, error));
    SCREE_TRY(scree__turned_finish(&turned, error));
    SCREE_TRY(scree__turned_open(out, &turned, error));
    release(s);
done:
    scree__turned_clear(&turned);
    return status;
}

/* ---- what it is ---- */

/* The letters of the member format, of bytes or of text: a header of a length, then a word. */
static scree_status look_at_format(char word[8], const scree__bytes *bytes, const scree__zip *zip, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char content[FORMAT_BYTES] = {0};
    scree__bytes *member = NULL;
    int64_t got = 0;
    int64_t length = 0;
    SCREE_TRY(scree__zip_open(&member, bytes, scree__npz_find(zip, "format"), error));
    SCREE_TRY(scree__bytes_read(member, content, FORMAT_BYTES, &got, error));
    for (int64_t i = 10 + content[8] + 256 * content[9]; i < got && length < 7; i++)
        if (content[i] != 0)
            word[length++] = content[i] >= 'a' && content[i] <= 'z' ? (char)content[i] : '?';
    word[length] = 0;
done:
    scree__bytes_close(member);
    return status;
}

/* Known before the members are looked at: those of BSR and DIA have two or three dimensions. */
static scree_status check_format(const char *format, const char *file, scree_error *error)
{
    static const char *const read[] = {"csr", "csc", "coo"};
    char name[8] = "";
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        if (strcmp(format, read[i]) == 0)
            return SCREE_OK;
    for (size_t i = 0; format[i] && i + 1 < sizeof name; i++)
        name[i] = format[i] == '?' ? '?' : (char)(format[i] - ('a' - 'A'));
    return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                       "%s: the sparse array is %s, and CSR, CSC and COO are read: save X.tocsr()", file,
                       *name && !strchr(name, '?') ? name : "of no known format");
}

scree_status scree__npz_look(scree__npz_shape *shape, const scree__bytes *bytes, const scree__zip *zip,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    sparse s = {.file = (char *)(uintptr_t)scree__bytes_name(bytes)};
    *shape = (scree__npz_shape){{0}, 0, 0, 0, {0}};
    SCREE_TRY(look_at_format(shape->format, bytes, zip, error));
    SCREE_TRY(check_format(shape->format, s.file, error));
    SCREE_TRY(open_vector(&s.rows, &s, bytes, zip, "shape", error));
    SCREE_TRY(open_vector(&s.data, &s, bytes, zip, "data", error));
    if (!is_whole(&s.rows) || s.rows.layout.shape[0] != 2)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the sparse array is not one of rows and columns: save one that is",
                   s.file);
    SCREE_TRY(read_vector(&s.rows, &s, 2, error));
    shape->rows = get(&s.rows, s.rows.made.data, 0);
    shape->cols = get(&s.rows, s.rows.made.data, 1);
    shape->entries = s.data.layout.shape[0];
    shape->element = s.data.layout.element;
    if (shape->rows < 1 || shape->cols < 1 || shape->rows >= INT32_MAX || shape->cols >= INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: the sparse array has %" PRId64 " rows and %" PRId64
                   " columns, and each should be at least 1 and below 2147483647; save another",
                   s.file, shape->rows, shape->cols);
done:
    close_vector(&s.rows);
    close_vector(&s.data);
    return status;
}

bool scree__npz_is_sparse(const scree__zip *zip)
{
    return scree__npz_find(zip, "format") && scree__npz_find(zip, "shape") && scree__npz_find(zip, "data");
}

scree_status scree__npz_open_sparse(scree_source **out, scree__bytes *bytes, const scree__zip *zip,
                                    const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    sparse *s = NULL;
    scree_source *source = NULL;
    scree__npz_shape shape;
    SCREE_TRY(scree__npz_look(&shape, bytes, zip, error));
    const bool csr = strcmp(shape.format, "csr") == 0;
    const bool csc = strcmp(shape.format, "csc") == 0;
    scree__budget budget = *scree__bytes_budget(bytes);
    SCREE_TRY(scree__budget_check(&budget, 128 * shape.cols, scree__bytes_name(bytes), "its columns", error));
    SCREE_ALLOC(s, 1, error);
    s->shape = shape;
    s->by_columns = csc;
    s->lines = csc ? shape.cols : shape.rows;
    s->width = csc ? shape.rows : shape.cols;
    s->file = scree__strdup(scree__bytes_name(bytes));
    if (!s->file)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    SCREE_TRY(open_vector(&s->data, s, bytes, zip, "data", error));
    SCREE_TRY(csr || csc ? open_lines(&source, s, bytes, zip, options, error)
                         : open_entries(&source, s, bytes, zip, options, error));
    s = NULL;
    SCREE_TRY(scree__select_by_options(out, source, options, error));
    source = NULL;
    scree__bytes_close(bytes);
done:
    scree_source_free(source);
    release(s);
    return status;
}
