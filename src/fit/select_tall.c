/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection with more rows than columns: one pass deals the rows to F folds, each with mean and scatter of its own
 * (moments.c); N D² flops, F D×D matrices. Joined they give the spectrum, 4D³/3; with one fold left out at a time,
 *
 *     M = Σ_g M_g + Σ_g n_g (µ_g - µ)(µ_g - µ)ᵀ  over the folds g left in,
 *
 * the criteria that judge by data not seen: an eigendecomposition of order D and two of order D/2 a fold. Arithmetic is
 * double whatever the data is: noise is small beside signal, and noise is what matters here. Weights count in n. */

#include "fit/select_tall.h"

#include "base/memory.h"
#include "fit/course.h"
#include "kernel/blas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const scree__ops *const ops = &scree__ops_f64;

int64_t scree__select_tall_memory(const scree__job *job, int folds, int threads)
{
    const int64_t d = job->cols;
    const int64_t waiting = scree__moments_rows(d, false, ops) * d * scree__type_size(job->source->about.type);
    const int workers = threads < folds ? threads : folds;
    const int64_t cross_validation = workers * (scree__unseen_room(d) + 2 * d * d);
    const int64_t later = folds > 1 ? cross_validation : 0;
    return folds * (scree__moments_memory(d, false, ops, threads) + waiting) +
           scree__pass_memory(job->source, SCREE__DEAL_ROWS) + 8 * (2 * d * d + later) +
           (job->team ? scree__tall_together_memory(job, folds) : 0);
}

scree_status scree__tall_flush(scree__tall *t, scree__fold *f, const scree__batch *batch, scree_error *error)
{
    const scree__rows x = {f->rows, batch->type, f->held, t->d, t->d, f->weights};
    f->held = 0;
    if (x.rows == 0)
        return SCREE_OK;
    f->added += x.rows;
    const scree_status status = scree__moments_add(f->moments, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(t->job, batch, error) : status;
}

scree_status scree__tall_deal(void *context, const scree__batch *batch, scree_error *error)
{
    scree__tall *t = context;
    const scree__rows x = scree__batch_rows(batch);
    int64_t row;
    int64_t col;
    double value;
    if (scree__rows_find_bad(&x, &row, &col, &value))
        return scree__job_bad_cell(t->job, batch, error);
    for (int64_t i = 0; i < x.rows; i++) {
        const int64_t number = t->first + scree__batch_number(batch, i);
        if (t->sample.capacity > 0)
            scree__row_sample_add(&t->sample, &x, i);
        scree__fold *f = &t->fold[scree__fold_of(t->w->options->seed, number, t->w->folds)];
        const scree__rows one = scree__rows_slice(&x, i, 1);
        memcpy(f->rows + f->held * t->row_bytes, one.data, (size_t)t->row_bytes);
        if (f->weights)
            f->weights[f->held] = x.weights[i];
        if (++f->held == t->batch_rows) {
            const scree_status status = scree__tall_flush(t, f, batch, error);
            if (status != SCREE_OK)
                return status;
        }
    }
    t->seen += x.rows;
    return SCREE_OK;
}

scree_status scree__tall_open(scree__tall *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = t->job;
    for (int f = 0; f < t->w->folds; f++) {
        SCREE_TRY(scree__moments_new(&t->fold[f].moments, t->d, false, ops, job->threads, error));
        SCREE_ALLOC(t->fold[f].rows, t->batch_rows * t->row_bytes, error);
        if (job->source->about.weighted)
            SCREE_ALLOC(t->fold[f].weights, t->batch_rows, error);
    }
done:
    return status;
}

static scree_status read_folds(scree__tall *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = t->job;
    int64_t unused;
    const scree__pass pass = {.stage = "select",
                              .pass = 1,
                              .passes = 1,
                              .batch_rows = SCREE__DEAL_ROWS,
                              .run = t->w->options->run,
                              .takes_origin = true,
                              .visit = scree__tall_deal,
                              .context = t};
    SCREE_TRY(scree__tall_open(t, error));
    SCREE_TRY(scree__pass_run(job->source, &pass, &t->rows, error));
    const scree__batch end = {.type = job->source->about.type, .cols = t->d, .first = job->source->about.rows - 1};
    for (int f = 0; f < t->w->folds; f++) {
        SCREE_TRY(scree__tall_flush(t, &t->fold[f], &end, error));
        scree__moments_finish(t->fold[f].moments, &unused, &t->fold[f].mean, &t->fold[f].scatter);
        t->fold[f].n = scree__moments_weight(t->fold[f].moments);
    }
done:
    return status;
}

/* Rows, mean and scatter of the folds in a set of bits; equal means of folds stay what they are. Returns the rows. */
static double join(const scree__tall *t, uint32_t set, double *mean, double *scatter)
{
    const int64_t d = t->d;
    const double *first = NULL; /* the mean that the others are counted from */
    double rows = 0;
    memset(scatter, 0, (size_t)(d * d) * sizeof *scatter);
    for (int f = 0; f < t->w->folds; f++)
        rows += set >> f & 1 ? t->fold[f].n : 0;
    for (int f = t->w->folds - 1; f >= 0; f--)
        first = set >> f & 1 ? t->fold[f].mean : first;
    for (int64_t j = 0; j < d; j++)
        mean[j] = first ? first[j] : 0;
    for (int f = 0; f < t->w->folds; f++)
        for (int64_t j = 0; j < d && set >> f & 1; j++)
            mean[j] += t->fold[f].n / rows * (t->fold[f].mean[j] - first[j]);
    for (int f = 0; f < t->w->folds; f++) {
        const scree__fold *g = &t->fold[f];
        for (int64_t i = 0; i < d && set >> f & 1; i++) {
            const double step = g->n * (g->mean[i] - mean[i]);
            for (int64_t j = 0; j < d; j++)
                scatter[i * d + j] += g->scatter[i * d + j] + step * (g->mean[j] - mean[j]);
        }
    }
    return rows;
}

static uint32_t all_folds(const scree__tall *t)
{
    return (UINT32_C(1) << t->w->folds) - 1;
}

/* Columns of every fold, divided by their standard deviations. */
static void rescale(scree__tall *t, const double *scale)
{
    for (int f = 0; f < t->w->folds; f++)
        for (int64_t i = 0; i < t->d; i++) {
            t->fold[f].mean[i] /= scale[i];
            for (int64_t j = 0; j < t->d; j++)
                t->fold[f].scatter[i * t->d + j] /= scale[i] * scale[j];
        }
}

/* Σ_{rows of the fold} (u_jᵀ(x-µ))² for each row u_j of v; µ the mean of the others. product: D×D. */
static int energies(const scree__tall *t, const scree__fold *f, const double *v, const double *mean, double *product,
                    double *energy)
{
    const int64_t d = t->d;
    const int info = scree__dgemm(false, false, d, d, d, 1, v, d, f->scatter, d, 0, product, d);
    for (int64_t i = 0; i < d; i++) {
        double along = 0;
        energy[i] = 0;
        for (int64_t j = 0; j < d; j++) {
            energy[i] += product[i * d + j] * v[i * d + j];
            along += v[i * d + j] * (f->mean[j] - mean[j]);
        }
        energy[i] = fmax(energy[i], 0) + f->n * along * along;
    }
    return info;
}

/* The rows of a fold, under the model of the others. work: 2D² + 3D. */
static int score_rows(const scree__tall *t, const scree__unseen *u, int index, double *work)
{
    const scree__fold *f = &t->fold[index];
    const int64_t d = t->d;
    double *v = work;
    double *product = v + d * d;
    double *mean = product + d * d;
    double *values = mean + d;
    double *energy = values + d;
    scree__heldout h = {
        .d = u->s->d, .max_components = u->s->max_components, .count = d, .values = values, .energy = energy};
    h.rows_in = join(t, all_folds(t) & ~(UINT32_C(1) << index), mean, v);
    h.rows_out = f->n;
    int info = scree__dsyevd(d, v, d, values);
    info = scree__blas_first(info, energies(t, f, v, mean, product, energy));
    for (int64_t j = 0; j < d; j++)
        h.total += f->scatter[j * d + j] + h.rows_out * (f->mean[j] - mean[j]) * (f->mean[j] - mean[j]);
    scree__heldout_score(&h, u->heldout + index * (u->s->max_components + 1));
    return info;
}

static int judge(const void *context, const scree__unseen *u, int index, double *work)
{
    const scree__tall *t = context;
    const int64_t size = t->d * t->d;
    double *in = work;
    double *out = in + size;
    double *mean = out + size;
    uint32_t set = 0;
    const int info = score_rows(t, u, index, work);
    for (int f = 0; f < u->folds; f++)
        set |= scree__unseen_holds_in(u, index, f) ? UINT32_C(1) << f : 0;
    join(t, set, mean, in);
    join(t, all_folds(t) & ~set, mean, out);
    const scree__bicross b = {.p = t->d,
                              .max_components = u->s->max_components,
                              .in = in,
                              .out = out,
                              .live = u->live,
                              .order = u->order,
                              .splits = u->splits,
                              .work = mean};
    return scree__blas_first(info, scree__bicross_score(&b, u->bicross + index * (u->s->max_components + 1)));
}

/* From the scatter of all rows, which is destroyed: the spectrum, with divisor n. work: 2D. */
static scree_status spectrum(scree__spectrum *s, double n, double *scatter, double *work, scree_error *error)
{
    const int64_t d = s->cols;
    const int64_t count = s->n - 1 < d ? s->n - 1 : d;
    double trace = 0;
    for (int64_t j = 0; j < d; j++)
        trace += s->variances[j];
    scree__blas_enter();
    const int info = scree__dsyevd_values(d, scatter, d, work);
    scree__blas_leave();
    if (info != 0)
        return scree__blas_fail(info, "the eigendecomposition of a matrix", d, error);
    for (int64_t j = 0; j < count; j++)
        work[d + j] = work[d - 1 - j] / n;
    return scree__spectrum_make(s, work + d, count, trace, error);
}

/* Variances, scale where it is wanted, and the columns that vary. */
static scree_status columns(scree__tall *t, scree__spectrum *s, double n, double *mean, double *scatter,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = t->d;
    double *variances = NULL;
    scree__solution solution = {.mean = mean, .weight = n};
    int64_t unused;
    SCREE_TRY(scree__job_settle(t->w->job, t->rows, &unused, error));
    if (s->n < 2)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: the weights add up to %g, which is too few rows to choose by; give weights that count rows",
                   t->w->job->source->about.path, n);
    SCREE_ALLOC(variances, d, error);
    SCREE_ALLOC(s->variances, d, error);
    if (t->w->options->scale != SCREE_SCALE_NONE)
        SCREE_ALLOC(solution.scale, d, error);
    for (int64_t j = 0; j < d; j++)
        variances[j] = scatter[j * d + j] / n;
    solution.variances = s->variances;
    SCREE_TRY(scree__solution_scale(&solution, t->w->job, variances, error));
    if (solution.scale) {
        rescale(t, solution.scale);
        join(t, all_folds(t), mean, scatter);
    }
    s->d = 0;
    for (int64_t j = 0; j < d; j++) {
        s->d += s->variances[j] > 0;
        s->variances[j] = s->variances[j] > 0 ? scatter[j * d + j] / n : 0;
    }
done:
    free(variances);
    free(solution.scale);
    return status;
}

scree_status scree__select_tall(const scree__selecting *w, scree__spectrum *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall t = {.w = w, .job = w->job, .d = w->job->cols};
    double *scatter = NULL;
    double *mean = NULL;
    t.batch_rows = scree__moments_rows(t.d, false, ops);
    t.row_bytes = t.d * scree__type_size(w->job->source->about.type);
    if (w->sample_rows > 0)
        SCREE_TRY(scree__row_sample_make(&t.sample, w->sample_rows, t.d, w->options->seed, error));
    SCREE_TRY((w->job->team ? scree__tall_read_together : read_folds)(&t, error));
    s->watch =
        scree__course_part(scree__course_of(w->options->run), "folds", SCREE__BEFORE_FOLDS, SCREE__BEFORE_CRITERIA);
    SCREE_ALLOC(scatter, t.d * t.d, error);
    SCREE_ALLOC(mean, 2 * t.d, error);
    const double n = join(&t, all_folds(&t), mean, scatter);
    s->n = (int64_t)fmin(round(n), 0x1p62);
    SCREE_TRY(columns(&t, s, n, mean, scatter, error));
    SCREE_TRY(spectrum(s, n, scatter, mean, error));
    SCREE_TRY(scree__select_whiten(s, &t.sample, error));
    if (t.rows < 2 * w->folds || t.d < 2)
        snprintf(s->unseen, sizeof s->unseen, "needs at least 2 columns and %d rows", 2 * w->folds);
    else if (w->folds > 1)
        SCREE_TRY(scree__unseen_run(s, true, w->folds, judge, &t, error));
done:
    for (int f = 0; f < w->folds; f++) {
        scree__moments_free(t.fold[f].moments);
        free(t.fold[f].rows);
        free(t.fold[f].weights);
    }
    scree__row_sample_clear(&t.sample);
    scree__team_tree_free(t.tree);
    free(t.tally_mean);
    free(t.tally_rest);
    free(scatter);
    free(mean);
    return status;
}
