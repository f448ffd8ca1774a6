/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model that was fitted to N rows lets expect of new ones from the same population. A component of true variance
 * ℓσ² is found with an eigenvalue that has taken in noise, in a direction of cosine c to the true one (Paul 2007):
 *
 *     λ/σ² = ℓ (ℓ-1+γ)/(ℓ-1),   1 - c² = γℓ/((ℓ-1)(ℓ-1+γ)),   γ = p/N, p = D - M
 *
 * so that codes of new rows have the variance λ ((ℓ-1)/(ℓ-1+γ))², and new rows leave σ²(p + Σ γℓ/(ℓ-1+γ)). A direction
 * that was missed makes r lean on t with slopes of which the squares add up to c²(1-c²)(ℓ-1)²σ⁴/var(t)². Both are known
 * as well as λ is, of which the relative variance is 2/n, to first order. p directions
 * that are unlike each other count as (tr R)²/tr R², from the eigenvalues beyond the components; those of a sample
 * spread wider than the population's, and tr R² is R̂'s less (tr R̂)²/n, times n²/((n-1)(n+2)) (Bai and Saranadasa 1996).
 * Held against the model itself rows have its variances, and white noise. */

#include "answer/drift.h"

#include "base/memory.h"
#include "model/ppca.h"

#include <math.h>

static const double NOTHING = 1e-9; /* of a variance: what is left of a column that components explain */
enum { ROUNDS = 6 };

/* σ², ℓ and what follows from them depend on each other: a few rounds settle them. leak: Σ γℓ/(ℓ-1+γ). */
typedef struct spikes {
    double noise;
    double leak;
    double absorbed;
} spikes;

static double true_ratio(double ratio, double gamma)
{
    const double b = ratio + 1 - gamma;
    return fmax(0.5 * (b + sqrt(fmax(b * b - 4 * ratio, 0))), 1 + sqrt(gamma));
}

/* What an eigenvalue says of its component. */
typedef struct spike {
    double variance; /* of the codes of new rows */
    double turn;     /* sum of the squared slopes that its direction lends r, times their common q */
    double leak;
    double absorbed;
} spike;

static spike spike_of(double variance, double noise, double gamma)
{
    const double l = true_ratio(variance / noise, gamma);
    const double shrink = (l - 1) / (l - 1 + gamma);
    const double miss = fmin(gamma * l / ((l - 1) * (l - 1 + gamma)), 1);
    const double size = noise * noise * (1 - miss) * miss * (l - 1) * (l - 1);
    const double seen = variance * shrink * shrink;
    return (spike){seen, size / (seen * seen), gamma * l / (l - 1 + gamma), l / (l - 1)};
}

/* total: Σ over the fitted rows of what components left; eigenvalues times scale have divisor freedom. */
static spikes find_spikes(scree__drift_law *law, double total, double scale)
{
    const double gamma = law->rest / (law->freedom + 1);
    const int64_t m = law->view->m;
    const double step = sqrt(2 / law->freedom);
    spikes s = {.absorbed = (double)m};
    for (int round = 0; round < ROUNDS; round++) {
        s = (spikes){.noise = total / (law->rest * fmax(law->freedom - s.absorbed, 1))};
        for (int64_t k = 0; k < m; k++) {
            const double variance = law->view->eigenvalues[k] * scale;
            const spike at = spike_of(variance, s.noise, gamma);
            const spike more = spike_of(variance * exp(step), s.noise, gamma);
            const double rises = log(more.variance / at.variance) / step;
            law->variances[k] = at.variance;
            law->turns[k] = at.turn;
            law->freedoms[k] = law->freedom / (rises * rises);
            law->turn_errors[k] = at.turn > 0 && more.turn > 0 ? pow(log(more.turn / at.turn), 2) : 0;
            s.leak += at.leak;
            s.absorbed += at.absorbed;
        }
    }
    return s;
}

/* (tr R)²/tr R² from the eigenvalues that are known beyond the components. */
static double effective_rest(const scree__drift_law *law)
{
    const scree_model_view *view = law->view;
    const double n = law->freedom - (double)view->m;
    double sum = 0;
    double squares = 0;
    for (int64_t b = 0; b < view->rest_count; b++) {
        sum += view->rest_counts[b] * view->rest_values[b];
        squares += view->rest_counts[b] * view->rest_values[b] * view->rest_values[b];
    }
    if (view->stopped)
        return law->rest / (1 + view->noise_spread);
    if (view->rest_count == 0 || !(sum > 0) || n < 2)
        return law->rest;
    squares = (squares - sum * sum / n) * n * n / ((n - 1) * (n + 2));
    return squares > 0 ? fmin(fmax(sum * sum / squares, 1), law->rest) : law->rest;
}

/* Directions beyond the components in which rows can vary: those in which the fitted rows did, where they were enough
 * to show it. */
static double count_rest(const scree__drift_law *law)
{
    const scree_model_view *view = law->view;
    double seen = 0;
    const double most = (double)(law->tested_count - view->m);
    for (int64_t b = 0; b < view->rest_count; b++)
        if (view->rest_values[b] > scree__model_rounding(view) * view->total_variance)
            seen += view->rest_counts[b];
    return law->freedom < (double)law->tested_count || !(seen > 0) ? most : fmin(seen, most);
}

static void expect_estimated(scree__drift_law *law)
{
    const scree_model_view *view = law->view;
    const double scale = scree__model_divisor(view) / law->freedom;
    const double total = view->noise_given ? view->noise_variance * (double)(view->d - view->m) * law->freedom
                                           : view->reconstruction_error * scree__model_divisor(view);
    for (int64_t k = 0; k < view->m; k++)
        law->variances[k] = view->eigenvalues[k] * scale;
    for (int64_t k = 0; k < view->m; k++)
        law->freedoms[k] = law->freedom;
    law->rest_freedom = law->freedom;
    if (!(law->rest > 0) || !(total > 0))
        return;
    const spikes s = find_spikes(law, total, scale);
    law->rest_freedom = fmax(law->freedom - s.absorbed, 1);
    law->q = s.noise * (law->rest + s.leak);
    law->effective = effective_rest(law);
    for (int64_t k = 0; k < view->m; k++)
        law->turns[k] /= law->q;
}

static void expect_exactly(scree__drift_law *law)
{
    const scree_model_view *view = law->view;
    law->rows = law->freedom = law->rest_freedom = HUGE_VAL;
    law->effective = law->rest;
    law->q = view->noise_variance * (double)(view->d - view->m);
    for (int64_t k = 0; k < view->m; k++) {
        law->variances[k] = scree__ppca_variance(view, k);
        law->freedoms[k] = HUGE_VAL;
    }
}

/* Expected variances of what is tested of the columns: the model's share for each, together q. */
static void expect_columns(scree__drift_law *law)
{
    const scree_model_view *view = law->view;
    double sum = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const double scale = view->scale ? view->scale[j] : 1;
        const double whole = view->variances[j] / scale / scale;
        double kept = 0;
        double explained = 0;
        double expected = 0;
        for (int64_t k = 0; k < view->m; k++) {
            const double u = view->components[k * view->d + j];
            kept += u * u;
            explained += u * u * view->eigenvalues[k];
            expected += u * u * law->variances[k];
        }
        const double left = law->exact ? 1 - kept : whole - explained;
        if (!(whole > 0))
            law->tested[j] = SCREE__DRIFT_CONSTANT;
        else
            law->tested[j] =
                left > NOTHING * (law->exact ? 1 : whole) && law->q > 0 ? SCREE__DRIFT_RESIDUAL : SCREE__DRIFT_ITSELF;
        law->columns[j] = law->tested[j] == SCREE__DRIFT_RESIDUAL ? left : expected;
        sum += law->tested[j] == SCREE__DRIFT_RESIDUAL ? left : 0;
    }
    for (int64_t j = 0; j < view->d; j++)
        if (law->tested[j] == SCREE__DRIFT_RESIDUAL)
            law->columns[j] *= law->q / sum;
}

static void count_columns(scree__drift_law *law)
{
    for (int64_t j = 0; j < law->view->d; j++)
        law->tested_count += law->view->variances[j] > 0;
    law->constant_count = law->view->d - law->tested_count;
}

scree_status scree__drift_law_make(scree__drift_law *law, const scree_model *model, bool exact, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    /* Rows with gaps count for as many whole rows as their cells would make. */
    const double seen = (double)view->observed / ((double)(view->n - view->empty_rows) * (double)view->d);
    *law = (scree__drift_law){.view = view, .exact = exact, .rows = scree__model_rows(view) * fmin(seen, 1)};
    law->freedom = law->rows - 1;
    if (law->freedom < (double)view->m + 2 && !exact)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "the model was fitted to %lld rows, too few beside its %lld components to say how far new rows may "
                   "be from them; hold the rows against the model itself, or fit more rows",
                   (long long)view->n, (long long)view->m);
    SCREE_ALLOC(law->variances, view->m, error);
    SCREE_ALLOC(law->turns, view->m, error);
    SCREE_ALLOC(law->freedoms, view->m, error);
    SCREE_ALLOC(law->turn_errors, view->m, error);
    SCREE_ALLOC(law->columns, view->d, error);
    SCREE_ALLOC(law->tested, view->d, error);
    count_columns(law);
    law->rest = fmax(count_rest(law), 0);
    if (exact)
        expect_exactly(law);
    else
        expect_estimated(law);
    expect_columns(law);
    law->distance = view->noise_variance > 0 ? law->q / view->noise_variance : 0;
    for (int64_t k = 0; k < view->m; k++)
        law->distance += law->variances[k] / scree__ppca_variance(view, k);
    law->distance *= 1 + 1 / law->rows;
done:
    return status;
}

void scree__drift_law_clear(scree__drift_law *law)
{
    free(law->variances);
    free(law->turns);
    free(law->freedoms);
    free(law->turn_errors);
    free(law->columns);
    free(law->tested);
}
