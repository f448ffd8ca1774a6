/* SPDX-License-Identifier: BSD-3-Clause */
/* Varimax and quartimax, the orthomax criteria Σ_k [Σ_j b⁴ - γ/d (Σ_j b²)²] with γ = 1 and 0, by rotations of two
 * columns x, y at a time, each to the maximum of its plane (Kaiser 1958). With u = x² - y², v = 2xy,
 *
 *     tan 4φ = (2Σuv - 2γ Σu Σv/d) / (Σ(u² - v²) - γ ((Σu)² - (Σv)²)/d)
 *
 * A sweep over all pairs is O(dk²), and sweeps converge quadratically: angles fall to rounding. */

#include "kernel/rotation.h"

#include "base/memory.h"

#include <math.h>

enum { SWEEPS = 1000 };

static const double SMALL = 1e-13; /* an angle that changes nothing */

static double angle(const double *b, const scree__rotate *r, int64_t p, int64_t q)
{
    const double gamma = r->method == SCREE__QUARTIMAX ? 0 : 1;
    const double d = (double)r->d;
    double u1 = 0;
    double v1 = 0;
    double uv = 0;
    double difference = 0;
    for (int64_t j = 0; j < r->d; j++) {
        const double x = b[j * r->k + p];
        const double y = b[j * r->k + q];
        const double u = (x - y) * (x + y);
        const double v = 2 * x * y;
        u1 += u;
        v1 += v;
        uv += 2 * u * v;
        difference += (u - v) * (u + v);
    }
    return 0.25 * atan2(uv - 2 * gamma * u1 * v1 / d, difference - gamma * (u1 - v1) * (u1 + v1) / d);
}

static void turn(double *b, int64_t rows, int64_t k, int64_t p, int64_t q, double phi)
{
    const double c = cos(phi);
    const double s = sin(phi);
    for (int64_t j = 0; j < rows; j++) {
        const double x = b[j * k + p];
        const double y = b[j * k + q];
        b[j * k + p] = c * x + s * y;
        b[j * k + q] = c * y - s * x;
    }
}

/* Minus what is maximised. */
static double criterion(const double *b, const scree__rotate *r)
{
    double sum = 0;
    for (int64_t l = 0; l < r->k; l++) {
        double squares = 0;
        for (int64_t j = 0; j < r->d; j++) {
            const double square = b[j * r->k + l] * b[j * r->k + l];
            squares += square;
            sum -= square * square;
        }
        sum += r->method == SCREE__QUARTIMAX ? 0 : squares * squares / (double)r->d;
    }
    return sum;
}

scree_status scree__orthomax(const scree__rotate *rotate, const double *a, double *m, double *value, bool *converged,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = rotate->k;
    double *b = NULL;
    SCREE_ALLOC(b, rotate->d * k, error);
    scree__small_product(false, rotate->d, k, k, a, m, b);
    *converged = false;
    for (int sweep = 0; sweep < SWEEPS && !*converged; sweep++) {
        double most = 0;
        for (int64_t p = 0; p < k; p++)
            for (int64_t q = p + 1; q < k; q++) {
                const double phi = angle(b, rotate, p, q);
                most = fmax(most, fabs(phi));
                if (fabs(phi) <= SMALL)
                    continue;
                turn(b, rotate->d, k, p, q, phi);
                turn(m, k, k, p, q, phi);
            }
        *converged = most <= SMALL;
    }
    *value = criterion(b, rotate);
done:
    free(b);
    return status;
}
