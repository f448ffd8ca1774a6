/* SPDX-License-Identifier: BSD-3-Clause */
/* Every method × element type × source × number of threads × block size on two well-behaved sets, one tall and one with
 * fewer rows than columns: errors within bounds against the plain reference, and for each method and source one model,
 * bit for bit, whatever the threads and blocks; and another, whatever the processes that share the rows. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/npy_header.h"
#include "support/reference.h"
#include "support/rows.h"
#include "support/together.h"
#include "unit/temporary_folder.h"

#include <zlib.h>

enum { COMPONENTS = 3 };

typedef enum origin { MEMORY, NPY, NPY_GZIP, CSV, CSV_GZIP, ARROW, SOURCES } origin;

static const char *const source_names[] = {"memory", "x.npy", "z.npy.gz", "x.csv", "z.csv.gz", "x.arrow"};
static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos"};
static const char *const type_names[] = {[SCREE_F32] = "f32", [SCREE_F64] = "f64", [SCREE_U8] = "u8"};

static rows *made(int64_t n, int64_t d, scree_type type)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(5, i, j) * pow(0.8, (double)j) + 0.5 * (double)(j % 4);
    rows_mix(x, n, d);
    return rows_of(x, n, d, type, 25);
}

/* The bytes of the file that a source reads; to be freed. */
static char *npy_bytes(const rows *x, size_t *size)
{
    static const int64_t sizes[] = {[SCREE_F32] = 4, [SCREE_F64] = 8, [SCREE_U8] = 1};
    const int64_t line = x->d * sizes[x->type];
    *size = (size_t)(SCREE__NPY_HEADER_BYTES + x->n * line);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    scree__npy_format(bytes, x->type, x->n, x->d);
    for (int64_t i = 0; i < x->n; i++)
        memcpy(bytes + SCREE__NPY_HEADER_BYTES + i * line, (const char *)x->data + i * x->stride * sizes[x->type],
               (size_t)line);
    return bytes;
}

static char *csv_bytes(const rows *x, size_t *size)
{
    const size_t most = (size_t)(x->n * x->d) * 26 + 1;
    char *bytes = malloc(most);
    assert_non_null(bytes);
    *size = 0;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t j = 0; j < x->d; j++)
            *size += (size_t)snprintf(bytes + *size, most - *size, "%.17g%c", x->exact[i * x->d + j],
                                      j + 1 < x->d ? ',' : '\n');
    return bytes;
}

static const char *arrow_of(const rows *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    scree_source *source = rows_source(x);
    const scree_write_options options = {.size = sizeof options, .type = x->type};
    EXPECT_OK(scree_sink_open(&sink, folder_path(source_names[ARROW]), &options, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(source);
    return folder_path(source_names[ARROW]);
}

static const char *file_of(const rows *x, origin from)
{
    if (from == ARROW)
        return arrow_of(x);
    size_t size = 0;
    char *bytes = from == NPY || from == NPY_GZIP ? npy_bytes(x, &size) : csv_bytes(x, &size);
    const char *path = folder_path(source_names[from]);
    if (from == NPY || from == CSV) {
        file_write(source_names[from], bytes, size);
    } else {
        gzFile file = gzopen(path, "wb1");
        assert_non_null(file);
        assert_int_equal(gzwrite(file, bytes, (unsigned)size), (int)size);
        assert_int_equal(gzclose(file), Z_OK);
    }
    free(bytes);
    return path;
}

static scree_source *opened(const rows *x, origin from, const char *path)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    if (from == MEMORY)
        return rows_source(x);
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    return source;
}

/* The file says how many rows there are, or is long enough to guess. */
static bool applies(const char *solver, const rows *x, origin from)
{
    return strcmp(solver, "gram") != 0 || (x->n < x->d && from != CSV_GZIP);
}

static void run_solver(const rows *x, const reference *r, origin from, const char *path, const char *solver)
{
    static const int threads[] = {1, 4, 2, 1, 2, 4};
    static const int64_t block_rows[] = {0, 29, 0, 29, 29, 0};
    char label[128];
    scree_model *first = NULL;
    scree_run how = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.run = &how;
    options.components = COMPONENTS;
    options.solver = solver;
    options.tolerance = 1e-9;
    snprintf(label, sizeof label, "%lld×%lld %s, %s, %s", (long long)x->n, (long long)x->d, type_names[x->type],
             source_names[from], solver);
    for (int run = 0; run < (SLOW_BUILD ? 2 : 6); run++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL;
        scree_source *source = opened(x, from, path);
        how.threads = threads[run];
        how.block_rows = block_rows[run];
        if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
            fail_msg("%s: %s", label, error.text);
        scree_source_free(source);
        if (first) {
            models_expect_same(first, model, label);
            scree_model_free(model);
        } else {
            first = model;
            assert_true(scree_model_get(model)->converged);
            assert_string_equal(scree_model_get(model)->solver, solver);
            reference_expect(r, model, label);
        }
    }
    scree_model_free(first);
}

/* What processes open that share the rows. */
typedef struct opening {
    const rows *x;
    origin from;
    const char *path;
} opening;

static scree_source *open_for(void *context, int rank)
{
    const opening *o = context;
    (void)rank;
    return opened(o->x, o->from, o->path);
}

/* The same by 1, 2 and 4 processes, whose models are one. */
static void run_together(const rows *x, const reference *r, origin from, const char *path, const char *solver)
{
    static const int ranks[] = {1, 2, 4};
    char label[128];
    opening all = {x, from, path};
    together_fits first;
    together_fits others;
    scree_run how = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.run = &how;
    options.components = COMPONENTS;
    options.solver = solver;
    options.tolerance = 1e-9;
    snprintf(label, sizeof label, "%lld×%lld %s, %s, %s, together", (long long)x->n, (long long)x->d,
             type_names[x->type], source_names[from], solver);
    for (int64_t run = 0; run < COUNT_OF(ranks); run++) {
        together_fits *fits = run == 0 ? &first : &others;
        how.threads = run == 1 ? 2 : 1;
        together_fit(fits, ranks[run], open_for, &all, &options);
        for (int rank = 0; rank < ranks[run]; rank++) {
            if (fits->status[rank] != SCREE_OK)
                fail_msg("%s: %s", label, fits->error[rank].text);
            models_expect_same(first.model[0], fits->model[rank], label);
        }
        if (run == 0)
            reference_expect(r, first.model[0], label);
        else
            together_clear(&others, ranks[run]);
    }
    together_clear(&first, 1);
}

static void run_set(int64_t n, int64_t d, scree_type type)
{
    rows *x = made(n, d, type);
    reference *r = reference_of(x->exact, n, d, (reference_options){0});
    for (origin from = MEMORY; from < SOURCES; from++) {
        const char *path = from == MEMORY ? NULL : file_of(x, from);
        for (int64_t s = 0; s < COUNT_OF(solvers); s++)
            if (applies(solvers[s], x, from)) {
                run_solver(x, r, from, path, solvers[s]);
                run_together(x, r, from, path, solvers[s]);
            }
    }
    reference_free(r);
    rows_free(x);
}

static void test_tall(void **state)
{
    (void)state;
    run_set(SLOW_BUILD ? 520 : 600, 90, SCREE_F64);
    if (!SLOW_BUILD)
        run_set(300, 90, SCREE_F32);
    run_set(SLOW_BUILD ? 95 : 300, 90, SCREE_U8);
}

static void test_wide(void **state)
{
    (void)state;
    run_set(86, 110, SCREE_F64);
    run_set(86, 110, SCREE_F32);
    run_set(86, 110, SCREE_U8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tall),
        cmocka_unit_test(test_wide),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
