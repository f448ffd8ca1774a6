/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram, for N < D (10.5): eigenvectors v of the N×N matrix G = CCᵀ/N give those of S, u = Cᵀv/√(Nλ).
 *
 *   C   N×D  centred data, in memory
 *   G   N×N  N²D flops, tiles of the output for each thread, summed over columns in panels
 *   U   D×k  CᵀV, orthonormalised again: small eigenvalues have lost orthogonality
 *
 * Eigenvalues below the unit round-off times tr S are lost, as in every method that squares the data. */

#include "fit/method.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/resident.h"
#include "kernel/blas.h"
#include "kernel/dense.h"
#include "kernel/product.h"
#include "kernel/tall.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 256, PANEL = 512 };

typedef struct work {
    const scree__job *job;
    scree__resident x;
    int64_t tiles; /* of a side of G */
    char *scratch; /* a tile for each thread */
    double *g;     /* N×N */
    double *v;     /* k×N: eigenvectors of G as rows */
    char *narrow;  /* N×k: the same as columns, in the operations' type */
    double *u;     /* D×k */
    double *line;  /* k */
    int64_t k;
    bool failed;
} work;

static const scree__ops *ops_of(const scree__job *job)
{
    return scree__job_ops(job, (double)scree__job_rows(job) * (double)scree__job_rows(job) * (double)job->cols);
}

static bool applicable(const scree__job *job, char *reason)
{
    if (job->rows < 0) {
        snprintf(reason, 256, "the number of rows is not known");
        return false;
    }
    if (job->rows >= job->cols) {
        snprintf(reason, 256, "it is only for fewer rows than columns");
        return false;
    }
    return true;
}

/* What lives from the loading on; and on top of it G while its eigenvectors are found, or else what orthonormalising U
 * and its residuals take. */
static int64_t memory_of(const scree__job *job, const scree__ops *ops, int64_t rows, int64_t k)
{
    const int64_t found = job->share > 0 ? rows : k; /* all are computed where a share decides */
    const int64_t kept = scree__resident_memory(job, ops) + (8 * 2 * job->cols + (8 + ops->size) * rows) * k +
                         job->threads * TILE * (TILE > k ? TILE : k) * ops->size;
    const int64_t first = 8 * rows * rows + scree__dense_memory(rows, found);
    const scree__product_size size = {rows, job->cols, k, ops->type, ops, job->threads};
    const int64_t product = scree__product_memory(&size) + 8 * job->cols;
    const int64_t squares = 3 * 8 * k * k;
    const int64_t second = 8 * job->cols * k + (product > squares ? product : squares);
    return kept + (first > second ? first : second);
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const scree__ops *ops = ops_of(job);
    const int64_t rows = scree__job_rows(job);
    const int64_t k = scree__job_components(job, rows);
    const double n = (double)rows;
    const double d = (double)job->cols;
    const double kd = (double)k;
    entry->passes = 1;
    scree__estimate_keeping(job->rates, effort, n, d);
    effort->alone += scree__estimate_finishing(job->rates, d * kd);
    effort->shared += scree__estimate_product(job->rates, ops->type, n * n * d, n) +
                      scree__estimate_product(job->rates, ops->type, 6 * n * d * kd, kd) +
                      scree__estimate_product(job->rates, SCREE_F64, 8 * d * kd * kd, kd);
    entry->flops = n * n * d + 6 * n * d * kd + 8 * d * kd * kd +
                   scree__estimate_dense(job->rates, effort, rows, k, job->share > 0);
    entry->memory = memory_of(job, ops, rows, k);
}

static int64_t size_of(int64_t n, int64_t tile, int64_t index)
{
    return n - index * tile < tile ? n - index * tile : tile;
}

static void note(work *w, int info)
{
    if (info != 0)
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
}

/* Task: a tile of the upper triangle of CCᵀ, over panels of columns in order. */
static void gram_tile(void *context, int64_t index, int worker)
{
    work *w = context;
    const int64_t size = w->x.ops->size;
    const int64_t d = w->x.cols;
    int64_t row = 0;
    while (index >= w->tiles - row)
        index -= w->tiles - row++;
    const int64_t col = row + index;
    for (int64_t first = 0; first < d; first += PANEL) {
        scree__tile tile = {
            .a = w->x.data + (row * TILE * d + first) * size,
            .b = w->x.data + (col * TILE * d + first) * size,
            .lda = d,
            .ldb = d,
            .m = size_of(w->x.rows, TILE, row),
            .n = size_of(w->x.rows, TILE, col),
            .k = d - first < PANEL ? d - first : PANEL,
            .acc = w->g + row * TILE * w->x.rows + col * TILE,
            .ldacc = w->x.rows,
            .scratch = w->scratch + worker * TILE * TILE * size,
        };
        note(w, w->x.ops->outer(&tile));
    }
}

static void gram_matrix(work *w, double divisor)
{
    const int64_t n = w->x.rows;
    w->tiles = (n + TILE - 1) / TILE;
    scree__blas_enter();
    scree__parallel(w->job->threads, w->tiles * (w->tiles + 1) / 2, gram_tile, w);
    scree__blas_leave();
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            w->g[i * n + j] /= divisor;
            w->g[j * n + i] = w->g[i * n + j];
        }
}

/* Task: rows of u = Cᵀ narrow. */
static void back_tile(void *context, int64_t index, int worker)
{
    work *w = context;
    const int64_t size = w->x.ops->size;
    const int64_t first = index * TILE;
    const int64_t cols = size_of(w->x.cols, TILE, index);
    double *acc = w->u + first * w->k;
    memset(acc, 0, (size_t)(cols * w->k) * sizeof *acc);
    for (int64_t row = 0; row < w->x.rows; row += PANEL) {
        scree__tile tile = {
            .a = w->x.data + (row * w->x.cols + first) * size,
            .b = w->narrow + row * w->k * size,
            .lda = w->x.cols,
            .ldb = w->k,
            .m = cols,
            .n = w->k,
            .k = w->x.rows - row < PANEL ? w->x.rows - row : PANEL,
            .acc = acc,
            .ldacc = w->k,
            .scratch = w->scratch + worker * TILE * (TILE > w->k ? TILE : w->k) * size,
        };
        note(w, w->x.ops->inner(&tile));
    }
}

/* u (D×k) = CᵀV, orthonormal. */
static scree_status vectors_of_s(work *w, scree_error *error)
{
    const int64_t n = w->x.rows;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < w->k; j++)
            w->line[j] = w->v[j * n + i];
        w->x.ops->narrow(w->line, w->k, w->narrow + i * w->k * w->x.ops->size);
    }
    scree__blas_enter();
    scree__parallel(w->job->threads, (w->x.cols + TILE - 1) / TILE, back_tile, w);
    const scree__tall u = {w->u, w->x.cols, w->k, w->k};
    scree_status status = scree__tall_orthonormalise(&u, NULL, w->job->threads, error);
    scree__blas_leave();
    return status;
}

/* residuals_j = ‖Cᵀ(Cu_j)/divisor - λ_j u_j‖. */
static scree_status residuals(work *w, scree__solution *s, double divisor, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = w->x.cols;
    const scree__product_size size = {w->x.rows, d, w->k, w->x.ops->type, w->x.ops, w->job->threads};
    const scree__rows all = {w->x.data, w->x.ops->type, w->x.rows, d, d, NULL};
    scree__product *product = NULL;
    double *image = NULL;
    double *zeros = NULL;
    SCREE_ALLOC(image, d * w->k, error);
    SCREE_ALLOC(zeros, d, error);
    SCREE_TRY(scree__product_new(&product, &size, zeros, NULL, error));
    scree__product_start(product, w->u, w->k, image);
    scree__product_add(product, &all);
    scree__product_finish(product);
    for (int64_t j = 0; j < w->k; j++) {
        double norm = 0; /* hypot: squares of very large or small numbers do not exist */
        for (int64_t i = 0; i < d; i++) {
            double r = image[i * w->k + j] / divisor - s->values[j] * w->u[i * w->k + j];
            norm = hypot(norm, r);
        }
        s->residuals[j] = norm;
    }
done:
    scree__product_free(product);
    free(image);
    free(zeros);
    return status;
}

/* Longest chains of additions: a panel, then panels; twice the centring; weights as in centred.c. Float panels as
 * there. */
static double rounding(const scree__resident *x)
{
    const double panels = ceil((double)x->cols / PANEL);
    const double chain = x->cols < PANEL ? (double)x->cols : PANEL;
    const double of_sums = (chain + panels + (double)x->rows + 4) * 0x1p-53 * (x->weights ? 2 : 1);
    return x->ops->type == SCREE_F32 ? of_sums + 8 * sqrt(chain / panels) * 0x1p-24 : of_sums;
}

static void work_clear(work *w)
{
    scree__resident_clear(&w->x);
    free(w->scratch);
    free(w->g);
    free(w->v);
    free(w->narrow);
    free(w->u);
    free(w->line);
}

static scree_status work_alloc(work *w, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->x.rows;
    const int64_t size = w->x.ops->size;
    w->k = k;
    SCREE_ALLOC(w->scratch, w->job->threads * TILE * (TILE > k ? TILE : k) * size, error);
    SCREE_ALLOC(w->g, n * n, error);
    SCREE_ALLOC(w->v, n * k, error);
    SCREE_ALLOC(w->narrow, n * k * size, error);
    SCREE_ALLOC(w->u, w->x.cols * k, error);
    SCREE_ALLOC(w->line, k, error);
done:
    return status;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job};
    SCREE_TRY(scree__resident_load(&w.x, job, ops_of(job), s, error));
    SCREE_TRY(work_alloc(&w, s->k, error));
    const double divisor = scree__job_divisor(job, s->weight);
    gram_matrix(&w, divisor);
    const scree__dense_options options = {.share = job->share, .threads = job->threads};
    scree__dense_result found = {.values = s->values, .vectors = w.v, .residuals = s->residuals};
    SCREE_TRY(scree__dense_eigen(w.g, s->rows, &s->k, &options, &found, error));
    free(w.g); /* as large as anything: what comes next has its place */
    w.g = NULL;
    w.k = s->k;
    SCREE_TRY(vectors_of_s(&w, error));
    if (w.failed)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)s->rows);
    SCREE_TRY(residuals(&w, s, divisor, error));
    for (int64_t j = 0; j < s->k; j++)
        for (int64_t i = 0; i < job->cols; i++)
            s->vectors[j * job->cols + i] = w.u[i * s->k + j];
    s->next = found.next;
    s->rounding = rounding(&w.x) * s->total;
    s->passes = 1;
    s->converged = true;
done:
    work_clear(&w);
    return status;
}

const scree__method scree__method_gram = {
    .name = "gram",
    .text = "eigenvectors of the matrix of inner products of the rows, for fewer rows than columns; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES,
    .cluster = SCREE__CLUSTER_ROWS,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
