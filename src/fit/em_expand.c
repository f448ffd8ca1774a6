/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter expansion (Liu, Rubin and Wu 1998; for Bayes, Ilin and Raiko 2010): the same model with z' = R⁻¹(z - m),
 * w' = R'w, µ' = µ + w'm. With m the mean of z and RR' its average second moment about it, the codes agree with their
 * prior as well as they can; R is then turned so that Σ⟨ww'⟩ is diagonal, the principal basis. For Bayes the prior of
 * µ has a say in m,
 *
 *     (N I + Σ⟨ww'⟩/v_µ) m = Σz - Σ⟨wµ⟩/v_µ,
 *
 * and both choices are the best there are: neither likelihood nor bound can fall. Where the prior of w is given, with
 * precision α for all components, the best R has Z' - αW' = (N - D)I for the sums Z' of ⟨zz'⟩ and W' of ⟨ww'⟩: in the
 * principal basis each component is stretched by r, αb r⁴ + (N - D) r² - N = 0, b its entry of W' before. O(D M²), for
 * Bayes O(D M³). */

#include "fit/em.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/packed.h"

#include <math.h>
#include <string.h>

static const double LEAST_SCATTER = 1e-12; /* b is not let below */

typedef struct expanding {
    scree__em *em;
    scree__em_state *state;
    int64_t m;
    double *scatter;  /* M×M: Σ⟨ww'⟩ */
    double *moment;   /* M×M: average ⟨(z-m)(z-m)'⟩, then its factor, upper */
    double *rotation; /* M×M: R */
    double *mean;     /* M */
    double *values;   /* M */
    double *work;     /* M×M */
    double *large;    /* D×M */
    double stretched; /* Σ ln r² */
    int info;         /* of what threads did */
} expanding;

static scree_status open(expanding *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = x->m;
    SCREE_ALLOC(x->scatter, m * m, error);
    SCREE_ALLOC(x->moment, m * m, error);
    SCREE_ALLOC(x->rotation, m * m, error);
    SCREE_ALLOC(x->mean, m, error);
    SCREE_ALLOC(x->values, m, error);
    SCREE_ALLOC(x->work, m * m, error);
    SCREE_ALLOC(x->large, x->em->d * m, error);
done:
    return status;
}

static void clear(expanding *x)
{
    free(x->scatter);
    free(x->moment);
    free(x->rotation);
    free(x->mean);
    free(x->values);
    free(x->work);
    free(x->large);
}

/* Σ⟨ww'⟩, both triangles. */
static void sum_scatter(const expanding *x)
{
    const scree__em_state *s = x->state;
    const int64_t m = x->m;
    const int64_t pairs = scree__pairs(m + 1);
    for (int64_t d = 0; d < s->d; d++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j <= i; j++)
                x->scatter[i * m + j] +=
                    s->w[d * m + i] * s->w[d * m + j] + (s->bayes ? s->cover[d * pairs + scree__pair(i, j)] : 0);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < i; j++)
            x->scatter[j * m + i] = x->scatter[i * m + j];
}

/* m, from the sums of the codes. */
static int choose_mean(const expanding *x, double rows)
{
    const scree__em_state *s = x->state;
    const int64_t m = x->m;
    const int64_t pairs = scree__pairs(m + 1);
    const double *sums = x->em->sums.z + scree__pairs(m);
    if (!s->bayes) {
        for (int64_t i = 0; i < m; i++)
            x->mean[i] = sums[i] / rows;
        return 0;
    }
    for (int64_t i = 0; i < m; i++) {
        double both = 0;
        for (int64_t d = 0; d < s->d; d++)
            both += s->w[d * m + i] * s->offset[d] + s->cover[d * pairs + scree__pairs(m) + i];
        x->mean[i] = sums[i] - both / s->broad;
        for (int64_t j = 0; j < m; j++)
            x->work[i * m + j] = x->scatter[i * m + j] / s->broad + (i == j ? rows : 0);
    }
    int info = scree__dpotrf(m, x->work, m);
    if (info == 0)
        info = scree__dtrsm(false, true, m, 1, 1, x->work, m, x->mean, 1);
    return info == 0 ? scree__dtrsm(false, false, m, 1, 1, x->work, m, x->mean, 1) : info;
}

/* The average of ⟨(z-m)(z-m)'⟩ becomes its factor F, moment = F'F: R = F'V. */
static int factor_moment(const expanding *x, double rows)
{
    const int64_t m = x->m;
    const double *z = x->em->sums.z;
    const double *sums = z + scree__pairs(m);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j <= i; j++)
            x->moment[j * m + i] = z[scree__pair(i, j)] / rows - x->mean[i] * sums[j] / rows -
                                   x->mean[j] * sums[i] / rows + x->mean[i] * x->mean[j];
    return scree__dpotrf(m, x->moment, m);
}

/* R = F'V with V the eigenvectors of F Σ⟨ww'⟩ F', largest first. */
static int choose_turn(const expanding *x)
{
    const int64_t m = x->m;
    double *f = x->moment;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < i; j++)
            f[i * m + j] = 0;
    int info = scree__dgemm(false, false, m, m, m, 1, f, m, x->scatter, m, 0, x->rotation, m);
    if (info == 0)
        info = scree__dgemm(false, true, m, m, m, 1, x->rotation, m, f, m, 0, x->work, m);
    if (info == 0)
        info = scree__dsyevd(m, x->work, m, x->values);
    if (info == 0) /* rows of work are the eigenvectors, smallest first */
        info = scree__dgemm(true, true, m, m, m, 1, f, m, x->work, m, 0, x->rotation, m);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m / 2; j++) {
            const double kept = x->rotation[i * m + j];
            x->rotation[i * m + j] = x->rotation[i * m + m - 1 - j];
            x->rotation[i * m + m - 1 - j] = kept;
        }
    return info;
}

/* r of every component, where the prior is given: R's columns times it. */
static void stretch(expanding *x, double rows)
{
    const int64_t m = x->m;
    const double alpha = x->state->precision;
    const double over = rows - (double)x->state->d;
    for (int64_t j = 0; alpha > 0 && j < m; j++) {
        const double b = alpha * fmax(x->values[m - 1 - j], LEAST_SCATTER);
        const double root = sqrt(over * over + 4 * b * rows);
        const double square = over > 0 ? 2 * rows / (over + root) : (root - over) / (2 * b);
        for (int64_t i = 0; i < m; i++)
            x->rotation[i * m + j] *= sqrt(square);
        x->stretched += log(square);
    }
}

/* Task: the covariance of column d, Σ' = TΣT', T = [R' 0; m' 1]; large has T', then two matrices for each thread. */
static void turn_cover(void *context, int64_t d, int worker)
{
    expanding *x = context;
    scree__em_state *s = x->state;
    const int64_t n = x->m + 1;
    const double *t = x->large;
    double *cover = s->cover + d * scree__pairs(n);
    double *whole = x->large + (1 + 2 * worker) * n * n;
    double *half = whole + n * n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            whole[i * n + j] = whole[j * n + i] = cover[scree__pair(i, j)];
    int info = scree__dgemm(true, false, n, n, n, 1, t, n, whole, n, 0, half, n);
    if (info == 0)
        info = scree__dgemm(false, false, n, n, n, 1, half, n, t, n, 0, whole, n);
    if (info != 0)
        __atomic_store_n(&x->info, info, __ATOMIC_RELAXED);
    for (int64_t i = 0; i < n; i++)
        memcpy(cover + scree__pairs(i), whole + i * n, (size_t)(i + 1) * sizeof *cover);
}

static scree_status turn_covers(expanding *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_state *s = x->state;
    const int64_t m = x->m;
    double volume = 0;
    free(x->large);
    SCREE_ALLOC(x->large, (1 + 2 * x->em->job->threads) * (m + 1) * (m + 1), error);
    for (int64_t k = 0; k < m; k++) {
        memcpy(x->large + k * (m + 1), x->rotation + k * m, (size_t)m * sizeof *x->large);
        x->large[k * (m + 1) + m] = x->mean[k];
    }
    x->large[m * (m + 1) + m] = 1;
    scree__blas_enter();
    scree__parallel(x->em->job->threads, s->d, turn_cover, x);
    scree__blas_leave();
    if (x->info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)m + 1);
    for (int64_t i = 0; i < m; i++) {
        volume += 2 * log(x->moment[i * m + i]);
        s->width[i] = s->precision > 0 ? 1 / s->precision : fmax(x->values[m - 1 - i], 0) / (double)s->d;
    }
    volume += x->stretched;
    for (int64_t d = 0; d < s->d; d++)
        s->logdet[d] += volume;
done:
    return status;
}

scree_status scree__em_expand(scree__em *em, scree__em_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    expanding x = {.em = em, .state = s, .m = s->m};
    const int64_t m = s->m;
    const double rows = em->sums.z[scree__pair(m, m)];
    SCREE_TRY(open(&x, error));
    sum_scatter(&x);
    scree__blas_enter();
    int info = choose_mean(&x, rows);
    if (info == 0)
        info = factor_moment(&x, rows);
    if (info == 0)
        info = choose_turn(&x);
    if (info == 0)
        stretch(&x, rows);
    for (int64_t d = 0; info == 0 && d < s->d; d++)
        for (int64_t i = 0; i < m; i++)
            s->offset[d] += s->w[d * m + i] * x.mean[i];
    if (info == 0)
        info = scree__dgemm(false, false, s->d, m, m, 1, s->w, m, x.rotation, m, 0, x.large, m);
    scree__blas_leave();
    if (info == SCREE__BLAS_NO_MEMORY)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", m, error));
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the codes of %s have no second moment; ask for fewer components",
                   em->job->source->about.path);
    memcpy(s->w, x.large, (size_t)(s->d * m) * sizeof *s->w);
    if (s->bayes)
        SCREE_TRY(turn_covers(&x, error));
done:
    clear(&x);
    return status;
}
