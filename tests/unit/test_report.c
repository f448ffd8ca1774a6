/* SPDX-License-Identifier: BSD-3-Clause */
/* The page as bytes: the same for any threads and blocks, no larger than allowed, nothing in its data that could end
 * them early, and a sentence for what cannot be. What it does is tested in a browser. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scree_view.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"
#include "view/report_page.h"

enum { ROWS = 500, COLS = 12 };

static rows *make_rows(void)
{
    double *x = calloc(ROWS * COLS, sizeof *x);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = rows_random(5, i, j) * (double)(j + 1) + 1e6;
    return rows_of(x, ROWS, COLS, SCREE_F64, 1.0);
}

static scree_model *fit(const rows *r, int64_t components)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    return rows_fit(r, &options);
}

/* The page that a report makes; to be freed. */
static char *page(const rows *r, const scree_model *model, const scree_report_options *options,
                  scree_report_summary *summary)
{
    size_t size = 0;
    scree_source *source = rows_source(r);
    const char *path = folder_path("page.html");
    assert_int_equal(scree_model_report(model, source, path, summary, options, NULL), SCREE_OK);
    char *text = (char *)file_read(path, &size);
    if (summary)
        assert_int_equal(summary->bytes, size);
    scree_source_free(source);
    remove(path);
    return text;
}

static bool needs_d3(void)
{
    return !scree__report_page.head;
}

static void test_same_bytes(void **state)
{
    (void)state;
    if (needs_d3())
        skip();
    rows *r = make_rows();
    scree_model *model = fit(r, 3);
    scree_run run = SCREE_RUN_INIT;
    scree_report_options options = SCREE_REPORT_OPTIONS_INIT;
    options.rows = 60;
    options.run = &run;
    run.threads = 1;
    char *one = page(r, model, &options, NULL);
    for (int threads = 2; threads <= 4; threads++) {
        run.threads = threads;
        run.block_rows = 13 * threads;
        char *other = page(r, model, &options, NULL);
        assert_string_equal(other, one);
        free(other);
    }
    options.seed = 1;
    char *other = page(r, model, &options, NULL);
    assert_string_not_equal(other, one);
    free(other);
    free(one);
    scree_model_free(model);
    rows_free(r);
}

static void test_size_is_kept(void **state)
{
    (void)state;
    if (needs_d3())
        skip();
    rows *r = make_rows();
    scree_model *model = fit(r, 3);
    scree_report_options options = SCREE_REPORT_OPTIONS_INIT;
    scree_report_summary all = SCREE_REPORT_SUMMARY_INIT;
    scree_report_summary some = SCREE_REPORT_SUMMARY_INIT;
    free(page(r, model, &options, &all));
    assert_int_equal(all.shown, ROWS);
    options.max_size = all.bytes - 20000;
    free(page(r, model, &options, &some));
    assert_true(some.bytes <= options.max_size);
    assert_true(some.shown < ROWS && some.shown > 20);
    assert_int_equal(some.rows, ROWS);
    scree_model_free(model);
    rows_free(r);
}

static void test_data_cannot_end_early(void **state)
{
    (void)state;
    if (needs_d3())
        skip();
    rows *r = make_rows();
    scree_model *model = fit(r, 2);
    scree_report_options options = SCREE_REPORT_OPTIONS_INIT;
    options.title = "</script><script>alert(1)</script>";
    char *text = page(r, model, &options, NULL);
    assert_null(strstr(text, "alert(1)</script>"));
    assert_non_null(strstr(text, "\\u003c/script>\\u003cscript>alert(1)\\u003c/script>"));
    free(text);
    scree_model_free(model);
    rows_free(r);
}

static void check_failure(const scree_model *model, scree_source *source, const scree_report_options *options,
                          scree_status wanted, const char *sentence)
{
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_report(model, source, folder_path("none.html"), NULL, options, &error), wanted);
    assert_non_null(strstr(error.text, sentence));
    assert_int_equal(folder_walk(0), 0); /* nothing is left behind */
}

static void test_failures(void **state)
{
    (void)state;
    rows *r = make_rows();
    scree_model *model = fit(r, 2);
    scree_source *source = rows_source(r);
    scree_report_options options = SCREE_REPORT_OPTIONS_INIT;
    if (needs_d3()) {
        check_failure(model, source, &options, SCREE_ERR_UNSUPPORTED, "a report needs D3");
    } else {
        options.image_rows = 5;
        options.image_cols = 2;
        check_failure(model, source, &options, SCREE_ERR_SHAPE, "images of 5×2 pixels do not have the 12 columns");
        options.image_rows = 0;
        options.max_size = 1000;
        check_failure(model, source, &options, SCREE_ERR_LIMIT, "a page of 1000 bytes cannot hold 12 columns");
    }
    scree_source_free(source);
    scree_model_free(model);
    rows_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_size_is_kept),
        cmocka_unit_test(test_data_cannot_end_early),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
