/* SPDX-License-Identifier: BSD-3-Clause */
/* The law of rows (row_law.c) is about the eigenvalues that N whole rows have. A fit of rows with gaps has less to go
 * by: with a share s of the cells it counts as sN rows. And variational Bayes has shrunk what it found. Of whole rows
 * it ends where, for each component of length a = λ - σ², with g = D/(sN),
 *
 *     λ rows = (1 + t)λ + gσ²,      t² + t = gσ²/a,
 *     Σ of the others = σ²(D - Σ(1 + t) - g(M + 1)),
 *
 * which follows from the normal equations of w (em_maximise.c) when codes are white and loadings have the width that
 * they are found to have; the last term is what the means take. O(M). */

#include "model/gap_law.h"

#include "model/support.h"

#include <math.h>

static const double LEAST = 1e-6;    /* of the noise: a */
static const double MOST_LOST = 0.5; /* of the noise: where more seems lost the formula does not hold */

/* The shortest component of the whole fit: a part of the columns that hardly sees one was not shrunk by more. */
static double shortest(const scree_model_view *view, double noise)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < view->m; j++)
        least = fmin(least, view->eigenvalues[j] - noise);
    return fmax(least, LEAST * noise);
}

/* Cells observed in columns that vary, and how many such columns there are; where it is not known how often each column
 * was observed, of all columns. */
static double count_cells(const scree_model_view *view, int64_t *cols)
{
    double cells = 0;
    *cols = scree__varying_columns(view);
    if (!view->seen || *cols == view->d) {
        *cols = view->d;
        return (double)view->observed;
    }
    for (int64_t j = 0; j < view->d; j++)
        cells += view->variances[j] > 0 ? view->seen[j] : 0;
    return cells;
}

double scree__gap_law_share(const scree_model_view *view)
{
    int64_t cols;
    const double cells = count_cells(view, &cols);
    const double share = cells / ((double)(view->n - view->empty_rows) * (double)cols);
    return share > 0 && share < 1 ? share : 1;
}

double scree__gap_law_spectrum(const scree_model_view *view, int64_t cols, int64_t m, double *values, double rest)
{
    const double noise = scree__varying_noise(view);
    if (!view->bayes || !(noise > 0) || view->noise_given)
        return rest;
    const double g = (double)cols / (scree__gap_law_share(view) * scree__model_rows(view));
    const double least = shortest(view, noise);
    double left = (double)cols - g * (double)(m + 1);
    for (int64_t j = 0; j < m; j++) {
        const double length = fmax(values[j] - noise, least);
        const double t = (sqrt(1 + 4 * g * noise / length) - 1) / 2;
        values[j] = (1 + t) * values[j] + g * noise;
        left -= 1 + t;
    }
    return noise * fmax(left, MOST_LOST * (double)(cols - m));
}
