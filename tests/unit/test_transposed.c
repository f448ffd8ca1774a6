/* SPDX-License-Identifier: BSD-3-Clause */
/* Files whose columns are rows: cells, names and ids are those of the transpose, whatever the format, the order of the
 * array and the memory, which decides how many panels there are; the scratch file goes with the source. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "csv_file.h"
#include "support/calls.h"

enum { GENES = 911, SAMPLES = 53 };

static double cell(int64_t gene, int64_t sample)
{
    return (double)(gene * 100 + sample) / 8;
}

static const char *write_csv(const char *name)
{
    const char *path = folder_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("gene", file);
    for (int j = 0; j < SAMPLES; j++)
        fprintf(file, ",s%d", j);
    for (int i = 0; i < GENES; i++) {
        fprintf(file, "\ng%d", i);
        for (int j = 0; j < SAMPLES; j++)
            if ((i + j) % 50 == 0)
                fputs(",", file);
            else
                fprintf(file, ",%.17g", cell(i, j));
    }
    fputs("\n", file);
    fclose(file);
    return path;
}

static const char *write_npy(const char *name, bool fortran)
{
    char header[129];
    double *x = scree__alloc((int64_t)GENES * SAMPLES, sizeof *x);
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(x);
    assert_non_null(file);
    for (int64_t i = 0; i < GENES; i++)
        for (int64_t j = 0; j < SAMPLES; j++)
            x[fortran ? j * GENES + i : i * SAMPLES + j] = cell(i, j);
    char text[120];
    snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': %s, 'shape': (%d, %d), }",
             fortran ? "True" : "False", GENES, SAMPLES);
    snprintf(header, sizeof header, "%-117s\n", text);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(header, 1, 118, file);
    fwrite(x, sizeof *x, (size_t)GENES * SAMPLES, file);
    fclose(file);
    free(x);
    return path;
}

static scree_source *opened(const char *path, int64_t memory)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    if (scree_source_open(&source, path, &SIZED(scree_read_options, .header = -1, .transpose = 1, .memory = memory),
                          &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scree_source_rows(source), SAMPLES);
    assert_int_equal(scree_source_cols(source), GENES);
    return source;
}

static void expect_cells(scree_source *source, int64_t block_rows, bool gaps)
{
    table t;
    source->block_rows = block_rows;
    assert_int_equal(table_read(&t, source, NULL), SCREE_OK);
    assert_int_equal(t.rows, SAMPLES);
    for (int64_t i = 0; i < SAMPLES; i++)
        for (int64_t j = 0; j < GENES; j++) {
            const double value = t.values[i * GENES + j];
            assert_true(gaps && (i + j) % 50 == 0 ? isnan(value) : value == cell(j, i));
        }
    for (int64_t i = 0; i < t.text_count; i++) {
        char id[24];
        snprintf(id, sizeof id, "s%d", (int)i);
        assert_string_equal(t.text[i], id);
    }
    table_clear(&t);
    assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
}

static void test_csv(void **state)
{
    const char *path = write_csv("genes.csv");
    (void)state;
    for (int small = 0; small < 2; small++) {
        scree_source *source = opened(path, small ? 2 << 20 : 0);
        assert_string_equal(scree_source_column(source, GENES - 1), "g910");
        assert_int_equal(source->about.text_count, 1);
        expect_cells(source, 7, true);
        expect_cells(source, 1000, true);
        scree_source_free(source);
    }
}

static void test_arrays(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        scree_source *source = opened(write_npy("genes.npy", fortran), 2 << 20);
        assert_null(scree_source_column(source, 0));
        expect_cells(source, 10, false);
        expect_cells(source, 53, false);
        scree_source_free(source);
    }
}

/* --exclude is about columns of the file, in whichever order they are stored. */
static void test_exclude(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        table t;
        if (scree_source_open(&source, write_npy("genes.npy", fortran),
                              &SIZED(scree_read_options, .header = -1, .transpose = 1, .exclude = "1"),
                              &error) != SCREE_OK)
            fail_msg("%s", error.text);
        assert_int_equal(table_read(&t, source, NULL), SCREE_OK);
        assert_int_equal(t.rows, SAMPLES - 1);
        assert_int_equal(scree_source_cols(source), GENES);
        for (int64_t i = 0; i < SAMPLES - 1; i++)
            for (int64_t j = 0; j < GENES; j++)
                assert_true(t.values[i * GENES + j] == cell(j, i + 1));
        table_clear(&t);
        scree_source_free(source);
    }
}

static void test_scratch(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const char *path = write_csv("genes.csv");
    const int before = folder_walk(0);
    (void)state;
    setenv("TMPDIR", folder, 1);
    source = opened(path, 0);
    assert_int_equal(folder_walk(0), before + 1);
    scree_source_free(source);
    assert_int_equal(folder_walk(0), before);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(scree_source_open(&source, path, &SIZED(scree_read_options, .header = -1, .transpose = 1), &error),
                     SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "TMPDIR"));
    unsetenv("TMPDIR");
}

static void test_weights_are_refused(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    (void)state;
    assert_int_equal(scree_source_open(&source, write_csv("genes.csv"),
                                       &SIZED(scree_read_options, .header = -1, .transpose = 1, .weights = "s1"),
                                       &error),
                     SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "weights"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_exclude),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
