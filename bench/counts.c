/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts as single cells have them: rows of one of 30 types,
 *
 *     x_ij ~ Poisson(s_i r_tj),   r_tj = b_j, or for a tenth of (t, j) b_j e^z,   ln b_j = 1.3 z,   ln s_i = 0.3 z,
 *
 * z standard normal, scaled so that about 3 % of the cells are not 0. A row is a number of events, Poisson, each of
 * which falls on a column by the rates of the type (alias method, Walker 1977): its counts are then independent and
 * Poisson, and cost goes with the events. Every row is a function of its number (base/random.h). Kept as three NPY
 * files, the arrays of CSR. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TYPES = 30, SEED = 17, CHUNK = 256, CHANGED = 10, HEADER = 128, WORD = 64, PASSES = 60 };
enum { STREAM_BASE = 1, STREAM_CHANGE, STREAM_SIZE, STREAM_EVENTS = 1 << 20 };
static const double DENSITY = 0.03;
static const double BASE_SPREAD = 1.3;
static const double SIZE_SPREAD = 0.3;

/* Of one type: column j is drawn with its own share of 1/D, another with the rest. */
typedef struct alias {
    double *share;  /* D */
    int32_t *other; /* D */
    double events;  /* of a row of usual size */
} alias;

/* Rows CHUNK·index on. */
typedef struct chunk {
    int64_t count; /* entries */
    int32_t *indices;
    int32_t *values;
    bool failed;
} chunk;

typedef struct making {
    bench_counts *x;
    alias types[TYPES];
    chunk *chunks;
    int32_t *tally; /* D for each thread, zeros between rows */
    uint64_t *seen; /* a bit for each column, for each thread */
} making;

/* The numbers of a row, one after the other. */
typedef struct draws {
    uint64_t stream;
    uint64_t block;
    uint32_t words[4];
    int left;
} draws;

static uint32_t draw_word(draws *d)
{
    if (d->left == 0) {
        scree__philox(SEED, d->stream, d->block++, d->words);
        d->left = 4;
    }
    return d->words[--d->left];
}

static double draw(draws *d)
{
    return ((double)draw_word(d) + 0.5) * 0x1p-32;
}

/* Poisson numbers of a large mean, as normal ones; of a row, which has hundreds of events. */
static int64_t draw_events(double mean, double normal)
{
    const double count = round(mean + sqrt(mean) * normal);
    return count > 1 ? (int64_t)count : 1;
}

static void make_alias(alias *a, double *rates, int64_t d, int32_t *stack)
{
    int64_t small = 0;
    int64_t large = d;
    double sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += rates[j];
    a->events = sum;
    for (int64_t j = 0; j < d; j++) {
        rates[j] *= (double)d / sum;
        stack[rates[j] < 1 ? small++ : --large] = (int32_t)j;
    }
    for (int64_t j = 0; j < d; j++)
        a->share[j] = 1;
    while (small > 0 && large < d) {
        const int32_t from = stack[--small];
        const int32_t to = stack[large];
        a->share[from] = rates[from];
        a->other[from] = to;
        rates[to] -= 1 - rates[from];
        if (rates[to] < 1) {
            large++;
            stack[small++] = to;
        }
    }
}

/* The share of cells that are not 0, over types, when rates are multiplied by this. */
static double density(const double *rates, int64_t d, double factor)
{
    double sum = 0;
    for (int64_t i = 0; i < TYPES * d; i++)
        sum -= expm1(-factor * rates[i]);
    return sum / (double)(TYPES * d);
}

static scree_status make_types(making *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = m->x->cols;
    double *rates = NULL;
    double *normals = NULL;
    int32_t *stack = NULL;
    double low = 0;
    double high = 1e6;
    SCREE_ALLOC(rates, TYPES * d, error);
    SCREE_ALLOC(normals, d, error);
    SCREE_ALLOC(stack, d, error);
    for (int t = 0; t < TYPES; t++) {
        draws choice = {.stream = STREAM_CHANGE + ((uint64_t)t << 8)};
        scree__normals(SEED, STREAM_BASE, 0, d, rates + t * d);
        scree__normals(SEED, STREAM_BASE + ((uint64_t)(t + 1) << 8), 0, d, normals);
        for (int64_t j = 0; j < d; j++)
            rates[t * d + j] = exp(BASE_SPREAD * rates[t * d + j] + (draw(&choice) < 1.0 / CHANGED ? normals[j] : 0));
    }
    for (int pass = 0; pass < PASSES; pass++)
        *(density(rates, d, (low + high) / 2) < DENSITY ? &low : &high) = (low + high) / 2;
    for (int64_t i = 0; i < TYPES * d; i++)
        rates[i] *= low;
    for (int t = 0; t < TYPES; t++) {
        SCREE_ALLOC(m->types[t].share, d, error);
        SCREE_ALLOC(m->types[t].other, d, error);
        make_alias(&m->types[t], rates + t * d, d, stack);
    }
done:
    free(rates);
    free(normals);
    free(stack);
    return status;
}

/* Columns drawn for a row, tallied; how many are different. */
static int64_t draw_row(making *m, int64_t row, int32_t *tally, uint64_t *seen)
{
    const int64_t d = m->x->cols;
    const alias *a = &m->types[row % TYPES];
    draws random = {.stream = STREAM_EVENTS + (uint64_t)row};
    double normals[2];
    int64_t count = 0;
    scree__normals(SEED, STREAM_SIZE, 2 * row, 2, normals);
    for (int64_t left = draw_events(a->events * exp(SIZE_SPREAD * normals[0]), normals[1]); left > 0; left--) {
        const int64_t j = (int64_t)(((uint64_t)draw_word(&random) * (uint64_t)d) >> 32);
        const int64_t column = draw(&random) < a->share[j] ? j : a->other[j];
        count += tally[column]++ == 0;
        seen[column / WORD] |= UINT64_C(1) << (column % WORD);
    }
    return count;
}

/* What was tallied becomes entries, and the tally zeros. */
static void take_row(chunk *to, int64_t d, int32_t *tally, uint64_t *seen)
{
    for (int64_t word = 0; word * WORD < d; word++)
        for (; seen[word] != 0; seen[word] &= seen[word] - 1) {
            const int64_t column = word * WORD + __builtin_ctzll(seen[word]);
            to->indices[to->count] = (int32_t)column;
            to->values[to->count++] = tally[column];
            tally[column] = 0;
        }
}

/* Task: some rows. */
static void make_chunk(void *context, int64_t index, int worker)
{
    making *m = context;
    const int64_t d = m->x->cols;
    chunk *c = &m->chunks[index];
    int64_t room = 0;
    int32_t *tally = m->tally + worker * d;
    uint64_t *seen = m->seen + worker * (d / WORD + 1);
    for (int64_t row = index * CHUNK; row < (index + 1) * CHUNK && row < m->x->rows && !c->failed; row++) {
        const int64_t wanted = c->count + draw_row(m, row, tally, seen);
        if (wanted > room) {
            room = 2 * wanted;
            int32_t *indices = realloc(c->indices, (size_t)room * sizeof *indices);
            c->indices = indices ? indices : c->indices;
            int32_t *values = realloc(c->values, (size_t)room * sizeof *values);
            c->values = values ? values : c->values;
            c->failed = !indices || !values;
        }
        if (!c->failed)
            take_row(c, d, tally, seen);
        m->x->starts[row + 1] = c->count;
    }
}

/* Chunks, one behind the other. */
static scree_status join(making *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_counts *x = m->x;
    const int64_t chunks = (x->rows + CHUNK - 1) / CHUNK;
    int64_t at = 0;
    for (int64_t c = 0; c < chunks; c++) {
        if (m->chunks[c].failed)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %s", x->path);
        for (int64_t row = c * CHUNK; row < (c + 1) * CHUNK && row < x->rows; row++)
            x->starts[row + 1] += at;
        at += m->chunks[c].count;
    }
    x->entries = at;
    SCREE_ALLOC(x->indices, at, error);
    x->data = scree__alloc_raw(at, sizeof(int32_t));
    if (!x->data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %s", x->path);
    for (int64_t c = 0; c < chunks; c++) {
        chunk *from = &m->chunks[c];
        const int64_t first = x->starts[c * CHUNK];
        memcpy(x->indices + first, from->indices, (size_t)from->count * sizeof *x->indices);
        for (int64_t i = 0; i < from->count; i++)
            if (x->type == SCREE_F32)
                ((float *)x->data)[first + i] = (float)from->values[i];
            else
                ((int32_t *)x->data)[first + i] = from->values[i];
        free(from->indices);
        free(from->values);
        *from = (chunk){0};
    }
done:
    return status;
}

static scree_status make(bench_counts *x, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t chunks = (x->rows + CHUNK - 1) / CHUNK;
    making m = {.x = x};
    SCREE_ALLOC(x->starts, x->rows + 1, error);
    SCREE_ALLOC(m.chunks, chunks, error);
    SCREE_ALLOC(m.tally, threads * x->cols, error);
    SCREE_ALLOC(m.seen, threads * (x->cols / WORD + 1), error);
    SCREE_TRY(make_types(&m, error));
    scree__parallel(threads, chunks, make_chunk, &m);
    SCREE_TRY(join(&m, error));
done:
    for (int64_t c = 0; m.chunks && c < chunks; c++) {
        free(m.chunks[c].indices);
        free(m.chunks[c].values);
    }
    for (int t = 0; t < TYPES; t++) {
        free(m.types[t].share);
        free(m.types[t].other);
    }
    free(m.chunks);
    free(m.tally);
    free(m.seen);
    return status;
}

static scree_status write_array(const bench_counts *x, const char *name, const char *type, int64_t count,
                                const void *data, scree_error *error)
{
    char path[640];
    char header[HEADER + 1];
    snprintf(path, sizeof path, "%s-%s.npy", x->path, name);
    const int used = snprintf(
        header, sizeof header,
        "\x93NUMPY\x01%c\x76%c{'descr': '<%s', 'fortran_order': False, 'shape': (%" PRId64 ",), }", 0, 0, type, count);
    memset(header + used, ' ', (size_t)(HEADER - used));
    header[HEADER - 1] = '\n';
    FILE *file = fopen(path, "wb");
    const size_t bytes = (size_t)count * (size_t)(type[1] - '0');
    const bool good = file && fwrite(header, 1, HEADER, file) == HEADER && fwrite(data, 1, bytes, file) == bytes;
    if ((file && fclose(file) != 0) || !good)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written (%s)", path, strerror(errno));
    return SCREE_OK;
}

scree_status bench_counts_get(bench_counts *x, const bench *b, const bench_case *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool is_float = c->type == SCREE_F32;
    *x = (bench_counts){.type = c->type, .rows = bench_rows(b, c), .cols = c->cols};
    snprintf(x->path, sizeof x->path, "%s/counts-%" PRId64 "x%" PRId64 "-%s", b->folder, x->rows, x->cols,
             is_float ? "f4" : "i4");
    fprintf(stderr, "making %s\n", x->path);
    SCREE_TRY(make(x, b->threads, error));
    SCREE_TRY(write_array(x, "data", is_float ? "f4" : "i4", x->entries, x->data, error));
    SCREE_TRY(write_array(x, "indices", "i4", x->entries, x->indices, error));
    SCREE_TRY(write_array(x, "indptr", "i8", x->rows + 1, x->starts, error));
done:
    return status;
}

double bench_counts_bytes(const bench_counts *x)
{
    return (double)x->entries * (sizeof(int32_t) + sizeof(float)) + (double)(x->rows + 1) * sizeof(int64_t);
}

void bench_counts_clear(bench_counts *x)
{
    free(x->data);
    free(x->indices);
    free(x->starts);
    *x = (bench_counts){0};
}
