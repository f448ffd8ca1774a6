/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as a MAT file of version 5: numbers are the matrix `codes`, and texts, where there are such, the cell array
 * `labels` with a column for each. A variable of that version has to be written at once and in columns, so all rows are
 * kept until the end, and are at most 2 GiB. */

#include "module/matio/matio_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

SCREE_API scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                            const scree_write_options *options, scree_error *error);

typedef struct mat_out {
    mat_t *mat;
    char *name; /* for messages */
    int64_t cols;
    int64_t texts;
    int64_t rows;
    int64_t room; /* rows */
    double *data; /* row by row */
    char **text;  /* rows × texts */
} mat_out;

static const int64_t most_bytes = INT32_MAX - 1024;

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    mat_out *out = context;
    (void)rows, (void)columns, (void)text_names, (void)error;
    out->cols = cols;
    out->texts = text_count;
    return SCREE_OK;
}

static scree_status grow(mat_out *out, int64_t rows, scree_error *error)
{
    const int64_t room = 2 * out->room + rows;
    double *data = NULL;
    char **text = NULL;
    if ((out->rows + rows) > most_bytes / 8 / (out->cols > 0 ? out->cols : 1))
        return mat_fail(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: a variable of this format has at most 2 GiB, and there are more rows: write another format",
            out->name);
    if (out->rows + rows <= out->room)
        return SCREE_OK;
    data = realloc(out->data, (size_t)(room * out->cols + 1) * sizeof *data);
    if (data)
        out->data = data;
    text = realloc(out->text, (size_t)(room * out->texts + 1) * sizeof *text);
    if (text)
        out->text = text;
    if (!data || !text)
        return mat_fail(error, SCREE_ERR_MEMORY, "%s: out of memory: this format keeps all rows until the end",
                        out->name);
    out->room = room;
    return SCREE_OK;
}

static scree_status put(void *context, const scree_block *rows, scree_error *error)
{
    mat_out *out = context;
    scree_status status = SCREE_OK;
    const double *data = rows->data;
    const int64_t stride = rows->row_stride ? rows->row_stride : out->cols;
    MAT_TRY(grow(out, rows->rows, error));
    for (int64_t r = 0; r < rows->rows; r++, out->rows++) {
        memcpy(out->data + out->rows * out->cols, data + r * stride, (size_t)out->cols * sizeof *data);
        for (int64_t i = 0; i < out->texts; i++) {
            const char *text = rows->texts ? rows->texts[r * out->texts + i] : NULL;
            char *copy = strdup(text ? text : "");
            if (!copy) {
                while (i-- > 0)
                    free(out->text[out->rows * out->texts + i]);
                MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its labels", out->name);
            }
            out->text[out->rows * out->texts + i] = copy;
        }
    }
done:
    return status;
}

/* UTF-8, which is valid, as the 16-bit letters of that format; returns how many. */
static size_t widen(uint16_t *to, const char *from)
{
    size_t count = 0;
    while (*from) {
        const unsigned char first = (unsigned char)*from++;
        const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        uint32_t letter = more == 0 ? first : first & (0x3FU >> more);
        for (int k = 0; k < more && *from; k++)
            letter = letter << 6 | ((unsigned char)*from++ & 0x3FU);
        if (letter >= 0x10000) {
            to[count++] = (uint16_t)(0xD800 + ((letter - 0x10000) >> 10));
            letter = 0xDC00 + ((letter - 0x10000) & 0x3FF);
        }
        to[count++] = (uint16_t)letter;
    }
    return count;
}

static matvar_t *text_of(const char *text)
{
    uint16_t *letters = malloc(2 * strlen(text) + 2);
    size_t dims[2] = {1, 0};
    matvar_t *variable = NULL;
    if (letters) {
        dims[1] = widen(letters, text);
        dims[0] = dims[1] > 0;
        variable = Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF16, 2, dims, letters, 0);
    }
    free(letters);
    return variable;
}

static scree_status write_texts(mat_out *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    size_t dims[2] = {(size_t)out->rows, (size_t)out->texts};
    matvar_t *labels = Mat_VarCreate("labels", MAT_C_CELL, MAT_T_CELL, 2, dims, NULL, 0);
    if (!labels)
        MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its labels", out->name);
    for (int64_t i = 0; i < out->texts; i++)
        for (int64_t r = 0; r < out->rows; r++) {
            matvar_t *text = text_of(out->text[r * out->texts + i]);
            if (!text)
                MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its labels", out->name);
            Mat_VarSetCell(labels, (int)(i * out->rows + r), text);
        }
    if (Mat_VarWrite(out->mat, labels, MAT_COMPRESSION_NONE) != 0)
        MAT_FAIL(error, SCREE_ERR_IO, "%s: its labels cannot be written", out->name);
done:
    Mat_VarFree(labels);
    return status;
}

static scree_status write_numbers(mat_out *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    size_t dims[2] = {(size_t)out->rows, (size_t)out->cols};
    double *columns = malloc((size_t)(out->rows * out->cols + 1) * sizeof *columns);
    matvar_t *codes = NULL;
    if (!columns)
        MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory: this format is written at once", out->name);
    for (int64_t r = 0; r < out->rows; r++)
        for (int64_t j = 0; j < out->cols; j++)
            columns[j * out->rows + r] = out->data[r * out->cols + j];
    codes = Mat_VarCreate("codes", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, columns, MAT_F_DONT_COPY_DATA);
    if (!codes || Mat_VarWrite(out->mat, codes, MAT_COMPRESSION_NONE) != 0)
        MAT_FAIL(error, SCREE_ERR_IO, "%s: its numbers cannot be written", out->name);
done:
    Mat_VarFree(codes);
    free(columns);
    return status;
}

static scree_status finish(void *context, scree_error *error)
{
    mat_out *out = context;
    scree_status status = SCREE_OK;
    if (out->rows * out->texts > INT32_MAX)
        MAT_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: there are too many labels for this format: write another",
                 out->name);
    MAT_TRY(write_numbers(out, error));
    if (out->texts > 0)
        MAT_TRY(write_texts(out, error));
    mat_t *mat = out->mat;
    out->mat = NULL;
    if (Mat_Close(mat) != 0)
        MAT_FAIL(error, SCREE_ERR_IO, "%s: cannot be written", out->name);
done:
    return status;
}

static void release(void *context)
{
    mat_out *out = context;
    for (int64_t i = 0; out->text && i < out->rows * out->texts; i++)
        free(out->text[i]);
    if (out->mat)
        Mat_Close(out->mat);
    free(out->text);
    free(out->data);
    free(out->name);
    free(out);
}

scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                  const scree_write_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    mat_out *out = calloc(1, sizeof *out);
    (void)options;
    if (!out || !(out->name = strdup(name)))
        MAT_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    out->mat = Mat_CreateVer(path, "MATLAB 5.0 MAT-file, written by scree", MAT_FT_MAT5);
    if (!out->mat)
        MAT_FAIL(error, SCREE_ERR_IO, "%s: cannot be written", name);
    calls->context = out;
    calls->begin = begin;
    calls->write = put;
    calls->finish = finish;
    calls->release = release;
    out = NULL;
done:
    if (out)
        release(out);
    return status;
}
