/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed over processes: one run of mpirun fits N×1000 floats from memory by covariance, each process with its own rows
 * and one thread, and times on the same processes, at the same time and with the same BLAS, independent SGEMMs and
 * SSYRKs of the same rows, which share nothing but the machine: C = AᵀA, 2ND² and ND² flops. Rounds alternate, between
 * barriers; medians are printed.
 *
 *   scree_ranks LIBRARY weak|strong ROWS COLS ROUNDS     one line of CSV from the first process; ROWS are those of each
 *                                                        process (weak) or of all (strong); LIBRARY is
 * libscree-mpi-*.so
 *
 * Seconds of the fit are those of the slowest process, those of products the mean of the processes and the slowest. Of
 * the rows that all processes address, each has touched its own alone. */

#define _GNU_SOURCE
#include "base/memory.h"
#include "kernel/blas.h"
#include "scree.h"
#include "scree_mpi.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { COMPONENTS = 10, MOST_ROUNDS = 100 };
enum { FIT, SUMS, GEMM, SYRK, KINDS };

typedef struct study {
    scree_communicator with;
    __typeof__(scree_mpi_end) *end;
    float *x; /* all rows, of which those from first to end - 1 are there */
    int64_t rows;
    int64_t cols;
    int64_t first;
    int64_t last;
    const char *solver;
    int threads;
    bool is_alone; /* no MPI */
    float *product;
    scree_model *model;
    double start;
    double summed; /* when this process had read its rows */
} study;

/* Of one kind, round by round: over the processes. */
typedef struct seconds {
    double mean[MOST_ROUNDS];
    double most[MOST_ROUNDS];
} seconds;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- MPI ---- */

static scree_status load(study *s, const char *library, scree_error *error)
{
    scree_status status = SCREE_OK;
    __typeof__(scree_mpi_start) *start = NULL;
    void *loaded = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (!loaded)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s", dlerror());
    const void *calls[2] = {dlsym(loaded, "scree_mpi_start"), dlsym(loaded, "scree_mpi_end")};
    memcpy(&start, &calls[0], sizeof start);
    memcpy(&s->end, &calls[1], sizeof s->end);
    if (!start || !s->end)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s is not libscree-mpi", library);
    SCREE_TRY(start(&s->with, error));
done:
    return status;
}

/* A barrier. */
static scree_status together(const study *s, scree_status status, scree_error *error)
{
    return s->is_alone ? status : scree_communicator_agree(&s->with, status, error);
}

/* One number of each process: their mean and the largest, on the first. */
static scree_status gather(const study *s, double own, double *mean, double *most, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = &s->with;
    if (with->rank > 0)
        return with->send(with->context, 0, &own, sizeof own, error);
    *mean = *most = own;
    for (int rank = 1; rank < with->ranks; rank++) {
        SCREE_TRY(with->receive(with->context, rank, &own, sizeof own, error));
        *mean += own;
        *most = fmax(*most, own);
    }
    *mean /= with->ranks;
done:
    return status;
}

/* ---- rows ---- */

/* Uniform numbers by position (splitmix64). */
static float noise(uint64_t at)
{
    uint64_t bits = (at + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return (float)((bits ^ bits >> 31) >> 40) * 0x1p-24F - 0.5F;
}

/* Rows of column spreads that fall as 1, 1/2, 1/3, …; with a row more on either side, as ranges of rows may be cut. */
static scree_status make_rows(study *s, scree_error *error)
{
    const size_t bytes = (size_t)(s->rows * s->cols) * sizeof *s->x;
    s->x = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s->x == MAP_FAILED)
        return scree__fail(error, SCREE_ERR_MEMORY, "%" PRId64 " rows of %" PRId64 " floats cannot be addressed",
                           s->rows, s->cols);
    const bool all = s->rows < s->cols; /* each process reads all of them then */
    const int64_t first = s->first > 0 && !all ? s->first - 1 : 0;
    const int64_t last = s->last < s->rows && !all ? s->last + 1 : s->rows;
    for (int64_t i = first; i < last; i++)
        for (int64_t j = 0; j < s->cols; j++)
            s->x[i * s->cols + j] = 1 + noise((uint64_t)(i * s->cols + j)) / (float)(j + 1);
    return SCREE_OK;
}

/* ---- what is timed ---- */

static int tick(void *context, const scree_progress *progress)
{
    study *s = context;
    if (strcmp(progress->stage, "fit") == 0)
        s->summed = now();
    return 0;
}

static scree_status fit(study *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    block.data = s->x;
    block.type = SCREE_F32;
    block.rows = s->rows;
    block.cols = s->cols;
    run.threads = s->threads;
    run.communicator = s->is_alone ? NULL : &s->with;
    run.progress = tick;
    run.progress_context = s;
    options.run = &run;
    options.solver = s->solver;
    options.components = COMPONENTS;
    scree_model_free(s->model);
    s->model = NULL;
    SCREE_TRY(scree_source_from_memory(&source, &block, error));
    SCREE_TRY(scree_model_fit(&s->model, source, &options, error));
done:
    scree_source_free(source);
    return status;
}

static scree_status multiply(study *s, int kind, scree_error *error)
{
    const float *own = s->x + s->first * s->cols;
    const int64_t n = s->last - s->first;
    const int64_t d = s->cols;
    scree__blas_enter();
    const int info = kind == GEMM ? scree__sgemm(true, false, d, d, n, 1, own, d, own, d, 0, s->product, d)
                                  : scree__ssyrk(true, d, n, 1, own, d, 0, s->product, d);
    scree__blas_leave();
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "a product has failed");
}

/* ---- the clock ---- */

static scree_status time_once(study *s, seconds *all, int kind, int round, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(together(s, SCREE_OK, error));
    s->start = now();
    status = kind == FIT ? fit(s, error) : multiply(s, kind, error);
    const double own = now() - s->start;
    SCREE_TRY(together(s, status, error));
    SCREE_TRY(gather(s, own, &all[kind].mean[round], &all[kind].most[round], error));
    if (kind == FIT)
        SCREE_TRY(gather(s, s->summed - s->start, &all[SUMS].mean[round], &all[SUMS].most[round], error));
done:
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, compare);
    return (x[(count - 1) / 2] + x[count / 2]) / 2;
}

static uint64_t model_bits(const study *s)
{
    const scree_model_view *view = scree_model_get(s->model);
    const unsigned char *at = (const unsigned char *)view->components;
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < (size_t)(view->m * view->d) * sizeof(double); i++)
        sum = (sum ^ at[i]) * UINT64_C(1099511628211);
    return sum;
}

static void print(const study *s, const char *how, seconds *all, int rounds)
{
    printf("%s,%d,%" PRId64 ",%" PRId64, how, s->with.ranks, s->rows, s->cols);
    printf(",%.6f,%.6f", median(all[FIT].most, rounds), median(all[SUMS].most, rounds));
    for (int kind = GEMM; kind <= SYRK; kind++)
        printf(",%.6f,%.6f", median(all[kind].mean, rounds), median(all[kind].most, rounds));
    printf(",%016" PRIx64 "\n", model_bits(s));
}

/* kinds: up to FIT alone, or all. */
static scree_status run(study *s, const char *how, int rounds, int kinds, scree_error *error)
{
    scree_status status = SCREE_OK;
    static seconds all[KINDS];
    if (kinds > GEMM)
        SCREE_ALLOC(s->product, s->cols * s->cols, error);
    SCREE_TRY(make_rows(s, error));
    for (int round = -1; round < rounds; round++) /* once for warmth */
        for (int kind = FIT; kind < kinds; kind++)
            if (kind != SUMS)
                SCREE_TRY(time_once(s, all, kind, round < 0 ? 0 : round, error));
    if (s->with.rank == 0)
        print(s, how, all, rounds);
done:
    return status;
}

int main(int count, char **arguments)
{
    scree_status status = SCREE_OK;
    scree_error problem = SCREE_ERROR_INIT;
    scree_error *error = &problem;
    study s = {.with = SCREE_COMMUNICATOR_INIT};
    if (count < 6 || count > 8) {
        fputs("usage: scree_ranks LIBRARY weak|strong ROWS COLS ROUNDS [SOLVER [THREADS]]\n", stderr);
        return 2;
    }
    const long rounds = strtol(arguments[5], NULL, 10);
    s.is_alone = strcmp(arguments[1], "none") == 0;
    s.solver = count > 6 ? arguments[6] : "covariance";
    s.threads = count > 7 ? (int)strtol(arguments[7], NULL, 10) : 1;
    if (!s.is_alone)
        SCREE_TRY(load(&s, arguments[1], error));
    s.rows = strtoll(arguments[3], NULL, 10) * (strcmp(arguments[2], "weak") == 0 ? s.with.ranks : 1);
    s.cols = strtoll(arguments[4], NULL, 10);
    s.first = s.with.rank * s.rows / s.with.ranks;
    s.last = (s.with.rank + 1) * s.rows / s.with.ranks;
    SCREE_TRY(run(&s, arguments[2],
                  rounds < 1             ? 1
                  : rounds > MOST_ROUNDS ? MOST_ROUNDS
                                         : (int)rounds,
                  count > 6 ? GEMM : KINDS, error));
done:
    if (status != SCREE_OK)
        fprintf(stderr, "scree_ranks: %s\n", problem.text);
    scree_model_free(s.model);
    free(s.product);
    if (s.end)
        s.end(&s.with);
    return status == SCREE_OK ? 0 : 1;
}
