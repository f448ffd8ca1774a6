/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmark: how fast, beside what a bare library call takes and beside what others take for the same.
 *
 *     bench [--case NAME] [--json FILE] [--data FOLDER] [--peers PYTHON SCRIPT] [--scree COMMAND] [--digits FILE]
 *           [--repeats N] [--budget SECONDS] [--threads N] [--shrink N] [--full] [--serve]
 *
 * Each case verifies its result against a reference, then times both sides in turn. Cases are the lines of one table;
 * --case takes those that begin with NAME. --shrink divides the rows, to try the benchmark itself; --full times in full
 * what is otherwise timed on a part and scaled; --serve runs no case but fits on request (serve.c). Exit codes: 0 when
 * all ran, whatever the ratios; 1 when one failed; 2 for wrong usage. */

#include "bench.h"

#include "base/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const bench_case cases[] = {
    {"digits", 60000, 784, SCREE_U8, 1.0 / 3, bench_images},
    {"tall-f32", 200000, 100, SCREE_F32, 1.15, bench_covariance},
    {"tall-f64", 200000, 100, SCREE_F64, 1.15, bench_covariance},
    {"images-f32", 60000, 784, SCREE_F32, 1.15, bench_covariance},
    {"images-f64", 60000, 784, SCREE_F64, 1.15, bench_covariance},
    {"wide-f32", 10000, 5000, SCREE_F32, 0.5, bench_wide_memory},
    {"wide-f64", 10000, 5000, SCREE_F64, 0.5, bench_wide_memory},
    {"wide-file-f32", 10000, 5000, SCREE_F32, 1, bench_wide_file},
    {"wide-file-f64", 10000, 5000, SCREE_F64, 1, bench_wide_file},
    {"square-f32", 20000, 20000, SCREE_F32, 0.5, bench_wide_memory},
    {"square-f64", 20000, 20000, SCREE_F64, 0.5, bench_wide_memory},
    {"broad-f32", 5000, 100000, SCREE_F32, 0.5, bench_wide_memory},
    {"exact-f32", 1000, 20000, SCREE_F32, 0.5, bench_wide_exact},
    {"exact-f64", 1000, 20000, SCREE_F64, 0.5, bench_wide_exact},
    {"eigen-500", 500, 500, SCREE_F64, 1.15, bench_eigen},
    {"eigen-1000", 1000, 1000, SCREE_F64, 1.15, bench_eigen},
    {"eigen-2000", 2000, 2000, SCREE_F64, 1.15, bench_eigen},
    {"eigen-4000", 4000, 4000, SCREE_F64, 1.15, bench_eigen},
    {"score", 1000000, 100, SCREE_F64, 1 / 0.7, bench_score},
    {"csv", 130000, 100, SCREE_F64, 0.2, bench_csv},
    {"csv-fit", 530000, 100, SCREE_F64, 0.125, bench_csv_fit},
    {"disk", 4000000, 500, SCREE_F32, 1.25, bench_disk},
    {"growth", 1600000, 100, SCREE_F32, 2.3, bench_growth},
    {"sweeps-tall", 20000, 2000, SCREE_F32, 1, bench_sweeps},
    {"sweeps-square", 8000, 8000, SCREE_F32, 1, bench_sweeps},
    {"sweeps-wide", 3000, 10000, SCREE_F32, 1, bench_sweeps},
    {"sweeps-digits", 60000, 784, SCREE_F32, 1, bench_sweeps},
    {"counts-f4", 100000, 20000, SCREE_F32, 0.25, bench_counts_case},
    {"counts-i4", 100000, 20000, SCREE_I32, 0.25, bench_counts_case},
    {"genotypes", 20000, 50000, SCREE_U8, 1.0 / 3, bench_genotypes_case},
    {"missing", 10000, 500, SCREE_F64, 1.0 / 30, bench_missing},
    {"ratings", 100000, 10000, SCREE_F64, 1, bench_ratings},
    {"archive", 0, 0, SCREE_F32, 0, bench_archive},
    {"archive-speed", 1000000, 100, SCREE_F32, 0, bench_archive_speed},
};

enum { CASES = sizeof cases / sizeof cases[0] };

int64_t bench_rows(const bench *b, const bench_case *c)
{
    const int64_t rows = c->rows / b->shrink;
    return rows > 2 * BENCH_COMPONENTS ? rows : 2 * BENCH_COMPONENTS;
}

static int usage(const char *found)
{
    fprintf(stderr,
            "bench: '%s' is not understood\n"
            "usage: bench [--case NAME] [--json FILE] [--data FOLDER] [--peers PYTHON SCRIPT] [--scree COMMAND] "
            "[--digits FILE] [--repeats N] [--budget SECONDS] [--threads N] [--shrink N] [--full] [--serve]\ncases:",
            found);
    for (int i = 0; i < CASES; i++)
        fprintf(stderr, " %s", cases[i].name);
    fputc('\n', stderr);
    return 2;
}

/* A whole number from 1 to most. */
static bool read_count(const char *text, long most, long *count)
{
    char *end;
    *count = strtol(text, &end, 10);
    return end != text && *end == 0 && *count >= 1 && *count <= most;
}

/* The option at arguments[at]; how many words it takes, 0 when it is wrong. */
static int read_option(bench *b, char **arguments, int left)
{
    const char *name = arguments[0];
    long count = 0;
    if (left >= 3 && strcmp(name, "--peers") == 0) {
        b->python = arguments[1];
        b->script = arguments[2];
        return 3;
    }
    if (strcmp(name, "--full") == 0) {
        b->full = true;
        return 1;
    }
    if (strcmp(name, "--serve") == 0) {
        b->serve = true;
        return 1;
    }
    if (left < 2)
        return 0;
    if (strcmp(name, "--case") == 0)
        b->only = arguments[1];
    else if (strcmp(name, "--json") == 0)
        b->json = arguments[1];
    else if (strcmp(name, "--data") == 0)
        b->folder = arguments[1];
    else if (strcmp(name, "--scree") == 0)
        b->command = arguments[1];
    else if (strcmp(name, "--digits") == 0)
        b->digits = arguments[1];
    else if (strcmp(name, "--budget") == 0 && read_count(arguments[1], 3600, &count))
        b->budget = (double)count;
    else if (strcmp(name, "--repeats") == 0 && read_count(arguments[1], BENCH_MOST_REPEATS, &count))
        b->repeats = (int)count;
    else if (strcmp(name, "--threads") == 0 && read_count(arguments[1], 4096, &count))
        b->threads = (int)count;
    else if (strcmp(name, "--shrink") == 0 && read_count(arguments[1], 50, &count))
        b->shrink = count;
    else
        return 0;
    return 2;
}

static bool is_wanted(const bench *b, const bench_case *c)
{
    return !b->only || strncmp(c->name, b->only, strlen(b->only)) == 0;
}

/* Other programs, which are started after this, get as many threads as we have. */
static void limit_threads(int threads)
{
    static const char *const names[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                                        "POLARS_MAX_THREADS", "RAYON_NUM_THREADS"};
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], text, 1);
}

static scree_status run_cases(bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    double unused = 0;
    if (mkdir(b->folder, 0777) != 0 && errno != EEXIST)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be made (%s); choose a folder with --data", b->folder,
                   strerror(errno));
    limit_threads(b->threads);
    SCREE_TRY(bench_child_start(error));
    if (b->python && bench_peers_start(&b->peers, b->python, b->script, error) != SCREE_OK)
        fprintf(stderr, "bench: %s; comparisons with other programs are left out\n", error->text);
    SCREE_TRY(bench_machine_measure(&b->machine, b->threads, error));
    for (int i = 0; i < CASES; i++)
        if (is_wanted(b, &cases[i])) {
            SCREE_TRY(cases[i].run(&cases[i], b, error));
            if (b->peers)
                SCREE_TRY(bench_peers_ask(b->peers, &unused, error, "forget"));
        }
    bench_print(b);
    if (b->json)
        SCREE_TRY(bench_write_json(b, error));
done:
    bench_peers_stop(b->peers);
    return status;
}

int main(int count, char **arguments)
{
    static bench b = {.folder = "bench-data", .repeats = 7, .budget = 15, .shrink = 1};
    scree_error error = SCREE_ERROR_INIT;
    bool any = false;
    b.threads = scree__threads(0);
    for (int at = 1, words = 0; at < count; at += words) {
        words = read_option(&b, arguments + at, count - at);
        if (words == 0)
            return usage(arguments[at]);
    }
    if (b.serve) {
        bench_serve(&b);
        return 0;
    }
    for (int i = 0; i < CASES; i++)
        any = any || is_wanted(&b, &cases[i]);
    if (!any)
        return usage(b.only);
    if (run_cases(&b, &error) != SCREE_OK) {
        fprintf(stderr, "bench: %s\n", error.text);
        return 1;
    }
    return 0;
}
