/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the two reads of wide_vectors.c: R and YR⁻¹ by Cholesky's factor of H, O(Nk² + k³); and U by Householder's QR
 * where columns have lost their orthogonality, 4Dk². */

#include "kernel/wide_vectors.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>

enum { BAND = 64 };
static const double WELL_CONDITIONED = 0.5; /* the diagonal of a Cholesky factor of columns of length 1 */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* h (k×k) becomes R; false where columns are too near to each other, or nothing. lengths: k. */
static bool factorise(int64_t k, double *h, double *lengths)
{
    for (int64_t i = 0; i < k; i++) {
        lengths[i] = sqrt(h[i * k + i]);
        if (!(lengths[i] > 0 && isfinite(lengths[i])))
            return false;
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = i; j < k; j++)
            h[i * k + j] = h[i * k + j] / lengths[i] / lengths[j];
    if (scree__dpotrf(k, h, k) != 0)
        return false;
    bool well = true;
    for (int64_t i = 0; i < k; i++) {
        well = well && h[i * k + i] > WELL_CONDITIONED;
        for (int64_t j = i; j < k; j++)
            h[i * k + j] *= lengths[j];
    }
    return well;
}

/* Task: some rows of YR⁻¹. */
typedef struct solving {
    double *y;
    const double *r;
    int64_t n;
    int64_t k;
    bool failed;
} solving;

static void solve_band(void *context, int64_t index, int worker)
{
    solving *s = context;
    const int64_t rows = least(BAND, s->n - index * BAND);
    (void)worker;
    if (scree__dtrsm(true, false, rows, s->k, 1, s->r, s->k, s->y + index * BAND * s->k, s->k) != 0)
        __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
}

/* Task: some columns of U as rows of at, or back. */
typedef struct turned {
    double *u;  /* k×D */
    double *at; /* D×k */
    int64_t d;
    int64_t k;
    bool back;
} turned;

static void turn_band(void *context, int64_t index, int worker)
{
    const turned *t = context;
    const int64_t end = least((index + 1) * BAND, t->d);
    (void)worker;
    for (int64_t l = 0; l < t->k; l++)
        for (int64_t j = index * BAND; j < end; j++)
            if (t->back)
                t->u[l * t->d + j] = t->at[j * t->k + l];
            else
                t->at[j * t->k + l] = t->u[l * t->d + j];
}

scree_status scree__wide_vectors_settle(int64_t rows, int64_t k, int threads, double *sums, bool *settled,
                                        scree_error *error)
{
    scree_status status = SCREE_OK;
    solving s = {.y = sums, .r = sums + rows * k, .n = rows, .k = k};
    double *lengths = NULL;
    SCREE_ALLOC(lengths, k, error);
    scree__blas_enter();
    *settled = factorise(k, sums + rows * k, lengths);
    if (*settled)
        scree__parallel(threads, (rows + BAND - 1) / BAND, solve_band, &s);
    scree__blas_leave();
    if (s.failed)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)rows);
done:
    free(lengths);
    return status;
}

scree_status scree__wide_vectors_orthonormalise(const scree__wide_pairs *pairs, int64_t cols, int threads,
                                                scree_error *error)
{
    scree_status status = SCREE_OK;
    turned t = {.u = pairs->u, .d = cols, .k = pairs->k};
    SCREE_ALLOC(t.at, cols * pairs->k, error);
    const scree__tall tall = {t.at, cols, pairs->k, pairs->k};
    scree__parallel(threads, (cols + BAND - 1) / BAND, turn_band, &t);
    scree__blas_enter();
    status = scree__tall_orthonormalise(&tall, NULL, threads, error);
    scree__blas_leave();
    SCREE_TRY(status);
    t.back = true;
    scree__parallel(threads, (cols + BAND - 1) / BAND, turn_band, &t);
done:
    free(t.at);
    return status;
}
