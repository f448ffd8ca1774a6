/* SPDX-License-Identifier: BSD-3-Clause */
/* The singular values of T (m×n), rows sorted by length, the longest perhaps 10²⁰ times the last, each to its own
 * digits: rotations make the rows orthogonal, T = QΣVᵀ, as in Jacobi's one-sided method, but many at a time.
 *
 *     steps     A window of rows from the longest on, down to NARROW of it or to a gap of GAP: UᵀTTᵀU = Λ, T ← UᵀT, by
 *               dense.c. The error u λ_1 in Λ is little beside σ² for rows of at least DONE of the longest. These are
 *               done, and the next window begins behind them: so it has some rows of this one in it, and what goes on
 *               beyond a window is small beside the rows that are done.
 *     finish    E = VVᵀ - I, of rows over their lengths, is what is left. To first order the rotations
 *                   K_ij = E_ij σ_i σ_j/(σ_i² - σ_j²),   T ← exp(K)T
 *               remove it: with L = Σ⁻¹KΣ, E + L + Lᵀ = 0, and LE + ELᵀ + LLᵀ + ½(L² + L²ᵀ) is left. Where that is
 *               less than rounding, it is not worth measuring. Pairs so near that K is large are rotated one by one.
 *
 * An orthogonal matrix from the left changes no σ, however far it is from the right one, and one that is orthogonal but
 * for ε changes each by the part ε at most; products of rows are off by u times what they add up (both by Ostrowski's
 * theorem and Demmel and Veselić 1992). So no digit is lost where windows are narrow, and E, which is measured, says
 * what is left. About (4/3 + 2)m³ flops for each window of m rows, 2m²n for its product, and 3m²n for each finish.
 *
 * Rows that lose their right neighbours to rounding, or too many near pairs, are not found so: *found is false. */

#include "kernel/staircase.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/dense.h"
#include "kernel/row_products.h"

#include <math.h>
#include <string.h>

enum { FINISHES = 8, MOST_NEAR = 4 }; /* times m pairs */
static const double NARROW = 1e-7;
static const double DONE = 1e-4;
static const double GAP = 1e-3;
static const double LONGER = 10;
static const double ROUND_OFF = 0x1p-53;
static const double ORTHOGONAL = 4; /* times m u: rows that are as good as orthogonal */
static const double NEAR = 1e-2;    /* an angle that is no small rotation */

typedef struct climb {
    scree__staircase *s;
    double *other;  /* m×n: rows to come */
    double *gram;   /* m×m, with room for m×n */
    double *turn;   /* m×m */
    double *values; /* m */
    int64_t *order; /* m */
} climb;

int64_t scree__staircase_memory(int64_t n)
{
    return scree__dense_memory(n, n);
}

static void measure(climb *c, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++) {
        const double *row = c->s->rows + i * c->s->n;
        c->s->sigma[i] = sqrt(scree__row_dot(row, row, c->s->n));
    }
}

/* Rows from first on become about descending in length: they are left where they are if no row is longer than one
 * before it by more than LONGER. */
static void sort_rows(climb *c, int64_t first)
{
    scree__staircase *s = c->s;
    bool sorted = true;
    double shortest = HUGE_VAL;
    for (int64_t i = first; i < s->m; i++) {
        shortest = fmin(shortest, s->sigma[i]);
        sorted = sorted && s->sigma[i] <= LONGER * shortest;
    }
    if (sorted)
        return;
    s->upper = false;
    for (int64_t i = first; i < s->m; i++) {
        int64_t at = i;
        for (; at > first && s->sigma[c->order[at - 1]] < s->sigma[i]; at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = i;
    }
    for (int64_t i = first; i < s->m; i++) {
        memcpy(c->other + i * s->n, s->rows + c->order[i] * s->n, (size_t)s->n * sizeof *s->rows);
        c->values[i] = s->sigma[c->order[i]];
    }
    memcpy(s->rows + first * s->n, c->other + first * s->n, (size_t)((s->m - first) * s->n) * sizeof *s->rows);
    memcpy(s->sigma + first, c->values + first, (size_t)(s->m - first) * sizeof *s->sigma);
}

/* Where the window that begins with a row ends. */
static int64_t end_of(const scree__staircase *s, int64_t first)
{
    int64_t end = first + 1;
    while (end < s->m && s->sigma[end] >= NARROW * s->sigma[first] && s->sigma[end] >= GAP * s->sigma[end - 1])
        end++;
    return end;
}

/* The rows of a window become orthogonal. */
static scree_status solve_window(climb *c, int64_t first, int64_t end, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__staircase *s = c->s;
    int64_t k = end - first;
    double *rows = s->rows + first * s->n;
    const scree__dense_options options = {.threads = s->threads};
    scree__dense_result result = {.values = c->values, .vectors = c->turn};
    const bool upper = s->upper && first == 0;
    const scree__gram_of of = {.a = rows, .m = k, .n = s->n, .upper = upper};
    const scree__mixture mixture = {
        .weights = c->turn, .rows = rows, .out = c->other, .m = k, .k = k, .n = s->n, .alpha = 1, .upper = upper};
    if (k == 1)
        return SCREE_OK;
    int info = scree__rows_gram(&of, c->gram, s->threads);
    if (info == 0) {
        SCREE_TRY(scree__dense_eigen(c->gram, k, &k, &options, &result, error));
        info = scree__rows_mix(&mixture, s->threads);
    }
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", s->n, error));
    memcpy(rows, c->other, (size_t)(k * s->n) * sizeof *rows);
done:
    return status;
}

static scree_status climb_steps(climb *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__staircase *s = c->s;
    measure(c, 0, s->m);
    for (int64_t first = 0; first < s->m;) {
        sort_rows(c, first);
        const int64_t end = end_of(s, first);
        SCREE_TRY(solve_window(c, first, end, error));
        measure(c, first, end);
        const double done = DONE * s->sigma[first++];
        while (first < end && s->sigma[first] >= done)
            first++;
    }
done:
    return status;
}

/* out = row / length. */
SCREE_CLONES static void divide_row(const double *row, double length, int64_t n, double *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = row[j] / length;
}

/* gram = E, above the diagonal; its norm. */
static scree_status find_skew(climb *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__staircase *s = c->s;
    double sum = 0;
    measure(c, 0, s->m);
    for (int64_t i = 0; i < s->m; i++)
        divide_row(s->rows + i * s->n, s->sigma[i], s->n, c->other + i * s->n);
    const scree__gram_of of = {.a = c->other, .m = s->m, .n = s->n};
    const int info = scree__rows_gram(&of, c->gram, s->threads);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", s->n, error));
    for (int64_t i = 0; i < s->m; i++) {
        const double *beyond = c->gram + i * s->m + i + 1;
        sum += scree__row_dot(beyond, beyond, s->m - i - 1);
    }
    s->skew = sqrt(2 * sum);
done:
    return status;
}

/* A row of K from an entry on, σ_i being sigma_i; what is but rounding of E stays. Adds to sum the squares of L_ij and
 * L_ji; how many of the angles are not small. */
SCREE_CLONES static int64_t find_angles(const double *e, const double *sigma, double sigma_i, int64_t count, double *k,
                                        double *sum)
{
    const double inverse = 1 / sigma_i;
    double squares = 0;
    int64_t large = 0;
    for (int64_t j = 0; j < count; j++) {
        const double ratio = sigma[j] * inverse;
        const double angle = e[j] * ratio / (1 - ratio * ratio);
        k[j] = fabs(e[j]) <= 2 * ROUND_OFF ? 0 : angle;
        large += !(fabs(k[j]) <= NEAR);
        const double down = k[j] * ratio;
        const double up = down + e[j]; /* K_ij/r - K_ij r = E_ij */
        squares += down * down + up * up;
    }
    *sum += squares;
    return large;
}

/* K, in turn, and the norm of L = Σ⁻¹KΣ; how many angles are not small. */
static int64_t find_turn(const climb *c, double *norm)
{
    const scree__staircase *s = c->s;
    const int64_t m = s->m;
    int64_t large = 0;
    double sum = 0;
    for (int64_t i = 0; i < m; i++) {
        const int64_t at = i * m + i;
        c->turn[at] = 0;
        large += find_angles(c->gram + at + 1, s->sigma + i + 1, s->sigma[i], m - i - 1, c->turn + at + 1, &sum);
        for (int64_t j = i + 1; j < m; j++)
            c->turn[j * m + i] = -c->turn[i * m + j];
    }
    *norm = sqrt(sum);
    return large;
}

/* Jacobi's rotation of two rows. */
static void rotate(double *restrict x, double *restrict y, int64_t n)
{
    const double xy = scree__row_dot(x, y, n);
    if (xy == 0)
        return;
    const double zeta = (scree__row_dot(y, y, n) - scree__row_dot(x, x, n)) / (2 * xy);
    const double tangent = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    const double cosine = 1 / hypot(1, tangent);
    const double sine = cosine * tangent;
    for (int64_t j = 0; j < n; j++) {
        const double before = x[j];
        x[j] = cosine * before - sine * y[j];
        y[j] = sine * before + cosine * y[j];
    }
}

/* Rotates the pairs whose angle in K is not small. */
static void rotate_near(climb *c)
{
    const scree__staircase *s = c->s;
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = i + 1; j < s->m; j++)
            if (!(fabs(c->turn[i * s->m + j]) <= NEAR))
                rotate(s->rows + i * s->n, s->rows + j * s->n, s->n);
}

/* rows += term. */
SCREE_CLONES static void add(double *restrict rows, const double *restrict term, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        rows[i] += term[i];
}

/* T ← exp(K)T, as far as its series counts: terms that are less than enough are added to *left. */
static scree_status remove_skew(climb *c, double enough, double *left, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__staircase *s = c->s;
    const double norm = sqrt(scree__row_dot(c->turn, c->turn, s->m * s->m));
    const double *from = s->rows;
    double *to[2] = {c->other, c->gram};
    double size = norm;
    int info = 0;
    for (int power = 1; info == 0 && (power == 1 || size > enough); power++) {
        const scree__mixture term = {.weights = c->turn,
                                     .rows = from,
                                     .out = to[power % 2],
                                     .m = s->m,
                                     .k = s->m,
                                     .n = s->n,
                                     .alpha = 1.0 / power};
        info = scree__rows_mix(&term, s->threads);
        from = term.out;
        add(s->rows, from, s->m * s->n);
        size *= norm / (power + 1);
    }
    *left += 2 * size;
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", s->n, error));
done:
    return status;
}

static scree_status finish(climb *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__staircase *s = c->s;
    const double enough = ORTHOGONAL * (double)s->m * ROUND_OFF;
    for (int time = 0; time < FINISHES && !s->found; time++) {
        double norm;
        SCREE_TRY(find_skew(c, error));
        s->found = s->skew <= enough;
        if (s->found || !(s->skew < 1))
            break;
        const int64_t near = find_turn(c, &norm);
        if (near > MOST_NEAR * s->m)
            break;
        if (near > 0) {
            rotate_near(c);
            continue;
        }
        double left = 2 * norm * (s->skew + norm);
        SCREE_TRY(remove_skew(c, enough / 8, &left, error));
        s->found = left <= enough;
        s->skew = left + enough;
        if (s->found)
            measure(c, 0, s->m);
    }
done:
    return status;
}

scree_status scree__staircase_climb(scree__staircase *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    climb c = {.s = s, .other = s->room, .gram = s->room + s->m * s->n, .turn = s->room + 2 * s->m * s->n};
    SCREE_ALLOC(c.values, s->m, error);
    SCREE_ALLOC(c.order, s->m, error);
    SCREE_TRY(climb_steps(&c, error));
    SCREE_TRY(finish(&c, error));
done:
    free(c.values);
    free(c.order);
    return status;
}
