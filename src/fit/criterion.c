/* SPDX-License-Identifier: BSD-3-Clause */
/* The spectrum that criteria see, the table of them, and the ways in which values become a choice.
 *
 * Directions without variance say nothing about noise, yet would drag every estimate of it towards zero: where N > D,
 * the number d of directions is the number of eigenvalues that are not rounding. Where N ≤ D the zeros are owed to the
 * small number of rows, and d is the number of columns that vary. Where most directions have no variance, it is noise
 * that is missing: the rows lie in few dimensions exactly, and those are the components. */

#include "fit/criterion.h"

#include "base/memory.h"
#include "base/size_text.h"

#include <math.h>
#include <stdio.h>

const scree__criterion *const scree__criteria[] = {&scree__criterion_share,        &scree__criterion_error,
                                                   &scree__criterion_minka,        &scree__criterion_bic,
                                                   &scree__criterion_aic,          &scree__criterion_gavish,
                                                   &scree__criterion_gavish_known, &scree__criterion_marchenko,
                                                   &scree__criterion_tracy,        &scree__criterion_parallel,
                                                   &scree__criterion_heldout,      &scree__criterion_bicross,
                                                   &scree__criterion_whiten,       NULL};

/* Among how many M the values let choose: one is no choice. */
static bool is_choice(const scree__spectrum *s, const double *value)
{
    int64_t candidates = 0;
    for (int64_t m = 0; m <= s->max_components; m++)
        candidates += !isnan(value[m]);
    return candidates > 1;
}

int64_t scree__choose_largest(const scree__spectrum *s, const double *value)
{
    int64_t best = -1;
    for (int64_t m = 0; m <= s->max_components; m++)
        if (!isnan(value[m]) && (best < 0 || value[m] > value[best]))
            best = m;
    return is_choice(s, value) ? best : -1;
}

int64_t scree__choose_smallest(const scree__spectrum *s, const double *value)
{
    int64_t best = -1;
    for (int64_t m = 0; m <= s->max_components; m++)
        if (!isnan(value[m]) && (best < 0 || value[m] < value[best]))
            best = m;
    return is_choice(s, value) ? best : -1;
}

int64_t scree__choose_above_one(const scree__spectrum *s, const double *value)
{
    int64_t m = 0;
    while (m < s->max_components && value[m + 1] > 1)
        m++;
    return m;
}

int64_t scree__spectrum_rank(const scree__spectrum *s)
{
    return s->n - 1 < s->d ? s->n - 1 : s->d;
}

double scree__spectrum_noise(const scree__spectrum *s, int64_t m)
{
    return m < s->d ? s->left[m] / (double)(s->d - m) : 0;
}

/* With N ≤ d the likelihood has no bound as M nears N-1, where σ² vanishes: only the first half is looked at. */
scree__spectrum scree__spectrum_believable(const scree__spectrum *s)
{
    const int64_t half = scree__spectrum_rank(s) / 2;
    scree__spectrum first = *s;
    if (s->n <= s->d && half < s->max_components)
        first.max_components = half;
    return first;
}

bool scree__spectrum_needs_whole(const scree__spectrum *s, char *reason)
{
    if (!s->complete)
        snprintf(reason, SCREE__REASON, "needs all eigenvalues, and only the first %lld are known",
                 (long long)s->count);
    return s->complete;
}

bool scree__spectrum_leaves_nothing(const scree__spectrum *s, int64_t m)
{
    return s->complete && m >= s->count;
}

/* How many of the values are more than rounding in a matrix of order D or N. */
static int64_t count_real(const double *values, int64_t count, double rounding)
{
    int64_t real = 0;
    while (real < count && values[real] > rounding)
        real++;
    return real;
}

static double sum_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t j = count - 1; j >= 0; j--) /* from the small end, where nothing is lost */
        sum += values[j];
    return sum;
}

scree_status scree__spectrum_make(scree__spectrum *s, const double *values, int64_t count, double trace,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t order = s->n < s->cols ? s->n : s->cols;
    const int64_t possible = scree__spectrum_rank(s);
    const double rounding = 4 * (double)(order > 16 ? order : 16) * 0x1p-52 * (count > 0 ? values[0] : 0);
    const int64_t real = count_real(values, count, rounding);
    s->complete = s->complete || real < count || real >= possible || trace - sum_of(values, count) <= rounding;
    s->count = real;
    s->exact = s->complete && 2 * real <= possible ? real : 0;
    if (s->complete && s->n > s->d)
        s->d = real;
    s->max_components = s->max_components > 0 && s->max_components < real ? s->max_components : real;
    SCREE_ALLOC(s->values, real, error);
    SCREE_ALLOC(s->left, s->max_components + 1, error);
    double left = 0;
    double kept = 0;
    for (int64_t j = real - 1; j >= 0; j--) {
        s->values[j] = values[j];
        if (j < s->max_components)
            s->left[j + 1] = left;
        left += values[j];
    }
    s->left[0] = s->complete ? left : trace;
    for (int64_t m = 1; m <= s->max_components && !s->complete; m++) {
        kept += values[m - 1];
        s->left[m] = fmax(trace - kept, 0);
    }
done:
    return status;
}

void scree__spectrum_clear(scree__spectrum *s)
{
    free(s->values);
    free(s->left);
    free(s->variances);
    free(s->heldout);
    free(s->bicross);
    free(s->whitened.log_chance);
    free(s->whitened.white);
}

void scree__criterion_too_large(char reason[SCREE__REASON], int64_t needed, int64_t limit)
{
    char need[SCREE__SIZE_TEXT];
    char most[SCREE__SIZE_TEXT];
    snprintf(reason, SCREE__REASON, "needs %s of memory, more than the limit of %s", scree__size_text(need, needed),
             scree__size_text(most, limit));
}
