/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of variance v_j, of which known directions U hold s_j = Σ λ_k u_jk², leaves v_j - s_j beyond them, where it
 * has the share 1 - h_j, h_j = Σ_k u_jk². Its own noise is ψ_j = (v_j - s_j)/(1 - h_j), drawn a little towards that of
 * all columns, the more the larger h_j is, since little is said where it is near 1; a column that does not vary has
 * none. Columns that were scaled by their deviations have different ψ
 * even where noise was white before. The noise beyond the directions is PΨP, P = I - UUᵀ, with
 *
 *     tr PΨP = Σ ψ_j(1 - h_j),   tr (PΨP)² = Σ ψ_j²(1 - 2h_j) + ‖UᵀΨU‖²
 *
 * Of a fit with gaps v_j is that of the rows that observed the column, and s_j of all, whence v_j - s_j is off by about
 * s_j √(2(1-s)/(sN)), s the share of cells observed: a column is drawn towards all the more, the more its doubt is
 * beside what columns truly differ by, so that strong components do not make noise look unequal. O(DK²). */

#include "model/unequal.h"

#include "model/gap_law.h"

#include <math.h>

static const double DRAWN = 0.05; /* of what a column holds: what its noise is drawn towards that of all by */

/* Of one column. */
typedef struct column {
    double held;    /* s */
    double left;    /* v - s */
    double outside; /* 1 - h */
    double drawn;   /* towards that of all */
    bool varies;
} column;

static column look(const scree__unequal *in, int64_t j)
{
    const scree_model_view *view = in->view;
    const double scale = view->scale ? view->scale[j] : 1;
    column c = {.outside = 1, .varies = view->variances[j] > 0};
    for (int64_t k = 0; k < in->known; k++) {
        const double u = in->directions[k * view->d + j];
        c.held += in->values[k] * u * u;
        c.outside -= u * u;
    }
    c.outside = fmax(c.outside, 0);
    c.drawn = DRAWN * (1 - c.outside);
    c.left = fmax(view->variances[j] / scale / scale - c.held, 0);
    return c;
}

/* What a column's noise may be off by, its square: off is that of what it holds. */
static double doubt(const column *c, double mean, double off)
{
    const double x = c->held / mean / (c->outside + c->drawn);
    return off * x * x;
}

/* How far the noise of columns truly differs, by those that say something of it. */
static double true_spread(const scree__unequal *in, const double *noise, double mean, double off)
{
    double sum = 0, weights = 0;
    for (int64_t j = 0; j < in->view->d; j++) {
        const column c = look(in, j);
        if (!c.varies)
            continue;
        const double doubtful = doubt(&c, mean, off);
        const double weight = 1 / ((1 + doubtful) * (1 + doubtful));
        sum += weight * ((noise[j] - 1) * (noise[j] - 1) - doubtful);
        weights += weight;
    }
    return weights > 0 ? fmax(sum / weights, 0) : 0;
}

void scree__unequal_noise(const scree__unequal *in, double *noise)
{
    const int64_t d = in->view->d;
    const double share = scree__gap_law_share(in->view);
    const double off = 2 * (1 - share) / (share * scree__model_rows(in->view));
    double all = 0, shares = 0, total = 0;
    for (int64_t j = 0; j < d; j++) {
        const column c = look(in, j);
        all += c.left;
        shares += c.varies ? c.outside : 0;
        noise[j] = 1;
    }
    const double mean = shares > 0 ? all / shares : 0;
    if (!(mean > 0))
        return;
    for (int64_t j = 0; j < d; j++) {
        const column c = look(in, j);
        noise[j] = c.varies ? (c.left / mean + c.drawn) / (c.outside + c.drawn) : 0;
    }
    const double spread = off > 0 ? true_spread(in, noise, mean, off) : 1;
    for (int64_t j = 0; j < d; j++) {
        const column c = look(in, j);
        if (!c.varies)
            continue;
        const double doubtful = off > 0 ? doubt(&c, mean, off) : 0;
        noise[j] = spread > 0 ? 1 + (noise[j] - 1) * spread / (spread + doubtful) : 1;
        total += noise[j] * c.outside;
    }
    for (int64_t j = 0; j < d && total > 0; j++)
        noise[j] *= shares / total;
}

double scree__unequal_squares(const scree__unequal *in, const double *noise, double *products)
{
    const int64_t d = in->view->d;
    double squares = 0;
    for (int64_t j = 0; j < d; j++)
        squares += noise[j] * noise[j] * (2 * look(in, j).outside - 1);
    for (int64_t i = 0; i < in->known; i++)
        for (int64_t k = 0; k <= i; k++) {
            double sum = 0;
            for (int64_t j = 0; j < d; j++)
                sum += in->directions[i * d + j] * in->directions[k * d + j] * noise[j];
            products[i * in->known + k] = products[k * in->known + i] = sum;
            squares += (i == k ? 1 : 2) * sum * sum;
        }
    return squares;
}
