/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact law of T² and Q. The left singular vectors of centred Gaussian rows are uniformly distributed and
 * independent of the singular values, whatever the covariance (Dawid 1977; Muirhead 1982). So, with n = N-1, r = min(n,
 * D) and g_j = Σ over the rows of (u_jᵀ(x-µ))², a fitted row has coordinates √g_j v_j, where v is √(n/N) times a
 * uniformly distributed unit vector of n dimensions:
 *
 *     B = Σ_{j≤M} v_j² N/n ~ beta(M/2, (n-M)/2),   B = T² N/(n δ), δ the divisor of the eigenvalues
 *     (Q N/n)/(1 - B) ~ Σ_{j>M} g_j z_j² / (Σ_{j>M} z_j² + χ²_{n-r}),   independent of B
 *
 * the second by ratio_tail.c. A new row y = x - µ is the last of N+1 fitted ones, whose spectrum µ is that of diag(g)
 * with a row added, √(N/(N+1)) y (row_update.c): the same laws with µ for g and one row more. Of directions that are
 * not known the square that y has outside of the known ones is shared out evenly; where D ≤ n, in proportion to what is
 * left of their spread once that of white noise is taken off.
 *
 * Where N is large the poles hardly move: to first order in 1/N, B = s/(1+s), s = Σ_{j≤M} w_j/g_j, w = y² N/(N+1) along
 * u_j; the rest of y is as it was and the others grow by it evenly. What is left out turns y between components k and
 * others j by w_j/(g_k - g_j): the law is quick where that moves T² and Q by little beside their deviations. */

#include "model/row_law.h"

#include "base/memory.h"
#include "model/row_update.h"

#include <math.h>

static const double OFF_T2 = 0.3;    /* deviations that T² may be too small by, */
static const double OFF_Q = 0.05;    /* and Q too large */
static const double OUTSIDE = 1e-12; /* of a row's square: 10 deviations of what counts as rounding (model_law.c) */
static const double FAR_OUT = -9;    /* ln of the chance of a Q that counts though its law is but a bound: 1e-4 */
enum { MANY_ROWS = 1000, ROWS_A_COLUMN = 50 };

static double square(double x)
{
    return x * x;
}

/* Shares of the square outside of the known directions: linear shrinkage of the spectrum towards its mean. */
static void share_out(scree__row_law *law, const scree__row_law_input *in, int64_t bins)
{
    const double *g = law->g + law->known;
    const double *counts = law->counts + law->known;
    double *shares = law->shares + law->known;
    const double none = fmax((double)(in->cols - in->rank), 0);
    double count = 0, sum = 0, squares = 0, total = none;
    for (int64_t i = 0; i < bins; i++) {
        count += counts[i];
        sum += counts[i] * g[i];
        squares += counts[i] * g[i] * g[i];
    }
    const double mean = sum / count;
    const double variance = squares / (count * mean * mean) - 1;
    const double noise = (double)(in->cols - law->known) / fmax(in->rows - 1 - (double)law->known, 1);
    const double shrink = none > 0 || count <= 2 ? 1 : fmin(1, noise / fmax(variance, 1e-300));
    for (int64_t i = 0; i < bins; i++) {
        shares[i] = counts[i] * (1 + (1 - shrink) * (g[i] / mean - 1));
        total += shares[i];
    }
    for (int64_t i = 0; i < bins; i++)
        shares[i] /= total;
    if (law->has_null)
        shares[bins] = none / total;
}

/* A power of two near the root of the largest eigenvalue. */
static double unit_of(const scree__row_law_input *in)
{
    const double largest = in->known > 0 ? in->eigenvalues[0] : in->rest->bins > 0 ? in->rest->values[0] : 1;
    return largest > 0 ? ldexp(1, ilogb(largest) / 2) : 1;
}

/* Poles: the known ones, the bins of the others, and the directions in which nothing varied. */
static void lay_poles(scree__row_law *law, const scree__row_law_input *in)
{
    int64_t at = 0;
    double left = (double)(in->rank - in->known);
    double counted = 0;
    for (; at < in->known; at++) {
        law->g[at] = in->divisor * (in->eigenvalues[at] / law->unit / law->unit);
        law->counts[at] = 1;
    }
    for (int64_t i = 0; i < in->rest->bins; i++)
        counted += in->rest->counts[i];
    for (int64_t i = 0; left > 0 && i < in->rest->bins; i++, at++) {
        const double most = at > 0 ? law->g[at - 1] : HUGE_VAL;
        law->g[at] = fmin(in->divisor * (in->rest->values[i] / law->unit / law->unit), most);
        law->counts[at] = in->rest->counts[i] * left / counted;
    }
    law->poles = at;
    law->has_null = in->cols > in->rank && !in->fitted;
    if (law->has_null) {
        law->counts[at] = 1;
        law->poles++;
    }
    if (at > in->known || law->has_null)
        share_out(law, in, at - in->known);
    for (int64_t i = in->latent; i < at; i++)
        law->outside += law->counts[i] * law->g[i];
}

/* Whether T² and Q are off by little if poles are taken not to move. Component k loses 2/N Σ_j g_j/(g_k - g_j) of its
 * variance to directions j that are not among the M, but no more than what it has more of than these. */
static bool stays(const scree__row_law *law)
{
    double count = 0, sum = 0, squares = 0, t2 = 0, q = 0;
    for (int64_t j = law->latent; j < law->poles; j++) {
        count += law->counts[j];
        sum += law->counts[j] * law->g[j];
        squares += law->counts[j] * law->g[j] * law->g[j];
    }
    for (int64_t k = 0; k < law->latent && count > 0; k++) {
        double lost = 0;
        for (int64_t j = law->latent; j < law->poles; j++)
            lost += 2 * law->counts[j] * law->g[j] / (law->rows * fmax(law->g[k] - law->g[j], 1e-300));
        lost = fmin(lost, 1 - sum / count / law->g[k]);
        t2 += lost;
        q += lost * law->g[k];
    }
    return t2 <= OFF_T2 * sqrt(2 * (double)law->latent) && q <= OFF_Q * sqrt(2 * squares);
}

bool scree__law_is_settled(double rows, int64_t cols)
{
    return rows >= MANY_ROWS && rows >= (double)ROWS_A_COLUMN * (double)cols;
}

static void choose_way(scree__row_law *law, const scree__row_law_input *in)
{
    const double n = in->rows - 1;
    const double m = (double)in->latent;
    law->is_quick =
        !in->fitted && !in->is_flat && scree__law_is_settled(in->rows, in->cols) && !law->has_null && stays(law);
    law->zeros = in->fitted ? n - (double)in->rank : in->rows - fmin(in->rows, (double)in->cols);
    law->zeros = fmax(law->zeros, 0);
    law->t2 = (scree__tail){SCREE__TAIL_BETA, m / 2, (in->rows - m) / 2, 1};
    if (in->fitted)
        law->t2 = (scree__tail){SCREE__TAIL_BETA, m / 2, (n - m) / 2, in->divisor * (in->uncentred ? 1 : n / in->rows)};
    else if (law->is_quick)
        law->t2 = (scree__tail){SCREE__TAIL_F, m / 2, (in->rows - m) / 2,
                                in->divisor * (in->uncentred ? 1 : (in->rows + 1) / in->rows)};
    if (in->latent == 0)
        law->t2.kind = SCREE__TAIL_NONE;
    law->q = (scree__ratio){law->g + in->latent, law->counts + in->latent, law->poles - law->has_null - in->latent,
                            law->zeros};
    law->has_q = in->fitted ? scree__ratio_varies(&law->q)
                            : in->cols > in->latent && ((double)in->cols < in->rows || in->rows - m > 1);
    law->exists = (in->fitted ? n : in->rows) - m > 0 && n > 0 && (in->latent > 0 || law->has_q);
}

scree_status scree__row_law_make(scree__row_law *law, const scree__row_law_input *input, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t room = input->known + input->rest->bins + 1;
    *law = (scree__row_law){.rows = input->rows,
                            .uncentred = input->uncentred,
                            .divisor = input->divisor,
                            .unit = unit_of(input),
                            .latent = input->latent,
                            .known = input->known,
                            .fitted = input->fitted,
                            .shrunk = input->shrunk,
                            .is_flat = input->is_flat,
                            .is_bound = input->is_bound,
                            .less = input->less,
                            .next = HUGE_VAL};
    if (input->next > 0)
        law->next = input->next / law->unit / law->unit * (input->divisor + 1);
    SCREE_ALLOC(law->g, room, error);
    SCREE_ALLOC(law->counts, room, error);
    SCREE_ALLOC(law->shares, room, error);
    lay_poles(law, input);
    choose_way(law, input);
done:
    return status;
}

void scree__row_law_clear(scree__row_law *law)
{
    free(law->g);
    free(law->counts);
    free(law->shares);
    scree__tail_table_clear(&law->t2_table);
    scree__ratio_table_clear(&law->q_table);
    *law = (scree__row_law){0};
}

scree_status scree__row_law_tabulate(scree__row_law *law, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!law->exists)
        return SCREE_OK;
    SCREE_TRY(scree__tail_table_make(&law->t2_table, &law->t2, error));
    if (law->has_q && (law->fitted || law->is_quick))
        SCREE_TRY(scree__ratio_table_make(&law->q_table, &law->q, error));
done:
    return status;
}

int64_t scree__row_law_room(int64_t known)
{
    return 9 * (known + SCREE__REST_BINS + 1);
}

/* T² by the eigenvalues of the law. */
static double own_t2(const scree__row_law *law, const scree__law_row *row)
{
    double sum = 0;
    if (!law->shrunk)
        return row->t2;
    for (int64_t j = 0; j < law->latent; j++)
        sum += square(row->codes[j] / law->unit) * law->divisor / law->g[j];
    return isnan(sum) ? HUGE_VAL : sum;
}

scree__chances scree__row_law_join(double log_t2, double log_q, bool has_t2, bool has_q)
{
    const double both = log_t2 + log_q > 0 ? 0 : log_t2 + log_q; /* NaN stays */
    const double joint = !has_t2 || !has_q ? exp(both) : isinf(both) ? 0 : exp(both) * (1 - both);
    return (scree__chances){log_t2, log_q, joint};
}

/* By the two laws of fitted rows, or to first order of new ones. */
static scree__chances ask_fixed(const scree__row_law *law, const scree__law_row *row)
{
    const double n = law->rows - 1;
    const double c = law->uncentred ? 1 : law->rows / (law->rows + 1);
    const double t2 = own_t2(law, row);
    const double s = t2 / law->t2.scale;
    const double left = law->latent == 0 ? 1 : law->fitted ? fmax(1 - s, 0) : 1 / (1 + s);
    const double q = row->q / law->unit / law->unit;
    const double x =
        law->fitted ? q * (law->uncentred ? 1 : law->rows / n) / left : c * q / left / (1 + c * q / law->outside);
    const double log_t2 =
        law->t2_table.count ? scree__tail_table_log(&law->t2_table, t2) : scree__tail_log(&law->t2, t2);
    double log_q = 0;
    if (law->has_q)
        log_q = law->q_table.count ? scree__ratio_table_log(&law->q_table, x) : scree__ratio_log_tail(&law->q, x);
    return scree__row_law_join(log_t2, log_q, law->latent > 0, law->has_q);
}

bool scree__row_law_excludes(const scree__row_law *law, const scree__law_row *row)
{
    double inside = law->outside / law->rows;
    double energy = row->q / law->unit / law->unit;
    if (!law->is_flat || law->fitted)
        return false;
    for (int64_t j = 0; j < law->known; j++) {
        const double along = square(row->codes[j] / law->unit);
        inside += along + law->g[j] / law->rows;
        energy -= j < law->latent ? 0 : along;
    }
    return energy > OUTSIDE * inside;
}

scree__chances scree__row_law_ask(const scree__row_law *law, const scree__law_row *row, double *work)
{
    if (!law->exists)
        return (scree__chances){NAN, NAN, NAN};
    if (!law->is_quick && scree__row_law_excludes(law, row))
        return (scree__chances){-HUGE_VAL, -HUGE_VAL, 0};
    const scree__chances found =
        law->fitted || law->is_quick ? ask_fixed(law, row) : scree__row_update_ask(law, row, work);
    if (law->is_bound && law->latent > 0 && found.log_q > FAR_OUT)
        return scree__row_law_join(found.log_t2, 0, true, false);
    return found;
}
