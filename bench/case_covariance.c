/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance method, from rows in memory to a certified model, over the bare SYRK of the same rows: XᵀX in one call
 * with all threads of the BLAS, nothing centred, nothing checked, no eigenvectors. What a fit takes beyond that is what
 * its care costs. Floor: N D² flops at the rate of GEMM, or one read of the rows. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <inttypes.h>

typedef struct work {
    const bench *b;
    const bench_matrix *x;
    void *gram;
    scree_model *model;
} work;

static scree_fit_options options_of(const work *w)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = BENCH_COMPONENTS;
    options.solver = "covariance";
    options.run.threads = w->b->threads;
    return options;
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
    SCREE_TRY(scree_source_memory(&source, w->x->data, w->x->type, w->x->rows, w->x->cols, w->x->cols, error));
    SCREE_TRY(scree_fit(&w->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_close(source);
    return status;
}

static scree_status syrk_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    const int64_t n = w->x->rows;
    const int64_t d = w->x->cols;
    const double start = bench_now();
    const int info = w->x->type == SCREE_F32 ? scree__ssyrk(true, d, n, 1, w->x->data, d, 0, w->gram, d)
                                             : scree__dsyrk(true, d, n, 1, w->x->data, d, 0, w->gram, d);
    *seconds = bench_now() - start;
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "SYRK failed");
}

static scree_status predict(double *seconds, const work *w, scree_error *error)
{
    scree_source *source = NULL;
    const scree_fit_options options = options_of(w);
    scree_status status =
        scree_source_memory(&source, w->x->data, w->x->type, w->x->rows, w->x->cols, w->x->cols, error);
    if (status == SCREE_OK)
        status = bench_predict(seconds, source, &options, error);
    scree_source_close(source);
    return status;
}

static void set_floor(bench_line *line, const bench_machine *machine, const bench_matrix *x)
{
    const double cells = (double)x->rows * (double)x->cols;
    bench_line_floor(line, cells * (double)x->cols / machine->flops[x->type], bench_matrix_bytes(x) / machine->bytes);
}

scree_status bench_covariance(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_line line = {.name = c->name, .most = c->most};
    work w = {.b = b, .x = &x};
    bench_side sides[] = {{.once = fit_once, .context = &w}, {.once = syrk_once, .context = &w}};
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    w.gram = scree__alloc(x.cols * x.cols, sizeof(double));
    if (!w.gram)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the result of SYRK");
    SCREE_TRY(bench_interleave(sides, 2, 1, error)); /* the first of each counts for nothing but to be verified */
    SCREE_TRY(bench_check_model(&x, w.model, &line.errors, error));
    SCREE_TRY(bench_interleave(sides, 2, b->repeats, error));
    bench_line_times(&line, &sides[0], &sides[1]);
    set_floor(&line, &b->machine, &x);
    snprintf(line.what, sizeof line.what, "covariance fit, %" PRId64 "×%" PRId64 " %s, k = %d", x.rows, x.cols,
             bench_type_name(x.type), BENCH_COMPONENTS);
    snprintf(line.against, sizeof line.against, "%ssyrk", x.type == SCREE_F32 ? "s" : "d");
    SCREE_TRY(predict(&line.predicted, &w, error));
    bench_add(b, &line);
done:
    scree_model_free(w.model);
    free(w.gram);
    bench_matrix_clear(&x);
    return status;
}
