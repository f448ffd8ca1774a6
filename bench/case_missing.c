/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of rows with a fifth of their cells missing, k = 10, against pcaMethods' ppca as it comes. The rows are of a
 * PPCA model, so the missing cells are known: first the errors of what both fill in, and the density that both give the
 * cells that are there, are compared; then both are timed, ppca only the once where it takes minutes. The rows are in
 * memory on both sides. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

static const double SHARE = 0.2;
static const double SLACK = 1.001; /* of errors */

typedef struct work {
    bench *b;
    bench_gaps rows;
    char path[600];   /* of the rows, raw */
    char result[600]; /* of the other program */
    bench_fitting fit;
    double density[2]; /* ours, theirs */
    double rmse[2];
} work;

/* The planner does not look into the rows, and would speak of a fit without gaps. */
static scree_status predict(double *seconds, const bench_fitting *fit, scree_error *error)
{
    bench_fitting em = *fit;
    em.options.solver = "em";
    return bench_predict(seconds, &em, error);
}

static scree_status ask(work *w, const char *result, double *seconds, scree_error *error)
{
    return bench_peers_ask(w->b->peers, seconds, error, "missing\t%s\t%" PRId64 "\t%" PRId64 "\t%d\t%s", w->path,
                           w->rows.rows, w->rows.cols, BENCH_GAPS_COMPONENTS, result);
}

static scree_status ppca_once(void *context, double *seconds, scree_error *error)
{
    return ask(context, "-", seconds, error);
}

static scree_status write_rows(const work *w, scree_error *error)
{
    const size_t cells = (size_t)(w->rows.rows * w->rows.cols);
    FILE *file = fopen(w->path, "wb");
    const bool is_written = file && fwrite(w->rows.seen, sizeof(double), cells, file) == cells;
    if ((file && fclose(file) != 0) || !is_written)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written; choose another folder with --data", w->path);
    return SCREE_OK;
}

/* Our density by the benchmark's formula, which must be what the model says of itself. */
static scree_status verify_ours(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bench_gaps *g = &w->rows;
    const scree_model_view *view = scree_model_get(w->fit.model);
    bench_ppca p = {view->mean, view->components, view->eigenvalues, view->noise_variance};
    scree_imputed out = SCREE_IMPUTED_INIT;
    const scree_block block = bench_block(g->seen, SCREE_F64, g->rows, g->cols);
    if (view->m != BENCH_GAPS_COMPONENTS)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "missing: the model has %" PRId64 " components, not %d", view->m,
                   BENCH_GAPS_COMPONENTS);
    SCREE_ALLOC(out.filled, g->rows * g->cols, error);
    SCREE_TRY(scree_model_impute_rows(w->fit.model, &block, &out, NULL, error));
    w->rmse[0] = bench_gaps_rmse(g, out.filled);
    SCREE_TRY(bench_gaps_density(g, &p, &w->density[0], error));
    if (!(fabs(w->density[0] - view->log_likelihood) <= 1e-9 * fabs(w->density[0])))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "missing: the model says ln p = %.9g, and it is %.9g",
                   view->log_likelihood, w->density[0]);
done:
    free(out.filled);
    return status;
}

static scree_status verify_theirs(work *w, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bench_gaps *g = &w->rows;
    const int64_t m = BENCH_GAPS_COMPONENTS;
    const int64_t count = m + m * g->cols + g->cols + g->rows * g->cols;
    double *found = NULL;
    FILE *file = NULL;
    SCREE_ALLOC(found, count, error);
    SCREE_TRY(ask(w, w->result, seconds, error));
    file = fopen(w->result, "rb");
    if (!file || fread(found, sizeof(double), (size_t)count, file) != (size_t)count)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s does not hold what ppca found; see what R says", w->result);
    bench_ppca p = {.mean = found + m + m * g->cols, .components = found + m, .values = found};
    w->rmse[1] = bench_gaps_rmse(g, p.mean + g->cols);
    SCREE_TRY(bench_gaps_best_noise(g, &p, &w->density[1], error));
    if (!(w->density[0] >= w->density[1]) || !(w->rmse[0] <= SLACK * w->rmse[1]))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "missing: ours has ln p = %.9g and RMSE %.6g, ppca %.9g and %.6g",
                   w->density[0], w->rmse[0], w->density[1], w->rmse[1]);
done:
    if (file)
        fclose(file);
    remove(w->result);
    free(found);
    return status;
}

static void add_line(const bench_case *c, work *w, const bench_side *sides, double predicted)
{
    bench_line line = {.name = c->name, .most = c->most, .predicted = predicted};
    const bool is_compared = sides[1].runs > 0;
    const int iterations = scree_model_get(w->fit.model)->iterations;
    bench_line_times(&line, &sides[0], is_compared ? &sides[1] : NULL);
    snprintf(line.what, sizeof line.what, "fit with gaps, %" PRId64 "×%" PRId64 ", %.0f %% missing, k = %d",
             w->rows.rows, w->rows.cols, 100 * SHARE, BENCH_GAPS_COMPONENTS);
    snprintf(line.note, sizeof line.note, "%d iterations, ln p %.8g, RMSE of the missing cells %.5f", iterations,
             w->density[0], w->rmse[0]);
    if (is_compared) {
        snprintf(line.against, sizeof line.against, "pcaMethods, ppca%s", sides[1].runs == 1 ? " (one run)" : "");
        snprintf(line.note, sizeof line.note,
                 "%d iterations; ln p %.8g and %.8g, RMSE of the missing cells %.5f and %.5f", iterations,
                 w->density[0], w->density[1], w->rmse[0], w->rmse[1]);
    }
    bench_add(w->b, &line);
}

scree_status bench_missing(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.b = b};
    bench_side sides[2] = {{.once = bench_fit_once, .context = &w.fit}, {.once = ppca_once, .context = &w}};
    const double bytes = 8.0 * (double)bench_rows(b, c) * (double)c->cols;
    const bool is_compared = bench_peers_has(b->peers, "pcaMethods");
    double predicted = 0;
    double ours = 0;
    double theirs = 0;
    if (!bench_has_room(b, c, 3 * bytes, 20 * bytes))
        return SCREE_OK;
    snprintf(w.path, sizeof w.path, "%s/missing.raw", b->folder);
    snprintf(w.result, sizeof w.result, "%s/missing-found.raw", b->folder);
    SCREE_TRY(bench_gaps_make(&w.rows, bench_rows(b, c), c->cols, SHARE, error));
    SCREE_TRY(write_rows(&w, error));
    bench_fitting_array(&w.fit, b, w.rows.seen, SCREE_F64, w.rows.rows, w.rows.cols);
    w.fit.options.components = BENCH_GAPS_COMPONENTS;
    SCREE_TRY(predict(&predicted, &w.fit, error));
    SCREE_TRY(bench_fit_once(&w.fit, &ours, error));
    SCREE_TRY(verify_ours(&w, error));
    if (is_compared)
        SCREE_TRY(verify_theirs(&w, &theirs, error));
    else
        bench_leave_out(b, "missing: pcaMethods is not there to compare with");
    const bool is_once = theirs > b->budget / 2; /* the run that was verified is the one that counts */
    SCREE_TRY(bench_interleave(sides, is_compared && !is_once ? 2 : 1, bench_repeats(b, is_once ? ours : ours + theirs),
                               error));
    if (is_once)
        sides[1] = (bench_side){.median = theirs, .best = theirs, .runs = 1};
    add_line(c, &w, sides, predicted);
done:
    remove(w.path);
    bench_fitting_clear(&w.fit);
    bench_gaps_clear(&w.rows);
    return status;
}
