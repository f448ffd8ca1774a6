/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits on request, for the map (map/map.py): one process that holds the rows of a cell and answers lines on standard
 * input, words with tabs between, with a line each. So its fits can alternate with those of another program that holds
 * the same rows, and one that takes too long can be ended.
 *
 *     load FILE OFFSET TYPE ROWS COLS      reads the rows, raw from OFFSET on; TYPE is f4, f8 or u1
 *     plan FROM SOLVER TOLERANCE K         what each method would cost: SOLVER APPLICABLE CHOSEN PASSES SECONDS
 *     fit FROM SOLVER TOLERANCE K RESULT   one fit: SECONDS SOLVER PASSES CONVERGED COMPONENTS REASON
 *
 * FROM is "memory" or a file, SOLVER "-" the planner's choice, TOLERANCE 0 the default, RESULT "-" for none or a file
 * of doubles: eigenvalues, residuals, bounds of eigenvalues and of angles, first and last of the cluster, M of each,
 * then the components. Answers begin with "ok", or are "failed" and why. The divisor is N. */

#include "bench.h"

#include "kernel/blas.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_WORDS = 8, HUGE_PAGE = 1 << 21 };

typedef struct server {
    const bench *b;
    void *data;
    scree_type type;
    int64_t rows;
    int64_t cols;
} server;

/* As numpy has it: whole huge pages, where the system has them. */
static void *allocate(size_t bytes)
{
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *data = aligned_alloc(HUGE_PAGE, whole);
    if (data)
        (void)madvise(data, whole, MADV_HUGEPAGE);
    return data;
}

static scree_status read_rows(server *s, const char *path, int64_t offset, scree_error *error)
{
    scree_status status = SCREE_OK;
    size_t left = (size_t)(s->rows * s->cols * bench_type_size(s->type));
    free(s->data);
    s->data = allocate(left);
    char *at = s->data;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (!s->data || file < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be read into memory (%s)", path, strerror(errno));
    while (left > 0) {
        const ssize_t count = pread(file, at, left, offset);
        if (count <= 0)
            SCREE_FAIL(error, SCREE_ERR_IO, "%s is too short", path);
        at += count;
        offset += count;
        left -= (size_t)count;
    }
done:
    if (file >= 0)
        close(file);
    return status;
}

static scree_status load(server *s, char **words, int count, scree_error *error)
{
    if (count != 6)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "load FILE OFFSET TYPE ROWS COLS");
    s->type = strcmp(words[3], "f4") == 0 ? SCREE_F32 : strcmp(words[3], "f8") == 0 ? SCREE_F64 : SCREE_U8;
    s->rows = strtoll(words[4], NULL, 10);
    s->cols = strtoll(words[5], NULL, 10);
    if (s->rows < 1 || s->cols < 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s×%s is no shape", words[4], words[5]);
    const scree_status status = read_rows(s, words[1], strtoll(words[2], NULL, 10), error);
    if (status == SCREE_OK)
        printf("ok\n");
    return status;
}

/* words: a request, FROM, SOLVER, TOLERANCE, K. */
static void prepare(bench_fitting *f, const server *s, char **words)
{
    if (strcmp(words[1], "memory") == 0)
        bench_fitting_array(f, s->b, s->data, s->type, s->rows, s->cols);
    else
        bench_fitting_file(f, s->b, words[1]);
    f->options.solver = strcmp(words[2], "-") == 0 ? NULL : words[2];
    f->options.tolerance = strtod(words[3], NULL);
    f->options.components = strtoll(words[4], NULL, 10);
}

static scree_status plan(server *s, char **words, int count, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_fitting f;
    scree_plan *found = NULL;
    if (count != 5)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "plan FROM SOLVER TOLERANCE K");
    prepare(&f, s, words);
    f.run.cache = s->b->folder;
    SCREE_TRY(bench_plan(&found, &f, error));
    printf("ok");
    for (int64_t i = 0; i < scree_plan_count(found); i++) {
        const scree_plan_entry *e = scree_plan_at(found, i);
        printf("\t%s %d %d %d %.9g", e->solver, e->applicable, e->chosen, e->passes, e->seconds);
    }
    printf("\n");
done:
    scree_plan_free(found);
    return status;
}

static bool write_doubles(FILE *file, const double *values, int64_t count)
{
    return fwrite(values, sizeof *values, (size_t)count, file) == (size_t)count;
}

static bool write_whole(FILE *file, const int64_t *values, int64_t count)
{
    bool is_good = true;
    for (int64_t i = 0; i < count; i++) {
        const double value = (double)values[i];
        is_good = is_good && write_doubles(file, &value, 1);
    }
    return is_good;
}

static scree_status write_result(const char *path, const scree_model_view *v, scree_error *error)
{
    FILE *file = fopen(path, "wb");
    bool is_good = file && write_doubles(file, v->eigenvalues, v->m) && write_doubles(file, v->residuals, v->m) &&
                   write_doubles(file, v->eigenvalue_bounds, v->m) && write_doubles(file, v->angle_bounds, v->m) &&
                   write_whole(file, v->cluster_first, v->m) && write_whole(file, v->cluster_last, v->m) &&
                   write_doubles(file, v->components, v->m * v->d);
    if (file)
        is_good = fclose(file) == 0 && is_good;
    return is_good ? SCREE_OK : scree__fail(error, SCREE_ERR_IO, "%s cannot be written", path);
}

static scree_status fit(server *s, char **words, int count, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_fitting f;
    double seconds = 0;
    if (count != 6)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "fit FROM SOLVER TOLERANCE K RESULT");
    prepare(&f, s, words);
    SCREE_TRY(bench_fit_once(&f, &seconds, error));
    const scree_model_view *view = scree_model_get(f.model);
    if (strcmp(words[5], "-") != 0)
        SCREE_TRY(write_result(words[5], view, error));
    printf("ok\t%.9f\t%s\t%d\t%d\t%" PRId64 "\t%s\n", seconds, view->solver, view->passes, view->converged, view->m,
           view->solver_reason ? view->solver_reason : "");
done:
    bench_fitting_clear(&f);
    return status;
}

static scree_status answer(server *s, char **words, int count, scree_error *error)
{
    if (strcmp(words[0], "load") == 0)
        return load(s, words, count, error);
    if (strcmp(words[0], "plan") == 0)
        return plan(s, words, count, error);
    if (strcmp(words[0], "fit") == 0)
        return fit(s, words, count, error);
    return scree__fail(error, SCREE_ERR_ARGUMENT, "no request '%s'", words[0]);
}

void bench_serve(const bench *b)
{
    server s = {.b = b};
    char line[4096];
    char blas[256];
    scree__blas_name(blas, sizeof blas);
    printf("scree %s\t%s\n", scree_version(), blas);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *words[MOST_WORDS];
        int count = 0;
        char *rest = line;
        scree_error error = SCREE_ERROR_INIT;
        line[strcspn(line, "\n")] = 0;
        for (char *word; count < MOST_WORDS && (word = strsep(&rest, "\t"));)
            words[count++] = word;
        if (answer(&s, words, count, &error) != SCREE_OK)
            printf("failed\t%s\n", error.text);
        fflush(stdout);
    }
    free(s.data);
}
