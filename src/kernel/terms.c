/* SPDX-License-Identifier: BSD-3-Clause */
/* Where x_p = Σ a_i x_i + e, e rounding or another error, columns that have no part in it get a small coefficient
 * all the same. With C the correlations of the columns, r the share of x_p that is left, and N - m degrees of freedom,
 * its square is
 *
 *     s_i² = r C⁻¹_ii (1/(N - m) + r C⁻¹_ii)
 *
 * on average: by chance, and at most so much more because e has the rounding of x_i in it. Backward elimination takes
 * off the coefficient that is least beside its s_i,
 *
 *     a ← a - C⁻¹_:i a_i/C⁻¹_ii,    C⁻¹ ← C⁻¹ - C⁻¹_:i C⁻¹_i:/C⁻¹_ii,    r ← r + a_i²/C⁻¹_ii,
 *
 * while it is within a few s_i, more of them for few degrees of freedom, and r stays small. The coefficients left
 * are solved for again, as C⁻¹ loses digits on the way. At most m³/3 flops for it, and as many again. */

#include "kernel/terms.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEVIATIONS = 6; /* a coefficient within so many may be chance */
static const double FEW = 15;       /* degrees of freedom for which it is twice as many: Student's t */
static const double NO_PART = 1e-8; /* of the largest coefficient: rounding in any case */

/* R, upper, becomes R⁻¹. */
static void invert(double *r, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        const double pivot = 1 / r[j * n + j];
        for (int64_t i = 0; i < j; i++) {
            double sum = 0;
            for (int64_t k = i; k < j; k++)
                sum += r[i * n + k] * r[k * n + j];
            r[i * n + j] = -sum * pivot;
        }
        r[j * n + j] = pivot;
    }
}

scree_status scree__terms_make(scree__terms *terms, double *root, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = terms->count;
    terms->inverse = root;
    SCREE_ALLOC(terms->work, n * n, error);
    SCREE_ALLOC(terms->b, n, error);
    SCREE_ALLOC(terms->left, n, error);
    invert(root, n);
    for (int64_t i = 0; i < n; i++) /* R⁻¹R⁻ᵀ: the upper half first, of which no later one has need */
        for (int64_t j = i; j < n; j++) {
            double sum = 0;
            for (int64_t k = j; k < n; k++)
                sum += root[i * n + k] * root[j * n + k];
            root[i * n + j] = sum;
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            root[i * n + j] = root[j * n + i];
done:
    return status;
}

void scree__terms_clear(scree__terms *terms)
{
    free(terms->inverse);
    free(terms->work);
    free(terms->b);
    free(terms->left);
    *terms = (scree__terms){0};
}

/* What a column leaves that coefficient j makes good. */
static double share_of(const scree__terms *terms, int64_t j)
{
    return terms->b[j] * terms->b[j] / terms->work[j * terms->count + j];
}

/* The coefficient to take off next, among those left: the one that is least beside its deviation; -1: all matter. */
static int64_t least(const scree__terms *terms, int64_t count, double remains, double limit)
{
    const int64_t n = terms->count;
    const double freedom = fmax(terms->rows - (double)count, 1);
    const double allowed = DEVIATIONS * (1 + FEW / freedom);
    double ratio = allowed * allowed;
    int64_t best = -1;
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = terms->left[i];
        const double spread = remains * terms->work[j * n + j];
        const double square = terms->b[j] * terms->b[j] / (spread * (1 / freedom + spread));
        if (square < ratio && remains + share_of(terms, j) < limit) {
            ratio = square;
            best = i;
        }
    }
    return best;
}

/* Column g, which was taken from those left, no longer has a part. */
static void take_off(const scree__terms *terms, int64_t count, int64_t g)
{
    const int64_t n = terms->count;
    const double *gone = terms->work + g * n;
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = terms->left[i];
        double *row = terms->work + j * n;
        const double factor = row[g] / gone[g];
        terms->b[j] -= factor * terms->b[g];
        for (int64_t k = 0; factor != 0 && k < count; k++)
            row[terms->left[k]] -= factor * gone[terms->left[k]];
    }
}

/* Those left are solved for, by Cholesky's factorisation LLᵀ. */
static void solve_again(const scree__terms *terms, int64_t p, int64_t count, double *a)
{
    double *l = terms->work;
    double *b = terms->b;
    for (int64_t i = 0; i < count; i++) {
        const double *from = terms->h + terms->column[terms->left[i]] * terms->stride;
        double *row = l + i * count;
        b[i] = from[p];
        for (int64_t j = 0; j <= i; j++) {
            const double *other = l + j * count;
            double sum = from[terms->column[terms->left[j]]];
            for (int64_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / other[j];
        }
        for (int64_t k = 0; k < i; k++)
            b[i] -= row[k] * b[k];
        b[i] /= row[i];
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < count; k++)
            b[i] -= l[k * count + i] * b[k];
        b[i] /= l[i * count + i];
        a[terms->column[terms->left[i]]] = b[i];
    }
}

double scree__terms_choose(const scree__terms *terms, int64_t p, double remains, double limit, double *a)
{
    const int64_t n = terms->count;
    int64_t count = n;
    double most = 0, gone = 0;
    double now = fmax(remains, (double)terms->stride * DBL_EPSILON);
    memcpy(terms->work, terms->inverse, (size_t)(n * n) * sizeof *terms->work);
    for (int64_t i = 0; i < n; i++) {
        terms->left[i] = i;
        terms->b[i] = a[terms->column[i]];
        most = fmax(most, fabs(terms->b[i]));
    }
    while (count > 1) {
        const int64_t at = least(terms, count, now, limit);
        if (at < 0)
            break;
        const int64_t g = terms->left[at];
        now += share_of(terms, g);
        count--;
        memmove(terms->left + at, terms->left + at + 1, (size_t)(count - at) * sizeof *terms->left);
        take_off(terms, count, g);
        gone = fmax(gone, fabs(a[terms->column[g]]));
        a[terms->column[g]] = 0;
    }
    if (!(gone > NO_PART * most))
        return remains;
    solve_again(terms, p, count, a);
    return now;
}
