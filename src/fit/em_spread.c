/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the noise of a fit with gaps is from white. The model says that what it leaves of the observed cells, e = x -
 * µ - Wz, has the same variance in all directions beyond the components. Columns whose noise differs, or is correlated,
 * leave a covariance R with tr R² > (tr R)²/(D-M). z is that of least squares, not the posterior mean, which would
 * leave σ⁴/λ along each component and so make the noise look equal. Over the n_jk rows that observed both columns, of
 * which the fit took its share, n = n_jk(1 - (M+1)/(sN)), s the share of cells observed,
 *
 *     r_jk = Σ e_j e_k / n,   R²_jk ~ (r_jk² - r_jj r_kk/n) n²/((n-1)(n+2))
 *
 * is free of what chance adds (Srivastava 2005), and the spread is (D-M) tr R²/(tr R)² - 1. One pass, N D(2D + M²)
 * flops; for more columns than pairs are formed for it is left at 0. */

#include "fit/em.h"

#include <math.h>

static const double RIDGE = 0.01;   /* of the noise: what keeps codes finite that a row says nothing of */
static const double LEAST_ROWS = 2; /* that saw both columns: fewer say nothing of their product */

/* e in the place of x. */
static int leave(scree__em *em, scree__observed *o)
{
    const double *w = em->loadings.w;
    const int info = scree__observed_solve(o, &em->loadings);
    for (int64_t n = 0; n < o->rows; n++) {
        const double *mask = o->sparse ? NULL : o->mask + o->pattern[n] * o->cols;
        const int64_t first = o->sparse ? o->start[n] : n * o->cols;
        const int64_t last = o->sparse ? o->start[n + 1] : first + o->cols;
        for (int64_t a = first; a < last; a++) {
            const int64_t j = o->sparse ? o->column[a] : a - first;
            double expected = 0;
            for (int64_t k = 0; k < o->m; k++)
                expected += w[j * o->m + k] * o->z[k * o->height + n];
            o->x[a] -= mask ? mask[j] * expected : expected;
        }
    }
    return info;
}

/* tr R² from the sums over pairs; left: of a row, what the fit did not take. */
static double square_trace(const scree__em *em, double left, double *trace)
{
    const int64_t d = em->d;
    const scree__em_pairs *s = &em->pairs;
    double squares = 0;
    *trace = 0;
    for (int64_t i = 0; i < d; i++) {
        const double own = fmax(left * s->counts[i * d + i], LEAST_ROWS);
        const double variance = s->products[i * d + i] / own;
        *trace += variance;
        for (int64_t j = i; j < d; j++) {
            const double n = left * s->counts[i * d + j];
            if (n < LEAST_ROWS)
                continue;
            const double r = s->products[i * d + j] / n;
            const double other = s->products[j * d + j] / fmax(left * s->counts[j * d + j], LEAST_ROWS);
            const double part = (r * r - variance * other / n) * n * n / ((n - 1) * (n + 2));
            squares += i == j ? part : 2 * part;
        }
    }
    return squares;
}

scree_status scree__em_spread(scree__em *em, const scree__em_state *state, double *spread, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double taken = (double)(state->m + 1) * (double)em->d / em->rows.cell_weight;
    double trace;
    *spread = 0;
    if (em->d > SCREE__EM_PAIRS || !(taken < 1))
        goto done;
    scree__em_state plain = *state; /* lent: for least squares */
    plain.bayes = false;
    plain.noise *= RIDGE;
    scree__em_load(em, &plain);
    SCREE_TRY(scree__em_pairs_add(em, leave, error));
    const double squares = square_trace(em, 1 - taken, &trace);
    if (trace > 0)
        *spread = fmax((double)(em->d - state->m) * squares / (trace * trace) - 1, 0);
done:
    scree__em_pairs_clear(em);
    return status;
}
