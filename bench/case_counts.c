/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of single cells (counts.c) as CSR in memory: our fit beside scikit-learn's PCA of the same arrays, with the
 * defaults of both and then to the same tolerance, the relative residual ‖Su - λu‖/λ. Of its solvers that take sparse
 * rows, arpack and covariance_eigh, the faster one counts; the second is asked only where D×D numbers are few. Our
 * residuals are checked against sums in double first. Memory is what our fit takes beside the arrays, at its peak. */

#include "bench.h"

#include "base/memory.h"
#include "base/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PARTS = 64, COVARIANCE_COLS = 5000 };
static const double TOLERANCES[] = {0, 1e-6};

typedef struct work {
    bench *b;
    const bench_case *c;
    bench_counts x;
    double tolerance;
    const char *solver;
    scree_run run;
    scree_model *model;
    char values_path[600];
    char components_path[600];
} work;

static scree_status ours(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    scree_source *source = NULL;
    scree_model_free(w->model);
    w->model = NULL;
    options.components = BENCH_COMPONENTS;
    options.ddof = 1;
    options.tolerance = w->tolerance;
    options.run = &w->run;
    block.data = w->x.data;
    block.type = w->x.type;
    block.rows = w->x.rows;
    block.cols = w->x.cols;
    block.starts = w->x.starts;
    block.indices = w->x.indices;
    const double start = bench_now();
    SCREE_TRY(scree_source_from_memory(&source, &block, error));
    SCREE_TRY(scree_model_fit(&w->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_free(source);
    return status;
}

static scree_status theirs(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    return bench_peers_ask(w->b->peers, seconds, error, "sparse-fit\t%s\t%s\t%d\t%g\t%s\t%s", w->solver, w->x.path,
                           BENCH_COMPONENTS, w->tolerance, w->values_path, w->components_path);
}

static double value_at(const bench_counts *x, int64_t p)
{
    return x->type == SCREE_F32 ? (double)((const float *)x->data)[p] : (double)((const int32_t *)x->data)[p];
}

/* Sums over some rows, with vectors as columns: v D×k, mean and image of the part. */
typedef struct imaging {
    const bench_counts *x;
    const double *v;
    const double *shift; /* k: µᵀv */
    double *images;      /* threads×D×k */
    double *totals;      /* threads×k: 1ᵀ(Xv - 1µᵀv) */
} imaging;

static void image_part(void *context, int64_t part, int worker)
{
    const imaging *m = context;
    const bench_counts *x = m->x;
    const int64_t k = BENCH_COMPONENTS;
    double *image = m->images + worker * x->cols * k;
    double code[BENCH_COMPONENTS];
    for (int64_t i = part * x->rows / PARTS; i < (part + 1) * x->rows / PARTS; i++) {
        for (int64_t l = 0; l < k; l++)
            code[l] = -m->shift[l];
        for (int64_t p = x->starts[i]; p < x->starts[i + 1]; p++)
            for (int64_t l = 0; l < k; l++)
                code[l] += value_at(x, p) * m->v[x->indices[p] * k + l];
        for (int64_t p = x->starts[i]; p < x->starts[i + 1]; p++)
            for (int64_t l = 0; l < k; l++)
                image[x->indices[p] * k + l] += value_at(x, p) * code[l];
        for (int64_t l = 0; l < k; l++)
            m->totals[worker * k + l] += code[l];
    }
}

/* ‖Su - λu‖ for each component, divisor N - 1. */
static scree_status true_residuals(const work *w, const double *values, const double *components, double *residuals,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const bench_counts *x = &w->x;
    const int64_t k = BENCH_COMPONENTS;
    const int64_t d = x->cols;
    const int threads = w->b->threads;
    double *v = NULL;
    double *mean = NULL;
    double shift[BENCH_COMPONENTS] = {0};
    imaging m = {.x = x, .shift = shift};
    SCREE_ALLOC(v, d * k, error);
    SCREE_ALLOC(mean, d, error);
    SCREE_ALLOC(m.images, threads * d * k, error);
    SCREE_ALLOC(m.totals, threads * k, error);
    m.v = v;
    for (int64_t p = 0; p < x->entries; p++)
        mean[x->indices[p]] += value_at(x, p) / (double)x->rows;
    for (int64_t j = 0; j < d; j++)
        for (int64_t l = 0; l < k; l++) {
            v[j * k + l] = components[l * d + j];
            shift[l] += mean[j] * v[j * k + l];
        }
    scree__parallel(threads, PARTS, image_part, &m);
    for (int64_t l = 0; l < k; l++) {
        double sum = 0;
        for (int64_t j = 0; j < d; j++) {
            double image = 0;
            for (int t = 0; t < threads; t++)
                image += m.images[(t * d + j) * k + l] - mean[j] * m.totals[t * k + l];
            sum += pow(image / (double)(x->rows - 1) - values[l] * v[j * k + l], 2);
        }
        residuals[l] = sqrt(sum);
    }
done:
    free(v);
    free(mean);
    free(m.images);
    free(m.totals);
    return status;
}

/* The largest errors; of eigenvalues against others that were found, where there are some. */
static scree_status check(const work *w, const double *values, const double *components, const double *others,
                          bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    double residuals[BENCH_COMPONENTS];
    *errors = (bench_errors){0};
    SCREE_TRY(true_residuals(w, values, components, residuals, error));
    for (int l = 0; l < BENCH_COMPONENTS; l++) {
        errors->residual = fmax(errors->residual, residuals[l] / values[l]);
        if (others)
            errors->value = fmax(errors->value, fabs(values[l] - others[l]) / others[l]);
    }
done:
    return status;
}

static scree_status check_ours(const work *w, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(w->model);
    double residuals[BENCH_COMPONENTS];
    SCREE_TRY(true_residuals(w, view->eigenvalues, view->components, residuals, error));
    for (int l = 0; l < BENCH_COMPONENTS; l++)
        if (!(residuals[l] <= view->residuals[l] + 1e-12 * view->eigenvalues[0]))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: component %d has the residual %.3g, but is said to have %.3g",
                       w->x.path, l + 1, residuals[l], view->residuals[l]);
    SCREE_TRY(check(w, view->eigenvalues, view->components, NULL, errors, error));
done:
    return status;
}

static scree_status check_theirs(work *w, bench_errors *mine, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = BENCH_COMPONENTS;
    const scree_model_view *view = scree_model_get(w->model);
    double *values = NULL;
    double *components = NULL;
    SCREE_ALLOC(values, k, error);
    SCREE_ALLOC(components, k * w->x.cols, error);
    SCREE_TRY(bench_numbers_read(w->values_path, 1, 1, k, values, error));
    SCREE_TRY(bench_numbers_read(w->components_path, 1, k, w->x.cols, components, error));
    SCREE_TRY(check(w, values, components, NULL, errors, error));
    for (int64_t l = 0; l < k; l++)
        mine->value = fmax(mine->value, fabs(view->eigenvalues[l] - values[l]) / values[l]);
done:
    remove(w->values_path);
    remove(w->components_path);
    strcpy(w->values_path, "-");
    strcpy(w->components_path, "-");
    free(values);
    free(components);
    return status;
}

/* Its faster solver, timed once each. */
static scree_status choose_solver(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    double arpack = 0;
    double covariance = HUGE_VAL;
    w->solver = "arpack";
    SCREE_TRY(theirs(w, &arpack, error));
    if (w->x.cols <= COVARIANCE_COLS) {
        w->solver = "covariance_eigh";
        SCREE_TRY(theirs(w, &covariance, error));
    }
    w->solver = arpack < covariance ? "arpack" : "covariance_eigh";
done:
    return status;
}

static void describe(const work *w, bench_line *line)
{
    char text[64] = "defaults";
    if (w->tolerance > 0)
        snprintf(text, sizeof text, "tolerance %g", w->tolerance);
    snprintf(line->what, sizeof line->what, "fit of CSR in memory, counts %" PRId64 "×%" PRId64 " %s, k = %d, %s",
             w->x.rows, w->x.cols, w->x.type == SCREE_F32 ? "f4" : "i4", BENCH_COMPONENTS, text);
}

static scree_status contest(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_line line = {.name = w->c->name, .most = w->c->most};
    bench_side sides[] = {{.once = ours, .context = w}, {.once = theirs, .context = w}};
    const bool are_two = bench_peers_has(w->b->peers, "scipy") && bench_peers_has(w->b->peers, "scikit-learn");
    double seconds = 0;
    describe(w, &line);
    const double before = bench_memory_begin();
    SCREE_TRY(ours(w, &seconds, error));
    const double peak = bench_memory_peak() - before;
    SCREE_TRY(check_ours(w, &line.errors, error));
    if (are_two) {
        snprintf(w->values_path, sizeof w->values_path, "%s-values.npy", w->x.path);
        snprintf(w->components_path, sizeof w->components_path, "%s-components.npy", w->x.path);
        SCREE_TRY(choose_solver(w, error));
        SCREE_TRY(check_theirs(w, &line.errors, &line.their_errors, error));
        snprintf(line.against, sizeof line.against, "scikit-learn, %s", w->solver);
    }
    SCREE_TRY(bench_interleave(sides, are_two ? 2 : 1, bench_repeats(w->b, 3 * seconds), error));
    bench_line_times(&line, &sides[0], are_two ? &sides[1] : NULL);
    snprintf(line.note, sizeof line.note, "%.3g entries; memory beside the arrays: %.0f MB, %.2f of theirs; %d passes",
             (double)w->x.entries, 1e-6 * peak, peak / bench_counts_bytes(&w->x), scree_model_get(w->model)->passes);
    bench_add(w->b, &line);
done:
    return status;
}

scree_status bench_counts_case(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.b = b, .c = c, .run = SCREE_RUN_INIT};
    const double bytes = 10 * 0.03 * (double)bench_rows(b, c) * (double)c->cols;
    if (!bench_has_room(b, c, bytes, 6 * bytes))
        return status;
    w.run.threads = b->threads == scree__threads(0) ? 0 : b->threads;
    SCREE_TRY(bench_counts_get(&w.x, b, c, error));
    for (size_t i = 0; i < sizeof TOLERANCES / sizeof TOLERANCES[0]; i++) {
        w.tolerance = TOLERANCES[i];
        SCREE_TRY(contest(&w, error));
    }
done:
    scree_model_free(w.model);
    bench_counts_clear(&w.x);
    return status;
}
