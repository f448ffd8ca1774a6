/* SPDX-License-Identifier: BSD-3-Clause */
/* x = Σ_k √ℓ_k z_k w_kᵀ + noise + mean, with w_k of length 1 drawn at random. */

#include "support/scenario.h"

#include "base/random.h"
#include "support/checks.h"

#include <stdlib.h>

enum { NOISE = 1, CODES, DIRECTIONS, WILD, SCALES, GAPS };
enum { CELL_FREEDOM = 3, ROW_FREEDOM = 4 };
static const double NEIGHBOUR = 0.6;

static double *normals_of(uint64_t seed, uint64_t stream, int64_t count)
{
    double *x = malloc((size_t)(count + 1) * sizeof *x);
    assert_non_null(x);
    scree__normals(seed, stream, 0, count, x);
    return x;
}

/* In 0 .. 1. */
static double uniform(uint64_t seed, uint64_t stream, int64_t i)
{
    uint32_t words[4];
    scree__philox(seed, stream, (uint64_t)i, words);
    return ((double)words[0] + 0.5) * 0x1p-32;
}

/* √(ν/χ²_ν): what a normal is multiplied by to become Student's t. */
static double wildness(const double *normals, int freedom)
{
    double chi = 0;
    for (int f = 0; f < freedom; f++)
        chi += normals[f] * normals[f];
    return sqrt(freedom / chi);
}

static void correlate(const scenario *s, double *x)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 1; j < s->d; j++)
            x[i * s->d + j] = NEIGHBOUR * x[i * s->d + j - 1] + sqrt(1 - NEIGHBOUR * NEIGHBOUR) * x[i * s->d + j];
}

static void make_heavy(double *x, int64_t count, uint64_t seed)
{
    double *wild = normals_of(seed, WILD, count * CELL_FREEDOM);
    for (int64_t i = 0; i < count; i++)
        x[i] *= wildness(wild + i * CELL_FREEDOM, CELL_FREEDOM) / sqrt(3);
    free(wild);
}

/* Columns times 10^u, u uniform between -decades and decades. */
static void stretch_columns(const scenario *s, double *x, double decades, uint64_t seed)
{
    for (int64_t j = 0; j < s->d; j++) {
        const double factor = pow(10, decades * (2 * uniform(seed, SCALES, j) - 1));
        for (int64_t i = 0; i < s->n; i++)
            x[i * s->d + j] *= factor;
    }
}

/* One column, by the seed. */
static void stretch_one(const scenario *s, double *x, double factor, uint64_t seed)
{
    const int64_t j = (int64_t)(seed % (uint64_t)s->d);
    for (int64_t i = 0; i < s->n; i++)
        x[i * s->d + j] *= factor;
}

static void stretch_rows(const scenario *s, double *x, uint64_t seed)
{
    double *wild = normals_of(seed, WILD, s->n * ROW_FREEDOM);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->d; j++)
            x[i * s->d + j] *= wildness(wild + i * ROW_FREEDOM, ROW_FREEDOM);
    free(wild);
}

static void add_component(const scenario *s, int64_t k, double *x, uint64_t seed)
{
    const double place = s->components > 1 ? (double)k / (double)(s->components - 1) : 0;
    const double strength = s->strongest * pow(s->weakest / s->strongest, place);
    double *w = normals_of(seed, DIRECTIONS + 100 * (uint64_t)(k + 1), s->d);
    double *z = normals_of(seed, CODES + 100 * (uint64_t)(k + 1), s->n);
    double length = 0;
    for (int64_t j = 0; j < s->d; j++)
        length += w[j] * w[j];
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->d; j++)
            x[i * s->d + j] += sqrt(strength / length) * z[i] * w[j];
    free(w);
    free(z);
}

double *scenario_draw(const scenario *s, uint64_t seed)
{
    double *x = normals_of(seed, NOISE, s->n * s->d);
    if (s->noise == NOISE_ALONG_COLUMNS)
        correlate(s, x);
    if (s->noise == NOISE_HEAVY_CELLS)
        make_heavy(x, s->n * s->d, seed);
    if (s->noise == NOISE_UNEQUAL_COLUMNS)
        stretch_columns(s, x, 0.5, seed);
    for (int64_t i = 0; i < s->n * s->d && s->noise == NOISE_NONE; i++)
        x[i] = 0;
    for (int64_t k = 0; k < s->components; k++)
        add_component(s, k, x, seed);
    if (s->noise == NOISE_HEAVY_ROWS)
        stretch_rows(s, x, seed);
    if (s->noise == NOISE_DIFFERENT_SCALES)
        stretch_columns(s, x, 1, seed);
    if (s->noise == NOISE_TWICE || s->noise == NOISE_OTHER_UNIT)
        stretch_one(s, x, s->noise == NOISE_TWICE ? 2 : 1000, seed);
    for (int64_t i = 0; i < s->n * s->d; i++)
        x[i] += (double)(i % s->d % 7);
    return x;
}

void scenario_punch(double *x, int64_t count, double chance, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++)
        if (uniform(seed, GAPS, i) < chance)
            x[i] = NAN;
}
