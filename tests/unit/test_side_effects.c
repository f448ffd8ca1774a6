/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit leaves behind: nothing but the model. The BLAS has as many threads as before, folder and home hold what
 * they held, and a process that is forked afterwards can fit, to the same bits. */

#include "kernel/blas.h"
#include "support/calls.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "temporary_folder.h"

enum { ROWS = 6000, COLS = 40, KEPT = 4, LONGEST = 60 };

extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* The eigenvalues of a fit with several threads. */
static bool fit(double *values)
{
    static double x[ROWS * COLS];
    for (int64_t i = 0; i < ROWS * COLS; i++)
        x[i] = (double)(i * 7919 % 1009) + (double)(i % COLS);
    const scree_run run = run_with_threads(4);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    options.components = KEPT;
    options.run = &run;
    const bool fine = scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, COLS), NULL) == SCREE_OK &&
                      scree_model_fit(&model, source, &options, NULL) == SCREE_OK;
    if (fine)
        memcpy(values, scree_model_get(model)->eigenvalues, KEPT * sizeof *values);
    scree_model_free(model);
    scree_source_free(source);
    return fine;
}

static int entries(const char *path)
{
    int count = 0;
    DIR *open = opendir(path);
    assert_non_null(open);
    while (readdir(open))
        count++;
    closedir(open);
    return count;
}

static void test_a_forked_process_fits(void **state)
{
    (void)state;
    double here[KEPT] = {0};
    double there[KEPT] = {0};
    int ends[2];
    int outcome = 0;
#ifdef __SANITIZE_THREAD__
    skip(); /* it ends a forked process that starts a thread, as the reader ahead is */
#endif
    assert_true(fit(here));
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(LONGEST); /* a child that hangs is ended, and the test fails */
        const bool fine = fit(there) && write(ends[1], there, sizeof there) == (ssize_t)sizeof there;
        _exit(fine ? 0 : 1);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], there, sizeof there);
    close(ends[0]);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
    assert_int_equal(got, sizeof there);
    assert_memory_equal(here, there, sizeof here);
}

static void test_the_threads_of_the_blas_stay(void **state)
{
    (void)state;
    double values[KEPT];
    if (openblas_set_num_threads)
        openblas_set_num_threads(3);
    const int before = scree__blas_threads();
    assert_true(fit(values));
    assert_int_equal(scree__blas_threads(), before);
}

/* A plan reads no rows: those of a large job need not be there. */
static void plan_large(void)
{
    static const double nothing;
    scree_source *source = NULL;
    scree_plan *plan = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(&nothing, SCREE_F64, 10000000, 500), NULL), SCREE_OK);
    assert_int_equal(scree_plan_make(&plan, source, NULL, NULL), SCREE_OK);
    scree_plan_free(plan);
    scree_source_free(source);
}

static void test_no_file_appears(void **state)
{
    (void)state;
    double values[KEPT];
    const int here = entries(".");
    const int home = entries(folder_path("."));
    assert_int_equal(setenv("HOME", folder_path("."), 1), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder_path("."), 1), 0);
    assert_int_equal(unsetenv("SCREE_CACHE"), 0);
    assert_true(fit(values));
    plan_large();
    assert_int_equal(entries("."), here);
    assert_int_equal(entries(folder_path(".")), home);
}

static scree_status three_blocks(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    static const double row[2] = {1, 2};
    int *calls = context;
    (void)max_rows;
    (void)error;
    if (++*calls > 3)
        return SCREE_ERR_IO;
    block->data = row;
    block->rows = 1;
    block->cols = 2;
    return SCREE_OK;
}

static void test_half_a_file_is_never_finished(void **state)
{
    (void)state;
    int calls = 0;
    const scree_source_calls from =
        SIZED(scree_source_calls, .context = &calls, .next = three_blocks, .rows = -1, .cols = 2, .type = SCREE_F64);
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const int before = entries(folder_path("."));
    assert_int_equal(scree_source_from_calls(&source, &from, NULL), SCREE_OK);
    assert_int_equal(scree_sink_open(&sink, folder_path("half.csv"), NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_copy(source, sink, NULL, &error), SCREE_ERR_IO);
    assert_int_equal(scree_sink_finish(sink, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "rows are missing"));
    scree_sink_free(sink);
    scree_source_free(source);
    assert_int_equal(entries(folder_path(".")), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_forked_process_fits),
        cmocka_unit_test(test_the_threads_of_the_blas_stay),
        cmocka_unit_test(test_no_file_appears),
        cmocka_unit_test(test_half_a_file_is_never_finished),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
