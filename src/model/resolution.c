/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that were rounded break a relation by what was rounded off. How much that can be is told by the cells of the
 * relation in the row itself, as far as doubles near the means of their columns keep them:
 *
 * - decimals: each cell has its own, though zeros at its end do not show; at most two fewer than the finest;
 * - a common unit: all are multiples of ten, a hundred, ..., as numbers in thousands are;
 * - significant digits: S is the most that one of them has, and a cell of size 10^e has the unit 10^(e-S+1);
 * - the type: doubles, floats, or half floats where all of them are such.
 *
 * Each is half a unit, and the largest counts. Whole numbers of a column that had no others are exact, unless their
 * unit is ten or more, and that not of one of them alone: a total of small counts may well end in 0. O(D). */

#include "model/resolution.h"

#include <float.h>
#include <math.h>

enum { MOST_DECIMALS = 15, MOST_DIGITS = 15, COARSER = 100, USUAL_DIGITS = 6 };
static const double HALF_EPSILON = 0x1p-11; /* of a number that has eleven bits */

/* What the cells of a relation have in common. */
typedef struct digits {
    double finest; /* half a unit of the last decimal of the one that has most */
    double unit;   /* half the largest power of ten of which all are multiples, where that is ten or more; else 0 */
    int most;      /* significant digits */
    bool is_short; /* these are why whole numbers end in zeros: of more than one, or they are as many as printf's %g has
                    */
    bool is_half;  /* all are half floats, and not all whole */
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

/* The cells that end before their point, if they have so many significant digits. */
static int count_longer(const scree_model *model, const double *y, const scree__equation *e, int most)
{
    int count = 0;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double x = cell_of(&model->view, y, j);
        count += has_part(e, j) && x != 0 && exponent_of(x) >= most;
    }
    return count;
}

static digits digits_in(const scree_model *model, const double *y, const scree__equation *e)
{
    const scree_model_view *view = &model->view;
    digits all = {.finest = 0.5, .unit = HUGE_VAL, .is_half = true};
    bool whole = true;
    for (int64_t j = 0; j < view->d; j++) {
        const double x = cell_of(view, y, j);
        const double doubt = doubt_of(view, x, j);
        if (!has_part(e, j))
            continue;
        all.finest = fmin(all.finest, half_decimal(x, doubt));
        whole = whole && fabs(x - nearbyint(x)) <= doubt;
        all.is_half = all.is_half && is_half_float(x, doubt);
        if (fabs(x) <= doubt)
            continue;
        const int count = digits_of(x, doubt);
        all.most = count > all.most ? count : all.most;
        all.unit = fmin(all.unit, half_unit(x));
    }
    all.is_short = all.most >= USUAL_DIGITS || count_longer(model, y, e, all.most) > 1;
    if (!whole || !(all.unit >= 5 && all.unit < HUGE_VAL))
        all.unit = 0;
    all.is_half = all.is_half && !whole;
    return all;
}

/* Whether a column can have been one of whole numbers: its sum is one. */
static bool was_whole(const scree_model_view *view, int64_t column)
{
    const double sum = view->mean[column] * view->weight;
    return fabs(sum - nearbyint(sum)) <= 1e-6 + 8 * DBL_EPSILON * fabs(sum);
}

/* What a cell may have lost. */
static double lost_of(const scree_model_view *view, const digits *all, double x, int64_t j)
{
    const double doubt = doubt_of(view, x, j);
    const double decimal = half_decimal(x, doubt);
    const bool is_zero = fabs(x) <= doubt;
    const double own = is_zero ? all->finest : fmin(decimal, COARSER * all->finest);
    const double significant = is_zero ? 0 : 0.5 * pow(10, exponent_of(x) - all->most + 1);
    const bool exact = decimal == 0.5 && was_whole(view, j);
    const double coarse = fmax(all->unit, exact && !all->is_short ? 0 : significant);
    const double written = exact ? (coarse > 4 ? coarse : 0) : fmax(own, coarse);
    return fmax(written, all->is_half ? HALF_EPSILON * fabs(x) : 0) + half_digit(x);
}

double scree__relation_allowance(const scree_model *model, const double *y, const scree__equation *e)
{
    const scree_model_view *view = &model->view;
    const digits all = digits_in(model, y, e);
    double sum = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const double factor = j == e->p ? 1 : fabs(e->a[j]);
        if (has_part(e, j))
            sum += factor * lost_of(view, &all, cell_of(view, y, j), j) / (view->scale ? view->scale[j] : 1);
    }
    return sum;
}
