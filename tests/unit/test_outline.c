/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines around points: of few points, of points on a line and of equal ones there are none; hulls have corners where
 * points are; regions of the highest density are closed, hold their share, and are as wide as points ask for. */

#include "support/checks.h"

#include "base/random.h"
#include "view/density.h"

enum { N = 400 };

static void draw_points(double *xy, int64_t n)
{
    scree__normals(7, 1, 0, 2 * n, xy);
    for (int64_t i = 0; i < n; i++)
        xy[2 * i] *= 3.0;
}

static bool makes(scree__around what, double *xy, int64_t n)
{
    scree__outlines outlines = {0};
    scree_error error = SCREE_ERROR_INIT;
    const double level = 0.9;
    double bandwidth = 0.0;
    bool made = false;
    if (what == SCREE__AROUND_DENSITY)
        EXPECT_OK(scree__density_make(&outlines, &level, 1, xy, n, 0, &bandwidth, &made, &error), error);
    else
        EXPECT_OK(scree__outline_make(&outlines, what, level, xy, n, 0, &made, &error), error);
    assert_int_equal(made, outlines.count > 0);
    scree__outlines_clear(&outlines);
    return made;
}

static void few_points_have_none(void **state)
{
    (void)state;
    for (int what = SCREE__AROUND_NORMAL; what <= SCREE__AROUND_DENSITY; what++) {
        double two[] = {0, 0, 1, 2}, line[] = {0, 0, 1, 2, 2, 4, 7, 14}, same[] = {5, 5, 5, 5, 5, 5};
        double three[] = {0, 0, 1, 2, 3, 1}, flat[] = {0.1, 0.7, 0.2, 0.7, 0.3, 0.7};
        assert_false(makes((scree__around)what, two, 0));
        assert_false(makes((scree__around)what, two, 2));
        assert_false(makes((scree__around)what, line, 4));
        assert_false(makes((scree__around)what, same, 3));
        assert_false(makes((scree__around)what, flat, 3));
        assert_int_equal(makes((scree__around)what, three, 3), true);
    }
}

static void hulls_of_points_on_their_edge(void **state)
{
    double square[] = {0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1, 1, 1, 0, 0, 2, 2}; /* also twice, and between */
    scree__outlines outlines = {0};
    scree_error error = SCREE_ERROR_INIT;
    bool made = false;
    (void)state;
    EXPECT_OK(scree__outline_make(&outlines, SCREE__AROUND_HULL, 1, square, 11, 3, &made, &error), error);
    assert_int_equal(outlines.count, 1);
    assert_int_equal(outlines.all[0].count, 5);
    assert_int_equal(outlines.all[0].series, 3);
    for (int k = 0; k < 10; k++)
        assert_true(outlines.all[0].xy[k] == 0.0 || outlines.all[0].xy[k] == 2.0);
    scree__outlines_clear(&outlines);
}

static double area_of(const scree__outlines *outlines, double level)
{
    double area = 0.0;
    for (int64_t i = 0; i < outlines->count; i++) {
        const double *xy = outlines->all[i].xy;
        for (int64_t k = 0; outlines->all[i].level == level && k + 1 < outlines->all[i].count; k++)
            area += (xy[2 * k] * xy[2 * k + 3] - xy[2 * k + 2] * xy[2 * k + 1]) / 2.0;
    }
    return fabs(area);
}

static void densities_hold_their_share(void **state)
{
    static const double levels[] = {0.5, 0.9};
    double *xy = scree__alloc(N, 2 * sizeof *xy), bandwidth = 0.0;
    scree__outlines outlines = {0};
    scree_error error = SCREE_ERROR_INIT;
    bool made = false;
    (void)state;
    draw_points(xy, N);
    EXPECT_OK(scree__density_make(&outlines, levels, 2, xy, N, 0, &bandwidth, &made, &error), error);
    EXPECT_NEAR(bandwidth, pow(N, -1.0 / 6.0), 1e-12);
    for (int64_t i = 0; i < outlines.count; i++) {
        const scree__outline *line = &outlines.all[i];
        assert_true(line->xy[0] == line->xy[2 * line->count - 2] && line->xy[1] == line->xy[2 * line->count - 1]);
    }
    /* Of the normal distribution with deviations 3 and 1: 2π·3·-ln(1 - share), the smoothed one a little more. */
    for (int k = 0; k < 2; k++) {
        const double expected = -2.0 * acos(-1.0) * 3.0 * log1p(-levels[k]);
        EXPECT_NEAR(area_of(&outlines, levels[k]) / expected, 1.0, 0.25);
    }
    scree__outlines_clear(&outlines);
    free(xy);
}

/* A point far away makes squares of the grid large; the bandwidth then is two of them, and is said. */
static void far_points_widen_the_kernel(void **state)
{
    enum { MANY = 20000 };
    static const double level = 0.8;
    double *xy = scree__alloc(MANY, 2 * sizeof *xy), bandwidth = 0.0;
    scree__outlines outlines = {0};
    scree_error error = SCREE_ERROR_INIT;
    bool made = false;
    (void)state;
    draw_points(xy, MANY);
    xy[0] = 1e9;
    EXPECT_OK(scree__density_make(&outlines, &level, 1, xy, MANY, 0, &bandwidth, &made, &error), error);
    assert_true(made && outlines.count > 0);
    EXPECT_NEAR(bandwidth, 2.0 * sqrt(MANY) / 512.0, 0.01);
    scree__outlines_clear(&outlines);
    free(xy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_points_have_none),
        cmocka_unit_test(hulls_of_points_on_their_edge),
        cmocka_unit_test(densities_hold_their_share),
        cmocka_unit_test(far_points_widen_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
