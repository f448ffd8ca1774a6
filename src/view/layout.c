/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts. Journals set one column in 80 to 90 mm and two in 170 to 185 mm, and want letters of 7 to 9 points in both:
 * in print, letters are 8 points high whatever the width, up to that where they would look small. A slide is 16:9, and
 * is read from the back of a room: 53 letters go across. Lines and marks are measured in letters, so they follow. */

#include "view/layout.h"

#include "scree_private.h"

#include <math.h>
#include <string.h>

static const double a_mm = 96.0 / 25.4, a_point = 96.0 / 72.0;   /* in px */
static const double print_points = 8.0, letters_of_print = 75.0; /* across, at most */
static const double letters_of_slide = 53.0;
static const double dots_of_print = 300.0 / 96.0, dots_of_slide = 1.5; /* for each px */
static const double smallest_points = 4.0, largest_points = 96.0;

static const struct {
    const char *name;
    double mm;
    bool slide;
} layouts[] = {{"print", 0.0, false}, {"column", 85.0, false}, {"page", 180.0, false}, {"slide", 0.0, true}};

scree_status scree__layout_find(scree__layout *layout, const scree_plot_options *options, scree_error *error)
{
    const double points = options->font_size;
    bool found = !options->layout;
    *layout = (scree__layout){.scale = 1.0};
    for (size_t i = 0; options->layout && i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].name, options->layout) == 0) {
            found = true;
            if (layouts[i].slide)
                *layout = (scree__layout){
                    .width = 1280.0, .shape = 9.0 / 16.0, .letters = letters_of_slide, .scale = dots_of_slide};
            else
                *layout = (scree__layout){.width = layouts[i].mm * a_mm,
                                          .em = print_points * a_point,
                                          .letters = letters_of_print,
                                          .scale = dots_of_print};
        }
    if (!found)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "layout '%s': is none; there are print, column, page and slide",
                           options->layout);
    if (points != 0.0 && !(points >= smallest_points && points <= largest_points))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "letters of %g points are asked for; the size may be %g to %g",
                           points, smallest_points, largest_points);
    if (points > 0.0) {
        layout->em = points * a_point;
        layout->letters = 0.0;
    }
    return SCREE_OK;
}

double scree__layout_em(const scree__layout *layout, scree__medium medium, double width)
{
    const double em = fmax(layout->em, layout->letters > 0.0 ? width / layout->letters : 0.0);
    return em > 0.0 ? em : scree__canvas_em_for(medium, width);
}
