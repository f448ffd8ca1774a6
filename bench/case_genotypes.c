/* SPDX-License-Identifier: BSD-3-Clause */
/* Principal components of simulated genotypes, from .bed to files, by the command and by `plink2 --pca approx`, both
 * with their defaults. Both are verified by products with the relationship matrix that are made of the bytes of the
 * file (genotypes.c): eigenvalues of plink2 are those of scree times N/D. plink2 prints six digits, which is as small
 * as its residuals can be. Memory is what each program has at its peak. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

enum { K = BENCH_GENOTYPES_COMPONENTS };

typedef struct work {
    bench *b;
    bench_genotypes g;
    bench_child ours;
    bench_child theirs;
    char paths[2][600]; /* ours: of the model; theirs: what their files begin with */
} work;

static scree_status fit_once(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    char bed[560];
    char k[8];
    char threads[24];
    snprintf(bed, sizeof bed, "%s.bed", w->g.prefix);
    snprintf(k, sizeof k, "%d", K);
    snprintf(threads, sizeof threads, "%d", w->b->threads);
    const char *const arguments[] = {w->b->command, "fit",       bed,         "-q",    "-k", k,
                                     "-o",          w->paths[0], "--threads", threads, NULL};
    const scree_status status = bench_child_run(&w->ours, arguments, error);
    *seconds = w->ours.seconds;
    return status;
}

static scree_status plink_once(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    char k[8];
    char threads[24];
    snprintf(k, sizeof k, "%d", K);
    snprintf(threads, sizeof threads, "%d", w->b->threads);
    const char *const arguments[] = {"plink2", "--bfile",   w->g.prefix, "--pca", "approx", k,
                                     "--out",  w->paths[1], "--threads", threads, NULL};
    const scree_status status = bench_child_run(&w->theirs, arguments, error);
    *seconds = w->theirs.seconds;
    return status;
}

/* Residuals over their eigenvalues, of vectors that are brought to length 1. */
static scree_status relative_residuals(const work *w, double *v, const double *values, double *residuals,
                                       scree_error *error)
{
    for (int l = 0; l < K; l++) {
        double square = 0;
        for (int64_t i = 0; i < w->g.samples; i++)
            square += v[i * K + l] * v[i * K + l];
        for (int64_t i = 0; i < w->g.samples; i++)
            v[i * K + l] /= sqrt(square);
    }
    const scree_status status = bench_genotypes_residuals(&w->g, w->b->threads, v, values, K, residuals, error);
    for (int l = 0; l < K; l++)
        residuals[l] /= values[l];
    return status;
}

/* Codes Zu have Kv - λv = Zr·N/(D‖Zu‖) where Su = λu + r: what is said of r bounds that, with ‖Zr‖ ≤ √(Nλ₁)‖r‖. */
static scree_status check_ours(work *w, double *v, double *values, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    char codes[640];
    char bed[560];
    double residuals[K];
    bench_child child = {0};
    scree_model *model = NULL;
    snprintf(codes, sizeof codes, "%s.npy", w->paths[0]);
    snprintf(bed, sizeof bed, "%s.bed", w->g.prefix);
    const char *const arguments[] = {w->b->command, "project", w->paths[0], bed, "-q", "-o", codes, NULL};
    SCREE_TRY(bench_child_run(&child, arguments, error));
    SCREE_TRY(scree_model_load(&model, w->paths[0], error));
    SCREE_TRY(bench_numbers_read(codes, w->b->threads, w->g.samples, K, v, error));
    const scree_model_view *view = scree_model_get(model);
    for (int l = 0; l < K; l++)
        values[l] = view->eigenvalues[l] * (double)w->g.samples / (double)w->g.variants;
    SCREE_TRY(relative_residuals(w, v, values, residuals, error));
    for (int l = 0; l < K; l++) {
        const double said = view->residuals[l] / view->eigenvalues[l];
        if (!(residuals[l] <= 1.01 * sqrt(values[0] / values[l]) * said + 1e-9))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: component %d has the residual %.3g, but is said to have %.3g",
                       w->g.prefix, l + 1, residuals[l], said);
        errors->residual = fmax(errors->residual, residuals[l]);
    }
done:
    remove(codes);
    scree_model_free(model);
    return status;
}

static scree_status check_theirs(const work *w, double *v, double *values, bench_errors *errors, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[640];
    double residuals[K];
    snprintf(path, sizeof path, "%s.eigenval", w->paths[1]);
    SCREE_TRY(bench_numbers_read(path, 1, K, 1, values, error));
    snprintf(path, sizeof path, "%s.eigenvec", w->paths[1]);
    SCREE_TRY(bench_numbers_read(path, 1, w->g.samples, K, v, error));
    SCREE_TRY(relative_residuals(w, v, values, residuals, error));
    for (int l = 0; l < K; l++)
        errors->residual = fmax(errors->residual, residuals[l]);
done:
    return status;
}

static bool has_plink(void)
{
    const char *const arguments[] = {"plink2", "--version", NULL};
    bench_child child = {0};
    scree_error error = SCREE_ERROR_INIT;
    return bench_child_run(&child, arguments, &error) == SCREE_OK;
}

scree_status bench_genotypes_case(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.b = b};
    bench_line line = {.name = c->name, .most = c->most};
    bench_side sides[] = {{.once = fit_once, .context = &w}, {.once = plink_once, .context = &w}};
    double *v = NULL;
    double values[2][K];
    double seconds = 0;
    const double bytes = (double)bench_rows(b, c) * (double)c->cols / 4;
    if (!b->python || !b->command) {
        bench_leave_out(b, "%s: needs the command (--scree) and Python with NumPy (--peers)", c->name);
        return SCREE_OK;
    }
    if (!bench_has_room(b, c, 1.1 * bytes, 4 * bytes))
        return SCREE_OK;
    SCREE_TRY(bench_genotypes_get(&w.g, b, c, error));
    snprintf(w.paths[0], sizeof w.paths[0], "%s.scree", w.g.prefix);
    snprintf(w.paths[1], sizeof w.paths[1], "%s-plink", w.g.prefix);
    SCREE_ALLOC(v, w.g.samples * K, error);
    SCREE_TRY(fit_once(&w, &seconds, error));
    SCREE_TRY(check_ours(&w, v, values[0], &line.errors, error));
    const bool are_two = has_plink();
    if (are_two) {
        SCREE_TRY(plink_once(&w, &seconds, error));
        SCREE_TRY(check_theirs(&w, v, values[1], &line.their_errors, error));
        for (int l = 0; l < K; l++)
            line.errors.value = fmax(line.errors.value, fabs(values[0][l] - values[1][l]) / values[0][l]);
        snprintf(line.against, sizeof line.against, "plink2 --pca approx");
    }
    SCREE_TRY(bench_interleave(sides, are_two ? 2 : 1, bench_repeats(b, 3 * seconds), error));
    bench_line_times(&line, &sides[0], are_two ? &sides[1] : NULL);
    snprintf(line.what, sizeof line.what, "genotypes to components, %" PRId64 "×%" PRId64 " calls, k = %d", w.g.samples,
             w.g.variants, K);
    snprintf(line.note, sizeof line.note, "a .bed of %.0f MB; memory %.0f MB, of the other %.0f MB", 1e-6 * bytes,
             1e-6 * w.ours.peak, 1e-6 * w.theirs.peak);
    bench_add(b, &line);
done:
    free(v);
    return status;
}
