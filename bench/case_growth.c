/* SPDX-License-Identifier: BSD-3-Clause */
/* How cost grows: files of 10⁵, 2·10⁵, ... 1.6·10⁶ rows of 100 floats, fitted in turn. The time of each is held against
 * that of the one half as long: twice as much, within 15 %. Then the command fits each, and the memory that it has at
 * most is held against that for the shortest. Files are in the system's cache. Floor: N D² flops, or one read. */

#include "bench.h"

#include <inttypes.h>

enum { LENGTHS = 5 };
static const double MEMORY_GROWTH = 1.1;

typedef struct work {
    bench *b;
    bench_matrix x;
    bench_fitting fit;
    double predicted;
    bench_errors errors;
    double peak; /* of the command */
} work;

static scree_status run_command(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    char model_path[600];
    char threads[16];
    bench_child child = {0};
    snprintf(model_path, sizeof model_path, "%s/growth.scree", w->b->folder);
    snprintf(threads, sizeof threads, "%d", w->b->threads);
    const char *const arguments[] = {w->b->command, "fit",   w->x.path, "-q",       "-k", "50",
                                     "--threads",   threads, "-o",      model_path, NULL};
    status = bench_child_run(&child, arguments, error);
    w->peak = child.peak;
    remove(model_path);
    return status;
}

/* Everything but the time: made, verified, predicted, and the memory of the command. */
static scree_status prepare(work *w, const bench_case *c, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_case shorter = *c;
    double unused = 0;
    shorter.rows = rows;
    SCREE_TRY(bench_matrix_map(&w->x, w->b, &shorter, error));
    bench_fitting_file(&w->fit, w->b, w->x.path);
    SCREE_TRY(bench_predict(&w->predicted, &w->fit, error));
    SCREE_TRY(bench_fit_once(&w->fit, &unused, error));
    SCREE_TRY(bench_check_model(&w->x, w->fit.model, &w->errors, error));
    if (w->b->command)
        SCREE_TRY(run_command(w, error));
done:
    return status;
}

static void add_time(bench *b, const bench_case *c, const work *w, const bench_side *side)
{
    bench_line line = {.name = c->name, .most = c->most, .least = 4 - c->most, .errors = w->errors};
    const double cells = (double)w->x.rows * (double)w->x.cols;
    bench_line_times(&line, side, side - 1);
    line.predicted = w->predicted;
    bench_line_floor(&line, cells * (double)w->x.cols / b->machine.flops[w->x.type],
                     bench_matrix_bytes(&w->x) / b->machine.bytes);
    snprintf(line.what, sizeof line.what, "fit of a file, %" PRId64 "×%" PRId64 " %s, k = %d", w->x.rows, w->x.cols,
             bench_type_name(w->x.type), BENCH_COMPONENTS);
    snprintf(line.against, sizeof line.against, "half the rows");
    bench_add(b, &line);
}

static void add_memory(bench *b, const bench_case *c, const work *first, const work *w)
{
    bench_line line = {.name = c->name, .unit = "MB", .most = MEMORY_GROWTH, .runs = 1, .their_runs = 1};
    line.ours = line.best_ours = w->peak * 1e-6;
    line.theirs = line.best_theirs = first->peak * 1e-6;
    snprintf(line.what, sizeof line.what, "memory of the command, %" PRId64 "×%" PRId64 " %s", w->x.rows, w->x.cols,
             bench_type_name(w->x.type));
    snprintf(line.against, sizeof line.against, "%" PRId64 " rows", first->x.rows);
    bench_add(b, &line);
}

scree_status bench_growth(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    work works[LENGTHS] = {0};
    bench_side sides[LENGTHS] = {0};
    const double bytes = (double)bench_rows(b, c) * (double)c->cols * (double)bench_type_size(c->type);
    if (!bench_has_room(b, c, 2 * bytes, 3 * bytes))
        return SCREE_OK;
    for (int i = 0; i < LENGTHS; i++) {
        works[i].b = b;
        sides[i] = (bench_side){.once = bench_fit_once, .context = &works[i].fit};
        SCREE_TRY(prepare(&works[i], c, c->rows >> (LENGTHS - 1 - i), error));
    }
    SCREE_TRY(bench_interleave(sides, LENGTHS, b->repeats, error));
    for (int i = 1; i < LENGTHS; i++)
        add_time(b, c, &works[i], &sides[i]);
    for (int i = 1; i < LENGTHS && b->command; i++)
        add_memory(b, c, &works[0], &works[i]);
done:
    for (int i = 0; i < LENGTHS; i++) {
        bench_fitting_clear(&works[i].fit);
        bench_matrix_clear(&works[i].x);
    }
    return status;
}
