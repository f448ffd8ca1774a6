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
 * seen too few like them. And where a row more may lower M, the largest of the p-values of all these M is given: among
 * them is the one of the M that N+1 rows choose, so there are no more false alarms than there should be. */

#include "model/row_update.h"

#include "base/special.h"
#include "model/secular.h"
#include "model/updated_tail.h"

#include <math.h>

static const double LEAST_SHARE = 1e-6; /* of 1, beyond the first M: less has lost its digits */
static const double LEAST_REST = 1e-8;  /* of the row's square */
static const double LEAST_ROW = 1e-200; /* of the first pole: roots nearer to their poles are none that doubles tell */

/* The poles of a new row, and its squares along them. */
typedef struct update {
    const double *g;
    const double *counts;
    double *w;
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

/* w, and their sum. */
static double weigh(const scree__row_law *law, const scree__law_row *row, double *w)
{
    const double c = law->uncentred ? 1 : law->rows / (law->rows + 1);
    const double inverse = 1 / law->unit; /* exactly: a power of two */
    double energy = row->q * inverse * inverse;
    double sum = 0;
    for (int64_t j = 0; j < law->known; j++) {
        const double along = square(row->codes[j] * inverse);
        energy -= j < law->latent ? 0 : along;
        w[j] = c * along;
        sum += w[j];
    }
    for (int64_t j = law->known; j < law->poles; j++) {
        w[j] = c * fmax(energy, 0) * law->shares[j];
        sum += w[j];
    }
    return sum;
}

/* Poles times their gains, in descending order again. */
static void sort_poles(const scree__row_law *law, const double *gains, double *g, double *counts, double *w)
{
    for (int64_t j = 0; j < law->poles; j++) {
        const double pole = law->g[j] * gains[j < law->known ? j : law->known];
        const double weight = w[j];
        int64_t at = j;
        for (; at > 0 && g[at - 1] < pole; at--) {
            g[at] = g[at - 1];
            w[at] = w[at - 1];
            counts[at] = counts[at - 1];
        }
        g[at] = pole;
        w[at] = weight;
        counts[at] = law->counts[j];
    }
}

static double log_t2_tail(const scree__row_law *law, int64_t latent, const parts *p)
{
    const double m = (double)latent;
    if (latent == 0)
        return 0;
    if (latent == law->latent && law->t2_table.count && p->outside > LEAST_SHARE)
        return scree__tail_table_log(&law->t2_table, fmax(p->inside, 0));
    return scree__log_beta_tail(m / 2, (law->rows - m) / 2, fmin(p->inside, 1), fmin(p->outside, 1));
}

/* By the first M roots. False: too little is left beyond them. */
static bool ask_first(const scree__row_law *law, int64_t latent, double sum, const update *u, scree__chances *out)
{
    const int64_t terms = law->poles - latent;
    const double *lost = u->values;
    double log_q = 0;
    parts p = {0};
    for (int64_t k = 0; k < law->poles; k++) {
        p.inside += k < latent ? u->shares[k] : 0;
        p.left += k < latent ? lost[k] : u->w[k];
    }
    p.outside = 1 - p.inside;
    if (p.outside < LEAST_SHARE || p.left < LEAST_REST * sum)
        return false;
    if (law->has_q && terms > 0) {
        scree__secular_deflate(u->g, u->w, law->poles, latent, u->roots, u->value_counts);
        const scree__updated updated = {u->g + latent, u->counts + latent, u->value_counts, terms, law->zeros};
        if (scree__updated_varies(&updated))
            log_q = scree__updated_log_tail(&updated, p.left / p.outside);
    }
    *out = scree__row_law_join(log_t2_tail(law, latent, &p), log_q, latent > 0, law->has_q);
    return true;
}

static scree__chances ask_all(const scree__row_law *law, int64_t latent, const update *u)
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
    const double log_q =
        law->has_q && scree__ratio_varies(&ratio) ? scree__ratio_log_tail(&ratio, p.left / p.outside) : 0;
    return scree__row_law_join(log_t2_tail(law, latent, &p), log_q, latent > 0, law->has_q);
}

scree__chances scree__row_update_ask(const scree__row_law *law, const scree__law_row *row, double *work)
{
    const int64_t room = law->poles;
    const update u = {.g = row->gains ? work : law->g,
                      .counts = row->gains ? work + room : law->counts,
                      .w = work + 2 * room,
                      .roots = work + 3 * room,
                      .shares = work + 4 * room,
                      .values = work + 5 * room,
                      .value_counts = work + 7 * room};
    const double sum = weigh(law, row, u.w);
    if (!isfinite(sum))
        return (scree__chances){-HUGE_VAL, -HUGE_VAL, 0};
    if (!(sum > LEAST_ROW * law->g[0])) /* the mean itself */
        return (scree__chances){0, 0, 1};
    if (row->gains)
        sort_poles(law, row->gains, work, work + room, u.w);
    const bool lifts =
        law->latent + 1 < law->poles && scree__secular_lifts(u.g, u.w, law->poles, law->latent, law->next);
    const int64_t latent = law->latent + lifts;
    scree__chances found = {.joint = -1};
    bool by_first = true; /* the way by all roots takes the place of these */
    scree__secular_solve(u.g, u.w, law->poles, latent, u.roots, u.shares, u.values);
    for (int64_t m = latent; m >= law->latent - law->less; m--) {
        scree__chances one;
        by_first = by_first && ask_first(law, m, sum, &u, &one);
        if (!by_first)
            one = ask_all(law, m, &u);
        if (!(one.joint <= found.joint))
            found = one;
    }
    return found;
}
