/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the noise of a fit with gaps is from white. The model says that what it leaves of the observed cells, e = x -
 * µ - Wz, has the same variance in all directions beyond the components. Columns whose noise differs, or is correlated,
 * leave a covariance R with a larger tr R²/(tr R)². z is that of least squares, not the posterior mean, which would
 * leave σ⁴/λ along each component and so make the noise look equal. Over the n_jk rows that observed both columns, of
 * which the fit took its share, n = n_jk(1 - (M+1)/(sN)), s the share of cells observed,
 *
 *     r_jk = Σ e_j e_k / n,   R²_jk ~ (r_jk² - r_jj r_kk/n) n²/((n-1)(n+2))
 *
 * is free of what chance adds (Srivastava 2005). White noise leaves P = I - UUᵀ of it in whole rows; in rows with gaps
 * about p_jk = -u_jᵀu_k/(s + (1-s)(h_j + h_k)), p_jj = 1 - h_j/(s + (1-s)h_j), h_j = ‖u_j‖². The spread is tr R²/(tr
 * R)² over that of these, less 1. One pass, N D(2D + M²) + 3D²M flops; for more columns than pairs are formed for it is
 * left at 0. */

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

/* Σ_k u_ik u_jk over the components. */
static double within(const double *vectors, int64_t d, int64_t m, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        sum += vectors[k * d + i] * vectors[k * d + j];
    return sum;
}

/* The same sum of white noise, which components leave to the two columns of rows with a share s of the cells, those of
 * both columns among them. */
static double white(const scree__em *em, const double *vectors, int64_t m, int64_t i, int64_t j)
{
    const int64_t d = em->d;
    const double empty = em->rows.weight * (double)em->rows.empty / (double)em->rows.rows;
    const double s = em->rows.cell_weight / ((em->rows.weight - empty) * (double)d);
    const double own = within(vectors, d, m, i, i);
    const double other = i == j ? 0 : within(vectors, d, m, j, j);
    const double both = i == j ? own : within(vectors, d, m, i, j);
    return (i == j) - both / (s + (1 - s) * (own + other));
}

/* tr R² over (tr R)². */
typedef struct traces {
    double plain;
    double squares;
} traces;

static double evenness(traces t)
{
    return t.squares / (t.plain * t.plain);
}

/* From the sums over pairs; left: of a row, what the fit did not take. */
static double uneven(const scree__em *em, const double *vectors, int64_t m, double left)
{
    const int64_t d = em->d;
    const scree__em_pairs *s = &em->pairs;
    traces rows = {0, 0}, even = {0, 0};
    for (int64_t i = 0; i < d; i++) {
        const double variance = s->products[i * d + i] / fmax(left * s->counts[i * d + i], LEAST_ROWS);
        rows.plain += variance;
        even.plain += white(em, vectors, m, i, i);
        for (int64_t j = i; j < d; j++) {
            const double n = left * s->counts[i * d + j];
            if (n < LEAST_ROWS)
                continue;
            const int times = i == j ? 1 : 2;
            const double r = s->products[i * d + j] / n;
            const double other = s->products[j * d + j] / fmax(left * s->counts[j * d + j], LEAST_ROWS);
            const double expected = white(em, vectors, m, i, j);
            rows.squares += times * (r * r - variance * other / n) * n * n / ((n - 1) * (n + 2));
            even.squares += times * expected * expected;
        }
    }
    return rows.plain > 0 && even.squares > 0 ? fmax(evenness(rows) / evenness(even) - 1, 0) : 0;
}

scree_status scree__em_spread(scree__em *em, const scree__em_state *state, const double *vectors, double *spread,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const double taken = (double)(state->m + 1) * (double)em->d / em->rows.cell_weight;
    *spread = 0;
    if (em->d > SCREE__EM_PAIRS || !(taken < 1))
        goto done;
    scree__em_state plain = *state; /* lent: for least squares */
    plain.bayes = false;
    plain.noise *= RIDGE;
    scree__em_load(em, &plain);
    SCREE_TRY(scree__em_pairs_add(em, leave, error));
    *spread = uneven(em, vectors, state->m, 1 - taken);
done:
    scree__em_pairs_clear(em);
    return status;
}
