/* SPDX-License-Identifier: BSD-3-Clause */
/* The least eigenvalue of a positive definite H = RᵀR (n×n) from below. A few steps of inverse iteration,
 *
 *     y = R⁻ᵀx,   θ = ‖x‖²/‖y‖² ≥ λ_min,   x ← R⁻¹y/‖R⁻¹y‖,
 *
 * say where it is, and a Cholesky factor of H - µI for µ a little below θ proves it: there is one only where µ < λ_min
 * but for (n+1)u tr H (Rump 2006). Where there is none, θ has not come near yet, and smaller µ are tried. */

#include "kernel/least.h"

#include "base/cpu.h"
#include "kernel/cholesky.h"
#include "kernel/row_products.h"

#include <math.h>
#include <string.h>

enum { STEPS = 30 };
static const double ROUND_OFF = 0x1p-53;
static const double SETTLED = 0.05; /* a step that changes θ by less */
static const double SHARES[] = {0.85, 0.6, 0.3, 0.1};

/* x = R⁻ᵀx. */
SCREE_CLONES static void solve_down(const double *r, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        const double *row = r + i * n;
        const double here = x[i] / row[i];
        x[i] = here;
        for (int64_t j = i + 1; j < n; j++)
            x[j] -= row[j] * here;
    }
}

/* x = R⁻¹x. */
static void solve_up(const double *r, int64_t n, double *x)
{
    for (int64_t i = n - 1; i >= 0; i--)
        x[i] = (x[i] - scree__row_dot(r + i * n + i + 1, x + i + 1, n - i - 1)) / r[i * n + i];
}

/* θ; x: n of room. */
static double approach(const double *r, int64_t n, double *x)
{
    double found = 0;
    for (int64_t i = 0; i < n; i++)
        x[i] = (i % 3 == 1 ? -1 : 1) / r[i * n + i]; /* large where columns depend on those before */
    for (int step = 0; step < STEPS; step++) {
        const double length = sqrt(scree__row_dot(x, x, n));
        for (int64_t i = 0; i < n; i++)
            x[i] /= length;
        solve_down(r, n, x);
        const double next = 1 / scree__row_dot(x, x, n);
        const bool settled = step > 0 && found - next <= SETTLED * found;
        found = next;
        if (settled)
            break;
        solve_up(r, n, x);
    }
    return found;
}

void scree__least_eigenvalue(const double *h, const double *r, int64_t n, int threads, double *work, double *least)
{
    double trace = 0;
    *least = 0;
    for (int64_t i = 0; i < n; i++)
        trace += h[i * n + i];
    const double hidden = (double)(n + 2) * ROUND_OFF * trace;
    const double near = approach(r, n, work);
    for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES && *least == 0; i++) {
        const double below = SHARES[i] * near;
        if (!(below > hidden))
            break;
        memcpy(work, h, (size_t)(n * n) * sizeof *work);
        for (int64_t j = 0; j < n; j++)
            work[j * n + j] -= below;
        if (scree__cholesky(work, n, threads))
            *least = below - hidden;
    }
}
