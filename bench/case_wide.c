/* SPDX-License-Identifier: BSD-3-Clause */
/* A few components of many columns, certified to 1e-6, against scikit-learn's randomised PCA with its own defaults, and
 * others, on the same NPY file: from memory, or with the time to read the file (which the system has in its cache by
 * then). How far each is from the truth is said beside: scikit-learn promises nothing. Floor: the flops of one product
 * of S with k vectors, or one read of the rows.
 *
 * And few rows of many columns, without tolerance, by the N×N matrix, against all of scikit-learn's solvers but the one
 * that forms D×D. Floor: N² D flops. */

#include "bench.h"

#include <inttypes.h>
#include <string.h>

static const double TOLERANCE = 1e-6;

/* Without a tolerance, by the N×N matrix. */
static bool is_exact(const bench_contest *c)
{
    return c->fit.options.solver != NULL;
}

static void set_floor(bench_contest *c)
{
    const double cells = (double)c->x->rows * (double)c->x->cols;
    const double flops = is_exact(c) ? cells * (double)c->x->rows : 4 * cells * BENCH_COMPONENTS;
    bench_line_floor(&c->line, flops / c->b->machine.flops[c->x->type], bench_matrix_bytes(c->x) / c->b->machine.bytes);
}

static void describe(bench_contest *c)
{
    const scree_model_view *view = scree_model_get(c->fit.model);
    bench_line *line = &c->line;
    snprintf(line->what, sizeof line->what, "%s fit%s, %" PRId64 "×%" PRId64 " %s, k = %d%s", view->solver,
             c->fit.path ? " of a file" : "", c->x->rows, c->x->cols, bench_type_name(c->x->type), BENCH_COMPONENTS,
             is_exact(c) ? "" : ", tol 1e-6");
    snprintf(line->note, sizeof line->note, "%d pass%s", view->passes, view->passes == 1 ? "" : "es");
    set_floor(c);
}

static scree_status check(bench_contest *c, scree_error *error)
{
    const scree_model_view *view = scree_model_get(c->fit.model);
    describe(c);
    for (int64_t j = 0; !is_exact(c) && j < view->m; j++)
        if (!view->converged || !(view->residuals[j] <= 2 * TOLERANCE * view->eigenvalues[j]))
            return scree__fail(error, SCREE_ERR_NUMERIC, "%s: component %d is not certified to %g", c->x->path,
                               (int)j + 1, TOLERANCE);
    return SCREE_OK;
}

/* Others take the rows, centred rows, and what is made of them. */
static bool has_room(bench *b, const bench_case *c)
{
    const double bytes = (double)bench_rows(b, c) * (double)c->cols * (double)bench_type_size(c->type);
    return bench_has_room(b, c, bytes, 4.5 * bytes);
}

typedef struct entry {
    const char *request; /* to others */
    const bench_entrant *entrants;
    int count;
    bool is_exact;
} entry;

static scree_status wide(const bench_case *c, bench *b, const entry *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_contest contest = {.b = b, .x = &x, .request = e->request, .check = check};
    if (!has_room(b, c))
        return SCREE_OK;
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    if (strcmp(e->request, "fit-file") == 0)
        bench_fitting_file(&contest.fit, b, x.path);
    else
        bench_fitting_array(&contest.fit, b, x.data, x.type, x.rows, x.cols);
    if (e->is_exact)
        contest.fit.options.solver = "gram";
    else
        contest.fit.options.tolerance = TOLERANCE;
    contest.path = x.path;
    contest.entrants = e->entrants;
    contest.count = e->count;
    contest.line = (bench_line){.name = c->name, .most = c->most};
    SCREE_TRY(bench_contest_run(&contest, error));
done:
    bench_contest_clear(&contest);
    bench_matrix_clear(&x);
    return status;
}

scree_status bench_wide_memory(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {
        {"sklearn-randomized", c->most, false}, {"irlba", 0, false}, {"RSpectra", 0, false}, {"sklearnex", 0, false}};
    const bool is_small = c->rows * c->cols <= 50000000; /* beyond that the others would take the whole day */
    const entry e = {"fit", entrants, is_small && c->type == SCREE_F64 ? 4 : 1, false};
    return wide(c, b, &e, error);
}

scree_status bench_wide_file(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {{"sklearn-randomized", c->most, false}};
    const entry e = {"fit-file", entrants, 1, false};
    return wide(c, b, &e, error);
}

scree_status bench_wide_exact(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {
        {"sklearn-full", c->most, true}, {"sklearn-arpack", c->most, true}, {"sklearn-randomized", c->most, true}};
    const entry e = {"fit", entrants, sizeof entrants / sizeof entrants[0], true};
    return wide(c, b, &e, error);
}
