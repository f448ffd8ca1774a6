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

#include "base/cpu.h"
#include "base/memory.h"
#include "base/sum.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

static const double MIN_PIVOT = 1e-15; /* of the diagonal: less is rounding */

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

SCREE_CLONES static void subtract_row(double *restrict row, const double *restrict other, double times, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        row[k] -= times * other[k];
}

SCREE_CLONES static double product(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* L of A + diag(prior), A packed; ln|A + diag(prior)|. */
static double factorise(const double *a, const double *prior, int64_t n, double *l)
{
    double logdet = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double entry = a[scree__pair(i, j)] + (i == j ? prior[i] : 0);
            const double rest = entry - product(l + i * n, l + j * n, j);
            if (i > j) {
                l[i * n + j] = rest / l[j * n + j];
                continue;
            }
            const double pivot = fmax(rest, MIN_PIVOT * entry);
            l[i * n + i] = sqrt(pivot);
            logdet += log(pivot);
        }
    return logdet;
}

/* x = (LL')⁻¹x. */
static void solve(const double *l, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (x[i] - product(l + i * n, x, i)) / l[i * n + i];
    for (int64_t i = n - 1; i >= 0; i--) {
        x[i] /= l[i * n + i];
        subtract_row(x, l + i * n, x[i], i);
    }
}

/* out (packed) = times (LL')⁻¹. */
static void invert(const double *l, int64_t n, double times, double *x, double *out)
{
    memset(x, 0, (size_t)(n * n) * sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        x[i * n + i] = 1;
        for (int64_t k = 0; k < i; k++)
            subtract_row(x + i * n, x + k * n, l[i * n + k], k + 1);
        for (int64_t j = 0; j <= i; j++)
            x[i * n + j] /= l[i * n + i];
    }
    memset(out, 0, (size_t)scree__pairs(n) * sizeof *out);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i <= k; i++)
            subtract_row(out + scree__pairs(i), x + k * n, -times * x[k * n + i], i + 1);
}

/* x'Ay of symmetric packed A; with x = y. */
static double quadratic(const double *a, const double *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            sum += (i == j ? 1 : 2) * a[scree__pair(i, j)] * x[i] * x[j];
    return sum;
}

/* tr(AB) of symmetric packed A and B. */
static double trace_of(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++)
            sum += 2 * a[scree__pair(i, j)] * b[scree__pair(i, j)];
        sum += a[scree__pair(i, i)] * b[scree__pair(i, i)];
    }
    return sum;
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
    const double before = trace_of(a, cover, w->n);
    invert(h->factor, w->n, s->noise, h->inverse, cover);
    s->logdet[d] = (double)w->n * log(s->noise) - logdet;
    return trace_of(a, cover, w->n) - before;
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
        h.prior[i] = !s->bayes ? 0 : s->noise / (i < s->m ? s->width[i] : s->broad);
        h.step[i] = h.g[i] - h.prior[i] * (i < s->m ? loadings[i] : s->offset[d]);
    }
    const double logdet = factorise(a, h.prior, n, h.factor);
    solve(h.factor, n, h.step);
    double change = -product(h.g, h.step, n);
    if (s->bayes)
        change += change + quadratic(a, h.step, n) + cover_column(w, d, &h, logdet);
    for (int64_t i = 0; i < s->m; i++)
        loadings[i] += h.step[i];
    s->offset[d] += h.step[s->m];
    w->em->change[d] = change;
}

static void update_widths(scree__em_state *s)
{
    const int64_t pairs = scree__pairs(s->m + 1);
    for (int64_t k = 0; k < s->m; k++) {
        double sum = 0;
        for (int64_t d = 0; d < s->d; d++)
            sum += s->w[d * s->m + k] * s->w[d * s->m + k] + s->cover[d * pairs + scree__pair(k, k)];
        s->width[k] = sum / (double)s->d;
    }
}

scree_status scree__em_maximise(scree__em *em, scree__em_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sum square = {em->sums.square, 0};
    maximising w = {.em = em, .state = s, .n = s->m + 1};
    w.share = w.n * (2 * w.n + 3);
    SCREE_ALLOC(w.work, em->job->threads * w.share, error);
    scree__parallel(em->job->threads, em->d, maximise_column, &w);
    for (int64_t d = 0; d < em->d; d++)
        scree__sum_add(&square, em->change[d]);
    s->noise = fmax(scree__sum_total(&square) / em->rows.cell_weight, em->floor);
    if (s->bayes)
        update_widths(s);
done:
    free(w.work);
    return status;
}
