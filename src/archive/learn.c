/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of an archive, found from a sample of the rows, after cells that say nothing of the others are set to the
 * mean: missing and infinite ones, and spikes, which are further from the column's median than ten times what 99.9 % of
 * all cells are.
 *
 * Its parts are stored as coarsely as is worth it. A step δ of the entries of component j costs an error of λδ²/12 in
 * each of N·D cells and saves log₂δ bits in each of D entries; a step Δ of its codes costs Δ²/12 in each of N rows and
 * saves log₂Δ bits in each of N codes. A bit buys as much in both when Nλδ² = Δ², so δ = Δ/√(Nλ). Likewise the mean is
 * rounded to a power of two below Δ/√N. Rounded vectors U are no longer orthonormal, so codes are found by least
 * squares: W = (UUᵀ)⁻¹U. */

#include "archive/learn.h"

#include "base/memory.h"
#include "base/sort.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { MEDIAN_OF = 63, QUANTILE_OF = 1 << 16, OUT_OF = 1000, TIMES = 10 };

static double cell(const scree__sample *s, int64_t i, int64_t j)
{
    const int64_t at = i * s->cols + j;
    return s->type == SCREE_F64   ? ((const double *)s->data)[at]
           : s->type == SCREE_F32 ? (double)((const float *)s->data)[at]
                                  : ((const unsigned char *)s->data)[at];
}

/* Of some cells of each column; 0 where none is finite. */
static void medians(const scree__sample *s, double *median)
{
    double values[MEDIAN_OF];
    const int64_t step = s->kept > MEDIAN_OF ? s->kept / MEDIAN_OF : 1;
    for (int64_t j = 0; j < s->cols; j++) {
        int count = 0;
        for (int64_t i = 0; i < s->kept && count < MEDIAN_OF; i += step)
            if (isfinite(cell(s, i, j)))
                values[count++] = cell(s, i, j);
        scree__sort_doubles(values, count);
        median[j] = count > 0 ? values[count / 2] : 0;
    }
}

static scree_status find_spike(const scree__sample *s, const double *median, double *spike, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *far = NULL;
    int64_t count = 0;
    const int64_t cells = s->kept * s->cols;
    const int64_t step = cells / QUANTILE_OF | 1; /* odd, or columns would be left out */
    SCREE_ALLOC(far, cells / step + 1, error);
    for (int64_t at = 0; at < cells; at += step) {
        const double x = cell(s, at / s->cols, at % s->cols);
        if (isfinite(x))
            far[count++] = fabs(x - median[at % s->cols]);
    }
    scree__sort_doubles(far, count);
    *spike = count > 0 ? TIMES * far[count - 1 - count / OUT_OF] : 0;
    if (!(*spike > 0 && *spike < HUGE_VAL))
        *spike = count > 0 && far[count - 1] > 0 && far[count - 1] < HUGE_VAL ? far[count - 1] : 1;
done:
    free(far);
    return status;
}

/* The mean of what is not far out, and clean rows: (x - mean)/spike, 0 for what is. */
static void clean(const scree__sample *s, scree__learnt *l, const double *median, float *rows)
{
    for (int64_t j = 0; j < s->cols; j++) {
        double sum = 0;
        int64_t count = 0;
        for (int64_t i = 0; i < s->kept; i++) {
            const double off = cell(s, i, j) - median[j];
            const bool near = fabs(off) <= l->spike;
            sum += near ? off : 0;
            count += near;
        }
        l->mean[j] = median[j] + (count > 0 ? sum / (double)count : 0);
    }
    for (int64_t i = 0; i < s->kept; i++)
        for (int64_t j = 0; j < s->cols; j++) {
            const double off = cell(s, i, j) - l->mean[j];
            rows[i * s->cols + j] = (float)(fabs(off) <= l->spike ? off / l->spike : 0);
        }
}

/* The one component of a single column. */
static scree_status fit_column(scree__learnt *l, const float *rows, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (double)rows[i] * (double)rows[i];
    l->total = sum / (double)count * l->spike * l->spike;
    SCREE_ALLOC(l->eigenvalues, 1, error);
    SCREE_ALLOC(l->vectors, 1, error);
    l->eigenvalues[0] = l->total;
    l->vectors[0] = 1;
    l->components = l->total > 0;
done:
    return status;
}

/* No component at all is an answer, too: for rows that do not vary, and for a single one. */
static scree_status fit(scree__learnt *l, const float *rows, int64_t count, int64_t components, const scree_run *run,
                        scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run mine = SCREE_RUN_INIT;
    const int64_t most = l->cols < count ? l->cols : count;
    options.components = components < most ? components : most;
    mine.threads = run->threads;
    options.run = &mine;
    options.no_imputer = true;
    if (options.components < 1 || count < 2)
        return SCREE_OK;
    if (l->cols == 1)
        return fit_column(l, rows, count, error);
    SCREE_TRY(scree__memory_open(&source, rows, SCREE_F32, count, l->cols, l->cols, error));
    status = scree_model_fit(&model, source, &options, error);
    if (status == SCREE_ERR_VALUE || status == SCREE_ERR_NUMERIC) {
        status = SCREE_OK;
        goto done;
    }
    SCREE_TRY(status);
    const scree_model_view *view = scree_model_get(model);
    const double unit = l->spike * l->spike;
    SCREE_ALLOC(l->eigenvalues, view->m, error);
    SCREE_ALLOC(l->vectors, view->m * l->cols, error);
    memcpy(l->vectors, view->components, (size_t)(view->m * l->cols) * sizeof *l->vectors);
    l->total = view->total_variance * unit;
    while (l->components < view->m && view->eigenvalues[l->components] > 1e-12 * view->eigenvalues[0]) {
        l->eigenvalues[l->components] = view->eigenvalues[l->components] * unit;
        l->components++;
    }
done:
    scree_model_free(model);
    scree_source_free(source);
    return status;
}

scree_status scree__learn(scree__learnt *learnt, const scree__sample *sample, int64_t components, const scree_run *run,
                          scree_error *error)
{
    scree_status status = SCREE_OK;
    double *median = NULL;
    float *rows = NULL;
    *learnt = (scree__learnt){.rows = sample->rows, .cols = sample->cols};
    SCREE_ALLOC(median, sample->cols, error);
    SCREE_ALLOC(learnt->mean, sample->cols, error);
    SCREE_ALLOC(rows, sample->kept * sample->cols, error);
    medians(sample, median);
    SCREE_TRY(find_spike(sample, median, &learnt->spike, error));
    clean(sample, learnt, median, rows);
    SCREE_TRY(fit(learnt, rows, sample->kept, components, run, error));
done:
    free(rows);
    free(median);
    return status;
}

void scree__learnt_clear(scree__learnt *learnt)
{
    free(learnt->mean);
    free(learnt->eigenvalues);
    free(learnt->vectors);
    *learnt = (scree__learnt){0};
}

/* ---- codes ---- */

static void round_mean(double *to, const double *from, int64_t cols, double step)
{
    const double power = ldexp(1, ilogb(step));
    for (int64_t j = 0; j < cols; j++) {
        const double rounded = rint(from[j] / power) * power;
        to[j] = fabs(from[j]) < 0x1p51 * power ? rounded : from[j];
    }
}

/* Whole numbers for a vector, and the step between them. */
static double round_vector(int32_t *to, double *back, const double *from, int64_t cols, double wanted)
{
    double largest = 0;
    for (int64_t i = 0; i < cols; i++)
        largest = fmax(largest, fabs(from[i]));
    const double least = largest / SCREE__VALUE_MOST * 2;
    const double most = largest / 4; /* coarser than that, little of the vector is left */
    const double step = wanted < least ? least : wanted > most ? most : wanted;
    for (int64_t i = 0; i < cols; i++) {
        to[i] = (int32_t)rint(from[i] / step);
        back[i] = to[i] * step;
    }
    return step;
}

/* W/Δ from the rounded vectors in code->encode, in place. */
static scree_status invert(scree__code *code, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = code->components;
    const int64_t d = code->cols;
    double *gram = NULL;
    SCREE_ALLOC(gram, m * m, error);
    if (scree__dsyrk(false, m, d, 1, code->encode, d, 0, gram, m) != 0 || scree__dpotrf(m, gram, m) != 0 ||
        scree__dtrsm(false, true, m, d, 1, gram, m, code->encode, d) != 0 ||
        scree__dtrsm(false, false, m, d, 1 / code->step, gram, m, code->encode, d) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "components that are as coarse as is worth it cannot be told apart");
done:
    free(gram);
    return status;
}

scree_status scree__code_make(scree__code *code, const scree__learnt *learnt, const scree__lattice *lattice, int64_t m,
                              double step, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = learnt->cols;
    const double root = sqrt((double)learnt->rows);
    *code = (scree__code){.coding = SCREE__CODING_MODEL,
                          .lattice = *lattice,
                          .cols = d,
                          .components = m,
                          .step = m > 0 ? step : lattice->width,
                          .spike = learnt->spike};
    SCREE_ALLOC(code->mean, d, error);
    SCREE_ALLOC(code->scales, m, error);
    SCREE_ALLOC(code->basis, m * d, error);
    SCREE_ALLOC(code->encode, m * d, error);
    round_mean(code->mean, learnt->mean, d, (m > 0 ? step : lattice->width / fmax(lattice->grid, 1)) / root);
    for (int64_t j = 0; j < m; j++)
        code->scales[j] = step * round_vector(code->basis + j * d, code->encode + j * d, learnt->vectors + j * d, d,
                                              step / root / sqrt(learnt->eigenvalues[j]));
    if (m > 0)
        SCREE_TRY(invert(code, error));
    SCREE_TRY(scree__code_prepare(code, error));
done:
    if (status != SCREE_OK)
        scree__code_clear(code);
    return status;
}
