/* SPDX-License-Identifier: BSD-3-Clause */
/* The M step of PPCA with gaps. With z̃ = [z; 1], A = Σ⟨z̃z̃'⟩ and b = Σ(x-µ)z̃ over the rows that observed a column,
 * its loadings and mean move by δ = A⁻¹g, g = b - A[w; 0], and
 *
 *     σ² = (1/cells) (Σ⟨(x - µ - w'z)²⟩ before - Σ_d g'δ)       nothing large is subtracted near the optimum.
 *
 * Variational Bayes (Bishop 1999; Ilin and Raiko 2010), here with one posterior for w and µ together: the prior adds
 * σ² diag(1/v, 1/v_µ) to A; the posterior's covariance is Σ = σ²A⁻¹; the expected squares change by
 * -2g'δ + δ'Aδ + tr(A(Σ - Σ before)); v_k = (1/D) Σ_d ⟨w_dk²⟩. A column that was seen once gets w = 0 by maximum
 * likelihood, and the value seen as its mean. D columns of (M+1)³/3 flops, three times that for Bayes. */

#include "fit/em.h"

#include "base/memory.h"
#include "base/sum.h"
#include "base/threads.h"
#include "kernel/packed.h"

#include <math.h>

typedef struct maximising {
    scree__em *em;
    scree__em_state *state;
    int64_t n;     /* M+1 */
    double *work;  /* for each thread */
    int64_t share; /* doubles of it */
} maximising;

/* What a thread has at hand for a column. */
typedef struct at_hand {
    double *factor;  /* n×n: L, lower */
    double *inverse; /* n×n: L⁻¹, lower */
    double *g;       /* n */
    double *step;    /* n: δ */
    double *prior;   /* n: σ²/v */
} at_hand;

static at_hand at_hand_of(const maximising *w, int worker)
{
    double *from = w->work + worker * w->share;
    const int64_t n = w->n;
    return (at_hand){from, from + n * n, from + 2 * n * n, from + 2 * n * n + n, from + 2 * n * n + 2 * n};
}

/* g = b - A[w; 0]. */
static void gradient(const double *a, const double *b, const double *w, int64_t n, double *g)
{
    for (int64_t i = 0; i < n; i++) {
        g[i] = b[i];
        for (int64_t j = 0; j < n - 1; j++)
            g[i] -= (j <= i ? a[scree__pair(i, j)] : a[scree__pair(j, i)]) * w[j];
    }
}

/* The posterior's covariance; what it adds to the expected squares beyond the one before. */
static double cover_column(const maximising *w, int64_t d, const at_hand *h, double logdet)
{
    scree__em_state *s = w->state;
    const int64_t pairs = scree__pairs(w->n);
    const double *a = w->em->sums.a + d * pairs;
    double *cover = s->cover + d * pairs;
    const double noise = scree__em_noise(s, d);
    const double before = scree__packed_trace(a, cover, w->n);
    scree__packed_invert(h->factor, w->n, noise, h->inverse, cover);
    s->logdet[d] = (double)w->n * log(noise) - logdet;
    return scree__packed_trace(a, cover, w->n) - before;
}

/* Task: a column. */
static void maximise_column(void *context, int64_t d, int worker)
{
    const maximising *w = context;
    scree__em_state *s = w->state;
    const int64_t n = w->n;
    const at_hand h = at_hand_of(w, worker);
    const double *a = w->em->sums.a + d * scree__pairs(n);
    double *loadings = s->w + d * s->m;
    gradient(a, w->em->sums.b + d * n, loadings, n, h.g);
    for (int64_t i = 0; i < n; i++) {
        h.prior[i] = !s->bayes ? 0 : scree__em_noise(s, d) / (i < s->m ? s->width[i] : s->broad);
        h.step[i] = h.g[i] - h.prior[i] * (i < s->m ? loadings[i] : s->offset[d]);
    }
    const double logdet = scree__packed_factor(a, h.prior, n, h.factor);
    scree__packed_solve(h.factor, n, h.step);
    double change = -scree__packed_dot(h.g, h.step, n);
    if (s->bayes)
        change += change + scree__packed_quadratic(a, h.step, n) + cover_column(w, d, &h, logdet);
    for (int64_t i = 0; i < s->m; i++)
        loadings[i] += h.step[i];
    s->offset[d] += h.step[s->m];
    w->em->change[d] = change;
}

/* The widths that follow from the columns. */
static void find_widths(scree__em_state *s)
{
    const int64_t pairs = scree__pairs(s->m + 1);
    for (int64_t k = 0; k < s->m; k++) {
        double sum = 0;
        for (int64_t d = 0; d < s->d; d++)
            sum += s->w[d * s->m + k] * s->w[d * s->m + k] + s->cover[d * pairs + scree__pair(k, k)];
        s->width[k] = sum / (double)s->d;
    }
}

scree_status scree__em_maximise_columns(scree__em *em, scree__em_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    maximising w = {.em = em, .state = s, .n = s->m + 1};
    w.share = w.n * (2 * w.n + 3);
    SCREE_ALLOC(w.work, em->job->threads * w.share, error);
    scree__parallel(em->job->threads, em->d, maximise_column, &w);
done:
    free(w.work);
    return status;
}

scree_status scree__em_maximise(scree__em *em, scree__em_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sum square = {em->sums.square, 0};
    SCREE_TRY(scree__em_maximise_columns(em, s, error));
    for (int64_t d = 0; d < em->d; d++)
        scree__sum_add(&square, em->change[d]);
    s->noise = fmax(scree__sum_total(&square) / em->rows.cell_weight, em->floor);
    if (s->bayes)
        find_widths(s);
done:
    return status;
}
