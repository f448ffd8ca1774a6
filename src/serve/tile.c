/* SPDX-License-Identifier: BSD-3-Clause */
/* How many rows lie where in the plane of two components: tiles of 128 × 128 bins, counted when they are asked for,
 * class by class. Tile (i, j) of level z has the codes from i 2^-z to (i + 1) 2^-z across and from j 2^-z up: where
 * tiles lie depends on nothing but these numbers. One request counts a rectangle of tiles in one look at all codes,
 * some 10 ms for 10⁷ rows, whatever its size.
 *
 * The answer is words of 32 bits, the least byte first: rows that are counted so far (two words, the lower first), how
 * many classes follow, and for each class its number, how many bins it has rows in, and for each of these the number of
 * the bin, row by row from the lowest, and the rows. A number as large as there are classes: rows of all others. */

#include "serve/server.h"

#include <string.h>

enum { DEEPEST = 60, TILE = SCREE__TILE };

typedef struct region {
    const float *x;
    const float *y;
    double left; /* of the region, in codes */
    double low;
    double per_bin; /* bins in a unit */
    int64_t cols;   /* bins across */
    int64_t rows;
} region;

int64_t scree__tiles_most(const scree__codes *codes)
{
    return SCREE__TILES_MOST / ((codes->classes ? codes->class_count : 0) + 1);
}

static void count(uint32_t *bins, const scree__codes *codes, const region *at, int64_t rows)
{
    const double cols = (double)at->cols, high = (double)at->rows;
    const int64_t size = at->cols * at->rows;
    for (int64_t i = 0; i < rows; i++) {
        const double u = ((double)at->x[i] - at->left) * at->per_bin;
        const double v = ((double)at->y[i] - at->low) * at->per_bin;
        if (u >= 0.0 && u < cols && v >= 0.0 && v < high) /* of NaN none is true */
            bins[(codes->classes ? codes->classes[i] * size : 0) + (int64_t)v * at->cols + (int64_t)u]++;
    }
}

static void put_word(unsigned char **at, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8)
        *(*at)++ = (unsigned char)(word >> shift);
}

static int64_t filled(const uint32_t *bins, int64_t count)
{
    int64_t found = 0;
    for (int64_t b = 0; b < count; b++)
        found += bins[b] > 0;
    return found;
}

static unsigned char *write_counts(const uint32_t *bins, int64_t size, int64_t classes, int64_t coded, int64_t *bytes)
{
    *bytes = 4 * (3 + 2 * classes + 2 * filled(bins, size * classes));
    unsigned char *body = scree__alloc(*bytes, 1), *at = body;
    if (!body)
        return NULL;
    put_word(&at, (uint32_t)coded);
    put_word(&at, (uint32_t)((uint64_t)coded >> 32));
    put_word(&at, (uint32_t)classes);
    for (int64_t c = 0; c < classes; c++) {
        const uint32_t *own = bins + c * size;
        put_word(&at, (uint32_t)c);
        put_word(&at, (uint32_t)filled(own, size));
        for (int64_t b = 0; b < size; b++)
            if (own[b] > 0) {
                put_word(&at, (uint32_t)b);
                put_word(&at, own[b]);
            }
    }
    return body;
}

void scree__answer_tiles(const scree_server *server, const char *query, scree_reply *reply)
{
    const scree__codes *codes = &server->codes;
    const double last = (double)codes->components - 1, far = 1 << 30, most = (double)scree__tiles_most(codes);
    enum { X, Y, Z, I, J, W, H, COUNT };
    scree__asked asked[COUNT] = {[X] = {"x", 0, last, true, 0, false},
                                 [Y] = {"y", 0, last, true, 0, false},
                                 [Z] = {"z", -DEEPEST, DEEPEST, true, 0, false},
                                 [I] = {"i", -far, far, true, 0, false},
                                 [J] = {"j", -far, far, true, 0, false},
                                 [W] = {"w", 1, most, true, 0, false},
                                 [H] = {"h", 1, most, true, 0, false}};
    if (codes->components == 0) {
        scree__reply_refuse(reply, 503);
        return;
    }
    if (!scree__query_read(query, asked, COUNT) || asked[W].value * asked[H].value > most) {
        scree__reply_refuse(reply, 400);
        return;
    }
    const int64_t coded = atomic_load(&codes->coded), classes = codes->classes ? codes->class_count + 1 : 1;
    const double side = ldexp(1.0, -(int)asked[Z].value);
    const region at = {.x = codes->values + (int64_t)asked[X].value * codes->rows,
                       .y = codes->values + (int64_t)asked[Y].value * codes->rows,
                       .left = asked[I].value * side,
                       .low = asked[J].value * side,
                       .per_bin = TILE / side,
                       .cols = TILE * (int64_t)asked[W].value,
                       .rows = TILE * (int64_t)asked[H].value};
    int64_t bytes = 0;
    uint32_t *bins = scree__alloc(at.cols * at.rows * classes, sizeof *bins);
    if (bins)
        count(bins, codes, &at, coded);
    unsigned char *body = bins ? write_counts(bins, at.cols * at.rows, classes, coded, &bytes) : NULL;
    if (body)
        scree__reply_give(reply, "application/octet-stream", body, bytes);
    free(bins);
}
