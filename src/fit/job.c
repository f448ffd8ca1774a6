/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a fit, checked and resolved; what methods do alike: reading, naming a bad cell, scaling. */

#include "fit/job.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/method.h"
#include "fit/scales.h"
#include "kernel/blas.h"
#include "model/evidence.h"
#include "model/imputer.h"
#include "model/relations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_COMPONENTS = 50, GUESSED_ROWS = 100000, MAX_SQUARE = 1 << 27 };
static const double GUESSED_DENSITY = 0.1; /* of sparse rows */
static const double SMALL_JOB = 1e9;       /* flops */
static const double SMALL_FLOAT_JOB = 2e7; /* the same, where the tolerance asked for is one that floats can certify */
static const double QUICK_JOB = 8e7;       /* flops: 2 ms, of which threads that are woken take half */
static const double EIGEN_CUBES = 10;
static const double FLOAT_TOLERANCE = 1e-4; /* what float products can certify */
/* Variances whose products, and those of their roundings, are numbers of the type with all their digits; and means
 * whose last digit, if it varied, would have a variance above 0. */
static const struct {
    double least;
    double most;
    double mean;
} RANGES[] = {[SCREE_F32] = {1e-30, 1e30, 1e-9}, [SCREE_F64] = {0x1p-400, 0x1p400, 0x1p-430}};

static scree_status check_options(const scree_fit_options *o, scree_error *error)
{
    if (o->components < 0 && o->components != SCREE_AUTO)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%lld components cannot be found; ask for at least 1",
                           (long long)o->components);
    if (!(o->share >= 0 && o->share < 1))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "a share of the variance must lie between 0 and 1; %g does not",
                           o->share);
    if (o->ddof != 0 && o->ddof != 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "ddof is 0 (divisor N) or 1 (divisor N-1), not %d", o->ddof);
    if (o->uncentred && o->ddof != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "without centring no mean is estimated, and the divisor is N; leave ddof 1 out, or centre");
    if (o->uncentred && (o->online || o->bayes || o->em || o->bootstrap || o->components == SCREE_AUTO))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "a fit without centring is of complete rows, with a number of components that is given; "
                           "leave %s out, or centre",
                           o->online      ? "online"
                           : o->bootstrap ? "the bootstrap"
                           : o->bayes     ? "bayes"
                           : o->em        ? "em"
                                          : "the choice of their number");
    if (!(o->tolerance >= 0 && o->tolerance < 1))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "a tolerance must lie between 0 and 1; %g does not",
                           o->tolerance);
    if (o->em && strcmp(o->em, "ml") != 0 && strcmp(o->em, "vb") != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "missing values are fitted by ml or vb, not '%s'", o->em);
    if (o->bayes && o->em && strcmp(o->em, "ml") == 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "bayes and maximum likelihood exclude each other; choose one");
    const scree__method *method = o->solver ? scree__method_named(o->solver) : NULL;
    if (o->bayes && method && !(method->can & SCREE__FITS_BAYES))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "Bayes needs solver %s, and %s was asked for; leave the solver out, or bayes",
                           scree__method_that(SCREE__FITS_BAYES)->name, o->solver);
    return SCREE_OK;
}

/* Whether one thread is done before others would have helped: by the products of a direct method. */
static bool is_quick(const scree_source *source)
{
    const double cols = (double)source->about.cols;
    const double rows = (double)(source->about.rows >= 0 ? source->about.rows : source->about.rows_estimate);
    const double order = fmin(rows, cols);
    return rows >= 0 && rows * cols * order + EIGEN_CUBES * order * order * order < QUICK_JOB;
}

scree_status scree__job_make(scree__job *job, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = check_options(options, error);
    if (status == SCREE_OK)
        status = scree__scales_check(options, source, error);
    if (status != SCREE_OK)
        return status;
    status = scree__blas_reserve(options->run->threads, error);
    if (status != SCREE_OK)
        return status;
    *job = (scree__job){.source = source, .options = options, .team = source->team, .rates = &scree__rates_builtin};
    job->memory = options->run->memory > 0 ? options->run->memory : scree__memory_available() / 10 * 8;
    job->cols = source->about.cols;
    job->rows_known = source->about.rows >= 0;
    job->rows = job->rows_known ? source->about.rows : source->about.rows_estimate;
    const bool alone = options->run->threads == 0 && is_quick(source);
    job->allowed = scree__threads(options->run->threads);
    job->threads = alone ? 1 : job->allowed;
    job->share = options->components == 0 ? options->share : 0;
    job->k_is_flexible = options->components <= 0 || options->components == SCREE_ALL;
    job->k = options->components > 0 ? options->components : job->share > 0 ? SCREE_ALL : DEFAULT_COMPONENTS;
    if (!job->k_is_flexible && job->k > job->cols)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %lld components were asked for, but there %s only %lld column%s; ask for at most %lld",
                           source->about.path, (long long)job->k, job->cols == 1 ? "is" : "are", (long long)job->cols,
                           job->cols == 1 ? "" : "s", (long long)job->cols);
    if (job->k > job->cols)
        job->k = job->cols;
    if (job->rows_known) {
        int64_t k;
        return scree__job_settle(job, job->rows, &k, error);
    }
    return SCREE_OK;
}

bool scree__job_has_squares(const scree__job *job, char *reason)
{
    if (job->cols <= MAX_SQUARE)
        return true;
    snprintf(reason, 256, "a square matrix of %lld columns is too large for any memory", (long long)job->cols);
    return false;
}

int64_t scree__job_rows(const scree__job *job)
{
    return job->rows >= 0 ? job->rows : GUESSED_ROWS;
}

double scree__job_entries(const scree__job *job)
{
    const double guess = GUESSED_DENSITY * (double)scree__job_rows(job) * (double)job->cols;
    return job->source->entries > 0 ? (double)job->source->entries : guess;
}

/* Centred rows have rank N-1 at most: one component fewer is all there is, unless exactly N were asked for. */
int64_t scree__job_components(const scree__job *job, int64_t rows)
{
    const int64_t rank = job->options->uncentred ? rows : rows - 1;
    const int64_t limit = job->k_is_flexible && rank < job->cols ? rank : rows;
    return job->k < limit ? job->k : limit > 1 ? limit : 1;
}

scree_status scree__job_settle(const scree__job *job, int64_t rows, int64_t *k, scree_error *error)
{
    if (rows < 2)
        return scree__fail(error, SCREE_ERR_SHAPE, "%s has %s, but variance needs at least 2; give more rows",
                           job->source->about.path, rows == 1 ? "one row" : "no rows");
    if (!job->k_is_flexible && job->k > rows)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %lld components were asked for, but there are only %lld rows; ask for at most %lld",
                           job->source->about.path, (long long)job->k, (long long)rows, (long long)rows - 1);
    *k = scree__job_components(job, rows);
    return SCREE_OK;
}

double scree__job_divisor(const scree__job *job, double weight)
{
    return weight - job->options->ddof;
}

bool scree__job_float_does(double tolerance)
{
    return tolerance >= FLOAT_TOLERANCE;
}

const scree__ops *scree__job_ops(const scree__job *job, double flops)
{
    const double asked = job->options->tolerance;
    const bool precise = asked > 0 && !scree__job_float_does(asked);
    return flops < (asked > 0 ? SMALL_FLOAT_JOB : SMALL_JOB) || precise ? &scree__ops_f64
                                                                        : scree__ops_for(job->source->about.type);
}

scree_status scree__job_lend(const scree__job *job, int64_t rows, scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = job->source;
    const int64_t usual = source->block_rows;
    scree__block block = {0};
    SCREE_TRY(scree__source_restart(source, error));
    source->block_rows = rows;
    status = scree__source_next(source, &block, error);
    source->block_rows = usual;
    if (status == SCREE_OK && block.rows != rows)
        SCREE_FAIL(error, SCREE_ERR_LIMIT, "%s: %lld rows were expected, and there are %lld", source->about.path,
                   (long long)rows, (long long)block.rows);
    *x = (scree__rows){block.data, block.type, block.rows, source->about.cols, block.stride, NULL};
done:
    return status;
}

scree__rows scree__batch_rows(const scree__batch *batch)
{
    return (scree__rows){batch->data, batch->type, batch->rows, batch->cols, batch->stride, batch->weights};
}

/* The sentence for sums that overflow, with no cell to blame. */
static scree_status too_large(const scree__job *job, const scree__batch *batch, scree_error *error)
{
    int64_t row = batch->first;
    const char *file = scree__source_locate(job->source, &row);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: %s near row %lld are too large for their sums; rescale %s", file,
                       batch->weights ? "values or weights" : "values", (long long)(row + 1),
                       batch->weights ? "the columns or the weights" : "the columns");
}

/* What to do about a missing cell. again: it could be fitted by another method, had the rows not gone by. */
static void advise(const scree__job *job, bool again, char *advice, size_t size)
{
    const scree__method *method = scree__method_that(SCREE__TAKES_GAPS);
    if (again)
        snprintf(
            advice, size,
            "this input can be read only once, and a fit of missing values must start over: save the rows to a file, "
            "or fit online%s%s%s",
            method ? ", or ask for solver " : "", method ? method->name : "",
            method ? ", which keeps them in memory" : "");
    else if (job->missing_advice)
        snprintf(advice, size, "%s", job->missing_advice);
    else if (job->options->solver && method)
        snprintf(advice, size, "leave the solver out, or use %s, which fits missing values", method->name);
    else if (job->options->uncentred)
        snprintf(advice, size,
                 "only centred fits take missing cells: leave out --center none, fill the cell in, or leave the row or "
                 "column out");
    else
        snprintf(advice, size, "fill the cell in, or leave the row or column out");
}

/* The sentence for one cell; notes that there is a gap. */
static scree_status fail_cell(const scree__job *job, int64_t row, int64_t col, double value, scree_error *error)
{
    char label[256];
    char advice[256] = "fill the cell in, or leave the row or column out";
    const char *file = scree__source_locate(job->source, &row);
    if (isnan(value))
        advise(job, job->gap && !(job->source->can & SCREE__CAN_REWIND), advice, sizeof advice);
    if (isnan(value) && job->gap)
        *job->gap = true;
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %lld, %s is %s; %s", file, (long long)(row + 1),
                       scree__column_label(job->source, col, label, sizeof label),
                       isnan(value) ? "missing" : "infinite", advice);
}

scree_status scree__job_known_gap(const scree__job *job, scree_error *error)
{
    int64_t row;
    int64_t col;
    return scree__source_first_gap(job->source, &row, &col) ? fail_cell(job, row, col, NAN, error) : SCREE_OK;
}

/* The first entry that is not finite. */
static scree_status bad_entry(const scree__job *job, const scree__batch *batch, scree_error *error)
{
    const scree__entries *e = batch->entries;
    for (int64_t i = 0; i < e->rows; i++)
        for (int64_t p = e->starts[i]; p < e->starts[i + 1]; p++)
            if (!isfinite(scree__entries_at(e, p)))
                return fail_cell(job, scree__batch_number(batch, i), e->indices[p], scree__entries_at(e, p), error);
    return too_large(job, batch, error);
}

scree_status scree__job_bad_cell(const scree__job *job, const scree__batch *batch, scree_error *error)
{
    int64_t row;
    int64_t col;
    double value;
    if (batch->entries)
        return bad_entry(job, batch, error);
    const scree__rows x = scree__batch_rows(batch);
    if (!scree__rows_find_bad(&x, &row, &col, &value))
        return too_large(job, batch, error);
    return fail_cell(job, scree__batch_number(batch, row), col, value, error);
}

scree_status scree__solution_resize(scree__solution *s, const scree__job *job, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    free(s->values);
    free(s->vectors);
    free(s->residuals);
    s->values = NULL;
    s->vectors = NULL;
    s->residuals = NULL;
    s->k = k;
    SCREE_ALLOC(s->values, k, error);
    SCREE_ALLOC(s->vectors, k * job->cols, error);
    SCREE_ALLOC(s->residuals, k, error);
done:
    return status;
}

scree_status scree__solution_alloc(scree__solution *s, const scree__job *job, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(s->mean, job->cols, error);
    SCREE_ALLOC(s->variances, job->cols, error);
    SCREE_TRY(scree__solution_resize(s, job, k, error));
    s->uncentred = job->options->uncentred;
    if (job->options->scale != SCREE_SCALE_NONE)
        SCREE_ALLOC(s->scale, job->cols, error);
done:
    return status;
}

void scree__solution_clear(scree__solution *s)
{
    free(s->mean);
    free(s->scale);
    free(s->variances);
    free(s->values);
    free(s->vectors);
    free(s->residuals);
    free(s->errors);
    free(s->likelihood);
    free(s->spectrum);
    free(s->seen);
    scree__imputer_free(s->imputer);
    scree__relations_free(s->relations);
    scree__evidence_free(s->evidence);
}

void scree__job_uncentre(const scree__job *job, double *mean, double *variances, double share)
{
    for (int64_t j = 0; job->options->uncentred && j < job->cols; j++) {
        variances[j] += share * mean[j] * mean[j];
        mean[j] = 0;
    }
}

scree_status scree__job_constant(const scree__job *job, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: every column is constant, so there is no variance to explain; check the data",
                       job->source->about.path);
}

/* Whether variances lie where products lose digits, or were lost to 0. A column that is not scaled may be as small as
 * it likes beside a larger one. */
static bool is_out_of_range(const scree__solution *s, const scree__job *job, const double *variances)
{
    const scree_type type = s->in_float ? SCREE_F32 : SCREE_F64;
    double largest = 0;
    bool out = false;
    for (int64_t j = 0; j < job->cols; j++) {
        const bool is_constant = variances[j] == 0 && (s->mean[j] == 0 || fabs(s->mean[j]) > RANGES[type].mean);
        largest = fmax(largest, variances[j]);
        out = out || !(variances[j] <= RANGES[type].most) ||
              (s->scale && variances[j] < RANGES[type].least && !is_constant);
    }
    return !job->source->rescaled && (out || largest < RANGES[type].least);
}

/* The sentence for variances that are out of range, where rows cannot be read again. */
static scree_status fail_range(const scree__solution *s, const scree__job *job, const double *variances,
                               scree_error *error)
{
    double largest = 0;
    double mean = 0;
    char label[256];
    for (int64_t j = 0; j < job->cols; j++) {
        if (!isfinite(variances[j]))
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: the values of %s are too large for their squares; rescale it",
                               job->source->about.path, scree__column_label(job->source, j, label, sizeof label));
        largest = fmax(largest, variances[j]);
        mean = fmax(mean, fabs(s->mean[j]));
    }
    if (largest == 0 && (mean == 0 || mean > RANGES[s->in_float ? SCREE_F32 : SCREE_F64].mean))
        return scree__job_constant(job, error);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: the values are too %s for their squares; rescale them",
                       job->source->about.path, largest < 1 ? "small" : "large");
}

/* Scales that the caller gives may make numbers of columns that have no squares. */
static scree_status check_scaled(const scree__solution *s, const scree__job *job, scree_error *error)
{
    char label[256];
    double largest = 0;
    for (int64_t j = 0; j < job->cols; j++) {
        const double variance = s->variances[j] / s->scale[j] / s->scale[j];
        largest = fmax(largest, variance);
        if (!(variance <= RANGES[SCREE_F64].most))
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: the values of %s are too large for their squares once divided by the scale %g; "
                               "give a larger one",
                               job->source->about.path, scree__column_label(job->source, j, label, sizeof label),
                               s->scale[j]);
    }
    if (largest > 0 && largest < RANGES[SCREE_F64].least)
        return scree__fail(
            error, SCREE_ERR_VALUE,
            "%s: divided by their scales, the values are too small for their squares; rescale the columns",
            job->source->about.path);
    return SCREE_OK;
}

scree_status scree__solution_scale(scree__solution *s, const scree__job *job, const double *variances,
                                   scree_error *error)
{
    if (!(scree__job_divisor(job, s->weight) > 0))
        return scree__fail(
            error, SCREE_ERR_VALUE,
            "%s: the weights add up to %g, which leaves nothing of the divisor N - %d; give larger weights, "
            "or use ddof 0",
            job->source->about.path, s->weight, job->options->ddof);
    s->out_of_range = is_out_of_range(s, job, variances);
    if (s->out_of_range)
        return fail_range(s, job, variances, error);
    for (int64_t j = 0; j < job->cols; j++) {
        s->variances[j] = variances[j];
        if (s->scale)
            s->scale[j] = scree__scale_of(job, j, variances[j]);
    }
    return s->scale ? check_scaled(s, job, error) : SCREE_OK;
}
