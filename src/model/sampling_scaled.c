/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling error of the eigenpairs of correlations, of normal rows (Girshick 1939; Konishi 1979).
 *
 * With P the population's correlations and S the covariance of columns in units of their true deviations, those of the
 * sample are R = P + dS - (diag(dS) P + P diag(dS))/2 + …, and perturbation gives dλ_j = u_jᵀdR u_j and, along u_k,
 * u_kᵀdR u_j/(λ_j - λ_k). With W = diag(u_j) U, M = WᵀW and H = Wᵀ(P∘P)W, their moments are
 *
 *     n var λ_j       = 2λ_j² (1 - 2λ_j M_jj + H_jj),
 *     n C_kl          = (λ_jλ_kδ_kl - λ_j (λ_k(λ_j + λ_l) + λ_l(λ_j + λ_k)) M_kl + (λ_j + λ_k)(λ_j + λ_l) H_kl/2)
 *                       / ((λ_j - λ_k)(λ_j - λ_l)),
 *     n E(λ̂_j - λ_j)  = Σ_k (λ_j - λ_k) n C_kk - (λ_j - u_jᵀ(P∘P∘P)u_j)/2,
 *
 * where columns that are not scaled have 2λ_j² and λ_jλ_kδ_kl/(λ_j - λ_k)². Of the components that are not known M_kk
 * and H_kk are taken to be equal; over all of them they sum to 1 - tr M and 1 - tr H. So P is that of those known, with
 * equal variances in all other directions, and 1 on its diagonal; what the others' eigenvalues, λ_k, say of the mean
 * square of its other entries, is added to P∘P. The eigenvalues of noise in a sample are spread about their mean by n's
 * being finite, with mean square γσ⁴: what they have beyond that is the noise's own.
 *
 * Where columns are too many for matrices of D×D, and no column has much of a component, all this comes to nothing. */

#include "model/sampling_scaled.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "model/tie.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 2000 };
static const double MOST_PRODUCTS = 2e9; /* a fraction of a second */
static const double SMALL_SAMPLE = 2.5;  /* over √n: of the difference that scaling makes, not relied on */
static const double LITTLE = 0.1;        /* of a variance: a twentieth of its root */

typedef struct work {
    const scree__scaled_spectrum *s;
    double *values;  /* k: of the population */
    double rest;     /* in the other D - k directions, each */
    double *p;       /* D×D: P */
    double *squares; /* D×D: P∘P */
    double unseen;   /* what components that are not known add to its entries */
    double *turned;  /* m×D: Wᵀ */
    double *product; /* m×D: Wᵀ(P∘P) */
    double *inner;   /* m×m: M */
    double *joint;   /* m×m: H, then nC */
    double *power;   /* m×m: C² */
} work;

/* σ² + s(λ - mean), s what the spread has beyond that of a sample of white noise. */
static void estimate_noise(work *w)
{
    const scree__scaled_spectrum *s = w->s;
    const double rest = (double)(s->columns - s->known);
    const double count = (double)(s->columns - s->signals);
    double left = s->total;
    double sum = 0;
    double square = 0;
    for (int64_t k = 0; k < s->known; k++) {
        left -= s->values[k];
        sum += k < s->signals ? 0 : s->values[k];
        w->values[k] = s->values[k];
    }
    left = rest > 0 ? fmax(left, 0) / rest : 0;
    const double mean = count > 0 ? (sum + rest * left) / count : 0;
    for (int64_t k = s->signals; k < s->known; k++)
        square += pow(s->values[k] - mean, 2);
    square += rest * pow(left - mean, 2);
    const double own = square > 0 ? sqrt(fmax(1 - count / s->freedom * s->noise * s->noise * count / square, 0)) : 0;
    for (int64_t k = s->signals; k < s->known; k++)
        w->values[k] = fmax(s->noise + own * (s->values[k] - mean), 0);
    w->rest = fmax(s->noise + own * (left - mean), 0);
}

/* The mean of the eigenvalues whose components are not known, and the sum of the squares of what they differ by. */
static double unknown_mean(const work *w, double *squares)
{
    const scree__scaled_spectrum *s = w->s;
    const double count = (double)(s->columns - s->known);
    double sum = count * w->rest;
    for (int64_t k = s->kept; k < s->known; k++)
        sum += w->values[k];
    const double mean = s->columns > s->kept ? sum / (double)(s->columns - s->kept) : 0;
    *squares = count * (w->rest - mean) * (w->rest - mean);
    for (int64_t k = s->kept; k < s->known; k++)
        *squares += (w->values[k] - mean) * (w->values[k] - mean);
    return mean;
}

static int make_correlations(work *w)
{
    const scree__scaled_spectrum *s = w->s;
    const int64_t d = s->columns;
    double left;
    const double mean = unknown_mean(w, &left);
    for (int64_t k = 0; k < s->kept; k++)
        for (int64_t a = 0; a < d; a++)
            w->turned[k * d + a] = (w->values[k] - mean) * s->components[k * d + a];
    const int bad = scree__dgemm(true, false, d, d, s->kept, 1, w->turned, d, s->components, d, 0, w->p, d);
    for (int64_t a = 0; a < d; a++) {
        left -= pow(1 - mean - w->p[a * d + a], 2);
        w->p[a * d + a] = 1;
    }
    w->unseen = d > 1 ? fmax(left, 0) / ((double)d * (double)(d - 1)) : 0;
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            w->squares[a * d + b] = w->p[a * d + b] * w->p[a * d + b] + (a == b ? 0 : w->unseen);
    return bad;
}

/* M and H of component j. */
static int make_products(work *w, int64_t j)
{
    const scree__scaled_spectrum *s = w->s;
    const int64_t d = s->columns;
    const int64_t m = s->kept;
    for (int64_t k = 0; k < m; k++)
        for (int64_t a = 0; a < d; a++)
            w->turned[k * d + a] = s->components[j * d + a] * s->components[k * d + a];
    int bad = scree__dgemm(false, true, m, m, d, 1, w->turned, d, w->turned, d, 0, w->inner, m);
    bad |= scree__dgemm(false, false, m, d, d, 1, w->turned, d, w->squares, d, 0, w->product, d);
    return bad | scree__dgemm(false, true, m, m, d, 1, w->product, d, w->turned, d, 0, w->joint, m);
}

static double cube_of(const work *w, int64_t j)
{
    const int64_t d = w->s->columns;
    const double *u = w->s->components + j * d;
    double sum = 0;
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            sum += u[a] * (w->squares[a * d + b] + (a == b ? 0 : 2 * w->unseen)) * w->p[a * d + b] * u[b];
    return sum;
}

/* a - b, at least the standard error of the difference. */
static double apart(const work *w, int64_t j, double other)
{
    const double value = w->values[j];
    const double error = sqrt(2 * (value * value + other * other) / w->s->freedom);
    return copysign(fmax(fabs(value - other), error), value - other);
}

/* Of C_kk before it is divided by the squared gap. */
static double turn_of(double x, double y, double inner, double joint)
{
    return x * y - 2 * x * y * (x + y) * inner + (x + y) * (x + y) * joint / 2;
}

/* n C, in the place of H; row and column j are 0. */
static void make_covariance(const work *w, int64_t j)
{
    const int64_t m = w->s->kept;
    const double x = w->values[j];
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++) {
            const double y = w->values[k];
            const double z = w->values[l];
            const double turned = (k == l ? x * y : 0) - x * (y * (x + z) + z * (x + y)) * w->inner[k * m + l] +
                                  (x + y) * (x + z) * w->joint[k * m + l] / 2;
            w->joint[k * m + l] = k == j || l == j ? 0 : turned / (apart(w, j, y) * apart(w, j, z));
        }
}

/* What the angle and the bias are made of: sums over the other directions. */
typedef struct turning {
    double scaled; /* tr nC */
    double square; /* of it */
    double cube;
    double plain; /* as if columns were not scaled */
    double bias;
    double tie;
} turning;

/* Direction k may be close to j. */
static void meet(turning *t, const work *w, int64_t j, int64_t k, double turned)
{
    const double gap = w->s->sample[j] - w->s->sample[k];
    t->tie = fmax(t->tie, turned > 0 ? scree__tie_limit(turned / (w->s->freedom * gap * gap)) : 0);
}

static void gain(turning *t, double value, double other, double gap, double scaled, double count)
{
    const double plain = count * value * other / (gap * gap);
    t->plain += plain;
    t->scaled += fmax(scaled, 0);
    t->bias += gap * (fmax(scaled, 0) - plain) / value;
}

/* Directions whose components are not known: each has its share of what is left of M and H. Towards a certain one of
 * them that may be far too little; there it is at least as if columns were not scaled. */
static void gain_unknown(const work *w, int64_t j, double inner, double joint, turning *t)
{
    const scree__scaled_spectrum *s = w->s;
    const double x = w->values[j];
    const double count = (double)(s->columns - s->known);
    const double all = (double)(s->columns - s->kept);
    for (int64_t k = s->kept; k < s->known; k++) {
        const double gap = apart(w, j, w->values[k]);
        const double turned = fmax(turn_of(x, w->values[k], inner / all, joint / all), x * w->values[k]);
        const double each = turned / (gap * gap);
        gain(t, x, w->values[k], gap, each, 1);
        meet(t, w, j, k, turned);
        t->square += each * each;
        t->cube += each * each * each;
    }
    if (count > 0) {
        const double gap = apart(w, j, w->rest);
        const double each = fmax(turn_of(x, w->rest, inner / all, joint / all), 0) / (gap * gap);
        gain(t, x, w->rest, gap, count * each, count);
        t->square += count * each * each;
        t->cube += count * each * each * each;
    }
}

/* Those that are known. */
static int gain_known(work *w, int64_t j, turning *t)
{
    const int64_t m = w->s->kept;
    for (int64_t k = 0; k < m; k++) {
        const double gap = apart(w, j, w->values[k]);
        if (k == j)
            continue;
        gain(t, w->values[j], w->values[k], gap, w->joint[k * m + k], 1);
        meet(t, w, j, k, w->joint[k * m + k] * gap * gap);
    }
    const int bad = scree__dgemm(false, false, m, m, m, 1, w->joint, m, w->joint, m, 0, w->power, m);
    for (int64_t i = 0; i < m * m; i++) {
        t->square += w->joint[i] * w->joint[i];
        t->cube += w->joint[i] * w->power[i];
    }
    return bad;
}

/* The next order in 1/√n, which theory leaves out: simulated angles are larger by so much where scaling makes them
 * smaller. */
static double careful(double ratio, double freedom)
{
    return ratio < 1 ? ratio + (1 - ratio) * fmin(SMALL_SAMPLE / sqrt(freedom), 1) : ratio;
}

static int effect_of(work *w, int64_t j, scree__scaled_effect *out)
{
    const int64_t m = w->s->kept;
    const double x = w->values[j];
    turning t = {0};
    double inner = 1;
    double joint = 1;
    int bad = make_products(w, j);
    for (int64_t k = 0; k < m; k++) {
        inner -= w->inner[k * m + k];
        joint -= w->joint[k * m + k];
    }
    out->variance = fmax(1 - 2 * x * w->inner[j * m + j] + w->joint[j * m + j], 0);
    make_covariance(w, j);
    bad |= gain_known(w, j, &t);
    gain_unknown(w, j, fmax(inner, 0), fmax(joint, 0), &t);
    out->bias = t.bias - (x - cube_of(w, j)) / (2 * x);
    out->mean = careful(t.plain > 0 ? t.scaled / t.plain : 1, w->s->freedom);
    out->square = t.scaled > 0 ? t.square / (t.scaled * t.scaled) : 1;
    out->cube = t.scaled > 0 ? t.cube / (t.scaled * t.scaled * t.scaled) : 1;
    out->tie = t.tie;
    out->none = false;
    return bad;
}

/* H_jj is at most M_jj times the largest entry on the diagonal of P². */
static bool is_little(scree__scaled_effect *out, const scree__scaled_spectrum *s)
{
    const int64_t d = s->columns;
    double most = 0;
    for (int64_t a = 0; a < d; a++) {
        double square = s->noise * s->noise;
        for (int64_t k = 0; k < s->kept; k++)
            square += pow(s->values[k] * s->components[k * d + a], 2);
        most = fmax(most, square);
    }
    for (int64_t j = 0; j < s->wanted; j++) {
        double fourth = 0;
        for (int64_t a = 0; a < d; a++)
            fourth += pow(s->components[j * d + a], 4);
        if (!((2 * s->values[j] + most) * fourth < LITTLE))
            return false;
        out[j] = (scree__scaled_effect){.none = true};
    }
    return true;
}

static bool is_too_much(const scree__scaled_spectrum *s)
{
    const double d = (double)s->columns;
    const double m = (double)s->kept;
    return s->columns > MOST_COLUMNS || (double)s->wanted * m * (d * d + 2 * m * d + m * m) > MOST_PRODUCTS;
}

/* Parts of one piece of memory. */
static scree_status make_work(work *w, double **room, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = w->s->columns;
    const int64_t m = w->s->kept;
    SCREE_ALLOC(*room, w->s->known + 2 * d * d + 2 * m * d + 3 * m * m, error);
    w->values = *room;
    w->p = w->values + w->s->known;
    w->squares = w->p + d * d;
    w->turned = w->squares + d * d;
    w->product = w->turned + m * d;
    w->inner = w->product + m * d;
    w->joint = w->inner + m * m;
    w->power = w->joint + m * m;
done:
    return status;
}

scree_status scree__scaled_effects(scree__scaled_effect *out, const scree__scaled_spectrum *s, bool *known,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    double *room = NULL;
    work w = {.s = s};
    int bad = 0;
    *known = !is_too_much(s) || is_little(out, s);
    if (is_too_much(s))
        goto done;
    SCREE_TRY(make_work(&w, &room, error));
    estimate_noise(&w);
    scree__blas_enter();
    bad = make_correlations(&w);
    for (int64_t j = 0; j < s->wanted && bad == 0; j++)
        bad = effect_of(&w, j, &out[j]);
    scree__blas_leave();
    if (bad != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                   (long long)s->columns);
done:
    free(room);
    return status;
}
