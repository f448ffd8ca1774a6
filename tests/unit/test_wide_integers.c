/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers beyond 2^53: counted from an origin, in files and in memory, by fits and by answers, chosen and joined;
 * refused by name where their range is too wide, and by whoever needs the numbers themselves. */

#include "support/calls.h"
#include "support/checks.h"

#include "array_files.h"
#include "data/wide.h"

enum { N = 300, D = 3 };
static const int64_t FAR_OFF = INT64_C(1) << 60;

static int64_t small_part(int64_t i, int64_t j)
{
    return j == 0 ? i * 37 % 4001 : j == 1 ? i * i % 997 : i * 37 % 4001 / 3 + i % 5;
}

static void fill(int64_t *x, int64_t from)
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = from + small_part(i, j);
}

static const char *write_file(const char *name, const void *x, const char *descr, int64_t rows)
{
    static char paths[4][512];
    static int at = 0;
    char *path = paths[at++ % 4];
    static const char magic[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char header[128];
    char text[118];
    memset(text, ' ', sizeof text);
    const int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld, %d), }",
                              descr, (long long)rows, D);
    text[used] = ' ';
    text[117] = '\n';
    memcpy(header, magic, sizeof magic);
    memcpy(header + 10, text, 118);
    snprintf(path, sizeof paths[0], "%s", folder_path(name));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    assert_int_equal(fwrite(x, 8 * D, (size_t)rows, file), rows);
    fclose(file);
    return path;
}

static scree_model *fit(scree_source *source, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    EXPECT_OK(scree_model_fit(&model, source, &SIZED(scree_fit_options, .components = 2, .solver = solver), &error),
              error);
    return model;
}

static scree_source *opened(const char *path)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    return source;
}

static void codes_of(const scree_model *model, scree_source *source, double *codes)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    EXPECT_OK(scree_sink_to_memory(&sink, codes, N, 2, &error), error);
    EXPECT_OK(scree_model_project(model, source, sink, NULL, &error), error);
    scree_sink_free(sink);
}

/* The model of the small parts, as doubles: what everything must agree with but for the mean. */
static scree_model *plain_model(double *small, const char *solver)
{
    scree_source *source = NULL;
    for (int64_t i = 0; i < N * D; i++)
        small[i] = (double)small_part(i / D, i % D);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(small, SCREE_F64, N, D), NULL), SCREE_OK);
    scree_model *model = fit(source, solver);
    scree_source_free(source);
    return model;
}

static void expect_same(const scree_model *model, scree_source *source, const scree_model *plain, const double *small,
                        double mean)
{
    static double codes[N * 2];
    static double wanted[N * 2];
    const scree_model_view *view = scree_model_get(model);
    const scree_model_view *same = scree_model_get(plain);
    scree_source *rows = NULL;
    for (int k = 0; k < 2; k++)
        EXPECT_NEAR(view->eigenvalues[k], same->eigenvalues[k], 1e-12 * same->eigenvalues[0]);
    for (int j = 0; j < D; j++) {
        EXPECT_NEAR(view->mean[j], mean + same->mean[j], 256);
        EXPECT_NEAR(view->variances[j], same->variances[j], 1e-12 * same->variances[j]);
    }
    assert_int_equal(scree_source_from_memory(&rows, BLOCK(small, SCREE_F64, N, D), NULL), SCREE_OK);
    codes_of(plain, rows, wanted);
    codes_of(model, source, codes);
    for (int i = 0; i < 2 * N; i++)
        EXPECT_NEAR(codes[i], wanted[i], 1e-8);
    scree_source_free(rows);
}

static void test_files_and_memory(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "em", NULL};
    static int64_t x[N * D];
    static double small[N * D];
    for (int s = 0; s < 4; s++) {
        scree_model *plain = plain_model(small, solvers[s]);
        for (int sign = -1; sign < 2; sign += 2) {
            fill(x, sign * FAR_OFF);
            scree_source *file = opened(write_file("wide.npy", x, "<i8", N));
            scree_source *memory = NULL;
            assert_int_equal(scree_source_from_memory(&memory, BLOCK(x, SCREE_I64, N, D), NULL), SCREE_OK);
            scree_model *of_file = fit(file, solvers[s]);
            scree_model *of_memory = fit(memory, solvers[s]);
            expect_same(of_file, memory, plain, small, sign * (double)FAR_OFF);
            expect_same(of_memory, file, plain, small, sign * (double)FAR_OFF);
            scree_model_free(of_file);
            scree_model_free(of_memory);
            scree_source_free(file);
            scree_source_free(memory);
        }
        scree_model_free(plain);
    }
}

static void test_unsigned(void **state)
{
    (void)state;
    static uint64_t x[N * D];
    static double small[N * D];
    for (int64_t i = 0; i < N * D; i++)
        x[i] = (UINT64_C(1) << 63) + (uint64_t)small_part(i / D, i % D) + 5;
    scree_source *source = opened(write_file("unsigned.npy", x, "<u8", N));
    scree_model *plain = plain_model(small, NULL);
    scree_model *model = fit(source, NULL);
    static double codes[N * 2];
    codes_of(model, source, codes);
    for (int k = 0; k < 2; k++) {
        double squares = 0;
        for (int i = 0; i < N; i++)
            squares += codes[2 * i + k] * codes[2 * i + k] / N;
        EXPECT_NEAR(squares, scree_model_get(plain)->eigenvalues[k], 1e-9 * squares);
    }
    scree_model_free(model);
    scree_model_free(plain);
    scree_source_free(source);
}

/* A model that was saved knows what its mean has lost. */
static void test_saved(void **state)
{
    (void)state;
    static int64_t x[N * D];
    static double before[N * 2];
    static double after[N * 2];
    scree_source *source = NULL;
    scree_model *again = NULL;
    fill(x, FAR_OFF + 77);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_I64, N, D), NULL), SCREE_OK);
    scree_model *model = fit(source, NULL);
    codes_of(model, source, before);
    assert_int_equal(scree_model_save(model, folder_path("m.scree"), NULL), SCREE_OK);
    assert_int_equal(scree_model_load(&again, folder_path("m.scree"), NULL), SCREE_OK);
    codes_of(again, source, after);
    assert_memory_equal(before, after, sizeof before);
    scree_model_free(model);
    scree_model_free(again);
    scree_source_free(source);
}

/* Two files whose first rows differ are one table; columns may be chosen. */
static void test_joined_and_chosen(void **state)
{
    (void)state;
    static int64_t x[N * D];
    static double small[N * D];
    scree_error error = SCREE_ERROR_INIT;
    fill(x, FAR_OFF);
    const char *paths[] = {write_file("a.npy", x, "<i8", 100), write_file("b.npy", x + 100 * D, "<i8", N - 100)};
    scree_source *both = NULL;
    EXPECT_OK(scree_source_open_many(&both, paths, 2, NULL, &error), error);
    scree_model *plain = plain_model(small, NULL);
    scree_model *model = fit(both, NULL);
    expect_same(model, both, plain, small, (double)FAR_OFF);
    scree_model_free(model);
    scree_source_free(both);

    x[5 * D] = 1; /* further than 2^53 from the first row */
    scree_source *source = opened(write_file("broken.npy", x, "<i8", N));
    scree_model *none = NULL;
    assert_int_equal(scree_model_fit(&none, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(
        strstr(error.text, "broken.npy: row 6, column 1 is too far from the whole number of the first row"));
    scree_source_free(source);
    assert_int_equal(scree_source_open(&source, folder_path("broken.npy"),
                                       &SIZED(scree_read_options, .columns = "2,3", .header = -1), &error),
                     SCREE_OK);
    model = fit(source, NULL);
    EXPECT_NEAR(scree_model_get(model)->variances[0], scree_model_get(plain)->variances[1], 1e-9);
    scree_model_free(model);
    scree_source_free(source);
    scree_model_free(plain);
}

/* Whoever needs the numbers themselves refuses them, whatever error is allowed. */
static void test_refused(void **state)
{
    (void)state;
    static int64_t x[N * D];
    scree_error error = SCREE_ERROR_INIT;
    fill(x, FAR_OFF);
    for (int unsigned_too = 0; unsigned_too < 2; unsigned_too++)
        for (int e = 0; e < 2; e++) {
            scree_source *source = NULL;
            const scree_type type = unsigned_too ? SCREE_U64 : SCREE_I64;
            assert_int_equal(scree_source_from_memory(&source, BLOCK(x, type, N, D), NULL), SCREE_OK);
            assert_int_equal(scree_source_compress(
                                 source, folder_path("x.screez"), NULL,
                                 &SIZED(scree_compress_options, .max_error = 10 * e, .components = SCREE_AUTO), &error),
                             SCREE_ERR_VALUE);
            assert_non_null(strstr(error.text, "is a whole number beyond 2^53"));
            scree_source_free(source);
        }
    scree_model *model = NULL;
    scree_source *source = NULL;
    double codes[2];
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_I64, N, D), NULL), SCREE_OK);
    model = fit(source, NULL);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x + 3 * D, SCREE_I64, 1, D), codes, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "hand the rows in as a source"));
    scree_model_free(model);
    scree_source_free(source);
}

/* Numbers beyond 2^53 that are doubles are nobody's trouble. */
static void test_exact(void **state)
{
    (void)state;
    static int64_t x[N * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_archive about = SCREE_ARCHIVE_INIT;
    for (int64_t i = 0; i < N * D; i++)
        x[i] = FAR_OFF + 256 * small_part(i / D, i % D);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_I64, N, D), NULL), SCREE_OK);
    EXPECT_OK(scree_source_compress(source, folder_path("x.screez"), &about, NULL, &error), error);
    assert_int_equal(about.type, SCREE_I64);
    assert_true(about.worst == 0);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_and_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_unsigned, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_saved, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_joined_and_chosen, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_refused, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_exact, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
