/* SPDX-License-Identifier: BSD-3-Clause */
/* Synthetic rows with a spectrum that falls like those of real data, then ends in noise:
 *
 *     x = µ + Σ_i √(1/i) z_i u_i + 0.01 e,   i = 1 .. min(100, D),   z, e, µ standard normal, u_i random unit vectors.
 *
 * Every number is a function of its place (base/random.h), so the file is the same wherever it is made. 2ND·100 flops;
 * kept as NPY, since it takes longer to make than to read. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DIRECTIONS = 100, PIECE_ROWS = 500, SEED = 10 };
enum { STREAM_DIRECTIONS = 1, STREAM_MEAN, STREAM_CODES, STREAM_NOISE };
static const double NOISE = 0.01;

typedef struct making {
    const bench_matrix *x;
    int64_t count;      /* of directions */
    double *directions; /* count×D */
    double *mean;       /* D */
    double *codes;      /* PIECE_ROWS×count for each thread */
    double *rows;       /* PIECE_ROWS×D for each thread */
    double *noise;      /* D for each thread */
    int info;
} making;

const char *bench_matrix_description(void)
{
    return "100 random directions with variances 1, 1/2, 1/3, ... (or as many as there are columns), white noise of "
           "standard deviation 0.01, column means of about 1";
}

const char *bench_type_name(scree_type type)
{
    return type == SCREE_F32 ? "f32" : "f64";
}

static int64_t type_size(scree_type type)
{
    return type == SCREE_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* Row i of the piece at rows, with noise and mean, into place. */
static void finish_row(const making *m, int64_t i, const double *row, const double *noise)
{
    const int64_t d = m->x->cols;
    for (int64_t j = 0; j < d; j++) {
        const double value = row[j] + NOISE * noise[j] + m->mean[j];
        if (m->x->type == SCREE_F32)
            ((float *)m->x->data)[i * d + j] = (float)value;
        else
            ((double *)m->x->data)[i * d + j] = value;
    }
}

/* Task: PIECE_ROWS rows. */
static void make_piece(void *context, int64_t index, int worker)
{
    making *m = context;
    const int64_t d = m->x->cols;
    const int64_t first = index * PIECE_ROWS;
    const int64_t count = m->x->rows - first < PIECE_ROWS ? m->x->rows - first : PIECE_ROWS;
    double *codes = m->codes + worker * PIECE_ROWS * m->count;
    double *rows = m->rows + worker * PIECE_ROWS * d;
    double *noise = m->noise + worker * d;
    scree__normals(SEED, STREAM_CODES, first * m->count, count * m->count, codes);
    for (int64_t i = 0; i < count * m->count; i++)
        codes[i] /= sqrt((double)(i % m->count + 1));
    if (scree__dgemm(false, false, count, d, m->count, 1, codes, m->count, m->directions, d, 0, rows, d) != 0)
        __atomic_store_n(&m->info, 1, __ATOMIC_RELAXED);
    for (int64_t i = 0; i < count; i++) {
        scree__normals(SEED, STREAM_NOISE, (first + i) * d, d, noise);
        finish_row(m, first + i, rows + i * d, noise);
    }
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

static scree_status make(bench_matrix *x, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    making m = {.x = x, .count = x->cols < DIRECTIONS ? x->cols : DIRECTIONS};
    SCREE_ALLOC(m.directions, m.count * x->cols, error);
    SCREE_ALLOC(m.mean, x->cols, error);
    SCREE_ALLOC(m.codes, threads * PIECE_ROWS * m.count, error);
    SCREE_ALLOC(m.rows, threads * PIECE_ROWS * x->cols, error);
    SCREE_ALLOC(m.noise, threads * x->cols, error);
    make_directions(&m);
    scree__blas_enter();
    scree__parallel(threads, (x->rows + PIECE_ROWS - 1) / PIECE_ROWS, make_piece, &m);
    scree__blas_leave();
    if (m.info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: its rows could not be made", x->path);
done:
    free(m.directions);
    free(m.mean);
    free(m.codes);
    free(m.rows);
    free(m.noise);
    return status;
}

static scree_status keep(const bench_matrix *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    options.type = x->type;
    SCREE_TRY(scree_source_memory(&source, x->data, x->type, x->rows, x->cols, x->cols, error));
    SCREE_TRY(scree_sink_open(&sink, x->path, &options, error));
    SCREE_TRY(scree_copy(source, sink, NULL, error));
    SCREE_TRY(scree_sink_finish(sink, error));
done:
    scree_source_close(source);
    scree_sink_free(sink);
    return status;
}

/* The elements stand at the end of an NPY file, whatever its header. */
static scree_status read_kept(bench_matrix *x, FILE *file, scree_error *error)
{
    const size_t bytes = (size_t)(x->rows * x->cols * type_size(x->type));
    if (fseek(file, -(long)bytes, SEEK_END) != 0 || fread(x->data, 1, bytes, file) != bytes)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be read (%s); remove it, and it is made anew", x->path,
                           strerror(errno));
    return SCREE_OK;
}

scree_status bench_matrix_get(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    FILE *file = NULL;
    *x = (bench_matrix){.type = c->type, .rows = c->rows / b->shrink, .cols = c->cols};
    snprintf(x->path, sizeof x->path, "%s/%" PRId64 "x%" PRId64 "-%s.npy", b->folder, x->rows, x->cols,
             bench_type_name(x->type));
    x->data = scree__alloc_raw(x->rows * x->cols, (size_t)type_size(x->type));
    if (!x->data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %s", x->path);
    file = fopen(x->path, "rb");
    if (file) {
        SCREE_TRY(read_kept(x, file, error));
    } else {
        fprintf(stderr, "making %s\n", x->path);
        SCREE_TRY(make(x, b->threads, error));
        SCREE_TRY(keep(x, error));
    }
done:
    if (file)
        fclose(file);
    return status;
}

void bench_matrix_clear(bench_matrix *x)
{
    free(x->data);
    x->data = NULL;
}
