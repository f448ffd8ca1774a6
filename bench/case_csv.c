/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a CSV file of numbers into an array, over `cat FILE >/dev/null`, which does nothing but read it, and against
 * pandas.read_csv as it comes. Every cell is compared with what strtod makes of it; how many of pandas' differ is said
 * beside. The file is in the system's cache. Memory for the result is new each time, as it is for pandas. */

#include "bench.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

typedef struct work {
    bench *b;
    char path[512];
    char table_path[600]; /* where the peer puts what it read; "-": nowhere */
    int64_t rows;
    int64_t cols;
    double *table; /* what we read last */
} work;

static scree_status read_once(void *context, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    free(w->table);
    const double start = bench_now();
    w->table = scree__alloc_raw(w->rows * w->cols, sizeof *w->table);
    if (!w->table)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the cells of %s", w->path);
    SCREE_TRY(bench_numbers_read(w->path, w->b->threads, w->rows, w->cols, w->table, error));
    *seconds = bench_now() - start;
done:
    return status;
}

static scree_status cat_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    return bench_child_cat(seconds, w->path, error);
}

static scree_status peer_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    return bench_peers_ask(w->b->peers, seconds, error, "csv\t%s\t%s", w->path, w->table_path);
}

static int64_t count_different(const double *a, const double *b, int64_t count)
{
    int64_t different = 0;
    for (int64_t i = 0; i < count; i++)
        different += memcmp(&a[i], &b[i], sizeof *a) != 0;
    return different;
}

/* Ours must be what strtod reads, bit for bit; *wrong receives the share of the peer's cells that are not. */
static scree_status check(work *w, double *wrong, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cells = w->rows * w->cols;
    double *reference = NULL;
    SCREE_ALLOC(reference, cells, error);
    SCREE_TRY(bench_numbers_reference(w->path, w->rows, w->cols, reference, error));
    const int64_t different = count_different(w->table, reference, cells);
    if (different > 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: %" PRId64 " cells are not read as strtod reads them", w->path,
                   different);
    if (bench_peers_has(w->b->peers, "pandas")) {
        SCREE_TRY(bench_numbers_read(w->table_path, w->b->threads, w->rows, w->cols, w->table, error));
        *wrong = (double)count_different(w->table, reference, cells) / (double)cells;
    }
done:
    remove(w->table_path);
    strcpy(w->table_path, "-");
    free(reference);
    return status;
}

static void add_lines(bench *b, const bench_case *c, const work *w, const bench_side *sides, double wrong)
{
    const bool has_pandas = bench_peers_has(b->peers, "pandas");
    struct stat file = {0};
    bench_line line = {.name = c->name};
    bench_line_times(&line, &sides[0], &sides[1]);
    stat(w->path, &file);
    const double megabytes = (double)file.st_size * 1e-6;
    line.floor = sides[1].median;
    line.floor_of = "cat";
    snprintf(line.what, sizeof line.what, "CSV, %" PRId64 "×%" PRId64 ", %.0f MB", w->rows, w->cols, megabytes);
    snprintf(line.against, sizeof line.against, "cat FILE >/dev/null");
    snprintf(line.note, sizeof line.note, "%.0f MB/s; every cell as strtod reads it", megabytes / sides[0].median);
    bench_add(b, &line);
    bench_line_times(&line, &sides[0], has_pandas ? &sides[2] : NULL);
    line.most = c->most;
    snprintf(line.against, sizeof line.against, "pandas.read_csv");
    if (has_pandas)
        snprintf(line.note, sizeof line.note, "pandas: %.0f MB/s; %.1f %% of its cells are not as strtod reads them",
                 megabytes / line.theirs, 100 * wrong);
    bench_add(b, &line);
}

scree_status bench_csv(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    double wrong = 0;
    work w = {.b = b, .rows = bench_rows(b, c), .cols = c->cols};
    bench_side sides[] = {
        {.once = read_once, .context = &w}, {.once = cat_once, .context = &w}, {.once = peer_once, .context = &w}};
    const int count = bench_peers_has(b->peers, "pandas") ? 3 : 2;
    SCREE_TRY(bench_numbers_get(w.path, sizeof w.path, b, w.rows, w.cols, error));
    snprintf(w.table_path, sizeof w.table_path, "%s.peer.npy", w.path);
    SCREE_TRY(bench_interleave(sides, count, 1, error));
    SCREE_TRY(check(&w, &wrong, error));
    SCREE_TRY(bench_interleave(sides, count, b->repeats, error));
    add_lines(b, c, &w, sides, wrong);
done:
    free(w.table);
    return status;
}
