/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling error of eigenpairs: of normal rows, q signals above white noise σ² in the other D - q directions.
 *
 * With α a population eigenvalue and λ that of a sample of n = N - 1 degrees of freedom (Bai and Yao 2012; for n ≫ D
 * Lawley 1956 and Anderson 1963, for one size of noise Baik and Silverstein 2006 and Paul 2007, are special cases),
 *
 *     λ_j → ψ(α_j) = α_j (1 + Σ_{i≠j} α_i/(α_j - α_i) / n),    var λ_j ≈ 2α_j²ψ'(α_j)/n,
 *     ψ'(α_j) = 1 - Σ_{i≠j} α_i²/(α_j - α_i)² / n,             cos²∠ → α_jψ'(α_j)/ψ(α_j).
 *
 * So α̂_j follows from λ_j by solving ψ: for the noise a quadratic equation, for the other signals by their λ. Then
 * nψ'·α̂/α is about χ² with nψ' degrees of freedom, which gives the interval. Given the eigenvalues of the sample, the
 * component along another signal is about normal with variance w_i = α_iα_j/(n(λ_j - λ_i)(α_j - α_i)), and noise adds
 * sin² = 1 - cos² over its directions: the limit of sin² is a quantile of a weighted sum of χ², three moments matched.
 * For sums over signals, those that are too close to tell apart count as one standard error apart; and the limit is at
 * least what the closest of them leaves room for (tie.h). Eigenvalues of correlations have another
 * variance, f times that (sampling_scaled.h): then nψ'/(1 + ψ'(f - 1)) is the number of degrees of freedom
 * (Morales-Jimenez and others 2021), and the interval is symmetric on the scale of the logit of α/tr, which for two
 * columns is Fisher's z.
 *
 * A component is noise when λ_j is not above what noise alone reaches once in twenty samples (Tracy and Widom; the
 * level of noise as in Kritchman and Nadler 2008, unbiased by the signals' α): with it all that follow. */

#include "model/sampling.h"

#include "base/memory.h"
#include "model/sampling_scaled.h"
#include "model/tie.h"
#include "model/white_noise.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 8, NEXT_ROUNDS = 2 };
static const double TRACY_WIDOM = 0.9793;       /* 95 % of largest eigenvalues of noise are below */
static const double TRACY_WIDOM_MEAN = -1.2065; /* and their mean */
static const double TWO_SIDED = 1.959964;       /* normal quantile */
static const double ONE_SIDED = 1.644854;
static const double LEAST_SLOPE = 0.02; /* of ψ: beyond, nothing is known */

/* The noise beside q signals. */
typedef struct noise {
    int64_t signals;
    double level;      /* σ² */
    double directions; /* D - q */
} noise;

/* Wilson and Hilferty 1931: within 3 % from one degree of freedom on. */
static double chi_square_quantile(double freedom, double normal_quantile)
{
    const double c = 2 / (9 * freedom);
    const double root = fmax(1 - c + normal_quantile * sqrt(c), 0);
    return freedom * root * root * root;
}

/* σ² (D - q) = tr - Σα: signals take from the noise what they grow by. guess: that of one signal
 * less, 0: none. */
static double level_of(const scree__spiked *s, int64_t signals, double rest, double guess)
{
    const scree__noise_beside beside = {.values = s->values,
                                        .m = signals,
                                        .left = rest,
                                        .directions = s->directions - (double)signals,
                                        .n = s->freedom};
    return scree__noise_level(&beside, guess, guess > 0 ? NEXT_ROUNDS : ROUNDS);
}

/* The largest of p eigenvalues of white noise over σ², at a point of the law. */
static double largest(double p, double n, double point)
{
    double centre;
    double scale;
    scree__noise_largest(fmax(n, 1), p, &centre, &scale);
    return (centre + point * scale) / n;
}

/* Whether λ_j may be the largest eigenvalue of noise in all directions but those of the j signals before it. Then the
 * level is that of j + 1 signals, with λ_j given back: what noise has there on average, and not what was seen, behind
 * which a signal would hide. */
static bool is_noise(const scree__spiked *s, int64_t j, double level)
{
    const double below = s->directions - (double)(j + 1);
    const double value = s->values[j];
    if (below < 1)
        return !(value > 0);
    const double grown = fmax(value - scree__without_noise(value, level, below / s->freedom), 0);
    const double mean = fmin(largest(below + 1, s->freedom, TRACY_WIDOM_MEAN), (below + 2) / 2);
    const double null_level = fmax(below * level - grown, 0) / (below + 1 - mean);
    return !(value > null_level * largest(below + 1, s->freedom, TRACY_WIDOM));
}

/* What follows the first count values: by the total, unless that has lost its digits. */
static double left_after(const scree__spiked *s, int64_t count, double before)
{
    double sum = s->beyond;
    if (!s->graded)
        return fmax(before - s->values[count - 1], 0);
    for (int64_t j = s->m - 1; j >= count; j--)
        sum += s->values[j];
    return sum;
}

static noise find_noise(const scree__spiked *s)
{
    const double rounding = s->graded ? s->rounding : s->directions * DBL_EPSILON * s->total;
    noise found = {0, s->total / s->directions, s->directions};
    double rest = s->total;
    double level = 0;
    for (int64_t j = 0; j < s->m; j++) {
        const double below = s->directions - (double)(j + 1);
        rest = left_after(s, j + 1, rest);
        if (below >= 1 && 2 * (double)(j + 1) > s->freedom)
            break; /* too few degrees of freedom are left to know noise by */
        if (s->values[j] <= rounding)
            break;
        level = below >= 1 ? level_of(s, j + 1, rest, level) : 0;
        if (is_noise(s, j, level))
            break;
        found = (noise){j + 1, level, below};
    }
    return found;
}

/* a - b, at least the standard error of the difference of two eigenvalues, with the sign of order. */
static double apart(double a, double b, double n, double order)
{
    return copysign(fmax(fabs(a - b), sqrt(2 * (a * a + b * b) / n)), order);
}

/* effects: of scaled columns, or NULL. */
static void estimate_eigenvalues(const scree__spiked *s, const noise *rest, const scree__scaled_effect *effects,
                                 scree_sampling *out)
{
    const double n = s->freedom;
    for (int64_t j = 0; j < rest->signals; j++) {
        const double value = s->values[j];
        const double alone = scree__without_noise(value, rest->level, rest->directions / n);
        double sum = rest->level > 0 ? rest->directions * rest->level / (alone - rest->level) : 0;
        for (int64_t i = 0; i < rest->signals; i++)
            if (i != j)
                sum += s->values[i] / apart(value, s->values[i], n, (double)(i - j));
        sum += effects && !effects[j].none ? effects[j].bias : 0;
        out[j].eigenvalue = value / fmax(1 + sum / n, 0.5);
        if (effects && out[j].eigenvalue >= s->total) /* more than all the variance there is */
            out[j].eigenvalue = value;
    }
}

/* Sums over the other directions: of ψ', and cumulants of sin²; and its limit by the closest of them. */
typedef struct sums {
    double slope;
    double mean;
    double square;
    double cube;
    double tie;
} sums;

static sums noise_sums(const noise *rest, double value, double n)
{
    sums sum = {.slope = 1};
    if (!(rest->directions > 0 && rest->level > 0 && value > rest->level))
        return sum;
    const double ratio = rest->level / (value - rest->level);
    const double gamma = rest->directions / n;
    sum.slope = 1 - gamma * ratio * ratio;
    sum.mean = 1 - fmax(sum.slope, 0) / (1 + gamma * ratio);
    sum.square = sum.mean * sum.mean / rest->directions;
    sum.cube = sum.mean * sum.square / rest->directions;
    return sum;
}

static sums all_sums(const scree__spiked *s, const noise *rest, const scree_sampling *all, int64_t j)
{
    const double value = all[j].eigenvalue;
    sums sum = noise_sums(rest, value, s->freedom);
    const double share = 1 - sum.mean; /* what noise leaves */
    for (int64_t i = 0; i < rest->signals; i++) {
        if (i == j)
            continue;
        const double other = all[i].eigenvalue;
        const double seen = apart(s->values[j], s->values[i], s->freedom, (double)(i - j));
        const double gap = apart(value, other, s->freedom, (double)(i - j));
        const double between = s->values[j] - s->values[i];
        const double w = share * value * other / (s->freedom * seen * gap);
        sum.slope -= other * other / (s->freedom * gap * gap);
        sum.mean += w;
        sum.square += w * w;
        sum.cube += w * w * w;
        sum.tie = fmax(sum.tie, scree__tie_limit(share * value * other / (s->freedom * between * between)));
    }
    return sum;
}

/* The 95 % quantile of a sum of weights times χ² with one degree of freedom, whose powers are summed. */
static double quantile(const sums *sum)
{
    if (!(sum->square > 0))
        return sum->mean;
    const double freedom = sum->square / sum->cube * (sum->square / sum->cube) * sum->square;
    return sum->mean + sqrt(sum->square / freedom) * (chi_square_quantile(freedom, ONE_SIDED) - freedom);
}

static void fill_angles(scree_sampling *c, const sums *sum)
{
    c->angle = asin(sqrt(fmin(sum->mean, 1)));
    c->angle_limit = asin(sqrt(fmin(fmax(quantile(sum), sum->tie), 1)));
}

/* Too little is left of the rows to say anything. */
static void fill_unknown(scree_sampling *c)
{
    c->error = c->low = c->high = NAN;
    c->angle = c->angle_limit = acos(0);
}

static void fill_plain(scree_sampling *c, const sums *sum, double n)
{
    const double freedom = n * fmax(sum->slope, LEAST_SLOPE);
    if (freedom < 1) {
        fill_unknown(c);
        return;
    }
    c->error = c->eigenvalue * sqrt(2 / freedom);
    c->low = c->eigenvalue * freedom / chi_square_quantile(freedom, TWO_SIDED);
    c->high = c->eigenvalue * freedom / chi_square_quantile(freedom, -TWO_SIDED);
    fill_angles(c, sum);
}

static void fill_scaled(scree_sampling *c, const sums *sum, const scree__spiked *s, const scree__scaled_effect *effect)
{
    const double slope = fmax(sum->slope, LEAST_SLOPE);
    const double factor = effect->none ? 1 : effect->variance;
    const double variance = 2 / (s->freedom * slope) * fmax(1 + slope * (factor - 1), 0); /* over α² */
    const double share = fmin(c->eigenvalue / s->total, 1 - 1e-9);
    const double half = TWO_SIDED * sqrt(variance) / (1 - share);
    const double bias = (2 * share - 1) / ((1 - share) * (1 - share)) * variance / 2; /* of the logit, second order */
    const double centre = log(share / (1 - share)) - fmin(fmax(bias, -half / 2), half / 2);
    const double mean = effect->mean * sum->mean;
    const sums turned = {.mean = mean,
                         .square = effect->square * mean * mean,
                         .cube = effect->cube * mean * mean * mean,
                         .tie = effect->tie};
    c->error = c->eigenvalue * sqrt(variance);
    c->low = s->total / (1 + exp(half - centre));
    c->high = s->total / (1 + exp(-half - centre));
    fill_angles(c, effect->none ? sum : &turned);
}

/* effects: m. *known: whether there is anything to say of scaled columns. */
static scree_status find_effects(scree__scaled_effect *effects, const scree__spiked *s, const noise *rest,
                                 const scree_sampling *estimates, bool *known, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *values = NULL;
    SCREE_ALLOC(values, s->m, error);
    for (int64_t j = 0; j < s->m; j++) {
        values[j] = j < rest->signals ? estimates[j].eigenvalue : s->values[j];
        effects[j] = (scree__scaled_effect){.none = true};
    }
    const scree__scaled_spectrum spectrum = {.values = values,
                                             .sample = s->values,
                                             .known = s->m < s->columns ? s->m : s->columns,
                                             .components = s->components,
                                             .kept = s->known,
                                             .wanted = s->wanted < rest->signals ? s->wanted : rest->signals,
                                             .signals = rest->signals,
                                             .columns = s->columns,
                                             .freedom = s->freedom,
                                             .noise = rest->level,
                                             .total = s->total};
    SCREE_TRY(scree__scaled_effects(effects, &spectrum, known, error));
done:
    free(values);
    return status;
}

int64_t scree__sampling_signals(const scree__spiked *spectrum)
{
    return find_noise(spectrum).signals;
}

static void fill_one(const scree__spiked *s, const noise *rest, scree_sampling *out, int64_t j,
                     const scree__scaled_effect *effect)
{
    const sums sum = all_sums(s, rest, out, j);
    if (effect)
        fill_scaled(&out[j], &sum, s, effect);
    else
        fill_plain(&out[j], &sum, s->freedom);
}

scree_status scree__sampling_fill(scree_sampling *out, const scree__spiked *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__scaled_effect *effects = NULL;
    const noise rest = find_noise(s);
    bool known = true;
    estimate_eigenvalues(s, &rest, NULL, out);
    if (s->components) {
        SCREE_ALLOC(effects, s->m, error);
        SCREE_TRY(find_effects(effects, s, &rest, out, &known, error));
        if (known)
            estimate_eigenvalues(s, &rest, effects, out);
    }
    for (int64_t j = 0; j < s->m; j++) {
        out[j].size = sizeof out[j];
        out[j].noise = j >= rest.signals;
        out[j].replicates = 0;
        out[j].share_low = out[j].share_high = NAN;
        if (out[j].noise)
            out[j].eigenvalue = rest.level;
        if (out[j].noise || !known)
            fill_unknown(&out[j]);
        else
            fill_one(s, &rest, out, j, effects ? &effects[j] : NULL);
    }
done:
    free(effects);
    return status;
}
