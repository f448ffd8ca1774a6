/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of auto-encoders: rows in the plane of two codes, rows and what comes back of them, what each code changes;
 * what needs eigenvalues or a density is refused in one sentence. */

#include "support/checks.h"

#include "made_network.h"
#include "scree_view.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <string.h>

enum { D = 6, M = 3, ROWS = 40 };

static scree_model *network(void)
{
    static const int64_t widths[] = {D, 5, M};
    static const scree__shape shape = {widths, 2, SCREE__TANH, SCREE__IDENTITY, false, true};
    return made_network(&shape, 2.0, 0.5);
}

static char *draw(const scree_model *model, const char *kind, const char *format, bool with_rows, scree_error *error)
{
    double x[ROWS * D];
    size_t size = 0;
    scree_source *rows = NULL;
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    const char *path = folder_path("picture");
    options.kind = kind;
    options.format = format;
    scree__normals(9, 1, 0, ROWS * D, x);
    assert_int_equal(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, ROWS, D), NULL), SCREE_OK);
    const scree_status status = scree_model_plot(model, with_rows ? rows : NULL, path, &options, error);
    scree_source_free(rows);
    return status == SCREE_OK ? (char *)file_read(path, &size) : NULL;
}

static void assert_says(const scree_model *model, const char *kind, bool with_rows, const char *title, const char *word)
{
    scree_error error = SCREE_ERROR_INIT;
    char *text = draw(model, kind, "text", with_rows, &error);
    if (!text)
        fail_msg("%s: %s", kind ? kind : "no kind", error.text);
    if (!strstr(text, title) || !strstr(text, word))
        fail_msg("'%s' or '%s' is not in\n%s", title, word, text);
    assert_null(strstr(text, "%")); /* there are no shares of variance */
    free(text);
    text = draw(model, kind, "svg", with_rows, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "<svg"));
    free(text);
}

static void what_a_network_can_show(void **state)
{
    (void)state;
    scree_model *model = network();
    assert_says(model, NULL, true, "Rows in the plane of codes 1 and 2", "z2");
    assert_says(model, "reconstruction", true, "Rows from codes of M numbers", "M = 3");
    assert_says(model, NULL, false, "What each number of the code changes", "z1");
    scree_model_free(model);
}

static void what_it_cannot(void **state)
{
    (void)state;
    static const char *const kinds[] = {"scree",    "error",   "samples",  "biplot",
                                        "outliers", "monitor", "variance", "heatmap"};
    scree_model *model = network();
    for (int64_t i = 0; i < COUNT_OF(kinds); i++) {
        scree_error error = SCREE_ERROR_INIT;
        char sentence[64];
        snprintf(sentence, sizeof sentence, "a picture '%s' needs a PCA model", kinds[i]);
        assert_null(draw(model, kinds[i], "svg", true, &error));
        assert_int_equal(error.status, SCREE_ERR_UNSUPPORTED);
        if (!strstr(error.text, "auto-encoder") || !strstr(error.text, sentence))
            fail_msg("%s: '%s'", kinds[i], error.text);
    }
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_network_can_show, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(what_it_cannot, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
