/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate-distortion curve of the model of some rows, by reverse water-filling: with the water at θ,
 *
 *     D(θ) = Σ min(θ, λ_j)        R(θ) = Σ ½ log₂⁺(λ_j/θ) bits a row,
 *
 * the least that any code of Gaussian rows takes for that error. Eigenvalues that were not computed count as equal
 * among themselves, which can only make R larger. Beside it stands what an archive takes, by coding a sample. */

#include "archive/choose.h"
#include "archive/compress.h"
#include "base/memory.h"

#include <math.h>

enum { MOST_COMPONENTS = 256, HALVINGS = 80 };

typedef struct spectrum {
    const scree__learnt *learnt;
    double rest;  /* each of those that were not computed */
    double count; /* of them */
} spectrum;

static double distortion(const spectrum *s, double theta)
{
    double sum = s->count * fmin(theta, s->rest);
    for (int64_t j = 0; j < s->learnt->components; j++)
        sum += fmin(theta, s->learnt->eigenvalues[j]);
    return sum;
}

static double least_bits(const spectrum *s, double theta)
{
    double sum = s->rest > theta ? s->count * log2(s->rest / theta) / 2 : 0;
    for (int64_t j = 0; j < s->learnt->components; j++)
        sum += s->learnt->eigenvalues[j] > theta ? log2(s->learnt->eigenvalues[j] / theta) / 2 : 0;
    return sum;
}

/* The θ with that distortion. */
static double water(const spectrum *s, double wanted)
{
    double low = 0;
    double high = fmax(s->learnt->components > 0 ? s->learnt->eigenvalues[0] : 0, s->rest);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (distortion(s, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static scree_rate_point point(const spectrum *s, const scree__trial *trial, double rmse)
{
    const scree__learnt *l = s->learnt;
    const scree__goal goal = {.rmse = rmse, .components = SCREE_AUTO};
    const double theta = water(s, (double)l->cols * rmse * rmse);
    const double range = trial->sample->largest - trial->sample->least;
    scree__choice choice;
    scree_rate_point rate = {.rmse = rmse, .psnr = 20 * log10(range / rmse), .least = least_bits(s, theta)};
    for (int64_t j = 0; j < l->components; j++)
        rate.kept += l->eigenvalues[j] > theta;
    rate.kept += s->rest > theta ? (int64_t)s->count : 0;
    rate.least /= (double)l->cols;
    scree__choose(&choice, trial, &goal);
    rate.achieved = 8 * choice.bytes / ((double)l->rows * (double)l->cols);
    return rate;
}

scree_status scree_curve_make(scree_source *source, scree_rate_point *rates, int64_t count, const scree_run *run,
                              scree_error *error)
{
    static const scree_run plain = SCREE_RUN_INIT;
    scree_status status = SCREE_OK;
    scree__sample sample = {0};
    scree__learnt learnt = {0};
    scree__trial trial = {0};
    const scree_run *mine = run ? run : &plain;
    scree__allowance allowance = {SCREE__SAMPLE_CELLS, MOST_COMPONENTS, SCREE_AUTO, 0};
    SCREE_TRY(scree__allow(&allowance, source, mine, error));
    SCREE_TRY(scree__sample_take(&sample, source, allowance.sample_cells, mine, error));
    SCREE_TRY(scree__learn(&learnt, &sample, allowance.most_components, mine, error));
    SCREE_TRY(scree__trial_new(&trial, &sample, &learnt, SCREE__TRIAL_CELLS, mine->threads, error));
    spectrum s = {.learnt = &learnt, .count = (double)(learnt.cols - learnt.components)};
    double rest = learnt.total;
    for (int64_t j = 0; j < learnt.components; j++)
        rest -= learnt.eigenvalues[j];
    s.rest = s.count > 0 ? fmax(rest, 0) / s.count : 0;
    if (!(learnt.total > 0))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: does not vary; there is no rate to speak of", source->path);
    const double all = sqrt(learnt.total / (double)learnt.cols);
    for (int64_t i = 0; i < count; i++) /* from a thousandth of the standard deviation to two thirds of it */
        rates[i] = point(&s, &trial, all * exp2(-10 + 9.4 * (double)i / (double)(count > 1 ? count - 1 : 1)));
done:
    scree__trial_clear(&trial);
    scree__learnt_clear(&learnt);
    scree__sample_clear(&sample);
    return status;
}
