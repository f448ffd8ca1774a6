/* SPDX-License-Identifier: BSD-3-Clause */
/* From a CSV file of 1 GB to a model, k = 50, against pandas.read_csv and polars.read_csv with scikit-learn's PCA after
 * them, each as it comes. The file has the doubles of a matrix in 17 digits, so what the matrix itself gives is the
 * reference. The file is in the system's cache. Floor: `cat FILE >/dev/null`. */

#include "bench.h"

#include <inttypes.h>

typedef struct work {
    const bench *b;
    const bench_matrix *x;
    char path[600];
    scree_model *model;
} work;

static scree_fit_options options_of(const work *w)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = BENCH_COMPONENTS;
    options.ddof = 1;
    options.run.threads = w->b->threads;
    return options;
}

static scree_status open_file(scree_source **source, const work *w, scree_error *error)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.threads = w->b->threads;
    return scree_source_open(source, w->path, &options, error);
}

static scree_status fit_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree_source *source = NULL;
    const scree_fit_options options = options_of(w);
    scree_model_free(w->model);
    w->model = NULL;
    const double start = bench_now();
    SCREE_TRY(open_file(&source, w, error));
    SCREE_TRY(scree_fit(&w->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_close(source);
    return status;
}

static scree_status check(void *context, bench_errors *errors, scree_error *error)
{
    const work *w = context;
    return bench_check_model(w->x, w->model, errors, error);
}

/* cat in the second of two runs, and what the planner says. */
static scree_status set_floor(bench_line *line, const work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *const arguments[] = {"cat", w->path, NULL};
    const scree_fit_options options = options_of(w);
    scree_source *source = NULL;
    bench_child child = {0};
    SCREE_TRY(bench_child_run(&child, arguments, error));
    SCREE_TRY(bench_child_run(&child, arguments, error));
    line->floor = child.seconds;
    line->floor_of = "cat";
    SCREE_TRY(open_file(&source, w, error));
    SCREE_TRY(bench_predict(&line->predicted, source, &options, error));
done:
    scree_source_close(source);
    return status;
}

scree_status bench_csv_fit(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {{"pandas", c->most, false}, {"polars", 0.4, false}};
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    work w = {.b = b, .x = &x};
    const double cells = (double)bench_rows(b, c) * (double)c->cols;
    if (!bench_has_room(b, c, 28 * cells, 60 * cells)) /* text and doubles; a data frame and two copies */
        return SCREE_OK;
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    SCREE_TRY(bench_numbers_of_matrix(w.path, sizeof w.path, &x, b->threads, error));
    bench_contest contest = {.b = b, .x = &x, .request = "csv-fit", .path = w.path, .check = check};
    contest.entrants = entrants;
    contest.count = sizeof entrants / sizeof entrants[0];
    contest.ours = (bench_side){.once = fit_once, .context = &w};
    contest.line = (bench_line){.name = c->name, .most = c->most};
    SCREE_TRY(set_floor(&contest.line, &w, error));
    snprintf(contest.line.what, sizeof contest.line.what, "CSV to model, %" PRId64 "×%" PRId64 ", %.2f GB, k = %d",
             x.rows, x.cols, bench_file_bytes(w.path) * 1e-9, BENCH_COMPONENTS);
    SCREE_TRY(bench_contest_run(&contest, error));
done:
    scree_model_free(w.model);
    bench_matrix_clear(&x);
    return status;
}
