/* SPDX-License-Identifier: BSD-3-Clause */
/* New rows of a model whose columns were divided by their standard deviations. The law makes a new row one of those
 * fitted (row_law.c), and then its own values are in the deviations, too: column j, y_j from the mean in units of its
 * deviation, would be divided by
 *
 *     1/κ_j = √((δ + y_j² N/(N+1)) / (δ + 1)),   δ = N - ddof
 *
 * more. To first order the eigenvalue of u is multiplied by κ_u² = (Σ κ_j u_j²)²; of directions that are not known, by
 * the average of what is left. The components turn with the columns, to directions near κ∘u: so of y = Ut + e the codes
 * become κ_u t, and what is outside becomes κ∘e. (κ∘y would leave components that did not turn by far more than there
 * is noise, where they are strong.) Fitted rows need nothing of the kind, nor does T² where M = D, which no scale
 * changes; and for N of the order of a hundred times √(2D) the correction is not worth its 6DM flops. */

#include "model/score.h"

#include "kernel/blas.h"
#include "model/model.h"
#include "model/support.h"

#include <math.h>
#include <string.h>

int64_t scree__rescale_work(int64_t d, int64_t codes)
{
    return 2 * d + 2 * codes + 2;
}

/* κ of a row, and κ∘e in the place of Ut; their sums. */
static void rescale_row(const scree_model_view *view, const double *y, double *factors, double *x, double *sum,
                        double *square)
{
    const double n = scree__model_rows(view);
    const double divisor = n - view->ddof;
    *sum = *square = 0;
    for (int64_t j = 0; j < view->d; j++) {
        factors[j] = sqrt((divisor + 1) / (divisor + y[j] * y[j] * n / (n + 1)));
        x[j] = (y[j] - x[j]) * factors[j];
        *sum += factors[j];
        *square += x[j] * x[j];
    }
}

/* Q of a row with this square outside of the components. Rows that have no directions but the known ones stay in them,
 * though to first order κ∘e does not. */
static double rest_of(const scree_scorer *scorer, const double *codes, double square)
{
    double beyond = 0;
    for (int64_t j = scorer->law.latent; j < scorer->codes; j++)
        beyond += codes[j] * codes[j];
    return scorer->law.is_flat ? beyond : square;
}

/* Of columns that do not vary, the sum of κ: they are none of those whose average counts. */
static double constant_factors(const scree_model_view *view, int64_t varying)
{
    const double divisor = scree__model_rows(view) - view->ddof;
    return (double)(view->d - varying) * sqrt((divisor + 1) / divisor);
}

/* gains become factors of the eigenvalues, codes of components what they are after scaling. varying: columns. */
static void gain(const scree_scorer *scorer, int64_t varying, const double *before, double *codes, double *gains)
{
    const int64_t k = scorer->codes;
    if (varying < scorer->kept->view.d)
        gains[k] -= constant_factors(&scorer->kept->view, varying);
    for (int64_t j = 0; j < k; j++) {
        if (j < scorer->law.latent)
            codes[j] = gains[j] * before[j];
        gains[k] -= gains[j];
        gains[j] *= gains[j];
    }
    gains[k] = varying > k ? pow(gains[k] / (double)(varying - k), 2) : 1;
}

scree__rescaled scree__rescale(const scree_scorer *scorer, const scree__chunk *chunk, const double *codes, double *work)
{
    const scree_model_view *view = &scorer->kept->view;
    const int64_t d = view->d;
    const int64_t k = scorer->codes;
    const int64_t m = scorer->law.latent;
    const int64_t height = chunk->height;
    const int64_t varying = scree__varying_columns(view);
    double *factors = work;
    double *x = factors + height * d;
    const scree__rescaled out = {x + height * d, x + height * (d + k), x + height * (d + 2 * k + 1)};
    double *sums = out.gains + k; /* of each row, at the end of its gains */
    memset(x, 0, (size_t)(height * d) * sizeof *x);
    if (m > 0)
        scree__dgemm(false, false, height, d, m, 1.0, codes, k, scorer->directions, d, 0.0, x, d);
    for (int64_t i = 0; i < height; i++)
        rescale_row(view, chunk->x + i * d, factors + i * d, x + i * d, &sums[i * (k + 1)], &out.q[i]);
    if (k > 0) {
        scree__dgemm(false, true, height, k, d, 1.0, x, d, scorer->directions, d, 0.0, out.codes, k);
        scree__dgemm(false, true, height, k, d, 1.0, factors, d, scorer->squares, d, 0.0, out.gains, k + 1);
    }
    for (int64_t i = 0; i < height; i++) {
        gain(scorer, varying, codes + i * k, out.codes + i * k, out.gains + i * (k + 1));
        out.q[i] = rest_of(scorer, out.codes + i * k, out.q[i]);
    }
    return out;
}
