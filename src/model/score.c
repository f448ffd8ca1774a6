/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of a row and how it comes about (10.70). With c = (x - µ)/scale, t = Uᵀc:
 *
 *     -2 ln p(x) = D ln 2π + Σ ln λ_j + (D-M) ln σ² + T² + Q/σ²
 *     T² = Σ t_j²/λ_j,   Q = ‖c - Ut‖²                                     2DM flops a row, 4DM where Q is small
 *
 * Q is ‖c‖² - ‖t‖² as long as that keeps at least a hundredth of ‖c‖²: the difference then has lost two digits of its
 * sixteen at most. Below that, c - Ut is formed and squared.
 *
 * How likely such a T² and Q are is said by the law of Gaussian rows (row_law.c), which counts what was estimated; for
 * a noise variance that was set by hand, by the laws of score_law.c. Both p-values are joined by Fisher's method: p =
 * ab(1 - ln ab). */

#include "model/score.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "kernel/blas.h"
#include "model/model_law.h"
#include "model/ppca.h"
#include "model/score_law.h"
#include "model/spare.h"

#include <math.h>

static const double KEEPS = 0.01; /* of ‖c‖², for the difference of squares to do */
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

/* By the laws of a noise that was given. */
static void ask_given(const scree_scorer *scorer, scree__score *score)
{
    const double t2 = scree__tail_table_log(&scorer->t2, score->t2);
    const double q = scree__tail_table_log(&scorer->q, score->q);
    score->p_t2 = exp(t2);
    score->p_q = exp(q);
    score->p_value = !scorer->t2.count ? score->p_q : !scorer->q.count ? score->p_t2 : scree__score_fisher(t2, q);
}

static void ask_law(const scree__row_law *law, const scree__law_row *row, double *work, scree__score *score)
{
    const scree__chances chances = scree__row_law_ask(law, row, work);
    score->p_t2 = exp(chances.log_t2);
    score->p_q = exp(chances.log_q);
    score->p_value = chances.joint;
}

/* The part of a row in directions that the fitted rows say nothing about is left out, unless it is impossible. */
static void ask_within(const scree_scorer *scorer, const double *x, scree__law_row *row, double *work,
                       scree__score *score)
{
    if (scorer->related || scorer->constant_count > 0)
        row->q = fmax(row->q - scree__support_outside(scorer, x), 0);
    ask_law(&scorer->law, row, work, score);
}

static void judge(const scree_scorer *scorer, const double *x, scree__law_row *row, double *work, scree__score *score)
{
    const double noise = scorer->model->view.noise_variance;
    const bool excluded = !scorer->model->view.noise_given && scree__support_excludes(scorer, x, NULL);
    score->broken = scree__support_breaks(scorer, x, NULL);
    score->t2 = out_of_bounds(score->t2);
    score->q = out_of_bounds(score->q);
    score->loglik = -0.5 * (scorer->volume + score->t2 + (score->q > 0 ? score->q / noise : 0));
    row->t2 = score->t2;
    if (!row->gains)
        row->q = score->q;
    if (scorer->model->view.noise_given)
        ask_given(scorer, score);
    else if (score->broken > 0 || (excluded && scorer->chance == 0))
        score->p_t2 = score->p_q = score->p_value = 0;
    else
        ask_within(scorer, x, row, work, score);
    if (excluded && scorer->chance > 0 && !(score->p_value <= scorer->chance))
        score->p_value = scorer->chance;
    if (scorer->calibration)
        score->p_value = calibrated(scorer, score->loglik);
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

/* Rows whose Q cannot be had as a difference get it from c - Ut. codes: width of each row. */
static void explicit_q(const scree_model_view *model, const scree__chunk *chunk, const double *codes, int64_t width,
                       double *restored, scree__score *scores)
{
    const int64_t d = model->d;
    scree__dgemm(false, false, chunk->height, d, model->m, 1.0, codes, width, model->components, d, 0.0, restored, d);
    for (int64_t i = 0; i < chunk->count; i++) {
        const int64_t at = (chunk->skip + i) * d;
        if (!(chunk->gap && chunk->gap[chunk->skip + i]) && scores[i].q < 0)
            scores[i].q = scree__squared_distance(chunk->x + at, restored + at, d);
    }
}

/* T² and Q of the rows without gaps. */
static void measure(const scree_scorer *scorer, const scree_model_view *view, const scree__chunk *chunk,
                    const double *codes, double *restored, scree__score *scores)
{
    const int64_t d = view->d;
    const int64_t m = view->m;
    bool small = false;
    for (int64_t i = 0; i < chunk->count; i++) {
        if (chunk->gap && chunk->gap[chunk->skip + i])
            continue;
        const double *t = codes + (chunk->skip + i) * scorer->codes;
        const double all = weighted_square(chunk->x + (chunk->skip + i) * d, NULL, d);
        const double q = all - weighted_square(t, NULL, m);
        scores[i].t2 = weighted_square(t, scorer->weights, m);
        scores[i].q = d == m ? 0 : q >= KEEPS * all ? q : -1;
        small = small || scores[i].q < 0;
    }
    if (small)
        explicit_q(view, chunk, codes, scorer->codes, restored, scores);
}

static void answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree_model_view *view = scree_model_get(model);
    const scree__score_out *into = out;
    const scree_scorer *scorer = into->scorer;
    const int64_t d = view->d;
    const int64_t width = scorer->codes;
    scree__score *scores = into->scores + chunk->from;
    double *codes = chunk->work;
    double *work = codes + chunk->height * width;
    scree__rescaled rescaled = {0};
    if (width > 0)
        scree__dgemm(false, true, chunk->height, width, d, 1.0, chunk->x, d, scorer->directions, d, 0.0, codes, width);
    measure(scorer, view, chunk, codes, work, scores);
    if (scorer->squares) {
        rescaled = scree__rescale(scorer, chunk, codes, work);
        work += chunk->height * scree__rescale_work(d, width);
    }
    for (int64_t i = 0; i < chunk->count; i++) {
        const int64_t at = chunk->skip + i;
        scree__law_row row = {.q = scores[i].q, .codes = codes + at * width};
        if (chunk->gap && chunk->gap[at])
            continue;
        if (scorer->squares && !scree__row_law_excludes(&scorer->law, &row))
            row = (scree__law_row){
                .q = rescaled.q[at], .codes = rescaled.codes + at * width, .gains = rescaled.gains + at * (width + 1)};
        judge(scorer, chunk->x + at * d, &row, work, &scores[i]);
    }
}

/* T² and Q are in terms of it. */
static bool spectrum(const void *out)
{
    (void)out;
    return true;
}

void scree__ppca_score(scree__question *question)
{
    const scree_model_view *view = scree_model_get(question->model);
    const int64_t codes = scree__model_known(view, view->m, view->d);
    question->work = codes + view->d + scree__row_law_room(codes);
    if (scree__law_rescales(view, false))
        question->work += scree__rescale_work(view->d, codes);
    question->answer = answer;
    question->gaps = true;
    question->gap = scree__score_gap;
    question->spectrum = spectrum;
}

static scree_status square_components(scree_scorer *scorer, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &scorer->kept->view;
    SCREE_ALLOC(scorer->squares, scorer->codes * view->d, error);
    for (int64_t i = 0; i < scorer->codes * view->d; i++)
        scorer->squares[i] = scorer->directions[i] * scorer->directions[i];
done:
    return status;
}

/* Of new rows whose law is not quick every code that it knows counts. */
static scree_status prepare_law(scree_scorer *scorer, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    const bool fitted = scorer->options.training;
    SCREE_TRY(scree__model_law(&scorer->law, scorer->kept, view->m, fitted, error));
    SCREE_TRY(scree__row_law_tabulate(&scorer->law, error));
    scorer->law.is_flat = scorer->law.is_flat && !scorer->related; /* the relations tell what is outside */
    SCREE_TRY(scree__parts_make(&scorer->parts, scorer->kept, view->m, fitted, error));
    scorer->parts.reach *= scorer->law.fewer;
    if (!fitted && !scorer->law.is_quick)
        scorer->codes = scorer->law.known;
    SCREE_TRY(
        scree__spare_directions(&scorer->directions, &scorer->own_directions, scorer->kept, scorer->codes, error));
    if (scree__law_rescales(view, fitted) && !scorer->law.is_quick && view->m < view->d)
        SCREE_TRY(square_components(scorer, error));
done:
    return status;
}

scree_status scree__ppca_scorer(scree_scorer *scorer, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    scree__tail t2;
    scree__tail q;
    scorer->volume = scree__ppca_log_volume(view);
    scorer->codes = view->m;
    scorer->directions = scorer->kept->view.components;
    SCREE_TRY(scree__support_list(scorer, error));
    SCREE_ALLOC(scorer->weights, view->m, error);
    for (int64_t j = 0; j < view->m; j++)
        scorer->weights[j] = 1 / scree__ppca_variance(view, j);
    if (!view->noise_given) {
        SCREE_TRY(prepare_law(scorer, error));
        goto done;
    }
    scree__score_laws(view, scorer->options.training, &t2, &q);
    SCREE_TRY(scree__tail_table_make(&scorer->t2, &t2, error));
    SCREE_TRY(scree__tail_table_make(&scorer->q, &q, error));
done:
    return status;
}
