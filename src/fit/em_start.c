/* SPDX-License-Identifier: BSD-3-Clause */
/* A first guess for EM with gaps: the covariance of available pairs,
 *
 *     S_jk = Σ (x_j - µ_j)(x_k - µ_k) / n_jk      over the rows that observed both, µ the means of observed cells,
 *
 * its largest eigenvalues λ and their vectors, σ² from the rest, w = u(λ - σ²)^½. Two products in one pass, 2 N D²
 * flops. With nothing missing it is the maximum of the likelihood already (10.78, 10.79). S need not be positive: σ² is
 * kept from vanishing then. Where D×D is too large the spectrum comes from em_range.c. */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/dense.h"

#include <math.h>
#include <string.h>

enum { MORE = 3 };
static const double MIN_NOISE = 0.01;  /* of the average variance, where cells are missing */
static const double MIN_SIGNAL = 1e-6; /* of the noise: loadings that are zero would stay so */

typedef struct spectrum {
    int64_t m;
    double *values;
    double *vectors; /* m×D */
    double trace;
} spectrum;

/* products becomes S, both triangles; its trace. Counts are whole numbers where rows have no weights. */
static double to_covariance(double *products, const double *counts, int64_t d, bool weighted)
{
    double trace = 0;
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = i; j < d; j++) {
            const double count = weighted ? counts[i * d + j] : round(counts[i * d + j]);
            products[i * d + j] = count > 0 ? products[i * d + j] / count : 0;
            products[j * d + i] = products[i * d + j];
        }
        trace += products[i * (d + 1)];
    }
    return trace;
}

static scree_status from_pairs(scree__em *em, spectrum *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = em->d;
    double *residuals = NULL;
    SCREE_TRY(scree__em_open(em, 1, error));
    SCREE_ALLOC(residuals, s->m, error);
    em->loadings = (scree__loadings){.cols = d, .m = 1, .shift = em->rows.mean, .factor = em->factor};
    SCREE_TRY(scree__em_pairs_add(em, NULL, error));
    s->trace = to_covariance(em->pairs.products, em->pairs.counts, d, em->job->source->about.weighted);
    const scree__dense_options options = {.threads = em->job->threads};
    scree__dense_result found = {.values = s->values, .vectors = s->vectors, .residuals = residuals};
    SCREE_TRY(scree__dense_eigen(em->pairs.products, d, &s->m, &options, &found, error));
done:
    scree__em_pairs_clear(em);
    free(residuals);
    return status;
}

static scree_status from_range(scree__em *em, spectrum *s, scree_error *error)
{
    for (int64_t j = 0; j < em->d; j++) {
        const double factor = em->factor ? em->factor[j] : 1;
        s->trace += em->rows.variance[j] * factor * factor;
    }
    return scree__em_range(em, s->m, s->values, s->vectors, error);
}

static double noise_of(const scree__em *em, const spectrum *s, int64_t m)
{
    const bool complete = em->rows.cells == em->rows.rows * em->d;
    double left = s->trace;
    for (int64_t k = 0; k < m; k++)
        left -= s->values[k];
    const double least = complete ? em->floor : MIN_NOISE * s->trace / (double)em->d;
    return fmax(left / (double)(em->d - m), fmax(least, em->floor));
}

/* Eigenvalues above the edge of what noise alone shows (Marchenko and Pastur), in as many rows as the share of
 * observed pairs leaves, and some more. */
static int64_t count_above_noise(const scree__em *em, const spectrum *s)
{
    const double share = em->rows.cell_weight / (em->rows.weight * (double)em->d);
    const double ratio = sqrt((double)em->d / (em->rows.weight * share * share));
    int64_t count = 0;
    while (count < s->m && s->values[count] > noise_of(em, s, count) * (1 + ratio) * (1 + ratio))
        count++;
    count += count / 2 + MORE;
    return count < s->m ? count : s->m;
}

static void fill(const scree__em *em, const spectrum *s, scree__em_state *state)
{
    const int64_t m = state->m;
    state->noise = noise_of(em, s, m);
    for (int64_t k = 0; k < m; k++) {
        const double size = sqrt(fmax(s->values[k] - state->noise, MIN_SIGNAL * state->noise));
        for (int64_t d = 0; d < em->d; d++)
            state->w[d * m + k] = size * s->vectors[k * em->d + d];
        state->width[k] = size * size / (double)em->d;
    }
    state->broad = s->trace / (double)em->d;
    for (int64_t d = 0; state->bayes && d < em->d; d++) {
        const double variance = state->noise / em->rows.seen[d];
        for (int64_t k = 0; k <= m; k++)
            state->cover[d * scree__pairs(m + 1) + scree__pair(k, k)] = variance;
        state->logdet[d] = (double)(m + 1) * log(variance);
    }
}

scree_status scree__em_start(scree__em *em, scree__em_state *state, int64_t m, bool open, bool bayes,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    spectrum s = {.m = m};
    SCREE_ALLOC(s.values, m, error);
    SCREE_ALLOC(s.vectors, m * em->d, error);
    SCREE_TRY(em->d <= SCREE__EM_PAIRS ? from_pairs(em, &s, error) : from_range(em, &s, error));
    if (open)
        m = count_above_noise(em, &s);
    SCREE_TRY(scree__em_state_new(state, em->d, m, bayes, error));
    fill(em, &s, state);
done:
    free(s.values);
    free(s.vectors);
    return status;
}
