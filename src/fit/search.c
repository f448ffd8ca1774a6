/* SPDX-License-Identifier: BSD-3-Clause */
/* Components by block Lanczos on an operator that is a sweep over the rows.
 *
 * 1. Search, mostly in float, to the goal or to what float can tell (kernel/lanczos.c). With far fewer rows than
 *    columns, eigenvectors v of CCᵀ are searched for, which are shorter, and give u = Cᵀv.
 *    Of genotypes these vectors are proven, too, as of a matrix of their own, and become u and its residual by one
 * sweep at the end.
 * 2. One sweep in double proves the residuals; where they miss the goal, sweeps in float improve the vectors, then
 *    another one in double, and so on (kernel/refine.c).
 * 3. What float could not do is done by double alone, from where float left off.
 * 4. What the first search saw of the other eigenvalues tells how they lie (kernel/shape.c). Where they are too little
 *    beside the first for float to see, two sweeps in double do. */

#include "fit/search.h"

#include "base/memory.h"
#include "fit/course.h"
#include "kernel/shape.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum {
    EXTRA = SCREE__SEARCH_EXTRA,
    MAX_STEPS = 500,
    FAST_ROUNDS = 5,
    EXACT_ROUNDS = 60,
    LEAST_STEPS = 4,
    EXACT_STEPS = 2
};
static const double SEARCH_SHARE = 0.7;         /* of the goal: double will find somewhat more */
static const double FLOAT_LEAST = 1e-5;         /* residual over eigenvalue that a search in float goes to at most */
static const double FLOAT_SHARE = 1e-6;         /* of the trace: of less float sees too little */
static const int64_t LARGE = INT64_C(64) << 20; /* bytes of a basis that is kept small */

/* An operator S/unit over one sweep. */
typedef struct scaled {
    scree__sweep *sweep;
    double unit;
    int64_t rows; /* of the vectors */
    bool by_rows;
} scaled;

typedef struct work {
    scree__search *search;
    scree__lanczos_options options;
    scree__lanczos_result found;
    scaled fast;
    scaled exact;
    scree__watch watch;
} work;

static scree_status apply(void *context, const double *q, int64_t b, double *image, scree_error *error)
{
    const scaled *s = context;
    scree_status status = s->by_rows ? scree__sweep_apply_rows(s->sweep, q, b, image, error)
                                     : scree__sweep_apply(s->sweep, q, b, image, error);
    for (int64_t i = 0; status == SCREE_OK && i < s->rows * b; i++)
        image[i] /= s->unit;
    return status;
}

static scree__operator operator_of(scaled *s)
{
    return (scree__operator){s->rows, apply, s};
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of a basis for refining: a few steps where vectors are so long that they count. */
static int64_t refine_basis(int64_t d, int64_t k, int64_t block)
{
    const scree__lanczos_options options = {.k = k, .extra = EXTRA};
    const int64_t width = scree__refine_width(d, &options);
    const int64_t least = width + LEAST_STEPS * (width + 16);
    const int64_t usual = width + scree__lanczos_basis(d, k, block);
    const int64_t basis = 8 * d * usual <= LARGE ? usual : least;
    return basis < d ? basis : d;
}

int64_t scree__search_basis(const scree__job *job, int64_t k, int64_t block)
{
    const int64_t rows = scree__job_rows(job);
    return scree__lanczos_basis(scree__sweeps_by_rows(job, rows) ? rows : job->cols, k, block);
}

/* Of the vectors that are proven. */
static int64_t proven_entries(const scree__job *job, int64_t rows)
{
    return scree__job_packed(job) ? rows : job->cols;
}

/* Columns that a sweep multiplies at most. */
static int64_t sweep_width(const scree__job *job, int64_t n, int64_t block, const scree__lanczos_options *options)
{
    const int64_t found = larger(block, scree__refine_width(n, options));
    return larger(larger(found, SCREE__SHAPE_BLOCK), scree__job_packed(job) ? 2 * options->k : 0);
}

/* Of genotypes: vectors and residuals on their way from N entries to D. */
static int64_t packed_memory(const scree__job *job, int64_t rows, int64_t k, int64_t block)
{
    const scree__lanczos_options options = {.k = k, .extra = EXTRA, .basis = refine_basis(rows, k, block)};
    const int64_t width = sweep_width(job, rows, block, &options);
    const int64_t searching = scree__lanczos_memory(rows, scree__lanczos_basis(rows, k, block), block);
    const int64_t lifting = 8 * 2 * k * (rows + job->cols);
    return larger(larger(searching, scree__refine_memory(rows, &options)), lifting) +
           scree__sweep_memory(job, rows, width, &scree__ops_f64) +
           scree__sweep_memory(job, rows, width, &scree__ops_f32) + 8 * (k + EXTRA) * (larger(rows, job->cols) + rows);
}

int64_t scree__search_memory(const scree__job *job, int64_t k, int64_t block)
{
    const int64_t d = job->cols;
    const int64_t rows = scree__job_rows(job);
    if (scree__job_packed(job))
        return packed_memory(job, rows, k, block);
    const int64_t n = scree__sweeps_by_rows(job, rows) ? rows : d;
    const scree__lanczos_options options = {.k = k, .extra = EXTRA, .basis = refine_basis(d, k, block)};
    const int64_t width = larger(larger(block, SCREE__SHAPE_BLOCK), scree__refine_width(d, &options));
    const int64_t lifting = n < d ? 8 * (n + d) * (k + EXTRA) : 0;
    const int64_t searching = scree__lanczos_memory(n, scree__lanczos_basis(n, k, block), block) + lifting;
    const int64_t products = scree__sweep_memory(job, rows, width, &scree__ops_f64) +
                             scree__sweep_memory(job, rows, width, &scree__ops_f32) +
                             scree__sweep_tree_memory(job, width);
    return larger(searching, scree__refine_memory(d, &options)) + products +
           (job->source->sparse ? scree__pass_memory_sparse : scree__pass_memory)(
               job->source, scree__sweep_rows(job, rows, width, &scree__ops_f32)) +
           8 * (2 * k + EXTRA) * d;
}

/* to (cols×rows) = fromᵀ. */
static void transpose(const double *from, int64_t rows, int64_t cols, double *to)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            to[j * rows + i] = from[i * cols + j];
}

/* From eigenvectors v of CCᵀ, in found: Cᵀv, orthonormal. */
static scree_status lift(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->search->sweeps.rows;
    const int64_t d = w->search->sweeps.job->cols;
    const int64_t count = w->options.k + EXTRA;
    scree__tall u = {NULL, d, count, count};
    double *v = NULL;
    SCREE_ALLOC(v, n * count, error);
    SCREE_ALLOC(u.x, d * count, error);
    transpose(w->found.vectors, count, n, v);
    SCREE_TRY(scree__sweep_columns(w->fast.sweep, v, count, u.x, error));
    SCREE_TRY(scree__tall_orthonormalise(&u, NULL, w->options.threads, error));
    transpose(u.x, d, count, w->found.vectors);
done:
    free(v);
    free(u.x);
    return status;
}

/* The first step. */
static scree_status find(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__search *search = w->search;
    const scree__job *job = search->sweeps.job;
    const bool alone = search->fast == search->exact;
    const scree__loose_goal goal = scree__goal_loosened(search->goal, SEARCH_SHARE, alone ? 0 : FLOAT_LEAST);
    scree__lanczos_options options = w->options;
    options.goal = &goal.goal;
    options.watch = scree__watch_part(&w->watch, 0, search->find_share);
    options.likely = search->likely;
    w->fast.by_rows = scree__sweeps_by_rows(job, search->sweeps.rows);
    w->fast.rows = w->fast.by_rows ? search->sweeps.rows : job->cols;
    options.basis = scree__lanczos_basis(w->fast.rows, options.k, options.block);
    const scree__operator op = operator_of(&w->fast);
    SCREE_TRY(scree__lanczos(&op, &options, NULL, &w->found, error));
    if (w->fast.by_rows && !w->exact.by_rows && !w->found.gave_way)
        SCREE_TRY(lift(w, error));
done:
    w->fast.by_rows = w->exact.by_rows;
    w->fast.rows = w->exact.rows;
    return status;
}

/* The second and the third. */
static scree_status prove(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__search *search = w->search;
    const scree__operator fast = operator_of(&w->fast);
    const scree__operator exact = operator_of(&w->exact);
    scree__refine_options options = {&w->options, &fast, search->slack, FAST_ROUNDS};
    SCREE_TRY(scree__refine(&exact, &options, &w->found, error));
    if (w->found.converged || w->found.gave_way || search->fast == search->exact)
        goto done;
    options.near = &exact;
    options.rounds = EXACT_ROUNDS;
    SCREE_TRY(scree__refine(&exact, &options, &w->found, error));
done:
    return status;
}

static void swap(double *a, double *b)
{
    const double was = *a;
    *a = *b;
    *b = was;
}

/* Eigenvalues fall; neighbours that do not change places. */
static void put_in_order(scree__lanczos_result *found, int64_t k, int64_t d)
{
    for (int64_t j = 1; j < k; j++)
        for (int64_t i = j; i > 0 && found->values[i] > found->values[i - 1]; i--) {
            swap(&found->values[i], &found->values[i - 1]);
            swap(&found->residuals[i], &found->residuals[i - 1]);
            for (int64_t l = 0; l < d; l++)
                swap(&found->vectors[i * d + l], &found->vectors[(i - 1) * d + l]);
        }
}

/* From eigenvectors v of CCᵀ/N, proven: u = Cᵀv/√(Nλ), for which Su - λu = Cᵀr/√(Nλ), r = CCᵀv/N - λv. A bound of the
 * second order in the residual is one of uᵀSu = λ + |r|²/λ, which is what the eigenvalue becomes. */
static scree_status lift_proven(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__search *search = w->search;
    const int64_t n = search->sweeps.rows;
    const int64_t d = search->sweeps.job->cols;
    const int64_t k = w->options.k;
    scree__lanczos_result *found = &w->found;
    double *v = NULL;
    scree__tall u = {NULL, d, k, 2 * k};
    SCREE_ALLOC(v, n * 2 * k, error);
    SCREE_ALLOC(u.x, d * 2 * k, error);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++) {
            v[i * 2 * k + j] = found->vectors[j * n + i];
            v[i * 2 * k + k + j] = found->images[j * n + i] - found->values[j] * found->vectors[j * n + i];
        }
    SCREE_TRY(scree__sweep_columns(w->exact.sweep, v, 2 * k, u.x, error));
    for (int64_t j = 0; j < k; j++) {
        double squares = 0;
        double own = 0;
        for (int64_t i = 0; i < n; i++)
            own += v[i * 2 * k + k + j] * v[i * 2 * k + k + j];
        for (int64_t i = 0; i < d; i++)
            squares += u.x[i * 2 * k + k + j] * u.x[i * 2 * k + k + j];
        const double length = search->sweeps.divisor * search->unit * found->values[j];
        found->residuals[j] = length > 0 ? sqrt(squares / length) : found->residuals[j];
        found->values[j] += length > 0 ? own / found->values[j] : 0;
    }
    SCREE_TRY(scree__tall_orthonormalise(&u, NULL, w->options.threads, error));
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < d; i++)
            found->vectors[j * d + i] = u.x[i * 2 * k + j];
    put_in_order(found, k, d);
done:
    free(v);
    free(u.x);
    return status;
}

static scree_status open_sweeps(work *w, int64_t spare, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__search *search = w->search;
    const scree__job *job = search->sweeps.job;
    w->fast.unit = w->exact.unit = search->unit;
    w->exact.rows = proven_entries(job, search->sweeps.rows);
    w->exact.by_rows = scree__job_packed(job) != NULL;
    const int64_t width = sweep_width(job, w->exact.rows, search->block, &w->options);
    SCREE_TRY(scree__sweep_new(&w->fast.sweep, &search->sweeps, width, search->fast, spare, error));
    if (search->fast == search->exact)
        w->exact.sweep = w->fast.sweep;
    else
        SCREE_TRY(scree__sweep_new(&w->exact.sweep, &search->sweeps, width, search->exact, 0, error));
done:
    return status;
}

/* What was found becomes the solution, in its own unit; it is made here, as it has no use before. */
static scree_status tell(const work *w, double foreseen, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__lanczos_result *found = &w->found;
    const int64_t k = w->options.k;
    const double unit = w->search->unit;
    double sum = 0;
    SCREE_TRY(scree__solution_resize(s, w->search->sweeps.job, k, error));
    for (int64_t j = 0; j < k; j++) {
        s->values[j] = unit * found->values[j];
        s->residuals[j] = unit * found->residuals[j];
        sum += s->values[j];
    }
    memcpy(s->vectors, found->vectors, (size_t)(k * w->search->sweeps.job->cols) * sizeof *s->vectors);
    s->next = fmin(unit * (found->next + found->next_residual), fmax(s->total - sum, 0));
    if (unit * found->next > foreseen) /* more copies of an eigenvalue than the block could see */
        s->next = fmax(s->next, s->values[k - 1]);
    s->converged = found->converged;
done:
    return status;
}

/* The fourth. */
static scree_status estimate(work *w, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = w->search->sweeps.job->cols;
    const int64_t rank = scree__solution_rank(s, d);
    const bool by_rows = scree__sweeps_by_rows(w->search->sweeps.job, w->search->sweeps.rows);
    const double directions = (double)((by_rows ? w->search->sweeps.rows : d) - s->k);
    scree__shape_sums sums = {directions, rank - s->k, s->total, 0, s->values[s->k - 1]};
    for (int64_t j = 0; j < s->k; j++)
        sums.sum -= s->values[j];
    if (rank <= s->k || !(sums.sum > 0))
        return SCREE_OK;
    if (!(sums.sum > FLOAT_SHARE * s->total) && w->search->fast != w->search->exact) {
        w->exact.by_rows = false;
        w->exact.rows = d;
        const scree__operator exact = operator_of(&w->exact);
        const scree__shape_from from = {
            .known = s->k, .vectors = s->vectors, .seed = w->search->seed, .steps = EXACT_STEPS};
        SCREE_TRY(scree__shape_measure(&w->found.others, &exact, &from, error));
        sums.directions = (double)(d - s->k);
    }
    free(s->spectrum);
    s->spectrum = NULL;
    s->spectrum_count = 0;
    SCREE_ALLOC(s->spectrum, rank, error);
    scree__shape_values(&w->found.others, &sums, s->spectrum + s->k);
    memcpy(s->spectrum, s->values, (size_t)s->k * sizeof *s->values);
    s->spectrum_count = rank;
done:
    return status;
}

scree_status scree__search_run(scree__search *search, int64_t k, int64_t spare, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = search->sweeps.job;
    const int64_t entries = proven_entries(job, search->sweeps.rows);
    work w = {.search = search,
              .watch = scree__course_steps(scree__course_of(job->options->run)),
              .options = {.k = k,
                          .extra = EXTRA,
                          .block = search->block,
                          .basis = refine_basis(entries, k, search->block),
                          .goal = search->goal,
                          .worth = search->worth,
                          .max_steps = MAX_STEPS,
                          .seed = search->seed,
                          .threads = job->threads}};
    SCREE_ALLOC(w.found.values, k + EXTRA, error);
    SCREE_ALLOC(w.found.vectors, (k + EXTRA) * larger(entries, job->cols), error);
    if (scree__job_packed(job))
        SCREE_ALLOC(w.found.images, k * entries, error);
    SCREE_ALLOC(w.found.residuals, k + EXTRA, error);
    w.options.watch = scree__watch_part(&w.watch, search->find_share, 1);
    SCREE_TRY(open_sweeps(&w, spare, error));
    SCREE_TRY(find(&w, error));
    SCREE_TRY(scree__watch_tell(&w.watch, search->find_share, error));
    scree__memory_trim(); /* of the basis, as proving makes another */
    const double foreseen =
        search->unit * (w.found.next + w.found.next_residual + w.found.residuals[k - 1] + search->slack);
    if (!w.found.gave_way)
        SCREE_TRY(prove(&w, error));
    search->gave_way = w.found.gave_way;
    if (search->gave_way)
        goto done;
    if (w.exact.by_rows)
        SCREE_TRY(lift_proven(&w, error));
    SCREE_TRY(tell(&w, foreseen, s, error));
    if (s->converged)
        SCREE_TRY(estimate(&w, s, error));
done:
    free(w.found.values);
    free(w.found.vectors);
    free(w.found.residuals);
    free(w.found.images);
    if (w.exact.sweep != w.fast.sweep)
        scree__sweep_free(w.exact.sweep);
    scree__sweep_free(w.fast.sweep);
    return status;
}
