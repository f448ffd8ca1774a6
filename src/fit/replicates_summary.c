/* SPDX-License-Identifier: BSD-3-Clause */
/* What bootstrap replicates say of a model: each has a covariance, of columns scaled by its own deviations where the
 * model's are scaled, whose components are matched to the model's by their order and turned to the same side. A match
 * by the largest overlap would hide that components change places, which is what is to be found out.
 *
 * A replicate is to the sample what the sample is to the population. So with ρ_b = λ*_b/λ, quantiles of ln ρ, and m
 * its mean over the replicates,
 *
 *     λ/(ρ_{0.975} e^{-m/2}) ≤ α ≤ λ/(ρ_{0.025} e^{-m/2}),
 *
 * the share likewise on the scale of its logit, and so are eigenvalues of correlations, whose sum is known. m is the
 * bias, known about as well as it is large: taken back by half it is covered best. In a sample eigenvalues are farther
 * apart than in the population, and those of replicates repel each other less; so the deviation of λ* may be too small,
 * and is at least that of uᵀS*u, which is that of λ* to first order. Both are too small in small samples. Those of ln λ
 * have mean square 2(1 - 3/N)/N, for normal rows, and as a sum of fourth powers they are known as well as a variance of
 * ν = N/3 degrees of freedom: they are stretched by 1 + 3/2N and by what a quantile of Student's t has over the normal
 * one, 1 + (z² + 1)/4ν.
 *
 * The limit of an angle is the 95 % quantile of those between u* and u. Their squares are too large, in simulations by
 * (4 + 0.7D)/N of them: noise in a sample has unequal eigenvalues. Those of scaled columns are not, for there columns'
 * deviations, too, turn the components: they are stretched as eigenvalues are. And the
 * limit is at least what the components before and after leave room for (tie.h), with the deviation of uᵀS*v.
 * Components that can be told from noise
 * are counted with half of the degrees of freedom: a replicate has the noise of the sample and its own.
 *
 * B eigenproblems of order D, a task each; sums over replicates in their order. */

#include "fit/replicates.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/dense.h"
#include "model/sampling.h"
#include "model/scaling.h"
#include "model/tie.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = SCREE__REPLICATES_GROUP, FEWEST_ROWS = 10 };
static const double ROUNDING = 1e-12; /* of a sum of squares: what is left of a constant column */

typedef struct summary {
    scree__replicates *r;
    const scree_model *model;
    int64_t first;               /* replicate of the group */
    double *values;              /* B×K */
    double *linear;              /* B×K: uᵀS*u */
    double *cross;               /* B×K: uᵀS*v, v the component that follows; 0 for the last */
    double *angles;              /* B×K */
    double *totals;              /* B */
    double *signals;             /* B */
    double *vectors;             /* GROUP×K×D */
    double *sorted;              /* B */
    scree_status bad[GROUP];     /* of a task each, */
    scree_error problems[GROUP]; /* and what it says */
} summary;

/* A column that is constant in the replicate has no correlations. */
static void standardise(const summary *s, double *a)
{
    const int64_t d = s->r->cols;
    for (int64_t i = 0; i < d; i++)
        a[i * d + i] = a[i * d + i] > 0 ? 1 / sqrt(a[i * d + i]) : 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++)
            a[i * d + j] *= a[i * d + i] * a[j * d + j];
    for (int64_t i = 0; i < d; i++)
        a[i * d + i] = a[i * d + i] > 0;
}

/* What a replicate divides a column by: the square root of its own deviation (Pareto), or what the model does. */
static double scale_of_column(const summary *s, const double *a, int64_t i)
{
    const scree_model_view *view = &s->model->view;
    const double variance = a[i * s->r->cols + i];
    return view->scaling == SCREE_SCALE_PARETO && variance > 0 ? sqrt(sqrt(variance)) : view->scale[i];
}

static void divide_columns(const summary *s, double *a)
{
    const int64_t d = s->r->cols;
    for (int64_t i = 0; i < d; i++) {
        const double mine = scale_of_column(s, a, i);
        for (int64_t j = i + 1; j < d; j++)
            a[i * d + j] /= mine;
        for (int64_t j = 0; j < i; j++)
            a[j * d + i] /= mine;
    }
    for (int64_t i = 0; i < d; i++) {
        const double mine = scale_of_column(s, a, i);
        a[i * d + i] = a[i * d + i] / mine / mine;
    }
}

/* The scatter of replicate b becomes its covariance; its trace. */
static double to_covariance(const summary *s, int64_t b)
{
    const int64_t d = s->r->cols;
    double *a = s->r->scatter + b * d * d;
    const double *sums = s->r->sums + b * (d + 1);
    const double weight = fmax(sums[d], 2);
    double trace = 0;
    for (int64_t i = 0; i < d; i++) {
        const double rounding = ROUNDING * a[i * d + i] / weight;
        for (int64_t j = i; j < d; j++)
            a[i * d + j] = (a[i * d + j] - sums[i] * sums[j] / weight) / (weight - 1);
        a[i * d + i] = a[i * d + i] > rounding ? a[i * d + i] : 0;
    }
    if (scree__is_standardised(&s->model->view))
        standardise(s, a);
    else if (s->model->scale)
        divide_columns(s, a);
    for (int64_t i = 0; i < d; i++) {
        trace += a[i * d + i];
        for (int64_t j = 0; j < i; j++)
            a[i * d + j] = a[j * d + i];
    }
    return trace;
}

/* Turns u* to the side of u; the angle between them. */
static double turn(double *mine, const double *model, int64_t d)
{
    double cosine = 0;
    double sine = 0;
    for (int64_t j = 0; j < d; j++)
        cosine += mine[j] * model[j];
    for (int64_t j = 0; j < d; j++) {
        mine[j] = cosine < 0 ? -mine[j] : mine[j];
        const double off = mine[j] - fabs(cosine) * model[j];
        sine += off * off;
    }
    return atan2(sqrt(sine), fabs(cosine));
}

/* uᵀS*u and uᵀS*v of replicate b, u and v of the model. room: K×D. */
static int fill_linear(const summary *s, int64_t b, double *room)
{
    const int64_t d = s->r->cols;
    const int64_t k = s->model->view.m;
    const double *u = s->model->components;
    const int bad = scree__dgemm(false, false, k, d, d, 1, u, d, s->r->scatter + b * d * d, d, 0, room, d);
    for (int64_t j = 0; j < k; j++) {
        double sum = 0;
        for (int64_t a = 0; a < d; a++)
            sum += room[j * d + a] * u[j * d + a];
        s->linear[b * k + j] = sum;
        sum = 0;
        for (int64_t a = 0; a < d && j + 1 < k; a++)
            sum += room[j * d + a] * u[(j + 1) * d + a];
        s->cross[b * k + j] = sum;
    }
    return bad;
}

/* Task: a replicate of the group is solved. */
static void solve(void *context, int64_t index, int worker)
{
    summary *s = context;
    const int64_t d = s->r->cols;
    const int64_t k = s->model->view.m;
    const int64_t b = s->first + index;
    int64_t found = k;
    scree__dense_result result = {.values = s->values + b * k, .vectors = s->vectors + index * k * d};
    const scree__dense_options options = {.threads = 1};
    (void)worker;
    s->totals[b] = to_covariance(s, b);
    if (fill_linear(s, b, result.vectors) != 0) {
        s->bad[index] = scree__fail(&s->problems[index], SCREE_ERR_NUMERIC, "the BLAS library refused a matrix");
        return;
    }
    s->bad[index] = scree__dense_eigen(s->r->scatter + b * d * d, d, &found, &options, &result, &s->problems[index]);
    if (s->bad[index] != SCREE_OK)
        return;
    for (int64_t j = 0; j < k; j++)
        s->angles[b * k + j] = turn(result.vectors + j * d, s->model->components + j * d, d);
    const scree__spiked spectrum = {.values = result.values,
                                    .m = k,
                                    .directions = (double)d,
                                    .freedom = (s->model->view.weight - 1) / 2,
                                    .total = s->totals[b]};
    s->signals[b] = (double)scree__sampling_signals(&spectrum);
}

/* The squares of what loadings are off by, over the replicates of a group in order. */
static void gain_loadings(const summary *s, int64_t count, double *squares)
{
    const int64_t cells = s->model->view.m * s->r->cols;
    for (int64_t b = 0; b < count; b++)
        for (int64_t i = 0; i < cells; i++) {
            const double off = s->vectors[b * cells + i] - s->model->components[i];
            squares[i] += off * off;
        }
}

static scree_status solve_all(summary *s, double *loading_errors, scree_error *error)
{
    const scree__replicates *r = s->r;
    const int64_t cells = s->model->view.m * r->cols;
    for (s->first = 0; s->first < r->count; s->first += GROUP) {
        const int64_t count = r->count - s->first < GROUP ? r->count - s->first : GROUP;
        scree__blas_enter();
        scree__parallel(r->threads, count, solve, s);
        scree__blas_leave();
        for (int64_t b = 0; b < count; b++)
            if (s->bad[b] != SCREE_OK)
                return scree__fail(error, s->bad[b], "the eigenvalues of bootstrap replicate %lld were not found: %s",
                                   (long long)(s->first + b + 1), s->problems[b].text);
        gain_loadings(s, count, loading_errors);
    }
    for (int64_t i = 0; i < cells; i++)
        loading_errors[i] = sqrt(loading_errors[i] / (double)r->count);
    return SCREE_OK;
}

/* Of count values the i-th, from 1, stands for the share i/(count + 1). */
static double quantile(const double *sorted, int64_t count, double p)
{
    const double at = fmin(fmax(p * (double)(count + 1) - 1, 0), (double)(count - 1));
    const int64_t below = (int64_t)at;
    const int64_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* How values spread over the replicates. */
typedef struct spread {
    double low; /* 2.5 and 97.5 %, stretched, about half of the mean */
    double high;
    double deviation;
} spread;

/* The scale that an eigenvalue of replicate b is looked at. */
typedef double (*scale_of)(const summary *s, double value, int64_t b);

/* Of one column of a table, less at: s->sorted, and its mean. */
static double deviation_of(const summary *s, const double *table, int64_t j, scale_of scale, double at, double *mean)
{
    const int64_t count = s->r->count;
    double square = 0;
    *mean = 0;
    for (int64_t b = 0; b < count; b++) {
        s->sorted[b] = scale(s, table[b * s->model->view.m + j], b) - at;
        *mean += s->sorted[b] / (double)count;
    }
    for (int64_t b = 0; b < count; b++)
        square += (s->sorted[b] - *mean) * (s->sorted[b] - *mean);
    return sqrt(square / (double)(count - 1));
}

/* Of eigenvalue j, less at. */
static spread spread_of(const summary *s, int64_t j, double stretch, scale_of scale, double at)
{
    const int64_t count = s->r->count;
    double mean;
    const double first_order = deviation_of(s, s->linear, j, scale, at, &mean);
    const double deviation = deviation_of(s, s->values, j, scale, at, &mean);
    const double wide = stretch * (deviation > 0 ? fmax(first_order / deviation, 1) : 1);
    scree__sort_doubles(s->sorted, count);
    return (spread){mean / 2 + wide * (quantile(s->sorted, count, 0.025) - mean),
                    mean / 2 + wide * (quantile(s->sorted, count, 0.975) - mean), wide * deviation};
}

static double logit(double share)
{
    const double inside = fmin(fmax(share, 1e-15), 1 - 1e-15);
    return log(inside / (1 - inside));
}

static double from_logit(double x)
{
    return 1 / (1 + exp(-x));
}

static double on_logarithm(const summary *s, double value, int64_t b)
{
    (void)s;
    (void)b;
    return log(fmax(value, 1e-300));
}

static double on_logit(const summary *s, double value, int64_t b)
{
    return logit(value / s->totals[b]);
}

static double as_it_is(const summary *s, double value, int64_t b)
{
    (void)s;
    (void)b;
    return value;
}

/* λ_j in the unit and with the divisor N that replicates have. */
static double value_of(const summary *s, int64_t j)
{
    const scree_model_view *view = &s->model->view;
    const double f = s->r->unit;
    const double plain = (view->weight - view->ddof) / view->weight;
    return scree__is_standardised(view) ? view->eigenvalues[j] : view->eigenvalues[j] * f * f * plain;
}

/* Of component j, the interval of λ: quantiles of the logarithms of ratios. */
static void summarise_value(const summary *s, int64_t j, double stretch, double *row)
{
    const scree_model_view *view = &s->model->view;
    const double n = view->weight;
    const double f = scree__is_standardised(view) ? 1 : s->r->unit;
    const double value = fmax(value_of(s, j), 1e-300);
    const double unbiased = scree__is_standardised(view) ? value : value * n / (n - 1);
    const spread ratio = spread_of(s, j, stretch, on_logarithm, log(value));
    row[SCREE__BOOTSTRAP_ERROR] = unbiased * ratio.deviation / f / f;
    row[SCREE__BOOTSTRAP_LOW] = unbiased * exp(-ratio.high) / f / f;
    row[SCREE__BOOTSTRAP_HIGH] = fmin(unbiased * exp(-ratio.low) / f / f, DBL_MAX);
}

static void summarise_share(const summary *s, int64_t j, double stretch, double *row)
{
    const scree_model_view *view = &s->model->view;
    const double share = logit(view->eigenvalues[j] / view->total_variance);
    const spread shares = spread_of(s, j, stretch, on_logit, share);
    row[SCREE__BOOTSTRAP_SHARE_LOW] = from_logit(share - shares.high);
    row[SCREE__BOOTSTRAP_SHARE_HIGH] = from_logit(share - shares.low);
    if (!scree__is_standardised(view))
        return;
    row[SCREE__BOOTSTRAP_LOW] = view->total_variance * row[SCREE__BOOTSTRAP_SHARE_LOW];
    row[SCREE__BOOTSTRAP_HIGH] = view->total_variance * row[SCREE__BOOTSTRAP_SHARE_HIGH];
}

/* What an angle's limit is at least, by components j and j + 1 alone (tie.h): of an eigenvalue that follows the last
 * component, its variance is taken to be that of normal rows. */
static double tie_of(const summary *s, int64_t j)
{
    const scree_model_view *view = &s->model->view;
    double mean;
    if (j < 0)
        return 0;
    if (j + 1 < view->m) {
        const double ratio = deviation_of(s, s->cross, j, as_it_is, 0, &mean) / (value_of(s, j) - value_of(s, j + 1));
        return asin(sqrt(scree__tie_limit(ratio * ratio)));
    }
    if (view->rest_count == 0 || view->rest_counts[0] > 1)
        return 0;
    const double next = view->rest_values[0] / view->eigenvalues[j];
    return asin(sqrt(scree__tie_limit(next / (view->weight * (1 - next) * (1 - next)))));
}

static void summarise_angle(const summary *s, int64_t j, double stretch, double *row)
{
    const int64_t count = s->r->count;
    const double excess = (4 + 0.7 * (double)s->r->cols) / s->model->view.weight;
    const double factor = scree__is_standardised(&s->model->view) ? stretch : 1 / sqrt(1 + excess);
    const double least = fmax(tie_of(s, j - 1), tie_of(s, j));
    double square = 0;
    for (int64_t b = 0; b < count; b++) {
        s->sorted[b] = s->angles[b * s->model->view.m + j];
        square += sin(s->sorted[b]) * sin(s->sorted[b]) / (double)count;
    }
    scree__sort_doubles(s->sorted, count);
    row[SCREE__BOOTSTRAP_ANGLE] = asin(fmin(sqrt(square), 1));
    row[SCREE__BOOTSTRAP_ANGLE_LIMIT] = fmin(fmax(quantile(s->sorted, count, 0.95) * factor, least), acos(0));
}

static void summarise(const summary *s, int64_t j, double *row)
{
    static const double student = (1.96 * 1.96 + 1) / 4;
    const double n = s->model->view.weight;
    const double of_squares = (1 + 1.5 / n) * (1 + 3 * student / n);
    summarise_value(s, j, of_squares, row);
    summarise_share(s, j, of_squares, row);
    summarise_angle(s, j, of_squares, row);
}

static scree_status summary_alloc(summary *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = s->model->view.m;
    SCREE_ALLOC(s->values, s->r->count * k, error);
    SCREE_ALLOC(s->linear, s->r->count * k, error);
    SCREE_ALLOC(s->cross, s->r->count * k, error);
    SCREE_ALLOC(s->angles, s->r->count * k, error);
    SCREE_ALLOC(s->totals, s->r->count, error);
    SCREE_ALLOC(s->signals, s->r->count, error);
    SCREE_ALLOC(s->sorted, s->r->count, error);
    SCREE_ALLOC(s->vectors, GROUP * k * s->r->cols, error);
done:
    return status;
}

scree_status scree__replicates_finish(scree__replicates *r, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    summary s = {.r = r, .model = model};
    if (r->rows < FEWEST_ROWS)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "a bootstrap needs at least %d rows, and there are %lld; fit without it",
                   FEWEST_ROWS, (long long)r->rows);
    SCREE_TRY(scree__replicates_flush(r, error));
    SCREE_TRY(summary_alloc(&s, error));
    SCREE_TRY(scree__bootstrap_new(&model->bootstrap, r->cols, model->view.m, error));
    SCREE_TRY(solve_all(&s, model->bootstrap->loading_errors, error));
    for (int64_t j = 0; j < model->view.m; j++)
        summarise(&s, j, model->bootstrap->table + j * SCREE__BOOTSTRAP_FIELDS);
    scree__sort_doubles(s.signals, r->count);
    model->bootstrap->view.replicates = r->count;
    model->bootstrap->view.signals_low = (int64_t)floor(quantile(s.signals, r->count, 0.025));
    model->bootstrap->view.signals_high = (int64_t)ceil(quantile(s.signals, r->count, 0.975));
    scree__sampling_forget(model);
done:
    free(s.values);
    free(s.linear);
    free(s.cross);
    free(s.angles);
    free(s.totals);
    free(s.signals);
    free(s.sorted);
    free(s.vectors);
    return status;
}
