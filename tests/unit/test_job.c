/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a fit: what is refused, and in which words; what defaults become; how k settles when N is known. */

#include "support/checks.h"

#include "data/source.h"
#include "fit/job.h"
#include "support/calls.h"

#include <string.h>

enum { N = 5, D = 3 };

static scree_source *source_of(int64_t rows, int64_t cols)
{
    static const double zeros[200];
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(zeros, SCREE_F64, rows, cols), NULL), SCREE_OK);
    return source;
}

static void expect_refused(scree_fit_options options, scree_status status, const char *sentence)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__job job;
    scree_source *source = source_of(N, D);
    assert_int_equal(scree__job_make(&job, source, &options, &error), status);
    assert_string_equal(error.text, sentence);
    scree_source_free(source);
}

static void test_refused(void **state)
{
    (void)state;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.run = &run_plain;
    options.components = -2;
    expect_refused(options, SCREE_ERR_ARGUMENT, "-2 components cannot be found; ask for at least 1");
    options.components = 4;
    expect_refused(options, SCREE_ERR_ARGUMENT,
                   "memory: 4 components were asked for, but there are only 3 columns; ask for at most 3");
    options.components = 0;
    options.share = 1.5;
    expect_refused(options, SCREE_ERR_ARGUMENT, "a share of variance lies between 0 and 1, not at 1.5");
    options.share = NAN;
    expect_refused(options, SCREE_ERR_ARGUMENT, "a share of variance lies between 0 and 1, not at nan");
    options.share = 0;
    options.ddof = 2;
    expect_refused(options, SCREE_ERR_ARGUMENT, "ddof is 0 (divisor N) or 1 (divisor N-1), not 2");
    options.ddof = 0;
    options.tolerance = -1;
    expect_refused(options, SCREE_ERR_ARGUMENT, "a tolerance lies between 0 and 1, not at -1");
}

/* By the call that takes the run, before there is a job. */
static void test_run_refused(void **state)
{
    (void)state;
    const scree_run runs[] = {SIZED(scree_run, .threads = -1), SIZED(scree_run, .memory = -1),
                              SIZED(scree_run, .block_rows = -1)};
    scree_source *source = source_of(N, D);
    for (int64_t i = 0; i < COUNT_OF(runs); i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL;
        const scree_fit_options options = SIZED(scree_fit_options, .run = &runs[i]);
        assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_ARGUMENT);
        assert_string_equal(error.text, "threads, memory and block rows cannot be negative");
        assert_null(model);
    }
    scree_source_free(source);
}

static void expect_settled(int64_t rows, int64_t cols, int64_t components, double share, int64_t k)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__job job;
    int64_t found = 0;
    scree_source *source = source_of(rows, cols);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    options.share = share;
    options.run = &run_plain;
    EXPECT_OK(scree__job_make(&job, source, &options, &error), error);
    EXPECT_OK(scree__job_settle(&job, rows, &found, &error), error);
    assert_int_equal(found, k);
    assert_int_equal(scree__job_components(&job, rows), k);
    scree_source_free(source);
}

static void test_settled(void **state)
{
    (void)state;
    expect_settled(5, 3, 2, 0, 2);
    expect_settled(5, 3, 0, 0, 3);
    expect_settled(5, 3, SCREE_ALL, 0, 3);
    expect_settled(3, 60, SCREE_ALL, 0, 2); /* centred rows have rank N - 1 */
    expect_settled(3, 60, 3, 0, 3);         /* unless it is asked for in so many words */
    expect_settled(3, 60, 0, 0, 2);
    expect_settled(2, 60, 0, 0.5, 1);
    expect_settled(3, 3, 0, 0.9, 2);
    expect_settled(4, 3, 0, 0.9, 3);
    expect_settled(2, 100, 0, 0, 1);
}

static void test_defaults(void **state)
{
    (void)state;
    scree__job job;
    scree_source *source = source_of(N, D);
    const scree_fit_options options = SIZED(scree_fit_options, .run = &run_plain);
    assert_int_equal(scree__job_make(&job, source, &options, NULL), SCREE_OK);
    assert_true(job.threads >= 1);
    assert_true(job.memory > 0);
    assert_true(job.rows_known);
    assert_int_equal(scree__job_rows(&job), N);
    assert_true(scree__job_divisor(&job, N) == N);
    job.rows = -1;
    assert_true(scree__job_rows(&job) > 0);
    scree_source_free(source);
}

static void test_too_few_rows(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__job job;
    scree_source *source = source_of(1, D);
    const scree_fit_options options = SIZED(scree_fit_options, .run = &run_plain);
    assert_int_equal(scree__job_make(&job, source, &options, &error), SCREE_ERR_SHAPE);
    assert_non_null(strstr(error.text, "memory has one row"));
    assert_non_null(strstr(error.text, "at least 2"));
    scree_source_free(source);
}

/* Float arithmetic is for float data, and only where it saves time. */
static void test_arithmetic(void **state)
{
    (void)state;
    scree__job job;
    scree_source *source = source_of(N, D);
    const scree_fit_options options = SIZED(scree_fit_options, .run = &run_plain);
    assert_int_equal(scree__job_make(&job, source, &options, NULL), SCREE_OK);
    assert_ptr_equal(scree__job_ops(&job, 1e15), &scree__ops_f64);
    source->about.type = SCREE_U8;
    assert_ptr_equal(scree__job_ops(&job, 1e15), &scree__ops_f64);
    source->about.type = SCREE_F32;
    assert_ptr_equal(scree__job_ops(&job, 1e15), &scree__ops_f32);
    assert_ptr_equal(scree__job_ops(&job, 1e3), &scree__ops_f64);
    source->about.type = SCREE_F64;
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_run_refused),  cmocka_unit_test(test_settled),
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_too_few_rows), cmocka_unit_test(test_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
