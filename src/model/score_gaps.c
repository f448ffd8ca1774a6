/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of the observed cells of a row, and how it comes about. With W_o = Q G^½ Vᵀ of rank r (gaps.c) the o
 * observed columns are a model of their own, of r components: along q_j the variance is g_j + σ², elsewhere σ².
 *
 *     -2 ln p(x_o) = o ln 2π + Σ ln(g_j + σ²) + (o-r) ln σ² + T² + Q/σ²
 *     T² = Σ t_j²/(g_j + σ²),   t = Qᵀx_o,   Q = ‖x_o - Q t‖²
 *
 * which is (10.70) where nothing is missing: then q_j = u_j. How far out the row is says the law of whole rows
 * (row_law.c) with o for D and r for M, in the covariance of the observed columns (part.c), whose noise need not be
 * white; where the noise was given, the laws of score_law.c. A row with nothing observed is as likely as any: ln p = 0,
 * p = 1; and p = 1 is that of a row with nothing observed but columns that do not vary. 2oM flops a row. */

#include "model/score.h"

#include "base/memory.h"
#include "model/model_law.h"
#include "model/ppca.h"
#include "model/score_law.h"
#include "model/support.h"

#include <math.h>

static const double LN_2PI = 1.83787706640934548356;

/* The model that the observed columns make; variances holds its eigenvalues. */
static scree_model_view observed_model(const scree__gaps *g, double *variances)
{
    scree_model_view part = *g->model;
    const double noise = g->model->noise_variance;
    for (int64_t j = 0; j < g->rank; j++)
        variances[j] = g->singular[j] * g->singular[j] + noise;
    part.d = g->seen;
    part.m = g->rank;
    part.eigenvalues = variances;
    part.reconstruction_error =
        g->model->m < g->model->d && scree__ppca_is_estimated(g->model) ? noise * (double)(part.d - part.m) : NAN;
    return part;
}

/* Q, the residual formed entry by entry, in rest (o). */
static double residual_square(const scree__gaps *g, const double *x, double *rest)
{
    double sum = 0;
    if (g->seen == g->rank)
        return 0;
    scree__gaps_residual(g, x, rest);
    for (int64_t i = 0; i < g->seen; i++)
        sum += rest[i] * rest[i];
    return isnan(sum) ? HUGE_VAL : sum; /* overflow in both directions: as far out as any */
}

static double density(const scree__gaps *g, const scree_model_view *part, double t2, double q)
{
    const double noise = part->noise_variance;
    double volume = (double)part->d * LN_2PI + (part->d > part->m ? (double)(part->d - part->m) * log(noise) : 0);
    for (int64_t j = 0; j < part->m; j++)
        volume += log(part->eigenvalues[j]);
    for (int64_t i = 0; part->scale && i < g->seen; i++)
        volume += 2 * log(part->scale[g->columns[i]]);
    return -0.5 * (volume + t2 + (q > 0 ? q / noise : 0));
}

/* By the laws of a noise that was given. */
static void ask_given(const scree__gaps *g, const scree_model_view *part, bool training, scree__score *score)
{
    scree__tail t2_law = {.kind = SCREE__TAIL_NONE};
    scree__tail q_law = {.kind = SCREE__TAIL_NONE};
    if (g->rank > 0)
        scree__score_laws(part, training, &t2_law, &q_law);
    else if (g->seen > 0) /* no component reaches the columns: noise alone */
        q_law = (scree__tail){SCREE__TAIL_GAMMA, (double)g->seen / 2, 0, 2 * part->noise_variance};
    const double t2 = scree__tail_log(&t2_law, score->t2);
    const double q = scree__tail_log(&q_law, score->q);
    score->p_t2 = exp(t2);
    score->p_q = exp(q);
    score->p_value = t2_law.kind == SCREE__TAIL_NONE  ? score->p_q
                     : q_law.kind == SCREE__TAIL_NONE ? score->p_t2
                                                      : scree__score_fisher(t2, q);
}

/* By the law of rows. */
static scree_status ask_law(const scree__gaps *g, const double *x, const scree_scorer *scorer, scree__score *score)
{
    scree_status status = SCREE_OK;
    const bool training = scorer->options.training;
    scree__row_law law = {0};
    scree__part_row part = {0};
    double *work = NULL;
    SCREE_ALLOC(work, scree__row_law_room(g->rank), NULL);
    SCREE_TRY(scree__part_find(&part, &scorer->parts, g, x, NULL));
    if (part.part.cols == 0) /* no row could be different */
        goto done;
    SCREE_TRY(scree__part_law(&law, scorer->parts.model, &part.part, training, NULL));
    const bool anew = scree__law_rescales(g->model, training) && !law.is_quick;
    if (anew)
        scree__part_rescale(&part, g, x);
    const scree__law_row row = {.q = part.q, .codes = part.codes, .gains = anew ? part.gains : NULL};
    const scree__chances chances = scree__row_law_ask(&law, &row, work);
    score->p_t2 = exp(chances.log_t2);
    score->p_q = exp(chances.log_q);
    score->p_value = chances.joint;
done:
    scree__row_law_clear(&law);
    scree__part_clear(&part);
    free(work);
    return status;
}

/* Unless no row can be like this one. */
static scree_status ask_possible(const scree_scorer *scorer, const scree__gaps *g, const double *x, scree__score *score)
{
    scree_status status = SCREE_OK;
    bool excluded = false;
    SCREE_TRY(scree__support_breaks_part(scorer, x, g->missing, &score->broken));
    SCREE_TRY(scree__support_excludes_part(scorer, g, x, &excluded));
    if (excluded || score->broken > 0)
        score->p_t2 = score->p_q = score->p_value = 0;
    else
        SCREE_TRY(ask_law(g, x, scorer, score));
    if (scorer->chance > 0 && scree__support_excludes(scorer, x, g->missing))
        score->p_value = fmin(score->p_value, scorer->chance);
done:
    return status;
}

scree_status scree__score_gap(void *gaps, const double *x, int64_t row, void *out)
{
    const scree__gaps *g = gaps;
    const scree__score_out *into = out;
    const bool training = into->scorer->options.training;
    scree__score *score = &into->scores[row];
    const scree_model_view part = observed_model(g, g->work);
    *score = (scree__score){.p_t2 = 1, .p_q = 1, .p_value = 1};
    for (int64_t j = 0; j < g->rank; j++)
        score->t2 += g->t[j] * g->t[j] / part.eigenvalues[j];
    score->t2 = isnan(score->t2) ? HUGE_VAL : score->t2;
    score->q = residual_square(g, x, g->work + g->model->m);
    if (g->seen == 0)
        return SCREE_OK;
    score->loglik = density(g, &part, score->t2, score->q);
    if (!g->model->noise_given)
        return ask_possible(into->scorer, g, x, score);
    ask_given(g, &part, training, score);
    return SCREE_OK;
}
