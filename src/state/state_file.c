/* SPDX-License-Identifier: BSD-3-Clause */
/* States as files, and as the same bytes in memory (docs/states.md): the safetensors container of models, with a
 * format of its own. Rows that wait have joined the sums when it is written, so that a file has no rows in it. What is
 * read must be numbers that rows could have come to; sizes are those of the arrays, whatever the texts say. */

#include "base/file_calls.h"
#include "base/memory.h"
#include "model/fields.h"
#include "state/state.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, PREFIX = 8, LOOK = 256 };
static const char FORMAT[] = "scree-state";

static scree_status make_draft(scree__draft **out, scree_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    scree__tally t;
    SCREE_TRY(scree__state_tally(s, &t, error));
    SCREE_ALLOC(draft, 1, error);
    scree__draft_text(draft, "format", FORMAT);
    scree__draft_integer(draft, "format_version", VERSION);
    scree__draft_text(draft, "scree_version", scree_version());
    scree__draft_text(draft, "method", s->method->name);
    scree__draft_integer(draft, "d", s->cols);
    scree__draft_integer(draft, "rows", s->rows);
    scree__draft_real(draft, "weight", t.weight);
    scree__draft_real(draft, "lost", t.lost);
    if (s->rank > 0)
        scree__draft_integer(draft, "rank", s->rank);
    if (s->forget > 0)
        scree__draft_real(draft, "forget", s->forget);
    if (s->image_rows > 0) {
        scree__draft_integer(draft, "image_rows", s->image_rows);
        scree__draft_integer(draft, "image_cols", s->image_cols);
    }
    if (s->columns)
        SCREE_TRY(scree__draft_columns(draft, (const char *const *)s->columns, s->cols, error));
    scree__draft_tensor(draft, "mean", SCREE__DTYPE_F64, 0, s->cols, t.mean);
    scree__draft_tensor(draft, "mean_rest", SCREE__DTYPE_F64, 0, s->cols, t.rest);
    if (t.squares)
        scree__draft_tensor(draft, "squares", SCREE__DTYPE_F64, 0, s->cols, t.squares);
    if (t.height > 0)
        scree__draft_tensor(draft, s->method->matrix, SCREE__DTYPE_F64, t.height, s->cols, t.matrix);
    *out = draft;
    draft = NULL;
done:
    scree__draft_free(draft);
    return status;
}

scree_status scree_state_save(scree_state *state, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    SCREE_TRY(make_draft(&draft, state, error));
    SCREE_TRY(scree__safetensors_write(path, &draft->contents, error));
done:
    scree__draft_free(draft);
    return status;
}

scree_status scree_state_save_buffer(void **out, size_t *bytes, scree_state *state, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    SCREE_TRY(make_draft(&draft, state, error));
    SCREE_TRY(scree__safetensors_pack(out, bytes, &draft->contents, error));
done:
    scree__draft_free(draft);
    return status;
}

/* ---- reading ---- */

static scree_status check_version(const scree__safetensors *file, scree_error *error)
{
    const char *format = scree__safetensors_text(file, "format");
    int64_t version = 0;
    if (!format || strcmp(format, FORMAT) != 0)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: this is a %s, not a state; give a file that 'scree fit --state' has written",
                           file->path, format && strcmp(format, "scree") == 0 ? "model" : "safetensors file");
    scree_status status = scree__field_integer(file, "format_version", 1, &version, error);
    if (status == SCREE_OK && version > VERSION)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: state format version %" PRId64
                           " is newer than this scree understands (%d); update scree",
                           file->path, version, VERSION);
    return status;
}

/* What a file says of its rows, checked, in memory that was allocated for what the arrays are known to have. */
typedef struct reading {
    scree__tally tally;
    int64_t cols;
    double *mean;
    double *rest;
    double *squares;
    double *matrix;
} reading;

static void reading_clear(reading *r)
{
    free(r->mean);
    free(r->rest);
    free(r->squares);
    free(r->matrix);
}

/* A scatter is symmetric with a diagonal that its other entries obey (Cauchy and Schwarz); a triangle is one. */
static scree_status check_square(const scree__safetensors *file, const scree__state_method *method, double *a,
                                 int64_t d, scree_error *error)
{
    const bool is_scatter = strcmp(method->matrix, "scatter") == 0;
    for (int64_t i = 0; i < d; i++) {
        if (is_scatter && !(a[i * d + i] >= 0))
            return scree__safetensors_refuse(file, error, "the scatter of column %" PRId64 " is negative", i + 1);
        for (int64_t j = 0; j < i; j++) {
            const double x = a[i * d + j];
            const double most = sqrt(fmax(a[i * d + i], 0)) * sqrt(fmax(a[j * d + j], 0)) * (1 + 1e-9);
            if (is_scatter && (x != a[j * d + i] || !(fabs(x) <= most)))
                return scree__safetensors_refuse(file, error, "its scatter is none that rows can have");
            if (!is_scatter && a[j * d + i] != 0)
                return scree__safetensors_refuse(file, error, "its triangle is none");
        }
    }
    return SCREE_OK;
}

/* What a sketch has of a column is at most what the column had, but for rounding: that of a decomposition is small
 * beside the largest column, whichever it is in. */
static scree_status check_sketch(const scree__safetensors *file, const reading *r, scree_error *error)
{
    double largest = 0;
    for (int64_t j = 0; j < r->cols; j++)
        largest = fmax(largest, sqrt(r->squares[j]));
    for (int64_t j = 0; j < r->cols; j++) {
        double sum = 0;
        for (int64_t i = 0; i < r->tally.height; i++)
            sum += r->matrix[i * r->cols + j] * r->matrix[i * r->cols + j];
        if (!(sqrt(sum) <= sqrt(r->squares[j]) * (1 + 1e-9) + 1e-9 * largest + 1e-150))
            return scree__safetensors_refuse(file, error, "its sketch has more of column %" PRId64 " than there was",
                                             j + 1);
    }
    return SCREE_OK;
}

static scree_status read_matrix(reading *r, const scree__safetensors *file, const scree_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__state_method *method = s->method;
    const scree__tensor *tensor = scree__safetensors_tensor(file, method->matrix);
    const int64_t d = r->cols;
    r->tally.height = tensor ? tensor->shape[0] : 0;
    if (method->is_square ? r->tally.height != d : r->tally.height >= d)
        SCREE_TRY(scree__safetensors_refuse(file, error, "its %s has not the shape of one", method->matrix));
    SCREE_ALLOC(r->matrix, r->tally.height * d, error);
    if (r->tally.height > 0)
        SCREE_TRY(scree__field_matrix(file, method->matrix, r->tally.height, d, -HUGE_VAL, r->matrix, error));
    if (method->is_square)
        SCREE_TRY(check_square(file, method, r->matrix, d, error));
    else
        SCREE_TRY(check_sketch(file, r, error));
    r->tally.matrix = r->matrix;
done:
    return status;
}

static scree_status read_tally(reading *r, const scree__safetensors *file, const scree_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tally *t = &r->tally;
    SCREE_TRY(scree__field_integer(file, "rows", 0, &t->rows, error));
    SCREE_TRY(scree__field_number(file, "weight", 0, &t->weight, error));
    SCREE_TRY(scree__field_number(file, "lost", 0, &t->lost, error));
    if (t->rows > SCREE__STATE_MOST_ROWS)
        SCREE_TRY(scree__safetensors_refuse(file, error, "it has more rows than can be counted"));
    if ((t->rows > 0) != (t->weight > 0))
        SCREE_TRY(scree__safetensors_refuse(file, error, "its rows have no weight, or its weight no rows"));
    SCREE_ALLOC(r->mean, r->cols, error);
    SCREE_ALLOC(r->rest, r->cols, error);
    SCREE_TRY(scree__field_reals(file, "mean", r->cols, -HUGE_VAL, r->mean, error));
    SCREE_TRY(scree__field_reals(file, "mean_rest", r->cols, -HUGE_VAL, r->rest, error));
    for (int64_t j = 0; j < r->cols; j++)
        if (r->mean[j] + r->rest[j] != r->mean[j])
            SCREE_TRY(scree__safetensors_refuse(file, error,
                                                "the rest of the mean of column %" PRId64 " is no rounding", j + 1));
    if (s->method->has_squares) {
        SCREE_ALLOC(r->squares, r->cols, error);
        SCREE_TRY(scree__field_reals(file, "squares", r->cols, 0, r->squares, error));
    }
    t->mean = r->mean;
    t->rest = r->rest;
    t->squares = r->squares;
    SCREE_TRY(read_matrix(r, file, s, error));
done:
    return status;
}

/* Of d columns, which the mean is known to have, so that no lie makes it large. */
static scree_status make_state(scree_state **out, const scree__safetensors *file, int64_t d, const char **names,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error problem = SCREE_ERROR_INIT;
    options.method = scree__safetensors_text(file, "method");
    options.columns = names;
    const scree__state_method *method = options.method ? scree__state_method_named(options.method) : NULL;
    if (!method)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'method' is none that is known"));
    if (method->is_square && !scree__field_tensor(file, method->matrix, SCREE__DTYPE_F64, d, d, error)) {
        status = SCREE_ERR_MODEL;
        goto done;
    }
    if (scree__safetensors_text(file, "rank"))
        SCREE_TRY(scree__field_integer(file, "rank", 1, &options.rank, error));
    if (scree__safetensors_text(file, "forget"))
        SCREE_TRY(scree__field_number(file, "forget", 1, &options.forget, error));
    status = scree_state_new(out, d, &options, &problem);
    if (status == SCREE_ERR_ARGUMENT)
        SCREE_TRY(scree__safetensors_refuse(file, error, "%s", problem.text));
    if (status != SCREE_OK)
        SCREE_FAIL(error, status, "%s: %s", file->path, problem.text);
done:
    return status;
}

static scree_status read_shape(scree_state *s, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!scree__safetensors_text(file, "image_rows"))
        goto done;
    SCREE_TRY(scree__field_integer(file, "image_rows", 1, &s->image_rows, error));
    SCREE_TRY(scree__field_integer(file, "image_cols", 1, &s->image_cols, error));
    if (s->image_rows > s->cols || s->cols % s->image_rows != 0 || s->cols / s->image_rows != s->image_cols)
        SCREE_TRY(scree__safetensors_refuse(file, error, "its images have not as many points as there are columns"));
done:
    return status;
}

static scree_status load(scree_state **out, const scree__safetensors *file, bool is_named, scree_error *error)
{
    scree_status status = SCREE_OK;
    reading r = {0};
    cJSON *array = NULL;
    const char **names = NULL;
    scree_state *s = NULL;
    SCREE_TRY(check_version(file, error));
    SCREE_TRY(scree__safetensors_verify(file, error));
    SCREE_TRY(scree__field_integer(file, "d", 1, &r.cols, error));
    if (!scree__field_tensor(file, "mean", SCREE__DTYPE_F64, 0, r.cols, error)) {
        status = SCREE_ERR_MODEL;
        goto done;
    }
    SCREE_TRY(scree__field_columns(file, r.cols, &array, &names, error));
    SCREE_TRY(make_state(&s, file, r.cols, names, error));
    SCREE_TRY(read_shape(s, file, error));
    SCREE_TRY(read_tally(&r, file, s, error));
    s->name = is_named ? scree__strdup(file->path) : NULL;
    if (is_named && !s->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->path);
    SCREE_TRY(s->method->gain(s->sums, &r.tally, error));
    s->rows = r.tally.rows;
    *out = s;
    s = NULL;
done:
    scree_state_free(s);
    reading_clear(&r);
    free(names);
    cJSON_Delete(array);
    return status;
}

scree_status scree_state_load(scree_state **out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__safetensors file = {.noun = "state"};
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the state has no name: give a file, or - for standard input");
    SCREE_TRY(scree__safetensors_read(&file, path, error));
    SCREE_TRY(load(out, &file, true, error));
done:
    scree__safetensors_clear(&file);
    return status;
}

scree_status scree_state_load_buffer(scree_state **out, const void *data, size_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__safetensors file = {.noun = "state"};
    SCREE_TRY(scree__safetensors_unpack(&file, data, bytes, error));
    SCREE_TRY(load(out, &file, false, error));
done:
    scree__safetensors_clear(&file);
    return status;
}

/* The format stands behind the checksum, at the top of the header. What is read of a pipe is gone for whoever opens it
 * next. */
bool scree_state_is(const char *path)
{
    char head[LOOK] = {0};
    struct stat about;
    errno = 0;
    const bool plain = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    bool failed = !plain && errno == EIO;
    const int fd = plain ? scree__call_open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
    int64_t got = 0;
    failed = failed || (plain && fd < 0);
    for (int64_t count = 1; fd >= 0 && count > 0 && got<LOOK - 1; got += count> 0 ? count : 0) {
        count = scree__call_read(fd, head + got, LOOK - 1 - got);
        failed = failed || count < 0;
    }
    const int reason = failed ? errno : 0;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return got > PREFIX && head[PREFIX] == '{' && strstr(head + PREFIX, "\"format\":\"scree-state\"");
}
