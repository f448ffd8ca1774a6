/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel analysis (Horn 1965): λ_M against the M-th eigenvalues of independent normal columns with the same variances
 * and the same number of rows. The choice is the number of leading components that exceed the largest of REPLICATES
 * such eigenvalues: with 19 of them a test of level 1/20 exactly.
 *
 * No N×D data is made. The scatter of N-1 rows of standard normals is RᵀR with R upper trapezoidal, q×D, q = min(N-1,
 * D): R_ii² ~ χ²_{N-1-i} (i from 0), normals above (Bartlett 1933). Its eigenvalues after scaling the columns are those
 * of AAᵀ, A = R diag(sd), of order q: q²D flops and 4q³/3 a replicate, one replicate a task. */

#include "fit/criterion.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "data/team.h"
#include "kernel/blas.h"

#include <math.h>
#include <stdio.h>

enum { REPLICATES = 19, MAX_TRIES = 64 };
enum { NORMALS, CHI_NORMALS, CHI_UNIFORMS, STREAMS }; /* of a replicate; counted from the top, away from others */

typedef struct drawing {
    const scree__spectrum *s;
    int64_t q;
    double *sd;       /* D */
    double *found;    /* REPLICATES×max_components */
    double *matrices; /* for each thread q×D, q×q and q */
    int64_t doubles;  /* doubles of a thread */
    int64_t first;    /* replicate of this process */
    int info;         /* of what failed; 0: nothing did */
} drawing;

static uint64_t stream_of(int64_t replicate, int which)
{
    return UINT64_MAX - (uint64_t)(replicate * STREAMS + which);
}

/* √χ² with so many degrees of freedom, by rejection (Marsaglia and Tsang 2000): 1.05 tries on average at worst. */
static double chi(const drawing *w, int64_t replicate, int64_t row, double freedom)
{
    const double d = freedom / 2 - 1.0 / 3;
    double x;
    for (int64_t t = row * MAX_TRIES; t < (row + 1) * MAX_TRIES; t++) {
        uint32_t words[4];
        scree__normals(w->s->seed, stream_of(replicate, CHI_NORMALS), t, 1, &x);
        if (freedom < 2)
            return fabs(x);
        const double v = pow(1 + x / sqrt(9 * d), 3);
        scree__philox(w->s->seed, stream_of(replicate, CHI_UNIFORMS), (uint64_t)t, words);
        const double u = ((double)words[0] + 0.5) * 0x1p-32;
        if (v > 0 && log(u) < x * x / 2 + d - d * v + d * log(v))
            return sqrt(2 * d * v);
    }
    return sqrt(freedom);
}

/* a (q×D) = R diag(sd). */
static void draw_root(const drawing *w, int64_t replicate, double *a)
{
    const int64_t cols = w->s->cols;
    for (int64_t i = 0; i < w->q; i++) {
        double *row = a + i * cols;
        for (int64_t j = 0; j < i; j++)
            row[j] = 0;
        row[i] = w->sd[i] * chi(w, replicate, i, (double)(w->s->n - 1 - i));
        scree__normals(w->s->seed, stream_of(replicate, NORMALS), i * cols + i + 1, cols - i - 1, row + i + 1);
        for (int64_t j = i + 1; j < cols; j++)
            row[j] *= w->sd[j];
    }
}

/* Task: the eigenvalues of one replicate. */
static void replicate_one(void *context, int64_t index, int worker)
{
    drawing *w = context;
    const int64_t replicate = w->first + index;
    const int64_t q = w->q;
    double *a = w->matrices + worker * w->doubles;
    double *gram = a + q * w->s->cols;
    double *values = gram + q * q;
    draw_root(w, replicate, a);
    int info = scree__dsyrk(false, q, w->s->cols, 1, a, w->s->cols, 0, gram, q);
    if (info == 0)
        info = scree__dsyevd_values(q, gram, q, values);
    if (info != 0)
        __atomic_store_n(&w->info, info, __ATOMIC_RELAXED);
    for (int64_t j = 0; j < w->s->max_components; j++)
        w->found[replicate * w->s->max_components + j] = j < q ? values[q - 1 - j] / (double)w->s->n : 0;
}

static int64_t order_of(const scree__spectrum *s)
{
    return s->n - 1 < s->cols ? s->n - 1 : s->cols;
}

/* Doubles of a thread. */
static int64_t doubles_for(const scree__spectrum *s)
{
    return order_of(s) * (s->cols + order_of(s) + 1);
}

/* Threads that the memory allows for; 0: not even one. */
static int workers_for(const scree__spectrum *s)
{
    const int64_t fitting = s->memory / 8 / doubles_for(s);
    const int wanted = s->threads < REPLICATES ? s->threads : REPLICATES;
    return fitting < wanted ? (int)fitting : wanted;
}

static bool defined(const scree__spectrum *s, char *reason)
{
    if (workers_for(s) < 1) {
        scree__criterion_too_large(reason, 8 * doubles_for(s), s->memory);
        return false;
    }
    return true;
}

/* The replicates of this process; then all have what all have found. */
static scree_status simulate(drawing *w, int workers, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__spectrum *s = w->s;
    int64_t end;
    scree__team_tasks(s->team, REPLICATES, &w->first, &end);
    scree__blas_enter();
    status = scree__watch_parallel(&s->watch, workers, end - w->first, replicate_one, w, error);
    scree__blas_leave();
    if (status == SCREE_OK && w->info != 0)
        status = scree__blas_fail(w->info, "the eigendecomposition of a matrix", w->q, error);
    SCREE_TRY(scree__team_collect_tasks(s->team, status, w->found, REPLICATES, s->max_components, error));
done:
    return status;
}

static scree_status evaluate(const scree__spectrum *s, double *value, scree_error *error)
{
    scree_status status = SCREE_OK;
    drawing w = {.s = s, .q = order_of(s), .doubles = doubles_for(s)};
    const int workers = workers_for(s);
    SCREE_ALLOC(w.sd, s->cols, error);
    SCREE_ALLOC(w.found, REPLICATES * s->max_components, error);
    SCREE_ALLOC(w.matrices, workers * w.doubles, error);
    for (int64_t j = 0; j < s->cols; j++)
        w.sd[j] = sqrt(fmax(s->variances[j], 0));
    SCREE_TRY(simulate(&w, workers, error));
    value[0] = NAN;
    for (int64_t m = 1; m <= s->max_components; m++) {
        double largest = 0;
        for (int64_t r = 0; r < REPLICATES; r++)
            largest = fmax(largest, w.found[r * s->max_components + m - 1]);
        value[m] = s->values[m - 1] / largest;
    }
done:
    free(w.sd);
    free(w.found);
    free(w.matrices);
    return status;
}

const scree__criterion scree__criterion_parallel = {.name = "parallel",
                                                    .title = "parallel analysis",
                                                    .rule = "eigenvalues above those of noise",
                                                    .votes = true,
                                                    .defined = defined,
                                                    .evaluate = evaluate,
                                                    .choose = scree__choose_above_one};
