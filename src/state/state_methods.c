/* SPDX-License-Identifier: BSD-3-Clause */
/* The three ways to keep what rows have come to, each the sums of a kernel that go on, and the end of the method of
 * fitting that solves them: the scatter (moments.c), its triangle (tsqr.c), and a sketch of wide rows (sketch.c). */

#include "kernel/moments.h"
#include "kernel/sketch.h"
#include "kernel/tsqr.h"
#include "state/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scatter ---- */

static int64_t scatter_step(const scree_state *s)
{
    return scree__moments_step(s->cols, &scree__ops_f64);
}

static int64_t scatter_batch(const scree_state *s)
{
    return scree__moments_rows(s->cols, false, &scree__ops_f64);
}

static int64_t scatter_memory(const scree_state *s)
{
    return scree__moments_memory(s->cols, false, &scree__ops_f64, s->threads);
}

static scree_status scatter_create(void **sums, const scree_state *s, scree_error *error)
{
    scree_status status =
        scree__moments_new((scree__moments **)sums, s->cols, false, &scree__ops_f64, s->threads, error);
    if (status == SCREE_OK && s->expected > 0)
        scree__moments_expect(*sums, s->expected);
    return status;
}

static scree_status scatter_add(void *sums, const scree__rows *x, scree_error *error)
{
    return scree__moments_add(sums, x, error);
}

static scree_status scatter_tally(void *sums, double *mean, double *rest, scree__tally *tally, scree_error *error)
{
    (void)error;
    scree__moments_tally(sums, mean, rest, tally);
    return SCREE_OK;
}

static scree_status scatter_gain(void *sums, const scree__tally *tally, scree_error *error)
{
    (void)error;
    scree__moments_gain(sums, tally);
    return SCREE_OK;
}

static void scatter_fade(void *sums, double factor)
{
    scree__moments_fade(sums, factor);
}

static void scatter_free(void *sums)
{
    scree__moments_free(sums);
}

/* A copy of count doubles that a solver may overwrite, with room for more. */
static scree_status copy(double **out, const double *from, int64_t count, int64_t more, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(*out, count + more, error);
    memcpy(*out, from, (size_t)count * sizeof **out);
done:
    return status;
}

static scree_status scatter_solve(const scree__job *job, const scree__tally *tally, scree__solution *s,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    double trace = 0;
    scree__scattered found = {.divisor = scree__job_divisor(job, tally->weight)};
    SCREE_TRY(copy(&found.mean, tally->mean, d, 0, error));
    SCREE_TRY(copy(&found.scatter, tally->matrix, d * d, 0, error));
    for (int64_t j = 0; j < d; j++)
        trace += tally->matrix[j * d + j];
    found.rounding = trace > 0 ? tally->lost / trace : 0;
    SCREE_TRY(scree__covariance_solve(job, &found, s, error));
done:
    free(found.mean);
    free(found.scatter);
    return status;
}

static const scree__state_method covariance = {.name = "covariance",
                                               .matrix = "scatter",
                                               .solver = "covariance",
                                               .is_square = true,
                                               .step = scatter_step,
                                               .batch = scatter_batch,
                                               .memory = scatter_memory,
                                               .create = scatter_create,
                                               .add = scatter_add,
                                               .tally = scatter_tally,
                                               .gain = scatter_gain,
                                               .fade = scatter_fade,
                                               .solve = scatter_solve,
                                               .free = scatter_free};

/* ---- its triangle ---- */

static int64_t triangle_step(const scree_state *s)
{
    return scree__tsqr_step(s->cols);
}

static int64_t triangle_batch(const scree_state *s)
{
    return scree__tsqr_rows(s->cols);
}

static int64_t triangle_memory(const scree_state *s)
{
    return scree__tsqr_memory(s->cols, s->threads);
}

static scree_status triangle_create(void **sums, const scree_state *s, scree_error *error)
{
    const int64_t lanes = s->expected > 0 ? scree__tsqr_lanes(s->expected, s->cols) : SCREE__MOST_LANES;
    return scree__tsqr_new_few((scree__tsqr **)sums, s->cols, lanes, s->threads, error);
}

static scree_status triangle_add(void *sums, const scree__rows *x, scree_error *error)
{
    return scree__tsqr_add(sums, x, error);
}

static scree_status triangle_tally(void *sums, double *mean, double *rest, scree__tally *tally, scree_error *error)
{
    return scree__tsqr_tally(sums, mean, rest, tally, error);
}

static scree_status triangle_gain(void *sums, const scree__tally *tally, scree_error *error)
{
    return scree__tsqr_gain(sums, tally, error);
}

static void triangle_fade(void *sums, double factor)
{
    scree__tsqr_fade(sums, factor);
}

static void triangle_free(void *sums)
{
    scree__tsqr_free(sums);
}

static scree_status triangle_solve(const scree__job *job, const scree__tally *tally, scree__solution *s,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    double *mean = NULL;
    double *r = NULL;
    SCREE_TRY(copy(&mean, tally->mean, job->cols, 0, error));
    SCREE_TRY(copy(&r, tally->matrix, job->cols * job->cols, 0, error));
    SCREE_TRY(scree__svd_solve(job, mean, r, s, error));
done:
    free(mean);
    free(r);
    return status;
}

static const scree__state_method svd = {.name = "svd",
                                        .matrix = "triangle",
                                        .solver = "svd",
                                        .is_square = true,
                                        .step = triangle_step,
                                        .batch = triangle_batch,
                                        .memory = triangle_memory,
                                        .create = triangle_create,
                                        .add = triangle_add,
                                        .tally = triangle_tally,
                                        .gain = triangle_gain,
                                        .fade = triangle_fade,
                                        .solve = triangle_solve,
                                        .free = triangle_free};

/* ---- a sketch ---- */

/* As many as fit before the next cut. */
static int64_t sketch_step(const scree_state *s)
{
    const int64_t room = scree__sketch_height(s->cols, s->rank) - s->rank - 1;
    return room > 1 ? room : 1;
}

static int64_t sketch_memory(const scree_state *s)
{
    return scree__sketch_memory(s->cols, s->rank);
}

static scree_status sketch_create(void **sums, const scree_state *s, scree_error *error)
{
    return scree__sketch_new((scree__sketch **)sums, s->cols, s->rank, error);
}

static scree_status sketch_add(void *sums, const scree__rows *x, scree_error *error)
{
    return scree__sketch_add(sums, x, error);
}

static scree_status sketch_tally(void *sums, double *mean, double *rest, scree__tally *tally, scree_error *error)
{
    (void)error;
    scree__sketch_tally(sums, mean, rest, tally);
    return SCREE_OK;
}

static scree_status sketch_gain(void *sums, const scree__tally *tally, scree_error *error)
{
    return scree__sketch_gain(sums, tally, error);
}

static void sketch_fade(void *sums, double factor)
{
    scree__sketch_fade(sums, factor);
}

static void sketch_free(void *sums)
{
    scree__sketch_free(sums);
}

static scree_status sketch_solve(const scree__job *job, const scree__tally *tally, scree__solution *s,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    scree__sketched found = {.height = tally->height, .cut = tally->lost};
    SCREE_TRY(copy(&found.mean, tally->mean, d, 0, error));
    SCREE_TRY(copy(&found.b, tally->matrix, tally->height * d, d, error)); /* for the mean, where it is not taken off */
    SCREE_TRY(copy(&found.squares, tally->squares, d, 0, error));
    SCREE_TRY(scree__sketch_solve(job, &found, s, error));
done:
    free(found.mean);
    free(found.b);
    free(found.squares);
    return status;
}

static const scree__state_method low_rank = {.name = "low-rank",
                                             .matrix = "sketch",
                                             .solver = "low-rank",
                                             .has_squares = true,
                                             .step = sketch_step,
                                             .batch = sketch_step,
                                             .memory = sketch_memory,
                                             .create = sketch_create,
                                             .add = sketch_add,
                                             .tally = sketch_tally,
                                             .gain = sketch_gain,
                                             .fade = sketch_fade,
                                             .solve = sketch_solve,
                                             .free = sketch_free};

const scree__state_method *const scree__state_methods[] = {&covariance, &svd, &low_rank, NULL};

const scree__state_method *scree__state_method_named(const char *name)
{
    for (int i = 0; scree__state_methods[i]; i++)
        if (strcmp(scree__state_methods[i]->name, name) == 0)
            return scree__state_methods[i];
    return NULL;
}
