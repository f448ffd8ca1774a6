/* SPDX-License-Identifier: BSD-3-Clause */
/* Canvases: each format is what it says it is, drawn twice it is the same bytes, cells hold the letters and dots where
 * they were put, and a raster layer keeps a vector file small. */

#include "support/checks.h"

#include "temporary_folder.h"
#include "view/canvas.h"
#include "view/palette.h"

static const scree__medium all[] = {SCREE__SVG,   SCREE__PDF,  SCREE__PNG, SCREE__KITTY,
                                    SCREE__SIXEL, SCREE__ANSI, SCREE__TEXT};

static scree__canvas *open_canvas(scree__medium medium, double width, double height)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__canvas *canvas = NULL;
    const scree__canvas_shape shape = {.medium = medium, .width = width, .height = height, .scale = 1.0};
    EXPECT_OK(scree__canvas_open(&canvas, &shape, &error), error);
    return canvas;
}

static unsigned char *finish(scree__canvas *canvas, size_t *size)
{
    scree_error error = SCREE_ERROR_INIT;
    const char *path = folder_path("picture");
    EXPECT_OK(scree__canvas_finish(canvas, path, "a title", &error), error);
    scree__canvas_free(canvas);
    return file_read(path, size);
}

/* A little of everything; many marks on a layer. */
static void draw(scree__canvas *canvas, int marks)
{
    const scree__pen pen = {{0.8, 0.2, 0.1}, 1.0, 1.0, true};
    const scree__text_style type = {{0, 0, 0}, 1.0, false, SCREE__LEFT, false};
    const scree__box box = {8, 8, 64, 32};
    const uint32_t pixels[] = {0xff0000, 0x00ff00, 0x0000ff, 0xffffff};
    scree__canvas_line(canvas, 0, 0, 40, 20, &pen);
    scree__canvas_ellipse(canvas, &box, &pen);
    scree__canvas_image(canvas, &box, pixels, 2, 2);
    scree__canvas_clip(canvas, &box, true);
    for (int i = 0; i < marks; i++) {
        const scree__mark mark = scree__series(scree__look_plain(false), i % 8, 2.0);
        scree__canvas_mark(canvas, 8 + i % 61, 8 + i % 29, &mark);
    }
    scree__canvas_unclip(canvas);
    scree__canvas_text(canvas, 10, 10, &type, "größe \xff <&>");
    scree__canvas_text_up(canvas, 10, 40, &type, "up");
}

static void the_same_drawing_is_the_same_bytes(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(all); i++) {
        unsigned char *bytes[2];
        size_t size[2];
        for (int turn = 0; turn < 2; turn++) {
            scree__canvas *canvas = open_canvas(all[i], 100, 60);
            draw(canvas, 50);
            bytes[turn] = finish(canvas, &size[turn]);
        }
        assert_true(size[0] > 20 && size[0] == size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void formats_begin_as_they_should(void **state)
{
    static const char *const heads[] = {"<?xml", "%PDF-1.", "\x89PNG", "\033_Ga=T,f=100,", "\033Pq\"1;1;100;60"};
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(heads); i++) {
        size_t size;
        scree__canvas *canvas = open_canvas(all[i], 100, 60);
        draw(canvas, 5);
        unsigned char *bytes = finish(canvas, &size);
        assert_true(size > strlen(heads[i]));
        assert_memory_equal(bytes, heads[i], strlen(heads[i]));
        free(bytes);
    }
}

static void letters_and_marks_have_their_cells(void **state)
{
    const scree__text_style type = {{0, 0, 0}, 1.0, false, SCREE__RIGHT, false};
    const scree__mark mark = scree__series(scree__look_plain(false), 1, 2.0);
    const scree__pen pen = {{0, 0, 0}, 1.0, 1.0, false};
    size_t size;
    scree__canvas *canvas = open_canvas(SCREE__TEXT, 20, 12);
    (void)state;
    scree__canvas_text(canvas, 20, 2, &type, "über");
    scree__canvas_mark(canvas, 5, 6, &mark);
    scree__canvas_line(canvas, 0, 8, 7, 8, &pen);
    unsigned char *bytes = finish(canvas, &size);
    assert_string_equal((const char *)bytes, "      über\n  x\n⠉⠉⠉⠁\n");
    free(bytes);
}

static void many_marks_stay_a_small_file(void **state)
{
    size_t few, many;
    (void)state;
    scree__canvas *canvas = open_canvas(SCREE__SVG, 100, 60);
    draw(canvas, 2000);
    free(finish(canvas, &few));
    canvas = open_canvas(SCREE__SVG, 100, 60);
    draw(canvas, 40000);
    free(finish(canvas, &many));
    assert_true(many < 2 * few);
}

/* Arabic letters are drawn joined, which makes them narrower than apart. */
static void letters_are_joined_where_they_must_be(void **state)
{
    (void)state;
    scree__canvas *canvas = open_canvas(SCREE__PNG, 200, 100);
    const scree__text_style type = {{0, 0, 0}, 1.0, false, SCREE__LEFT, false};
    const double one = scree__canvas_text_width(canvas, &type, "\u0628");
    const double three = scree__canvas_text_width(canvas, &type, "\u0628\u0628\u0628");
    assert_true(three > one && three < 0.9 * 3 * one);
    scree__canvas_free(canvas);
}

static void what_cannot_be_made_is_said(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__canvas *canvas = NULL;
    const scree__canvas_shape shape = {.medium = SCREE__PNG, .width = 1e6, .height = 1e6, .scale = 1.0};
    (void)state;
    assert_int_equal(scree__canvas_open(&canvas, &shape, &error), SCREE_ERR_MEMORY);
    assert_null(canvas);
    assert_non_null(strstr(error.text, "ask for a smaller one"));
    canvas = open_canvas(SCREE__PNG, 50, 50);
    assert_int_equal(scree__canvas_finish(canvas, "/no/such/folder/a.png", "", &error), SCREE_ERR_IO);
    scree__canvas_free(canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_drawing_is_the_same_bytes),    cmocka_unit_test(formats_begin_as_they_should),
        cmocka_unit_test(letters_and_marks_have_their_cells),    cmocka_unit_test(many_marks_stay_a_small_file),
        cmocka_unit_test(letters_are_joined_where_they_must_be), cmocka_unit_test(what_cannot_be_made_is_said),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
