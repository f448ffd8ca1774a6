/* SPDX-License-Identifier: BSD-3-Clause */
/* Names beside points: beside each other, inside the bounds, off the marks; those that must be drawn are, over as
 * little as there is. */

#include "support/checks.h"

#include "view/placer.h"

#include <math.h>

typedef struct room {
    scree__canvas *canvas;
    scree__page page;
    scree__placer placer;
} room;

static void open_room(room *r)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree__canvas_shape shape = {.medium = SCREE__PNG, .width = 400, .height = 300, .scale = 1};
    *r = (room){0};
    EXPECT_OK(scree__canvas_open(&r->canvas, &shape, &error), error);
    scree__page_begin(&r->page, r->canvas, "title", "");
    EXPECT_OK(scree__placer_open(&r->placer, &r->page, &r->page.room, &error), error);
}

static void close_room(room *r)
{
    scree__placer_close(&r->placer);
    scree__canvas_free(r->canvas);
}

static bool overlap(const scree__box *a, const scree__box *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static bool holds(const scree__box *box, double x, double y)
{
    return x > box->x && x < box->x + box->w && y > box->y && y < box->y + box->h;
}

static void names_do_not_touch(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    for (int i = 0; i < 6; i++) {
        const scree__wish wish = {.at = {200, 150}, .must = true};
        assert_true(scree__placer_find(&r.placer, &wish, "a name"));
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_false(overlap(&r.placer.placed[i].box, &r.placer.placed[j].box));
    assert_false(r.placer.placed[0].far);
    assert_true(r.placer.placed[0].box.x > 200); /* right of it, first of all */
    close_room(&r);
}

static void names_stay_inside_and_off_marks(void **state)
{
    static const double corners[][2] = {{12, 60}, {385, 60}, {12, 280}, {385, 280}};
    room r;
    open_room(&r);
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double x = corners[i][0], y = corners[i][1], side = x < 200 ? 1.0 : -1.0;
        const scree__wish wish = {.at = {x, y}};
        scree__placer_mark(&r.placer, x, y, 3, 1);
        scree__placer_mark(&r.placer, x + 20 * side, y, 3, 1); /* where the name would be */
        assert_true(scree__placer_find(&r.placer, &wish, "a name"));
        const scree__box *box = &r.placer.placed[i].box;
        assert_true(box->x >= r.page.room.x && box->x + box->w <= r.page.room.x + r.page.room.w);
        assert_true(box->y >= r.page.room.y && box->y + box->h <= r.page.room.y + r.page.room.h);
        assert_false(holds(box, x, y) || holds(box, x + 20 * side, y));
        assert_false(r.placer.placed[i].covers);
    }
    close_room(&r);
}

static void in_a_crowd_only_those_that_must(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    for (int y = 0; y < 300; y += 2)
        for (int x = 0; x < 400; x += 2)
            scree__placer_mark(&r.placer, x, y, 1, x < 200 ? 1 : 9);
    const scree__wish may = {.at = {200, 150}}, must = {.at = {200, 150}, .must = true};
    assert_false(scree__placer_find(&r.placer, &may, "a name"));
    assert_int_equal(r.placer.count, 0);
    assert_true(scree__placer_find(&r.placer, &must, "a name"));
    assert_true(r.placer.placed[0].covers && r.placer.placed[0].box.x + r.placer.placed[0].box.w < 202);
    close_room(&r);
}

static void names_that_must_be_near_are(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    for (int y = 130; y < 170; y += 2)
        for (int x = 120; x < 280; x += 2)
            scree__placer_mark(&r.placer, x, y, 1, 1);
    const scree__wish near = {.at = {200, 150}, .near = true, .must = true}, far = {.at = {200, 150}};
    assert_true(scree__placer_find(&r.placer, &near, "near"));
    assert_true(scree__placer_find(&r.placer, &far, "far"));
    assert_true(r.placer.placed[0].covers && !r.placer.placed[0].far);
    assert_true(!r.placer.placed[1].covers && r.placer.placed[1].far);
    close_room(&r);
}

static void names_go_on_in_the_direction_of_arrows(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    const double angle = acos(-1.0) / 2; /* upwards */
    const scree__wish wish = {.at = {200, 150}, .along = true, .angle = angle, .must = true};
    assert_true(scree__placer_find(&r.placer, &wish, "a name"));
    const scree__box *box = &r.placer.placed[0].box;
    assert_true(box->y + box->h < 150 && fabs(box->x + box->w / 2 - 200) < 1);
    close_room(&r);
}

/* The first takes the place that the second needs, until they settle. */
static void names_make_room_for_each_other(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    for (int y = 60; y < 300; y += 2)
        for (int x = 0; x < 400; x += 2)
            if (y < 140 || y > 160 || x < 190)
                scree__placer_mark(&r.placer, x, y, 1, 1); /* but for one lane to the right */
    const scree__wish first = {.at = {200, 150}}, second = {.at = {195, 150}};
    assert_true(scree__placer_ask(&r.placer, &first, "wide name"));
    assert_false(scree__placer_ask(&r.placer, &second, "none"));
    assert_int_equal(r.placer.count, 2);
    assert_false(r.placer.placed[1].there);
    r.placer.placed[0].there = false; /* as if it had found another */
    r.placer.placed[0].box.x = 0;
    r.placer.placed[0].wish.at[0] = 300;
    r.placer.placed[0].from[0] = 300;
    scree__placer_settle(&r.placer);
    assert_true(r.placer.placed[0].there && r.placer.placed[1].there);
    assert_false(overlap(&r.placer.placed[0].box, &r.placer.placed[1].box));
    close_room(&r);
}

/* A name stands nearer to its own point than to any other, or a line leads to it. */
static void names_are_not_mistaken(void **state)
{
    room r;
    open_room(&r);
    (void)state;
    static const double points[][2] = {{200, 150}, {218, 150}, {209, 165}, {209, 135}};
    for (int i = 0; i < 4; i++) {
        const scree__wish wish = {.at = {points[i][0], points[i][1]}};
        scree__placer_mark(&r.placer, points[i][0], points[i][1], 3, 1);
        scree__placer_ask(&r.placer, &wish, "a name");
    }
    scree__placer_settle(&r.placer);
    for (int i = 0; i < 4; i++) {
        const scree__placed *placed = &r.placer.placed[i];
        const scree__box *box = &placed->box;
        assert_true(placed->there);
        double distance[4];
        for (int j = 0; j < 4; j++)
            distance[j] = hypot(fmin(fmax(points[j][0], box->x), box->x + box->w) - points[j][0],
                                fmin(fmax(points[j][1], box->y), box->y + box->h) - points[j][1]);
        for (int j = 0; j < 4; j++)
            assert_true(placed->far || distance[i] <= distance[j]);
    }
    close_room(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_do_not_touch),
        cmocka_unit_test(names_stay_inside_and_off_marks),
        cmocka_unit_test(in_a_crowd_only_those_that_must),
        cmocka_unit_test(names_that_must_be_near_are),
        cmocka_unit_test(names_go_on_in_the_direction_of_arrows),
        cmocka_unit_test(names_make_room_for_each_other),
        cmocka_unit_test(names_are_not_mistaken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
