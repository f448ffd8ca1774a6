/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps filled so that relations hold, y_p = b + a'y + e (relations.h). Columns p that others determine say nothing that
 * these do not say, so the solver takes all of them for missing: what it expects of the missing others, f, with the
 * covariance V, knows no relation. Those of columns p that are observed then are conditions on the missing ones,
 *
 *     A y = c + e,     y' = f + VA'(AVA' + E)⁻¹(c - Af),     V' = V - VA'(AVA' + E)⁻¹AV,
 *
 * E = diag(var e), which leave a variance of 0, or var e, where they determine a cell; and missing columns p follow
 * from the others. What hides in the rounding of an exact relation is its var e where the missing cells have so small a
 * part in it that this matters. A draw d from N(f, V) becomes d + VA'(AVA' + E)⁻¹(c - Ad - e), e drawn: one from N(y',
 * V') (Matheron's rule). A row costs what its solver takes, and O(m w r) for m missing cells, V of rank w, and r
 * relations.
 */

#include "model/related.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/dependent.h"

#include <math.h>
#include <string.h>

static const double REDUNDANT = 1e-10;  /* of the variance of a condition: others say the same */
static const double DETERMINED = 1e-12; /* of the variance of a cell: what is left is rounding */
static const double SURE = 1e6; /* times what hides in rounding: a condition's variance, for it to determine cells */
static const uint64_t OF_RELATIONS = UINT64_C(0x72656c6174656400); /* turns the seed into another */

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static scree_status allocate(scree__related *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = r->model->d;
    const int64_t count = r->relations->count;
    SCREE_ALLOC(r->columns, d, error);
    SCREE_ALLOC(r->missing, d, error);
    SCREE_ALLOC(r->hidden, d, error);
    SCREE_ALLOC(r->basis, d, error);
    SCREE_ALLOC(r->which, count, error);
    SCREE_ALLOC(r->before, d, error);
    SCREE_ALLOC(r->observed, count, error);
    SCREE_ALLOC(r->errors, count, error);
    SCREE_ALLOC(r->extra, d, error);
    SCREE_ALLOC(r->cross, count * d, error);
    SCREE_ALLOC(r->root, count * count, error);
    SCREE_ALLOC(r->sd, d, error);
    SCREE_ALLOC(r->drawn, d, error);
done:
    return status;
}

static scree_status make_solver(void **out, const scree_model *model, const scree__related_cells *cells,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__related *r = NULL;
    SCREE_ALLOC(r, 1, error);
    *out = r;
    *r = (scree__related){.model = &model->view, .relations = model->relations, .cells = cells};
    SCREE_TRY(cells->solver->open(&r->gaps, model, error));
    SCREE_TRY(allocate(r, error));
done:
    return status;
}

static void close(void *gaps)
{
    scree__related *r = gaps;
    if (!r)
        return;
    r->cells->solver->close(r->gaps);
    free(r->columns);
    free(r->missing);
    free(r->hidden);
    free(r->basis);
    free(r->which);
    free(r->before);
    free(r->observed);
    free(r->errors);
    free(r->g);
    free(r->extra);
    free(r->sums);
    free(r->cross);
    free(r->root);
    free(r->sd);
    free(r->drawn);
    free(r->work);
    free(r);
}

/* The columns of a pattern: observed, missing, free; and the relations that are conditions. */
static void sort_out(scree__related *r)
{
    const int64_t d = r->model->d;
    int64_t last = d;
    memcpy(r->hidden, r->missing, (size_t)d);
    for (int64_t k = 0; k < r->relations->count; k++)
        r->hidden[r->relations->columns[k]] = 1;
    r->seen = r->free = r->given = 0;
    for (int64_t j = 0; j < d; j++)
        if (!r->missing[j])
            r->columns[r->seen++] = j;
    for (int64_t j = d - 1; j >= 0; j--)
        if (r->missing[j])
            r->columns[--last] = j;
    for (int64_t i = r->seen; i < d; i++)
        r->basis[r->free++] = r->columns[i];
    for (int64_t k = 0; k < r->relations->count; k++) {
        const int64_t p = r->relations->columns[k];
        bool open_part = false;
        for (int64_t i = 0; i < r->free; i++)
            open_part |= r->relations->coefficients[k * d + r->basis[i]] != 0;
        if (!r->missing[p] && open_part)
            r->which[r->given++] = k;
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < r->free; i++) {
        bool determined = false;
        for (int64_t k = 0; k < r->relations->count; k++)
            determined |= r->relations->columns[k] == r->basis[i];
        if (!determined)
            r->basis[kept++] = r->basis[i];
    }
    r->free = kept;
}

static scree_status solve(void *gaps, const uint8_t *missing, bool whole, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__related *r = gaps;
    const int64_t d = r->model->d;
    (void)whole; /* the covariance of cells is */
    if (!r->solved || memcmp(r->missing, missing, (size_t)d) != 0) {
        memcpy(r->missing, missing, (size_t)d);
        sort_out(r);
    }
    r->solved = false;
    SCREE_TRY(r->cells->solver->solve(r->gaps, r->hidden, true, error));
    const int64_t width = r->cells->width(r->gaps);
    if (!r->g) {
        SCREE_ALLOC(r->work, 2 * r->relations->count + width, error);
        SCREE_ALLOC(r->sums, r->relations->count * width, error);
        SCREE_ALLOC(r->g, d * width, error);
    }
    r->solved = true;
done:
    return status;
}

static const double *coefficients(const scree__related *r, int64_t relation)
{
    return r->relations->coefficients + relation * r->model->d;
}

/* The factors of the missing cells, and those of the relations' missing parts. */
static void factor_cells(scree__related *r)
{
    const int64_t width = r->cells->width(r->gaps);
    for (int64_t i = 0; i < r->free; i++) {
        double *g = r->g + i * width;
        r->cells->factor(r->gaps, r->basis[i], g);
        r->extra[i] = fmax(r->cells->variance(r->gaps, r->basis[i]) - dot(g, g, width), 0);
    }
    for (int64_t k = 0; k < r->relations->count; k++) {
        double *sum = r->sums + k * width;
        memset(sum, 0, (size_t)width * sizeof *sum);
        for (int64_t i = 0; i < r->free; i++) {
            const double a = coefficients(r, k)[r->basis[i]];
            for (int64_t w = 0; a != 0 && w < width; w++)
                sum[w] += a * r->g[i * width + w];
        }
    }
}

/* The covariance of two relations' missing parts. */
static double between(const scree__related *r, int64_t k, int64_t l)
{
    const int64_t width = r->cells->width(r->gaps);
    double sum = dot(r->sums + k * width, r->sums + l * width, width);
    for (int64_t i = 0; i < r->free; i++) {
        const double both = coefficients(r, k)[r->basis[i]] * coefficients(r, l)[r->basis[i]];
        sum += both != 0 ? both * r->extra[i] : 0;
    }
    return sum;
}

/* What relation k leaves of its column, or what may hide in the rounding of the sums that it was found in. */
static double doubt_of(const scree__related *r, int64_t k)
{
    const scree_model_view *model = r->model;
    const int64_t p = r->relations->columns[k];
    const double scale = model->scale ? model->scale[p] : 1;
    const double rounding = scree__dependent_rounding(model->d) * model->variances[p] / (scale * scale);
    return fmax(r->relations->variances[k], rounding);
}

/* AVA' + E = LL', a condition that says what others do left out; and AV. */
static void condition(scree__related *r)
{
    const int64_t n = r->given;
    const int64_t d = r->model->d;
    const int64_t width = r->cells->width(r->gaps);
    memcpy(r->errors, r->relations->variances, (size_t)r->relations->count * sizeof *r->errors);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = r->which[i];
        double *row = r->root + i * n;
        for (int64_t j = 0; j <= i; j++)
            row[j] = between(r, k, r->which[j]);
        row[i] += r->errors[k];
        const double all = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double *other = r->root + j * n;
            row[j] = other[j] > 0 ? (row[j] - dot(row, other, j)) / other[j] : 0;
        }
        const double pivot = row[i] - dot(row, row, i);
        if (r->errors[k] == 0 && pivot < SURE * doubt_of(r, k))
            r->errors[k] = doubt_of(r, k);
        row[i] = pivot > REDUNDANT * all ? sqrt(pivot + (r->errors[k] - r->relations->variances[k])) : 0;
        for (int64_t j = 0; j < r->free; j++) {
            const double a = coefficients(r, k)[r->basis[j]];
            r->cross[i * d + j] = dot(r->sums + k * width, r->g + j * width, width) + (a != 0 ? a * r->extra[j] : 0);
        }
    }
}

/* b becomes L⁻¹b, and (LL')⁻¹b; 0 where there is no pivot. */
static void solve_lower(const scree__related *r, double *b)
{
    for (int64_t i = 0; i < r->given; i++) {
        const double *row = r->root + i * r->given;
        b[i] = row[i] > 0 ? (b[i] - dot(row, b, i)) / row[i] : 0;
    }
}

static void solve_upper(const scree__related *r, double *b)
{
    const int64_t n = r->given;
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++)
            b[i] -= r->root[j * n + i] * b[j];
        b[i] = r->root[i * n + i] > 0 ? b[i] / r->root[i * n + i] : 0;
    }
}

/* What relation k says of its column. */
static double follow(const scree__related *r, int64_t k, const double *y)
{
    const double *a = coefficients(r, k);
    double sum = r->relations->offsets[k];
    for (int64_t j = 0; j < r->model->d; j++)
        sum += a[j] != 0 ? a[j] * y[j] : 0;
    return sum;
}

/* The missing cells of y are moved so that the relations hold, but for errors (NULL: none), one a relation. */
static void settle(const scree__related *r, const double *errors, double *y)
{
    double *off = r->work;
    for (int64_t i = 0; i < r->given; i++) {
        const int64_t k = r->which[i];
        off[i] = r->observed[k] - follow(r, k, y) - (errors ? errors[k] : 0);
    }
    solve_lower(r, off);
    solve_upper(r, off);
    for (int64_t i = 0; i < r->given; i++)
        for (int64_t j = 0; j < r->free; j++)
            y[r->basis[j]] += off[i] * r->cross[i * r->model->d + j];
    for (int64_t k = 0; k < r->relations->count; k++) {
        const int64_t p = r->relations->columns[k];
        y[p] = r->missing[p] ? follow(r, k, y) + (errors ? errors[k] : 0) : r->observed[k];
    }
}

static void fill(void *gaps, double *x)
{
    scree__related *r = gaps;
    for (int64_t k = 0; k < r->relations->count; k++)
        r->observed[k] = x[r->relations->columns[k]];
    r->cells->solver->fill(r->gaps, x);
    memcpy(r->before, x, (size_t)r->model->d * sizeof *x);
    r->cells->prepare(r->gaps);
    factor_cells(r);
    condition(r);
    settle(r, NULL, x);
}

/* Of a variance, given the covariance with the conditions, which is overwritten. */
static double left_of(const scree__related *r, double variance, double *with)
{
    solve_lower(r, with);
    const double left = variance - dot(with, with, r->given);
    return left > DETERMINED * variance ? left : 0;
}

const double *scree__related_deviations(scree__related *r)
{
    const int64_t width = r->cells->width(r->gaps);
    double *with = r->work;
    for (int64_t j = 0; j < r->free; j++) {
        const double *g = r->g + j * width;
        for (int64_t i = 0; i < r->given; i++)
            with[i] = r->cross[i * r->model->d + j];
        const double variance = r->cells->variance(r->gaps, r->basis[j]);
        r->sd[r->basis[j]] = isnan(variance) ? NAN : sqrt(left_of(r, dot(g, g, width) + r->extra[j], with));
    }
    for (int64_t k = 0; k < r->relations->count; k++) {
        for (int64_t i = 0; i < r->given; i++)
            with[i] = between(r, k, r->which[i]);
        r->sd[r->relations->columns[k]] = sqrt(left_of(r, between(r, k, k), with) + doubt_of(r, k));
    }
    return r->sd;
}

const double *scree__related_draw(scree__related *r, const double *x, uint64_t seed, int64_t n, int64_t k,
                                  int64_t draws)
{
    const int64_t count = r->relations->count;
    double *errors = r->work + count;
    const double *drawn = r->cells->draw(r->gaps, r->before, seed, n, k, draws);
    memcpy(r->drawn, x, (size_t)r->model->d * sizeof *x);
    for (int64_t j = 0; j < r->free; j++)
        r->drawn[r->basis[j]] = drawn[r->basis[j]];
    scree__normals(seed ^ OF_RELATIONS, (uint64_t)(n * draws + k), 0, count, errors);
    for (int64_t i = 0; i < count; i++)
        errors[i] *= sqrt(r->errors[i]);
    settle(r, errors, r->drawn);
    return r->drawn;
}

static scree_status open_ppca(void **out, const scree_model *model, scree_error *error)
{
    return make_solver(out, model, &scree__related_ppca, error);
}

static scree_status open_imputer(void **out, const scree_model *model, scree_error *error)
{
    return make_solver(out, model, &scree__related_imputer, error);
}

const scree__gap_solver scree__related_ppca_gaps = {open_ppca, close, solve, fill};
const scree__gap_solver scree__related_imputer_gaps = {open_imputer, close, solve, fill};
