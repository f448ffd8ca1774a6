/* SPDX-License-Identifier: BSD-3-Clause */
/* How many rows the components of a fit with gaps were estimated from. With a share s of the cells, each column has sN
 * of N rows; but of a row only so much counts as its observed cells o say of the codes. Given these, codes have the
 * covariance
 *
 *     C = (I + A^½ U_oᵀU_o A^½/ν)⁻¹,   A = Λ - ν,
 *
 * and the code of component k the reliability ρ_k = 1 - C_kk; in a whole row a_k/(a_k + ν). ν is the variance of the
 * noise that codes are mistaken for: of noise whose eigenvalues spread by v, σ²(1 + v), their average weighted by
 * themselves. C is averaged over patterns in which each column is missing about equally often: runs of columns in a
 * random order.
 *
 * What is not known of a component moves new rows by 1/(ρN), as EM takes the more steps the less reliable codes are; of
 * the mean by 1/N. The sum of these with gaps, over that of whole rows, is by how much fewer rows there seem to be:
 * none for strong components that lean on many columns, a share s of them where as many components as columns are
 * needed to hold these. 32 patterns, O(DM² + M³) each. */

#include "model/gap_law.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"
#include "kernel/packed.h"
#include "model/support.h"

#include <math.h>

enum { PATTERNS = 32, STREAM = 106 };
static const double LEAST = 0.1; /* of the noise: a */

/* Patterns at work. */
typedef struct reach {
    const scree_model_view *view;
    double noise;   /* ν */
    int64_t cols;   /* that vary */
    int64_t *order; /* cols: which these are, in a random order */
    double *roots;  /* M: √(a/ν) */
    double *rows;   /* o×M: A^½U_oᵀ/√ν, of the observed columns */
    double *square; /* M×M */
    double *packed; /* pairs(M) */
    double *lower;  /* M×M */
    double *zeros;  /* M */
    double *doubt;  /* M: Σ C_kk over the patterns */
} reach;

/* Columns that vary, D where all do or nobody said. */
static int64_t list_varying(const scree_model_view *view, int64_t *order)
{
    const bool all = scree__varying_columns(view) == view->d;
    int64_t count = 0;
    for (int64_t j = 0; j < view->d; j++)
        if (all || view->variances[j] > 0)
            order[count++] = j;
    return count;
}

static void shuffle(int64_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t word[4];
        scree__philox(1, STREAM, (uint64_t)i, word);
        const int64_t at = (int64_t)((double)word[0] * 0x1p-32 * (double)(i + 1));
        const int64_t next = order[i];
        order[i] = order[at];
        order[at] = next;
    }
}

static scree_status allocate(reach *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = r->view->d;
    const int64_t m = r->view->m;
    SCREE_ALLOC(r->order, d, error);
    SCREE_ALLOC(r->roots, m, error);
    SCREE_ALLOC(r->rows, d * m, error);
    SCREE_ALLOC(r->square, m * m, error);
    SCREE_ALLOC(r->packed, scree__pairs(m), error);
    SCREE_ALLOC(r->lower, m * m, error);
    SCREE_ALLOC(r->zeros, m, error);
    SCREE_ALLOC(r->doubt, m, error);
    for (int64_t k = 0; k < m; k++)
        r->roots[k] = sqrt(fmax(r->view->eigenvalues[k] / r->noise - 1, LEAST));
    r->cols = list_varying(r->view, r->order);
    shuffle(r->order, r->cols);
done:
    return status;
}

static void clear(reach *r)
{
    free(r->order);
    free(r->roots);
    free(r->rows);
    free(r->square);
    free(r->packed);
    free(r->lower);
    free(r->zeros);
    free(r->doubt);
}

/* doubt gains C_kk of a run of seen columns from first on. */
static int add_pattern(reach *r, int64_t first, int64_t seen)
{
    const int64_t d = r->view->d;
    const int64_t m = r->view->m;
    for (int64_t i = 0; i < seen; i++)
        for (int64_t k = 0; k < m; k++)
            r->rows[i * m + k] = r->roots[k] * r->view->components[k * d + r->order[(first + i) % r->cols]];
    const int info = seen > 0 ? scree__dgemm(true, false, m, m, seen, 1, r->rows, m, r->rows, m, 0, r->square, m) : 0;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j <= i; j++)
            r->packed[scree__pair(i, j)] = (i == j) + (seen > 0 ? r->square[i * m + j] : 0);
    scree__packed_factor(r->packed, r->zeros, m, r->lower);
    scree__packed_invert(r->lower, m, 1, r->square, r->packed);
    for (int64_t k = 0; k < m; k++)
        r->doubt[k] += r->packed[scree__pair(k, k)];
    return info;
}

/* From the average doubt. */
static double counted(const reach *r, double share, int64_t patterns)
{
    double effects = 1, whole = 1;
    for (int64_t k = 0; k < r->view->m; k++) {
        const double a = r->roots[k] * r->roots[k];
        const double all = a / (1 + a);
        effects += 1 / fmax(1 - r->doubt[k] / (double)patterns, share * all / 2);
        whole += 1 / all;
    }
    return whole / effects;
}

scree_status scree__gap_law_reach(double *out, const scree_model_view *view, double spread, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double share = scree__gap_law_share(view);
    reach r = {.view = view, .noise = scree__varying_noise(view) * (1 + spread)};
    int64_t patterns = PATTERNS;
    int info = 0;
    *out = 1;
    if (!(share < 1) || !(r.noise > 0) || view->m == 0)
        goto done;
    SCREE_TRY(allocate(&r, error));
    patterns = r.cols < PATTERNS ? r.cols : PATTERNS;
    for (int64_t p = 0; p < patterns; p++) {
        const double seen = share * (double)r.cols + ((double)p + 0.5) / (double)patterns;
        info |= add_pattern(&r, p * r.cols / patterns, (int64_t)seen);
    }
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a product of %lld columns failed", (long long)view->d);
    *out = counted(&r, share, patterns);
done:
    clear(&r);
    return status;
}
