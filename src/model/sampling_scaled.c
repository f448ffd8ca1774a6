/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling error of the eigenpairs of correlations, of normal rows (Girshick 1939; Konishi 1979).
 *
 * With P the population's correlations and S the covariance of columns in units of their true deviations, those of the
 * sample are R = P + dS - (diag(dS) P + P diag(dS))/2 + …, and perturbation gives
 *
 *     dλ_j = tr(A dS), A = u_j u_jᵀ - λ_j diag(u_j²),         u_kᵀdu_j = tr(A dS)/(λ_j - λ_k),
 *                                                             A = sym(u_j u_kᵀ) - (λ_j + λ_k)/2 diag(u_j u_k);
 *     n var tr(A dS) = 2 tr(APAP).
 *
 * With w = u_j u_k, entry by entry, t = Σ w² and Q = wᵀ(P∘P)w, this is
 *
 *     n var λ_j        = 2λ_j² (1 - 2λ_j t_jj + Q_jj),
 *     n var u_kᵀdu_j   = (λ_jλ_k (1 - 2(λ_j + λ_k) t_jk) + (λ_j + λ_k)² Q_jk/2)/(λ_j - λ_k)²,
 *     n E(λ̂_j - λ_j)   = Σ_k (λ_j - λ_k) n var u_kᵀdu_j - (λ_j - u_jᵀ(P∘P∘P)u_j)/2,
 *
 * where columns that are not scaled have 2λ_j² and λ_jλ_k/(λ_j - λ_k)². P is taken as q signals above white noise:
 * P_ab = Σ g_k u_ka u_kb for a ≠ b, g = λ - σ², and 1 for a = b. Then Q_jk = Σ_lm g_l g_m (Σ_a w_a u_la u_ma)² + a sum
 * over the diagonal, and sums over the directions of noise follow from Σ_k u_ka u_kb = δ_ab, k over all D. */

#include "model/sampling_scaled.h"

#include "scree_private.h"

#include <math.h>
#include <stdlib.h>

static const double MOST_PRODUCTS = 3e8; /* a fraction of a second */
static const double CLOSE = 1e-3;        /* values that are closer, relative, count as so far apart */

typedef struct work {
    const scree__scaled_spectrum *s;
    double *diagonal; /* D: Σ g_k u_ka², the diagonal of P without noise's */
    double *weights;  /* D: w */
    double *fourth;   /* q×q: t */
    double *inner;    /* q×q: Σ_lm g_l g_m (Σ_a w_a u_la u_ma)² of Q */
    double *outer;    /* q×q: Σ_a w_a² (1 - diagonal²) of Q */
} work;

static double above(const scree__scaled_spectrum *s, int64_t k)
{
    return s->values[k] - s->noise;
}

static void fill_diagonal(const work *w)
{
    const int64_t d = w->s->columns;
    for (int64_t k = 0; k < w->s->signals; k++)
        for (int64_t a = 0; a < d; a++) {
            const double u = w->s->components[k * d + a];
            w->diagonal[a] += above(w->s, k) * u * u;
        }
}

/* Σ_lm g_l g_m (Σ_a w_a u_la u_ma)² */
static double inner_of(const work *w)
{
    const int64_t d = w->s->columns;
    double sum = 0;
    for (int64_t l = 0; l < w->s->signals; l++)
        for (int64_t m = 0; m <= l; m++) {
            const double *x = w->s->components + l * d;
            const double *y = w->s->components + m * d;
            double product = 0;
            for (int64_t a = 0; a < d; a++)
                product += w->weights[a] * x[a] * y[a];
            sum += (l == m ? 1 : 2) * above(w->s, l) * above(w->s, m) * product * product;
        }
    return sum;
}

static void fill_pair(const work *w, int64_t j, int64_t k)
{
    const int64_t d = w->s->columns;
    const int64_t q = w->s->signals;
    double fourth = 0;
    double outer = 0;
    for (int64_t a = 0; a < d; a++) {
        w->weights[a] = w->s->components[j * d + a] * w->s->components[k * d + a];
        const double square = w->weights[a] * w->weights[a];
        fourth += square;
        outer += square * (1 - w->diagonal[a] * w->diagonal[a]);
    }
    w->fourth[j * q + k] = w->fourth[k * q + j] = fourth;
    w->outer[j * q + k] = w->outer[k * q + j] = outer;
    w->inner[j * q + k] = w->inner[k * q + j] = inner_of(w);
}

/* Squares of the component along others, with columns scaled and not, and what they add to the bias. */
typedef struct turning {
    double scaled;
    double plain;
    double bias;
} turning;

/* count directions of one eigenvalue; fourth and joint: t and Q, summed over them. */
static void gain(turning *t, double value, double other, double count, double fourth, double joint)
{
    const double gap = copysign(fmax(fabs(value - other), CLOSE * value), value - other);
    const double sum = value + other;
    const double plain = count * value * other / (gap * gap);
    const double scaled = fmax(plain + (sum * sum * joint / 2 - 2 * sum * value * other * fourth) / (gap * gap), 0);
    t->plain += plain;
    t->scaled += scaled;
    t->bias += gap * (scaled - plain) / value;
}

static scree__scaled_effect effect_of(const work *w, int64_t j)
{
    const scree__scaled_spectrum *s = w->s;
    const int64_t q = s->signals;
    const double value = s->values[j];
    turning turned = {0};
    double fourth = 1; /* what is left for the noise */
    double joint = 1;
    double cube = 0; /* u_jᵀ(P∘P∘P)u_j */
    for (int64_t k = 0; k < q; k++) {
        const double q_jk = w->inner[j * q + k] + w->outer[j * q + k];
        fourth -= w->fourth[j * q + k];
        joint -= q_jk;
        cube += above(s, k) * w->inner[j * q + k];
        if (k != j)
            gain(&turned, value, s->values[k], 1, w->fourth[j * q + k], q_jk);
    }
    if (q < s->columns)
        gain(&turned, value, s->noise, (double)(s->columns - q), fourth, joint);
    for (int64_t a = 0; a < s->columns; a++) {
        const double u = s->components[j * s->columns + a];
        cube += u * u * (1 - w->diagonal[a] * w->diagonal[a] * w->diagonal[a]);
    }
    const double q_jj = w->inner[j * q + j] + w->outer[j * q + j];
    return (scree__scaled_effect){.variance = fmax(1 - 2 * value * w->fourth[j * q + j] + q_jj, 0),
                                  .square = turned.plain > 0 ? turned.scaled / turned.plain : 1,
                                  .bias = turned.bias - (value - cube) / (2 * value)};
}

bool scree__scaled_effects(scree__scaled_effect *out, const scree__scaled_spectrum *spectrum)
{
    const int64_t d = spectrum->columns;
    const int64_t q = spectrum->signals;
    if ((double)d * pow((double)q, 4) / 4 > MOST_PRODUCTS)
        return false;
    double *room = scree__alloc(2 * d + 3 * q * q, sizeof *room);
    if (!room)
        return false;
    const work w = {.s = spectrum,
                    .diagonal = room,
                    .weights = room + d,
                    .fourth = room + 2 * d,
                    .inner = room + 2 * d + q * q,
                    .outer = room + 2 * d + 2 * q * q};
    fill_diagonal(&w);
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = 0; k <= j; k++)
            fill_pair(&w, j, k);
    for (int64_t j = 0; j < q; j++)
        out[j] = effect_of(&w, j);
    free(room);
    return true;
}
