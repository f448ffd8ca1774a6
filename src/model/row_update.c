/* SPDX-License-Identifier: BSD-3-Clause */
/* A new row as the last of the fitted ones: with w = N/(N+1) times its squares along the directions of the spectrum g,
 * the spectrum becomes that of diag(g) + √w√wᵀ (secular.c), µ, in which the row has the squares µ_k d_k. Then
 *
 *     B = Σ_{k≤M} d_k,   X = Σ_{k>M} µ_k d_k / (1 - B)
 *
 * follow the laws of row_law.c. Only M roots are needed: Σ_k>M µ_k d_k is what w has beyond M and what the first M
 * eigenvectors have lost, and the tail of X needs no roots (updated_tail.c). A row so far out that these differences
 * would have no digits left takes them all. 5M + 8 divisions a pole, or 5 for each pair of poles.
 *
 * An M that was chosen from the eigenvalues is that of the N+1 rows: where the new row lifts the next one so far that
 * it would have been chosen, too, the law is that of M+1. Otherwise rows would be judged by fits that, by chance, had
 * seen too few like them. */

#include "model/row_update.h"

#include "base/special.h"
#include "model/secular.h"
#include "model/updated_tail.h"

#include <math.h>

static const double LEAST_SHARE = 1e-6; /* of 1, beyond the first M: less has lost its digits */
static const double LEAST_REST = 1e-8;  /* of the row's square */

/* The poles of a new row, and its squares along them. */
typedef struct update {
    double *g;
    double *w;
    double *counts;
    double *roots;
    double *shares;
    double *values; /* of the ratio, with their counts: roots, and what did not move */
    double *value_counts;
} update;

/* What the laws are asked for. */
typedef struct parts {
    double inside;  /* B */
    double outside; /* 1 - B */
    double left;    /* Σ_{k>M} µ_k d_k */
} parts;

static double square(double x)
{
    return x * x;
}

static void put(update *u, int64_t at, double g, double w, double count)
{
    for (; at > 0 && u->g[at - 1] < g; at--) {
        u->g[at] = u->g[at - 1];
        u->w[at] = u->w[at - 1];
        u->counts[at] = u->counts[at - 1];
    }
    u->g[at] = g;
    u->w[at] = w;
    u->counts[at] = count;
}

/* Σw. */
static double add_row(const scree__row_law *law, const scree__law_row *row, update *u)
{
    const double c = law->rows / (law->rows + 1);
    double energy = row->q / law->unit / law->unit;
    double sum = 0;
    for (int64_t j = law->latent; j < law->known; j++)
        energy -= square(row->codes[j] / law->unit);
    for (int64_t j = 0; j < law->poles; j++) {
        const bool known = j < law->known;
        const double gain = !row->gains ? 1 : row->gains[known ? j : law->known];
        const double w = c * (known ? square(row->codes[j] / law->unit) : fmax(energy, 0) * law->shares[j]);
        put(u, j, law->g[j] * gain, w, law->counts[j]);
        sum += w;
    }
    return sum;
}

static double log_t2_tail(const scree__row_law *law, int64_t latent, const parts *p)
{
    const double m = (double)latent;
    return latent > 0 ? scree__log_beta_tail(m / 2, (law->rows - m) / 2, fmin(p->inside, 1), fmin(p->outside, 1)) : 0;
}

/* By the first M roots. False: too little is left beyond them. */
static bool ask_first(const scree__row_law *law, int64_t latent, double sum, const update *u, double *log_t2,
                      double *log_q)
{
    const int64_t terms = law->poles - latent;
    double *lost = u->values;
    parts p = {0};
    scree__secular_solve(u->g, u->w, law->poles, latent, u->roots, u->shares, lost);
    for (int64_t k = 0; k < law->poles; k++) {
        p.inside += k < latent ? u->shares[k] : 0;
        p.left += k < latent ? lost[k] : u->w[k];
    }
    p.outside = 1 - p.inside;
    if (p.outside < LEAST_SHARE || p.left < LEAST_REST * sum)
        return false;
    *log_t2 = log_t2_tail(law, latent, &p);
    *log_q = 0;
    if (!law->has_q || terms == 0)
        return true;
    scree__secular_deflate(u->g, u->w, law->poles, latent, u->roots, u->value_counts);
    const scree__updated updated = {u->g + latent, u->counts + latent, u->value_counts, terms, law->zeros};
    if (scree__updated_varies(&updated))
        *log_q = scree__updated_log_tail(&updated, p.left / p.outside);
    return true;
}

static void ask_all(const scree__row_law *law, int64_t latent, const update *u, double *log_t2, double *log_q)
{
    double s = 0;
    int64_t terms = 0;
    parts p = {0};
    scree__secular_solve(u->g, u->w, law->poles, law->poles, u->roots, u->shares, NULL);
    for (int64_t k = 0; k < law->poles; k++) {
        s += u->w[k] > 0 ? u->w[k] / u->g[k] : 0;
        if (k < latent) {
            p.inside += u->shares[k];
            continue;
        }
        p.outside += u->shares[k];
        p.left += u->roots[k] * u->shares[k];
        u->values[terms] = u->roots[k];
        u->value_counts[terms++] = 1;
        if (u->counts[k] > 1) {
            u->values[terms] = u->g[k];
            u->value_counts[terms++] = u->counts[k] - 1;
        }
    }
    p.outside += 1 / (1 + s);
    const scree__ratio ratio = {u->values, u->value_counts, terms, law->zeros};
    *log_t2 = log_t2_tail(law, latent, &p);
    *log_q = law->has_q && scree__ratio_varies(&ratio) ? scree__ratio_log_tail(&ratio, p.left / p.outside) : 0;
}

void scree__row_update_ask(const scree__row_law *law, const scree__law_row *row, double *work, double *log_t2,
                           double *log_q)
{
    const int64_t room = law->poles;
    const update u = {work,           work + room, work + 2 * room, work + 3 * room, work + 4 * room, work + 5 * room,
                      work + 7 * room};
    update mine = u;
    const double sum = add_row(law, row, &mine);
    if (!isfinite(sum)) {
        *log_t2 = *log_q = -HUGE_VAL;
        return;
    }
    const bool lifts =
        law->latent + 1 < law->poles && scree__secular_lifts(u.g, u.w, law->poles, law->latent, law->next);
    const int64_t latent = law->latent + lifts;
    if (!ask_first(law, latent, sum, &u, log_t2, log_q))
        ask_all(law, latent, &u, log_t2, log_q);
}
