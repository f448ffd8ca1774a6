/* SPDX-License-Identifier: BSD-3-Clause */
/* Varimax and quartimax, the orthomax criteria Σ_k [Σ_j b⁴ - γ/d (Σ_j b²)²] with γ = 1 and 0, by rotations of two
 * columns x, y at a time, each to the maximum of its plane (Kaiser 1958). With u = x² - y², v = 2xy,
 *
 *     tan 4φ = (2Σuv - 2γ Σu Σv/d) / (Σ(u² - v²) - γ ((Σu)² - (Σv)²)/d)
 *
 * Columns are kept one after the other, those of Mᵀ behind them. A sweep over all pairs is O(dk²), and sweeps converge
 * quadratically, until angles are but rounding and fall no further. */

#include "kernel/rotation.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <math.h>

enum { SWEEPS = 1000, ROUGH_SWEEPS = 30, LANES = 8, PATIENCE = 5 };

static const double SMALL = 1e-14; /* an angle that changes nothing */
static const double FLAT = 1e-7;   /* one that may be rounding, where the criterion has no sharp optimum */

/* Σu, Σv, 2Σuv and Σ(u² - v²), each in lanes that are added up in a fixed order. */
SCREE_CLONES static void sum_pair(const double *x, const double *y, int64_t d, double sums[4])
{
    double lanes[4][LANES] = {{0}};
    for (int64_t j = 0; j < d; j++) {
        const double u = (x[j] - y[j]) * (x[j] + y[j]);
        const double v = 2 * x[j] * y[j];
        const int64_t lane = j % LANES;
        lanes[0][lane] += u;
        lanes[1][lane] += v;
        lanes[2][lane] += 2 * u * v;
        lanes[3][lane] += (u - v) * (u + v);
    }
    for (int i = 0; i < 4; i++) {
        sums[i] = 0;
        for (int lane = 0; lane < LANES; lane++)
            sums[i] += lanes[i][lane];
    }
}

static double angle(const double *x, const double *y, const scree__rotate *r)
{
    const double gamma = r->method == SCREE__QUARTIMAX ? 0 : 1;
    const double d = (double)r->d;
    double s[4];
    sum_pair(x, y, r->d, s);
    return 0.25 * atan2(s[2] - 2 * gamma * s[0] * s[1] / d, s[3] - gamma * (s[0] - s[1]) * (s[0] + s[1]) / d);
}

SCREE_CLONES static void turn(double *x, double *y, int64_t count, double c, double s)
{
    for (int64_t j = 0; j < count; j++) {
        const double before = x[j];
        x[j] = c * before + s * y[j];
        y[j] = c * y[j] - s * before;
    }
}

/* Minus what is maximised. */
static double criterion(const double *b, int64_t stride, const scree__rotate *r)
{
    double sum = 0;
    for (int64_t l = 0; l < r->k; l++) {
        double squares = 0;
        for (int64_t j = 0; j < r->d; j++) {
            const double square = b[l * stride + j] * b[l * stride + j];
            squares += square;
            sum -= square * square;
        }
        sum += r->method == SCREE__QUARTIMAX ? 0 : squares * squares / (double)r->d;
    }
    return sum;
}

/* All pairs once; the largest angle. */
static double sweep(double *b, int64_t stride, const scree__rotate *r)
{
    double most = 0;
    for (int64_t p = 0; p < r->k; p++)
        for (int64_t q = p + 1; q < r->k; q++) {
            double *x = b + p * stride;
            double *y = b + q * stride;
            const double phi = angle(x, y, r);
            most = fmax(most, fabs(phi));
            if (fabs(phi) > SMALL)
                turn(x, y, stride, cos(phi), sin(phi));
        }
    return most;
}

scree_status scree__orthomax(const scree__rotate *rotate, const double *a, bool rough, double *m, double *value,
                             bool *converged, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = rotate->k;
    const int64_t d = rotate->d;
    const int64_t stride = d + k;
    double *b = NULL;
    double least = INFINITY;
    int stale = 0;
    SCREE_ALLOC(b, stride * k, error);
    for (int64_t l = 0; l < k; l++) {
        for (int64_t j = 0; j < d; j++)
            for (int64_t i = 0; i < k; i++)
                b[l * stride + j] += a[j * k + i] * m[i * k + l];
        for (int64_t i = 0; i < k; i++)
            b[l * stride + d + i] = m[i * k + l];
    }
    *converged = false;
    for (int i = 0; i < (rough ? ROUGH_SWEEPS : SWEEPS) && !*converged; i++) {
        const double most = sweep(b, stride, rotate);
        stale = most < least / 2 ? 0 : stale + 1;
        least = fmin(least, most);
        *converged = most <= (rough ? FLAT : SMALL) || (stale >= PATIENCE && most <= FLAT);
    }
    *value = criterion(b, stride, rotate);
    for (int64_t i = 0; i < k * k; i++)
        m[i] = b[i % k * stride + d + i / k];
done:
    free(b);
    return status;
}
