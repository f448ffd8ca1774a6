/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: every kind in every format, of tables of many shapes; points where their codes are; limits as
 * the library says; a clear sentence for what cannot be shown. */

#include "support/checks.h"

#include "made_model.h"
#include "model/score_law.h"
#include "scree_view.h"
#include "support/calls.h"
#include "temporary_folder.h"

static const char *const kinds[] = {"scree",          "error",    "loadings", "samples", "embedding", "biplot",
                                    "reconstruction", "outliers", "monitor",  "rows",    "variance",  "heatmap"};
static const char *const formats[] = {"svg", "pdf", "png", "kitty", "sixel", "ansi", "text"};

/* Rows that the model made, as a source over memory that stays. */
static scree_source *rows_of(const scree_model *model, int64_t count, double **data)
{
    scree_error error = SCREE_ERROR_INIT;
    const int64_t d = scree_model_get(model)->d;
    scree_source *draws = NULL, *rows = NULL;
    scree_sink *sink = NULL;
    *data = calloc((size_t)(count * d), sizeof **data);
    assert_non_null(*data);
    EXPECT_OK(sample_of(&draws, model, count, 3, 1, &error), error);
    EXPECT_OK(scree_sink_to_memory(&sink, *data, count, d, &error), error);
    EXPECT_OK(scree_source_copy(draws, sink, NULL, &error), error);
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(*data, SCREE_F64, count, d), &error), error);
    scree_sink_free(sink);
    scree_source_free(draws);
    return rows;
}

static void plot_all(int64_t d, int64_t m, int64_t count, int64_t image_rows, int64_t image_cols)
{
    scree_model *model = made_model(d, m, 1.0, false, NULL);
    for (int64_t j = 0; j < d; j++)
        model->variances[j] = 1.0;
    model->view.weight = 60;
    model->view.n = 60; /* the criteria of the scree plot draw as many rows of noise */
    double *data;
    scree_source *rows = rows_of(model, count, &data);
    for (int64_t k = 0; k < COUNT_OF(kinds); k++)
        for (int64_t f = 0; f < COUNT_OF(formats); f++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
            options.kind = kinds[k];
            options.format = formats[f];
            options.width = f < 5 ? 300 : 40;
            options.dark = f % 2 == 1;
            options.image_rows = image_rows;
            options.image_cols = image_cols;
            const scree_status status = scree_model_plot(model, rows, folder_path("picture"), &options, &error);
            if (m == 1 && strcmp(kinds[k], "biplot") == 0)
                assert_int_equal(status, SCREE_ERR_ARGUMENT);
            else
                EXPECT_OK(status, error);
        }
    scree_source_free(rows);
    free(data);
    scree_model_free(model);
}

static void every_kind_in_every_format(void **state)
{
    (void)state;
    plot_all(6, 3, 40, 0, 0);
    plot_all(12, 4, 40, 3, 4);
}

static void odd_tables(void **state)
{
    (void)state;
    plot_all(3, 1, 5, 0, 0);
    plot_all(70, 2, 9, 0, 0);
    plot_all(3, 2, 1, 0, 0);
    plot_all(1500, 2, 4, 0, 0);
}

/* The line and the letter of the i-th mark in a picture of letters. */
static int column_of(const char *text, int line)
{
    while (line-- > 0)
        text = strchr(text, '\n') + 1;
    int column = 0;
    for (; *text != '\n' && *text != 'o'; text++)
        column += ((unsigned char)*text & 0xC0) != 0x80;
    return *text == 'o' ? column : -1;
}

/* Three rows on a line: the middle one is in the middle. */
static void points_are_where_their_codes_are(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(2, 1, 0.0, false, NULL);
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    scree_source *rows = NULL;
    double data[6];
    int found[3], count = 0;
    size_t size;
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            data[2 * i + j] = (i - 1) * model->components[j];
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(data, SCREE_F64, 3, 2), &error), error);
    options.format = "text";
    options.width = 60;
    options.height = 20;
    EXPECT_OK(scree_model_plot(model, rows, folder_path("picture"), &options, &error), error);
    unsigned char *text = file_read(folder_path("picture"), &size);
    for (int line = 3; line < 18 && count < 3; line++)
        if (column_of((const char *)text, line) >= 0)
            found[count++] = column_of((const char *)text, line);
    assert_int_equal(count, 3); /* row 3 stands highest, and has the largest code */
    assert_true(found[0] > found[1] && found[1] > found[2]);
    assert_true(abs((found[0] - found[1]) - (found[1] - found[2])) <= 1 && found[0] - found[2] > 40);
    free(text);
    scree_source_free(rows);
    scree_model_free(model);
}

static void limits_have_the_chance_beyond_them(void **state)
{
    scree_model *model = made_model(9, 3, 0.0, false, NULL);
    scree__tail t2, q;
    (void)state;
    for (int training = 0; training < 2; training++) {
        scree__score_laws(scree_model_get(model), training == 1, &t2, &q);
        EXPECT_NEAR(scree__tail_log(&t2, scree__tail_limit(&t2, 0.01)), log(0.01), 1e-9);
        EXPECT_NEAR(scree__tail_log(&q, scree__tail_limit(&q, 1e-6)), log(1e-6), 1e-9);
    }
    assert_true(isnan(scree__tail_limit(&(scree__tail){.kind = SCREE__TAIL_NONE}, 0.01)));
    scree_model_free(model);
}

static void refuses(const scree_model *model, scree_source *rows, const scree_plot_options *options, const char *wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    assert_int_not_equal(scree_model_plot(model, rows, folder_path("picture.png"), options, &error), SCREE_OK);
    assert_string_equal(error.text, wanted);
}

static void what_cannot_be_shown_is_said(void **state)
{
    scree_model *model = made_model(6, 2, 0.0, false, NULL);
    double *data;
    scree_source *rows = rows_of(model, 5, &data);
    const scree_plot_options plain = SCREE_PLOT_OPTIONS_INIT;
    scree_plot_options options = plain;
    const int64_t third[] = {2}, ninth[] = {8};
    (void)state;
    options.kind = "pie";
    refuses(model, NULL, &options,
            "there is no picture 'pie'; there are scree, variance, error, loadings, heatmap, samples, circle, "
            "contributions and cos2, and with data embedding, biplot, pairs, reconstruction, outliers, monitor and "
            "rows");
    options.kind = "outliers";
    refuses(model, NULL, &options, "a picture 'outliers' shows rows, but there are none; give data as well");
    options = plain;
    options.components = third;
    options.component_count = 1;
    refuses(model, NULL, &options, "component 3 is to be shown, but the model has 2; ask for 1 to 2");
    options = plain;
    options.image_rows = 2;
    options.image_cols = 4;
    refuses(model, NULL, &options, "an image of 2 × 4 pixels is not a row of 6 columns; give the shape that it is");
    options = plain;
    options.highlight = ninth;
    options.highlight_count = 1;
    refuses(model, rows, &options, "memory: row 9 is to be highlighted, but there are only 5 rows");
    options.kind = "reconstruction";
    refuses(model, rows, &options, "memory: row 9 is to be shown, but there are only 5 rows");
    options = plain;
    options.width = 20;
    refuses(model, NULL, &options,
            "a picture 20 wide and 84 high is asked for; the width may be 200 to 20000, the height 10 to 80000");
    scree_source_free(rows);
    free(data);
    scree_model_free(model);
}

static void names_say_the_format(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(6, 2, 0.0, false, NULL);
    size_t size;
    (void)state;
    EXPECT_OK(scree_model_plot(model, NULL, folder_path("a.SVG"), NULL, &error), error);
    unsigned char *bytes = file_read(folder_path("a.SVG"), &size);
    assert_memory_equal(bytes, "<?xml", 5);
    free(bytes);
    assert_int_equal(scree_model_plot(model, NULL, "pictures.d/a", NULL, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "pictures.d/a: is not the name of a picture; let it end with .svg, .png or .pdf");
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_in_every_format),       cmocka_unit_test(odd_tables),
        cmocka_unit_test(points_are_where_their_codes_are), cmocka_unit_test(limits_have_the_chance_beyond_them),
        cmocka_unit_test(what_cannot_be_shown_is_said),     cmocka_unit_test(names_say_the_format),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
