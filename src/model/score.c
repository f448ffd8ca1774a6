/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of a row and how it comes about (10.70). With c = (x - µ)/scale, t = Uᵀc:
 *
 *     -2 ln p(x) = D ln 2π + Σ ln λ_j + (D-M) ln σ² + T² + Q/σ²
 *     T² = Σ t_j²/λ_j,   Q = ‖c - Ut‖²                                     2DM flops a row, 4DM where Q is small
 *
 * Q is ‖c‖² - ‖t‖² as long as that keeps at least a hundredth of ‖c‖²: the difference then has lost two digits of its
 * sixteen at most. Below that, c - Ut is formed and squared.
 *
 * T² and Q of rows from the model have known distributions (score_law.c) and are independent, but for some correlation
 * when N is not large beside D; their p-values are joined by Fisher's method: p = ab(1 - ln ab). */

#include "model/score.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/sized.h"
#include "kernel/blas.h"
#include "model/network.h"
#include "model/ppca.h"
#include "model/score_law.h"

#include <math.h>
#include <string.h>

static const double KEEPS = 0.01; /* of ‖c‖², for the difference of squares to do */
static const double DEFAULT_ALPHA = 0.01;
enum { LANES = 8 };

/* Calibration rows that are at most as likely as this one, and one more for the row itself. */
static double calibrated(const scree_scorer *scorer, double loglik)
{
    int64_t low = 0;
    int64_t high = scorer->calibration_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (scorer->calibration[middle] <= loglik)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)(1 + low) / (double)(1 + scorer->calibration_count);
}

double scree__score_fisher(double log_a, double log_b)
{
    const double both = log_a + log_b;
    return isinf(both) ? 0 : exp(both) * (1 - both);
}

/* Sums that overflow in both directions are NaN: such a row is as far out as any. */
static double out_of_bounds(double square)
{
    return isnan(square) ? HUGE_VAL : square;
}

static void judge(const scree_scorer *scorer, double noise, scree__score *score)
{
    score->t2 = out_of_bounds(score->t2);
    score->q = out_of_bounds(score->q);
    const double t2 = scree__tail_table_log(&scorer->t2, score->t2);
    const double q = scree__tail_table_log(&scorer->q, score->q);
    score->loglik = -0.5 * (scorer->volume + score->t2 + score->q / noise);
    score->p_t2 = exp(t2);
    score->p_q = exp(q);
    score->p_value = scorer->calibration ? calibrated(scorer, score->loglik)
                     : scorer->q.count   ? scree__score_fisher(t2, q)
                                         : score->p_t2;
}

/* Σ a_j² f_j, in lanes that are added up in a fixed order; f NULL is 1. */
SCREE_CLONES static double weighted_square(const double *a, const double *f, int64_t n)
{
    double lanes[LANES] = {0};
    double sum = 0;
    const int64_t whole = n - n % LANES;
    for (int64_t j = 0; !f && j < whole; j += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lanes[k] += a[j + k] * a[j + k];
    for (int64_t j = 0; f && j < whole; j += LANES)
        for (int64_t k = 0; k < LANES; k++)
            lanes[k] += a[j + k] * a[j + k] * f[j + k];
    for (int64_t j = whole; j < n; j++)
        lanes[j - whole] += a[j] * a[j] * (f ? f[j] : 1);
    for (int64_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

/* Rows whose Q cannot be had as a difference get it from c - Ut. */
static void explicit_q(const scree_model_view *model, const scree__chunk *chunk, const double *codes, double *restored,
                       scree__score *scores)
{
    const int64_t d = model->d;
    scree__dgemm(false, false, chunk->height, d, model->m, 1.0, codes, model->m, model->components, d, 0.0, restored,
                 d);
    for (int64_t i = 0; i < chunk->count; i++) {
        const int64_t at = (chunk->skip + i) * d;
        if (!(chunk->gap && chunk->gap[chunk->skip + i]) && scores[i].q < 0)
            scores[i].q = scree__squared_distance(chunk->x + at, restored + at, d);
    }
}

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    const scree__score_out *into = out;
    const int64_t d = model->d;
    const int64_t m = model->m;
    scree__score *scores = into->scores + chunk->from;
    double *codes = chunk->work;
    bool small = false;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, model->components, d, 0.0, codes, m);
    for (int64_t i = 0; i < chunk->count; i++) {
        if (chunk->gap && chunk->gap[chunk->skip + i])
            continue;
        const double *t = codes + (chunk->skip + i) * m;
        const double all = weighted_square(chunk->x + (chunk->skip + i) * d, NULL, d);
        const double q = all - weighted_square(t, NULL, m);
        scores[i].t2 = weighted_square(t, into->scorer->weights, m);
        scores[i].q = d == m ? 0 : q >= KEEPS * all ? q : -1;
        small = small || scores[i].q < 0;
    }
    if (small)
        explicit_q(model, chunk, codes, codes + chunk->height * m, scores);
    for (int64_t i = 0; i < chunk->count; i++)
        if (!chunk->gap || !chunk->gap[chunk->skip + i])
            judge(into->scorer, model->noise_variance, &scores[i]);
}

/* T² and Q are in terms of it. */
static bool spectrum(const void *out)
{
    (void)out;
    return true;
}

scree_status scree__score_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                               scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const scree__question question = {.model = view,
                                      .width = view->d,
                                      .mean = view->mean,
                                      .scale = view->scale,
                                      .names = view->columns,
                                      .work = view->m + view->d,
                                      .answer = answer,
                                      .gaps = true,
                                      .gap = scree__score_gap,
                                      .spectrum = spectrum};
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_scorer_make(scree_scorer **out, const scree_model *model, const scree_score_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_score_options mine = SCREE_SCORE_OPTIONS_INIT;
    const scree_model_view *view = scree_model_get(model);
    scree_scorer *scorer = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!(mine.alpha >= 0 && mine.alpha < 1))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "alpha lies between 0 and 1, not at %g", mine.alpha);
    if (mine.blame_columns < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%lld columns cannot be named; ask for 0 or more",
                   (long long)mine.blame_columns);
    SCREE_TRY(scree__network_refuse(model, "score", error));
    SCREE_TRY(scree__ppca_needs_noise(view, error));
    SCREE_ALLOC(scorer, 1, error);
    scorer->model = model;
    scorer->options = mine;
    scorer->options.alpha = mine.alpha > 0 ? mine.alpha : DEFAULT_ALPHA;
    scorer->volume = scree__ppca_log_volume(view);
    SCREE_ALLOC(scorer->weights, view->m, error);
    for (int64_t j = 0; j < view->m; j++)
        scorer->weights[j] = 1 / scree__ppca_variance(view, j);
    scree__tail t2;
    scree__tail q;
    scree__score_laws(view, mine.training, &t2, &q);
    SCREE_TRY(scree__tail_table_make(&scorer->t2, &t2, error));
    SCREE_TRY(scree__tail_table_make(&scorer->q, &q, error));
    *out = scorer;
    scorer = NULL;
done:
    scree_scorer_free(scorer);
    return status;
}

void scree__score_whole(scree__chunks *chunks)
{
    chunks->question.gaps = false;
    chunks->question.advice = "calibrated p-values compare whole rows, so fill the gap or leave the row out";
}

static scree_status open_whole(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                               scree_error *error)
{
    const scree_status status = scree__score_open(chunks, model, cols, threads, error);
    if (status == SCREE_OK)
        scree__score_whole(chunks);
    return status;
}

void scree_scorer_free(scree_scorer *scorer)
{
    if (!scorer)
        return;
    scree__tail_table_clear(&scorer->t2);
    scree__tail_table_clear(&scorer->q);
    free(scorer->weights);
    free(scorer->calibration);
    free(scorer);
}

/* One array a quantity, for the caller. */
static void spread(const scree_scores *to, const scree__score *scores, int64_t rows)
{
    const struct {
        double *to;
        size_t field;
    } parts[] = {{to->loglik, offsetof(scree__score, loglik)}, {to->t2, offsetof(scree__score, t2)},
                 {to->q, offsetof(scree__score, q)},           {to->p_t2, offsetof(scree__score, p_t2)},
                 {to->p_q, offsetof(scree__score, p_q)},       {to->p_value, offsetof(scree__score, p_value)}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        for (int64_t i = 0; parts[k].to && i < rows; i++)
            memcpy(&parts[k].to[i], (const char *)&scores[i] + parts[k].field, sizeof(double));
}

scree_status scree_scorer_score_rows(const scree_scorer *scorer, const scree_block *rows, const scree_scores *scores,
                                     const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_scores mine = SCREE_SCORES_INIT;
    scree__score_out out = {.scorer = scorer};
    scree__ask ask;
    SCREE_TRY(SCREE_ADOPT(&mine, scores, error));
    SCREE_TRY(scree__ask_rows(&ask, scorer->model, scree_model_get(scorer->model)->d, rows, run, error));
    SCREE_ALLOC(out.scores, ask.rows.x.rows, error);
    SCREE_TRY(scree__ask_question(&ask, scorer->calibration ? open_whole : scree__score_open, &out, error));
    spread(&mine, out.scores, ask.rows.x.rows);
done:
    free(out.scores);
    return status;
}
