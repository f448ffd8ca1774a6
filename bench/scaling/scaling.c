/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed over threads: a covariance fit of 10⁶×500 floats from memory and from a file in memory, beside SSYRK of the
 * same rows; a fit of 20000×20000; scores and codes of 10⁷×100. For 1, 2, 4, … threads, up to those of the machine;
 * models and answers must be the same bits for all of them. Rows are a product of 100 random directions with variances
 * 1, 1/2, 1/3, …, and noise.
 *
 *   scree_scaling JSON [SHRINK [FOLDER]]    rows are divided by SHRINK; FOLDER, /dev/shm by default, gets the file
 */

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "scree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { RANK = 100, COMPONENTS = 20, MOST_STEPS = 12, REPEATS = 5, SCORES = 5, BAND = 4096 };
static const double ENOUGH = 6; /* seconds of repeats */

extern void openblas_set_num_threads(int threads) __attribute__((weak));

typedef struct table {
    float *data;
    int64_t rows;
    int64_t cols;
} table;

typedef struct work {
    table x;
    const char *path; /* instead of x, where rows come from a file */
    int threads;
    scree_model *model; /* what was found, or what answers */
    scree_scorer *scorer;
    double *out;
    float *scatter;
} work;

typedef scree_status (*once)(work *w, scree_error *error);

typedef struct series {
    const char *name;
    double seconds[MOST_STEPS];
} series;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- rows ---- */

typedef struct making {
    table x;
    const float *directions; /* RANK × cols */
    float *codes;            /* a band for each worker */
} making;

/* Roughly normal: the sum of four uniform numbers, of 16 bits each, by position (splitmix64). */
static float noise(uint64_t stream, uint64_t at)
{
    uint64_t bits = (at + (stream << 48)) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    bits ^= bits >> 31;
    const float sum =
        (float)(bits & 0xffff) + (float)(bits >> 16 & 0xffff) + (float)(bits >> 32 & 0xffff) + (float)(bits >> 48);
    return (sum / 65536 - 2) * 1.7320508F;
}

static void make_band(void *context, int64_t band, int worker)
{
    const making *m = context;
    const int64_t first = band * BAND;
    const int64_t rows = m->x.rows - first < BAND ? m->x.rows - first : BAND;
    float *codes = m->codes + (int64_t)worker * BAND * RANK;
    float *out = m->x.data + first * m->x.cols;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < RANK; j++)
            codes[i * RANK + j] = noise(2, (uint64_t)((first + i) * RANK + j)) / sqrtf((float)(j + 1));
    for (int64_t i = 0; i < rows * m->x.cols; i++)
        out[i] = 1 + 0.01F * noise(3, (uint64_t)(first * m->x.cols + i));
    (void)scree__sgemm(false, false, rows, m->x.cols, RANK, 1, codes, RANK, m->directions, m->x.cols, 1, out,
                       m->x.cols);
}

static scree_status make_rows(table *x, int64_t rows, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    float *directions = NULL;
    making m = {.x = {NULL, rows, cols}};
    SCREE_ALLOC(directions, RANK * cols, error);
    SCREE_ALLOC(m.codes, (int64_t)scree__threads(0) * BAND * RANK, error);
    m.x.data = scree__alloc_raw(rows * cols, sizeof *m.x.data);
    if (!m.x.data)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%lld rows of %lld floats do not fit", (long long)rows, (long long)cols);
    for (int64_t i = 0; i < RANK * cols; i++)
        directions[i] = noise(4, (uint64_t)i) / sqrtf((float)cols);
    m.directions = directions;
    scree__blas_enter();
    scree__parallel(scree__threads(0), (rows + BAND - 1) / BAND, make_band, &m);
    scree__blas_leave();
    *x = m.x;
done:
    free(directions);
    free(m.codes);
    return status;
}

static scree_status write_npy(const char *path, const table *x, scree_error *error)
{
    char head[128];
    FILE *file = fopen(path, "wb");
    const int length =
        snprintf(head, sizeof head, "{'descr': '<f4', 'fortran_order': False, 'shape': (%" PRId64 ", %" PRId64 "), }",
                 x->rows, x->cols);
    memset(head + length, ' ', sizeof head - (size_t)length);
    head[117] = '\n';
    bool fine = file && fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file) == 10 && fwrite(head, 1, 118, file) == 118;
    const size_t count = (size_t)(x->rows * x->cols);
    fine = fine && fwrite(x->data, sizeof *x->data, count, file) == count;
    fine = file && fclose(file) == 0 && fine;
    return fine ? SCREE_OK : scree__fail(error, SCREE_ERR_IO, "%s cannot be written; name another folder", path);
}

/* ---- what is timed ---- */

static scree_status open_rows(scree_source **source, const work *w, scree_error *error)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    options.threads = w->threads;
    block.data = w->x.data;
    block.type = SCREE_F32;
    block.rows = w->x.rows;
    block.cols = w->x.cols;
    return w->path ? scree_source_open(source, w->path, &options, error)
                   : scree_source_from_memory(source, &block, error);
}

static scree_status fit(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    run.threads = w->threads;
    options.run = &run;
    options.components = COMPONENTS;
    scree_model_free(w->model);
    w->model = NULL;
    SCREE_TRY(open_rows(&source, w, error));
    SCREE_TRY(scree_model_fit(&w->model, source, &options, error));
done:
    scree_source_free(source);
    return status;
}

static scree_status answer(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_run run = SCREE_RUN_INIT;
    run.threads = w->threads;
    SCREE_TRY(open_rows(&source, w, error));
    SCREE_TRY(scree_sink_to_memory(&sink, w->out, w->x.rows, w->scorer ? SCORES : COMPONENTS, error));
    if (w->scorer)
        SCREE_TRY(scree_scorer_score(w->scorer, source, sink, NULL, &run, error));
    else
        SCREE_TRY(scree_model_project(w->model, source, sink, &run, error));
    SCREE_TRY(scree_sink_finish(sink, error));
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static scree_status syrk(work *w, scree_error *error)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(w->threads);
    const int info = scree__ssyrk(true, w->x.cols, w->x.rows, 1, w->x.data, w->x.cols, 0, w->scatter, w->x.cols);
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "SSYRK failed");
}

/* ---- the clock ---- */

static uint64_t fingerprint(const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * UINT64_C(1099511628211);
    return sum;
}

/* Of what the last run has found; 0 where there is nothing to compare. */
static uint64_t found_bits(const work *w, once run)
{
    if (run == fit) {
        const scree_model_view *view = scree_model_get(w->model);
        return fingerprint(view->components, (size_t)(view->m * view->d) * sizeof *view->components);
    }
    const int64_t cols = w->scorer ? SCORES : COMPONENTS;
    return run == answer ? fingerprint(w->out, (size_t)((w->x.rows < 100000 ? w->x.rows : 100000) * cols) * 8) : 0;
}

/* Medians for 1, 2, 4, … threads. */
static scree_status time_steps(series *s, work *w, once run, int steps, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint64_t bits = 0;
    fprintf(stderr, "%-28s", s->name);
    for (int step = 0; step < steps; step++) {
        double seconds[REPEATS];
        double spent = 0;
        int count = 0;
        w->threads = 1 << step;
        while (count < REPEATS && (count == 0 || spent < ENOUGH)) {
            const double start = now();
            SCREE_TRY(run(w, error));
            seconds[count] = now() - start;
            spent += seconds[count++];
            for (int i = count - 1; i > 0 && seconds[i] < seconds[i - 1]; i--) {
                const double other = seconds[i];
                seconds[i] = seconds[i - 1];
                seconds[i - 1] = other;
            }
        }
        s->seconds[step] = seconds[(count - 1) / 2];
        if (step > 0 && found_bits(w, run) != bits)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: %d threads give other bits than 1", s->name, w->threads);
        bits = found_bits(w, run);
        fprintf(stderr, " %9.1f", 1e3 * s->seconds[step]);
    }
    fputc('\n', stderr);
done:
    return status;
}

enum { SYRK, TALL, TALL_FILE, SQUARE, SCORE, PROJECT, COUNT };

static scree_status time_tall(series *all, int steps, int64_t shrink, const char *folder, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/scree-scaling.npy", folder);
    SCREE_TRY(make_rows(&w.x, 1000000 / shrink, 500, error));
    SCREE_ALLOC(w.scatter, w.x.cols * w.x.cols, error);
    SCREE_TRY(time_steps(&all[SYRK], &w, syrk, steps, error));
    SCREE_TRY(time_steps(&all[TALL], &w, fit, steps, error));
    SCREE_TRY(write_npy(path, &w.x, error));
    w.path = path;
    SCREE_TRY(time_steps(&all[TALL_FILE], &w, fit, steps, error));
done:
    remove(path);
    scree_model_free(w.model);
    free(w.scatter);
    free(w.x.data);
    return status;
}

static scree_status time_square(series *all, int steps, int64_t shrink, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {0};
    SCREE_TRY(make_rows(&w.x, 20000 / shrink, 20000, error));
    SCREE_TRY(time_steps(&all[SQUARE], &w, fit, steps, error));
done:
    scree_model_free(w.model);
    free(w.x.data);
    return status;
}

static scree_status time_answers(series *all, int steps, int64_t shrink, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {0};
    SCREE_TRY(make_rows(&w.x, 10000000 / shrink, 100, error));
    SCREE_ALLOC(w.out, w.x.rows * COMPONENTS, error);
    w.threads = 0;
    SCREE_TRY(fit(&w, error));
    SCREE_TRY(scree_scorer_make(&w.scorer, w.model, NULL, error));
    SCREE_TRY(time_steps(&all[SCORE], &w, answer, steps, error));
    scree_scorer_free(w.scorer);
    w.scorer = NULL;
    SCREE_TRY(time_steps(&all[PROJECT], &w, answer, steps, error));
done:
    scree_scorer_free(w.scorer);
    scree_model_free(w.model);
    free(w.out);
    free(w.x.data);
    return status;
}

/* ---- verdicts ---- */

static void judge(const char *what, double ratio, double most)
{
    printf("%-56s %5.2f  at most %.2f  %s\n", what, ratio, most, ratio <= most ? "pass" : "NO");
}

static void print_verdicts(const series *all, int steps)
{
    static const int halved[] = {SQUARE, SCORE, PROJECT};
    const int last = steps - 1;
    char what[128];
    for (int i = SYRK; i < COUNT; i++) {
        double worst = 0;
        for (int step = 1; step < steps; step++)
            worst = fmax(worst, all[i].seconds[step] / all[i].seconds[step - 1]);
        snprintf(what, sizeof what, "%s: twice the threads, worst", all[i].name);
        if (steps > 1 && i != SYRK)
            judge(what, worst, 1.03);
    }
    snprintf(what, sizeof what, "%s over SSYRK, %d threads", all[TALL].name, 1 << last);
    judge(what, all[TALL].seconds[last] / all[SYRK].seconds[last], 1.3);
    for (int i = 0; steps > 1 && i < 3; i++) {
        snprintf(what, sizeof what, "%s: %d threads over %d", all[halved[i]].name, 1 << last, 1 << (last - 1));
        judge(what, all[halved[i]].seconds[last] / all[halved[i]].seconds[last - 1], 0.65);
    }
}

static scree_status write_json(const char *path, const series *all, int steps, int64_t shrink, scree_error *error)
{
    char blas[256];
    FILE *file = fopen(path, "w");
    scree__blas_name(blas, sizeof blas);
    blas[strcspn(blas, "\"\n")] = 0;
    if (!file)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written", path);
    fprintf(file, "{\"blas\": \"%s\", \"shrink\": %" PRId64 ", \"series\": [", blas, shrink);
    for (int i = 0; i < COUNT; i++) {
        fprintf(file, "%s\n  {\"name\": \"%s\", \"times\": [", i ? "," : "", all[i].name);
        for (int step = 0; step < steps; step++)
            fprintf(file, "%s{\"threads\": %d, \"seconds\": %.6f}", step ? ", " : "", 1 << step, all[i].seconds[step]);
        fputs("]}", file);
    }
    fputs("\n]}\n", file);
    return fclose(file) == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_IO, "%s cannot be written", path);
}

int main(int count, char **arguments)
{
    scree_status status = SCREE_OK;
    scree_error problem = SCREE_ERROR_INIT;
    scree_error *error = &problem;
    series all[COUNT] = {{"SSYRK, 10⁶×500", {0}},   {"fit, 10⁶×500", {0}},   {"fit, 10⁶×500, file", {0}},
                         {"fit, 20000×20000", {0}}, {"score, 10⁷×100", {0}}, {"project, 10⁷×100", {0}}};
    const int64_t shrink = count > 2 ? strtoll(arguments[2], NULL, 10) : 1;
    int steps = 1;
    if (count < 2 || shrink < 1) {
        fputs("usage: scree_scaling JSON [SHRINK [FOLDER]]\n", stderr);
        return 2;
    }
    while (steps < MOST_STEPS && 1 << steps <= scree__threads(0))
        steps++;
    fprintf(stderr, "%-28s", "milliseconds, threads:");
    for (int step = 0; step < steps; step++)
        fprintf(stderr, " %9d", 1 << step);
    fputc('\n', stderr);
    SCREE_TRY(time_tall(all, steps, shrink, count > 3 ? arguments[3] : "/dev/shm", error));
    SCREE_TRY(time_square(all, steps, shrink, error));
    SCREE_TRY(time_answers(all, steps, shrink, error));
    print_verdicts(all, steps);
    SCREE_TRY(write_json(arguments[1], all, steps, shrink, error));
done:
    if (status != SCREE_OK)
        fprintf(stderr, "scree_scaling: %s\n", problem.text);
    return status == SCREE_OK ? 0 : 1;
}
