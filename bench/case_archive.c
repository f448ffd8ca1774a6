/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives at the same largest error, in bits a value: beside zstd -19 of the values rounded to that error, in the
 * narrowest whole numbers that hold them, and beside ZFP in its accuracy mode, rows and columns as a plane. Spectra,
 * faces and digits are what models are good at; smooth grids and white noise are not. What comes back is compared with
 * what went in before anything is reported. And how fast an archive is written and read, of floats with 32 components.
 */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <zstd.h>
#ifdef SCREE_BENCH_ZFP
#include <zfp.h>
#endif

enum { ZSTD_LEVEL = 19, SHAPES = 24, ERRORS = 2, SPEED_COMPONENTS = 32 };

typedef struct data_set {
    const char *name;
    int64_t rows;
    int64_t cols;
    double errors[ERRORS]; /* over the range of the values */
    void (*make)(const struct data_set *set, float *x);
} data_set;

/* Sums of a few shapes with normal weights, and a little noise: row i is Σ w_k shape_k. */
static void add_shapes(const data_set *s, float *x, const double *shapes, double decay, double noise)
{
    double *draws = scree__alloc_raw(s->cols + SHAPES, sizeof *draws);
    for (int64_t i = 0; draws && i < s->rows; i++) {
        scree__normals(1, (uint64_t)i, 0, s->cols + SHAPES, draws);
        for (int k = 0; k < SHAPES; k++)
            draws[k] *= pow(decay, k);
        for (int64_t j = 0; j < s->cols; j++) {
            double sum = noise * draws[SHAPES + j];
            for (int k = 0; k < SHAPES; k++)
                sum += draws[k] * shapes[k * s->cols + j];
            x[i * s->cols + j] = (float)sum;
        }
    }
    free(draws);
}

/* Peaks of random places and widths. */
static void make_spectra(const data_set *s, float *x)
{
    double *shapes = scree__alloc(SHAPES * s->cols, sizeof *shapes);
    for (int64_t k = 0; shapes && k < SHAPES; k++) {
        double at[2];
        scree__normals(2, (uint64_t)k, 0, 2, at);
        for (int64_t j = 0; j < s->cols; j++) {
            const double far = ((double)j / (double)s->cols - 0.5 - 0.2 * at[0]) / (0.01 + 0.03 * fabs(at[1]));
            shapes[k * s->cols + j] = exp(-far * far);
        }
    }
    if (shapes)
        add_shapes(s, x, shapes, 0.9, 5e-4);
    free(shapes);
}

/* Smooth blots on a square, some of them fine. */
static void make_faces(const data_set *s, float *x)
{
    const int64_t side = (int64_t)sqrt((double)s->cols);
    double *shapes = scree__alloc(SHAPES * s->cols, sizeof *shapes);
    for (int64_t k = 0; shapes && k < SHAPES; k++)
        for (int blot = 0; blot < 6; blot++) {
            double at[3];
            scree__normals(3, (uint64_t)k, 3 * blot, 3, at);
            for (int64_t j = 0; j < s->cols; j++) {
                const double u = (double)(j / side) / (double)side - 0.5 - 0.2 * at[0];
                const double v = (double)(j % side) / (double)side - 0.5 - 0.2 * at[1];
                shapes[k * s->cols + j] += at[2] * exp(-(u * u + v * v) * (20 + 30 * (double)k));
            }
        }
    if (shapes)
        add_shapes(s, x, shapes, 0.85, 3e-3);
    free(shapes);
}

/* A field over a plane: waves of many directions, so that rows are smooth, and no few of them tell the others. */
static void make_grid(const data_set *s, float *x)
{
    double waves[3 * 64];
    scree__normals(4, 0, 0, 3 * 64, waves);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->cols; j++) {
            double sum = 0;
            for (int k = 0; k < 64; k++)
                sum += sin(0.04 * (waves[3 * k] * (double)i + waves[3 * k + 1] * (double)j) + 7 * waves[3 * k + 2]);
            x[i * s->cols + j] = (float)sum;
        }
}

static void make_noise(const data_set *s, float *x)
{
    double *draws = scree__alloc_raw(s->cols, sizeof *draws);
    for (int64_t i = 0; draws && i < s->rows; i++) {
        scree__normals(5, (uint64_t)i, 0, s->cols, draws);
        for (int64_t j = 0; j < s->cols; j++)
            x[i * s->cols + j] = (float)draws[j];
    }
    free(draws);
}

static const data_set sets[] = {
    {"spectra", 3000, 1000, {1e-2, 1e-3}, make_spectra},  {"faces", 1000, 4096, {1e-2, 1e-3}, make_faces},
    {"digits", 5000, 784, {1.0 / 8, 1.0 / 32}, NULL},     {"smooth grid", 1000, 1000, {1e-2, 1e-3}, make_grid},
    {"white noise", 2000, 500, {1e-2, 1e-3}, make_noise},
};

enum { SETS = sizeof sets / sizeof sets[0] };

/* ---- the others ---- */

static double zstd_bits(const data_set *s, const float *x, double error, scree_error *status)
{
    const int64_t count = s->rows * s->cols;
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(rint((double)x[i] / (2 * error))));
    const int size = most < 127 ? 1 : most < 32767 ? 2 : 4;
    char *whole = scree__alloc_raw(count, (size_t)size);
    const size_t room = ZSTD_compressBound((size_t)(count * size));
    void *packed = malloc(room);
    double bits = 0;
    if (whole && packed) {
        for (int64_t i = 0; i < count; i++) {
            const int32_t value = (int32_t)rint((double)x[i] / (2 * error));
            memcpy(whole + i * size, &value, (size_t)size); /* little-endian: the low bytes */
        }
        bits = 8 * (double)ZSTD_compress(packed, room, whole, (size_t)(count * size), ZSTD_LEVEL) / (double)count;
    } else {
        scree__fail(status, SCREE_ERR_MEMORY, "out of memory for zstd");
    }
    free(packed);
    free(whole);
    return bits;
}

#ifdef SCREE_BENCH_ZFP
static double zfp_bits(const data_set *s, float *x, double error)
{
    zfp_field *field = zfp_field_2d(x, zfp_type_float, (size_t)s->cols, (size_t)s->rows);
    zfp_stream *stream = zfp_stream_open(NULL);
    zfp_stream_set_accuracy(stream, error);
    const size_t room = zfp_stream_maximum_size(stream, field);
    void *buffer = malloc(room);
    bitstream *bits = stream_open(buffer, room);
    zfp_stream_set_bit_stream(stream, bits);
    zfp_stream_rewind(stream);
    const double made = (double)zfp_compress(stream, field);
    zfp_field_free(field);
    zfp_stream_close(stream);
    stream_close(bits);
    free(buffer);
    return 8 * made / (double)(s->rows * s->cols);
}
#endif

/* ---- ours ---- */

static scree_status check(const data_set *s, const float *x, const char *path, double error, scree_error *status_text)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    double *back = NULL;
    const int64_t count = s->rows * s->cols;
    SCREE_ALLOC(back, count, status_text);
    SCREE_TRY(scree_source_open(&source, path, NULL, status_text));
    SCREE_TRY(scree_sink_to_memory(&sink, back, s->rows, s->cols, status_text));
    SCREE_TRY(scree_source_copy(source, sink, NULL, status_text));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs((double)x[i] - back[i]) <= error))
            SCREE_FAIL(status_text, SCREE_ERR_NUMERIC, "%s: cell %" PRId64 " is %.9g and came back as %.9g", s->name, i,
                       (double)x[i], back[i]);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    free(back);
    return status;
}

static void add_line(bench *b, const data_set *s, const scree_archive *about, const char *against, double theirs)
{
    bench_line line = {.name = "archive", .unit = "bits", .ours = about->bits, .theirs = theirs, .runs = 1};
    snprintf(line.what, sizeof line.what, "%s %" PRId64 "×%" PRId64 ", error %.3g", s->name, s->rows, s->cols,
             about->bound);
    snprintf(line.against, sizeof line.against, "%s", against);
    snprintf(line.note, sizeof line.note,
             "ratio %.1f, %s of %" PRId64 " components, codes %.2f bits, bound %.2f; %" PRId64 " corrected",
             about->ratio, about->coding, about->components, about->code_bits, about->rate_bound, about->corrected);
    bench_add(b, &line);
}

static scree_status compare(bench *b, const data_set *s, float *x, double error, scree_error *text)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_archive about = SCREE_ARCHIVE_INIT;
    char path[512];
    const scree_block block = bench_block(x, SCREE_F32, s->rows, s->cols);
    scree_run run = SCREE_RUN_INIT;
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    run.threads = b->threads;
    options.max_error = error;
    options.run = &run;
    snprintf(path, sizeof path, "%s/archive.screez", b->folder);
    SCREE_TRY(scree_source_from_memory(&source, &block, text));
    SCREE_TRY(scree_source_compress(source, path, &about, &options, text));
    SCREE_TRY(check(s, x, path, error, text));
    add_line(b, s, &about, "zstd -19", zstd_bits(s, x, error, text));
#ifdef SCREE_BENCH_ZFP
    add_line(b, s, &about, "ZFP", zfp_bits(s, x, error));
#endif
done:
    remove(path);
    scree_source_free(source);
    return status;
}

static double range_of(const float *x, int64_t count)
{
    float least = x[0];
    float most = x[0];
    for (int64_t i = 1; i < count; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    return (double)most - (double)least;
}

scree_status bench_archive(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    float *x = NULL;
    unsigned char *digits = NULL;
    bench_matrix images = {0};
    (void)c;
    for (int i = 0; i < SETS; i++) {
        const data_set *s = &sets[i];
        const bench_case like = {.name = "digits", .rows = s->rows * b->shrink, .cols = s->cols};
        free(x);
        x = NULL;
        SCREE_ALLOC(x, s->rows * s->cols, error);
        if (s->make) {
            s->make(s, x);
        } else {
            SCREE_TRY(bench_images_get(&digits, &images, b, &like, error));
            memcpy(x, images.data, (size_t)(s->rows * s->cols) * sizeof *x);
        }
        const double range = range_of(x, s->rows * s->cols);
        for (int e = 0; e < ERRORS; e++)
            SCREE_TRY(compare(b, s, x, s->errors[e] * range, error));
    }
done:
    bench_matrix_clear(&images);
    free(digits);
    free(x);
    return status;
}

/* ---- speed ---- */

typedef struct work {
    const bench *b;
    const bench_matrix *x;
    char path[512];
    char back[512];
    double error;
    scree_archive about;
} work;

static scree_status write_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree_source *source = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    run.threads = w->b->threads;
    options.max_error = w->error;
    options.components = SPEED_COMPONENTS;
    options.run = &run;
    const double start = bench_now();
    SCREE_TRY(scree_source_open(&source, w->x->path, NULL, error));
    SCREE_TRY(scree_source_compress(source, w->path, &w->about, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_free(source);
    return status;
}

static scree_status read_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    const work *w = context;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    options.type = w->x->type;
    const double start = bench_now();
    SCREE_TRY(scree_source_open(&source, w->path, NULL, error));
    SCREE_TRY(scree_sink_open(&sink, w->back, &options, error));
    SCREE_TRY(scree_source_copy(source, sink, NULL, error));
    SCREE_TRY(scree_sink_finish(sink, error));
    *seconds = bench_now() - start;
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

scree_status bench_archive_speed(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    work w = {.b = b, .x = &x, .about = SCREE_ARCHIVE_INIT};
    bench_side sides[] = {{.once = write_once, .context = &w}, {.once = read_once, .context = &w}};
    static const char *const what[] = {"written", "read"};
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    w.error = 0.01 * range_of(x.data, x.rows * x.cols);
    snprintf(w.path, sizeof w.path, "%s/speed.screez", b->folder);
    snprintf(w.back, sizeof w.back, "%s/speed.npy", b->folder);
    SCREE_TRY(bench_interleave(sides, 2, 3, error));
    for (int i = 0; i < 2; i++) {
        bench_line line = {.name = c->name, .unit = "MB/s", .runs = 3};
        line.ours = bench_matrix_bytes(&x) / sides[i].median * 1e-6;
        line.best_ours = bench_matrix_bytes(&x) / sides[i].best * 1e-6;
        snprintf(line.what, sizeof line.what, "archive %s, %" PRId64 "×%" PRId64 " %s, %" PRId64 " components", what[i],
                 x.rows, x.cols, bench_type_name(x.type), w.about.components);
        snprintf(line.note, sizeof line.note, "ratio %.1f; 200 MB/s are wanted", w.about.ratio);
        bench_add(b, &line);
    }
done:
    remove(w.path);
    remove(w.back);
    bench_matrix_clear(&x);
    return status;
}
