/* SPDX-License-Identifier: BSD-3-Clause */
/* The M step of PPCA with gaps. With z̃ = [z; 1], A = Σ⟨z̃z̃'⟩ and b = Σ(x-µ)z̃ over the rows that observed a column,
 * its loadings and mean move by δ = A⁻¹g, g = b - A[w; 0], and
 *
 *     σ² = (1/cells) (Σ⟨(x - µ - w'z)²⟩ before - Σ_d g'δ)       nothing large is subtracted near the optimum.
 *
 * Variational Bayes (Bishop 1999; Ilin and Raiko 2010), here with one posterior for w and µ together: the prior adds
 * σ² diag(1/v, 1/v_µ) to A; the posterior's covariance is Σ = σ²A⁻¹; the expected squares change by
 * -2g'δ + δ'Aδ + tr(A(Σ - Σ before)); v_k = (1/D) Σ_d ⟨w_dk²⟩. A column that was seen once gets w = 0 by maximum
 * likelihood, and the value seen as its mean. D columns of (M+1)³/3 flops, three times that for Bayes, four columns at
 * a time (strip.c). */

#include "fit/em.h"

#include "base/memory.h"
#include "base/sum.h"
#include "base/threads.h"
#include "kernel/packed.h"
#include "kernel/strip.h"

#include <math.h>

static const double MIN_PIVOT = 1e-15; /* of the diagonal: less is rounding */

typedef struct maximising {
    scree__em *em;
    scree__em_state *state;
    int64_t n;    /* M+1 */
    double *work; /* for each thread */
} maximising;

/* What a thread has at hand for four columns; all but g by lanes. */
typedef struct at_hand {
    double *factor; /* pairs(n)×4: A and its prior, then their factor, then its inverse */
    double *prior;  /* n×4: σ²/v */
    double *step;   /* n×4: δ */
    double *g;      /* 4×n */
    double *row;    /* n */
} at_hand;

static int64_t share_of(int64_t n)
{
    return SCREE__STRIP * (scree__pairs(n) + 3 * n) + n;
}

static at_hand at_hand_of(const maximising *w, int worker)
{
    double *factor = w->work + worker * share_of(w->n);
    double *prior = factor + SCREE__STRIP * scree__pairs(w->n);
    const int64_t lanes = SCREE__STRIP * w->n;
    return (at_hand){factor, prior, prior + lanes, prior + 2 * lanes, prior + 3 * lanes};
}

/* Lane s is column d: A, the prior, and g - prior [w; µ] to be solved for. g = b - A[w; 0]. */
static void load_column(const maximising *w, const at_hand *h, int64_t d, int64_t s)
{
    const scree__em_state *state = w->state;
    const int64_t n = w->n;
    const int64_t pairs = scree__pairs(n);
    const double *a = w->em->sums.a + d * pairs;
    const double *b = w->em->sums.b + d * n;
    double *g = h->g + s * n;
    for (int64_t i = 0; i < n; i++)
        h->row[i] = i < state->m ? state->w[d * state->m + i] : 0;
    scree__packed_multiply(a, h->row, n, g);
    for (int64_t e = 0; e < pairs; e++)
        h->factor[e * SCREE__STRIP + s] = a[e];
    for (int64_t i = 0; i < n; i++) {
        const double width = i < state->m ? state->width[i] : state->broad;
        const double prior = state->bayes ? scree__em_noise(state, d) / width : 0;
        g[i] = b[i] - g[i];
        h->prior[i * SCREE__STRIP + s] = prior;
        h->step[i * SCREE__STRIP + s] = g[i] - prior * (i < state->m ? h->row[i] : state->offset[d]);
    }
}

/* The posterior's covariance, from lane s; what it adds to the expected squares beyond the one before. */
static double cover_column(const maximising *w, const at_hand *h, int64_t d, int64_t s, double logdet)
{
    scree__em_state *state = w->state;
    const int64_t pairs = scree__pairs(w->n);
    const double *a = w->em->sums.a + d * pairs;
    double *cover = state->cover + d * pairs;
    const double noise = scree__em_noise(state, d);
    const double before = scree__packed_trace(a, cover, w->n);
    for (int64_t e = 0; e < pairs; e++)
        cover[e] = noise * h->factor[e * SCREE__STRIP + s];
    state->logdet[d] = (double)w->n * log(noise) - logdet;
    return scree__packed_trace(a, cover, w->n) - before;
}

static void store_column(const maximising *w, const at_hand *h, int64_t d, int64_t s, double logdet)
{
    scree__em_state *state = w->state;
    const int64_t n = w->n;
    const double *a = w->em->sums.a + d * scree__pairs(n);
    for (int64_t i = 0; i < n; i++)
        h->row[i] = h->step[i * SCREE__STRIP + s];
    double change = -scree__packed_dot(h->g + s * n, h->row, n);
    if (state->bayes)
        change += change + scree__packed_quadratic(a, h->row, n) + cover_column(w, h, d, s, logdet);
    for (int64_t i = 0; i < state->m; i++)
        state->w[d * state->m + i] += h->row[i];
    state->offset[d] += h->row[state->m];
    w->em->change[d] = change;
}

/* Task: four columns. Lanes without one do as the last one does. */
static void maximise_strip(void *context, int64_t strip, int worker)
{
    const maximising *w = context;
    const int64_t first = strip * SCREE__STRIP;
    const int64_t count = w->em->d - first < SCREE__STRIP ? w->em->d - first : SCREE__STRIP;
    const at_hand h = at_hand_of(w, worker);
    double logdet[SCREE__STRIP];
    for (int64_t s = 0; s < SCREE__STRIP; s++)
        load_column(w, &h, first + (s < count ? s : count - 1), s);
    scree__strip_factor(h.factor, h.prior, MIN_PIVOT, w->n, logdet);
    scree__strip_solve(h.factor, w->n, h.step);
    if (w->state->bayes)
        scree__strip_invert(h.factor, w->n);
    for (int64_t s = 0; s < count; s++)
        store_column(w, &h, first + s, s, logdet[s]);
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
    SCREE_ALLOC(w.work, em->job->threads * share_of(w.n), error);
    scree__parallel(em->job->threads, (em->d + SCREE__STRIP - 1) / SCREE__STRIP, maximise_strip, &w);
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
