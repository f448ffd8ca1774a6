/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the spectrum beyond the components kept. Spare components have eigenvalues of at most λ_M, in descending
 * order, and length 1. The bins of the other eigenvalues begin at about λ_M: they may have been summed differently,
 * with rounding relative to λ_1. There are at most as many eigenvalues as columns. O(D) for each spare component. */

#include "model/possible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double ROUNDING = 1e-6;

bool scree__lengths_are_possible(const char *what, const double *rows, int64_t count, int64_t d, scree__fault *fault)
{
    for (int64_t i = 0; i < count; i++) {
        double square = 0;
        for (int64_t j = 0; j < d; j++)
            square += rows[i * d + j] * rows[i * d + j];
        if (!(fabs(sqrt(square) - 1) <= ROUNDING)) {
            scree__format(fault->text, sizeof fault->text, "%s %" PRId64 " has length %g, not 1", what, i + 1,
                          sqrt(square));
            return false;
        }
    }
    return true;
}

/* Descending from most on. */
static bool descend(const char *name, const double *values, int64_t count, double most, scree__fault *fault)
{
    for (int64_t i = 0; i < count; i++) {
        if (values[i] > (i > 0 ? values[i - 1] : most)) {
            snprintf(fault->text, sizeof fault->text, "value %" PRId64 " of '%s' is larger than the one before", i + 1,
                     name);
            return false;
        }
    }
    return true;
}

bool scree__spare_is_possible(const scree_model_view *view, scree__fault *fault)
{
    return descend("spare_values", view->spare_values, view->spare_count, view->eigenvalues[view->m - 1], fault) &&
           scree__lengths_are_possible("spare component", view->spare_components, view->spare_count, view->d, fault);
}

bool scree__rest_is_possible(const scree_model_view *view, scree__fault *fault)
{
    const double most = view->eigenvalues[view->m - 1] + ROUNDING * view->eigenvalues[0];
    double sum = 0;
    for (int64_t i = 0; i < view->rest_count; i++)
        sum += view->rest_counts[i];
    if (!(sum <= (1 + ROUNDING) * (double)view->d)) {
        scree__format(fault->text, sizeof fault->text, "'rest_counts' add up to %g with %" PRId64 " columns", sum,
                      view->d);
        return false;
    }
    return descend("rest_values", view->rest_values, view->rest_count, most, fault);
}

bool scree__mean_rest_is_possible(const double *rest, const double *mean, int64_t d, scree__fault *fault)
{
    for (int64_t j = 0; j < d; j++) {
        const double size = fabs(mean[j]);
        if (!(fabs(rest[j]) <= nextafter(size, INFINITY) - size)) {
            scree__format(fault->text, sizeof fault->text, "entry %" PRId64 " of 'mean_rest' is %g beside %g", j + 1,
                          rest[j], mean[j]);
            return false;
        }
    }
    return true;
}

bool scree__counts_are_possible(const scree_model_view *view, scree__fault *fault)
{
    const bool over = view->normalize == 0 ? view->normalize_columns == 0 && view->normalize_empty == 0
                                           : view->normalize_columns == 0 || view->normalize_columns >= view->d;
    if (!isfinite(view->normalize) || view->normalize < 0 || !over || view->normalize_empty < 0 ||
        view->normalize_empty > view->n) {
        scree__format(fault->text, sizeof fault->text,
                      "rows of sum %g over %" PRId64 " columns, %" PRId64 " of them of sum 0, cannot be",
                      view->normalize, view->normalize_columns, view->normalize_empty);
        return false;
    }
    for (int64_t j = 0; view->kept_columns && j < view->d; j++)
        if (view->kept_columns[j] < (j > 0 ? view->kept_columns[j - 1] + 1 : 0)) {
            snprintf(fault->text, sizeof fault->text, "entry %" PRId64 " of 'kept_columns' is not above the one before",
                     j + 1);
            return false;
        }
    return true;
}
