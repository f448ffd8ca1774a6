/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditioning on the observed columns o of a row (10.73–10.75 with rows of B left out). With W = U(Λ - σ²I)^½ and the
 * thin SVD of its observed rows, W_o = Q G^½ Vᵀ, everything is diagonal once more; x in scaled columns less µ:
 *
 *     t = Qᵀx_o,   E[z|x_o] = V G^½(G + σ²)⁻¹ t,   C = cov(z|x_o) = V σ²(G + σ²)⁻¹ Vᵀ
 *     E[x_m|x_o] = W_m E[z|x_o],   cov(x_m|x_o) = W_m C W_mᵀ + σ²I
 *
 * As σ² → 0 this is least squares, of least norm: where the observed columns leave z open it keeps its prior. E[z|x_o]
 * is also what the formula for whole rows says of a row filled with E[x_m|x_o], which is why project, posterior and
 * reconstruct need no more than filled rows: these have z from a Cholesky factorisation (gap_factor.c) where σ² is not
 * too small for that. The SVD, about 6oM² flops a pattern, keeps what W_oᵀW_o would lose; with fewer observed columns
 * than components, rows of zeros are added. */

#include "model/gaps.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"
#include "model/ppca.h"
#include "model/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

void scree__gaps_open(scree__gaps *g, const scree_model_view *model)
{
    *g = (scree__gaps){.model = model};
}

void scree__gaps_close(scree__gaps *g)
{
    free(g->memory);
    free(g->columns);
    free(g->missing);
    free(g->q);
    *g = (scree__gaps){0};
}

static scree_status allocate(scree__gaps *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = g->model->m;
    const int64_t d = g->model->d;
    if (g->memory)
        return SCREE_OK;
    free(g->columns);
    free(g->missing);
    g->missing = NULL;
    SCREE_ALLOC(g->columns, d, error);
    SCREE_ALLOC(g->missing, d, error);
    SCREE_ALLOC(g->memory, 2 * m * m + 8 * m + 5 * d, error);
    double *next = g->memory;
    g->v = next;
    g->factor = (next += m * m);
    g->singular = (next += m * m);
    g->gain = (next += m);
    g->spread = (next += m);
    g->t = (next += m);
    g->z = (next += m);
    g->sd = (next += m);
    g->open = (next += d);
    g->wide = (next += d);
    g->drawn = (next += d);
    g->work = next + d;
done:
    return status;
}

/* Room for q, which is seldom as high as D. */
static scree_status reserve(scree__gaps *g, int64_t needed, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (needed <= g->room)
        return SCREE_OK;
    free(g->q);
    g->q = NULL;
    g->room = 0;
    SCREE_ALLOC(g->q, needed, error);
    g->room = needed;
done:
    return status;
}

static void list_columns(scree__gaps *g)
{
    const int64_t d = g->model->d;
    int64_t at = 0;
    for (int wanted = 0; wanted < 2; wanted++) {
        for (int64_t j = 0; j < d; j++)
            if (g->missing[j] == wanted)
                g->columns[at++] = j;
        if (wanted == 0)
            g->seen = at;
    }
}

/* W_o, column by column, rows of zeros below it where it is wider than high. */
static void gather_loadings(scree__gaps *g)
{
    const scree_model_view *model = g->model;
    for (int64_t j = 0; j < model->m; j++) {
        const double *u = model->components + j * model->d;
        const double loading = scree__ppca_loading(model, j);
        double *column = g->q + j * g->height;
        for (int64_t i = 0; i < g->seen; i++)
            column[i] = loading * u[g->columns[i]];
        for (int64_t i = g->seen; i < g->height; i++)
            column[i] = 0;
    }
}

/* Singular values that rounding could have made are none. */
static void settle(scree__gaps *g)
{
    const int64_t m = g->model->m;
    const double noise = g->model->noise_variance;
    const double least = DBL_EPSILON * (double)g->height * g->singular[0];
    g->rank = 0;
    while (g->rank < m && g->rank < g->seen && g->singular[g->rank] > least)
        g->rank++;
    for (int64_t j = 0; j < m; j++) {
        if (j >= g->rank)
            g->singular[j] = 0;
        const double s = g->singular[j];
        g->gain[j] = s > 0 ? s / (s * s + noise) : 0;
        g->spread[j] = s > 0 ? sqrt(noise / (s * s + noise)) : 1;
    }
}

/* The spectrum of W_o. */
static scree_status decompose(scree__gaps *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = g->model->m;
    g->rank = 0;
    if (m == 0)
        return SCREE_OK;
    gather_loadings(g);
    const int info = scree__dgesdd('O', g->height, m, g->q, g->height, g->singular, NULL, 1, g->v, m);
    if (info == SCREE__BLAS_NO_MEMORY)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition of loadings", m, error));
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the singular values of %lld rows of the loadings could not be found",
                   (long long)g->seen);
    settle(g);
done:
    return status;
}

static scree_status solve(scree__gaps *g, const uint8_t *missing, bool whole, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = g->model->m;
    const int64_t d = g->model->d;
    SCREE_TRY(allocate(g, error));
    if (g->is_solved && (g->has_spectrum || !whole) && memcmp(missing, g->missing, (size_t)d) == 0)
        return SCREE_OK;
    g->is_solved = false;
    g->has_sd = false;
    memcpy(g->missing, missing, (size_t)d);
    list_columns(g);
    g->height = g->seen > m ? g->seen : m;
    SCREE_TRY(reserve(g, g->height * m, error));
    g->is_factored = scree__gaps_factorable(g->model) && scree__gaps_factor(g);
    g->has_spectrum = whole || !g->is_factored;
    if (g->has_spectrum)
        SCREE_TRY(decompose(g, error));
    g->is_solved = true;
done:
    return status;
}

scree_status scree__gaps_solve(scree__gaps *g, const uint8_t *missing, scree_error *error)
{
    return solve(g, missing, true, error);
}

scree_status scree__gaps_solve_codes(scree__gaps *g, const uint8_t *missing, scree_error *error)
{
    return solve(g, missing, false, error);
}

/* The missing cells of x become W_m z. */
static void expand(const scree__gaps *g, const double *z, double *x)
{
    const scree_model_view *model = g->model;
    for (int64_t i = g->seen; i < model->d; i++)
        x[g->columns[i]] = 0;
    for (int64_t j = 0; j < model->m; j++) {
        const double *u = model->components + j * model->d;
        const double code = scree__ppca_loading(model, j) * z[j];
        for (int64_t i = g->seen; i < model->d; i++)
            x[g->columns[i]] += code * u[g->columns[i]];
    }
}

/* t, and z from it. */
static void turn_observed(scree__gaps *g, const double *x)
{
    const int64_t m = g->model->m;
    double *gained = g->work;
    double *observed = g->work + m;
    for (int64_t i = 0; i < g->seen; i++)
        observed[i] = x[g->columns[i]];
    for (int64_t j = 0; j < m; j++) {
        g->t[j] = j < g->rank ? scree__gaps_dot(g->q + j * g->height, observed, g->seen) : 0;
        gained[j] = g->gain[j] * g->t[j];
    }
    for (int64_t k = 0; k < m; k++)
        g->z[k] = scree__gaps_dot(g->v + k * m, gained, m);
}

void scree__gaps_fill(scree__gaps *g, double *x)
{
    if (g->has_spectrum)
        turn_observed(g, x);
    if (g->is_factored) /* whoever asks, the same bits */
        scree__gaps_code(g, x);
    expand(g, g->z, x);
}

void scree__gaps_residual(const scree__gaps *g, const double *x, double *rest)
{
    for (int64_t i = 0; i < g->seen; i++)
        rest[i] = x[g->columns[i]];
    for (int64_t j = 0; j < g->rank; j++)
        for (int64_t i = 0; i < g->seen; i++)
            rest[i] -= g->t[j] * g->q[j * g->height + i];
}

scree_status scree__gaps_once(scree__gaps *g, const scree_model_view *model, double *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint8_t *missing = NULL;
    scree__gaps_open(g, model);
    SCREE_ALLOC(missing, model->d, error);
    for (int64_t j = 0; j < model->d; j++)
        missing[j] = (bool)isnan(x[j]);
    scree__blas_enter();
    status = scree__gaps_solve(g, missing, error);
    scree__blas_leave();
    if (status == SCREE_OK)
        scree__gaps_fill(g, x);
done:
    free(missing);
    return status;
}

/* Vᵀa, each entry times its spread. */
static void turn(const scree__gaps *g, const double *a, double *out)
{
    const int64_t m = g->model->m;
    for (int64_t j = 0; j < m; j++)
        out[j] = 0;
    for (int64_t k = 0; k < m; k++)
        for (int64_t j = 0; j < m; j++)
            out[j] += g->v[k * m + j] * a[k];
    for (int64_t j = 0; j < m; j++)
        out[j] *= g->spread[j];
}

void scree__gaps_root(const scree__gaps *g, const double *normals, double *out)
{
    const int64_t m = g->model->m;
    double *turned = g->work;
    turn(g, normals, turned);
    for (int64_t k = 0; k < m; k++)
        out[k] = scree__gaps_dot(g->v + k * m, turned, m);
}

void scree__gaps_covariance(const scree__gaps *g, double *variances, double *covariance, double *logdet)
{
    const int64_t m = g->model->m;
    double *left = g->work;
    double sum = 0;
    for (int64_t i = 0; (variances || covariance) && i < m; i++) {
        for (int64_t k = 0; k < m; k++)
            left[k] = g->v[i * m + k] * g->spread[k] * g->spread[k];
        for (int64_t j = 0; covariance && j < m; j++)
            covariance[i * m + j] = scree__gaps_dot(left, g->v + j * m, m);
        if (variances)
            variances[i] = scree__gaps_dot(left, g->v + i * m, m);
    }
    for (int64_t j = 0; j < m; j++)
        sum += 2 * log(g->spread[j]);
    if (logdet)
        *logdet = sum;
}

/* A column that never varied has one value, unless the noise was set by hand: that of every column. */
static bool is_known(const scree_model_view *model, int64_t column)
{
    return !model->noise_given && scree__column_is_constant(model, column);
}

void scree__gaps_factor_cell(scree__gaps *g, int64_t column, double *out)
{
    const scree_model_view *model = g->model;
    double *w = g->work;
    for (int64_t k = 0; k < model->m; k++)
        w[k] = scree__ppca_loading(model, k) * model->components[k * model->d + column];
    turn(g, w, out);
}

const double *scree__gaps_deviations(scree__gaps *g)
{
    const scree_model_view *model = g->model;
    double *turned = g->work + model->m;
    for (int64_t i = g->seen; !g->has_sd && i < model->d; i++) {
        const int64_t d = g->columns[i];
        scree__gaps_factor_cell(g, d, turned);
        const double open = scree__gaps_dot(turned + g->rank, turned + g->rank, model->m - g->rank);
        const double variance = scree__gaps_dot(turned, turned, model->m) + model->noise_variance;
        g->open[d] = is_known(model, d) ? 0 : open;
        g->sd[d] = is_known(model, d) ? 0 : sqrt(variance);
    }
    g->has_sd = true;
    return g->sd;
}

const double *scree__gaps_draw(scree__gaps *g, uint64_t seed, uint64_t stream)
{
    const int64_t m = g->model->m;
    const double noise = sqrt(g->model->noise_variance);
    double *normals = g->work + m; /* the root takes the first M */
    double *z = normals + m;
    double *x = g->drawn;
    double extra;
    scree__normals(seed, stream, 0, m, normals);
    scree__gaps_root(g, normals, z);
    for (int64_t k = 0; k < m; k++)
        z[k] += g->z[k];
    expand(g, z, x);
    for (int64_t i = g->seen; noise > 0 && i < g->model->d; i++) {
        const int64_t d = g->columns[i];
        scree__normals(seed, stream, m + d, 1, &extra);
        x[d] = is_known(g->model, d) ? 0 : x[d] + noise * extra;
    }
    return x;
}
