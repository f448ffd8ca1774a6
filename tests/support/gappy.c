/* SPDX-License-Identifier: BSD-3-Clause */
/* EM for PPCA with gaps as it stands in the equations: C = WW' + σ²I restricted to what a row has, inverted. */

#include "support/gappy.h"

#include "base/memory.h"
#include "support/calls.h"
#include "support/checks.h"
#include "support/dense_gauss.h"
#include "support/rows.h"

#include <string.h>

enum { MOST = 100, MOST_M = 16 };

gappy *gappy_made(int64_t n, int64_t d, int64_t m, double missing, uint64_t seed)
{
    gappy *g = scree__alloc(1, sizeof *g);
    *g = (gappy){.n = n, .d = d, .m = m, .noise = 1};
    g->whole = scree__alloc(n * d, sizeof *g->whole);
    g->x = scree__alloc(n * d, sizeof *g->x);
    g->w = scree__alloc(d * m, sizeof *g->w);
    g->mean = scree__alloc(d, sizeof *g->mean);
    for (int64_t j = 0; j < d; j++) {
        g->mean[j] = 3 * rows_random(seed + 1, j, 0);
        for (int64_t k = 0; k < m; k++)
            g->w[j * m + k] = (2 - (double)k / (double)m) * rows_random(seed + 2, j, k);
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double sum = g->mean[j] + rows_random(seed + 3, i, j);
            for (int64_t k = 0; k < m; k++)
                sum += g->w[j * m + k] * rows_random(seed + 4, i, k);
            g->whole[i * d + j] = sum;
            g->x[i * d + j] = erfc(-rows_random(seed + 5, i, j) / sqrt(2)) / 2 < missing ? NAN : sum;
        }
    return g;
}

void gappy_free(gappy *g)
{
    free(g->whole);
    free(g->x);
    free(g->w);
    free(g->mean);
    free(g);
}

scree_model *gappy_fit(const gappy *g, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

gappy_ppca *gappy_ppca_new(int64_t d, int64_t m)
{
    gappy_ppca *p = scree__alloc(1, sizeof *p);
    *p = (gappy_ppca){.d = d, .m = m};
    p->w = scree__alloc(d * m, sizeof *p->w);
    p->mean = scree__alloc(d, sizeof *p->mean);
    return p;
}

gappy_ppca *gappy_ppca_of(const scree_model *model)
{
    const scree_model_view *v = scree_model_get(model);
    gappy_ppca *p = gappy_ppca_new(v->d, v->m);
    p->noise = v->noise_variance;
    for (int64_t j = 0; j < v->d; j++) {
        p->mean[j] = v->mean[j];
        for (int64_t k = 0; k < v->m; k++)
            p->w[j * v->m + k] = v->components[k * v->d + j] * sqrtl(fmaxl(v->eigenvalues[k] - p->noise, 0));
    }
    return p;
}

void gappy_ppca_free(gappy_ppca *p)
{
    free(p->w);
    free(p->mean);
    free(p);
}

/* What a row says. */
typedef struct posterior {
    int64_t seen;
    int64_t column[MOST];
    long double z[MOST_M];
    long double covariance[MOST_M * MOST_M];
    long double log_density;
} posterior;

static void look_at(const gappy *g, const gappy_ppca *p, int64_t i, posterior *t)
{
    static long double c[MOST * MOST];
    const int64_t m = p->m;
    const double *x = g->x + i * g->d;
    long double square = 0;
    memset(t, 0, sizeof *t);
    for (int64_t j = 0; j < g->d; j++)
        if (!isnan(x[j]))
            t->column[t->seen++] = j;
    for (int64_t a = 0; a < t->seen; a++)
        for (int64_t b = 0; b < t->seen; b++) {
            long double sum = a == b ? p->noise : 0;
            for (int64_t k = 0; k < m; k++)
                sum += p->w[t->column[a] * m + k] * p->w[t->column[b] * m + k];
            c[a * t->seen + b] = sum;
        }
    const long double logdet = t->seen > 0 ? dense_invert(c, t->seen) : 0;
    for (int64_t k = 0; k < m; k++)
        t->covariance[k * m + k] = 1;
    for (int64_t a = 0; a < t->seen; a++)
        for (int64_t b = 0; b < t->seen; b++) {
            const long double entry = c[a * t->seen + b];
            const long double off = x[t->column[b]] - p->mean[t->column[b]];
            square += (x[t->column[a]] - p->mean[t->column[a]]) * entry * off;
            for (int64_t k = 0; k < m; k++) {
                const long double weight = p->w[t->column[a] * m + k] * entry;
                t->z[k] += weight * off;
                for (int64_t l = 0; l < m; l++)
                    t->covariance[k * m + l] -= weight * p->w[t->column[b] * m + l];
            }
        }
    t->log_density = -0.5L * ((long double)t->seen * 1.83787706640934548356L + logdet + square);
}

long double gappy_log_likelihood(const gappy *g, const gappy_ppca *p)
{
    posterior *t = scree__alloc(1, sizeof *t);
    long double sum = 0;
    for (int64_t i = 0; i < g->n; i++) {
        look_at(g, p, i, t);
        sum += t->log_density;
    }
    free(t);
    return sum;
}

/* Entry (k, l) of ⟨[z;1][z;1]'⟩. */
static long double moment(const posterior *t, int64_t m, int64_t k, int64_t l)
{
    const long double both = k < m && l < m ? t->covariance[k * m + l] : 0;
    return both + (k < m ? t->z[k] : 1) * (l < m ? t->z[l] : 1);
}

/* w and µ of a column from its normal equations; what is left of its squares. */
static long double solve_column(const gappy *g, const posterior *said, gappy_ppca *p, int64_t j)
{
    static long double a[(MOST_M + 1) * (MOST_M + 1)];
    static long double inverse[(MOST_M + 1) * (MOST_M + 1)];
    long double b[MOST_M + 1] = {0};
    long double found[MOST_M + 1] = {0};
    long double squares = 0;
    const int64_t m = p->m;
    const int64_t n = m + 1;
    memset(a, 0, sizeof a);
    for (int64_t i = 0; i < g->n; i++) {
        const long double x = g->x[i * g->d + j];
        if (isnan((double)x))
            continue;
        squares += x * x;
        for (int64_t k = 0; k < n; k++) {
            b[k] += x * (k < m ? said[i].z[k] : 1);
            for (int64_t l = 0; l < n; l++)
                a[k * n + l] += moment(&said[i], m, k, l);
        }
    }
    memcpy(inverse, a, sizeof a);
    dense_invert(inverse, n);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < n; l++)
            found[k] += inverse[k * n + l] * b[l];
    for (int64_t k = 0; k < n; k++)
        squares -= found[k] * b[k];
    for (int64_t k = 0; k < m; k++)
        p->w[j * m + k] = found[k];
    p->mean[j] = found[m];
    return squares;
}

/* w L, LL' the second moment of z about its mean, which goes into µ. */
static void whiten(const gappy *g, const posterior *said, gappy_ppca *p)
{
    long double s[MOST_M * MOST_M] = {0};
    long double mean[MOST_M] = {0};
    const int64_t m = p->m;
    long double count = 0;
    for (int64_t i = 0; i < g->n; i++)
        count += said[i].seen > 0;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t k = 0; said[i].seen > 0 && k < m; k++)
            mean[k] += said[i].z[k] / count;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t k = 0; said[i].seen > 0 && k < m; k++)
            for (int64_t l = 0; l < m; l++)
                s[k * m + l] += moment(&said[i], m, k, l) / count;
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++)
            s[k * m + l] -= mean[k] * mean[l];
    for (int64_t j = 0; j < p->d; j++)
        for (int64_t k = 0; k < m; k++)
            p->mean[j] += p->w[j * m + k] * mean[k];
    for (int64_t k = 0; k < m; k++) /* Cholesky, lower, in place */
        for (int64_t l = 0; l <= k; l++) {
            for (int64_t i = 0; i < l; i++)
                s[k * m + l] -= s[k * m + i] * s[l * m + i];
            s[k * m + l] = k == l ? sqrtl(s[k * m + k]) : s[k * m + l] / s[l * m + l];
        }
    for (int64_t j = 0; j < p->d; j++)
        for (int64_t l = 0; l < m; l++) {
            long double sum = 0;
            for (int64_t k = l; k < m; k++)
                sum += p->w[j * m + k] * s[k * m + l];
            p->w[j * m + l] = sum;
        }
}

void gappy_em_step(const gappy *g, gappy_ppca *p)
{
    posterior *said = scree__alloc(g->n, sizeof *said);
    long double squares = 0;
    long double cells = 0;
    for (int64_t i = 0; i < g->n; i++) {
        look_at(g, p, i, &said[i]);
        cells += (long double)said[i].seen;
    }
    for (int64_t j = 0; j < g->d; j++)
        squares += solve_column(g, said, p, j);
    p->noise = squares / cells;
    whiten(g, said, p);
    free(said);
}

/* z and its covariance by W'W + σ²I, of order M: the only way with many rows and columns. */
static void look_quickly(const gappy *g, const gappy_ppca *p, int64_t i, posterior *t)
{
    const int64_t m = p->m;
    long double r[MOST_M] = {0};
    memset(t, 0, sizeof *t);
    for (int64_t k = 0; k < m; k++)
        t->covariance[k * m + k] = p->noise;
    for (int64_t j = 0; j < g->d; j++)
        for (int64_t k = 0; !isnan(g->x[i * g->d + j]) && k < m; k++) {
            r[k] += p->w[j * m + k] * (g->x[i * g->d + j] - p->mean[j]);
            for (int64_t l = 0; l < m; l++)
                t->covariance[k * m + l] += p->w[j * m + k] * p->w[j * m + l];
        }
    dense_invert(t->covariance, m);
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++) {
            t->z[k] += t->covariance[k * m + l] * r[l];
            t->covariance[k * m + l] *= p->noise;
        }
}

double gappy_imputed(const gappy *g, const gappy_ppca *p, double *covered)
{
    posterior *t = scree__alloc(1, sizeof *t);
    long double squares = 0;
    int64_t missing = 0;
    int64_t within = 0;
    for (int64_t i = 0; i < g->n; i++) {
        look_quickly(g, p, i, t);
        for (int64_t j = 0; j < g->d; j++) {
            long double off = p->mean[j] - g->whole[i * g->d + j];
            long double variance = p->noise;
            if (!isnan(g->x[i * g->d + j]))
                continue;
            for (int64_t k = 0; k < p->m; k++) {
                off += p->w[j * p->m + k] * t->z[k];
                for (int64_t l = 0; l < p->m; l++)
                    variance += p->w[j * p->m + k] * t->covariance[k * p->m + l] * p->w[j * p->m + l];
            }
            squares += off * off;
            within += off * off < 1.959963984540054L * 1.959963984540054L * variance;
            missing++;
        }
    }
    free(t);
    *covered = (double)within / (double)missing;
    return sqrt((double)squares / (double)missing);
}
