/* SPDX-License-Identifier: BSD-3-Clause */
/* The log-likelihood of n rows held out under the model that the other rows give, for all M at once. In the basis of
 * the eigenvectors u_j of the rows left in, with e_j = Σ (u_jᵀ(x-µ))² over the rows held out (10.70, 10.79):
 *
 *     ln p = -½ [n (d ln 2π + Σ_{j≤M} ln λ_j + (d-M) ln σ²) + Σ_{j≤M} e_j/λ_j + (Σ‖x-µ‖² - Σ_{j≤M} e_j)/σ²],
 *
 * σ² = Σ_{j>M} λ_j/(d-M): prefix sums, O(M) after the eigendecomposition. */

#include "fit/selection.h"

#include <math.h>

void scree__heldout_score(const scree__heldout *h, double *loglik)
{
    const int64_t count = h->count;
    const double floor = 4 * (double)(count > 16 ? count : 16) * 0x1p-52 * h->values[count - 1] / h->rows_in;
    double left = 0;
    double logs = 0;
    double inside = 0; /* Σ e_j/λ_j */
    double outside = h->total;
    for (int64_t j = 0; j < count; j++)
        left += fmax(h->values[j], 0) / h->rows_in;
    for (int64_t m = 0; m <= h->max_components; m++) {
        const int64_t j = count - m; /* of the M-th value */
        loglik[m] = NAN;
        if (m > 0 && (j < 0 || !(h->values[j] / h->rows_in > floor)))
            left = 0;
        else if (m > 0) {
            const double value = h->values[j] / h->rows_in;
            left -= value;
            logs += log(value);
            inside += h->energy[j] / value;
            outside -= h->energy[j];
        }
        const double noise = m < h->d ? left / (double)(h->d - m) : 0;
        if (noise > floor)
            loglik[m] = -0.5 * (h->rows_out * ((double)h->d * log(2 * M_PI) + logs + (double)(h->d - m) * log(noise)) +
                                inside + fmax(outside, 0) / noise);
    }
}
