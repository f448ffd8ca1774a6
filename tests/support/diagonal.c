/* SPDX-License-Identifier: BSD-3-Clause */
/* Factor analysis as a kind that only the tests have: x ~ N(µ, BBᵀ + Ψ) in the scaled columns, B = U Λ^½, Ψ diagonal.
 * Of the observed columns o of a row
 *
 *     A = I + B_oᵀΨ_o⁻¹B_o,   b = B_oᵀΨ_o⁻¹x_o,   E[z|x_o] = A⁻¹b,   cov(z|x_o) = A⁻¹,   E[x_m|x_o] = B_m E[z|x_o]
 *     -2 ln p(x_o) = o ln 2π + ln |Ψ_o| + ln |A| + x_oᵀΨ_o⁻¹x_o - bᵀA⁻¹b
 *
 * It shares nothing with probabilistic PCA but the questions, and leaves many of these out. */

#include "support/diagonal.h"

#include "base/memory.h"
#include "kind/pca/pca.h"
#include "model/score.h"
#include "support/dense_gauss.h"

#include <math.h>

enum { MOST = 8 }; /* components */

/* What is known of rows with one pattern of gaps. */
typedef struct pattern {
    const scree_model_view *view;
    uint8_t *missing;                 /* D; NULL: nothing */
    long double inverse[MOST * MOST]; /* A⁻¹ */
    long double volume;               /* -2 ln of the density at the mean, in the columns as they came */
    long double z[MOST];              /* of the row at hand */
} pattern;

double diagonal_noise(int64_t j)
{
    return 0.05 * (double)((1 + j) * (1 + j));
}

static long double loading(const scree_model_view *view, int64_t i, int64_t j)
{
    return sqrtl(view->eigenvalues[j]) * view->components[j * view->d + i];
}

static void settle(pattern *p)
{
    const scree_model_view *view = p->view;
    const int64_t m = view->m;
    p->volume = 0;
    for (int64_t a = 0; a < m * m; a++)
        p->inverse[a] = a % (m + 1) == 0;
    for (int64_t i = 0; i < view->d; i++) {
        const long double noise = diagonal_noise(i);
        const long double scale = view->scale ? view->scale[i] : 1;
        if (p->missing && p->missing[i])
            continue;
        p->volume += logl(2 * acosl(-1) * noise * scale * scale);
        for (int64_t a = 0; a < m * m; a++)
            p->inverse[a] += loading(view, i, a / m) * loading(view, i, a % m) / noise;
    }
    p->volume += dense_invert(p->inverse, m);
}

/* Sets z of a row; -2 ln p of what is observed of it. */
static long double meet(pattern *p, const double *x)
{
    const scree_model_view *view = p->view;
    long double b[MOST] = {0};
    long double sum = p->volume;
    for (int64_t i = 0; i < view->d; i++) {
        if (p->missing && p->missing[i])
            continue;
        sum += (long double)x[i] * x[i] / diagonal_noise(i);
        for (int64_t j = 0; j < view->m; j++)
            b[j] += loading(view, i, j) * x[i] / diagonal_noise(i);
    }
    for (int64_t j = 0; j < view->m; j++) {
        p->z[j] = 0;
        for (int64_t k = 0; k < view->m; k++)
            p->z[j] += p->inverse[j * view->m + k] * b[k];
        sum -= b[j] * p->z[j];
    }
    return sum;
}

static scree_status open_gaps(void **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    pattern *p = NULL;
    SCREE_ALLOC(p, 1, error);
    *out = p;
    p->view = scree_model_get(model);
    SCREE_ALLOC(p->missing, p->view->d, error);
done:
    return status;
}

static void close_gaps(void *gaps)
{
    if (gaps)
        free(((pattern *)gaps)->missing);
    free(gaps);
}

static scree_status solve_gaps(void *gaps, const uint8_t *missing, bool whole, scree_error *error)
{
    pattern *p = gaps;
    (void)whole;
    (void)error;
    for (int64_t i = 0; i < p->view->d; i++)
        p->missing[i] = missing[i];
    settle(p);
    return SCREE_OK;
}

static void fill_gaps(void *gaps, double *x)
{
    pattern *p = gaps;
    meet(p, x);
    for (int64_t i = 0; i < p->view->d; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < p->view->m; j++)
            sum += loading(p->view, i, j) * p->z[j];
        if (p->missing[i])
            x[i] = (double)sum;
    }
}

static const scree__gap_solver solver = {open_gaps, close_gaps, solve_gaps, fill_gaps};

static scree_status check(const scree_model *model, scree_error *error)
{
    (void)model;
    (void)error;
    return SCREE_OK;
}

static void write_posterior(const pattern *p, const scree__posterior_out *into, int64_t row)
{
    const int64_t m = p->view->m;
    for (int64_t j = 0; j < m; j++) {
        if (into->means)
            into->means[row * m + j] = (double)p->z[j];
        if (into->variances)
            into->variances[row * m + j] = (double)p->inverse[j * (m + 1)];
    }
}

static scree_status posterior_gap(void *gaps, const double *x, int64_t row, void *out)
{
    (void)x;
    write_posterior(gaps, out, row);
    return SCREE_OK;
}

static void posterior_answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    pattern p = {.view = scree_model_get(model)};
    settle(&p);
    for (int64_t i = 0; i < chunk->count; i++) {
        if (chunk->gap && chunk->gap[chunk->skip + i])
            continue;
        meet(&p, chunk->x + (chunk->skip + i) * p.view->d);
        write_posterior(&p, out, chunk->from + i);
    }
}

static void posterior(scree__question *question)
{
    question->answer = posterior_answer;
    question->gaps = true;
    question->gap = posterior_gap;
}

static scree_status scorer(scree_scorer *made, scree_error *error)
{
    (void)made;
    (void)error;
    return SCREE_OK;
}

static scree_status score_gap(void *gaps, const double *x, int64_t row, void *out)
{
    const scree__score_out *into = out;
    into->scores[row] = (scree__score){.loglik = (double)(-0.5L * meet(gaps, x))};
    return SCREE_OK;
}

static void score_answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    pattern p = {.view = scree_model_get(model)};
    settle(&p);
    for (int64_t i = 0; i < chunk->count; i++)
        if (!chunk->gap || !chunk->gap[chunk->skip + i])
            (void)score_gap(&p, chunk->x + (chunk->skip + i) * p.view->d, chunk->from + i, out);
}

static void score(scree__question *question)
{
    question->answer = score_answer;
    question->gaps = true;
    question->gap = score_gap;
}

static const scree__density density = {
    .check = check, .gaps = &solver, .posterior = posterior, .scorer = scorer, .score = score};
static const scree__density gapless = {.check = check, .posterior = posterior, .scorer = scorer, .score = score};

const scree__kind support_diagonal = {
    .name = "diagonal",
    .text = "factors, with noise that differs by column",
    .noun = "a factor model",
    .advice = "one noise for all columns, make such a model with 'scree fit'",
    .code_prefix = "f",
    .project = scree__pca_project,
    .density = &density,
};

const scree__kind support_gapless = {
    .name = "gapless",
    .text = "factors, of whole rows",
    .noun = "a factor model of whole rows",
    .advice = "a model that fills gaps",
    .code_prefix = "f",
    .project = scree__pca_project,
    .density = &gapless,
};
