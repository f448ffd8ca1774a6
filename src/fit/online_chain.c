/* SPDX-License-Identifier: BSD-3-Clause */
/* Stepwise EM (Cappé and Moulines 2009). The E step of a batch at the parameters of now gives its statistics ŝ, a row's
 * share of the sums that the normal equations need, and
 *
 *     s ← (1-η) s + η ŝ,   η = t^-0.7,   θ ← M step of s,   θ̄ = average of θ, later ones weighing more (∝ t).
 *
 * η falls slower than 1/t, so that what early parameters did to s is forgotten; the average makes up for the noise that
 * this lets in (Polyak and Juditsky 1992). z is rescaled on the way (online_whiten.c), statistics with it. Twice the
 * cost of one EM iteration over the same rows, for two chains. */

#include "fit/online.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double FORGETTING = 0.7;

scree_status scree__online_chain_new(scree__online_chain *c, int64_t d, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    *c = (scree__online_chain){0};
    SCREE_TRY(scree__em_state_new(&c->state, d, m, false, error));
    SCREE_TRY(scree__em_state_new(&c->average, d, m, false, error));
    SCREE_ALLOC(c->a, d * scree__pairs(m + 1), error);
    SCREE_ALLOC(c->b, d * (m + 1), error);
    SCREE_ALLOC(c->z, scree__pairs(m + 1), error);
done:
    return status;
}

void scree__online_chain_clear(scree__online_chain *c)
{
    scree__em_state_clear(&c->state);
    scree__em_state_clear(&c->average);
    free(c->a);
    free(c->b);
    free(c->z);
}

int64_t scree__online_chain_memory(int64_t d, int64_t m)
{
    return 8 * d * (scree__pairs(m + 1) + 3 * m + 8);
}

/* The E step over rows, into em->sums. */
static scree_status expect(const scree__online_chain *c, scree__em *em, const scree__online_rows *rows,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    SCREE_TRY(scree__memory_open(&source, rows->x, SCREE_F64, rows->count, em->d, em->d, error));
    em->rows.job.source = source;
    SCREE_TRY(scree__em_expect(em, &c->state, error));
done:
    em->rows.job.source = NULL;
    scree_source_free(source);
    return status;
}

/* θ'Aθ - 2θ'b of a column, θ = [w; offset]. */
static double quadratic(const double *a, const double *b, const double *w, double offset, int64_t m)
{
    double sum = 0;
    for (int64_t i = 0; i <= m; i++) {
        const double ti = i < m ? w[i] : offset;
        sum -= 2 * ti * b[i];
        for (int64_t j = 0; j <= i; j++)
            sum += (i == j ? 1 : 2) * a[scree__pair(i, j)] * ti * (j < m ? w[j] : offset);
    }
    return sum;
}

/* Cells less the state's µ, as the E step has them, become cells less the origin; Σx² follows. */
static double from_origin(scree__em *em, const scree__em_state *s)
{
    const int64_t n = s->m + 1;
    double square = em->sums.square;
    for (int64_t d = 0; d < s->d; d++) {
        const double *a = em->sums.a + d * scree__pairs(n);
        double *b = em->sums.b + d * n;
        for (int64_t i = 0; i < n; i++)
            b[i] += s->offset[d] * a[scree__pair(s->m, i)];
        square -= quadratic(a, b, s->w + d * s->m, s->offset[d], s->m);
    }
    return square;
}

static void mix(double *into, const double *from, int64_t count, double keep, double gain)
{
    for (int64_t i = 0; i < count; i++)
        into[i] = keep * into[i] + gain * from[i];
}

/* Statistics gain a share eta of those in em->sums, which are of count rows. */
static void blend(scree__online_chain *c, scree__em *em, int64_t count, double eta)
{
    const int64_t n = c->state.m + 1;
    const double gain = eta / (double)count;
    const double square = from_origin(em, &c->state);
    mix(c->a, em->sums.a, em->d * scree__pairs(n), 1 - eta, gain);
    mix(c->b, em->sums.b, em->d * n, 1 - eta, gain);
    mix(c->z, em->sums.z, scree__pairs(n), 1 - eta, gain);
    c->square = (1 - eta) * c->square + gain * square;
}

/* The state becomes what the statistics ask for: the sums as of one row, so that cells are no whole number. */
static scree_status maximise(scree__online_chain *c, scree__em *em, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_state *s = &c->state;
    const int64_t n = s->m + 1;
    const int64_t pairs = scree__pairs(n);
    const double least = em->floor;
    double cells = 0;
    memcpy(em->sums.a, c->a, (size_t)(em->d * pairs) * sizeof *c->a);
    memcpy(em->sums.b, c->b, (size_t)(em->d * n) * sizeof *c->b);
    em->sums.square = c->square;
    for (int64_t d = 0; d < em->d; d++) {
        const double *a = c->a + d * pairs;
        em->sums.square += quadratic(a, c->b + d * n, s->w + d * s->m, s->offset[d], s->m);
        for (int64_t i = 0; i < n; i++)
            em->sums.b[d * n + i] -= s->offset[d] * a[scree__pair(s->m, i)];
        cells += a[pairs - 1];
    }
    em->rows.cell_weight = 1;
    em->floor = 0;
    status = scree__em_maximise(em, s, error);
    em->floor = least;
    s->noise = fmax(s->noise / cells, least);
    return status;
}

static void average(scree__online_chain *c)
{
    const double gain = fmin(2 / (c->age + 1), 1);
    mix(c->average.w, c->state.w, c->state.d * c->state.m, 1 - gain, gain);
    mix(c->average.offset, c->state.offset, c->state.d, 1 - gain, gain);
    mix(&c->average.noise, &c->state.noise, 1, 1 - gain, gain);
}

scree_status scree__online_chain_start(scree__online_chain *c, scree__em *em, const scree__online_rows *rows,
                                       double age, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(expect(c, em, rows, error));
    blend(c, em, rows->count, 1);
    scree__em_state_copy(&c->average, &c->state);
    c->age = age;
done:
    return status;
}

scree_status scree__online_chain_step(scree__online_chain *c, scree__em *em, const scree__online_rows *rows,
                                      int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double share = (double)rows->count / (double)size;
    SCREE_TRY(expect(c, em, rows, error));
    c->age += share;
    blend(c, em, rows->count, share * pow(c->age, -FORGETTING));
    SCREE_TRY(maximise(c, em, error));
    SCREE_TRY(scree__online_chain_whiten(c, error));
    average(c);
done:
    return status;
}
