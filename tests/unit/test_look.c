/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks and layouts: palettes by name and as lists, themes, sizes of letters; what is none is refused in one sentence.
 */

#include "support/checks.h"

#include "view/layout.h"
#include "view/palette.h"

#include <string.h>

static uint32_t packed(scree__colour c)
{
    return (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 | (uint32_t)lround(255 * c.b);
}

static void palettes_are_names_or_lists(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__look look;
    (void)state;
    EXPECT_OK(scree__look_make(&look, NULL, "#012345,ABCDEF,00ff7f", false, &error), error);
    assert_int_equal(look.series_count, 3);
    assert_int_equal(packed(scree__series(&look, 1, 1.0).colour), 0xabcdef);
    assert_int_equal(packed(scree__series(&look, 3, 1.0).colour), 0x012345);
    assert_int_not_equal(scree__series(&look, 0, 1.0).shape, scree__series(&look, 3, 1.0).shape);
    assert_int_equal(packed(scree__signed(&look, true)), 0x012345);
    assert_int_equal(scree__diverging(&look, 1.0), 0xabcdef);
    assert_int_equal(scree__diverging(&look, 0.0), packed(look.theme.paper));
    EXPECT_OK(scree__look_make(&look, NULL, "okabe-ito", false, &error), error);
    assert_int_equal(look.series_count, 8);
    assert_int_equal(packed(look.series[7]), 0x000000);
    EXPECT_OK(scree__look_make(&look, "dark", "okabe-ito", false, &error), error);
    assert_int_equal(packed(look.series[7]), packed(look.theme.ink)); /* black on dark paper would be lost */
}

static void what_is_no_look_is_refused(void **state)
{
    static const char *const wrong[] = {"",     "#12345", "#123456", "#123456,", "#123456,blue", "#1234567,#123456",
                                        "okabe"};
    scree_error error = SCREE_ERROR_INIT;
    scree__look look;
    char many[400] = "";
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(scree__look_make(&look, NULL, wrong[i], false, &error), SCREE_ERR_ARGUMENT);
    for (int i = 0; i <= SCREE__PALETTE_MOST; i++)
        memcpy(many + 8 * i, "#000000,", i < SCREE__PALETTE_MOST ? 8 : 7);
    assert_int_equal(scree__look_make(&look, NULL, many, false, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(strstr(error.text, "has more"), "has more than 36 colours; leave some out");
    assert_int_equal(scree__look_make(&look, "blue", NULL, false, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree__look_make(&look, "light", NULL, true, &error), SCREE_ERR_ARGUMENT);
    EXPECT_OK(scree__look_make(&look, "dark", NULL, true, &error), error);
}

static void letters_of_print_have_eight_points(void **state)
{
    static const double point = 96.0 / 72.0;
    scree_error error = SCREE_ERROR_INIT;
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    scree__layout layout;
    (void)state;
    options.layout = "column";
    EXPECT_OK(scree__layout_find(&layout, &options, &error), error);
    EXPECT_NEAR(layout.width, 85.0 / 25.4 * 96.0, 1e-9);
    EXPECT_NEAR(scree__layout_em(&layout, SCREE__PDF, layout.width), 8.0 * point, 1e-9);
    options.layout = "page";
    EXPECT_OK(scree__layout_find(&layout, &options, &error), error);
    EXPECT_NEAR(scree__layout_em(&layout, SCREE__PDF, layout.width), 8.0 * point, 1e-9);
    assert_true(scree__layout_em(&layout, SCREE__PDF, 4000.0) > 50.0); /* a poster */
    options.font_size = 9.0;
    EXPECT_OK(scree__layout_find(&layout, &options, &error), error);
    EXPECT_NEAR(scree__layout_em(&layout, SCREE__PDF, 4000.0), 9.0 * point, 1e-9);
    options.layout = NULL;
    EXPECT_OK(scree__layout_find(&layout, &options, &error), error);
    EXPECT_NEAR(scree__layout_em(&layout, SCREE__SVG, 800.0), 9.0 * point, 1e-9);
    options.layout = "poster";
    assert_int_equal(scree__layout_find(&layout, &options, &error), SCREE_ERR_ARGUMENT);
    options.layout = NULL;
    options.font_size = 97.0;
    assert_int_equal(scree__layout_find(&layout, &options, &error), SCREE_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(palettes_are_names_or_lists),
        cmocka_unit_test(what_is_no_look_is_refused),
        cmocka_unit_test(letters_of_print_have_eight_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
