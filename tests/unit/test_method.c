/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of methods says of itself, and that the planner believes it. */

#include "support/checks.h"

#include "data/source.h"
#include "fit/method.h"
#include "support/calls.h"

#include <string.h>

enum { N = 5, D = 3 };

static scree_source *source_of(scree_type type)
{
    static const double zeros[N * D];
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(zeros, type, N, D), NULL), SCREE_OK);
    return source;
}

static void test_table(void **state)
{
    (void)state;
    char names[256];
    for (int64_t i = 0; scree__methods[i]; i++) {
        const scree__method *method = scree__methods[i];
        assert_true(strlen(method->text) > 10);
        assert_ptr_equal(scree__method_named(method->name), method);
        assert_string_equal(scree_table_name(SCREE_TABLE_SOLVERS, i), method->name);
        assert_string_equal(scree_table_text(SCREE_TABLE_SOLVERS, i), method->text);
    }
    assert_int_equal(scree__method_count(), 5);
    assert_null(scree_table_name(SCREE_TABLE_SOLVERS, 5));
    assert_null(scree_table_text(SCREE_TABLE_SOLVERS, 5));
    assert_null(scree__method_named("magic"));
    scree__method_names(names, sizeof names);
    assert_string_equal(names, "covariance, gram, svd, lanczos and em");
}

/* Formats describe themselves, too. */
static void test_formats(void **state)
{
    (void)state;
    static const scree_table tables[] = {SCREE_TABLE_READERS, SCREE_TABLE_WRITERS, SCREE_TABLE_KINDS};
    for (int64_t t = 0; t < COUNT_OF(tables); t++) {
        int64_t i = 0;
        for (; scree_table_name(tables[t], i); i++)
            assert_true(strlen(scree_table_text(tables[t], i)) > 0);
        assert_true(i >= 2);
        assert_null(scree_table_text(tables[t], i));
        assert_null(scree_table_name(tables[t], -1));
    }
    assert_string_equal(scree_table_text(SCREE_TABLE_READERS, 2), "NumPy array");
}

static void test_found_by_flag(void **state)
{
    (void)state;
    assert_ptr_equal(scree__method_that(SCREE__TAKES_GAPS), &scree__method_em);
    assert_ptr_equal(scree__method_that(SCREE__FITS_BAYES), &scree__method_em);
    assert_ptr_equal(scree__method_that(SCREE__TAKES_PIPES), &scree__method_covariance);
    assert_null(scree__method_that(1u << 31));
}

static void test_tolerance(void **state)
{
    (void)state;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    const scree__job job = {.options = &options};
    assert_true(scree__method_tolerance(&scree__method_lanczos, &job) == 0);
    assert_true(scree__method_tolerance(&scree__method_em, &job) == 1e-6);
    assert_true(scree__method_tolerance(&scree__method_svd, &job) == 0);
    options.tolerance = 1e-3;
    assert_true(scree__method_tolerance(&scree__method_em, &job) == 1e-3);
}

static void expect_refused(scree__method method, const scree__job *job, unsigned flag, const char *words)
{
    char reason[256] = "";
    assert_true(scree__method_takes(&method, job, reason));
    method.can &= ~flag;
    assert_int_equal(scree__method_takes(&method, job, reason), flag == 0);
    if (words && !strstr(reason, words))
        fail_msg("'%s' does not say '%s'", reason, words);
}

/* A method that lacks a flag is refused the rows that need it, and only these. */
static void test_takes(void **state)
{
    (void)state;
    static const scree__method able = {.can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES |
                                              SCREE__TAKES_UNCENTRED};
    char reason[256] = "";
    scree_source *source = source_of(SCREE_F64);
    const scree_fit_options plain = SCREE_FIT_OPTIONS_INIT;
    const scree_fit_options uncentred = {.size = sizeof uncentred, .uncentred = true};
    scree__job job = {.source = source, .options = &plain};
    assert_true(scree__method_takes(&(scree__method){0}, &job, reason));
    expect_refused(able, &job, 0, NULL);
    source->about.weighted = true;
    expect_refused(able, &job, SCREE__TAKES_WEIGHTS, "no weights");
    source->about.weighted = false;
    source->can &= ~(unsigned)SCREE__CAN_REWIND;
    expect_refused(able, &job, SCREE__TAKES_PIPES, "only once");
    source->can |= SCREE__CAN_REWIND;
    scree_source_free(source);
    source = source_of(SCREE_U8);
    job = (scree__job){.source = source, .options = &plain};
    expect_refused(able, &job, SCREE__TAKES_BYTES, "no bytes");
    job.options = &uncentred;
    expect_refused(able, &job, SCREE__TAKES_UNCENTRED, "centres the rows");
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_formats), cmocka_unit_test(test_found_by_flag),
        cmocka_unit_test(test_tolerance), cmocka_unit_test(test_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
