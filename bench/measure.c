/* SPDX-License-Identifier: BSD-3-Clause */
/* How long things take, and how long they must take on this machine.
 *
 * Sides of a comparison run in turn, A B A B ..., and each gets the median of its times: a neighbour on the machine
 * slows both alike. What takes long is repeated less often. Threads of a library go on waiting for work for some
 * milliseconds before they sleep, and would take the cores from the other side: there is a pause before each run. The
 * machine's rates are taken with all threads: 2n³ flops of a square GEMM, and the bytes that a copy far larger than the
 * caches reads and writes. */

#include "bench.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GEMM_SIZE = 2048, COPY_BYTES = 256 << 20, COPY_PIECES = 64, RATE_REPEATS = 5, PAUSE_NANOSECONDS = 80000000 };

double bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(bench_side *side, int count)
{
    double sorted[BENCH_MOST_REPEATS];
    memcpy(sorted, side->seconds, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    side->median = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
    side->best = sorted[0];
    side->runs = count;
}

static void pause_briefly(void)
{
    const struct timespec time = {.tv_nsec = PAUSE_NANOSECONDS};
    nanosleep(&time, NULL);
}

scree_status bench_interleave(bench_side *sides, int count, int repeats, scree_error *error)
{
    for (int i = 0; i < repeats; i++)
        for (int s = 0; s < count; s++) {
            pause_briefly();
            scree_status status = sides[s].once(sides[s].context, &sides[s].seconds[i], error);
            if (status != SCREE_OK)
                return status;
        }
    for (int s = 0; s < count; s++)
        summarise(&sides[s], repeats);
    return SCREE_OK;
}

int bench_repeats(const bench *b, double seconds)
{
    const double fitting = b->budget / (seconds > 1e-9 ? seconds : 1e-9);
    return fitting >= b->repeats ? b->repeats : fitting > 2 ? (int)fitting : 2;
}

typedef struct rate {
    int threads;
    bool is_float;
    char *from;
    char *to;
    char *into;
} rate;

static scree_status gemm_once(void *context, double *seconds, scree_error *error)
{
    const rate *r = context;
    const int64_t n = GEMM_SIZE;
    const void *a = r->from;
    const void *b = r->to;
    void *c = r->into;
    const double start = bench_now();
    const int info = r->is_float ? scree__sgemm(false, false, n, n, n, 1, a, n, b, n, 0, c, n)
                                 : scree__dgemm(false, false, n, n, n, 1, a, n, b, n, 0, c, n);
    *seconds = bench_now() - start;
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "GEMM of order %d failed", GEMM_SIZE);
}

static void copy_piece(void *context, int64_t index, int worker)
{
    const rate *r = context;
    const size_t size = COPY_BYTES / COPY_PIECES;
    (void)worker;
    memcpy(r->to + (size_t)index * size, r->from + (size_t)index * size, size);
}

static scree_status copy_once(void *context, double *seconds, scree_error *error)
{
    rate *r = context;
    (void)error;
    const double start = bench_now();
    scree__parallel(r->threads, COPY_PIECES, copy_piece, r);
    *seconds = bench_now() - start;
    return SCREE_OK;
}

static void name_processor(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) == 0 && value) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

scree_status bench_machine_measure(bench_machine *machine, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    rate double_rate = {.threads = threads};
    rate float_rate;
    SCREE_ALLOC(double_rate.from, COPY_BYTES, error);
    SCREE_ALLOC(double_rate.to, COPY_BYTES, error);
    SCREE_ALLOC(double_rate.into, GEMM_SIZE * GEMM_SIZE * (int64_t)sizeof(double), error);
    float_rate = double_rate;
    float_rate.is_float = true;
    bench_side sides[] = {{.once = gemm_once, .context = &float_rate},
                          {.once = gemm_once, .context = &double_rate},
                          {.once = copy_once, .context = &double_rate}};
    SCREE_TRY(bench_interleave(sides, 3, 1, error)); /* touches the memory, wakes the threads */
    SCREE_TRY(bench_interleave(sides, 3, RATE_REPEATS, error));
    const double n = GEMM_SIZE;
    machine->flops[SCREE_F32] = 2 * n * n * n / sides[0].median;
    machine->flops[SCREE_F64] = 2 * n * n * n / sides[1].median;
    machine->bytes = 2.0 * COPY_BYTES / sides[2].median;
    machine->byte_ops = bench_byte_ops(threads);
    machine->cores = scree__threads(0);
    machine->blas_threads = scree__blas_threads();
    name_processor(machine->processor, sizeof machine->processor);
done:
    free(double_rate.from);
    free(double_rate.to);
    free(double_rate.into);
    return status;
}
