/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_plot: checks what is asked for, makes a canvas of the right size and lets the kind draw on it. A kind is
 * a const table in a file of its own; they are listed here. */

#include "view/plot.h"

#include "scree_private.h"
#include "view/layout.h"
#include "view/plane.h"
#include "view/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const scree__plot_kind *const kinds[] = {
    &scree__plot_scree,    &scree__plot_error,          &scree__plot_embedding, &scree__plot_biplot,
    &scree__plot_loadings, &scree__plot_reconstruction, &scree__plot_outliers,  &scree__plot_samples,
    &scree__plot_rows,     &scree__plot_monitor,        &scree__plot_circle,    &scree__plot_contributions,
    &scree__plot_cos2,     &scree__plot_variance,       &scree__plot_heatmap,   &scree__plot_pairs,
};

static const struct {
    const char *name;
    scree__medium medium;
    double width; /* where none is asked for */
} formats[] = {
    {"svg", SCREE__SVG, 800},     {"pdf", SCREE__PDF, 800},  {"png", SCREE__PNG, 1200}, {"kitty", SCREE__KITTY, 800},
    {"sixel", SCREE__SIXEL, 800}, {"ansi", SCREE__ANSI, 80}, {"text", SCREE__TEXT, 80}, {"ascii", SCREE__ASCII, 80},
};

enum { KINDS = sizeof kinds / sizeof kinds[0], FORMATS = sizeof formats / sizeof formats[0], LONGEST_TITLE = 400 };

static const double widest = 20000.0, narrowest = 200.0; /* px */

static scree_status find_kind(const scree__plot_kind **out, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *own = plot->rows ? "embedding" : plot->is_ordered ? "scree" : "loadings";
    const char *name = plot->options.kind ? plot->options.kind : own;
    char picture[64];
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            *out = kinds[i];
    if (!*out)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "there is no picture '%s'; there are scree, variance, error, loadings, heatmap, samples, circle, "
                   "contributions and cos2, and with data embedding, biplot, pairs, reconstruction, outliers, monitor "
                   "and rows",
                   name);
    snprintf(picture, sizeof picture, "a picture '%s'", name);
    if ((*out)->needs != SCREE_CAN_PROJECT)
        SCREE_TRY(scree__kind_needs(plot->model, (*out)->needs, picture, error));
    if ((*out)->needs_rows && !plot->rows)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a picture '%s' shows rows, but there are none; give data as well", name);
done:
    return status;
}

static scree_status find_format(int *out, const scree_plot_options *options, const char *path, scree_error *error)
{
    const char *dot = strrchr(path, '.');
    const char *name = options->format ? options->format : dot && !strchr(dot, '/') ? dot + 1 : "";
    for (int i = 0; i < FORMATS; i++)
        if (strcasecmp(formats[i].name, name) == 0) {
            *out = i;
            return SCREE_OK;
        }
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: is not the name of a picture; let it end with .svg, .png or .pdf", path);
}

static scree_status check_components(const scree__plot *plot, scree_error *error)
{
    for (int64_t i = 0; plot->options.components && i < plot->options.component_count; i++) {
        const int64_t component = plot->options.components[i];
        if (component < 0 || component >= plot->view->m)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "component %" PRId64 " is to be shown, but the model has %" PRId64
                               "; ask for 1 to %" PRId64,
                               component + 1, plot->view->m, plot->view->m);
    }
    if (plot->view->m < 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "the model has no components; there is nothing to show");
    return SCREE_OK;
}

static scree_status check_steps(const scree__plot *plot, scree_error *error)
{
    const scree_plot_options *options = &plot->options;
    if (options->step_count > SCREE__STEPS)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%" PRId64 " numbers of components are asked for; choose at most %d", options->step_count,
                           SCREE__STEPS);
    for (int64_t i = 0; i < options->step_count; i++) {
        if (options->steps[i] < 1 || options->steps[i] > plot->view->m)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "%" PRId64 " components are to be used, but the model has %" PRId64
                               "; ask for 1 to %" PRId64 ", or fit more",
                               options->steps[i], plot->view->m, plot->view->m);
        if (i > 0 && options->steps[i] <= options->steps[i - 1])
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "M = %" PRId64 " comes after M = %" PRId64 "; give numbers of components that increase",
                               options->steps[i], options->steps[i - 1]);
    }
    if (options->step_count > 0 && !plot->is_ordered)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "the components of this model have no order, so its codes cannot be cut shorter; leave the "
                           "numbers of components out");
    return SCREE_OK;
}

static scree_status check_image(scree__plot *plot, scree_error *error)
{
    const scree_plot_options *options = &plot->options;
    plot->image_rows = plot->view->image_rows;
    plot->image_cols = plot->view->image_cols;
    if (options->image_rows > 0 || options->image_cols > 0) {
        plot->image_rows = options->image_rows;
        plot->image_cols = options->image_cols;
        if (plot->image_rows < 1 || plot->image_cols < 1 || plot->image_rows > plot->view->d ||
            plot->image_rows * plot->image_cols != plot->view->d)
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "an image of %" PRId64 " × %" PRId64 " pixels is not a row of %" PRId64
                               " columns; give the shape that it is",
                               plot->image_rows, plot->image_cols, plot->view->d);
        if (plot->image_rows < 2 || plot->image_cols < 2)
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "an image of %" PRId64 " × %" PRId64 " pixels is a line; give at least 2 × 2, or leave "
                               "the shape out",
                               plot->image_rows, plot->image_cols);
    }
    if (plot->image_rows < 2 || plot->image_cols < 2)
        plot->image_rows = plot->image_cols = 0;
    return SCREE_OK;
}

/* Images of rows are grey, and the arrows of a circle have one colour. */
static scree_status check_palette(const scree__plot *plot, const scree__plot_kind *kind, scree_error *error)
{
    const bool grey = kind == &scree__plot_reconstruction || kind == &scree__plot_samples || kind == &scree__plot_rows;
    if (!plot->options.palette || !(kind == &scree__plot_circle || (grey && plot->image_rows > 0)))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "a picture '%s'%s has no use for a palette; leave it out", kind->name,
                       plot->image_rows > 0 ? " of images" : "");
}

/* What was asked for, or what the medium and the layout have. */
static scree_status size_canvas(scree__canvas_shape *shape, scree__plot *plot, const scree__plot_kind *kind, int format,
                                scree_error *error)
{
    const scree_plot_options *options = &plot->options;
    const scree__medium medium = formats[format].medium;
    const bool cells = scree__medium_is_cells(medium);
    scree__layout layout;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__layout_find(&layout, options, error));
    if (cells && (options->layout || options->font_size > 0.0))
        SCREE_FAIL(
            error, SCREE_ERR_ARGUMENT,
            "layouts and sizes of letters are for files, and letters of a terminal have one size; leave them out");
    const double width = options->width > 0.0 ? options->width
                         : layout.width > 0.0 ? layout.width
                                              : formats[format].width;
    const double em = cells ? scree__canvas_em_for(medium, width) : scree__layout_em(&layout, medium, width);
    plot->cells = cells;
    const double aspect = kind->aspect(plot, em / (cells ? 2.0 * width : width));
    double height = options->height > 0.0 ? options->height
                    : layout.shape > 0.0  ? width * layout.shape
                    : cells               ? fmin(width * aspect * 0.5, 40.0)
                                          : width * aspect;
    if (options->most_height > 0.0 && !(options->height > 0.0))
        height = fmin(height, options->most_height);
    if (cells) /* letters and lines are 2×4 dots each */
        height = ceil(fmax(height, 12.0));
    const double least = cells ? 30.0 : narrowest;
    if (!(width >= least && width <= widest && height >= 10.0 && height <= 4 * widest))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "a picture %.0f wide and %.0f high is asked for; the width may be %.0f to %.0f, the "
                   "height 10 to %.0f",
                   width, height, least, widest, 4 * widest);
    *shape = (scree__canvas_shape){.medium = medium == SCREE__SVG && options->outlines ? SCREE__OUTLINES : medium,
                                   .width = cells ? floor(width) * 2.0 : width,
                                   .height = cells ? height * 4.0 : ceil(height),
                                   .scale = options->scale > 0.0 ? options->scale : layout.scale,
                                   .dark = plot->look.dark,
                                   .em = em,
                                   .beside = layout.shape > 0.0,
                                   .look = &plot->look};
done:
    return status;
}

scree_status scree__plot_make(scree__plot *plot, const scree__plot_kind *kind, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    int format = 0;
    scree__canvas_shape shape;
    const bool before = scree__memory_watch();
    SCREE_TRY(find_format(&format, &plot->options, path, error));
    SCREE_TRY(scree__look_make(&plot->look, plot->options.theme, plot->options.palette, plot->options.dark, error));
    SCREE_TRY(check_palette(plot, kind, error));
    if (plot->options.title && strlen(plot->options.title) > LONGEST_TITLE)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a title of %zu bytes is asked for; give at most %d",
                   strlen(plot->options.title), LONGEST_TITLE);
    if (kind->gather)
        SCREE_TRY(kind->gather(plot, error));
    SCREE_TRY(size_canvas(&shape, plot, kind, format, error));
    SCREE_TRY(scree__canvas_open(&plot->canvas, &shape, error));
    plot->page = (scree__page){.words = {plot->options.title, plot->options.note, plot->options.note_context}};
    SCREE_TRY(kind->draw(plot, error));
    if (scree__memory_missed(before))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for a part of the picture; close other programs");
    SCREE_TRY(scree__canvas_finish(plot->canvas, path, plot->page.title, error));
done:
    scree__canvas_free(plot->canvas);
    plot->canvas = NULL;
    free(plot->slopes);
    plot->slopes = NULL;
    scree__plane_free(plot->plane);
    plot->plane = NULL;
    return status;
}

scree_status scree_model_plot(const scree_model *model, scree_source *rows, const char *path,
                              const scree_plot_options *options, scree_error *error)
{
    static const scree_plot_options plain = SCREE_PLOT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    const scree__plot_kind *kind = NULL;
    scree__plot plot = {.model = model, .view = scree_model_get(model), .rows = rows};
    scree_run run;
    plot.options = plain;
    plot.is_ordered = scree_model_can(model, SCREE_CAN_ORDER);
    SCREE_TRY(SCREE_ADOPT(&plot.options, options, error));
    SCREE_TRY(scree__run_adopt(&run, &plot.options.run, error));
    if (plot.options.points <= 0)
        plot.options.points = 1000000;
    SCREE_TRY(find_kind(&kind, &plot, error));
    SCREE_TRY(check_components(&plot, error));
    SCREE_TRY(check_steps(&plot, error));
    SCREE_TRY(check_image(&plot, error));
    plot.shared = scree__shared_of(plot.view->columns, plot.view->d);
    SCREE_TRY(scree__plot_make(&plot, kind, path, error));
done:
    return status;
}

int64_t scree__plot_components(const scree__plot *plot, int64_t *chosen, int64_t most)
{
    const scree_plot_options *options = &plot->options;
    const bool given = options->components && options->component_count > 0;
    const int64_t there = given ? options->component_count : plot->view->m;
    const int64_t count = there < most ? there : most;
    for (int64_t i = 0; i < count; i++)
        chosen[i] = given ? options->components[i] : i;
    return count;
}

const char *scree__plot_column(const scree__plot *plot, int64_t column, char *buffer, size_t size)
{
    if (plot->view->columns)
        scree__words_clean(buffer, size, plot->view->columns[column]);
    else
        snprintf(buffer, size, "c%" PRId64, column + 1);
    return buffer;
}

const char *scree__plot_short_column(const scree__plot *plot, int64_t column, char *buffer, size_t size)
{
    char name[512];
    if (!plot->view->columns)
        return scree__plot_column(plot, column, buffer, size);
    scree__shorten(name, sizeof name, plot->view->columns[column], &plot->shared);
    scree__words_clean(buffer, size, name);
    return buffer;
}

scree_status scree__plot_columns(char ***names, const scree__plot *plot, bool shortened, scree_error *error)
{
    scree_status status = SCREE_OK;
    char **made = NULL;
    const int64_t d = plot->view->d;
    SCREE_ALLOC(made, d, error);
    for (int64_t i = 0; i < d; i++) {
        char name[256];
        made[i] = scree__strdup(shortened ? scree__plot_short_column(plot, i, name, sizeof name)
                                          : scree__plot_column(plot, i, name, sizeof name));
        if (!made[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the names of %" PRId64 " columns", d);
    }
    *names = made;
    made = NULL;
done:
    scree__strings_free(made, d);
    return status;
}

double scree__plot_aspect(const scree__plot *plot, double usual, double em)
{
    static const double around = 12.0, usual_em = 1.0 / 75.0,
                        most = 0.4; /* em of what is not the plot; em of a wide picture */
    return plot->cells ? usual : usual + fmin(around * fmax(em - usual_em, 0.0), most);
}

/* Lines that so many letters take, about. */
static double lines_of(int64_t letters, double size, double em)
{
    static const double wide = 0.58; /* em, of a letter */
    return em < 0.2 ? ceil((double)letters * wide * size * em / (1.0 - 2.0 * em)) : letters > 0;
}

double scree__plot_around(const scree__plot *plot, const scree__surroundings *around, double em)
{
    static const double frame = 7.4, line = 1.55; /* em: margins and axis; of a line of text */
    static const int64_t usual_title = 26;
    const char *own = plot->options.title;
    const double title = own && !*own ? 0.0 : lines_of(own ? scree__words_letters(own) : usual_title, 1.15, em);
    const double under = own && !*own ? 0.0 : fmin(2.0, lines_of(around->under, 1.0, em));
    const double note = fmin(3.0, lines_of(around->note, 0.9, em)), legend = lines_of(around->legend, 1.0, em);
    return (1.0 - around->beside * em) * around->shape +
           (frame + line * (fmax(title - 1.0, 0.0) + under + note + legend)) * em;
}

double scree__plot_share(const scree__plot *plot, int64_t component)
{
    const double total = plot->view->total_variance;
    const scree_rotation_view *rotation = scree_model_rotation(plot->model);
    const double *variances = rotation ? rotation->variances : plot->view->eigenvalues;
    return total > 0.0 ? variances[component] / total : 0.0;
}

void scree__plot_name(const scree__plot *plot, int64_t component, const char *after, char *text, size_t size)
{
    const char *prefix = scree__model_code_prefix(plot->model);
    if (plot->is_ordered || scree_model_rotation(plot->model))
        scree__format(text, size, "%s%" PRId64 ", %.3g %%%s", prefix, component + 1,
                      100.0 * scree__plot_share(plot, component), after);
    else
        snprintf(text, size, "%s%" PRId64, prefix, component + 1);
}
