/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of rows, from source to sink, and the posterior of their codes, over one GEMM with the same U (Z = XUᵀ,
 * all threads of the BLAS, nothing centred), and against scikit-learn's score_samples. Densities are first compared
 * with the dense Gaussian: the covariance BBᵀ + σ²I formed and factored. scikit-learn's values differ for a reason: its
 * model has divisor N-1 instead of N. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SCORE_COLUMNS = 5, CHECKED_ROWS = 20, FEW = 10 };

typedef struct work {
    bench *b;
    const bench_matrix *x;
    const scree_model *model;
    const scree_scorer *scorer; /* NULL: the posterior is wanted */
    double *out;                /* rows × 5, or rows × M */
} work;

static scree_status stream_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    const work *w = context;
    const int64_t cols = w->scorer ? SCORE_COLUMNS : scree_model_get(w->model)->m;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    const scree_block block = bench_block(w->x->data, w->x->type, w->x->rows, w->x->cols);
    scree_run run = SCREE_RUN_INIT;
    scree_posterior_options options = SCREE_POSTERIOR_OPTIONS_INIT;
    run.threads = w->b->threads;
    options.run = &run;
    const double start = bench_now();
    SCREE_TRY(scree_source_from_memory(&source, &block, error));
    SCREE_TRY(scree_sink_to_memory(&sink, w->out, w->x->rows, cols, error));
    if (w->scorer)
        SCREE_TRY(scree_scorer_score(w->scorer, source, sink, NULL, &run, error));
    else
        SCREE_TRY(scree_model_posterior(w->model, source, sink, &options, error));
    SCREE_TRY(scree_sink_finish(sink, error));
    *seconds = bench_now() - start;
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

typedef struct product {
    const bench_matrix *x;
    const double *components;
    int64_t m;
    double *codes;
} product;

static scree_status gemm_once(void *context, double *seconds, scree_error *error)
{
    const product *p = context;
    const int64_t d = p->x->cols;
    const double start = bench_now();
    const int info =
        scree__dgemm(false, true, p->x->rows, p->m, d, 1, p->x->data, d, p->components, d, 0, p->codes, p->m);
    *seconds = bench_now() - start;
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "GEMM failed");
}

static scree_status peer_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    return bench_peers_ask(w->b->peers, seconds, error, "score\t%s\t%d", w->x->path, BENCH_COMPONENTS);
}

/* ln N(x; µ, C) from a Cholesky factor C = RᵀR: solve Rᵀy = x - µ. */
static double dense_log_density(const double *r, const double *row, const double *mean, int64_t d, double *y)
{
    double sum = (double)d * log(2 * M_PI);
    for (int64_t i = 0; i < d; i++) {
        y[i] = row[i] - mean[i];
        for (int64_t k = 0; k < i; k++)
            y[i] -= r[k * d + i] * y[k];
        y[i] /= r[i * d + i];
        sum += y[i] * y[i] + 2 * log(r[i * d + i]);
    }
    return -0.5 * sum;
}

static scree_status check(const work *w, double *worst, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(w->model);
    const int64_t d = view->d;
    double *r = NULL;
    double *y = NULL;
    SCREE_ALLOC(r, d * d, error);
    SCREE_ALLOC(y, d, error);
    SCREE_TRY(scree_model_marginal_dense(w->model, r, error));
    if (scree__dpotrf(d, r, d) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the covariance of the model has no Cholesky factor");
    *worst = 0;
    for (int64_t i = 0; i < CHECKED_ROWS; i++) {
        const int64_t row = i * (w->x->rows / CHECKED_ROWS);
        const double wanted = dense_log_density(r, (const double *)w->x->data + row * d, view->mean, d, y);
        *worst = fmax(*worst, fabs(w->out[row * SCORE_COLUMNS] / wanted - 1));
    }
    if (!(*worst < 1e-9))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "densities differ from the dense Gaussian by %.1e", *worst);
done:
    free(r);
    free(y);
    return status;
}

static void add_line(bench *b, const bench_line *like, const char *what, const char *against, double most,
                     const bench_side *const sides[2])
{
    bench_line line = *like;
    snprintf(line.what, sizeof line.what, "%s", what);
    snprintf(line.against, sizeof line.against, "%s", against);
    line.most = most;
    bench_line_times(&line, sides[0], sides[1]);
    bench_add(b, &line);
}

/* A scorer for the first components of the model. */
static scree_status fewer(scree_model **model, scree_scorer **scorer, const scree_model *of, int64_t components,
                          scree_error *error)
{
    scree_status status = scree_model_truncate(model, of, components, error);
    return status == SCREE_OK ? scree_scorer_make(scorer, *model, NULL, error) : status;
}

scree_status bench_score(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_fitting fit = {0};
    scree_model *fewer_model = NULL;
    scree_scorer *scorers[2] = {NULL, NULL};
    double worst = 0;
    work many = {.b = b, .x = &x};
    product gemm = {.x = &x, .m = BENCH_COMPONENTS};
    bench_line line = {.name = c->name};
    const bool has_sklearn = bench_peers_has(b->peers, "scikit-learn");
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    bench_fitting_array(&fit, b, x.data, x.type, x.rows, x.cols);
    SCREE_TRY(bench_fit_once(&fit, &worst, error));
    SCREE_TRY(scree_scorer_make(&scorers[0], fit.model, NULL, error));
    SCREE_TRY(fewer(&fewer_model, &scorers[1], fit.model, FEW, error));
    SCREE_ALLOC(many.out, x.rows * BENCH_COMPONENTS, error);
    SCREE_ALLOC(gemm.codes, x.rows * BENCH_COMPONENTS, error);
    many.model = fit.model;
    work posterior = many;
    work few = many;
    many.scorer = scorers[0];
    few.model = fewer_model;
    few.scorer = scorers[1];
    gemm.components = scree_model_get(fit.model)->components;
    bench_side sides[] = {{.once = stream_once, .context = &many},
                          {.once = stream_once, .context = &posterior},
                          {.once = gemm_once, .context = &gemm},
                          {.once = stream_once, .context = &few},
                          {.once = peer_once, .context = &many}};
    SCREE_TRY(stream_once(&few, &worst, error));
    SCREE_TRY(check(&few, &worst, error));
    SCREE_TRY(stream_once(&many, &worst, error));
    SCREE_TRY(check(&many, &worst, error));
    SCREE_TRY(bench_interleave(sides, has_sklearn ? 5 : 4, b->repeats, error));
    line.floor = 2 * (double)(x.rows * x.cols * BENCH_COMPONENTS) / b->machine.flops[x.type];
    line.floor_of = "flops";
    snprintf(line.note, sizeof line.note, "densities within %.0e of the dense Gaussian", worst);
    add_line(b, &line, "posterior means, 10⁶×100 f64, M = 50", "dgemm with the same U", c->most,
             (const bench_side *const[]){&sides[1], &sides[2]});
    add_line(b, &line, "score, 10⁶×100 f64, M = 50", "dgemm with the same U", c->most,
             (const bench_side *const[]){&sides[0], &sides[2]});
    line.floor = (double)(x.rows * x.cols * 8) / b->machine.bytes;
    line.floor_of = "bytes";
    if (has_sklearn) {
        add_line(b, &line, "score, 10⁶×100 f64, M = 10", "scikit-learn, score_samples", 0.2,
                 (const bench_side *const[]){&sides[3], &sides[4]});
        add_line(b, &line, "score, 10⁶×100 f64, M = 50", "scikit-learn, score_samples", 0.2,
                 (const bench_side *const[]){&sides[0], &sides[4]});
    }
done:
    for (int i = 0; i < 2; i++)
        scree_scorer_free(scorers[i]);
    scree_model_free(fewer_model);
    bench_fitting_clear(&fit);
    free(many.out);
    free(gemm.codes);
    bench_matrix_clear(&x);
    return status;
}
