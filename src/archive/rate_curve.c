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
#include "base/sized.h"

#include <math.h>

enum { MOST_COMPONENTS = 256, HALVINGS = 80, DEFAULT_POINTS = 11 };

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

struct scree_curve {
    scree_curve_view view;
    double *reals; /* 4×points: rmse, psnr, bound, achieved */
    int64_t *kept; /* points */
};

static scree_status measure(scree_curve *curve, int64_t i, const spectrum *s, const scree__trial *trial, double rmse,
                            scree_error *error)
{
    const scree__learnt *l = s->learnt;
    const int64_t points = curve->view.points;
    const scree__goal goal = {.rmse = rmse, .components = SCREE_AUTO};
    const double theta = water(s, (double)l->cols * rmse * rmse);
    const double range = trial->sample->largest - trial->sample->least;
    scree__choice choice;
    int64_t kept = 0;
    for (int64_t j = 0; j < l->components; j++)
        kept += l->eigenvalues[j] > theta;
    kept += s->rest > theta ? (int64_t)s->count : 0;
    const scree_status status = scree__choose(&choice, trial, &goal, error);
    if (status != SCREE_OK)
        return status;
    curve->kept[i] = kept;
    curve->reals[i] = rmse;
    curve->reals[points + i] = 20 * log10(range / rmse);
    curve->reals[2 * points + i] = least_bits(s, theta) / (double)l->cols;
    curve->reals[3 * points + i] = 8 * choice.bytes / ((double)l->rows * (double)l->cols);
    return SCREE_OK;
}

static scree_status new_curve(scree_curve **out, int64_t points, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_curve *curve = NULL;
    if (points < 0 || points > INT64_MAX / 64)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a curve of %lld points cannot be drawn; ask for 1 or more",
                   (long long)points);
    points = points > 0 ? points : DEFAULT_POINTS;
    SCREE_ALLOC(curve, 1, error);
    SCREE_ALLOC(curve->reals, 4 * points, error);
    SCREE_ALLOC(curve->kept, points, error);
    curve->view = (scree_curve_view){.size = sizeof curve->view,
                                     .points = points,
                                     .rmse = curve->reals,
                                     .psnr = curve->reals + points,
                                     .kept = curve->kept,
                                     .bound = curve->reals + 2 * points,
                                     .achieved = curve->reals + 3 * points};
    *out = curve;
    curve = NULL;
done:
    scree_curve_free(curve);
    return status;
}

const scree_curve_view *scree_curve_get(const scree_curve *curve)
{
    return &curve->view;
}

void scree_curve_free(scree_curve *curve)
{
    if (!curve)
        return;
    free(curve->reals);
    free(curve->kept);
    free(curve);
}

/* From a thousandth of the standard deviation to two thirds of it. */
static scree_status fill(scree_curve *curve, const scree__trial *trial, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__learnt *learnt = trial->learnt;
    const int64_t points = curve->view.points;
    spectrum s = {.learnt = learnt, .count = (double)(learnt->cols - learnt->components)};
    double rest = learnt->total;
    for (int64_t j = 0; j < learnt->components; j++)
        rest -= learnt->eigenvalues[j];
    s.rest = s.count > 0 ? fmax(rest, 0) / s.count : 0;
    const double all = sqrt(learnt->total / (double)learnt->cols);
    for (int64_t i = 0; i < points; i++)
        SCREE_TRY(measure(curve, i, &s, trial,
                          all * exp2(-10 + 9.4 * (double)i / (double)(points > 1 ? points - 1 : 1)), error));
done:
    return status;
}

scree_status scree_curve_make(scree_curve **out, scree_source *source, const scree_curve_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_curve_options mine = SCREE_CURVE_OPTIONS_INIT;
    scree_run run;
    scree_curve *curve = NULL;
    scree__sample sample = {0};
    scree__learnt learnt = {0};
    scree__trial trial = {0};
    scree__allowance allowance = {SCREE__SAMPLE_CELLS, MOST_COMPONENTS, SCREE_AUTO, 0};
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(new_curve(&curve, mine.points, error));
    SCREE_TRY(scree__allow(&allowance, source, &run, error));
    SCREE_TRY(scree__sample_take(&sample, source, allowance.sample_cells, &run, error));
    SCREE_TRY(scree__learn(&learnt, &sample, allowance.most_components, &run, error));
    SCREE_TRY(scree__trial_new(&trial, &sample, &learnt, SCREE__TRIAL_CELLS, run.threads, error));
    if (!(learnt.total > 0))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: does not vary; there is no rate to speak of", source->about.path);
    SCREE_TRY(fill(curve, &trial, error));
    *out = curve;
    curve = NULL;
done:
    scree_curve_free(curve);
    scree__trial_clear(&trial);
    scree__learnt_clear(&learnt);
    scree__sample_clear(&sample);
    return status;
}
