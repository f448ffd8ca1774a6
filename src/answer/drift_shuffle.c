/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two tables are rows of one population, whatever that is: where rows are shuffled between them, each way to
 * part them is as likely as the one that was found, and the share of shuffles in which the parts differ as much is a
 * p-value that is right for any distribution and any number of rows (Fisher 1935; Pitman 1937). For that nothing may
 * know which table a row is from: codes, and what they leave, are of the components of all rows together, fitted anew.
 *
 * Many rows are shuffled in units of several, of the same number in both tables but for what does not go into it
 * evenly, so that a shuffle draws at most MOST_UNITS. O((N+n)DM) and a fit; then O(D M) a unit that is drawn. */

#include "answer/drift_shuffle.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { SHUFFLES = 2000, MOST_SHUFFLES = 100000, PER_LEVEL = 20, MOST_UNITS = 1000, ROW_GROUP = 128 };
static const double NOTHING = 1e-9; /* of a column's variance: the components leave nothing of it */

scree_status scree__drift_rows_add(scree__drift_rows *rows, const double *cells, const uint8_t *skip, int64_t count,
                                   int64_t d, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *more = NULL;
    if (rows->rows + count > rows->room) {
        const int64_t room = 2 * rows->room > rows->rows + count ? 2 * rows->room : rows->rows + count;
        if (room > rows->most / (int64_t)sizeof *more / d)
            SCREE_FAIL(
                error, SCREE_ERR_MEMORY,
                "%s: all rows, new and fitted ones, are held in memory to be shuffled, and they do not fit; give "
                "a sample of them",
                path);
        SCREE_ALLOC(more, room * d, error);
        if (rows->rows > 0)
            memcpy(more, rows->cells, (size_t)(rows->rows * d) * sizeof *more);
        free(rows->cells);
        rows->cells = more;
        rows->room = room;
    }
    for (int64_t i = 0; i < count; i++)
        if (!skip[i])
            memcpy(rows->cells + rows->rows++ * d, cells + i * d, (size_t)d * sizeof *cells);
done:
    return status;
}

/* y becomes r, and its code is found. */
typedef struct projection {
    scree__drift_pool *pool;
    const scree_model_view *view;
} projection;

static void centre_row(const scree_model_view *view, double *y)
{
    for (int64_t j = 0; j < view->d; j++)
        y[j] = (y[j] - view->mean[j]) / (view->scale ? view->scale[j] : 1);
}

/* Task: some rows. */
static void take_rows(void *context, int64_t index, int worker)
{
    const projection *at = context;
    const scree_model_view *view = at->view;
    scree__drift_pool *pool = at->pool;
    (void)worker;
    for (int64_t i = index * ROW_GROUP; i < (index + 1) * ROW_GROUP && i < pool->rows; i++) {
        double *y = pool->x + i * pool->d;
        double far = 0;
        double q = 0;
        centre_row(view, y);
        for (int64_t k = 0; k < pool->m; k++) {
            double sum = 0;
            for (int64_t j = 0; j < pool->d; j++)
                sum += view->components[k * pool->d + j] * y[j];
            pool->t[i * pool->m + k] = sum;
            far += view->eigenvalues[k] > 0 ? sum * sum / view->eigenvalues[k] : 0;
            q -= sum * sum;
        }
        for (int64_t j = 0; j < pool->d; j++)
            q += y[j] * y[j];
        pool->far[i] = far + (view->noise_variance > 0 ? fmax(q, 0) / view->noise_variance : 0);
    }
}

static double left_of(const projection *at, int64_t i, int64_t j)
{
    double r = at->pool->x[i * at->pool->d + j];
    for (int64_t k = 0; k < at->pool->m; k++)
        r -= at->pool->t[i * at->pool->m + k] * at->view->components[k * at->pool->d + j];
    return r;
}

/* Task: a column of all rows. */
static void take_column(void *context, int64_t j, int worker)
{
    const projection *at = context;
    scree__drift_pool *pool = at->pool;
    double whole = 0;
    double left = 0;
    (void)worker;
    for (int64_t i = 0; i < pool->rows; i++) {
        const double y = pool->x[i * pool->d + j];
        const double r = left_of(at, i, j);
        whole += y * y;
        left += r * r;
    }
    pool->tested[j] = !(whole > 0)             ? SCREE__DRIFT_CONSTANT
                      : left > NOTHING * whole ? SCREE__DRIFT_RESIDUAL
                                               : SCREE__DRIFT_ITSELF;
    for (int64_t i = 0; pool->tested[j] == SCREE__DRIFT_RESIDUAL && i < pool->rows; i++)
        pool->x[i * pool->d + j] = left_of(at, i, j);
}

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Components of all rows together, as many as the model has, of columns that are scaled as its are. */
static scree_status fit_all(scree_model **out, const scree__drift_rows *rows, const scree_model_view *view,
                            const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run own = *run;
    block.data = rows->cells;
    block.rows = rows->rows;
    block.cols = view->d;
    own.communicator = NULL;
    options.run = &own;
    options.components = view->m > 0 ? fewer(view->m, fewer(rows->rows - 1, view->d)) : 1;
    options.latent = view->m > 0 ? options.components : SCREE_NONE;
    options.uncentred = view->uncentred;
    if (view->scale && (view->scaling == SCREE_SCALE_UNIT || view->scaling == SCREE_SCALE_NONE))
        options.scale = SCREE_SCALE_UNIT;
    SCREE_TRY(scree_source_from_memory(&source, &block, error));
    SCREE_TRY(scree_model_fit(out, source, &options, error));
done:
    scree_source_free(source);
    return status;
}

/* Rows of a kind go round its units, so that each has rows of all times. */
static void make_units(scree__drift_pool *pool, int64_t fresh)
{
    const int64_t old = pool->rows - fresh;
    const int64_t least = fewer(fresh, old);
    const int64_t each = (least + MOST_UNITS - 1) / MOST_UNITS;
    const int64_t fresh_units = fresh / each;
    const int64_t old_units = old / each;
    const int64_t fresh_first = fresh <= old ? 0 : old_units;
    const int64_t old_first = fresh <= old ? fresh_units : 0;
    pool->units = fresh_units + old_units;
    pool->part = fresh <= old ? fresh_units : old_units;
    for (int64_t i = 0; i < pool->rows; i++)
        pool->unit[i] = (int32_t)(i < fresh ? fresh_first + i % fresh_units : old_first + (i - fresh) % old_units);
}

static scree_status pool_open(scree__drift_pool *pool, scree__drift_rows *rows, double level, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double wanted = ceil(PER_LEVEL / level);
    if (rows->rows > INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%lld rows are too many to shuffle: give a sample of them",
                   (long long)rows->rows);
    if (wanted > MOST_SHUFFLES)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "the level %g is beyond what %d shuffles of the rows can tell, which are the most: give %g or more",
                   level, MOST_SHUFFLES, (double)PER_LEVEL / MOST_SHUFFLES);
    pool->count = wanted > SHUFFLES ? (int64_t)wanted : SHUFFLES;
    pool->x = rows->cells;
    SCREE_ALLOC(pool->t, pool->rows * pool->m, error);
    SCREE_ALLOC(pool->far, pool->rows, error);
    SCREE_ALLOC(pool->tested, pool->d, error);
    SCREE_ALLOC(pool->unit, pool->rows, error);
    SCREE_ALLOC(pool->statistics, SCREE__DRIFT_STATISTICS * pool->count, error);
done:
    return status;
}

/* For scree__watch. */
static scree_status tell(void *context, double done, scree_error *error)
{
    const scree_run *run = context;
    const scree_progress p = {.size = sizeof p,
                              .stage = "drift",
                              .pass = 1,
                              .passes = 1,
                              .rows_total = -1,
                              .part = "shuffles",
                              .done = done,
                              .seconds_left = -1};
    return run->progress(run->progress_context, &p) == 0 ? SCREE_OK
                                                         : scree__fail(error, SCREE_ERR_CANCELLED, "cancelled");
}

scree_status scree__drift_shuffle(scree__drift_found *found, scree__drift_rows *rows, const scree_model_view *view,
                                  double level, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    scree_run own = *run;
    scree__drift_pool pool = {.d = view->d,
                              .rows = rows->rows,
                              .uncentred = view->uncentred,
                              .memory = rows->most,
                              .watch = {.tell = run->progress ? tell : NULL, .context = &own}};
    const int threads = scree__threads(run->threads);
    SCREE_TRY(fit_all(&model, rows, view, run, error));
    const projection at = {.pool = &pool, .view = scree_model_get(model)};
    pool.m = fewer(view->m, at.view->m);
    SCREE_TRY(pool_open(&pool, rows, level, error));
    make_units(&pool, rows->fresh);
    scree__parallel(threads, (pool.rows + ROW_GROUP - 1) / ROW_GROUP, take_rows, (void *)&at);
    scree__parallel(threads, pool.d, take_column, (void *)&at);
    SCREE_TRY(scree__drift_parts_compare(&pool, threads, error));
    SCREE_TRY(scree__drift_ranks_read(found, &pool, error));
done:
    scree_model_free(model);
    free(pool.t);
    free(pool.far);
    free(pool.tested);
    free(pool.unit);
    free(pool.statistics);
    return status;
}
