/* SPDX-License-Identifier: BSD-3-Clause */
/* The command on a file of 8 GB with 512 MB of memory, from its start to its end: one pass for the covariance. Against
 * `cat FILE >/dev/null`, both with the file in the system's cache and both without, and against scikit-learn's
 * IncrementalPCA on the mapped file. That one takes long, and time in proportion to the rows: it gets the first eighth
 * of them, and eight times that is what is compared, unless all is asked for. With the file in the cache also against
 * the larger of cat and SSYRK of all rows in blocks as the command reads them. Floor: cat, or the flops of SYRK. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/moments.h"

#include <inttypes.h>

enum { PART = 8, MOST_ROUNDS = 3 };
static const char *const MEMORY = "512M";
static const double GIGABYTE = 1e9;

typedef struct work {
    bench *b;
    const bench_matrix *x;
    char model_path[600];
    char threads[16];
    bool is_cold;
    double kept; /* the largest share of the file that was in memory when it should not */
    double peak; /* bytes of memory of the command */
} work;

static void forget(work *w)
{
    if (!w->is_cold)
        return;
    const double kept = bench_file_forget(w->x->path);
    w->kept = kept > w->kept ? kept : w->kept;
}

static scree_status fit_once(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    const char *const arguments[] = {w->b->command, "fit",       w->x->path, "-q", "-k",          "50", "--memory",
                                     MEMORY,        "--threads", w->threads, "-o", w->model_path, NULL};
    bench_child child = {0};
    forget(w);
    scree_status status = bench_child_run(&child, arguments, error);
    *seconds = child.seconds;
    w->peak = child.peak > w->peak ? child.peak : w->peak;
    return status;
}

static scree_status cat_once(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    forget(w);
    return bench_child_cat(seconds, w->x->path, error);
}

static scree_status predict(double *seconds, const work *w, scree_error *error)
{
    bench_fitting fit;
    bench_fitting_file(&fit, w->b, w->x->path);
    fit.run.memory = 512 << 20;
    return bench_predict(seconds, &fit, error);
}

static scree_status check(const work *w, bench_errors *errors, scree_error *error)
{
    scree_model *model = NULL;
    scree_status status = scree_model_load(&model, w->model_path, error);
    if (status == SCREE_OK)
        status = bench_check_model(w->x, model, errors, error);
    scree_model_free(model);
    return status;
}

/* SSYRK of as many rows as the file has, block by block, always the same block: nothing is read. */
static scree_status syrk_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    const work *w = context;
    const int64_t d = w->x->cols;
    const int64_t rows = scree__moments_rows(d, false, &scree__ops_f32);
    float *block = NULL;
    float *scatter = NULL;
    SCREE_ALLOC(block, rows * d, error);
    SCREE_ALLOC(scatter, d * d, error);
    for (int64_t i = 0; i < rows * d; i++)
        block[i] = (float)(i * 7919 % 1009) / 1009 - 0.5F;
    const double start = bench_now();
    for (int64_t first = 0; first < w->x->rows; first += rows)
        if (scree__ssyrk(true, d, w->x->rows - first < rows ? w->x->rows - first : rows, 1, block, d, 1, scatter, d) !=
            0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "SSYRK failed");
    *seconds = bench_now() - start;
done:
    free(block);
    free(scatter);
    return status;
}

/* Against whichever takes longer, cat or SSYRK. */
static scree_status against_parts(work *w, const bench_line *like, const bench_side *fit, double cat,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_line line = *like;
    bench_side side = {.once = syrk_once, .context = w};
    SCREE_TRY(bench_interleave(&side, 1, MOST_ROUNDS, error));
    bench_line_times(&line, fit, &side);
    if (cat > line.theirs)
        line.theirs = line.best_theirs = cat;
    line.most = 1.15;
    snprintf(line.against, sizeof line.against, "%s, warm",
             cat > side.median ? "cat FILE >/dev/null" : "SSYRK in blocks of the same size");
    line.note[0] = 0;
    bench_add(w->b, &line);
done:
    return status;
}

/* Ours and cat in turn, one line; ours is left in *fit. */
static scree_status against_cat(work *w, bench_line *line, bench_side *fit, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_side sides[] = {{.once = fit_once, .context = w}, {.once = cat_once, .context = w}};
    SCREE_TRY(bench_interleave(sides, 2, 1, error));
    const int repeats = bench_repeats(w->b, sides[0].median + sides[1].median);
    SCREE_TRY(bench_interleave(sides, 2, repeats < MOST_ROUNDS ? repeats : MOST_ROUNDS, error));
    bench_line_times(line, &sides[0], &sides[1]);
    *fit = sides[0];
    const double cells = (double)w->x->rows * (double)w->x->cols;
    const double by_flops = cells * (double)w->x->cols / w->b->machine.flops[w->x->type];
    bench_line_floor(line, by_flops, line->theirs);
    if (by_flops < line->theirs)
        line->floor_of = "cat";
    snprintf(line->against, sizeof line->against, "cat FILE >/dev/null, %s", w->is_cold ? "cold" : "warm");
    snprintf(line->note, sizeof line->note, "%.2f GB/s; at most %.0f MB in memory",
             bench_matrix_bytes(w->x) * 1e-9 / line->ours, w->peak * 1e-6);
    if (w->is_cold && w->kept > 0.05)
        bench_leave_out(w->b, "%s: cold: the system keeps %.0f %% of the file in memory", line->name, 100 * w->kept);
    else
        bench_add(w->b, line);
done:
    return status;
}

static scree_status against_incremental(work *w, bench_line *line, const bench_side *fit, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t part = w->b->full ? 1 : PART;
    double seconds = 0;
    if (!bench_peers_has(w->b->peers, "scikit-learn"))
        return SCREE_OK;
    SCREE_TRY(bench_peers_ask(w->b->peers, &seconds, error, "incremental\t%s\t%d\t%" PRId64, w->x->path,
                              BENCH_COMPONENTS, w->x->rows / part));
    bench_line_times(line, fit, NULL);
    line->theirs = line->best_theirs = seconds * (double)part;
    line->their_runs = 1;
    line->most = 1.0 / 15;
    snprintf(line->against, sizeof line->against, "scikit-learn, IncrementalPCA (one run%s)",
             w->b->full ? "" : ", 1/8 of the rows, times 8");
    line->note[0] = 0;
    bench_add(w->b, line);
done:
    return status;
}

scree_status bench_disk(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_side fit;
    double unused = 0;
    work w = {.b = b, .x = &x};
    bench_line line = {.name = c->name, .most = c->most};
    const double bytes = (double)bench_rows(b, c) * (double)c->cols * (double)bench_type_size(c->type);
    if (!b->command)
        bench_leave_out(b, "%s: there is no command; give it as --scree", c->name);
    if (!b->command || !bench_has_room(b, c, bytes, bytes + 2 * GIGABYTE))
        return SCREE_OK;
    SCREE_TRY(bench_matrix_map(&x, b, c, error));
    snprintf(w.model_path, sizeof w.model_path, "%s/disk.scree", b->folder);
    snprintf(w.threads, sizeof w.threads, "%d", b->threads);
    snprintf(line.what, sizeof line.what,
             "the command, NPY of %.2f GB, %" PRId64 "×%" PRId64 " %s, %s of memory, k = %d", bytes * 1e-9, x.rows,
             x.cols, bench_type_name(x.type), MEMORY, BENCH_COMPONENTS);
    SCREE_TRY(predict(&line.predicted, &w, error));
    SCREE_TRY(fit_once(&w, &unused, error));
    SCREE_TRY(check(&w, &line.errors, error));
    bench_matrix_clear(&x); /* what is mapped is not forgotten */
    w.is_cold = true;
    SCREE_TRY(against_cat(&w, &line, &fit, error));
    w.is_cold = false;
    SCREE_TRY(against_cat(&w, &line, &fit, error));
    SCREE_TRY(against_parts(&w, &line, &fit, line.theirs, error));
    SCREE_TRY(against_incremental(&w, &line, &fit, error));
done:
    remove(w.model_path);
    bench_matrix_clear(&x);
    return status;
}
