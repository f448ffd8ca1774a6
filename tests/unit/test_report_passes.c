/* SPDX-License-Identifier: BSD-3-Clause */
/* A report reads the rows twice, also where the column of classes must be found first and there is none. */

#include "support/checks.h"

#include "scree_view.h"
#include "scripted_source.h"
#include "support/calls.h"
#include "temporary_folder.h"
#include "view/report_page.h"

enum { ROWS = 5000 }; /* more than wait until a column is ruled out */

static void rows_are_read_twice(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_fit_options options = SIZED(scree_fit_options, .components = 1);
    scree_report_summary summary = SCREE_REPORT_SUMMARY_INIT;
    scripted_source *source = scripted_open(ROWS, -1, SCREE__CAN_REWIND);
    scree_model *model = NULL;
    (void)state;
    EXPECT_OK(scree_model_fit(&model, &source->base, &options, &error), error);
    source->lent = 0;
    if (scree__report_page.head) {
        EXPECT_OK(scree_model_report(model, &source->base, folder_path("page.html"), &summary, NULL, &error), error);
        assert_int_equal(source->lent, 2 * ROWS);
        assert_int_equal(summary.rows, ROWS);
    }
    scree_model_free(model);
    scree_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read_twice)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
