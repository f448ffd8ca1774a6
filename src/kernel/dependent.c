/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are linear functions of others: a copy, a sum. Of the covariance S = DHD, D the deviations of the
 * columns, a Cholesky factorisation H = RᵀR takes the column with the largest pivot next. A pivot is the share of a
 * column's variance that those before it leave; where that is but rounding the column is determined, and
 *
 *     x_p = Σ_i a_i x_i + e,     R₁₁(D₁a) = R₁₂ d_p,     i the columns before
 *
 * A pivot of at most 10⁻⁴, of numbers that were rounded to a few digits, say, makes a column that is nearly determined:
 * by the columns of larger pivots, and with var e = pivot·d_p², over the degrees of freedom. Columns that are nearly
 * determined and themselves determine one exactly are left alone.
 *
 * Columns that vary in a few rows only come first, so that they determine others, and are determined by their like
 * alone: such relations are loose, as other rows may well break them.
 *
 * Columns whose coefficient may be rounding, or chance, have no part in a relation (terms.c).
 *
 * Of numbers that were estimated from few rows more than there are columns, pivots are too small: what rounding is
 * counts the degrees of freedom. Rows that occur twice but for a column or two make relations of as many columns as
 * there are different rows otherwise: where the rows that were kept repeat each other in the columns of a relation,
 * none is believed. n³/3 flops. */

#include "kernel/dependent.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/terms.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NEARLY = 1e-4;  /* a pivot */
static const double NO_PART = 1e-8; /* of the largest coefficient of standardised columns: rounding */
/* What is left of a column at most when others have no part in it: times rounding, and times what was left. */
static const double LARGER = 4;
static const double LITTLE_MORE = 1.1;
enum { ROWS_A_COLUMN = 2 }; /* for columns that are nearly determined */
/* A relation that so few rows more than columns bear out may be chance. */
enum { SPARE_ROWS = 5 };

/* The factorisation, in the order of its pivots. */
typedef struct factored {
    int64_t n;
    int64_t *order; /* n */
    double *h;      /* n×n: H, of which the first rows become R, columns as they came */
    double *pivots; /* n */
    double *left;   /* n: the diagonal of what is left of H */
    bool *few;      /* n: columns that vary in a few rows only */
    double *deviations;
    double *correlations;              /* n×n: H as it was */
    scree__terms terms;                /* of the columns that determine the one looked at */
    const scree__witnesses *witnesses; /* or NULL */
    int64_t clear;                     /* pivots above NEARLY */
    int64_t rank;                      /* and above rounding */
    int64_t all;                       /* columns that vary */
} factored;

double scree__dependent_rounding(int64_t n)
{
    return 16 * (double)n * DBL_EPSILON;
}

int64_t scree__dependent_memory(int64_t n)
{
    return n <= SCREE__DEPENDENT_MOST ? 8 * (5 * n * n + 10 * n) : 0;
}

void scree__dependent_clear(scree__dependent *found)
{
    free(found->columns);
    free(found->coefficients);
    free(found->variances);
    *found = (scree__dependent){0};
}

/* H, and the columns that vary, in their order. */
static void correlate(factored *f, const double *a)
{
    const int64_t n = f->n;
    for (int64_t i = 0; i < n; i++) {
        f->left[i] = 1;
        f->few[i] = f->witnesses && scree__witnesses_are_few(f->witnesses, i);
        f->deviations[i] = sqrt(fmax(a[i * n + i], 0));
        if (f->deviations[i] > 0)
            f->order[f->all++] = i;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double both = f->deviations[i] * f->deviations[j];
            f->h[i * n + j] = i == j ? 1 : both > 0 ? a[i * n + j] / both : 0;
        }
    memcpy(f->correlations, f->h, (size_t)(n * n) * sizeof *f->h);
}

/* The largest diagonal of those left comes to the front, the first of equals; of columns that vary in a few rows, where
 * one of these has something left. */
static double choose(const factored *f, int64_t at)
{
    int64_t best = at;
    bool best_is_few = false;
    for (int64_t i = at; i < f->all; i++) {
        const double left = f->left[f->order[i]];
        const bool comes_first = f->few[f->order[i]] && left > NEARLY;
        if (comes_first == best_is_few ? left > f->left[f->order[best]] : comes_first) {
            best = i;
            best_is_few = comes_first;
        }
    }
    const int64_t chosen = f->order[best];
    for (int64_t i = best; i > at; i--) /* the others stay in their order */
        f->order[i] = f->order[i - 1];
    f->order[at] = chosen;
    return f->left[chosen];
}

/* What a row takes off those that come after it, count of them. Of columns that were chosen before, too, in which
 * nobody looks at these rows again: so the loop is a plain one. */
SCREE_CLONES static void subtract(double *restrict h, const int64_t *after, int64_t count, const double *restrict row,
                                  double *left, int64_t n)
{
    for (int64_t i = 0; i < count; i++) {
        double *restrict into = h + after[i] * n;
        const double times = row[after[i]];
        for (int64_t j = 0; j < n; j++)
            into[j] -= times * row[j];
        left[after[i]] = into[after[i]];
    }
}

static void factor(factored *f, double rows)
{
    const int64_t n = f->n;
    const double nothing = scree__dependent_rounding(n);
    for (f->rank = 0; f->rank < f->all; f->rank++) {
        const double pivot = choose(f, f->rank);
        const double freedom = rows - (double)f->rank;
        if (!(pivot > (freedom > 1 ? nothing * freedom / rows : 0) && pivot > DBL_EPSILON * (double)n))
            return;
        f->pivots[f->rank] = pivot;
        f->clear += pivot > NEARLY;
        const double root = sqrt(pivot);
        double *row = f->h + f->order[f->rank] * n;
        for (int64_t j = f->rank; j < f->all; j++)
            row[f->order[j]] /= root;
        subtract(f->h, f->order + f->rank + 1, f->all - f->rank - 1, row, f->left, n);
    }
}

/* Whether every pivot is clear, in whatever order: where H - 2·NEARLY is positive definite, as no share that is left of
 * a column is smaller than the least eigenvalue of H. A Cholesky factorisation by LAPACK says so in a third of the
 * time. Columns that do not vary have a row of the identity. */
static bool is_clear(factored *f)
{
    const int64_t n = f->n;
    for (int64_t i = 0; i < n; i++)
        f->h[i * n + i] = 1 - 2 * NEARLY;
    scree__blas_enter();
    const bool clear = scree__dpotrf(n, f->h, n) == 0;
    scree__blas_leave();
    if (clear)
        f->rank = f->clear = f->all;
    else
        memcpy(f->h, f->correlations, (size_t)(n * n) * sizeof *f->h);
    return clear;
}

/* For relations with the first so many of the order. */
static scree_status ready_terms(factored *f, int64_t count, double rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *root = NULL;
    scree__terms_clear(&f->terms);
    SCREE_ALLOC(root, count * count, error);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i; j < count; j++)
            root[i * count + j] = f->h[f->order[i] * f->n + f->order[j]];
    f->terms = (scree__terms){.count = count, .stride = f->n, .column = f->order, .h = f->correlations, .rows = rows};
    SCREE_TRY(scree__terms_make(&f->terms, root, error));
done:
    return status;
}

/* The coefficients of column p, n of them, where so much of it is left, and at most limit. How much is. */
static double solve(const factored *f, int64_t p, double left, double limit, double *out)
{
    const int64_t count = f->terms.count;
    double most = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        const double *row = f->h + f->order[i] * f->n;
        double sum = row[p];
        for (int64_t k = i + 1; k < count; k++)
            sum -= row[f->order[k]] * out[f->order[k]];
        out[f->order[i]] = sum / row[f->order[i]];
    }
    left = scree__terms_choose(&f->terms, p, left, limit, out);
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(out[f->order[i]]));
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = f->order[i];
        out[j] = fabs(out[j]) > NO_PART * most ? out[j] * (f->deviations[p] / f->deviations[j]) : 0;
    }
    return left;
}

/* Whether one of the relations found so far has a part of the column. */
static bool is_used(const scree__dependent *found, int64_t n, int64_t column)
{
    for (int64_t k = 0; k < found->count + found->loose; k++)
        if (found->coefficients[k * n + column] != 0)
            return true;
    return false;
}

/* A relation, where its column belongs: among those from first on. nearly: the share that is left of it; 0: rounding.
 */
static void add(scree__dependent *found, const factored *f, int64_t p, double nearly)
{
    const int64_t n = f->n;
    const bool is_loose = f->few[p];
    const int64_t first = is_loose ? found->count : 0;
    int64_t at = found->count + found->loose;
    found->loose += is_loose;
    found->count += !is_loose;
    for (; at > first && (found->columns[at - 1] > p || (!is_loose && at > found->count - 1)); at--) {
        found->columns[at] = found->columns[at - 1];
        found->variances[at] = found->variances[at - 1];
        for (int64_t j = 0; j < n; j++)
            found->coefficients[at * n + j] = found->coefficients[(at - 1) * n + j];
    }
    found->columns[at] = p;
    for (int64_t j = 0; j < n; j++)
        found->coefficients[at * n + j] = 0;
    const double wider = f->terms.rows / (f->terms.rows - (double)f->terms.count);
    const double limit = nearly > 0 ? LITTLE_MORE * wider * nearly : LARGER * scree__dependent_rounding(n);
    const double left = solve(f, p, nearly > 0 ? nearly : f->h[p * n + p], limit, found->coefficients + at * n);
    found->variances[at] = nearly > 0 ? left * f->deviations[p] * f->deviations[p] * wider : 0;
}

static scree_status collect(scree__dependent *found, factored *f, double rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    found->basis = f->rank;
    if (!(rows >= (double)(f->rank + SPARE_ROWS)))
        return SCREE_OK;
    if (f->rank < f->all)
        SCREE_TRY(ready_terms(f, f->rank, rows, error));
    for (int64_t i = f->rank; i < f->all; i++)
        add(found, f, f->order[i], 0);
    for (int64_t k = 0; k < found->count; k++)
        if (f->witnesses && scree__witnesses_repeat(f->witnesses, found->coefficients + k * f->n, found->columns[k])) {
            found->count = found->loose = 0;
            return SCREE_OK;
        }
    if (!(rows >= ROWS_A_COLUMN * (double)f->clear) || f->clear == f->rank)
        return SCREE_OK;
    SCREE_TRY(ready_terms(f, f->clear, rows, error));
    for (int64_t i = f->clear; i < f->rank; i++) {
        const int64_t p = f->order[i];
        if (is_used(found, f->n, p) || f->few[p])
            continue;
        found->basis--;
        add(found, f, p, f->pivots[i]);
    }
done:
    return status;
}

scree_status scree__dependent_find(scree__dependent *found, const double *a, int64_t n, double rows,
                                   const scree__witnesses *witnesses, scree_error *error)
{
    scree_status status = SCREE_OK;
    factored f = {.n = n, .witnesses = witnesses};
    *found = (scree__dependent){0};
    if (n > SCREE__DEPENDENT_MOST)
        return SCREE_OK;
    SCREE_ALLOC(f.order, n, error);
    SCREE_ALLOC(f.h, n * n, error);
    SCREE_ALLOC(f.pivots, n, error);
    SCREE_ALLOC(f.left, n, error);
    SCREE_ALLOC(f.few, n, error);
    SCREE_ALLOC(f.deviations, n, error);
    SCREE_ALLOC(f.correlations, n * n, error);
    correlate(&f, a);
    if (!is_clear(&f))
        factor(&f, rows);
    SCREE_ALLOC(found->columns, n, error);
    SCREE_ALLOC(found->variances, n, error);
    SCREE_ALLOC(found->coefficients, (f.all - f.clear) * n, error);
    SCREE_TRY(collect(found, &f, rows, error));
done:
    free(f.order);
    free(f.h);
    free(f.pivots);
    free(f.left);
    free(f.few);
    free(f.deviations);
    free(f.correlations);
    scree__terms_clear(&f.terms);
    return status;
}
