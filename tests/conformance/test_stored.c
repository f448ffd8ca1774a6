/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices as others store them: sparse ones in Matrix Market files, archives of SciPy (CSR, CSC) and .h5ad (CSR, CSC;
 * stored/make.py), dense ones in archives of NumPy, HDF5, and Arrow files and streams, on disk and by the C interface.
 * Every method × number of threads × block size: errors within bounds against the plain reference of all cells, and one
 * model, bit for bit, of each source and method. Lanczos works from disk with far less memory than the entries take,
 * and finds the same. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/zip_write.h"
#include "support/reference.h"
#include "support/rows.h"
#include "unit/arrow_streams.h"
#include "unit/temporary_folder.h"

enum { K = 3 };

typedef enum form { MTX, NPZ_CSR, NPZ_CSC, NPZ, ARROW, ARROWS, HDF5, H5AD, FORMS } form;

static const char *const files[] = {"x.mtx", "csr.npz", "csc.npz", "x.npz", "x.arrow", "x.arrows", "x.h5", "h5ad"};
static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos"};

/* As in stored/make.py. */
static double cell(int64_t i, int64_t j)
{
    const int64_t mixed = (i * i * 7 + 31 * i * j + 3 * j * j + 11 * i + j) % 101;
    return mixed < 26 ? (double)(mixed % 9 + 1 + 4 * (j % 3) + (i % 4) * (j % 5)) : 0;
}

static double *cells_of(int64_t n, int64_t d)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = cell(i, j);
    return x;
}

/* ---- files ---- */

static void write_mtx(const double *x, int64_t n, int64_t d)
{
    FILE *file = fopen(folder_path(files[MTX]), "w");
    int64_t entries = 0;
    assert_non_null(file);
    for (int64_t p = 0; p < n * d; p++)
        entries += x[p] != 0;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n", (long long)n, (long long)d,
            (long long)entries);
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < n; i++)
            if (x[i * d + j] != 0)
                fprintf(file, "%lld %lld %.17g\n", (long long)i + 1, (long long)j + 1, x[i * d + j]);
    assert_int_equal(fclose(file), 0);
}

static void put_member(scree__zip_writer *zip, const char *name, scree_type type, const void *data, int64_t count)
{
    scree_error error = SCREE_ERROR_INIT;
    char header[SCREE__NPY_HEADER_BYTES];
    const int64_t element = type == SCREE_I32 ? 4 : 8;
    EXPECT_OK(scree__zip_begin(zip, name, &error), error);
    EXPECT_OK(scree__zip_put(zip, data, element * count, &error), error);
    scree__npy_format(header, type, count, 0);
    EXPECT_OK(scree__zip_end(zip, header, &error), error);
}

/* The name of the form, a text of no dimensions. */
static void put_form(scree__zip_writer *zip, const char *name)
{
    scree_error error = SCREE_ERROR_INIT;
    static const char text[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
    char header[SCREE__NPY_HEADER_BYTES];
    memset(header, ' ', sizeof header);
    memcpy(header, text, sizeof text - 1);
    header[sizeof header - 1] = '\n';
    EXPECT_OK(scree__zip_begin(zip, "format.npy", &error), error);
    EXPECT_OK(scree__zip_put(zip, name, 3, &error), error);
    EXPECT_OK(scree__zip_end(zip, header, &error), error);
}

/* As scipy.sparse.save_npz does; lines are the rows, or with stride 1 the columns. */
static void write_npz(const char *path, const char *name, const double *x, int64_t n, int64_t d)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__zip_writer zip = {0};
    const bool by_rows = strcmp(name, "csr") == 0;
    const int64_t lines = by_rows ? n : d;
    const int64_t across = by_rows ? d : n;
    const int64_t shape[] = {n, d};
    int32_t *starts = scree__alloc(lines + 1, sizeof *starts);
    int32_t *indices = scree__alloc(n * d, sizeof *indices);
    double *data = scree__alloc(n * d, sizeof *data);
    assert_true(starts && indices && data);
    for (int64_t i = 0; i < lines; i++) {
        starts[i + 1] = starts[i];
        for (int64_t j = 0; j < across; j++) {
            const double value = by_rows ? x[i * d + j] : x[j * d + i];
            if (value == 0)
                continue;
            indices[starts[i + 1]] = (int32_t)j;
            data[starts[i + 1]++] = value;
        }
    }
    EXPECT_OK(scree__atomic_open(&zip.file, path, &error), error);
    put_member(&zip, "indices.npy", SCREE_I32, indices, starts[lines]);
    put_member(&zip, "indptr.npy", SCREE_I32, starts, lines + 1);
    put_form(&zip, name);
    put_member(&zip, "shape.npy", SCREE_I64, shape, 2);
    put_member(&zip, "data.npy", SCREE_F64, data, starts[lines]);
    EXPECT_OK(scree__zip_finish(&zip, &error), error);
    EXPECT_OK(scree__atomic_commit(zip.file, &error), error);
    scree__atomic_free(zip.file);
    free(starts);
    free(indices);
    free(data);
}

/* By the writer of the format; false: its module is not built. */
static bool write_dense(const char *path, const double *x, int64_t n, int64_t d)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    scree_source *source = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    block.data = x;
    block.rows = n;
    block.cols = d;
    if (scree_sink_open(&sink, path, NULL, &error) != SCREE_OK) {
        if (!strstr(error.text, "scree-hdf5.so"))
            fail_msg("%s", error.text);
        return false;
    }
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(source);
    return true;
}

/* The path of the file; NULL: it takes a module that is not built. */
static const char *file_of(form f, const double *x, int64_t n, int64_t d)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, files[f]);
    if (f == H5AD)
        snprintf(path, sizeof path, "%s/tests/conformance/stored/%s.h5ad", getenv("SRC"), n > d ? "tall" : "wide");
    if (f == MTX)
        write_mtx(x, n, d);
    if (f == NPZ_CSR || f == NPZ_CSC)
        write_npz(path, f == NPZ_CSR ? "csr" : "csc", x, n, d);
    const bool dense = f == NPZ || f == ARROW || f == ARROWS || f == HDF5;
    if (dense && !write_dense(path, x, n, d))
        return NULL;
    return path;
}

/* ---- fits ---- */

static scree_model *fit_source(scree_source *source, const char *solver, double tolerance, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = solver;
    options.tolerance = tolerance;
    options.run = run;
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        fail_msg("%s: %s", solver, error.text); /* which names the source */
    scree_source_free(source);
    return model;
}

static scree_model *fit(const char *path, const char *solver, double tolerance, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    return fit_source(source, solver, tolerance, run);
}

static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 1},
                                 {.size = sizeof(scree_run), .threads = 4, .block_rows = 29},
                                 {.size = sizeof(scree_run), .threads = 2, .block_rows = 7},
                                 {.size = sizeof(scree_run), .threads = 5}};

static void run_solver(const reference *r, const char *path, const char *solver)
{
    char label[600];
    scree_model *first = fit(path, solver, 1e-9, &runs[0]);
    snprintf(label, sizeof label, "%s, %s", path, solver);
    assert_true(scree_model_get(first)->converged);
    assert_string_equal(scree_model_get(first)->solver, solver);
    reference_expect(r, first, label);
    for (int64_t run = 1; run < (SLOW_BUILD ? 2 : COUNT_OF(runs)); run++) {
        scree_model *again = fit(path, solver, 1e-9, &runs[run]);
        models_expect_same(first, again, label);
        scree_model_free(again);
    }
    scree_model_free(first);
}

/* Batches of 17 rows, which blocks and batches of the fit are no multiples of. */
static scree_model *fit_stream(made_stream *s, const char *solver, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    struct ArrowArrayStream stream = made_open(s);
    EXPECT_OK(scree_source_from_arrow(&source, &stream, NULL, &error), error);
    scree_model *model = fit_source(source, solver, 1e-9, run);
    assert_int_equal(s->released, 1);
    assert_int_equal(s->batches, 0);
    return model;
}

/* By the C interface: the methods that take rows which come once, of a number that is not known before. */
static void run_stream(const reference *r, const double *x, int64_t n, int64_t d)
{
    static made_stream s;
    static char names[ARROW_COLUMNS][24];
    const char *const once[] = {"covariance", "svd"};
    double *columns = scree__alloc(n * d, sizeof *columns);
    assert_non_null(columns);
    assert_true(d <= ARROW_COLUMNS);
    s = (made_stream){.count = d, .rows = n, .batch = 17};
    for (int64_t j = 0; j < d; j++) {
        snprintf(names[j], sizeof names[j], "c%lld", (long long)j);
        s.columns[j] = (made_column){.format = "g", .name = names[j], .values = columns + j * n};
        for (int64_t i = 0; i < n; i++)
            columns[j * n + i] = x[i * d + j];
    }
    for (int64_t way = 0; way < COUNT_OF(once); way++) {
        scree_model *first = fit_stream(&s, once[way], &runs[0]);
        reference_expect(r, first, once[way]);
        for (int64_t run = 1; run < (SLOW_BUILD ? 2 : COUNT_OF(runs)); run++) {
            s.child_shift = !s.child_shift;
            scree_model *again = fit_stream(&s, once[way], &runs[run]);
            models_expect_same(first, again, once[way]);
            scree_model_free(again);
        }
        scree_model_free(first);
    }
    free(columns);
}

static void run_set(int64_t n, int64_t d)
{
    double *x = cells_of(n, d);
    reference *r = reference_of(x, n, d, (reference_options){0});
    bool has_hdf5 = true;
    for (form f = MTX; f < FORMS; f += SLOW_BUILD ? 2 : 1) {
        const char *path = f == H5AD && !has_hdf5 ? NULL : file_of(f, x, n, d);
        has_hdf5 = has_hdf5 && (f != HDF5 || path);
        if (!path)
            print_message("skipped: %s takes the module for HDF5, which is not built\n", files[f]);
        for (int64_t s = 0; path && s < COUNT_OF(solvers); s++)
            if (strcmp(solvers[s], "gram") != 0 || n < d)
                run_solver(r, path, solvers[s]);
    }
    run_stream(r, x, n, d);
    reference_free(r);
    free(x);
}

static void test_tall(void **state)
{
    (void)state;
    run_set(200, 60);
}

static void test_wide(void **state)
{
    (void)state;
    run_set(70, 90);
}

/* Entries of 47 MB, and less than half of it as memory. */
static void test_from_disk(void **state)
{
    enum { N = 150000, D = 100, MEMORY = 22 << 20 };
    static const scree_run plenty = {.size = sizeof(scree_run), .threads = 2};
    static const scree_run little = {.size = sizeof(scree_run), .threads = 2, .memory = MEMORY};
    (void)state;
    double *x = cells_of(N, D);
    reference *r = reference_of(x, N, D, (reference_options){0});
    const char *path = file_of(NPZ_CSR, x, N, D);
    free(x);
    scree_model *kept = fit(path, "lanczos", 1e-9, &plenty);
    scree_model *again = fit(path, "lanczos", 1e-9, &little);
    reference_expect(r, kept, "rows kept in memory");
    reference_expect(r, again, "rows read from disk for every sweep");
    scree_model_free(kept);
    scree_model_free(again);
    reference_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tall),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_from_disk),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
