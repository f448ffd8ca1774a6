/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of a symmetric tridiagonal T (n×n) by divide and conquer (Cuppen 1981; Gu and Eisenstat 1995), as LAPACK's
 * dstedc, on several threads: at most 4n³/3 flops, all in products.
 *
 * T is torn into leaves of one size for an order, which LAPACK solves, or implicit.c where they are small, one thread
 * each. Two neighbours with values D
 * and vectors Q = diag(Q₁, Q₂) are joined by the eigenpairs of D + ρzzᵀ: LAPACK says which values stay as they are and
 * finds the roots λ_j of the secular equation; then, with the poles δ_i,
 *
 *     ẑ_i² = Π_j (λ_j - δ_i) / Π_j≠i (δ_j - δ_i)      the weights that have exactly these roots
 *     s_j  = (ẑ_i / (δ_i - λ_j))_i, normalised        and Q S are the new vectors
 *
 * Roots, weights and vectors are dealt out in tiles of a fixed size: the same bits for any number of threads. Of the
 * last join only the vectors that are wanted are made, in the order in which they are wanted. */

#include "kernel/divide.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/implicit.h"
#include "kernel/roots.h"

#include <math.h>
#include <string.h>

enum { LEAF = 300, SMALL_LEAF = 32, ROOT_TILE = 16, WEIGHT_TILE = 64, COLUMN_TILE = 128 };

typedef struct joining {
    scree__divide *d;
    scree__join *join;
    int64_t wanted;    /* vectors */
    const int *chosen; /* which, from 1 and backwards; NULL: those that are found anew, as they come */
    double *out;       /* wanted rows, ld apart */
    int64_t ld;
    int info;
} joining;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Small orders are torn into small leaves: nothing is there for other threads to do. */
static int64_t leaves_of(int64_t n)
{
    const int64_t leaf = n > LEAF ? LEAF : SMALL_LEAF;
    int64_t leaves = 1;
    while (n > leaves * leaf)
        leaves *= 2;
    return leaves;
}

/* Two squares, and tiles that are no more than a third together. */
int64_t scree__divide_memory(int64_t n)
{
    return 8 * (3 * n * n + (COLUMN_TILE + 5) * n) + 4 * 5 * n;
}

static void note(joining *j, int info)
{
    if (info != 0)
        __atomic_store_n(&j->info, info, __ATOMIC_RELAXED);
}

/* Halves of halves: of any two that are joined, the first is not the larger, as LAPACK wants it. */
static int64_t start_of(const scree__divide *d, int64_t leaf)
{
    int64_t first = 0;
    int64_t size = d->n;
    int64_t width = leaves_of(d->n);
    if (leaf == width)
        return size;
    while ((width /= 2) > 0) {
        const int64_t half = size / 2;
        first += leaf & width ? half : 0;
        size = leaf & width ? size - half : half;
    }
    return first;
}

/* A leaf by the QR algorithm, which is faster as long as it is small; false where it is not, or comes to no end. */
static bool solve_small(scree__divide *d, int64_t first, int64_t size)
{
    _Alignas(64) double room[SCREE__IMPLICIT_ROOM(SMALL_LEAF)];
    return size <= SMALL_LEAF && scree__implicit_eigen(size, d->values + first, d->beside + first,
                                                       d->vectors + first * (d->n + 1), d->n, room);
}

/* Task: a leaf, in place, with zeros beside it. */
static void solve_leaf(void *context, int64_t leaf, int worker)
{
    joining *j = context;
    scree__divide *d = j->d;
    const int64_t first = start_of(d, leaf);
    const int64_t size = start_of(d, leaf + 1) - first;
    (void)worker;
    memset(d->vectors + first * d->n, 0, (size_t)(size * d->n) * sizeof *d->vectors);
    if (!solve_small(d, first, size))
        note(j, scree__dstedc(size, d->values + first, d->beside + first, d->vectors + first * (d->n + 1), d->n));
    for (int64_t i = 0; i < size; i++)
        d->order[first + i] = (int)i + 1;
}

/* Task: some roots; their distances from the poles stand where their vectors will. */
static void find_roots(void *context, int64_t index, int worker)
{
    joining *j = context;
    scree__join *join = j->join;
    const int64_t last = smaller((index + 1) * ROOT_TILE, join->kept);
    (void)worker;
    const scree__poles poles = {join->kept, join->poles, join->z, join->rho};
    for (int64_t i = index * ROOT_TILE; i < last; i++)
        if (join->kept < 3 || i + 1 == join->kept ||
            !scree__root_between(&poles, i, join->vectors + i * join->ld, join->values + i))
            note(j, scree__join_root(join, i, join->vectors + i * join->ld, join->values + i));
}

/* Factors of one root, of the weights from first to last. */
SCREE_CLONES static void multiply(double *restrict z, const double *restrict distance, const double *restrict pole,
                                  double at, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        z[i] *= distance[i] / (pole[i] - at);
}

/* Task: some weights, in z. */
static void find_weights(void *context, int64_t index, int worker)
{
    const joining *j = context;
    const scree__join *join = j->join;
    const int64_t first = index * WEIGHT_TILE;
    const int64_t last = smaller(first + WEIGHT_TILE, join->kept);
    const double *pole = join->poles;
    double *z = join->z;
    (void)worker;
    for (int64_t i = first; i < last; i++)
        z[i] = join->vectors[i * join->ld + i];
    for (int64_t c = 0; c < join->kept; c++) {
        const double *distance = join->vectors + c * join->ld;
        multiply(z, distance, pole, pole[c], first, smaller(c, last));
        multiply(z, distance, pole, pole[c], c + 1 > first ? c + 1 : first, last);
    }
    for (int64_t i = first; i < last; i++)
        z[i] = copysign(sqrt(-z[i]), join->weights[i]);
}

/* s, in the order of the packed halves, for a root. Of one or two poles LAPACK has returned s itself. */
static void secular_vector(const scree__join *join, int64_t root, double *s)
{
    const double *distance = join->vectors + root * join->ld;
    const int *packed = join->indices + 2 * join->n;
    double squares = 0;
    for (int64_t i = 0; i < join->kept; i++) {
        const int64_t at = packed[i] - 1;
        s[i] = join->kept > 2 ? join->z[at] / distance[at] : distance[at];
        squares += s[i] * s[i];
    }
    const double scale = 1 / sqrt(squares);
    for (int64_t i = 0; i < join->kept; i++)
        s[i] *= scale;
}

/* The column of the join that becomes the i-th vector. */
static int64_t column_of(const joining *j, int64_t i)
{
    return j->chosen ? j->chosen[-i] - 1 : i;
}

/* The vectors that need no work take their places among count others, which stand first. */
static void spread(const joining *j, int64_t first, int64_t last, int64_t count)
{
    const scree__join *join = j->join;
    const size_t bytes = (size_t)join->n * sizeof(double);
    for (int64_t i = last - 1; i >= first; i--) {
        const int64_t column = column_of(j, i);
        double *to = j->out + i * j->ld;
        const double *from =
            column < join->kept ? j->out + (first + --count) * j->ld : join->vectors + column * join->ld;
        if (to != from)
            memcpy(to, from, bytes);
    }
}

/* Task: a tile of vectors, Q S. */
static void make_vectors(void *context, int64_t index, int worker)
{
    joining *j = context;
    const scree__join *join = j->join;
    const int64_t first = index * COLUMN_TILE;
    const int64_t last = smaller(first + COLUMN_TILE, j->wanted);
    const int64_t upper = join->kinds[0] + join->kinds[1];
    const int64_t lower = join->kinds[1] + join->kinds[2];
    const int64_t rest = join->n - join->cut;
    const int64_t kept = join->kept;
    double *s = j->d->scratch + (int64_t)worker * COLUMN_TILE * j->d->n;
    double *out = j->out + first * j->ld;
    int64_t count = 0;
    for (int64_t i = first; i < last; i++)
        if (column_of(j, i) < kept)
            secular_vector(join, column_of(j, i), s + count++ * kept);
    if (count > 0) {
        note(j,
             scree__dgemm(false, false, count, join->cut, upper, 1, s, kept, join->halves, join->cut, 0, out, j->ld));
        note(j, scree__dgemm(false, false, count, rest, lower, 1, s + join->kinds[0], kept,
                             join->halves + join->cut * upper, rest, 0, out + join->cut, j->ld));
    }
    spread(j, first, last, count);
}

static int64_t tiles(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* Values of the join, and all that its vectors need. */
static void find_values(joining *j)
{
    scree__join *join = j->join;
    const int threads = scree__threads_for(j->d->threads, 100.0 * (double)join->n * (double)join->n);
    for (int64_t i = 0; i < join->n; i++)
        join->z[i] = join->vectors[i * join->ld + (i < join->cut ? join->cut - 1 : join->cut)];
    note(j, scree__join_begin(join));
    if (j->info != 0)
        return;
    for (int64_t i = 0; i < join->kept; i++)
        join->z[i] = join->weights[i] * join->weights[i];
    scree__parallel(threads, tiles(join->kept, ROOT_TILE), find_roots, j);
    if (join->kept > 2)
        scree__parallel(threads, tiles(join->kept, WEIGHT_TILE), find_weights, j);
    if (join->kept > 0)
        scree__join_order(join);
    else
        for (int64_t i = 0; i < join->n; i++)
            join->order[i] = (int)i + 1;
}

static scree_status find_vectors(joining *j, const scree__watch *watch, scree_error *error)
{
    return scree__watch_parallel(watch, j->d->threads, tiles(j->wanted, COLUMN_TILE), make_vectors, j, error);
}

/* Leaves first, first + width, first + 2 width. */
static scree_status join_two(joining *j, int64_t leaf, int64_t width, scree_error *error)
{
    scree__divide *d = j->d;
    const int64_t n = d->n;
    const int64_t first = start_of(d, leaf);
    const int64_t cut = start_of(d, leaf + width) - first;
    const bool last = 2 * width == leaves_of(n);
    d->join = (scree__join){.n = start_of(d, leaf + 2 * width) - first,
                            .cut = cut,
                            .rho = d->beside[first + cut - 1],
                            .values = d->values + first,
                            .vectors = d->vectors + first * (n + 1),
                            .ld = n,
                            .order = d->order + first,
                            .z = d->numbers,
                            .poles = d->numbers + n,
                            .weights = d->numbers + 2 * n,
                            .halves = d->halves,
                            .indices = d->indices};
    j->join = &d->join;
    find_values(j);
    j->wanted = d->join.kept;
    j->out = d->join.vectors;
    j->ld = n;
    return !last && j->info == 0 ? find_vectors(j, NULL, error) : SCREE_OK;
}

/* What is done before these leaves are joined: parts that are twice as wide take eight times as long, and are half as
 * many. The last join makes no vectors yet. */
static scree_status tell(const scree__divide *d, int64_t leaf, int64_t width, scree_error *error)
{
    const double all = (double)leaves_of(d->n);
    const double square = (double)width * (double)width;
    const double whole = all * all / 4 - 1;
    const bool last = 2 * width == leaves_of(d->n);
    return scree__watch_tell(&d->watch, last ? 1 : (square - 1 + 3 * square * (double)leaf / all) / whole, error);
}

static scree_status allocate(scree__divide *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = d->n;
    const int64_t workers = smaller(d->threads, tiles(n, COLUMN_TILE));
    d->vectors = scree__alloc_raw(n * n, sizeof *d->vectors);
    d->halves = scree__alloc_raw(n * n, sizeof *d->halves);
    d->scratch = scree__alloc_raw(workers * COLUMN_TILE * n, sizeof *d->scratch);
    if (!d->vectors || !d->halves || !d->scratch)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    SCREE_ALLOC(d->values, n, error);
    SCREE_ALLOC(d->beside, n, error);
    SCREE_ALLOC(d->numbers, 3 * n, error);
    SCREE_ALLOC(d->order, n, error);
    SCREE_ALLOC(d->indices, 4 * n, error);
done:
    return status;
}

scree_status scree__divide_open(scree__divide *d, const double *diagonal, const double *beside, int64_t n, int threads,
                                const scree__watch *watch, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t leaves = leaves_of(n);
    joining j = {.d = d};
    *d = (scree__divide){.n = n, .threads = threads, .watch = scree__watch_part(watch, 0, 1)};
    SCREE_TRY(allocate(d, error));
    memcpy(d->values, diagonal, (size_t)n * sizeof *diagonal);
    memcpy(d->beside, beside, (size_t)(n - 1) * sizeof *beside);
    for (int64_t leaf = 1; leaf < leaves; leaf++) {
        const int64_t cut = start_of(d, leaf);
        d->values[cut - 1] -= fabs(beside[cut - 1]);
        d->values[cut] -= fabs(beside[cut - 1]);
    }
    scree__parallel(threads, leaves, solve_leaf, &j);
    for (int64_t width = 1; width < leaves && j.info == 0; width *= 2)
        for (int64_t leaf = 0; leaf < leaves && j.info == 0; leaf += 2 * width) {
            SCREE_TRY(tell(d, leaf, width, error));
            SCREE_TRY(join_two(&j, leaf, width, error));
        }
    if (j.info != 0)
        SCREE_TRY(scree__blas_fail(j.info, "the eigendecomposition of a matrix", n, error));
done:
    return status;
}

void scree__divide_close(scree__divide *d)
{
    free(d->values);
    free(d->beside);
    free(d->vectors);
    free(d->numbers);
    free(d->scratch);
    free(d->halves);
    free(d->order);
    free(d->indices);
}

double scree__divide_value(const scree__divide *d, int64_t j)
{
    return d->values[d->order[d->n - 1 - j] - 1];
}

/* Without a join, where one leaf was all, every vector stays as it is. */
scree_status scree__divide_vectors(scree__divide *d, int64_t k, double *rows, const scree__watch *watch,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    joining j = {.d = d, .join = &d->join, .wanted = k, .chosen = d->order + d->n - 1, .out = rows, .ld = d->n};
    if (leaves_of(d->n) == 1)
        d->join = (scree__join){.n = d->n, .vectors = d->vectors, .ld = d->n};
    SCREE_TRY(find_vectors(&j, watch, error));
    if (j.info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)d->n);
done:
    return status;
}
