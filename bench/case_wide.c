/* SPDX-License-Identifier: BSD-3-Clause */
/* A few components of many columns, certified to 1e-6, against scikit-learn's randomised PCA with its own defaults, on
 * the same NPY file: from memory, or with the time to read the file (which the system has in its cache by then). How
 * far each is from the truth is said beside: scikit-learn promises nothing. Floor: one read of the rows. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static const double TOLERANCE = 1e-6;

typedef struct work {
    bench *b;
    const bench_matrix *x;
    bool from_file;
    scree_model *model;
    char values_path[600]; /* where the peer puts its results */
    char components_path[600];
} work;

static scree_status fit_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = BENCH_COMPONENTS;
    options.tolerance = TOLERANCE;
    options.ddof = 1;
    options.run.threads = w->b->threads;
    scree_model_free(w->model);
    w->model = NULL;
    const double start = bench_now();
    if (w->from_file)
        SCREE_TRY(scree_source_open(&source, w->x->path, NULL, error));
    else
        SCREE_TRY(scree_source_memory(&source, w->x->data, w->x->type, w->x->rows, w->x->cols, w->x->cols, error));
    SCREE_TRY(scree_fit(&w->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_close(source);
    return status;
}

static scree_status peer_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    return bench_peers_ask(w->b->peers, seconds, error, "%s\t%s\t%d\t%s\t%s", w->from_file ? "pca-file" : "pca",
                           w->x->path, BENCH_COMPONENTS, w->values_path, w->components_path);
}

/* A small NPY file that a peer wrote, as doubles. */
static scree_status read_doubles(const char *path, int64_t rows, int64_t cols, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    SCREE_TRY(scree_source_open(&source, path, NULL, error));
    SCREE_TRY(scree_sink_memory(&sink, values, rows, cols, error));
    SCREE_TRY(scree_copy(source, sink, NULL, error));
    SCREE_TRY(scree_sink_finish(sink, error));
done:
    scree_source_close(source);
    scree_sink_free(sink);
    return status;
}

static scree_status check_peer(work *w, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = BENCH_COMPONENTS;
    double *values = NULL;
    double *components = NULL;
    SCREE_ALLOC(values, k, error);
    SCREE_ALLOC(components, k * w->x->cols, error);
    SCREE_TRY(read_doubles(w->values_path, 1, k, values, error));
    SCREE_TRY(read_doubles(w->components_path, k, w->x->cols, components, error));
    const bench_claim claim = {values, components, NULL, k, 1};
    SCREE_TRY(bench_check(w->x, &claim, errors, error));
done:
    remove(w->values_path);
    remove(w->components_path);
    strcpy(w->values_path, "-");
    strcpy(w->components_path, "-");
    free(values);
    free(components);
    return status;
}

static scree_status check_model(const work *w, bench_errors *errors, scree_error *error)
{
    const scree_model_view *view = scree_model_get(w->model);
    scree_status status = bench_check_model(w->x, w->model, errors, error);
    for (int64_t j = 0; status == SCREE_OK && j < view->m; j++)
        if (!view->converged || !(view->accuracy[j].residual <= 2 * TOLERANCE * view->eigenvalues[j]))
            status = scree__fail(error, SCREE_ERR_NUMERIC, "%s: component %d is not certified to %g", w->x->path,
                                 (int)j + 1, TOLERANCE);
    return status;
}

static scree_status wide(const bench_case *c, bench *b, bool from_file, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_errors ours;
    bench_errors theirs = {0};
    bench_line line = {.name = c->name, .most = c->most, .floor_of = "bytes"};
    work w = {.b = b, .x = &x, .from_file = from_file};
    bench_side sides[] = {{.once = fit_once, .context = &w}, {.once = peer_once, .context = &w}};
    const int count = b->peers ? 2 : 1;
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    snprintf(w.values_path, sizeof w.values_path, "%s.peer-values.npy", x.path);
    snprintf(w.components_path, sizeof w.components_path, "%s.peer-components.npy", x.path);
    SCREE_TRY(bench_interleave(sides, count, 1, error));
    SCREE_TRY(check_model(&w, &ours, error));
    if (b->peers)
        SCREE_TRY(check_peer(&w, &theirs, error));
    SCREE_TRY(bench_interleave(sides, count, b->repeats, error));
    bench_line_times(&line, &sides[0], b->peers ? &sides[1] : NULL);
    line.floor = (double)(x.rows * x.cols) * (x.type == SCREE_F32 ? 4 : 8) / b->machine.bytes;
    const scree_model_view *view = scree_model_get(w.model);
    snprintf(line.what, sizeof line.what, "%s fit%s, %" PRId64 "×%" PRId64 " %s, k = %d, tol 1e-6", view->solver,
             from_file ? " of a file" : "", x.rows, x.cols, bench_type_name(x.type), BENCH_COMPONENTS);
    snprintf(line.against, sizeof line.against, "scikit-learn, randomized");
    int at = snprintf(line.note, sizeof line.note, "%d passes; true errors: residual %.1e, eigenvalue %.1e",
                      view->passes, ours.residual, ours.value);
    if (b->peers)
        snprintf(line.note + at, sizeof line.note - (size_t)at, "; scikit-learn's: residual %.1e, eigenvalue %.1e",
                 theirs.residual, theirs.value);
    bench_add(b, &line);
done:
    scree_model_free(w.model);
    bench_matrix_clear(&x);
    return status;
}

scree_status bench_wide_memory(const bench_case *c, bench *b, scree_error *error)
{
    return wide(c, b, false, error);
}

scree_status bench_wide_file(const bench_case *c, bench *b, scree_error *error)
{
    return wide(c, b, true, error);
}
