/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of a rate-distortion curve: every format, the same bytes again; points where they belong; PSNR where it
 * is one; a clear sentence for what cannot be drawn, and no file. */

#include "support/checks.h"

#include "scree_view.h"
#include "support/calls.h"
#include "temporary_folder.h"

enum { POINTS = 5 };

/* A curve that is made up, with the arrays that its view shows. */
typedef struct made_curve {
    double rmse[POINTS];
    double psnr[POINTS];
    int64_t kept[POINTS];
    double bound[POINTS];
    double achieved[POINTS];
} made_curve;

/* A range of 10, errors from 0.01 on, each twice the one before: a bit less, and half a bit more than the bound. */
static void make_curve(made_curve *c)
{
    for (int i = 0; i < POINTS; i++) {
        c->rmse[i] = 0.01 * exp2(i);
        c->psnr[i] = 20 * log10(10 / c->rmse[i]);
        c->kept[i] = 3;
        c->bound[i] = 5.0 - i;
        c->achieved[i] = 5.5 - i;
    }
}

/* The arrays of a curve of a few rows, overwritten. */
static scree_curve *curve_of(const made_curve *c, int64_t count)
{
    static const double rows[2 * POINTS] = {1, 5, 2, 3, 8, 1, 4, 4, 0, 7};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_curve *curve = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, POINTS, 2), &error), error);
    EXPECT_OK(scree_curve_make(&curve, source, &SIZED(scree_curve_options, .points = POINTS), &error), error);
    scree_curve_view *view = (scree_curve_view *)(uintptr_t)scree_curve_get(curve);
    assert_int_equal(view->points, POINTS);
    memcpy((double *)(uintptr_t)view->rmse, c->rmse, sizeof c->rmse);
    memcpy((double *)(uintptr_t)view->psnr, c->psnr, sizeof c->psnr);
    memcpy((int64_t *)(uintptr_t)view->kept, c->kept, sizeof c->kept);
    memcpy((double *)(uintptr_t)view->bound, c->bound, sizeof c->bound);
    memcpy((double *)(uintptr_t)view->achieved, c->achieved, sizeof c->achieved);
    view->points = count;
    scree_source_free(source);
    return curve;
}

static char *draw(const made_curve *made, int64_t count, const char *format, bool dark, size_t *size)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    scree_curve *curve = curve_of(made, count);
    const bool letters = strcmp(format, "ansi") == 0 || strcmp(format, "text") == 0;
    options.format = format;
    options.width = letters ? 60 : 400;
    options.dark = dark;
    EXPECT_OK(scree_curve_plot(curve, folder_path("picture"), &options, &error), error);
    scree_curve_free(curve);
    return (char *)file_read(folder_path("picture"), size);
}

static void every_format_and_the_same_bytes_again(void **state)
{
    static const struct {
        const char *name;
        const char *begins;
    } formats[] = {{"svg", "<?xml"},    {"pdf", "%PDF-"},   {"png", "\211PNG\r\n\032\n"},
                   {"kitty", "\033_G"}, {"sixel", "\033P"}, {"ansi", ""},
                   {"text", ""}};
    made_curve curve;
    (void)state;
    make_curve(&curve);
    for (int64_t i = 0; i < COUNT_OF(formats); i++)
        for (int dark = 0; dark < 2; dark++) {
            size_t size, again;
            char *one = draw(&curve, POINTS, formats[i].name, dark != 0, &size);
            char *two = draw(&curve, POINTS, formats[i].name, dark != 0, &again);
            assert_true(size > 100);
            assert_int_equal(size, again);
            assert_memory_equal(one, two, size);
            assert_memory_equal(one, formats[i].begins, strlen(formats[i].begins));
            free(one);
            free(two);
        }
}

/* Lines and columns of a letter between the sides of the frame, from the top; returns how many. */
static int find_marks(const char *text, char letter, int lines[], int columns[])
{
    int line = 0, column = 0, found = 0;
    bool inside = false;
    for (; *text; text++) {
        if (*text == '\n') {
            line++;
            column = 0;
            inside = false;
            continue;
        }
        column += ((unsigned char)*text & 0xC0) != 0x80;
        inside |= ((unsigned char)*text & 0xC0) == 0xC0; /* the sides are no ASCII */
        if (inside && *text == letter && found < POINTS) {
            lines[found] = line;
            columns[found++] = column;
        }
    }
    return found;
}

static void smaller_errors_are_lower_and_take_more(void **state)
{
    made_curve curve;
    int lines[POINTS] = {0}, columns[POINTS] = {0}, lines_of_bound[POINTS] = {0}, columns_of_bound[POINTS] = {0};
    size_t size;
    (void)state;
    make_curve(&curve);
    char *text = draw(&curve, POINTS, "text", false, &size);
    assert_int_equal(find_marks(text, 'o', lines, columns), POINTS);
    assert_int_equal(find_marks(text, 'x', lines_of_bound, columns_of_bound), POINTS);
    for (int i = 0; i < POINTS; i++) {
        assert_int_equal(lines[i], lines_of_bound[i]);
        assert_true(columns_of_bound[i] < columns[i]);
        if (i > 0)
            assert_true(lines[i] > lines[i - 1] && columns[i] > columns[i - 1]);
    }
    free(text);
}

static void psnr_stands_where_it_is_one(void **state)
{
    made_curve curve;
    size_t size;
    (void)state;
    make_curve(&curve);
    char *text = draw(&curve, POINTS, "text", false, &size);
    assert_non_null(strstr(text, "PSNR, dB"));
    assert_non_null(strstr(text, "50")); /* falls from 60 at 0.01 */
    free(text);
    curve.psnr[2] += 3;
    text = draw(&curve, POINTS, "text", false, &size);
    assert_null(strstr(text, "PSNR"));
    free(text);
    curve.psnr[0] = (double)INFINITY;
    text = draw(&curve, 1, "text", false, &size);
    assert_null(strstr(text, "PSNR"));
    free(text);
}

/* A curve is drawn once it was made: what has none is refused there, what has no picture here. */
static void what_cannot_be_drawn_is_said(void **state)
{
    static const double constant[2 * POINTS] = {1, 5, 1, 5, 1, 5, 1, 5, 1, 5};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_curve *curve = NULL;
    made_curve made;
    (void)state;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(constant, SCREE_F64, POINTS, 2), &error), error);
    assert_int_equal(scree_curve_make(&curve, source, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "memory: does not vary; there is no rate to speak of");
    assert_int_equal(scree_curve_make(&curve, source, &SIZED(scree_curve_options, .points = -1), &error),
                     SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "a curve of -1 points cannot be drawn"));
    assert_null(curve);
    scree_source_free(source);
    make_curve(&made);
    curve = curve_of(&made, POINTS);
    const int before = folder_walk(0);
    assert_int_equal(scree_curve_plot(curve, folder_path("no.txt"), NULL, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "no.txt: is not the name of a picture; let it end with .svg, .png or .pdf"));
    assert_int_equal(folder_walk(0), before);
    scree_curve_free(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_the_same_bytes_again),
        cmocka_unit_test(smaller_errors_are_lower_and_take_more),
        cmocka_unit_test(psnr_stands_where_it_is_one),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
