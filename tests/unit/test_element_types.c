/* SPDX-License-Identifier: BSD-3-Clause */
/* Element types through an archive: whatever goes in comes back as the same type, every bit without an error, and
 * within the error with one, measured on what comes back. */

#include "support/calls.h"
#include "support/checks.h"

#include "array_files.h"
#include "base/half.h"
#include "data/elements.h"
#include "kernel/strided.h"

enum { N = 400, D = 7 };

static const scree_type types[] = {SCREE_F16, SCREE_F32, SCREE_F64, SCREE_U8,  SCREE_I8,  SCREE_I16,
                                   SCREE_U16, SCREE_I32, SCREE_U32, SCREE_I64, SCREE_U64, SCREE_BOOL};

/* Smooth values, as far as the type reaches, its ends among them. */
static void fill(void *data, scree_type type)
{
    static double x[N * D];
    const bool is_float = type == SCREE_F16 || type == SCREE_F32 || type == SCREE_F64;
    const int64_t size = scree__element_size(type);
    const bool is_unsigned =
        type == SCREE_U8 || type == SCREE_U16 || type == SCREE_U32 || type == SCREE_U64 || type == SCREE_BOOL;
    const double high = type == SCREE_BOOL ? 1
                        : size == 8        ? 0x1p53
                                           : ldexp(1, (int)(8 * size) - (is_unsigned ? 0 : 1)) - 1;
    for (int i = 0; i < N * D; i++) {
        const double wave = sin(0.03 * (i / D) + i % D) * 0.9;
        const double value = is_unsigned ? (wave + 1) / 2 * high : wave * high;
        x[i] = is_float ? wave * 1000 : type == SCREE_BOOL ? rint(value) : floor(value);
    }
    x[3] = is_float ? 1000 : high;
    assert_int_equal(scree__elements_store(type, x, data, N * D), N * D);
}

/* The file of an archive, read back: header checked, elements at to. */
static void restore(const char *archive, scree_type type, void *to)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s", folder_path("back.npy"));
    EXPECT_OK(scree_source_open(&source, archive, NULL, &error), error);
    assert_int_equal(scree_source_element_type(source), type);
    EXPECT_OK(
        scree_sink_open(&sink, path, &SIZED(scree_write_options, .type = scree_source_element_type(source)), &error),
        error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(source);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 128, SEEK_SET), 0);
    assert_int_equal(fread(to, (size_t)scree__element_size(type), N * D, file), N * D);
    fclose(file);
    assert_int_equal(scree_source_open(&source, path, NULL, &error), SCREE_OK);
    assert_int_equal(scree_source_element_type(source), type);
    scree_source_free(source);
}

static void test_types_come_back(void **state)
{
    (void)state;
    static const double errors[] = {0, 0.3, 1, 2.5, 100};
    static double in[N * D];
    static double out[N * D];
    static double a[N * D];
    static double b[N * D];
    for (int t = 0; t < COUNT_OF(types); t++)
        for (int e = 0; e < COUNT_OF(errors); e++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_archive about = SCREE_ARCHIVE_INIT;
            scree_source *source = NULL;
            char path[512];
            double worst = 0;
            snprintf(path, sizeof path, "%s", folder_path("x.screez"));
            fill(in, types[t]);
            EXPECT_OK(scree_source_from_memory(&source, BLOCK(in, types[t], N, D), &error), error);
            EXPECT_OK(scree_source_compress(
                          source, path, &about,
                          &SIZED(scree_compress_options, .max_error = errors[e], .components = SCREE_AUTO), &error),
                      error);
            assert_int_equal(about.type, types[t]);
            restore(path, types[t], out);
            scree__strided_load(types[t], in, 1, N * D, a);
            scree__strided_load(types[t], out, 1, N * D, b);
            for (int i = 0; i < N * D; i++)
                worst = fmax(worst, fabs(a[i] - b[i]));
            assert_true(worst <= errors[e]);
            EXPECT_NEAR(worst, about.worst, 1e-9 * errors[e]); /* what is said is what comes back */
            scree_source_free(source);
        }
}

/* Half precision, with an error that has no place among its numbers near 1000, which are 0.5 apart. */
static void test_rmse_of_halves(void **state)
{
    (void)state;
    static uint16_t in[N * D];
    static uint16_t out[N * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_archive about = SCREE_ARCHIVE_INIT;
    scree_source *source = NULL;
    double squares = 0;
    fill(in, SCREE_F16);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(in, SCREE_F16, N, D), &error), error);
    EXPECT_OK(scree_source_compress(source, folder_path("x.screez"), &about,
                                    &SIZED(scree_compress_options, .rmse = 0.2, .components = SCREE_AUTO), &error),
              error);
    restore(folder_path("x.screez"), SCREE_F16, out);
    for (int i = 0; i < N * D; i++) {
        const double off = (double)scree__half_load(in[i]) - (double)scree__half_load(out[i]);
        squares += off * off / (N * D);
    }
    assert_true(sqrt(squares) <= 0.2);
    EXPECT_NEAR(sqrt(squares), about.rmse, 1e-9);
    scree_source_free(source);
}

/* Numbers that a type does not hold are counted up to the first. */
static void test_store(void **state)
{
    (void)state;
    static const struct {
        scree_type type;
        double value;
    } bad[] = {{SCREE_BOOL, 2},     {SCREE_BOOL, 0.5},  {SCREE_I8, 128},     {SCREE_I8, -129},   {SCREE_I16, 0.5},
               {SCREE_U16, -1},     {SCREE_U16, 65536}, {SCREE_I32, 0x1p31}, {SCREE_U32, -0.25}, {SCREE_I64, 0x1p63},
               {SCREE_U64, 0x1p64}, {SCREE_F16, 65520}, {SCREE_F32, 1e39}};
    for (int i = 0; i < COUNT_OF(bad); i++) {
        const double values[] = {1, bad[i].value, 2};
        double room[3];
        assert_int_equal(scree__elements_store(bad[i].type, values, room, 3), 1);
        const double nan = (double)NAN;
        if (i < 11)
            assert_int_equal(scree__elements_store(bad[i].type, &nan, room, 1), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_types_come_back, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_rmse_of_halves, folder_make, folder_remove),
        cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
