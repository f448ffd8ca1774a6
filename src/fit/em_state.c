/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of PPCA with gaps, and for variational Bayes how much was learnt of them:
 *
 *     KL = ½ Σ_d [Σ_k ⟨w_dk²⟩/v_k + ⟨µ_d²⟩/v_µ - (M+1) + Σ_k ln v_k + ln v_µ - ln|Σ_d|]
 *
 * the divergence of the posterior of [w_d; µ_d], N(mean, Σ_d), from the prior N(0, diag(v, v_µ)); and the principal
 * components that they say. O(D M²). */

#include "fit/em.h"

#include "base/memory.h"
#include "base/sum.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

scree_status scree__em_state_new(scree__em_state *s, int64_t d, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    *s = (scree__em_state){.d = d, .m = m, .bayes = bayes};
    SCREE_ALLOC(s->w, d * m, error);
    SCREE_ALLOC(s->offset, d, error);
    SCREE_ALLOC(s->cover, bayes ? d * scree__pairs(m + 1) : 0, error);
    SCREE_ALLOC(s->logdet, d, error);
    SCREE_ALLOC(s->width, m, error);
done:
    return status;
}

void scree__em_state_copy(scree__em_state *into, const scree__em_state *from)
{
    const int64_t width = from->bayes ? scree__pairs(from->m + 1) : 0;
    into->m = from->m;
    into->noise = from->noise;
    into->broad = from->broad;
    memcpy(into->w, from->w, (size_t)(from->d * from->m) * sizeof *from->w);
    memcpy(into->offset, from->offset, (size_t)from->d * sizeof *from->offset);
    memcpy(into->cover, from->cover, (size_t)(from->d * width) * sizeof *from->cover);
    memcpy(into->logdet, from->logdet, (size_t)from->d * sizeof *from->logdet);
    memcpy(into->width, from->width, (size_t)from->m * sizeof *from->width);
}

void scree__em_state_clear(scree__em_state *s)
{
    free(s->w);
    free(s->offset);
    free(s->cover);
    free(s->logdet);
    free(s->width);
}

double scree__em_state_divergence(const scree__em_state *s)
{
    const int64_t width = scree__pairs(s->m + 1);
    double volume = log(s->broad);
    scree__sum total = {0};
    if (!s->bayes)
        return 0;
    for (int64_t k = 0; k < s->m; k++)
        volume += log(s->width[k]);
    for (int64_t d = 0; d < s->d; d++) {
        const double *w = s->w + d * s->m;
        const double *cover = s->cover + d * width;
        double sum = (s->offset[d] * s->offset[d] + cover[width - 1]) / s->broad - (double)(s->m + 1) + volume;
        for (int64_t k = 0; k < s->m; k++)
            sum += (w[k] * w[k] + cover[scree__pair(k, k)]) / s->width[k];
        scree__sum_add(&total, 0.5 * (sum - s->logdet[d]));
    }
    return scree__sum_total(&total);
}

/* r += times WW'u. */
static void add_product(const scree__em_state *s, const double *u, double times, double *r)
{
    for (int64_t k = 0; k < s->m; k++) {
        double along = 0;
        for (int64_t j = 0; j < s->d; j++)
            along += s->w[j * s->m + k] * u[j];
        for (int64_t j = 0; j < s->d; j++)
            r[j] += times * along * s->w[j * s->m + k];
    }
}

double scree__em_moved(const scree__em_state *a, const scree__em_state *b, const double *u, double *r)
{
    double norm = 0;
    for (int64_t j = 0; j < a->d; j++)
        r[j] = (a->noise - b->noise) * u[j];
    add_product(a, u, 1, r);
    add_product(b, u, -1, r);
    for (int64_t j = 0; j < a->d; j++)
        norm = hypot(norm, r[j]);
    return norm;
}

scree_status scree__em_principal(const scree__em_state *s, int threads, double *values, double *vectors,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = s->m;
    scree__tall q = {.rows = s->d, .cols = m, .ld = m};
    double *r = NULL;
    double *rotations = NULL;
    SCREE_ALLOC(q.x, q.rows * m, error);
    SCREE_ALLOC(r, m * m, error);
    SCREE_ALLOC(rotations, 2 * m * m, error);
    memcpy(q.x, s->w, (size_t)(q.rows * m) * sizeof *q.x);
    SCREE_TRY(scree__tall_orthonormalise(&q, r, threads, error));
    scree__blas_enter();
    const int info = scree__dgesdd('A', m, m, r, m, values, rotations, m, rotations + m * m, m);
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition of a matrix", m, error));
    /* R row by row is R' to LAPACK: its right vectors, read row by row, are the left ones of R. */
    SCREE_TRY(scree__tall_rotate(&q, rotations + m * m, m, threads, error));
    for (int64_t k = 0; k < m; k++) {
        values[k] *= values[k];
        for (int64_t j = 0; j < q.rows; j++)
            vectors[k * q.rows + j] = q.x[j * m + k];
    }
done:
    free(q.x);
    free(r);
    free(rotations);
    return status;
}
