/* SPDX-License-Identifier: BSD-3-Clause */
/* A relation between columns as an equation that people read: x_p = b + Σ a_j x_j in the units of the data, each term
 * on the side where it is positive. Coefficients and the constant have four digits; more than a few terms are counted.
 */

#include "model/relations.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_TERMS = 6 };          /* of a side */
static const double WHOLE = 1e-6; /* that a coefficient may miss 1 by, and a constant 0, beside the terms */

typedef struct writing {
    char *text;
    size_t size;
    size_t used;
} writing;

__attribute__((format(printf, 2, 3))) static void put(writing *w, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = w->used < w->size ? vsnprintf(w->text + w->used, w->size - w->used, format, values) : 0;
    va_end(values);
    w->used += length > 0 ? (size_t)length : 0;
}

/* The coefficient of column j in 0 = constant + Σ. */
static double coefficient(const scree_model *model, int64_t k, int64_t j)
{
    const scree_model_view *view = &model->view;
    const int64_t p = model->relations->columns[k];
    const double ratio = view->scale ? view->scale[p] / view->scale[j] : 1;
    return j == p ? -1 : model->relations->coefficients[k * view->d + j] * ratio;
}

static double constant(const scree_model *model, int64_t k)
{
    const scree_model_view *view = &model->view;
    const int64_t p = model->relations->columns[k];
    double sum = model->relations->offsets[k] * (view->scale ? view->scale[p] : 1);
    double size = fabs(sum);
    for (int64_t j = 0; j < view->d; j++) {
        const double a = coefficient(model, k, j);
        sum -= a * view->mean[j];
        size += fabs(a) * (fabs(view->mean[j]) + (a != 0 ? sqrt(view->variances[j]) : 0));
    }
    return fabs(sum) > WHOLE * size ? sum : 0;
}

static void write_term(writing *w, const scree_model_view *view, double a, int64_t column)
{
    if (fabs(a - 1) > WHOLE)
        put(w, "%.4g·", a);
    if (view->columns)
        put(w, "%s", view->columns[column]);
    else
        put(w, "column %" PRId64, column + 1);
}

/* The terms that are positive when multiplied by sign. */
static void write_side(writing *w, const scree_model *model, int64_t k, double sign)
{
    const scree_model_view *view = &model->view;
    const double more = sign * constant(model, k);
    int64_t terms = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const double a = sign * coefficient(model, k, j);
        if (!(a > 0) || terms++ >= MOST_TERMS)
            continue;
        if (terms > 1)
            put(w, " + ");
        write_term(w, view, a, j);
    }
    if (terms > MOST_TERMS)
        put(w, " + … (%" PRId64 " columns)", terms);
    if (more > 0 || terms == 0)
        put(w, "%s%.4g", terms > 0 ? " + " : "", fmax(more, 0));
}

/* The side of more terms comes first, or else that of the first column. */
static double left_sign(const scree_model *model, int64_t k)
{
    int64_t more = 0;
    double first = 0;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double a = coefficient(model, k, j);
        more += (a > 0) - (a < 0);
        first = first != 0 ? first : a;
    }
    return more > 0 || (more == 0 && first > 0) ? 1 : -1;
}

void scree_model_relation_text(const scree_model *model, int64_t k, char *text, size_t size)
{
    writing w = {text, size, 0};
    if (size == 0)
        return;
    text[0] = '\0';
    if (!model->relations || k < 0 || k >= model->relations->count)
        return;
    const double first = left_sign(model, k);
    write_side(&w, model, k, first);
    put(&w, " = ");
    write_side(&w, model, k, -first);
}
