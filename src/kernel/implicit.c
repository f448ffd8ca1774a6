/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of a small symmetric tridiagonal T by the QR algorithm with implicit shifts (Francis 1961; Golub and Van
 * Loan 2013, 8.3): about 1.5 n sweeps of rotations
 *
 *     T ← GᵀTG, Q ← QG,   G in the plane of k and k + 1,   [c s; -s c] (x, z)ᵀ = (r, 0)ᵀ
 *
 * where x and z are the entries beside the diagonal that the last rotation has left, at first those of T - µ, with
 * Wilkinson's µ. Sweeps go down, so that the small entries are at the end: else T is taken backwards. Q is kept as rows
 * of vectors, so that a rotation is of two rows next to each other, whose arithmetic hides behind the root and the
 * quotient that the next one waits for: up to some 60 columns half the time of LAPACK's dstedc. */

#include "kernel/implicit.h"

#include "base/cpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 30 };           /* for each value; 2 are usual */
static const double NOTHING = 1e-32; /* of the largest entry: beside the diagonal it is 0 */

typedef struct sweeper {
    int64_t n;
    int64_t width; /* of a row of Q */
    double *d;     /* n */
    double *e;     /* n */
    double *q;     /* n×width */
    double floor;
} sweeper;

/* Whether T falls apart between k and k + 1. */
static bool is_apart(const sweeper *w, int64_t k)
{
    const double size = fabs(w->e[k]);
    return size * size <= DBL_EPSILON * DBL_EPSILON / 4 * fabs(w->d[k]) * fabs(w->d[k + 1]) || size <= w->floor;
}

/* The eigenvalue of the last two rows of a part that is nearer to the last entry. */
static double shift_of(const sweeper *w, int64_t last)
{
    const double half = (w->d[last - 1] - w->d[last]) / 2;
    const double beside = w->e[last - 1];
    const double root = hypot(half, beside);
    return w->d[last] - beside * (beside / (half + copysign(root, half)));
}

/* One sweep over the rows from first to last. */
SCREE_CLONES static void sweep(const sweeper *w, int64_t first, int64_t last, double shift)
{
    double *restrict d = w->d;
    double *restrict e = w->e;
    double x = d[first] - shift;
    double z = e[first];
    for (int64_t k = first; k < last; k++) {
        double *restrict upper = w->q + k * w->width;
        double *restrict lower = upper + w->width;
        const double squares = x * x + z * z;
        const double unit = 1 / sqrt(squares);
        const double c = squares > 0 ? x * unit : 1;
        const double s = squares > 0 ? z * unit : 0;
        const double a = d[k];
        const double b = e[k];
        const double g = d[k + 1];
        const double p = c * a + s * b;
        const double q = c * b + s * g;
        const double next = c * b - s * a;
        const double other = c * g - s * b;
        if (k > first)
            e[k - 1] = c * x + s * z;
        d[k] = c * p + s * q;
        d[k + 1] = c * other - s * next;
        x = e[k] = c * q - s * p;
        if (k + 1 < last) {
            z = s * e[k + 1];
            e[k + 1] *= c;
        }
        for (int64_t i = 0; i < w->width; i++) {
            const double u = upper[i];
            const double v = lower[i];
            upper[i] = c * u + s * v;
            lower[i] = c * v - s * u;
        }
    }
}

/* T becomes diagonal. */
static bool diagonalise(sweeper *w)
{
    int64_t left = MOST_SWEEPS * w->n;
    for (int64_t last = w->n - 1; last > 0;) {
        if (is_apart(w, last - 1)) {
            w->e[--last] = 0;
            continue;
        }
        int64_t first = last - 1;
        while (first > 0 && !is_apart(w, first - 1))
            first--;
        if (left-- == 0)
            return false;
        sweep(w, first, last, shift_of(w, last));
    }
    return true;
}

/* The values, and the rows of Q, in ascending order. */
static void sort(const sweeper *w, double *values, double *vectors, int64_t ld)
{
    for (int64_t i = 0; i < w->n; i++) {
        int64_t least = 0;
        for (int64_t k = 1; k < w->n; k++)
            least = w->d[k] < w->d[least] ? k : least;
        values[i] = w->d[least];
        memcpy(vectors + i * ld, w->q + least * w->width, (size_t)w->n * sizeof *vectors);
        w->d[least] = HUGE_VAL;
    }
}

/* T, or T taken backwards, and Q, which is then the identity backwards. */
static void begin(sweeper *w, const double *diagonal, const double *beside)
{
    const int64_t n = w->n;
    const bool backwards = fabs(diagonal[0]) < fabs(diagonal[n - 1]);
    double most = 0;
    memset(w->q, 0, (size_t)(n * w->width) * sizeof *w->q);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = backwards ? n - 1 - i : i;
        w->d[i] = diagonal[at];
        w->e[i] = i + 1 < n ? beside[backwards ? at - 1 : at] : 0;
        w->q[i * w->width + at] = 1;
        most = fmax(most, fmax(fabs(w->d[i]), fabs(w->e[i])));
    }
    w->floor = NOTHING * most;
}

bool scree__implicit_eigen(int64_t n, double *diagonal, const double *beside, double *vectors, int64_t ld, double *room)
{
    const int64_t width = SCREE__IMPLICIT_WIDTH(n);
    sweeper w = {.n = n, .width = width, .q = room, .d = room + n * width, .e = room + n * width + n};
    begin(&w, diagonal, beside);
    if (!diagonalise(&w))
        return false;
    sort(&w, diagonal, vectors, ld);
    return true;
}
