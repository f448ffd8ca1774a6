/* SPDX-License-Identifier: BSD-3-Clause */
/* A few components of many columns, certified to 1e-6, against scikit-learn's randomised PCA with its own defaults, and
 * others, on the same NPY file: from memory, or with the time to read the file (which the system has in its cache by
 * then). How far each is from the truth is said beside: scikit-learn promises nothing. Floor: the flops of one product
 * of S with k vectors, or one read of the rows.
 *
 * And few rows of many columns, without tolerance, by the N×N matrix, against all of scikit-learn's solvers but the one
 * that forms D×D. Floor: N² D flops. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>

static const double TOLERANCE = 1e-6;

typedef struct work {
    const bench *b;
    const bench_matrix *x;
    bool from_file;
    bool is_exact;
    bench_line *line;
    scree_model *model;
} work;

static scree_fit_options options_of(const work *w)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = BENCH_COMPONENTS;
    options.ddof = 1;
    options.run.threads = w->b->threads;
    if (w->is_exact)
        options.solver = "gram";
    else
        options.tolerance = TOLERANCE;
    return options;
}

static scree_status open_rows(scree_source **source, const work *w, scree_error *error)
{
    if (w->from_file)
        return scree_source_open(source, w->x->path, NULL, error);
    return scree_source_memory(source, w->x->data, w->x->type, w->x->rows, w->x->cols, w->x->cols, error);
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
    SCREE_TRY(open_rows(&source, w, error));
    SCREE_TRY(scree_fit(&w->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_close(source);
    return status;
}

static scree_status predict(double *seconds, const work *w, scree_error *error)
{
    const scree_fit_options options = options_of(w);
    scree_source *source = NULL;
    scree_status status = open_rows(&source, w, error);
    if (status == SCREE_OK)
        status = bench_predict(seconds, source, &options, error);
    scree_source_close(source);
    return status;
}

static void set_floor(bench_line *line, const work *w)
{
    const double cells = (double)w->x->rows * (double)w->x->cols;
    const double flops = w->is_exact ? cells * (double)w->x->rows : 4 * cells * BENCH_COMPONENTS;
    bench_line_floor(line, flops / w->b->machine.flops[w->x->type], bench_matrix_bytes(w->x) / w->b->machine.bytes);
}

static void describe(bench_line *line, const work *w)
{
    const scree_model_view *view = scree_model_get(w->model);
    snprintf(line->what, sizeof line->what, "%s fit%s, %" PRId64 "×%" PRId64 " %s, k = %d%s", view->solver,
             w->from_file ? " of a file" : "", w->x->rows, w->x->cols, bench_type_name(w->x->type), BENCH_COMPONENTS,
             w->is_exact ? "" : ", tol 1e-6");
    snprintf(line->note, sizeof line->note, "%d pass%s", view->passes, view->passes == 1 ? "" : "es");
    set_floor(line, w);
}

static scree_status check(void *context, bench_errors *errors, scree_error *error)
{
    const work *w = context;
    const scree_model_view *view = scree_model_get(w->model);
    scree_status status = bench_check_model(w->x, w->model, errors, error);
    for (int64_t j = 0; !w->is_exact && status == SCREE_OK && j < view->m; j++)
        if (!view->converged || !(view->accuracy[j].residual <= 2 * TOLERANCE * view->eigenvalues[j]))
            status = scree__fail(error, SCREE_ERR_NUMERIC, "%s: component %d is not certified to %g", w->x->path,
                                 (int)j + 1, TOLERANCE);
    describe(w->line, w);
    return status;
}

/* Others take the rows, centred rows, and what is made of them. */
static bool has_room(bench *b, const bench_case *c)
{
    const double bytes = (double)bench_rows(b, c) * (double)c->cols * (double)bench_type_size(c->type);
    return bench_has_room(b, c, bytes, 4.5 * bytes);
}

static scree_status wide(const bench_case *c, bench *b, work *w, bench_contest *contest, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    if (!has_room(b, c))
        return SCREE_OK;
    w->b = contest->b = b;
    w->x = contest->x = &x;
    contest->request = w->from_file ? "fit-file" : "fit";
    contest->check = check;
    contest->ours = (bench_side){.once = fit_once, .context = w};
    contest->line = (bench_line){.name = c->name, .most = c->most};
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    contest->path = x.path;
    w->line = &contest->line;
    SCREE_TRY(predict(&w->line->predicted, w, error));
    SCREE_TRY(bench_contest_run(contest, error));
done:
    scree_model_free(w->model);
    bench_matrix_clear(&x);
    return status;
}

scree_status bench_wide_memory(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {
        {"sklearn-randomized", c->most, false}, {"irlba", 0, false}, {"RSpectra", 0, false}, {"sklearnex", 0, false}};
    const bool is_small = c->rows * c->cols <= 50000000; /* beyond that the others would take the whole day */
    bench_contest contest = {.entrants = entrants, .count = is_small && c->type == SCREE_F64 ? 4 : 1};
    work w = {0};
    return wide(c, b, &w, &contest, error);
}

scree_status bench_wide_file(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {{"sklearn-randomized", c->most, false}};
    bench_contest contest = {.entrants = entrants, .count = 1};
    work w = {.from_file = true};
    return wide(c, b, &w, &contest, error);
}

scree_status bench_wide_exact(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {
        {"sklearn-full", c->most, true}, {"sklearn-arpack", c->most, true}, {"sklearn-randomized", c->most, true}};
    bench_contest contest = {.entrants = entrants, .count = sizeof entrants / sizeof entrants[0]};
    work w = {.is_exact = true};
    return wide(c, b, &w, &contest, error);
}
