/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratings: a hundredth of the cells of a large matrix, as lines of row, column and value, fitted by the command within
 * 1 GiB. What is measured is the memory that the command has at most, and its time; nothing runs beside. Each row has
 * one cell in every hundred columns,
 *
 *     x_ij = b_i'z_j + e/2,   b_i, z_j of 5 standard normals, e standard normal,
 *
 * and the model must foretell other cells of the first rows better than their mean does, 0: the RMSE is in the note. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SEED = 6, CODES = 5, WIDTH = 100, TRIED = 500, STREAM_ROWS = 1, STREAM_COLS, STREAM_NOISE, STREAM_PLACES };
static const double NOISE = 0.5;
static const double LIMIT = 0x1p30;

typedef struct ratings {
    int64_t rows;
    int64_t cols;
    double *codes; /* cols×CODES */
} ratings;

/* What is in one row: one cell of each WIDTH columns; place[i] of the i-th WIDTH. */
static void row_places(uint32_t *place, int64_t row, int64_t parts)
{
    uint32_t words[4];
    for (int64_t i = 0; i < parts; i++) {
        if (i % 4 == 0)
            scree__philox(SEED, STREAM_PLACES, (uint64_t)(row * parts + i), words);
        place[i] = words[i % 4] % WIDTH;
    }
}

static double cell(const ratings *r, const double *z, int64_t column, double noise)
{
    double sum = NOISE * noise;
    for (int j = 0; j < CODES; j++)
        sum += z[j] * r->codes[column * CODES + j];
    return sum;
}

/* The cells of a row, and one that is not told: in the first WIDTH columns, beside that which is. */
static void make_row(const ratings *r, int64_t row, uint32_t *place, double *value, double *untold)
{
    const int64_t parts = r->cols / WIDTH;
    double z[CODES];
    double noise[WIDTH + 1];
    scree__normals(SEED, STREAM_ROWS, row * CODES, CODES, z);
    scree__normals(SEED, STREAM_NOISE, row * (WIDTH + 1), parts + 1, noise);
    row_places(place, row, parts);
    for (int64_t i = 0; i < parts; i++)
        value[i] = cell(r, z, i * WIDTH + place[i], noise[i]);
    *untold = cell(r, z, (place[0] + 1) % WIDTH, noise[parts]);
}

static scree_status write_file(const ratings *r, const char *path, scree_error *error)
{
    uint32_t place[WIDTH];
    double value[WIDTH];
    double unused = 0;
    FILE *file = fopen(path, "w");
    for (int64_t row = 0; file && row < r->rows; row++) {
        make_row(r, row, place, value, &unused);
        for (int64_t i = 0; i < r->cols / WIDTH; i++)
            fprintf(file, "%" PRId64 ",%" PRId64 ",%.3f\n", row + 1, i * WIDTH + place[i] + 1, value[i]);
    }
    const bool is_wrong = !file || ferror(file);
    if ((file && fclose(file) != 0) || is_wrong) {
        remove(path);
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written; choose another folder with --data", path);
    }
    return SCREE_OK;
}

/* Columns of a model are in the order in which the file names them: place[j] is that of the one named j+1. */
static scree_status find_columns(int64_t *place, const ratings *r, const scree_model *model, scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    if (view->d != r->cols || view->n != r->rows || !view->columns)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "ratings: the model is of %" PRId64 "×%" PRId64 " cells, not of the file", view->n, view->d);
    for (int64_t j = 0; j < view->d; j++) {
        const int64_t number = strtoll(view->columns[j], NULL, 10);
        if (number < 1 || number > r->cols)
            return scree__fail(error, SCREE_ERR_VALUE, "ratings: the model has a column '%s', which the file has not",
                               view->columns[j]);
        place[number - 1] = j;
    }
    return SCREE_OK;
}

/* RMSE of cells that were not told, of the first rows. */
static scree_status foretell(const ratings *r, const char *model_path, double *rmse, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    scree_imputed out = SCREE_IMPUTED_INIT;
    double *row = NULL;
    int64_t *at = NULL;
    uint32_t place[WIDTH];
    double value[WIDTH];
    double untold = 0;
    double sum = 0;
    double squares = 0;
    SCREE_ALLOC(row, r->cols, error);
    SCREE_ALLOC(at, r->cols, error);
    SCREE_ALLOC(out.filled, r->cols, error);
    SCREE_TRY(scree_model_load(&model, model_path, error));
    SCREE_TRY(find_columns(at, r, model, error));
    for (int64_t i = 0; i < TRIED; i++) {
        make_row(r, i, place, value, &untold);
        for (int64_t j = 0; j < r->cols; j++)
            row[j] = (double)NAN;
        for (int64_t j = 0; j < r->cols / WIDTH; j++)
            row[at[j * WIDTH + place[j]]] = value[j];
        const scree_block block = bench_block(row, SCREE_F64, 1, r->cols);
        SCREE_TRY(scree_model_impute_rows(model, &block, &out, NULL, error));
        const double wrong = out.filled[at[(place[0] + 1) % WIDTH]] - untold;
        sum += wrong * wrong;
        squares += untold * untold;
    }
    *rmse = sqrt(sum / TRIED);
    if (!(sum < squares))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "ratings: the RMSE of untold cells is %.4f, more than that of 0", *rmse);
done:
    scree_model_free(model);
    free(row);
    free(at);
    free(out.filled);
    return status;
}

typedef struct command {
    const char *const *arguments;
    double peak; /* bytes of memory, the most of all runs */
} command;

static scree_status run_once(void *context, double *seconds, scree_error *error)
{
    command *c = context;
    bench_child child = {0};
    scree_status status = bench_child_run(&child, c->arguments, error);
    *seconds = child.seconds;
    c->peak = fmax(c->peak, child.peak);
    return status;
}

static void add_lines(bench *b, const bench_case *c, const ratings *r, const bench_side *side, double rmse)
{
    const command *fit = side->context;
    bench_line line = {.name = c->name};
    bench_line_times(&line, side, NULL);
    char shape[64];
    snprintf(shape, sizeof shape, "triplets, %" PRId64 "×%" PRId64 ", 99 %% missing, k = %d", r->rows, r->cols,
             BENCH_GAPS_COMPONENTS);
    snprintf(line.what, sizeof line.what, "scree fit --memory 1G, %s", shape);
    snprintf(line.note, sizeof line.note, "RMSE of cells that it was not told %.4f, noise of the cells %.1f", rmse,
             NOISE);
    bench_add(b, &line);
    line.unit = "MB";
    line.most = c->most;
    line.their_runs = 1;
    line.ours = line.best_ours = fit->peak * 1e-6;
    line.theirs = line.best_theirs = LIMIT * 1e-6;
    snprintf(line.what, sizeof line.what, "memory of scree fit --memory 1G, %s", shape);
    snprintf(line.against, sizeof line.against, "1 GiB");
    line.note[0] = 0;
    bench_add(b, &line);
}

scree_status bench_ratings(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    ratings r = {.rows = bench_rows(b, c), .cols = c->cols};
    char path[600];
    char model_path[600];
    char threads[16];
    double rmse = 0;
    if (!b->command) {
        bench_leave_out(b, "ratings: it runs the command, which --scree names");
        return SCREE_OK;
    }
    if (!bench_has_room(b, c, (double)r.rows * 2500, 1.5 * LIMIT))
        return SCREE_OK;
    snprintf(path, sizeof path, "%s/ratings-%" PRId64 ".txt", b->folder, r.rows);
    snprintf(model_path, sizeof model_path, "%s/ratings.scree", b->folder);
    snprintf(threads, sizeof threads, "%d", b->threads);
    const char *const arguments[] = {b->command, "fit", path,        "--format", "triplets", "--memory", "1G", "-q",
                                     "-k",       "10",  "--threads", threads,    "-o",       model_path, NULL};
    command fit = {.arguments = arguments};
    bench_side side = {.once = run_once, .context = &fit};
    SCREE_ALLOC(r.codes, r.cols * CODES, error);
    scree__normals(SEED, STREAM_COLS, 0, r.cols * CODES, r.codes);
    if (!bench_file_exists(path))
        SCREE_TRY(write_file(&r, path, error));
    SCREE_TRY(bench_interleave(&side, 1, 1, error));
    SCREE_TRY(foretell(&r, model_path, &rmse, error));
    SCREE_TRY(bench_interleave(&side, 1, bench_repeats(b, side.median), error));
    add_lines(b, c, &r, &side, rmse);
done:
    remove(model_path);
    free(r.codes);
    return status;
}
