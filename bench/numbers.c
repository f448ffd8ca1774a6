/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV files of numbers, with a header line, and the cells of files. One has normal numbers with 8, 12 and 17
 * significant digits in turn, as measured data, reports and full doubles have; about 16 bytes a cell. Read back by
 * strtod, cell by cell, it is the reference for what a parser must find. The other has the doubles of a matrix as
 * pandas' to_csv would write them: the shortest decimals that read back the same, about 19 bytes a cell. */

#include "bench.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/threads.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SEED = 11, MOST_COLUMNS = 1000, PIECE_ROWS = 1000 };

static void write_rows(FILE *file, int64_t rows, int64_t cols)
{
    static const int digits[] = {8, 12, 17};
    double row[MOST_COLUMNS];
    for (int64_t j = 0; j < cols; j++)
        fprintf(file, "c%" PRId64 "%c", j + 1, j + 1 < cols ? ',' : '\n');
    for (int64_t i = 0; i < rows; i++) {
        scree__normals(SEED, 0, i * cols, cols, row);
        for (int64_t j = 0; j < cols; j++)
            fprintf(file, "%.*g%c", digits[j % 3], row[j], j + 1 < cols ? ',' : '\n');
    }
}

scree_status bench_numbers_get(char *path, size_t size, const bench *b, int64_t rows, int64_t cols, scree_error *error)
{
    char unfinished[512];
    snprintf(path, size, "%s/%" PRId64 "x%" PRId64 ".csv", b->folder, rows, cols);
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
        return SCREE_OK;
    }
    if (cols > MOST_COLUMNS)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: at most %d columns are made", path, MOST_COLUMNS);
    fprintf(stderr, "making %s\n", path);
    file = fopen(unfinished, "wb");
    if (file)
        write_rows(file, rows, cols);
    bool written = file && !ferror(file);
    if (file && fclose(file) != 0)
        written = false;
    if (!written || rename(unfinished, path) != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written (%s)", path, strerror(errno));
    return SCREE_OK;
}

scree_status bench_numbers_read(const char *path, int threads, int64_t rows, int64_t cols, double *values,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.threads = threads;
    SCREE_TRY(scree_source_open(&source, path, &options, error));
    SCREE_TRY(scree_sink_to_memory(&sink, values, rows, cols, error));
    SCREE_TRY(scree_source_copy(source, sink, NULL, error));
    SCREE_TRY(scree_sink_finish(sink, error));
done:
    scree_source_free(source);
    scree_sink_free(sink);
    return status;
}

scree_status bench_numbers_reference(const char *path, int64_t rows, int64_t cols, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    size_t room = 0;
    char *line = NULL;
    int64_t count = 0;
    FILE *file = fopen(path, "rb");
    if (!file || getline(&line, &room, file) < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be read (%s)", path, strerror(errno));
    while (count < rows * cols && getline(&line, &room, file) > 0) {
        char *at = line;
        for (int64_t j = 0; j < cols; j++, at++)
            values[count++] = strtod(at, &at);
    }
    if (count != rows * cols)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s has fewer than %" PRId64 " rows; remove it, and it is made anew", path,
                   rows);
done:
    free(line);
    if (file)
        fclose(file);
    return status;
}

typedef struct printing {
    const bench_matrix *x;
    int64_t first; /* row of the first piece */
    char *text;    /* PIECE_ROWS×D cells for each piece */
    int64_t *used; /* bytes of each piece */
} printing;

/* 1e-07 where scree prints 1e-7: exponents have two digits in Python. Returns the length. */
static int print_as_python(char *text, double value)
{
    int length = scree__print_double(text, value);
    char *exponent = memchr(text, 'e', (size_t)length);
    if (exponent && text + length - exponent == 3 && exponent[1] == '-') {
        exponent[3] = exponent[2];
        exponent[2] = '0';
        length++;
    }
    return length;
}

static void print_piece(void *context, int64_t piece, int worker)
{
    const printing *p = context;
    const int64_t d = p->x->cols;
    const double *rows = p->x->data;
    char *text = p->text + piece * PIECE_ROWS * d * SCREE__NUMBER_SIZE;
    char *at = text;
    (void)worker;
    for (int64_t i = p->first + piece * PIECE_ROWS; i < p->first + (piece + 1) * PIECE_ROWS && i < p->x->rows; i++)
        for (int64_t j = 0; j < d; j++) {
            at += print_as_python(at, rows[i * d + j]);
            *at++ = j + 1 < d ? ',' : '\n';
        }
    p->used[piece] = at - text;
}

static scree_status write_matrix(FILE *file, const bench_matrix *x, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    printing p = {.x = x};
    const int64_t piece_bytes = PIECE_ROWS * x->cols * SCREE__NUMBER_SIZE;
    SCREE_ALLOC(p.text, threads * piece_bytes, error);
    SCREE_ALLOC(p.used, threads, error);
    for (int64_t j = 0; j < x->cols; j++)
        fprintf(file, "c%" PRId64 "%c", j, j + 1 < x->cols ? ',' : '\n');
    for (p.first = 0; p.first < x->rows; p.first += threads * PIECE_ROWS) {
        scree__parallel(threads, threads, print_piece, &p);
        for (int i = 0; i < threads; i++)
            fwrite(p.text + i * piece_bytes, 1, (size_t)p.used[i], file);
    }
done:
    free(p.text);
    free(p.used);
    return status;
}

scree_status bench_numbers_of_matrix(char *path, size_t size, const bench_matrix *x, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    char unfinished[1024];
    snprintf(path, size, "%.*s.csv", (int)(strlen(x->path) - strlen(".npy")), x->path);
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    if (bench_file_exists(path))
        return SCREE_OK;
    fprintf(stderr, "making %s\n", path);
    FILE *file = fopen(unfinished, "wb");
    if (file)
        SCREE_TRY(write_matrix(file, x, threads, error));
    bool written = file && !ferror(file);
    if (file && fclose(file) != 0)
        written = false;
    file = NULL;
    if (!written || rename(unfinished, path) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be written (%s)", path, strerror(errno));
done:
    if (file)
        fclose(file);
    return status;
}
