/* SPDX-License-Identifier: BSD-3-Clause */
/* A block by a model: codes z = W(x - µ), rounded to q = round(z/Δ); x̃ = µ + Σ q_j A_j as the decoder will compute it;
 * and for cells where x̃ is further from x than is allowed, the number of widths between them. One Δ for all components
 * is reverse water-filling: each of them is off by Δ²/12, and components that vary less are not kept.
 *
 * Cells that are missing, infinite or very far out count as the mean in z, so that they spoil no other cell.
 * Costs 4M flops a cell, and some nanoseconds for the corrections. */

#include "archive/block.h"

#include "base/memory.h"
#include "data/source.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

/* Scratch for a chunk of rows. */
typedef struct chunk {
    double *x;       /* CHUNK×D: as doubles */
    double *centred; /* CHUNK×D: less the mean; then what is predicted */
    double *codes;   /* CHUNK×M: over Δ; then rounded */
    double *back;    /* D */
} chunk;

static bool chunk_new(chunk *c, int64_t d, int64_t m)
{
    c->x = scree__alloc_raw(SCREE__CHUNK * d, sizeof *c->x);
    c->centred = scree__alloc_raw(SCREE__CHUNK * d, sizeof *c->centred);
    c->codes = scree__alloc_raw(SCREE__CHUNK * m, sizeof *c->codes);
    c->back = scree__alloc_raw(d, sizeof *c->back);
    return c->x && c->centred && c->codes && c->back;
}

static void chunk_free(chunk *c)
{
    free(c->x);
    free(c->centred);
    free(c->codes);
    free(c->back);
}

/* Rows less the mean; products have one shape, so a chunk that is not full ends in zeros. */
static void load(chunk *c, const scree__code *code, const scree__rows *rows, int64_t first, int64_t count)
{
    const int64_t d = code->cols;
    for (int64_t i = 0; i < count; i++) {
        double *x = c->x + i * d;
        double *centred = c->centred + i * d;
        const double *lent = scree__rows_load(rows, first + i, x);
        if (lent != x)
            memcpy(x, lent, (size_t)d * sizeof *x);
        for (int64_t j = 0; j < d; j++) {
            const double off = x[j] - code->mean[j];
            centred[j] = fabs(off) <= code->spike ? off : 0;
        }
    }
    memset(c->centred + count * d, 0, (size_t)((SCREE__CHUNK - count) * d) * sizeof *c->centred);
}

/* Codes of a chunk, rounded, in c->codes and in out; the sum of the squares of what rounding took. */
static double quantise(chunk *c, const scree__code *code, int32_t *out, int64_t count)
{
    const int64_t m = code->components;
    const double most = SCREE__VALUE_MOST;
    double noise = 0;
    if (m == 0)
        return 0;
    if (scree__dgemm(false, true, SCREE__CHUNK, m, code->cols, 1, c->centred, code->cols, code->encode, code->cols, 0,
                     c->codes, m) != 0)
        return (double)NAN;
    for (int64_t i = 0; i < count * m; i++) {
        const double q = rint(c->codes[i]);
        const double limited = q > most ? most : q < -most ? -most : q == q ? q : 0;
        noise += (c->codes[i] - limited) * (c->codes[i] - limited);
        c->codes[i] = limited;
        out[i] = (int32_t)limited;
    }
    return noise * code->step * code->step;
}

static bool put_model(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    const int64_t d = code->cols;
    const int64_t m = code->components;
    const scree_type type = code->lattice.type;
    scree__raws raws = {{0}};
    chunk c = {0};
    int32_t *codes = scree__alloc_raw(rows->rows * m, sizeof *codes);
    int32_t *cells = scree__alloc_raw(rows->rows * d, sizeof *cells);
    if (!codes || !cells || !chunk_new(&c, d, m)) {
        pack->failed = true;
        goto done;
    }
    for (int64_t first = 0; first < rows->rows; first += SCREE__CHUNK) {
        const int64_t left = rows->rows - first;
        const int64_t count = left < SCREE__CHUNK ? left : SCREE__CHUNK;
        load(&c, code, rows, first, count);
        outcome->code_noise += quantise(&c, code, codes + first * m, count);
        scree__predict(code->tiles, c.codes, c.centred, count, d, m);
        for (int64_t i = 0; i < count; i++) {
            int32_t *k = cells + (first + i) * d;
            scree__correct(&code->lattice, c.x + i * d, c.centred + i * d, k, c.back, d);
            scree__raws_keep(&raws, outcome, type, c.x + i * d, c.back, k, d);
        }
    }
    const int64_t before = pack->size;
    scree__codes_put(pack, codes, rows->rows, m);
    outcome->code_bytes += pack->size - before;
    scree__cells_put(pack, cells, rows->rows, d, code->packer);
    scree__raws_put(pack, &raws, type);
done:
    chunk_free(&c);
    free(cells);
    free(codes);
    return !pack->failed;
}

static void get_model(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    const int64_t d = code->cols;
    const int64_t m = code->components;
    const scree_type type = code->lattice.type;
    const int64_t row_bytes = d * scree__type_size(type);
    chunk c = {0};
    void *raws = NULL;
    int64_t used = 0;
    int32_t *codes = scree__alloc_raw(rows * m, sizeof *codes);
    int32_t *cells = scree__alloc_raw(rows * d, sizeof *cells);
    if (!codes || !cells || !chunk_new(&c, d, m)) {
        unpack->failed = true;
        goto done;
    }
    scree__codes_get(unpack, codes, rows, m);
    if (!unpack->failed)
        scree__cells_get(unpack, cells, rows, d);
    if (!unpack->failed)
        raws = scree__raws_get(unpack, cells, rows * d, type);
    for (int64_t first = 0; first < rows && !unpack->failed; first += SCREE__CHUNK) {
        const int64_t count = rows - first < SCREE__CHUNK ? rows - first : SCREE__CHUNK;
        for (int64_t i = 0; i < count * m; i++)
            c.codes[i] = codes[first * m + i];
        scree__predict(code->tiles, c.codes, c.centred, count, d, m);
        for (int64_t i = 0; i < count; i++) {
            const int32_t *k = cells + (first + i) * d;
            scree__restore(&code->lattice, c.centred + i * d, k, c.back, d);
            scree__raws_place(raws, &used, type, k, c.back, d);
            scree__row_store(c.back, type, (char *)data + (first + i) * row_bytes, d);
        }
    }
done:
    chunk_free(&c);
    free(raws);
    free(cells);
    free(codes);
}

const scree__coding_calls scree__coding_model = {"model", put_model, get_model};
