/* SPDX-License-Identifier: BSD-3-Clause */
/* Method jacobi, which only the tests have: the covariance of all rows added up cell by cell around the first row, and
 * cyclic rotations until nothing is left beside its diagonal (Golub and Van Loan, 8.5). N D² + D³ flops a sweep; slow,
 * short and independent of every kernel of the library. */

#include "fit/method.h"

#include "base/memory.h"
#include "seams.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 60, BATCH = 256 };

typedef struct sums {
    int64_t d;
    double *origin; /* D: the first row */
    double *first;  /* D: Σ (x - origin) */
    double *second; /* D×D: Σ (x - origin)(x - origin)ᵀ */
    double *row;    /* D */
    bool begun;
} sums;

static scree_status add(void *context, const scree__batch *batch, scree_error *error)
{
    sums *t = context;
    const scree__rows x = scree__batch_rows(batch);
    (void)error;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, t->row);
        if (!t->begun)
            memcpy(t->origin, row, (size_t)t->d * sizeof *row);
        t->begun = true;
        for (int64_t j = 0; j < t->d; j++) {
            t->first[j] += row[j] - t->origin[j];
            for (int64_t k = 0; k < t->d; k++)
                t->second[j * t->d + k] += (row[j] - t->origin[j]) * (row[k] - t->origin[k]);
        }
    }
    return SCREE_OK;
}

/* Turns columns and rows p and q of a so that a_pq = 0, and the rows of u with them. */
static void rotate(double *a, double *u, int64_t d, int64_t p, int64_t q)
{
    const double apq = a[p * d + q];
    if (apq == 0)
        return;
    const double theta = (a[q * d + q] - a[p * d + p]) / (2 * apq);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
    const double c = 1 / hypot(t, 1);
    const double s = t * c;
    for (int64_t k = 0; k < d; k++) {
        const double x = a[k * d + p], y = a[k * d + q];
        a[k * d + p] = c * x - s * y;
        a[k * d + q] = s * x + c * y;
    }
    for (int64_t k = 0; k < d; k++) {
        const double x = a[p * d + k], y = a[q * d + k];
        a[p * d + k] = c * x - s * y;
        a[q * d + k] = s * x + c * y;
        const double v = u[p * d + k], w = u[q * d + k];
        u[p * d + k] = c * v - s * w;
        u[q * d + k] = s * v + c * w;
    }
}

static void diagonalise(double *a, double *u, int64_t d)
{
    memset(u, 0, (size_t)(d * d) * sizeof *u);
    for (int64_t i = 0; i < d; i++)
        u[i * d + i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int64_t p = 0; p < d; p++)
            for (int64_t q = p + 1; q < d; q++)
                rotate(a, u, d, p, q);
}

/* The largest value not taken yet, and its place; taken values are made negative infinity. */
static double take_largest(double *a, int64_t d, int64_t *place)
{
    *place = 0;
    for (int64_t i = 1; i < d; i++)
        if (a[i * d + i] > a[*place * d + *place])
            *place = i;
    const double value = a[*place * d + *place];
    a[*place * d + *place] = -HUGE_VAL;
    return value;
}

static void fill(scree__solution *s, double *a, const double *u, int64_t d)
{
    int64_t place;
    for (int64_t i = 0; i < s->k; i++) {
        s->values[i] = fmax(take_largest(a, d, &place), 0);
        memcpy(s->vectors + i * d, u + place * d, (size_t)d * sizeof *u);
        s->residuals[i] = (double)d * 0x1p-48 * s->total;
    }
    s->next = s->k < d ? fmax(take_largest(a, d, &place), 0) : 0;
    s->rounding = (double)d * 0x1p-40 * s->total;
    s->passes = 1;
    s->converged = true;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    sums t = {.d = d};
    double *u = NULL;
    int64_t k = 0;
    SCREE_ALLOC(t.origin, d, error);
    SCREE_ALLOC(t.first, d, error);
    SCREE_ALLOC(t.second, d * d, error);
    SCREE_ALLOC(t.row, d, error);
    SCREE_ALLOC(u, d * d, error);
    SCREE_TRY(scree__job_pass(job, 1, 1, BATCH, add, &t, &s->rows, error));
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc(s, job, k, error));
    s->weight = (double)s->rows;
    for (int64_t i = 0; i < d; i++)
        s->mean[i] = t.origin[i] + t.first[i] / s->weight;
    for (int64_t i = 0; i < d * d; i++)
        t.second[i] = (t.second[i] - t.first[i / d] * t.first[i % d] / s->weight) / scree__job_divisor(job, s->weight);
    for (int64_t i = 0; i < d; i++)
        t.row[i] = t.second[i * d + i];
    SCREE_TRY(scree__solution_scale(s, job, t.row, error));
    for (int64_t i = 0; i < d * d && s->scale; i++)
        t.second[i] /= s->scale[i / d] * s->scale[i % d];
    for (int64_t i = 0; i < d; i++)
        s->total += t.second[i * d + i];
    diagonalise(t.second, u, d);
    fill(s, t.second, u, d);
done:
    free(t.origin);
    free(t.first);
    free(t.second);
    free(t.row);
    free(u);
    return status;
}

static bool applicable(const scree__job *job, char *reason)
{
    return scree__job_has_squares(job, reason);
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const double d = (double)job->cols;
    entry->passes = 1;
    entry->flops = 3 * (double)scree__job_rows(job) * d * d + 6.0 * SWEEPS * d * d * d;
    entry->memory = 8 * job->cols * (2 * job->cols + 4) + scree__pass_memory(job->source, BATCH);
    effort->alone += entry->flops / 1e8;
}

const scree__method seams_jacobi = {
    .name = "jacobi",
    .text = "rotations of the covariance, for tests",
    .can = SCREE__TAKES_BYTES | SCREE__TAKES_PIPES,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
