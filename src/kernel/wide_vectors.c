/* SPDX-License-Identifier: BSD-3-Clause */
/* U from V, for the eigenvectors V (N×k) of CCᵀ: U = CᵀVR⁻¹, and residuals ‖CᵀCu/divisor - λu‖; 6NDk flops and two
 * reads of the rows, a strip of columns C_s at a time.
 *
 *   first read    Z_s = VᵀC_s;  Y += C_s Z_sᵀ;  H += Z_s Z_sᵀ
 *   between       H = RᵀR (Cholesky, columns of length 1);  Y ← YR⁻¹ = CU
 *   second read   U_s = R⁻ᵀZ_s;  CᵀCU_s = YᵀC_s
 *
 * Columns of CᵀV are orthogonal but for rounding, so that one Cholesky factor orthonormalises them to the last digits.
 * Small eigenvalues have lost it: then Householder's QR does, and Y = CU takes one more read. Strips go in turn to
 * lanes, each with sums of its own: the same bits for any number of threads. Processes that share the columns cut them
 * into ranges, each with lanes of its own, and add up their sums, Y and H, between the reads. */

#include "kernel/wide_vectors.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { GROUP = 512, TILE = 256, NARROWEST = 64, MOST_LANES = 16, FEWEST_LANES = 4 };
static const int64_t STRIP_BYTES = INT64_C(4) << 20;
static const int64_t LANES_BYTES = INT64_C(64) << 20;

typedef struct shape {
    int64_t strip;  /* columns of one, */
    int64_t strips; /* and how many there are at most, of a range */
    int64_t lanes;  /* of a range */
} shape;

typedef struct work {
    const scree__wide_rows *rows;
    const scree__wide_pairs *pairs;
    const scree__wide_ranges *ranges;
    shape shape;
    int64_t n;
    int64_t k;
    char *left;      /* k×N: V or Y in the operations' type, for each group of rows one after the other */
    char *packed;    /* N×strip for each thread: C_s */
    char *thin;      /* k×strip for each thread */
    char *scratch;   /* TILE×k for each thread */
    double *image;   /* k×strip for each thread */
    double *y;       /* ranges×lanes×N×k */
    double *h;       /* ranges×lanes×k×k */
    const double *r; /* k×k: R */
    double *squares; /* ranges×strips×k: of residuals */
    bool forward;    /* U is known, and Y all that is wanted */
    bool settled;    /* or made of Z already */
    bool failed;
} work;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* most: lanes */
static shape shape_of(int64_t rows, int64_t cols, int64_t k, int64_t most, const scree__ops *ops)
{
    shape s = {.strip = SCREE__WIDE_PANEL, .lanes = MOST_LANES};
    while (s.strip > NARROWEST && rows * s.strip * ops->size > STRIP_BYTES)
        s.strip /= 2;
    s.strips = (cols + s.strip - 1) / s.strip;
    while (s.lanes > 1 && s.lanes > s.strips)
        s.lanes /= 2;
    while (s.lanes > FEWEST_LANES && s.lanes * (rows + k) * k * 8 > LANES_BYTES)
        s.lanes /= 2;
    s.lanes = least(s.lanes, most);
    return s;
}

int64_t scree__wide_vectors_memory(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops, int threads)
{
    const shape s = shape_of(rows, cols, k, MOST_LANES, ops);
    const int64_t thread = (rows * s.strip + k * (s.strip + TILE)) * ops->size + 8 * k * s.strip;
    const int64_t shared = rows * k * ops->size + 8 * ((s.lanes + 1) * (rows + k) + s.strips) * k;
    return threads * thread + shared + 8 * k * (2 * cols + 3 * k); /* Householder's copies, should it come to that */
}

int64_t scree__wide_vectors_ranges_memory(int64_t rows, const scree__wide_ranges *ranges, int64_t k,
                                          const scree__ops *ops)
{
    const shape s = shape_of(rows, ranges->widest, k, ranges->lanes, ops);
    return 8 * ranges->count * (s.lanes * (rows + k) + s.strips) * k;
}

double scree__wide_vectors_chain(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops)
{
    const shape s = shape_of(rows, cols, k, MOST_LANES, ops);
    return (double)(2 * least(rows, GROUP) + 2 * rows / GROUP + s.strip + s.strips / s.lanes + s.lanes + 8);
}

static void work_clear(work *w)
{
    free(w->left);
    free(w->packed);
    free(w->thin);
    free(w->scratch);
    free(w->image);
    free(w->y);
    free(w->h);
    free(w->squares);
}

static scree_status work_alloc(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = w->rows->ops->size;
    const int64_t threads = w->rows->threads;
    w->packed = scree__alloc_raw(threads * w->n * w->shape.strip, (size_t)size);
    if (!w->packed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate strips of %lld rows", (long long)w->n);
    SCREE_ALLOC(w->left, w->k * w->n * size, error);
    SCREE_ALLOC(w->thin, threads * w->k * w->shape.strip * size, error);
    SCREE_ALLOC(w->scratch, threads * w->k * TILE * size, error);
    SCREE_ALLOC(w->image, threads * w->k * w->shape.strip, error);
    SCREE_ALLOC(w->y, w->ranges->count * w->shape.lanes * w->n * w->k, error);
    SCREE_ALLOC(w->h, w->ranges->count * w->shape.lanes * w->k * w->k, error);
    SCREE_ALLOC(w->squares, w->ranges->count * w->shape.strips * w->k, error);
done:
    return status;
}

static void note(work *w, int info)
{
    if (info != 0)
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
}

/* left = a matrix whose row l has its entry for row i at from[l·along + i·down], times factor_l (NULL: 1). */
static void set_left(work *w, const double *from, int64_t along, int64_t down, const double *factor)
{
    double line[GROUP];
    for (int64_t first = 0; first < w->n; first += GROUP) {
        const int64_t rows = least(GROUP, w->n - first);
        for (int64_t l = 0; l < w->k; l++) {
            for (int64_t i = 0; i < rows; i++)
                line[i] = from[l * along + (first + i) * down] * (factor ? factor[l] : 1);
            w->rows->ops->narrow(line, rows, w->left + (first * w->k + l * rows) * w->rows->ops->size);
        }
    }
}

static char *packed_of(const work *w, int worker)
{
    return w->packed + worker * w->n * w->shape.strip * w->rows->ops->size;
}

static char *thin_of(const work *w, int worker)
{
    return w->thin + worker * w->k * w->shape.strip * w->rows->ops->size;
}

/* Strips are counted through, as many for each range. */
static int64_t strip_first(const work *w, int64_t strip)
{
    return w->ranges->start[strip / w->shape.strips] + strip % w->shape.strips * w->shape.strip;
}

/* Where its range is shorter than others, none. */
static int64_t strip_cols(const work *w, int64_t strip)
{
    const int64_t left = w->ranges->start[strip / w->shape.strips + 1] - strip_first(w, strip);
    return left < 0 ? 0 : least(w->shape.strip, left);
}

/* out (k rows, ld apart) = left C_s, which stays in the worker's buffer. */
static void back(work *w, int64_t strip, int worker, double *out, int64_t ld)
{
    double line[SCREE__WIDE_PANEL];
    const scree__ops *ops = w->rows->ops;
    const int64_t cols = strip_cols(w, strip);
    char *thin = thin_of(w, worker);
    for (int64_t l = 0; l < w->k; l++)
        memset(out + l * ld, 0, (size_t)cols * sizeof *out);
    for (int64_t first = 0; first < w->n; first += GROUP) {
        const scree__wide_part part = {first, least(GROUP, w->n - first), strip_first(w, strip), cols};
        char *c = packed_of(w, worker) + first * cols * ops->size;
        scree__wide_lay(w->rows, &part, c);
        note(w, ops->multiply(w->left + first * w->k * ops->size, w->k, part.rows, c, cols, thin));
        for (int64_t l = 0; l < w->k; l++) {
            const scree__rows sums = {thin + l * cols * ops->size, ops->type, 1, cols, cols, NULL};
            scree__rows_sum(&sums, out + l * ld, line);
        }
    }
}

/* Y of a lane gains C_s U_sᵀ, of what stands in the worker's buffer and in u. */
static void forward(work *w, int64_t strip, int worker, double *y)
{
    const scree__ops *ops = w->rows->ops;
    const int64_t cols = strip_cols(w, strip);
    char *thin = thin_of(w, worker);
    for (int64_t l = 0; l < w->k; l++)
        ops->narrow(w->pairs->u + l * w->pairs->ld + strip_first(w, strip), cols, thin + l * cols * ops->size);
    for (int64_t row = 0; row < w->n; row += TILE) {
        const scree__tile tile = {.a = packed_of(w, worker) + row * cols * ops->size,
                                  .b = thin,
                                  .lda = cols,
                                  .ldb = cols,
                                  .m = least(TILE, w->n - row),
                                  .n = w->k,
                                  .k = cols,
                                  .acc = y + row * w->k,
                                  .ldacc = w->k,
                                  .scratch = w->scratch + worker * TILE * w->k * ops->size};
        note(w, ops->outer(&tile));
    }
}

/* Task: the first read, strips of a lane of a range. */
static void add_lane(void *context, int64_t lane, int worker)
{
    work *w = context;
    double *y = w->y + lane * w->n * w->k;
    double *h = w->h + lane * w->k * w->k;
    const int64_t first = lane / w->shape.lanes * w->shape.strips;
    for (int64_t at = lane % w->shape.lanes; at < w->shape.strips; at += w->shape.lanes) {
        const int64_t strip = first + at;
        double *z = w->pairs->u + strip_first(w, strip);
        if (strip_cols(w, strip) == 0)
            break;
        if (w->forward) {
            const scree__wide_part part = {0, w->n, strip_first(w, strip), strip_cols(w, strip)};
            scree__wide_lay(w->rows, &part, packed_of(w, worker));
        } else {
            back(w, strip, worker, z, w->pairs->ld);
            note(w, scree__dsyrk(false, w->k, strip_cols(w, strip), 1, z, w->pairs->ld, 1, h, w->k));
        }
        forward(w, strip, worker, y);
    }
}

/* The sums of all lanes of a range, which follow each other. */
static void join(const work *w, const double *sums, int64_t count, double *all)
{
    memcpy(all, sums, (size_t)count * sizeof *all);
    for (int64_t lane = 1; lane < w->shape.lanes; lane++)
        for (int64_t i = 0; i < count; i++)
            all[i] += sums[lane * count + i];
}

/* Σ (image·factor - λu)² in units, by four sums. */
SCREE_CLONES static double squares_of(const double *image, double factor, const double *u, double value, double unit,
                                      int64_t n)
{
    double sums[4] = {0};
    const int64_t whole = n / 4 * 4;
    for (int64_t j = 0; j < whole; j += 4)
        for (int64_t i = 0; i < 4; i++) {
            const double r = (image[j + i] * factor - value * u[j + i]) / unit;
            sums[i] += r * r;
        }
    for (int64_t j = whole; j < n; j++) {
        const double r = (image[j] * factor - value * u[j]) / unit;
        sums[0] += r * r;
    }
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/* What Y_l is divided by, so that it is about as long as v_l. */
static double length_of(const work *w, int64_t l)
{
    const double length = sqrt(w->pairs->values[l] * w->rows->divisor);
    return length > 0 ? length : 1;
}

static double unit_of(const scree__wide_pairs *pairs)
{
    return pairs->values[0] > 0 ? pairs->values[0] : 1;
}

/* Task: the second read, a strip. */
static void finish_strip(void *context, int64_t strip, int worker)
{
    work *w = context;
    const int64_t cols = strip_cols(w, strip);
    double *u = w->pairs->u + strip_first(w, strip);
    double *image = w->image + worker * w->k * w->shape.strip;
    if (cols == 0)
        return;
    if (!w->settled)
        note(w, scree__dtrsm(false, true, w->k, cols, 1, w->r, w->k, u, w->pairs->ld));
    back(w, strip, worker, image, cols);
    for (int64_t l = 0; l < w->k; l++)
        w->squares[strip * w->k + l] = squares_of(image + l * cols, length_of(w, l) / w->rows->divisor,
                                                  u + l * w->pairs->ld, w->pairs->values[l], unit_of(w->pairs), cols);
}

static scree_status open_work(work *w, const scree__wide_rows *rows, const scree__wide_pairs *pairs,
                              const scree__wide_ranges *ranges, scree_error *error)
{
    *w = (work){.rows = rows, .pairs = pairs, .ranges = ranges, .n = rows->x.rows, .k = pairs->k};
    w->shape = shape_of(w->n, ranges->widest, w->k, ranges->lanes, rows->ops);
    return work_alloc(w, error);
}

static scree_status outcome(const work *w, scree_status status, scree_error *error)
{
    if (status == SCREE_OK && w->failed)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)w->n);
    return status;
}

int64_t scree__wide_vectors_sums(int64_t rows, int64_t k)
{
    return (rows + k) * k;
}

scree_status scree__wide_vectors_read(const scree__wide_rows *rows, const scree__wide_pairs *pairs,
                                      const scree__wide_ranges *ranges, bool known, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w;
    SCREE_TRY(open_work(&w, rows, pairs, ranges, error));
    w.forward = known;
    scree__blas_enter();
    if (!known)
        set_left(&w, pairs->v, w.n, 1, NULL);
    const scree__watch watch = scree__watch_part(&pairs->watch, 0, 0.5);
    status = scree__watch_parallel(&watch, rows->threads, ranges->count * w.shape.lanes, add_lane, &w, error);
    scree__blas_leave();
    SCREE_TRY(status);
    for (int64_t range = 0; range < ranges->count; range++) {
        double *sums = ranges->sums[range];
        join(&w, w.y + range * w.shape.lanes * w.n * w.k, w.n * w.k, sums);
        if (known)
            memset(sums + w.n * w.k, 0, (size_t)(w.k * w.k) * sizeof *sums);
        else
            join(&w, w.h + range * w.shape.lanes * w.k * w.k, w.k * w.k, sums + w.n * w.k);
    }
    status = outcome(&w, status, error);
done:
    work_clear(&w);
    return status;
}

scree_status scree__wide_vectors_finish(const scree__wide_rows *rows, const scree__wide_pairs *pairs,
                                        const scree__wide_ranges *ranges, const scree__wide_sums_known *known,
                                        scree_error *error)
{
    scree_status status = SCREE_OK;
    double *line = NULL;
    work w;
    SCREE_TRY(open_work(&w, rows, pairs, ranges, error));
    SCREE_ALLOC(line, w.k, error);
    w.settled = known->orthonormal;
    w.r = known->sums + w.n * w.k;
    for (int64_t l = 0; l < w.k; l++)
        line[l] = 1 / length_of(&w, l);
    scree__blas_enter();
    set_left(&w, known->sums, 1, w.k, line);
    const scree__watch watch = scree__watch_part(&pairs->watch, 0.5, 1);
    status = scree__watch_parallel(&watch, rows->threads, ranges->count * w.shape.strips, finish_strip, &w, error);
    scree__blas_leave();
    SCREE_TRY(status);
    for (int64_t range = 0; range < ranges->count; range++)
        for (int64_t l = 0; l < w.k; l++) {
            double *square = &ranges->sums[range][l];
            *square = 0;
            for (int64_t strip = 0; strip < w.shape.strips; strip++)
                *square += w.squares[(range * w.shape.strips + strip) * w.k + l];
        }
    status = outcome(&w, status, error);
done:
    work_clear(&w);
    free(line);
    return status;
}

void scree__wide_vectors_residuals(const scree__wide_pairs *pairs, const double *squares)
{
    for (int64_t l = 0; l < pairs->k; l++)
        pairs->residuals[l] = unit_of(pairs) * sqrt(squares[l]);
}

scree_status scree__wide_vectors(const scree__wide_rows *rows, const scree__wide_pairs *pairs, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = rows->x.rows;
    const int64_t k = pairs->k;
    const int64_t start[2] = {0, rows->x.cols};
    double *sums = NULL;
    double *squares = NULL;
    bool settled;
    SCREE_ALLOC(sums, scree__wide_vectors_sums(n, k), error);
    SCREE_ALLOC(squares, k, error);
    const scree__wide_ranges first = {1, start, &sums, rows->x.cols, MOST_LANES};
    const scree__wide_ranges second = {1, start, &squares, rows->x.cols, MOST_LANES};
    SCREE_TRY(scree__wide_vectors_read(rows, pairs, &first, false, error));
    SCREE_TRY(scree__wide_vectors_settle(n, k, rows->threads, sums, &settled, error));
    if (!settled) {
        SCREE_TRY(scree__wide_vectors_orthonormalise(pairs, rows->x.cols, rows->threads, error));
        SCREE_TRY(scree__wide_vectors_read(rows, pairs, &first, true, error));
    }
    const scree__wide_sums_known known = {sums, !settled};
    SCREE_TRY(scree__wide_vectors_finish(rows, pairs, &second, &known, error));
    scree__wide_vectors_residuals(pairs, squares);
done:
    free(sums);
    free(squares);
    return status;
}
