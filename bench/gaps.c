/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a PPCA model with cells missing at random, and what a model says of the cells that are there:
 *
 *     x = µ + Bz + σe,   b_ij normal of variance 1/j, σ = 1/2, µ, z, e standard normal;
 *     -2 ln p(x_o) = n ln 2π + (n - M) ln σ² + ln det G + (r'r - c'G⁻¹c)/σ²,
 *     G = B_o'B_o + σ²I, c = B_o'r, r = x_o - µ_o, B = U(Λ - σ²I)^½
 *
 * with n cells observed: a formula for each row by itself, that shares nothing with the library. Products with U_o are
 * formed once, 2NDM + NDM² flops; a density with any σ² is then NM³/3 more. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>

enum { SEED = 5, CODES = BENCH_GAPS_COMPONENTS, SEARCH = 24 };
enum { STREAM_LOADINGS = 1, STREAM_MEAN, STREAM_CODES, STREAM_NOISE, STREAM_GAPS };
static const double NOISE = 0.5;

/* What the density of a row is made of, whatever σ² is. */
typedef struct row_terms {
    int64_t count; /* of cells that are there */
    double squares;
    double codes[CODES];
    double gram[CODES][CODES];
} row_terms;

void bench_gaps_clear(bench_gaps *g)
{
    free(g->truth);
    free(g->seen);
    *g = (bench_gaps){0};
}

static void make_row(double *x, const double *loadings, const double *mean, int64_t row, int64_t cols)
{
    double z[CODES];
    scree__normals(SEED, STREAM_CODES, row * CODES, CODES, z);
    scree__normals(SEED, STREAM_NOISE, row * cols, cols, x);
    for (int64_t i = 0; i < cols; i++) {
        double sum = mean[i] + NOISE * x[i];
        for (int j = 0; j < CODES; j++)
            sum += loadings[i * CODES + j] * z[j] / sqrt(j + 1.0);
        x[i] = sum;
    }
}

scree_status bench_gaps_make(bench_gaps *g, int64_t rows, int64_t cols, double share, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *loadings = NULL;
    double *mean = NULL;
    uint32_t words[4];
    g->rows = rows;
    g->cols = cols;
    SCREE_ALLOC(g->truth, rows * cols, error);
    SCREE_ALLOC(g->seen, rows * cols, error);
    SCREE_ALLOC(loadings, cols * CODES, error);
    SCREE_ALLOC(mean, cols, error);
    scree__normals(SEED, STREAM_LOADINGS, 0, cols * CODES, loadings);
    scree__normals(SEED, STREAM_MEAN, 0, cols, mean);
    for (int64_t row = 0; row < rows; row++)
        make_row(g->truth + row * cols, loadings, mean, row, cols);
    for (int64_t i = 0; i < rows * cols; i++) {
        if (i % 4 == 0)
            scree__philox(SEED, STREAM_GAPS, (uint64_t)(i / 4), words);
        g->seen[i] = words[i % 4] < share * 0x1p32 ? (double)NAN : g->truth[i];
    }
done:
    free(loadings);
    free(mean);
    return status;
}

double bench_gaps_rmse(const bench_gaps *g, const double *filled)
{
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < g->rows * g->cols; i++)
        if (isnan(g->seen[i])) {
            sum += (filled[i] - g->truth[i]) * (filled[i] - g->truth[i]);
            count++;
        }
    return sqrt(sum / (double)count);
}

/* ln det G and c'G⁻¹c, by Cholesky in place of the lower triangle. */
static void solve(double g[CODES][CODES], double c[CODES], double *logdet, double *product)
{
    *logdet = *product = 0;
    for (int i = 0; i < CODES; i++) {
        for (int j = 0; j <= i; j++) {
            for (int l = 0; l < j; l++)
                g[i][j] -= g[i][l] * g[j][l];
            g[i][j] = i == j ? sqrt(g[i][i]) : g[i][j] / g[j][j];
        }
        for (int l = 0; l < i; l++)
            c[i] -= g[i][l] * c[l];
        c[i] /= g[i][i];
        *logdet += 2 * log(g[i][i]);
        *product += c[i] * c[i];
    }
}

/* r'r, U_o'r and the lower triangle of U_o'U_o of one row. */
static void row_products(row_terms *t, const double *x, const double *u, const double *mean, int64_t cols)
{
    *t = (row_terms){0};
    for (int64_t i = 0; i < cols; i++) {
        const double r = x[i] - mean[i];
        const double *ui = u + i * CODES;
        if (isnan(r))
            continue;
        t->count++;
        t->squares += r * r;
        for (int j = 0; j < CODES; j++) {
            t->codes[j] += ui[j] * r;
            for (int l = 0; l <= j; l++)
                t->gram[j][l] += ui[j] * ui[l];
        }
    }
}

/* Of all rows, once for all σ². */
static scree_status products(row_terms **out, const bench_gaps *g, const bench_ppca *p, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *u = NULL;
    SCREE_ALLOC(*out, g->rows, error);
    SCREE_ALLOC(u, g->cols * CODES, error);
    for (int j = 0; j < CODES; j++)
        for (int64_t i = 0; i < g->cols; i++)
            u[i * CODES + j] = p->components[j * g->cols + i];
    for (int64_t row = 0; row < g->rows; row++)
        row_products(*out + row, g->seen + row * g->cols, u, p->mean, g->cols);
done:
    free(u);
    return status;
}

/* ln p of what is there of one row; scale has the roots of Λ - σ²I. */
static double row_density(const row_terms *t, const double scale[CODES], double noise)
{
    double g[CODES][CODES];
    double c[CODES];
    double logdet = 0;
    double product = 0;
    for (int j = 0; j < CODES; j++) {
        c[j] = scale[j] * t->codes[j];
        for (int l = 0; l <= j; l++)
            g[j][l] = scale[j] * scale[l] * t->gram[j][l] + (l == j ? noise : 0);
    }
    solve(g, c, &logdet, &product);
    return -0.5 * ((double)t->count * log(2 * acos(-1.0)) + (double)(t->count - CODES) * log(noise) + logdet +
                   (t->squares - product) / noise);
}

static double density_of(const row_terms *terms, int64_t rows, const double *values, double noise)
{
    double scale[CODES];
    double sum = 0;
    for (int j = 0; j < CODES; j++)
        scale[j] = sqrt(fmax(values[j] - noise, 0));
    for (int64_t row = 0; row < rows; row++)
        sum += row_density(&terms[row], scale, noise);
    return sum;
}

scree_status bench_gaps_density(const bench_gaps *g, const bench_ppca *p, double *density, scree_error *error)
{
    row_terms *terms = NULL;
    scree_status status = products(&terms, g, p, error);
    if (status == SCREE_OK)
        *density = density_of(terms, g->rows, p->values, p->noise);
    free(terms);
    return status;
}

/* Golden section in ln σ², from a hundredth to a hundred times what the data was made with. */
scree_status bench_gaps_best_noise(const bench_gaps *g, bench_ppca *p, double *density, scree_error *error)
{
    scree_status status = SCREE_OK;
    row_terms *terms = NULL;
    const double part = (sqrt(5.0) - 1) / 2;
    double low = log(NOISE * NOISE / 100);
    double high = log(NOISE * NOISE * 100);
    double at[2] = {high - part * (high - low), low + part * (high - low)};
    double found[2];
    SCREE_TRY(products(&terms, g, p, error));
    for (int i = 0; i < 2; i++)
        found[i] = density_of(terms, g->rows, p->values, exp(at[i]));
    for (int step = 0; step < SEARCH; step++) {
        const int worse = found[0] < found[1] ? 0 : 1;
        *(worse ? &high : &low) = at[worse];
        at[worse] = at[!worse];
        found[worse] = found[!worse];
        at[!worse] = worse ? high - part * (high - low) : low + part * (high - low);
        found[!worse] = density_of(terms, g->rows, p->values, exp(at[!worse]));
    }
    *density = fmax(found[0], found[1]);
    p->noise = exp(found[0] > found[1] ? at[0] : at[1]);
done:
    free(terms);
    return status;
}
