/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that were rounded break a relation by what was rounded off. How much that can be is told by the cells of the
 * relation in the row itself, as far as doubles near the means of their columns keep them:
 *
 * - decimals: each cell has its own, though zeros at its end do not show; at most two fewer than the finest;
 * - a common unit: all that could be finer are multiples of a hundredth, ten, a thousand, ...;
 * - significant digits: S is the most that one of them has, and a cell of size 10^e has the unit 10^(e-S+1);
 * - the type: doubles, floats, or half floats where all of them are such.
 *
 * Each is half a unit, and the largest counts.
 *
 * A relation that held in all fitted rows held in the units of their columns: the decimals that the cells of each had
 * at most. A cell that is a multiple of its column's unit is written as finely as those, though it may well end in 0,
 * and is exact. It counts as rounded only where the row shows it: all cells end in such zeros, and more than one; more
 * than one end early, as numbers of few significant digits do, or one does and so do other cells of the row; or a cell
 * lacks four decimals or more. What it lost is then a unit at least, but beside cells that are finer than their units.
 * O(D). */

#include "model/resolution.h"

#include "kernel/decimals.h"
#include "model/relations.h"

#include <float.h>
#include <math.h>

enum { MOST_DECIMALS = 15, MOST_DIGITS = 15, COARSER = 100, USUAL_DIGITS = 6, NOWHERE = -1000 };
enum { FAR_COARSER = 10000, FAR_EXPONENT = 3 }; /* than fitted cells: chance would not have it so */
static const double HALF_EPSILON = 0x1p-11;     /* of a number that has eleven bits */

/* What the cells of a relation have in common. */
typedef struct digits {
    double finest; /* half a unit of the last decimal of the one that has most */
    double unit;   /* half the largest power of ten at which all end that could be finer; 0: there is none */
    int most;      /* significant digits */
    bool is_short; /* these are why cells end before their unit */
    bool is_finer; /* one is not a multiple of its column's unit, so that this is not the row's */
    bool is_half;  /* all are half floats, and not by chance, as small whole numbers are */
} digits;

static double cell_of(const scree_model_view *view, const double *y, int64_t j)
{
    return y[j] * (view->scale ? view->scale[j] : 1) + view->mean[j];
}

/* What rounding may have made of a cell on its way. */
static double doubt_of(const scree_model_view *view, double x, int64_t j)
{
    return 4 * DBL_EPSILON * (fabs(x) + fabs(view->mean[j]));
}

/* Half a unit of the last decimal that a cell has. */
static double half_decimal(double x, double doubt)
{
    double power = 1;
    for (int k = 0; k < MOST_DECIMALS && fabs(x * power - nearbyint(x * power)) > doubt * power; k++)
        power *= 10;
    return 0.5 / power;
}

/* The decimal exponent of a number, and how many significant digits it has. */
static int exponent_of(double x)
{
    return (int)floor(log10(fabs(x)));
}

static int digits_of(double x, double doubt)
{
    const int exponent = exponent_of(x);
    int count = 1;
    for (; count < MOST_DIGITS; count++) {
        const double power = pow(10, count - 1 - exponent);
        if (fabs(x * power - nearbyint(x * power)) <= doubt * power)
            break;
    }
    return count;
}

/* Half the largest power of ten of which a whole number is a multiple. */
static double half_unit(double x)
{
    double unit = 1;
    while (unit < 1e15 && fmod(nearbyint(x), 10 * unit) == 0)
        unit *= 10;
    return unit / 2;
}

/* How far a cell may be from the number that it stands for: by the rounding of doubles, or of floats. */
static double half_digit(double x)
{
    const bool is_float = fabs(x) < FLT_MAX && fabs(x - (double)(float)x) <= 4 * DBL_EPSILON * fabs(x);
    return fabs(x) * (is_float && x != nearbyint(x) ? FLT_EPSILON : 4 * DBL_EPSILON);
}

static bool is_half_float(double x, double doubt)
{
    const double unit = x != 0 ? ldexp(1, ilogb(x) - 10) : 1;
    return fabs(x / unit - nearbyint(x / unit)) <= doubt / unit && fabs(x) < 65520;
}

static bool has_part(const scree__equation *e, int64_t j)
{
    return e->a[j] != 0 || j == e->p;
}

/* The exponent of the unit in which a cell is written as finely as all fitted ones of its column; NOWHERE: it is not
 * such a cell, or these have no unit. */
static int unit_of(const scree_model *model, double x, int64_t j)
{
    const int64_t decimals = model->relations->decimals[j];
    const bool is_such = decimals >= 0 && scree__decimals(x, doubt_of(&model->view, x, j), decimals) == decimals;
    return is_such ? -(int)decimals : NOWHERE;
}

/* The exponent of the last digit that a cell has. */
static int last_of(double x, double doubt)
{
    const double half = half_decimal(x, doubt);
    return (int)nearbyint(log10(2 * (half < 0.5 ? half : half_unit(x))));
}

/* How many cells end at 10^exponent, or before, though their columns have finer units; one that ends far before its own
 * is as good as two. */
static int count_ending(const scree_model *model, const double *y, const scree__equation *e, int exponent)
{
    int count = 0;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double x = has_part(e, j) ? cell_of(&model->view, y, j) : 0;
        if (fabs(x) <= doubt_of(&model->view, x, j))
            continue;
        const int unit = unit_of(model, x, j);
        count += unit > exponent - FAR_EXPONENT ? unit < exponent : 2;
    }
    return count;
}

/* The cells that end before their unit, or their point, if they have so many significant digits. */
static int count_longer(const scree_model *model, const double *y, const scree__equation *e, int most)
{
    int count = 0;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double x = cell_of(&model->view, y, j);
        const int unit = unit_of(model, x, j);
        count += has_part(e, j) && x != 0 && exponent_of(x) - most >= (unit > NOWHERE ? unit : 0);
    }
    return count;
}

/* Whether other cells of the row, of columns that had more digits than can be told, have no more than so many; or are
 * half floats, where most is 0. Then so is the row. */
static bool others_tell(const scree_model *model, const double *y, const scree__equation *e, int most)
{
    bool tell = false;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double x = cell_of(&model->view, y, j);
        const double doubt = doubt_of(&model->view, x, j);
        if (has_part(e, j) || !(model->view.variances[j] > 0) || model->relations->decimals[j] >= 0 ||
            !(fabs(x) > doubt))
            continue;
        if (most > 0 ? digits_of(x, doubt) > most : !is_half_float(x, doubt))
            return false;
        tell = true;
    }
    return tell;
}

static digits digits_in(const scree_model *model, const double *y, const scree__equation *e)
{
    const scree_model_view *view = &model->view;
    digits all = {.finest = 0.5, .is_half = true};
    bool whole = true;
    int last = MOST_DIGITS;
    for (int64_t j = 0; j < view->d; j++) {
        const double x = cell_of(view, y, j);
        const double doubt = doubt_of(view, x, j);
        if (!has_part(e, j))
            continue;
        all.finest = fmin(all.finest, half_decimal(x, doubt));
        all.is_finer = all.is_finer || unit_of(model, x, j) == NOWHERE;
        whole = whole && fabs(x - nearbyint(x)) <= doubt;
        all.is_half = all.is_half && is_half_float(x, doubt);
        if (fabs(x) <= doubt)
            continue;
        const int count = digits_of(x, doubt);
        all.most = count > all.most ? count : all.most;
        last = last_of(x, doubt) < last ? last_of(x, doubt) : last;
    }
    if (count_ending(model, y, e, last) > 1)
        all.unit = 0.5 * pow(10, last);
    const int longer = count_longer(model, y, e, all.most);
    all.is_short = all.most >= USUAL_DIGITS || longer > 1 || (longer > 0 && others_tell(model, y, e, all.most));
    all.is_half = all.is_half && (!whole || others_tell(model, y, e, 0));
    return all;
}

/* What a cell may have lost: one that is a multiple of its column's unit, that or nothing. */
static double lost_of(const scree_model *model, const digits *all, double x, int64_t j)
{
    const double doubt = doubt_of(&model->view, x, j);
    const int unit = unit_of(model, x, j);
    const bool is_zero = fabs(x) <= doubt;
    const double decimal = half_decimal(x, doubt);
    const double own = is_zero ? all->finest : fmin(decimal, COARSER * all->finest);
    const double significant = is_zero ? 0 : 0.5 * pow(10, exponent_of(x) - all->most + 1);
    const double half = all->is_half ? HALF_EPSILON * fabs(x) : 0;
    if (unit == NOWHERE)
        return fmax(fmax(own, significant), fmax(all->unit, half)) + half_digit(x);
    const double least = pow(10, unit);
    const bool ends_early = !is_zero && decimal > 0.4 * FAR_COARSER * least;
    const double written = fmax(all->unit, fmax(all->is_short ? significant : 0, ends_early ? own : 0));
    const double lost = fmax(written, fmax(half, half_digit(x)));
    return (lost >= least ? lost : all->is_finer ? all->finest : 0) + 4 * DBL_EPSILON * fabs(x);
}

double scree__relation_allowance(const scree_model *model, const double *y, const scree__equation *e)
{
    const scree_model_view *view = &model->view;
    const digits all = digits_in(model, y, e);
    double sum = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const double factor = j == e->p ? 1 : fabs(e->a[j]);
        if (has_part(e, j))
            sum += factor * lost_of(model, &all, cell_of(view, y, j), j) / (view->scale ? view->scale[j] : 1);
    }
    return sum;
}
