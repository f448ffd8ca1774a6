/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow C streams that a callback makes anew for each pass: the same model each time, streams that fail or have other
 * columns, and that everything is released. */

#include "support/checks.h"

#include "array_files.h"
#include "arrow_streams.h"
#include "same_model.h"
#include "support/calls.h"

enum { N = 90 };

static double g[3][N];

static int setup(void **state)
{
    (void)state;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < 3; j++)
            g[j][i] = (double)((i * i + 7 * i * (j + 1)) % 101) / 8 - (double)j;
    return 0;
}

static made_stream three_doubles(void)
{
    return (made_stream){.columns = {{.format = "g", .name = "x", .values = g[0]},
                                     {.format = "g", .name = "y", .values = g[1]},
                                     {.format = "g", .name = "z", .values = g[2]}},
                         .count = 3,
                         .rows = N,
                         .batch = 37,
                         .uncounted = -1};
}

typedef struct remade {
    made_stream *made;
    int opened;
    int released;
    const char *later; /* the format of the first column from the second stream on */
} remade;

static scree_status remake(void *context, struct ArrowArrayStream *out, scree_error *error)
{
    remade *r = context;
    (void)error;
    if (r->opened++ > 0 && r->later)
        r->made->columns[0].format = r->later;
    *out = made_open(r->made);
    return SCREE_OK;
}

static scree_status remake_fails(void *context, struct ArrowArrayStream *out, scree_error *error)
{
    (void)context;
    (void)out;
    error->status = SCREE_ERR_IO;
    snprintf(error->text, sizeof error->text, "the table is gone");
    return SCREE_ERR_IO;
}

static void remade_release(void *context)
{
    ((remade *)context)->released++;
}

static scree_arrow_calls calls_of(remade *r)
{
    scree_arrow_calls calls = SCREE_ARROW_CALLS_INIT;
    calls.context = r;
    calls.open = remake;
    calls.release = remade_release;
    calls.name = "frame";
    calls.rows = N;
    return calls;
}

static void test_streams_made_anew(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    made_stream s = three_doubles();
    s.batch = 37;
    remade r = {.made = &s};
    const scree_arrow_calls calls = calls_of(&r);
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_arrow_calls(&source, &calls, NULL, &error), error);
    assert_string_equal(scree_source_name(source), "frame");
    assert_int_equal(scree_source_rows(source), N);
    assert_int_equal(r.opened, 1);
    scree_model *first = fit_of(source, "covariance", 0);
    scree_model *second = fit_of(source, "svd", 0);
    scree_model *third = fit_of(source, "covariance", 0);
    expect_same_model(third, first);
    assert_true(r.opened >= 3);
    scree_model_free(first);
    scree_model_free(second);
    scree_model_free(third);
    scree_source_free(source);
    assert_int_equal(r.released, 1);
}

static void test_streams_made_anew_fail(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    made_stream s = three_doubles();
    remade r = {.made = &s, .later = "f"};
    scree_arrow_calls calls = calls_of(&r);
    scree_source *source = NULL;
    scree_model *model = NULL;
    EXPECT_OK(scree_source_from_arrow_calls(&source, &calls, NULL, &error), error);
    scree_model_free(fit_of(source, "covariance", 0));
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "frame: its columns were others when it was read again");
    scree_source_free(source);
    assert_int_equal(r.released, 1);
    source = NULL;
    calls.open = remake_fails;
    assert_int_equal(scree_source_from_arrow_calls(&source, &calls, NULL, &error), SCREE_ERR_IO);
    assert_string_equal(error.text, "the table is gone");
    calls.open = NULL;
    assert_int_equal(scree_source_from_arrow_calls(&source, &calls, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_null(source);
    assert_int_equal(r.released, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_made_anew),
        cmocka_unit_test(test_streams_made_anew_fail),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
