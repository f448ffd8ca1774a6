/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a matrix in a MAT file, which stores columns. Dense: the rows of a block are read from all columns (a
 * hyperslab), as many at a time as memory allows, and lent as they lie, column by column. Sparse: the whole variable is
 * read, whose absent entries are zeros, and handed over column by column, of which the library makes rows. */

#include "module/matio/matio_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEAST_BYTES = 4 << 20, MOST_BYTES = 256 << 20, SPARSE_COLUMNS = 4096 };

SCREE_API scree_status scree_module_open_1(scree_source_calls *calls, const char *path,
                                           const scree_read_options *options, scree_error *error);
SCREE_API scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                           void *context, scree_error *error);

typedef struct mat_rows {
    mat_t *mat;
    matvar_t *variable;
    char *path;
    scree_type type;
    int64_t rows;
    int64_t cols;
    int64_t at;    /* next row; sparse: column */
    int64_t slab;  /* rows that are read at a time */
    int64_t first; /* row of those that are read */
    int64_t held;
    void *data;       /* slab × cols, column by column */
    int64_t *starts;  /* sparse: of a block of columns */
    int32_t *indices; /* sparse: all */
    double *values;
} mat_rows;

static void release(void *context)
{
    mat_rows *from = context;
    Mat_VarFree(from->variable);
    if (from->mat)
        Mat_Close(from->mat);
    free(from->path);
    free(from->data);
    free(from->starts);
    free(from->indices);
    free(from->values);
    free(from);
}

static scree_status again(void *context, scree_error *error)
{
    (void)error;
    ((mat_rows *)context)->at = 0;
    return SCREE_OK;
}

/* ---- dense ---- */

static scree_status next_dense(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    mat_rows *from = context;
    const int64_t size = (int64_t)Mat_SizeOfClass((int)from->variable->class_type);
    if (from->at == from->rows)
        return SCREE_OK;
    if (from->at < from->first || from->at >= from->first + from->held) {
        const int64_t left = from->rows - from->at;
        const int64_t count = left < from->slab ? left : from->slab;
        int start[2] = {(int)from->at, 0};
        int stride[2] = {1, 1};
        int edge[2] = {(int)count, (int)from->cols};
        from->held = 0;
        if (Mat_VarReadData(from->mat, from->variable, from->data, start, stride, edge) != 0)
            return mat_fail(error, SCREE_ERR_FORMAT,
                            "%s: is damaged or truncated: rows %lld to %lld of its variable cannot be read", from->path,
                            (long long)from->at + 1, (long long)(from->at + count));
        from->first = from->at;
        from->held = count;
    }
    const int64_t offset = from->at - from->first;
    const int64_t left = from->held - offset;
    block->data = (const char *)from->data + offset * size;
    block->type = from->type;
    block->rows = left < max_rows ? left : max_rows;
    block->cols = from->cols;
    block->row_stride = 1;
    block->col_stride = from->held;
    from->at += block->rows;
    return SCREE_OK;
}

/* No more cells than the file may hold: one a byte, or, where it is compressed, as many as zlib makes of a byte. */
static bool may_hold(const mat_rows *from)
{
    struct stat about;
    const int64_t ratio = from->variable->compression == MAT_COMPRESSION_ZLIB ? 1032 : 1;
    return Mat_GetVersion(from->mat) == MAT_FT_MAT73 ||
           (stat(from->path, &about) == 0 && from->rows / ratio <= (int64_t)about.st_size / from->cols);
}

static scree_status begin_dense(mat_rows *from, const scree_read_options *options, scree_error *error)
{
    const int64_t size = (int64_t)Mat_SizeOfClass((int)from->variable->class_type);
    const int64_t share = options->memory / 4;
    const int64_t bytes = options->memory <= 0 || share > MOST_BYTES ? MOST_BYTES
                          : share < LEAST_BYTES                      ? LEAST_BYTES
                                                                     : share;
    if (!may_hold(from))
        return mat_fail(error, SCREE_ERR_FORMAT, "%s: is damaged: %lld×%lld cells do not fit into it: save it again",
                        from->path, (long long)from->rows, (long long)from->cols);
    if (from->cols * size > MOST_BYTES && from->cols * size > share)
        return mat_fail(error, SCREE_ERR_LIMIT,
                        "%s: one row of its %lld columns takes %lld MiB; allow four times as much with --memory",
                        from->path, (long long)from->cols, (long long)(from->cols * size >> 20));
    from->slab = bytes / (from->cols * size);
    from->slab = from->slab < 1 ? 1 : from->slab < from->rows ? from->slab : from->rows;
    from->data = calloc((size_t)(from->slab * from->cols), (size_t)size);
    return from->data ? SCREE_OK : mat_fail(error, SCREE_ERR_MEMORY, "%s: out of memory for its rows", from->path);
}

/* ---- sparse ---- */

static scree_status next_columns(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    mat_rows *from = context;
    const mat_sparse_t *sparse = from->variable->data;
    const int64_t left = from->cols - from->at;
    int64_t count = left < max_rows ? left : max_rows;
    (void)error;
    if (count == 0)
        return SCREE_OK;
    count = count < SPARSE_COLUMNS ? count : SPARSE_COLUMNS;
    const int64_t first = sparse->jc[from->at];
    for (int64_t j = 0; j <= count; j++)
        from->starts[j] = sparse->jc[from->at + j] - first;
    block->data = from->values + first;
    block->indices = from->indices + first;
    block->starts = from->starts;
    block->type = SCREE_F64;
    block->rows = count;
    block->cols = from->rows;
    from->at += count;
    return SCREE_OK;
}

/* The columns are in order, and the rows inside. */
static bool is_whole(const mat_rows *from, const mat_sparse_t *sparse)
{
    bool fits = sparse && sparse->jc && (int64_t)sparse->njc == from->cols + 1 && sparse->jc[0] == 0;
    for (int64_t j = 0; fits && j < from->cols; j++)
        fits = sparse->jc[j] <= sparse->jc[j + 1];
    const int64_t count = fits ? sparse->jc[from->cols] : 0;
    fits = fits && count <= (int64_t)sparse->nir && count <= (int64_t)sparse->ndata &&
           (count == 0 || (sparse->ir && sparse->data));
    for (int64_t k = 0; fits && k < count; k++)
        fits = (int64_t)sparse->ir[k] < from->rows;
    return fits;
}

static scree_status begin_sparse(mat_rows *from, scree_source_calls *calls, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int code = Mat_VarReadDataAll(from->mat, from->variable);
    const mat_sparse_t *sparse = from->variable->data;
    if (code != 0 || !is_whole(from, sparse) || from->variable->isComplex)
        MAT_FAIL(error, SCREE_ERR_FORMAT,
                 "%s: is damaged: the entries of its sparse variable do not fit its %lld×%lld cells", from->path,
                 (long long)from->rows, (long long)from->cols);
    const int64_t count = sparse->jc[from->cols];
    const bool doubles = from->variable->data_type == MAT_T_DOUBLE;
    if (!doubles && from->variable->data_type != MAT_T_UINT8 && from->variable->data_type != MAT_T_INT8)
        MAT_FAIL(error, SCREE_ERR_UNSUPPORTED,
                 "%s: its sparse variable holds neither doubles nor truth values; save it as double", from->path);
    from->starts = calloc(SPARSE_COLUMNS + 1, sizeof *from->starts);
    from->indices = calloc((size_t)count + 1, sizeof *from->indices);
    from->values = calloc((size_t)count + 1, sizeof *from->values);
    if (!from->starts || !from->indices || !from->values)
        MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its entries", from->path);
    for (int64_t k = 0; k < count; k++) {
        from->indices[k] = (int32_t)sparse->ir[k];
        from->values[k] = doubles ? ((const double *)sparse->data)[k] : ((const uint8_t *)sparse->data)[k];
    }
    calls->sparse = calls->by_columns = true;
    calls->entries = count;
    calls->memory = 24 * count;
done:
    return status;
}

scree_status scree_module_open_1(scree_source_calls *calls, const char *path, const scree_read_options *options,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    mat_rows *from = calloc(1, sizeof *from);
    if (!from || !(from->path = strdup(path)))
        MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    if (options->label || options->id)
        MAT_FAIL(error, SCREE_ERR_ARGUMENT, "%s: a matrix has no column of texts: leave out --label and --id", path);
    MAT_TRY(mat_open(&from->mat, path, error));
    MAT_TRY(mat_find(&from->variable, from->mat, path, options->dataset, error));
    (void)mat_unusable(from->variable, &from->type);
    from->rows = (int64_t)from->variable->dims[0];
    from->cols = (int64_t)from->variable->dims[1];
    const bool sparse = from->variable->class_type == MAT_C_SPARSE;
    MAT_TRY(sparse ? begin_sparse(from, calls, error) : begin_dense(from, options, error));
    calls->context = from;
    calls->next = sparse ? next_columns : next_dense;
    calls->rewind = again;
    calls->release = release;
    calls->rows = from->rows;
    calls->cols = from->cols;
    calls->type = from->type;
    if (!sparse)
        calls->memory = from->slab * from->cols * (int64_t)Mat_SizeOfClass((int)from->variable->class_type);
    from = NULL;
done:
    if (from)
        release(from);
    return status;
}

/* ---- what there is ---- */

scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                 void *context, scree_error *error)
{
    static const char *const names[] = {
        [SCREE_F32] = "f4", [SCREE_F64] = "f8", [SCREE_U8] = "u1",  [SCREE_I8] = "i1",  [SCREE_I16] = "i2",
        [SCREE_U16] = "u2", [SCREE_I32] = "i4", [SCREE_U32] = "u4", [SCREE_I64] = "i8", [SCREE_U64] = "u8"};
    scree_status status = SCREE_OK;
    mat_t *mat = NULL;
    matvar_t *variable = NULL;
    int64_t usable = 0;
    scree_type type = SCREE_F64;
    (void)options;
    MAT_TRY(mat_open(&mat, path, error));
    for (; (variable = Mat_VarReadNextInfo(mat)) != NULL; Mat_VarFree(variable))
        usable += mat_unusable(variable, &type) == NULL;
    Mat_Rewind(mat);
    while ((variable = Mat_VarReadNextInfo(mat)) != NULL) {
        scree_part part = SCREE_PART_INIT;
        part.note = mat_unusable(variable, &type);
        part.closed = part.note != NULL;
        part.path = variable->name ? variable->name : "";
        part.kind = variable->class_type == MAT_C_SPARSE ? "sparse" : part.closed ? "-" : "dense";
        part.type = part.closed ? NULL : names[type];
        part.rows = variable->rank == 2 && variable->dims ? (int64_t)variable->dims[0] : -1;
        part.cols = variable->rank == 2 && variable->dims ? (int64_t)variable->dims[1] : -1;
        part.meant = !part.closed && usable == 1;
        MAT_TRY(visit(context, &part, error));
        Mat_VarFree(variable);
    }
done:
    Mat_VarFree(variable);
    if (mat)
        Mat_Close(mat);
    return status;
}
