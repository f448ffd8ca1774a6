/* SPDX-License-Identifier: BSD-3-Clause */
/* A row with gaps is a whole row of the columns that it has observed, and the law of rows (row_law.c) is about their
 * covariance. Of that a model knows K directions U with their variances Λ, and of what is beyond them the variance that
 * each column has there, and the sum and the squares of the eigenvalues. That noise is taken for PΨP, P = I - UUᵀ, Ψ
 * diagonal (unequal.c), and covariances that are spread over the pairs of columns evenly. So
 *
 *     S_oo = Ψ_o + U_o A U_oᵀ - U_o B_oᵀ - B_o U_oᵀ,   A = Λ + UᵀΨU,   B = ΨU
 *
 * A complete fit of few columns knows all directions, and then this is the covariance of those columns itself. Its
 * first r components are found from those of the density (gaps.c), which takes the noise of all columns for the same,
 * by a few steps of subspace iteration, and what they leave by traces (part_rest.c). A component that leans on columns
 * that are missing is none of the r, unless what is left of it still stands out: its direction is one of the noise.
 * Directions of the noise of some columns vary no more than that of all (Cauchy's interlacing), which is known, or for
 * which the edge of Marchenko and Pastur stands; what varies twice as much is none of them. O((r + K)oK) a row.
 *
 * Columns scaled by their deviations are scaled anew with a new row among them as in score_rescale.c. */

#include "model/part.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "model/gap_law.h"
#include "model/ppca.h"
#include "model/relations.h"
#include "model/spare.h"
#include "model/support.h"
#include "model/unequal.h"

#include <math.h>
#include <string.h>

enum { STEPS = 3 };
static const double LEAST_SEEN = 0.5; /* of the weakest component, for an axis to be one; */
static const double STANDS_OUT = 2;   /* or times the largest variance that noise has in any direction */

void scree__parts_clear(scree__parts *p)
{
    free(p->values);
    free(p->own_directions);
    free(p->noise);
    free(p->middle);
    free(p->relations);
    *p = (scree__parts){0};
}

/* Beyond so many components. */
static double find_edge(const scree__parts *p, int64_t latent)
{
    const scree_model_view *view = p->model;
    const double rows = scree__gap_law_share(view) * scree__model_rows(view);
    const double ratio = sqrt((double)scree__varying_columns(view) / rows);
    double most = 0;
    for (int64_t j = 0; j < view->d; j++)
        most = fmax(most, p->noise[j]);
    return fmax(most * (1 + ratio) * (1 + ratio), p->known > latent ? p->values[latent] : 0);
}

scree_status scree__parts_make(scree__parts *p, const scree_model *kept, int64_t latent, bool fitted,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &kept->view;
    scree__rest rest = {0};
    double sum = 0, squares = 0;
    *p = (scree__parts){.model = view, .known = scree__model_known(view, latent, view->m + view->spare_count)};
    SCREE_TRY(scree__model_reach(&p->reach, view, fitted, error));
    SCREE_TRY(scree__relations_directions(&p->relations, &p->related, kept->relations, true, error));
    SCREE_ALLOC(p->noise, view->d, error);
    SCREE_TRY(scree__model_kept(&p->values, kept, p->known, error));
    while (p->known > latent && p->known > scree__varying_columns(view)) /* components of constants */
        p->known--;
    SCREE_ALLOC(p->middle, p->known * p->known, error);
    SCREE_TRY(scree__spare_directions(&p->directions, &p->own_directions, kept, p->known, error));
    SCREE_TRY(scree__model_rest(&rest, kept, p->known, error));
    for (int64_t i = 0; i < rest.bins; i++) {
        sum += rest.counts[i] * rest.values[i];
        squares += rest.counts[i] * rest.values[i] * rest.values[i];
    }
    const scree__unequal known = {view, p->known, p->values, p->directions};
    const double count = (double)(scree__varying_columns(view) - p->known);
    scree__unequal_noise(&known, p->noise);
    for (int64_t j = 0; j < view->d; j++)
        p->noise[j] *= count > 0 ? sum / count : 0;
    p->edge = find_edge(p, latent);
    p->links = fmax(squares - scree__unequal_squares(&known, p->noise, p->middle), 0);
    for (int64_t k = 0; k < p->known; k++)
        p->middle[k * (p->known + 1)] += p->values[k];
done:
    scree__rest_clear(&rest);
    return status;
}

static scree_status allocate(scree__part_row *row, scree__part_desk *at, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t o = at->o;
    const int64_t r = at->r;
    const int64_t k = at->k;
    const int64_t side = r > k ? r : k;
    SCREE_ALLOC(row->places, o, error);
    SCREE_ALLOC(row->memory, (2 * k + 2 + 2 * r) * o + 2 * r * k + 5 * side * side + 4 * r + 1, error);
    double *next = row->memory;
    at->u = next;
    at->b = (next += k * o);
    at->noise = (next += k * o);
    at->image = (next += o);
    row->axes = (next += (r > 0 ? r : 1) * o);
    at->turned = (next += r * o);
    at->square = (next += 2 * r * k);
    at->values = (next += 5 * side * side);
    row->codes = (next += r);
    row->gains = next + r;
done:
    return status;
}

/* Columns that vary, of those observed; into places, where it is not NULL. */
static int64_t find_varying(const scree__gaps *g, int64_t *places)
{
    const bool has_constants = scree__varying_columns(g->model) < g->model->d;
    int64_t count = 0;
    for (int64_t i = 0; i < g->seen; i++) {
        if (has_constants && !(g->model->variances[g->columns[i]] > 0))
            continue;
        if (places)
            places[count] = i;
        count++;
    }
    return count;
}

static int64_t column_of(const scree__part_row *row, const scree__gaps *g, int64_t i)
{
    return g->columns[row->places[i]];
}

static void gather(const scree__parts *p, const scree__part_row *row, const scree__gaps *g, const scree__part_desk *at)
{
    const int64_t o = at->o;
    for (int64_t i = 0; i < o; i++)
        at->noise[i] = p->noise[column_of(row, g, i)];
    for (int64_t k = 0; k < p->known; k++)
        for (int64_t i = 0; i < o; i++) {
            at->u[k * o + i] = p->directions[k * p->model->d + column_of(row, g, i)];
            at->b[k * o + i] = at->noise[i] * at->u[k * o + i];
        }
}

/* image = axes·S_oo. */
static int apply(const scree__parts *p, const scree__part_desk *at, const double *axes)
{
    const int64_t o = at->o;
    const int64_t r = at->r;
    const int64_t k = at->k;
    double *along = at->turned;   /* axes·U_o */
    double *both = along + r * k; /* axes·(U_o A - B_o) */
    int info = 0;
    for (int64_t j = 0; j < r; j++)
        for (int64_t i = 0; i < o; i++)
            at->image[j * o + i] = at->noise[i] * axes[j * o + i];
    if (k == 0)
        return 0;
    info |= scree__dgemm(false, true, r, k, o, 1, axes, o, at->u, o, 0, along, k);
    info |= scree__dgemm(false, true, r, k, o, -1, axes, o, at->b, o, 0, both, k);
    info |= scree__dgemm(false, false, r, k, k, 1, along, k, p->middle, k, 1, both, k);
    info |= scree__dgemm(false, false, r, o, k, 1, both, k, at->u, o, 1, at->image, o);
    info |= scree__dgemm(false, false, r, o, k, -1, along, k, at->b, o, 1, at->image, o);
    return info;
}

/* Gram and Schmidt's, twice; an axis that is nothing but rounding stays as it was. */
static void orthonormalise(const double *image, int64_t o, int64_t r, double *axes)
{
    for (int64_t j = 0; j < r; j++) {
        double *a = axes + j * o;
        memcpy(a, image + j * o, (size_t)o * sizeof *a);
        for (int64_t i = 0; i < 2 * j; i++) {
            const double *b = axes + i % j * o;
            const double along = scree__gaps_dot(a, b, o);
            for (int64_t k = 0; k < o; k++)
                a[k] -= along * b[k];
        }
        const double length = sqrt(scree__gaps_dot(a, a, o));
        for (int64_t k = 0; k < o && length > 0; k++)
            a[k] /= length;
    }
}

/* Axes become those of the covariance within their span, with their variances in values, descending. */
static int settle(const scree__parts *p, const scree__part_desk *at, double *axes)
{
    const int64_t o = at->o;
    const int64_t r = at->r;
    int info = apply(p, at, axes);
    info |= scree__dgemm(false, true, r, r, o, 1, axes, o, at->image, o, 0, at->square, r);
    if (info == 0)
        info = scree__dsyevd(r, at->square, r, at->values);
    if (info == 0)
        info = scree__dgemm(false, false, r, o, r, 1, at->square, r, axes, o, 0, at->image, o);
    for (int64_t j = 0; info == 0 && j < r; j++)
        memcpy(axes + j * o, at->image + (r - 1 - j) * o, (size_t)o * sizeof *axes);
    for (int64_t j = 0; info == 0 && j < r / 2; j++) {
        const double value = at->values[j];
        at->values[j] = at->values[r - 1 - j];
        at->values[r - 1 - j] = value;
    }
    return info;
}

/* Codes of a row, and what it has beyond. y: o of work. */
static void place(scree__part_row *row, const scree__gaps *g, const double *x, double *y)
{
    const int64_t o = row->part.cols;
    row->q = 0;
    for (int64_t i = 0; i < o; i++)
        y[i] = x[column_of(row, g, i)];
    for (int64_t j = 0; j < row->part.components; j++)
        row->codes[j] = scree__gaps_dot(row->axes + j * o, y, o);
    for (int64_t j = 0; j < row->part.components; j++)
        for (int64_t i = 0; i < o; i++)
            y[i] -= row->codes[j] * row->axes[j * o + i];
    for (int64_t i = 0; i < o && o > row->part.components; i++)
        row->q += y[i] * y[i];
    if (isnan(row->q))
        row->q = HUGE_VAL; /* overflow in both directions: as far out as any */
}

/* Axes that are components: those of which the observed columns hold enough, */
static int64_t count_axes(const scree__gaps *g, int64_t most)
{
    const double weakest = g->model->m > 0 ? scree__ppca_loading(g->model, g->model->m - 1) : 0;
    int64_t r = most;
    while (r > 0 && g->singular[r - 1] * g->singular[r - 1] < LEAST_SEEN * weakest * weakest)
        r--;
    return r;
}

/* and those that stand out from noise. */
static int64_t count_above(const scree__parts *p, const scree__part_desk *at)
{
    int64_t r = 0;
    while (r < at->r && at->values[r] >= STANDS_OUT * p->edge)
        r++;
    return r;
}

scree_status scree__part_find(scree__part_row *row, const scree__parts *p, const scree__gaps *g, const double *x,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t o = find_varying(g, NULL);
    int64_t related;
    int info = 0;
    SCREE_TRY(scree__part_related(&related, p, g, error));
    related = related < o ? related : o;
    const int64_t most = g->rank < o - related ? g->rank : o - related;
    const int64_t enough = count_axes(g, most);
    scree__part_desk at = {.o = o, .r = most, .k = p->known};
    SCREE_TRY(allocate(row, &at, error));
    find_varying(g, row->places);
    gather(p, row, g, &at);
    for (int64_t j = 0; j < at.r; j++)
        for (int64_t i = 0; i < o; i++)
            row->axes[j * o + i] = g->q[j * g->height + row->places[i]];
    for (int step = 0; step < STEPS && at.r > 0 && info == 0; step++) {
        info = apply(p, &at, row->axes);
        orthonormalise(at.image, o, at.r, row->axes);
    }
    if (at.r > 0 && info == 0)
        info = settle(p, &at, row->axes);
    const int64_t above = info == 0 ? count_above(p, &at) : 0;
    at.r = enough > above ? enough : above;
    row->part =
        (scree__part){.cols = o, .related = related, .components = at.r, .variances = at.values, .reach = p->reach};
    if (info == 0)
        place(row, g, x, at.image);
    if (info == 0)
        info = scree__part_rest(&row->part, p, &at, row->axes);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the covariance of a part", o, error));
done:
    return status;
}

void scree__part_rescale(scree__part_row *row, const scree__gaps *g, const double *x)
{
    const double n = scree__gap_law_share(g->model) * scree__model_rows(g->model);
    const double divisor = n - g->model->ddof;
    const int64_t r = row->part.components;
    const int64_t o = row->part.cols;
    double all = 0;
    row->q = 0;
    for (int64_t j = 0; j <= r; j++)
        row->gains[j] = 0;
    for (int64_t i = 0; i < o; i++) {
        const double y = x[column_of(row, g, i)];
        const double factor = sqrt((divisor + 1) / (divisor + y * y * n / (n + 1)));
        double left = y;
        all += factor;
        for (int64_t j = 0; j < r; j++) {
            const double a = row->axes[j * o + i];
            left -= row->codes[j] * a;
            row->gains[j] += factor * a * a;
        }
        row->q += factor * left * factor * left;
    }
    for (int64_t j = 0; j < r; j++) {
        all -= row->gains[j];
        row->codes[j] *= row->gains[j];
        row->gains[j] *= row->gains[j];
    }
    const double others = o > r ? all / (double)(o - r) : 1;
    row->gains[r] = others * others;
}

void scree__part_clear(scree__part_row *row)
{
    free(row->places);
    free(row->memory);
    *row = (scree__part_row){0};
}
