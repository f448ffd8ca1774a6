/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of T² and Q (λ with divisor N-1; R = D-M). Of rows that were fitted, T² is (N-1)²/N beta(M/2,
 * (N-M-1)/2), and Q a share of what all rows left over, a beta too. Of new rows, T² would be M(N²-1)/(N(N-M)) F(M, N-M)
 * and Q/σ² χ²_R if U were known. It is estimated: a component of true variance ℓσ² is found at a cosine c to the true
 * one and with an eigenvalue λ that has taken in noise (Paul 2007; γ = R/N):
 *
 *     λ/σ² = ℓ (ℓ-1+γ)/(ℓ-1),   1 - c² = γℓ/((ℓ-1)(ℓ-1+γ))
 *
 * so that a new row has, along u, the variance λ ((ℓ-1)/(ℓ-1+γ))², and leaves σ² L, L = γℓ/(ℓ-1+γ), of its signal in
 * one direction of the residual; and the rows fitted left σ²R(N-1-Σ ℓ/(ℓ-1)) over. Sums of unequal squares are taken as
 * multiples of χ² that have the same mean and, to a whole degree of freedom, the same variance (Satterthwaite 1946).
 * Components below ℓ = 1+√γ cannot be told from noise and count as being there. O(M). */

#include "model/score_law.h"

#include "model/ppca.h"

#include <math.h>

/* Sums over the components. */
typedef struct spikes {
    double noise;    /* σ², less biased than the most likely one */
    double absorbed; /* Σ ℓ/(ℓ-1): rows' worth of noise that the components took in */
    double shrink;   /* Σ ((ℓ-1)/(ℓ-1+γ))², and its squares */
    double shrink2;
    double leak; /* ΣL, and its squares */
    double leak2;
} spikes;

/* The larger root ℓ of λ/σ² = ℓ (ℓ-1+γ)/(ℓ-1). */
static double true_ratio(double ratio, double gamma)
{
    const double b = ratio + 1 - gamma;
    const double root = sqrt(fmax(b * b - 4 * ratio, 0));
    return fmax(0.5 * (b + root), 1 + sqrt(gamma));
}

static double rows_left(const scree_model_view *view, double absorbed)
{
    return scree__model_rows(view) - 1 - absorbed;
}

/* σ² and Σ ℓ/(ℓ-1) depend on each other: a few rounds settle them. */
static spikes spikes_of(const scree_model_view *view)
{
    const double n = scree__model_rows(view);
    const double rest = (double)(view->d - view->m);
    const double all = view->reconstruction_error * scree__model_divisor(view);
    const double gamma = rest / n;
    spikes s = {.absorbed = (double)view->m};
    for (int round = 0; round < 3; round++) {
        s = (spikes){.noise = all / (rest * fmax(rows_left(view, s.absorbed), 1))};
        for (int64_t j = 0; j < view->m; j++) {
            const double variance = view->eigenvalues[j] * scree__model_divisor(view) / (n - 1);
            const double l = true_ratio(variance / s.noise, gamma);
            const double shrink = (l - 1) / (l - 1 + gamma);
            const double leak = gamma * l / (l - 1 + gamma);
            s.absorbed += l / (l - 1);
            s.shrink += shrink * shrink;
            s.shrink2 += shrink * shrink * shrink * shrink;
            s.leak += leak;
            s.leak2 += leak * leak;
        }
    }
    return s;
}

/* Whole degrees of freedom of a sum of squares with weights of this sum and sum of squares. */
static double degrees(double sum, double sum2)
{
    return fmax(1, round(sum * sum / sum2));
}

/* Of T² as we give it, with the model's own divisor. */
static scree__tail t2_law(const scree_model_view *view, const spikes *s, bool training)
{
    const double n = scree__model_rows(view);
    const double m = (double)view->m;
    const double divisor = scree__model_divisor(view);
    if (training && n - m - 1 > 0)
        return (scree__tail){SCREE__TAIL_BETA, m / 2, (n - m - 1) / 2, divisor * (view->uncentred ? 1 : (n - 1) / n)};
    const double freedom = degrees(s->shrink, s->shrink2);
    const double scale = s->shrink / freedom;
    if (!training && n - m > 0)
        return (scree__tail){SCREE__TAIL_F, freedom / 2, (n - m) / 2,
                             scale * divisor * (view->uncentred ? 1 : (n + 1) / n)};
    return (scree__tail){SCREE__TAIL_GAMMA, freedom / 2, 0, 2 * scale};
}

static scree__tail q_law(const scree_model_view *view, const spikes *s, bool training)
{
    const double n = scree__model_rows(view);
    const double rest = (double)(view->d - view->m);
    const double all = view->reconstruction_error * scree__model_divisor(view); /* Σ Q of the rows that were fitted */
    const double left = rows_left(view, training ? (double)view->m : s->absorbed);
    if (view->d == view->m)
        return (scree__tail){.kind = SCREE__TAIL_NONE};
    if (!scree__ppca_is_estimated(view) || left <= 1)
        return (scree__tail){SCREE__TAIL_GAMMA, rest / 2, 0, 2 * view->noise_variance};
    if (training)
        return (scree__tail){SCREE__TAIL_BETA, rest / 2, (left - 1) * rest / 2,
                             all * left / (view->uncentred ? n - 1 : n)};
    const double sum = rest + s->leak;
    const double sum2 = rest + 2 * s->leak + s->leak2 + (s->leak * s->leak - s->leak2) / rest;
    const double freedom = degrees(sum, sum2);
    return (scree__tail){SCREE__TAIL_F, freedom / 2, left * rest / 2,
                         all * sum / freedom * (view->uncentred ? 1 : 1 + 1 / n)};
}

void scree__score_laws(const scree_model_view *view, bool training, scree__tail *t2, scree__tail *q)
{
    const double m = (double)view->m;
    const spikes known = {.noise = view->noise_variance, .absorbed = m, .shrink = m, .shrink2 = m};
    const spikes s = !training && view->m < view->d && scree__model_rows(view) > 1 && scree__ppca_is_estimated(view)
                         ? spikes_of(view)
                         : known;
    *t2 = t2_law(view, &s, training);
    *q = q_law(view, &s, training);
}
