/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over new rows, from which all tests of drift are made: of a row y, centred and scaled by the model, its code
 * t = Uᵀy, what components leave of it, r = y - Ut, and of each column x, which is r_j, or y_j where r_j is nothing,
 *
 *     Σ t, t², t³, t⁴   Σ ttᵀ   Σ t_k² t_l²   Σ t_k² ‖r‖²   Σ x, x², x³, x⁴   Σ x tᵀ   Σ x² Σ_k t_k²/v_k   Σ ‖r‖², ‖r‖⁴
 *
 * 4DM flops a row, and 2M². Rows are worked on one by one, then columns and codes, each by one thread that sees all
 * rows in their order: so neither blocks nor threads move a bit. */

#include "answer/drift.h"

#include "base/memory.h"
#include "base/threads.h"
#include "model/ppca.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COLUMN_GROUP = 32, ROW_GROUP = 128, Q = 0, FAR, SIZE, LEVER, PER_ROW = SCREE__DRIFT_NUMBERS };
static const double MOVED = 1e3 * DBL_EPSILON; /* of its mean: a constant column differs */

/* A block of rows at work. */
typedef struct block {
    scree__drift_sums *sums;
    const double *codes;
    double *cells;
    const uint8_t *skip;
    double *work; /* rows×PER_ROW */
    int64_t rows;
} block;

scree_status scree__drift_sums_open(scree__drift_sums *sums, const scree__drift_law *law, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = law->view->d;
    const int64_t m = law->view->m;
    *sums = (scree__drift_sums){.law = law};
    SCREE_ALLOC(sums->codes, 4 * m, error);
    SCREE_ALLOC(sums->both, m * m, error);
    SCREE_ALLOC(sums->fourth, m * m, error);
    SCREE_ALLOC(sums->lever, m, error);
    SCREE_ALLOC(sums->cells, 4 * d, error);
    SCREE_ALLOC(sums->slopes, d * m, error);
    SCREE_ALLOC(sums->levers, d, error);
    SCREE_ALLOC(sums->moved, d, error);
    SCREE_ALLOC(sums->most, m + d, error);
done:
    return status;
}

void scree__drift_sums_close(scree__drift_sums *sums)
{
    free(sums->codes);
    free(sums->both);
    free(sums->fourth);
    free(sums->lever);
    free(sums->cells);
    free(sums->slopes);
    free(sums->levers);
    free(sums->moved);
    free(sums->most);
}

/* y becomes x, and the row's three numbers are found. */
static void residual_row(const scree__drift_law *law, const double *t, double *y, double *numbers)
{
    const scree_model_view *view = law->view;
    double q = 0;
    for (int64_t j = 0; j < view->d; j++) {
        double r = y[j];
        for (int64_t k = 0; k < view->m; k++)
            r -= t[k] * view->components[k * view->d + j];
        q += law->tested[j] == SCREE__DRIFT_CONSTANT ? 0 : r * r;
        y[j] = law->tested[j] == SCREE__DRIFT_RESIDUAL ? r : y[j];
    }
    numbers[Q] = q;
    numbers[FAR] = view->noise_variance > 0 ? q / view->noise_variance : 0;
    numbers[LEVER] = 0;
    for (int64_t k = 0; k < view->m; k++) {
        const double variance = scree__ppca_variance(view, k);
        numbers[FAR] += variance > 0 ? t[k] * t[k] / variance : 0;
        numbers[LEVER] += law->variances[k] > 0 ? t[k] * t[k] / law->variances[k] : 0;
    }
    numbers[SIZE] = numbers[LEVER] + (law->q > 0 ? q * law->rest / law->q : 0);
}

/* Task: some rows. */
static void take_rows(void *context, int64_t index, int worker)
{
    const block *at = context;
    const scree_model_view *view = at->sums->law->view;
    const int64_t end = (index + 1) * ROW_GROUP;
    (void)worker;
    for (int64_t i = index * ROW_GROUP; i < end && i < at->rows; i++)
        if (!at->skip[i])
            residual_row(at->sums->law, at->codes + i * view->m, at->cells + i * view->d, at->work + i * PER_ROW);
}

static void add_powers(double *sums, int64_t stride, double x)
{
    const double square = x * x;
    sums[0] += x;
    sums[stride] += square;
    sums[2 * stride] += square * x;
    sums[3 * stride] += square * square;
}

/* Task: some columns of all rows. */
static void take_columns(void *context, int64_t index, int worker)
{
    const block *at = context;
    scree__drift_sums *sums = at->sums;
    const scree_model_view *view = sums->law->view;
    const int64_t first = index * COLUMN_GROUP;
    const int64_t end = first + COLUMN_GROUP < view->d ? first + COLUMN_GROUP : view->d;
    (void)worker;
    for (int64_t i = 0; i < at->rows; i++) {
        const double *t = at->codes + i * view->m;
        for (int64_t j = first; !at->skip[i] && j < end; j++) {
            const double x = at->cells[i * view->d + j];
            if (sums->law->tested[j] == SCREE__DRIFT_CONSTANT) {
                sums->moved[j] += fabs(x) > MOVED * fabs(view->mean[j]);
                continue;
            }
            add_powers(sums->cells + j, view->d, x);
            sums->levers[j] += x * x * at->work[i * PER_ROW + LEVER];
            sums->most[view->m + j] = fmax(sums->most[view->m + j], x * x);
            for (int64_t k = 0; k < view->m; k++)
                sums->slopes[j * view->m + k] += x * t[k];
        }
    }
}

/* Task: a code of all rows. */
static void take_codes(void *context, int64_t k, int worker)
{
    const block *at = context;
    scree__drift_sums *sums = at->sums;
    const int64_t m = sums->law->view->m;
    (void)worker;
    for (int64_t i = 0; i < at->rows; i++) {
        const double *t = at->codes + i * m;
        if (at->skip[i])
            continue;
        add_powers(sums->codes + k, m, t[k]);
        sums->most[k] = fmax(sums->most[k], t[k] * t[k]);
        sums->lever[k] += t[k] * t[k] * at->work[i * PER_ROW + Q];
        for (int64_t l = 0; l < m; l++) {
            const double product = t[k] * t[l];
            sums->both[k * m + l] += product;
            sums->fourth[k * m + l] += product * product;
        }
    }
}

static void add_pair(double *sums, double x)
{
    sums[0] += x;
    sums[1] += x * x;
}

/* What is summed over whole rows. */
static void add_numbers(scree__drift_sums *sums, const double *numbers)
{
    add_pair(sums->q, numbers[Q]);
    add_pair(sums->far, numbers[FAR]);
    add_pair(sums->size, numbers[SIZE]);
    sums->largest = fmax(sums->largest, numbers[SIZE] * numbers[SIZE]);
}

void scree__drift_sums_add(scree__drift_sums *sums, const double *codes, double *cells, const uint8_t *skip,
                           double *work, int64_t rows, int threads)
{
    const scree_model_view *view = sums->law->view;
    block at = {sums, codes, cells, skip, work, rows};
    const int some = scree__threads_for(threads, 4.0 * (double)rows * (double)view->d * (double)(view->m + 1));
    scree__parallel(some, (rows + ROW_GROUP - 1) / ROW_GROUP, take_rows, &at);
    scree__parallel(some, (view->d + COLUMN_GROUP - 1) / COLUMN_GROUP, take_columns, &at);
    scree__parallel(some, view->m, take_codes, &at);
    for (int64_t i = 0; i < rows; i++) {
        sums->gaps += skip[i];
        sums->rows += !skip[i];
        if (!skip[i])
            add_numbers(sums, work + i * PER_ROW);
    }
}
