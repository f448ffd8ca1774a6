/* SPDX-License-Identifier: BSD-3-Clause */
/* Synthetic rows with a spectrum that falls like those of real data, then ends in noise:
 *
 *     x = µ + Σ_i √(1/i) z_i u_i + 0.01 e,   i = 1 .. min(100, D),   z, e, µ standard normal, u_i random unit vectors.
 *
 * Every number is a function of its place (base/random.h), so the file is the same wherever it is made. 2ND·100 flops;
 * kept as NPY, since it takes longer to make than to read. Pieces of rows are made by all threads and written to their
 * places in the file, so that a matrix need not fit in memory. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DIRECTIONS = 100, MOST_ROWS = 500, MOST_CELLS = 1 << 23, SEED = 10, HEADER = 128 };
enum { STREAM_DIRECTIONS = 1, STREAM_MEAN, STREAM_CODES, STREAM_NOISE };
static const double NOISE = 0.01;

typedef struct making {
    const bench_matrix *x;
    int file;
    int64_t count;      /* of directions */
    double *directions; /* count×D */
    double *mean;       /* D */
    int64_t piece_rows;
    double *codes; /* piece_rows×count for each thread */
    double *rows;  /* piece_rows×D for each thread */
    double *noise; /* D for each thread */
    char *packed;  /* piece_rows×D elements for each thread */
    int info;      /* errno of a piece that failed */
} making;

const char *bench_matrix_description(void)
{
    return "100 random directions with variances 1, 1/2, 1/3, ... (or as many as there are columns), white noise of "
           "standard deviation 0.01, column means of about 1";
}

const char *bench_type_name(scree_type type)
{
    static const char *const names[] = {[SCREE_F32] = "f32", [SCREE_F64] = "f64", [SCREE_U8] = "u8"};
    return names[type];
}

int64_t bench_type_size(scree_type type)
{
    static const int64_t sizes[] = {[SCREE_F32] = sizeof(float), [SCREE_F64] = sizeof(double), [SCREE_U8] = 1};
    return sizes[type];
}

double bench_matrix_bytes(const bench_matrix *x)
{
    return (double)x->rows * (double)x->cols * (double)bench_type_size(x->type);
}

/* 0, or errno. */
static int write_at(int file, const void *data, int64_t bytes, int64_t offset)
{
    for (const char *at = data; bytes > 0;) {
        const ssize_t written = pwrite(file, at, (size_t)bytes, offset);
        if (written < 0)
            return errno;
        at += written;
        bytes -= written;
        offset += written;
    }
    return 0;
}

static int write_header(const bench_matrix *x, int file)
{
    char header[HEADER + 1];
    const int used = snprintf(header, sizeof header,
                              "\x93NUMPY\x01%c\x76%c{'descr': '<f%d', 'fortran_order': False, "
                              "'shape': (%" PRId64 ", %" PRId64 "), }",
                              0, 0, (int)bench_type_size(x->type), x->rows, x->cols);
    memset(header + used, ' ', (size_t)(HEADER - used));
    header[HEADER - 1] = '\n';
    return write_at(file, header, HEADER, 0);
}

/* Adds noise and mean to a row, and makes it the type that is wanted. */
static void finish_row(const making *m, const double *row, void *to, const double *noise)
{
    const int64_t d = m->x->cols;
    for (int64_t j = 0; j < d; j++) {
        const double value = row[j] + NOISE * noise[j] + m->mean[j];
        if (m->x->type == SCREE_F32)
            ((float *)to)[j] = (float)value;
        else
            ((double *)to)[j] = value;
    }
}

/* Task: a piece of rows. */
static void make_piece(void *context, int64_t index, int worker)
{
    making *m = context;
    const int64_t d = m->x->cols;
    const int64_t size = d * bench_type_size(m->x->type);
    const int64_t first = index * m->piece_rows;
    const int64_t count = m->x->rows - first < m->piece_rows ? m->x->rows - first : m->piece_rows;
    double *codes = m->codes + worker * m->piece_rows * m->count;
    double *rows = m->rows + worker * m->piece_rows * d;
    char *packed = m->packed + worker * m->piece_rows * size;
    double *noise = m->noise + worker * d;
    scree__normals(SEED, STREAM_CODES, first * m->count, count * m->count, codes);
    for (int64_t i = 0; i < count * m->count; i++)
        codes[i] /= sqrt((double)(i % m->count + 1));
    if (scree__dgemm(false, false, count, d, m->count, 1, codes, m->count, m->directions, d, 0, rows, d) != 0)
        __atomic_store_n(&m->info, EINVAL, __ATOMIC_RELAXED);
    for (int64_t i = 0; i < count; i++) {
        scree__normals(SEED, STREAM_NOISE, (first + i) * d, d, noise);
        finish_row(m, rows + i * d, packed + i * size, noise);
    }
    const int reason = write_at(m->file, packed, count * size, HEADER + first * size);
    if (reason != 0)
        __atomic_store_n(&m->info, reason, __ATOMIC_RELAXED);
}

static void make_directions(making *m)
{
    const int64_t d = m->x->cols;
    scree__normals(SEED, STREAM_MEAN, 0, d, m->mean);
    scree__normals(SEED, STREAM_DIRECTIONS, 0, m->count * d, m->directions);
    for (int64_t i = 0; i < m->count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < d; j++)
            sum += m->directions[i * d + j] * m->directions[i * d + j];
        for (int64_t j = 0; j < d; j++)
            m->directions[i * d + j] /= sqrt(sum);
    }
}

static scree_status make_rows(const bench_matrix *x, int file, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    making m = {.x = x, .file = file, .count = x->cols < DIRECTIONS ? x->cols : DIRECTIONS};
    SCREE_ALLOC(m.directions, m.count * x->cols, error);
    SCREE_ALLOC(m.mean, x->cols, error);
    m.piece_rows = MOST_CELLS / x->cols < MOST_ROWS ? MOST_CELLS / x->cols : MOST_ROWS;
    SCREE_ALLOC(m.codes, threads * m.piece_rows * m.count, error);
    SCREE_ALLOC(m.rows, threads * m.piece_rows * x->cols, error);
    SCREE_ALLOC(m.packed, threads * m.piece_rows * x->cols * bench_type_size(x->type), error);
    SCREE_ALLOC(m.noise, threads * x->cols, error);
    make_directions(&m);
    scree__blas_enter();
    scree__parallel(threads, (x->rows + m.piece_rows - 1) / m.piece_rows, make_piece, &m);
    scree__blas_leave();
    if (m.info != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: its rows could not be made (%s)", x->path, strerror(m.info));
done:
    free(m.directions);
    free(m.mean);
    free(m.codes);
    free(m.rows);
    free(m.packed);
    free(m.noise);
    return status;
}

/* The file, from rows in memory where there are some, else made; it appears under its name when it is whole. */
static scree_status write_file(const bench_matrix *x, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    char unfinished[sizeof x->path + 8];
    snprintf(unfinished, sizeof unfinished, "%s.part", x->path);
    fprintf(stderr, "making %s\n", x->path);
    const int file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int reason = file < 0 ? errno : write_header(x, file);
    if (reason == 0 && x->data)
        reason = write_at(file, x->data, (int64_t)bench_matrix_bytes(x), HEADER);
    else if (reason == 0)
        SCREE_TRY(make_rows(x, file, threads, error));
    if (reason == 0 && rename(unfinished, x->path) != 0)
        reason = errno;
    if (reason != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be written (%s)", x->path, strerror(reason));
done:
    if (file >= 0)
        close(file);
    return status;
}

/* The elements stand at the end of an NPY file, whatever its header. */
static scree_status read_file(bench_matrix *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const size_t bytes = (size_t)bench_matrix_bytes(x);
    FILE *file = fopen(x->path, "rb");
    x->data = scree__alloc_raw((int64_t)bytes, 1);
    if (!x->data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %s", x->path);
    if (!file || fseek(file, -(long)bytes, SEEK_END) != 0 || fread(x->data, 1, bytes, file) != bytes)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be read (%s); remove it, and it is made anew", x->path,
                   strerror(errno));
done:
    if (file)
        fclose(file);
    return status;
}

static scree_status map_file(bench_matrix *x, scree_error *error)
{
    const int64_t bytes = (int64_t)bench_file_bytes(x->path);
    const int64_t wanted = (int64_t)bench_matrix_bytes(x);
    const int file = open(x->path, O_RDONLY);
    void *map = file >= 0 && bytes > wanted ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    if (map == MAP_FAILED)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be mapped (%s); remove it, and it is made anew", x->path,
                           strerror(errno));
    x->mapped = map;
    x->mapped_bytes = bytes;
    x->data = (char *)map + (bytes - wanted);
    return SCREE_OK;
}

static scree_status find(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error)
{
    *x = (bench_matrix){.type = c->type, .rows = bench_rows(b, c), .cols = c->cols};
    snprintf(x->path, sizeof x->path, "%s/%" PRId64 "x%" PRId64 "-%s.npy", b->folder, x->rows, x->cols,
             bench_type_name(x->type));
    return bench_file_exists(x->path) ? SCREE_OK : write_file(x, b->threads, error);
}

scree_status bench_matrix_get(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error)
{
    scree_status status = find(x, b, c, error);
    return status == SCREE_OK ? read_file(x, error) : status;
}

scree_status bench_matrix_map(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error)
{
    scree_status status = find(x, b, c, error);
    return status == SCREE_OK ? map_file(x, error) : status;
}

scree_status bench_matrix_keep(const bench_matrix *x, scree_error *error)
{
    return bench_file_exists(x->path) ? SCREE_OK : write_file(x, 1, error);
}

void bench_matrix_clear(bench_matrix *x)
{
    if (x->mapped)
        munmap(x->mapped, (size_t)x->mapped_bytes);
    else
        free(x->data);
    x->data = NULL;
    x->mapped = NULL;
}
