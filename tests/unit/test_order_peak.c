/* SPDX-License-Identifier: BSD-3-Clause */
/* The peak memory of a fit to 160 MB in Fortran order is that of C order and the few blocks that are on their way, not
 * that of a copy. Each fit is a process of its own. Sanitizers take memory of their own: skipped there. */

#include "support/checks.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200000, D = 100, BLOCKS_KIB = 12 << 10 };

static int fit_in(bool fortran)
{
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = malloc((size_t)N * D * sizeof *x);
    block.data = x;
    block.rows = N;
    block.cols = D;
    block.row_stride = fortran ? 1 : D;
    block.col_stride = fortran ? N : 1;
    for (int64_t i = 0; x && i < (int64_t)N * D; i++)
        x[i] = (double)((i * 7919) % 10007);
    run.threads = 2;
    options.components = 2;
    options.run = &run;
    const bool fine = x && scree_source_from_memory(&source, &block, NULL) == SCREE_OK &&
                      scree_model_fit(&model, source, &options, NULL) == SCREE_OK;
    scree_model_free(model);
    scree_source_free(source);
    free(x);
    return fine ? 0 : 1;
}

/* In KiB. */
static long peak_of(bool fortran)
{
    struct rusage usage;
    int status = 1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(fit_in(fortran));
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return usage.ru_maxrss;
}

static void test_fortran_order_takes_no_copy(void **state)
{
    (void)state;
    if (SLOW_BUILD)
        skip();
    const long c = peak_of(false);
    const long fortran = peak_of(true);
    print_message("C order %ld KiB, Fortran order %ld KiB\n", c, fortran);
    assert_true(c > (long)N * D * 8 / 1024);
    assert_true(fortran <= c + BLOCKS_KIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fortran_order_takes_no_copy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
