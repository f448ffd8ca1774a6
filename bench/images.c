/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of bytes: the 60000 MNIST training digits where their file is given, read by zlib alone (16 bytes of header,
 * then 784 a row); else bytes that look like them, most of them 0: 60·max(0, x) of a synthetic matrix, 255 at most. The
 * same as floats is kept as NPY: it is what other programs get, and what results are verified with. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

enum { HEADER = 16 };

static scree_status read_digits(unsigned char *bytes, int64_t count, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char header[HEADER];
    gzFile file = gzopen(path, "rb");
    if (!file || gzread(file, header, HEADER) != HEADER || gzread(file, bytes, (unsigned)count) != (int)count)
        SCREE_FAIL(error, SCREE_ERR_IO,
                   "%s does not hold the MNIST training images; give another, or none, as --digits", path);
done:
    if (file)
        gzclose(file);
    return status;
}

static scree_status make_up(unsigned char *bytes, const bench *b, const bench_case *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix like = {0};
    bench_case floats = *c;
    floats.type = SCREE_F32;
    SCREE_TRY(bench_matrix_get(&like, b, &floats, error));
    for (int64_t i = 0; i < like.rows * like.cols; i++) {
        const float value = 60 * ((const float *)like.data)[i];
        bytes[i] = (unsigned char)(value > 255 ? 255 : value > 0 ? value : 0);
    }
done:
    bench_matrix_clear(&like);
    return status;
}

scree_status bench_images_get(unsigned char **bytes, bench_matrix *x, const bench *b, const bench_case *c,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = bench_rows(b, c);
    const int64_t count = rows * c->cols;
    *x = (bench_matrix){.type = SCREE_F32, .rows = rows, .cols = c->cols};
    snprintf(x->path, sizeof x->path, "%s/%s-%" PRId64 "x%" PRId64 "-f32.npy", b->folder,
             b->digits ? "digits" : "bytes", rows, c->cols);
    SCREE_ALLOC(*bytes, count, error);
    x->data = scree__alloc_raw(count, sizeof(float));
    if (!x->data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %s", x->path);
    if (b->digits)
        SCREE_TRY(read_digits(*bytes, count, b->digits, error));
    else
        SCREE_TRY(make_up(*bytes, b, c, error));
    for (int64_t i = 0; i < count; i++)
        ((float *)x->data)[i] = (*bytes)[i];
    SCREE_TRY(bench_matrix_keep(x, error));
done:
    return status;
}
