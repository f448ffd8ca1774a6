/* SPDX-License-Identifier: BSD-3-Clause */
/* An imputer asked of one row. With o the observed columns, for each fit
 *
 *     S⁻¹ = I + Σ_o ⟨w_jw_j'⟩/ψ_j      z = S Σ_o (w_j(x_j - µ_j) - cov(w_j, µ_j))/ψ_j      z̃ = [z; 1]
 *     x_j ~ (f = µ_j + w_j'z,  v = tr(⟨w_jw_j'⟩S) + z̃'C_jz̃ + ψ_j)                          j missing
 *
 * so that variances include what is not known of the loadings; and pooled over the fits, of weights p,
 *
 *     f̄ = Σ p f      V = c² Σ p (v + (f - f̄)²).
 *
 * A draw takes one fit, by its weight, and its loadings from their posterior, both the same for all rows of the draw;
 * then z and the noise of the row; it is c times as far from f̄ as that. The sum over o is the sum over all columns less
 * that over the missing ones where these are fewer. O(D k²/2 + k³) a pattern, O(k²) a variance; O(k³) for the
 * loadings of a column in a draw, which are kept for the rows to come where there are not too many. */

#include "model/imputer.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/packed.h"

#include <math.h>
#include <string.h>

enum { MOST_KEPT = 1 << 22 };                                     /* numbers: 32 MiB a thread */
static const uint64_t OF_LOADINGS = UINT64_C(0x6c6f6164696e6773); /* turns the seed into another */

static scree_status open_code(scree__imputer_code *code, int64_t d, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(code->factor, k * k, error);
    SCREE_ALLOC(code->inverse, scree__pairs(k), error);
    SCREE_ALLOC(code->sum, scree__pairs(k + 1), error);
    SCREE_ALLOC(code->z, k + 1, error);
    SCREE_ALLOC(code->expected, d, error);
done:
    return status;
}

scree_status scree__imputer_row_open(scree__imputer_row *row, const scree__imputer *imputer, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t most = 0;
    *row = (scree__imputer_row){.imputer = imputer};
    for (int64_t f = 0; f < imputer->fits; f++) {
        SCREE_TRY(open_code(&row->code[f], imputer->d, imputer->fit[f].k, error));
        most = imputer->fit[f].k > most ? imputer->fit[f].k : most;
    }
    SCREE_ALLOC(row->columns, imputer->d, error);
    SCREE_ALLOC(row->missing, imputer->d, error);
    SCREE_ALLOC(row->expected, imputer->d, error);
    SCREE_ALLOC(row->x, imputer->d, error);
    SCREE_ALLOC(row->drawn, imputer->d, error);
    row->width = most + 1;
    SCREE_ALLOC(row->work, (most + 1) * (most + 5), error); /* z, loadings, normals, a factor, zeros */
done:
    return status;
}

void scree__imputer_row_close(scree__imputer_row *row)
{
    for (int64_t f = 0; f < SCREE__IMPUTER_FITS; f++) {
        free(row->code[f].factor);
        free(row->code[f].inverse);
        free(row->code[f].sum);
        free(row->code[f].z);
        free(row->code[f].expected);
    }
    free(row->columns);
    free(row->missing);
    free(row->expected);
    free(row->x);
    free(row->drawn);
    free(row->loadings);
    free(row->work);
    *row = (scree__imputer_row){0};
}

static void solve_fit(scree__imputer_row *row, int64_t f)
{
    const scree__imputer_fit *fit = &row->imputer->fit[f];
    const scree__imputer_code *code = &row->code[f];
    const int64_t k = fit->k;
    const int64_t d = row->imputer->d;
    const int64_t pairs = scree__pairs(k + 1);
    const bool fewer = d - row->seen < row->seen; /* missing ones */
    double *ones = row->work;
    for (int64_t i = 0; i < pairs; i++)
        code->sum[i] = fewer ? fit->total[i] : 0;
    for (int64_t i = fewer ? row->seen : 0; i < (fewer ? d : row->seen); i++)
        scree__packed_add(code->sum, fit->outer + row->columns[i] * pairs, fewer ? -1 : 1, pairs);
    for (int64_t i = 0; i < k; i++)
        ones[i] = 1;
    scree__packed_factor(code->sum, ones, k, code->factor);
    scree__packed_invert(code->factor, k, 1, ones, code->inverse);
}

void scree__imputer_row_solve(scree__imputer_row *row, const uint8_t *missing)
{
    const int64_t d = row->imputer->d;
    int64_t last = d;
    if (row->solved && memcmp(row->missing, missing, (size_t)d) == 0)
        return;
    memcpy(row->missing, missing, (size_t)d);
    row->seen = 0;
    for (int64_t j = 0; j < d; j++)
        if (!missing[j])
            row->columns[row->seen++] = j;
    for (int64_t j = d - 1; j >= 0; j--)
        if (missing[j])
            row->columns[--last] = j;
    for (int64_t f = 0; f < row->imputer->fits; f++)
        solve_fit(row, f);
    row->solved = true;
}

/* z, and what is expected of the missing cells. */
static void expect(scree__imputer_row *row, int64_t f)
{
    const scree__imputer_fit *fit = &row->imputer->fit[f];
    const scree__imputer_code *code = &row->code[f];
    const int64_t k = fit->k;
    double *r = row->work;
    for (int64_t i = 0; i < k; i++)
        r[i] = -code->sum[scree__pair(k, i)];
    for (int64_t i = 0; i < row->seen; i++) {
        const int64_t j = row->columns[i];
        const double *w = fit->loadings + j * (k + 1);
        scree__packed_add(r, w, (row->x[j] - w[k]) / fit->noise[j], k);
    }
    scree__packed_multiply(code->inverse, r, k, code->z);
    code->z[k] = 1;
    for (int64_t i = row->seen; i < row->imputer->d; i++) {
        const int64_t j = row->columns[i];
        code->expected[j] = scree__packed_dot(fit->loadings + j * (k + 1), code->z, k + 1);
    }
}

void scree__imputer_row_fill(scree__imputer_row *row, double *x)
{
    const scree__imputer *imputer = row->imputer;
    for (int64_t i = 0; i < row->seen; i++) {
        const int64_t j = row->columns[i];
        row->x[j] = imputer->deviation[j] > 0 ? (x[j] - imputer->centre[j]) / imputer->deviation[j] : 0;
    }
    for (int64_t f = 0; f < imputer->fits; f++)
        expect(row, f);
    for (int64_t i = row->seen; i < imputer->d; i++) {
        const int64_t j = row->columns[i];
        row->expected[j] = 0;
        for (int64_t f = 0; f < imputer->fits; f++)
            row->expected[j] += imputer->fit[f].weight * row->code[f].expected[j];
        x[j] = row->expected[j] * imputer->deviation[j] + imputer->centre[j];
    }
}

double scree__imputer_row_variance(scree__imputer_row *row, int64_t f, int64_t j)
{
    const scree__imputer_fit *fit = &row->imputer->fit[f];
    const scree__imputer_code *code = &row->code[f];
    const int64_t pairs = scree__pairs(fit->k + 1);
    double *turned = row->work;
    scree__packed_multiply(fit->cover + j * pairs, code->z, fit->k + 1, turned);
    return fit->noise[j] * (1 + scree__packed_trace(fit->outer + j * pairs, code->inverse, fit->k)) +
           scree__packed_dot(turned, code->z, fit->k + 1);
}

double scree__imputer_row_deviation(scree__imputer_row *row, int64_t j)
{
    const scree__imputer *imputer = row->imputer;
    double pooled = 0;
    if (scree__imputer_is_single(imputer, j))
        return NAN;
    for (int64_t f = 0; f < imputer->fits; f++) {
        const double off = row->code[f].expected[j] - row->expected[j];
        pooled += imputer->fit[f].weight * (scree__imputer_row_variance(row, f, j) + off * off);
    }
    return imputer->widening * sqrt(pooled) * imputer->deviation[j];
}

/* The fit of a draw. */
static int64_t choose_fit(const scree__imputer *imputer, uint64_t seed, int64_t k)
{
    uint32_t word[4];
    int64_t f = 0;
    scree__philox(seed ^ OF_LOADINGS, UINT64_MAX, (uint64_t)k, word);
    double left = ((double)word[0] + 0.5) * 0x1p-32;
    while (f < imputer->fits - 1 && left >= imputer->fit[f].weight)
        left -= imputer->fit[f++].weight;
    return f;
}

/* [w_j; µ_j] of draw k into w. */
static void draw_loadings(scree__imputer_row *row, const scree__imputer_fit *fit, int64_t j, uint64_t seed, int64_t k,
                          double *w)
{
    const int64_t n = fit->k + 1;
    double *normals = row->work + 2 * row->width;
    double *factor = normals + n;
    double *none = factor + n * n;
    if (!(fit->cover[j * scree__pairs(n)] > 0)) { /* a column that was not fitted */
        memcpy(w, fit->loadings + j * n, (size_t)n * sizeof *w);
        return;
    }
    memset(none, 0, (size_t)n * sizeof *none);
    scree__packed_factor(fit->cover + j * scree__pairs(n), none, n, factor);
    scree__normals(seed ^ OF_LOADINGS, (uint64_t)(k * row->imputer->d + j), 0, n, normals);
    for (int64_t i = 0; i < n; i++)
        w[i] = fit->loadings[j * n + i] + scree__packed_dot(factor + i * n, normals, i + 1);
}

/* Room for the loadings of all draws, which every row shares; without it they are drawn again for each. */
static void reserve(scree__imputer_row *row, uint64_t seed, int64_t draws)
{
    const int64_t wide = row->imputer->d * row->width;
    if (row->draws == draws && row->seed == seed)
        return;
    free(row->loadings);
    row->loadings = wide <= MOST_KEPT / draws ? scree__alloc_raw(draws * wide, sizeof *row->loadings) : NULL;
    row->draws = draws;
    row->seed = seed;
    for (int64_t i = 0; row->loadings && i < draws * wide; i += row->width)
        row->loadings[i] = NAN;
}

/* The loadings of column j in draw k. */
static const double *loadings_of(scree__imputer_row *row, const scree__imputer_fit *fit, int64_t j, int64_t k)
{
    double *w = row->loadings ? row->loadings + (k * row->imputer->d + j) * row->width : row->work + row->width;
    if (!row->loadings || isnan(w[0]))
        draw_loadings(row, fit, j, row->seed, k, w);
    return w;
}

const double *scree__imputer_row_draw(scree__imputer_row *row, uint64_t seed, int64_t n, int64_t k, int64_t draws)
{
    const scree__imputer *imputer = row->imputer;
    const int64_t f = choose_fit(imputer, seed, k);
    const scree__imputer_fit *fit = &imputer->fit[f];
    const uint64_t stream = (uint64_t)(n * draws + k);
    double *z = row->work;
    double extra;
    reserve(row, seed, draws);
    scree__normals(seed, stream, 0, fit->k, z);
    scree__packed_solve_upper(row->code[f].factor, fit->k, z);
    scree__packed_add(z, row->code[f].z, 1, fit->k);
    z[fit->k] = 1;
    for (int64_t i = row->seen; i < imputer->d; i++) {
        const int64_t j = row->columns[i];
        scree__normals(seed, stream, fit->k + j, 1, &extra);
        const double signal = scree__packed_dot(loadings_of(row, fit, j, k), z, fit->k + 1);
        const double off = signal + sqrt(fit->noise[j]) * extra - row->expected[j];
        row->drawn[j] = (row->expected[j] + imputer->widening * off) * imputer->deviation[j] + imputer->centre[j];
        if (scree__imputer_is_single(imputer, j))
            row->drawn[j] = NAN;
    }
    return row->drawn;
}

static scree_status open_gaps(void **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_row *row = NULL;
    SCREE_ALLOC(row, 1, error);
    *out = row;
    SCREE_TRY(scree__imputer_row_open(row, model->imputer, error));
    row->model = scree_model_get(model);
done:
    return status;
}

static void close_gaps(void *gaps)
{
    if (gaps)
        scree__imputer_row_close(gaps);
    free(gaps);
}

static scree_status solve_gaps(void *gaps, const uint8_t *missing, bool whole, scree_error *error)
{
    (void)whole;
    (void)error;
    scree__imputer_row_solve(gaps, missing);
    return SCREE_OK;
}

static void fill_gaps(void *gaps, double *x)
{
    scree__imputer_row_fill(gaps, x);
}

const scree__gap_solver scree__imputer_gaps = {open_gaps, close_gaps, solve_gaps, fill_gaps};
