/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos on an explicit matrix A (n×n), orthogonalised in full and never restarted (Golub and Underwood 1977).
 *
 *   V   m×n  orthonormal rows, grown by a block of b a step: the next is W = QA, Q the last, less its part in V
 *   H   m×m  VAVᵀ, block tridiagonal;  W = RᵀQ', R upper triangular, and Q' is the next block
 *
 * Looking at Ritz pairs (ritz.c) costs more than a step, so that the looks are few: two, and from then on where the
 * residuals, falling as they did, will be small enough. When that is beyond the largest basis that is worth it, or a
 * block loses rank, it gives up: there are better ways for such spectra. Flops: 2n²m for the products, 2nm² for the
 * orthogonalising, 2nmk for the vectors. */

#include "kernel/krylov.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/ritz.h"

#include <math.h>
#include <string.h>

enum { USUAL = 200, USUAL_EACH = 4 }; /* columns of the basis, for those who watch */
enum { BLOCK = 8, WIDE_BLOCK = 16, WIDE_FROM = 2000, TILE = 256, BASIS_TILE = 32, WORTH = 200000, SEED = 1 };
static const double TOLERANCE = 1e-13;
/* Columns over n that may be multiplied before reducing A to a tridiagonal form would have been faster: in units of n³
 * flops at the rate of GEMM, μn columns take 3μ + 6μ² + 15μ³ (products, orthogonalising, Ritz pairs), the proof that
 * follows 0.5, and reducing A takes 3 to 4. */
static const double WORTH_COLUMNS = 0.4;
static const double CANCELLED = 1e-2; /* a vector that lost more than this to its neighbours is cleaned again */
static const double DEFICIENT = 1e-6; /* and one that lost more than this ends it */

typedef struct krylov {
    const scree__krylov_matrix *a;
    int64_t k;
    int64_t b;
    const scree__goal *goal;
    const scree__watch *watch;
    scree__ritz ritz; /* m: rows that V has; the next block stands behind them */
    double *v;
    double *part;    /* b×max_basis */
    double *values;  /* max_basis: Ritz values, descending */
    double *allowed; /* k: residuals that the goal allows */
    /* The last look. */
    int64_t seen;
    double excess; /* the largest residual over what it may be */
} krylov;

static int64_t block_of(int64_t n)
{
    return n < WIDE_FROM ? BLOCK : WIDE_BLOCK;
}

static int64_t largest_basis(int64_t n)
{
    const int64_t b = block_of(n);
    return (int64_t)(WORTH_COLUMNS * (double)n) / b * b;
}

static int64_t first_look(int64_t n, int64_t k)
{
    return 2 * k + 4 * block_of(n);
}

bool scree__krylov_fits(int64_t n, int64_t k)
{
    return first_look(n, k) <= 3 * largest_basis(n) / 4;
}

int64_t scree__krylov_memory(int64_t n)
{
    const int64_t max_basis = largest_basis(n);
    return 8 * ((max_basis + block_of(n)) * n + 4 * max_basis * max_basis);
}

/* A product with rows×n on the right, cut by columns: out (m×n) = alpha left (m×depth) right (depth×n) + beta out. */
typedef struct product {
    const double *left;
    const double *right;
    double *out;
    int64_t m;
    int64_t depth;
    int64_t n;
    int64_t tile;
    double alpha;
    double beta;
    int info;
} product;

static void multiply_tile(void *context, int64_t index, int worker)
{
    product *p = context;
    const int64_t first = index * p->tile;
    const int64_t cols = p->n - first < p->tile ? p->n - first : p->tile;
    (void)worker;
    if (scree__dgemm(false, false, p->m, cols, p->depth, p->alpha, p->left, p->depth, p->right + first, p->n, p->beta,
                     p->out + first, p->n) != 0)
        __atomic_store_n(&p->info, 1, __ATOMIC_RELAXED);
}

/* Threads worth waking for 2mnk flops. */
static int threads_for(int threads, int64_t m, int64_t n, int64_t k)
{
    return m * n * k < WORTH ? 1 : threads;
}

/* Tiles as many as a multiple of 4, so that two or four threads have the same to do. */
static int multiply(product *p, int threads)
{
    const int64_t tiles = 4 * ((p->n + 4 * TILE - 1) / (4 * TILE));
    p->tile = (p->n + tiles - 1) / tiles;
    scree__blas_enter();
    scree__parallel(threads_for(threads, p->m, p->n, p->depth), (p->n + p->tile - 1) / p->tile, multiply_tile, p);
    scree__blas_leave();
    return p->info;
}

int scree__krylov_multiply(const scree__krylov_matrix *a, const double *q, int64_t b, double *w)
{
    product p = {.left = q, .right = a->a, .out = w, .m = b, .depth = a->n, .n = a->n, .alpha = 1};
    return multiply(&p, a->threads);
}

/* part (b×rows) = W Vᵀ for rows of V from first on, cut by these rows. */
typedef struct crossing {
    krylov *s;
    int64_t first;
    int64_t rows;
    int info;
} crossing;

static void cross_tile(void *context, int64_t index, int worker)
{
    crossing *c = context;
    const krylov *s = c->s;
    const int64_t n = s->a->n;
    const int64_t at = index * BASIS_TILE;
    const int64_t rows = c->rows - at < BASIS_TILE ? c->rows - at : BASIS_TILE;
    (void)worker;
    if (scree__dgemm(false, true, s->b, rows, n, 1, s->v + s->ritz.m * n, n, s->v + (c->first + at) * n, n, 0,
                     s->part + at, c->rows) != 0)
        __atomic_store_n(&c->info, 1, __ATOMIC_RELAXED);
}

/* W less its part in the rows of V from first on; that part stays in s->part. */
static int project_out(krylov *s, int64_t first)
{
    const int64_t n = s->a->n;
    crossing c = {.s = s, .first = first, .rows = s->ritz.m - first};
    product p = {.left = s->part,
                 .right = s->v + first * n,
                 .out = s->v + s->ritz.m * n,
                 .m = s->b,
                 .depth = c.rows,
                 .n = n,
                 .alpha = -1,
                 .beta = 1};
    const int threads = threads_for(s->a->threads, s->b, c.rows, n);
    scree__parallel(threads, (c.rows + BASIS_TILE - 1) / BASIS_TILE, cross_tile, &c);
    return c.info != 0 ? c.info : multiply(&p, s->a->threads);
}

/* W = RᵀQ by Cholesky's factor of WWᵀ; Q takes the place of W. The least r_jj over the norm of its column; 0 when there
 * is no such factor. */
static double factor(krylov *s, double *r)
{
    const int64_t b = s->b;
    const int64_t n = s->a->n;
    double *w = s->v + s->ritz.m * n;
    double least = 1;
    if (scree__dgemm(false, true, b, b, n, 1, w, n, w, n, 0, r, b) != 0 || scree__dpotrf(b, r, b) != 0)
        return 0;
    for (int64_t j = 0; j < b; j++) {
        double squares = 0;
        for (int64_t i = 0; i <= j; i++)
            squares += r[i * b + j] * r[i * b + j];
        least = fmin(least, r[j * b + j] / sqrt(squares));
        memset(r + j * b, 0, (size_t)j * sizeof *r);
    }
    if (!(least > DEFICIENT) || scree__dtrsm(false, true, b, n, 1, r, b, w, n) != 0)
        return 0;
    return least;
}

/* W = RᵀQ, twice: the second factor is near the identity, and takes away what the first has left. False: W has lost
 * rank. */
static bool orthonormalise(krylov *s)
{
    double first[WIDE_BLOCK * WIDE_BLOCK];
    double second[WIDE_BLOCK * WIDE_BLOCK];
    const int64_t b = s->b;
    const double least = factor(s, first);
    if (least == 0)
        return false;
    if (least < CANCELLED && project_out(s, 0) != 0)
        return false;
    return factor(s, second) > 0.5 && scree__dgemm(false, false, b, b, b, 1, second, b, first, b, 0, s->ritz.r, b) == 0;
}

/* One step: W = QA, the new blocks of H, and W = RᵀQ'. *went: false when W has lost rank. */
static scree_status step(krylov *s, bool *went, scree_error *error)
{
    const int64_t b = s->b;
    const int64_t last = s->ritz.m - b;
    const int64_t local = last >= b ? last - b : 0;
    const int64_t width = s->ritz.m - local;
    if (scree__krylov_multiply(s->a, s->v + last * s->a->n, b, s->v + s->ritz.m * s->a->n) != 0 ||
        project_out(s, local) != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld",
                           (long long)s->a->n);
    for (int64_t i = 0; i < b; i++) /* symmetric but for rounding */
        for (int64_t j = i; j < b; j++)
            s->ritz.h[(last + i) * s->ritz.max_basis + last + j] =
                0.5 * (s->part[i * width + width - b + j] + s->part[j * width + width - b + i]);
    *went = project_out(s, 0) == 0 && orthonormalise(s);
    return SCREE_OK;
}

/* The block behind V joins it. */
static void append(krylov *s)
{
    const int64_t last = s->ritz.m - s->b;
    for (int64_t i = 0; last >= 0 && i < s->b; i++)
        for (int64_t j = 0; j < s->b; j++)
            s->ritz.h[(last + i) * s->ritz.max_basis + s->ritz.m + j] = s->ritz.r[j * s->b + i];
    s->ritz.m += s->b;
}

/* The residual of the j-th largest Ritz pair. */
static double residual(const krylov *s, int64_t j)
{
    double rest[WIDE_BLOCK];
    double squares = 0;
    scree__ritz_rest(&s->ritz, j, rest);
    for (int64_t i = 0; i < s->b; i++)
        squares += rest[i] * rest[i];
    return sqrt(squares);
}

/* Ritz pairs, and where to look next: *next rows of V, 0 when all is well, beyond the largest basis when it cannot be.
 */
static scree_status look(krylov *s, int64_t *next, scree_error *error)
{
    const int64_t before = s->seen;
    const double excess = s->excess;
    scree_status status = scree__ritz_solve_some(&s->ritz, s->k + s->b, error);
    if (status != SCREE_OK)
        return status;
    s->seen = s->ritz.m;
    s->excess = 0;
    for (int64_t j = 0; j < s->ritz.found; j++)
        s->values[j] = scree__ritz_value(&s->ritz, j);
    s->goal->allow(s->goal, s->values, s->ritz.found, s->k, s->allowed);
    for (int64_t j = 0; j < s->k; j++)
        s->excess = fmax(s->excess, residual(s, j) / s->allowed[j]);
    *next = s->ritz.m + 3 * s->b;
    if (s->excess <= 1) {
        *next = 0;
    } else if (before > 0) {
        const double rate = log(excess / s->excess) / (double)(s->seen - before);
        const double wanted = log(s->excess) / (rate > 0 ? rate : 1e-9);
        *next = s->ritz.m + (int64_t)(0.75 * fmin(wanted, 1e6)); /* residuals fall ever faster */
        if (*next > s->ritz.max_basis && *next <= 2 * s->ritz.max_basis)
            *next = s->ritz.max_basis;
    }
    return SCREE_OK;
}

static scree_status collect(krylov *s, scree__krylov_result *result, scree_error *error)
{
    const int64_t n = s->a->n;
    for (int64_t j = 0; j < s->k; j++) {
        result->values[j] = fmax(scree__ritz_value(&s->ritz, j), 0);
        memcpy(s->ritz.h + j * s->ritz.m, scree__ritz_vector(&s->ritz, j), (size_t)s->ritz.m * sizeof *s->ritz.h);
    }
    result->next = fmax(scree__ritz_value(&s->ritz, s->k), 0);
    result->next_residual = residual(s, s->k);
    product p = {
        .left = s->ritz.h, .right = s->v, .out = result->vectors, .m = s->k, .depth = s->ritz.m, .n = n, .alpha = 1};
    return multiply(&p, s->a->threads) == 0 ? SCREE_OK
                                            : scree__fail(error, SCREE_ERR_NUMERIC, "a basis could not be rotated");
}

/* The next look may be the last; but few spectra take less than usual. */
static scree_status tell(const krylov *s, int64_t next, scree_error *error)
{
    const double usual = fmin((double)(USUAL + USUAL_EACH * s->k), (double)s->ritz.max_basis);
    return scree__watch_tell(s->watch, (double)s->ritz.m / fmax(usual, (double)next), error);
}

static scree_status iterate(krylov *s, scree__krylov_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t next = first_look(s->a->n, s->k);
    bool went = true;
    scree__normals(SEED, 0, 0, s->b * s->a->n, s->v);
    if (!orthonormalise(s))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis could not be started");
    append(s);
    for (;;) {
        SCREE_TRY(tell(s, next, error));
        SCREE_TRY(step(s, &went, error));
        if (!went)
            break;
        if (s->ritz.m >= next) {
            SCREE_TRY(look(s, &next, error));
            if (next == 0 || next > 2 * s->ritz.max_basis)
                break;
        }
        if (s->ritz.m + s->b > s->ritz.max_basis)
            break;
        append(s);
    }
    result->converged = went && next == 0;
    if (result->converged)
        SCREE_TRY(collect(s, result, error));
done:
    return status;
}

scree_status scree__krylov(const scree__krylov_matrix *a, int64_t k, const scree__goal *goal, const scree__watch *watch,
                           scree__krylov_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t max_basis = largest_basis(a->n);
    const scree__relative_goal round_off = scree__goal_relative(TOLERANCE);
    krylov s = {.a = a, .k = k, .b = block_of(a->n), .goal = goal ? goal : &round_off.goal, .watch = watch};
    scree__blas_enter();
    result->converged = false;
    s.v = scree__alloc_raw((max_basis + s.b) * a->n, sizeof *s.v);
    if (!s.v)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld vectors of %lld entries cannot be kept",
                   (long long)(max_basis + s.b), (long long)a->n);
    SCREE_TRY(scree__ritz_new(&s.ritz, max_basis, s.b, error));
    SCREE_ALLOC(s.part, max_basis * s.b, error);
    SCREE_ALLOC(s.values, max_basis, error);
    SCREE_ALLOC(s.allowed, k, error);
    SCREE_TRY(iterate(&s, result, error));
done:
    free(s.v);
    scree__ritz_clear(&s.ritz);
    free(s.part);
    free(s.values);
    free(s.allowed);
    scree__blas_leave();
    return status;
}
