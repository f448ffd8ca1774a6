/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are to blame for an unlikely row: what its distance d = cᵀC⁻¹c would lose if column i had its best
 * value, the reconstruction-based contribution to the whole density of Alcala and Qin (2009),
 *
 *     r_i = (C⁻¹c)_i² / (C⁻¹)_ii,   C⁻¹ = UΛ⁻¹Uᵀ + (I - UUᵀ)/σ²,   d = T² + Q/σ²:
 *
 * where one column alone is off, none has more (Cauchy and Schwarz). T² or Q alone could not tell: a residual of one
 * direction has the same shares whatever the row. A row that is impossible, because it leaves the directions V that the
 * fitted rows lie in, is told by what it leaves, r_i = (Pc)_i² / P_ii with P = I - VVᵀ, or by the relations between
 * columns that it breaks, P the projection on what these exclude; one that differs in columns that never varied, by
 * these. Of a row with gaps C is the covariance of its observed columns, C_o = Q(G + σ²)Qᵀ + σ²(I - QQᵀ) (gaps.c); a
 * cell that is missing is not to blame. Only the ratios of r count, so c is scaled to be at most 1. 7DM flops. */

#include "base/memory.h"
#include "model/frame.h"
#include "model/ppca.h"
#include "model/relations.h"
#include "model/score.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDING = 8 }; /* units in which a sum of squares may be off, and one for each term */

/* A precision: Σ w_j u_j u_jᵀ + (I - UUᵀ)/σ². */
typedef struct precision {
    int64_t cols;
    int64_t count;
    const double *directions; /* count of them, u_j from ld·j on */
    int64_t ld;
    const double *weights; /* count; NULL: 0 */
    double noise;          /* σ²; 0: there is nothing outside of the directions */
} precision;

/* c becomes r. work: 3·cols. */
static void blame(const precision *p, double *c, double *work)
{
    const double rounding = DBL_EPSILON * (double)(p->count + ROUNDING);
    double *along = work;                 /* UΛ⁻¹Uᵀc */
    double *diagonal = along + p->cols;   /* of UΛ⁻¹Uᵀ */
    double *outside = diagonal + p->cols; /* the diagonal of I - UUᵀ */
    for (int64_t i = 0; i < p->cols; i++) {
        along[i] = diagonal[i] = 0;
        outside[i] = 1;
    }
    for (int64_t j = 0; j < p->count; j++) { /* U is orthonormal: what is left of c has the other codes still */
        const double *u = p->directions + j * p->ld;
        const double weight = p->weights ? p->weights[j] : 0;
        double t = 0;
        for (int64_t i = 0; i < p->cols; i++)
            t += u[i] * c[i];
        for (int64_t i = 0; i < p->cols; i++) {
            c[i] -= t * u[i];
            along[i] += weight * t * u[i];
            diagonal[i] += weight * u[i] * u[i];
            outside[i] -= u[i] * u[i];
        }
    }
    for (int64_t i = 0; i < p->cols; i++) {
        const bool leaves = p->noise > 0 && p->count < p->cols && outside[i] > rounding;
        const double force = along[i] + (leaves ? c[i] / p->noise : 0);
        const double stiffness = diagonal[i] + (leaves ? outside[i] / p->noise : 0);
        c[i] = stiffness > 0 ? force / stiffness * force : 0;
    }
}

/* The largest entry becomes 1; a row at the mean stays. */
static void normalise(double *c, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(c[i]));
    for (int64_t i = 0; most > 0 && i < count; i++)
        c[i] /= most;
}

/* Whether no row can be like this one, by the law of its p-value: see row_law.c. rest and codes: scratch, D each. */
static bool is_impossible(const scree_scorer *scorer, const double *c, double *rest, double *codes)
{
    const int64_t d = scree_model_get(scorer->model)->d;
    double inside = 0;
    double q = 0;
    if (!scorer->law.is_flat || scorer->calibration)
        return false;
    memcpy(rest, c, (size_t)d * sizeof *c);
    for (int64_t j = 0; j < scorer->codes; j++) {
        const double *u = scorer->directions + j * d;
        codes[j] = 0;
        for (int64_t i = 0; i < d; i++)
            codes[j] += u[i] * rest[i];
        for (int64_t i = 0; i < d; i++)
            rest[i] -= codes[j] * u[i];
        inside += j < scorer->law.latent ? 0 : codes[j] * codes[j];
    }
    for (int64_t i = 0; i < d; i++)
        q += rest[i] * rest[i];
    return scree__row_law_excludes(&scorer->law, &(scree__law_row){.q = q + inside, .codes = codes});
}

/* A row that differs in columns that never varied: these are to blame, by how much. */
static bool blame_constants(const scree_scorer *scorer, double *c)
{
    const int64_t d = scree_model_get(scorer->model)->d;
    int64_t next = 0;
    if (scorer->calibration || !scree__support_excludes(scorer, c, NULL))
        return false;
    for (int64_t j = 0; j < d; j++) {
        const bool constant = next < scorer->constant_count && scorer->constants[next] == j;
        next += constant;
        c[j] = constant && scree__support_differs(scorer, c, j) ? c[j] : 0;
    }
    normalise(c, d);
    for (int64_t j = 0; j < d; j++)
        c[j] *= c[j];
    return true;
}

/* c becomes r for P, the projection on so many orthonormal directions. work: 2D. */
static void blame_outside(const double *directions, int64_t count, int64_t d, double *c, double *work)
{
    double *force = work;
    double *stiffness = work + d;
    normalise(c, d);
    memset(work, 0, (size_t)(2 * d) * sizeof *work);
    for (int64_t k = 0; k < count; k++) {
        const double *n = directions + k * d;
        double along = 0;
        for (int64_t i = 0; i < d; i++)
            along += n[i] * c[i];
        for (int64_t i = 0; i < d; i++) {
            force[i] += along * n[i];
            stiffness[i] += n[i] * n[i];
        }
    }
    for (int64_t i = 0; i < d; i++)
        c[i] = stiffness[i] > ROUNDING * DBL_EPSILON ? force[i] / stiffness[i] * force[i] : 0;
}

/* A row that breaks relations between columns: by what it has outside of all rows. */
static bool blame_relations(const scree_scorer *scorer, double *c, double *work)
{
    if (scorer->calibration || scree__support_breaks(scorer, c, NULL) == 0)
        return false;
    blame_outside(scorer->unrelated, scorer->unrelated_count, scree_model_get(scorer->model)->d, c, work);
    return true;
}

/* The same of a row with gaps: by what the relations say of its observed cells. */
static scree_status blame_equations(const scree_scorer *scorer, double *c, double *work, bool *blamed)
{
    scree_status status = SCREE_OK;
    const int64_t d = scree_model_get(scorer->model)->d;
    scree__equations equations = {0};
    uint8_t *missing = NULL;
    int64_t broken = 0;
    SCREE_ALLOC(missing, d, NULL);
    for (int64_t j = 0; j < d; j++)
        missing[j] = (uint8_t)(isnan(c[j]) != 0);
    if (!scorer->calibration)
        SCREE_TRY(scree__support_breaks_part(scorer, c, missing, &broken));
    *blamed = broken > 0;
    if (!*blamed)
        goto done;
    SCREE_TRY(scree__equations_observed(&equations, scorer->kept, missing, NULL));
    for (int64_t j = 0; j < d; j++)
        c[j] = missing[j] ? 0 : c[j];
    blame_outside(equations.a, scree__relations_orthonormal(equations.a, equations.count, d), d, c, work);
done:
    scree__equations_clear(&equations);
    free(missing);
    return status;
}

/* c, a row with gaps, becomes r. */
static scree_status blame_observed(const scree_scorer *scorer, double *c, double *work)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    double *observed = NULL;
    scree__gaps gaps = {0};
    SCREE_TRY(scree__gaps_once(&gaps, view, c, NULL));
    SCREE_ALLOC(observed, gaps.seen, NULL);
    for (int64_t j = 0; j < gaps.rank; j++)
        gaps.work[j] = 1 / (gaps.singular[j] * gaps.singular[j] + view->noise_variance);
    for (int64_t i = 0; i < gaps.seen; i++)
        observed[i] = c[gaps.columns[i]];
    const precision part = {gaps.seen, gaps.rank, gaps.q, gaps.height, gaps.work, view->noise_variance};
    normalise(observed, gaps.seen);
    blame(&part, observed, work);
    for (int64_t i = 0; i < view->d; i++)
        c[gaps.columns[i]] = i < gaps.seen ? observed[i] : 0;
done:
    scree__gaps_close(&gaps);
    free(observed);
    return status;
}

scree_status scree__ppca_reasons(const scree_scorer *scorer, const double *row, double *parts)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    const int64_t d = view->d;
    precision whole = {d, view->m, view->components, d, scorer->weights, view->noise_variance};
    double *work = NULL;
    bool gap = false;
    bool blamed = false;
    SCREE_ALLOC(work, 3 * d, NULL);
    for (int64_t i = 0; i < d; i++) {
        parts[i] = scree__frame_enter(view, i, row[i]);
        gap = gap || isnan(row[i]);
        if (!isfinite(parts[i]) && !isnan(row[i]))
            SCREE_FAIL(NULL, SCREE_ERR_VALUE, "column %lld of the row is too large", (long long)(i + 1));
    }
    if (blame_constants(scorer, parts))
        goto done;
    if (gap) {
        SCREE_TRY(blame_equations(scorer, parts, work, &blamed));
        if (!blamed)
            SCREE_TRY(blame_observed(scorer, parts, work));
        goto done;
    }
    if (blame_relations(scorer, parts, work))
        goto done;
    if (is_impossible(scorer, parts, work, work + d))
        whole = (precision){d, scorer->codes, scorer->directions, d, NULL, 1};
    normalise(parts, d);
    blame(&whole, parts, work);
done:
    free(work);
    return status;
}
