/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails of T² and Q, fast. Three families serve (X ≥ 0):
 *
 *     GAMMA   X/scale ~ gamma(a)                    χ²: known parameters
 *     BETA    X/scale ~ beta(a, b), on [0, scale]   rows that helped to estimate the parameters
 *     F       X/scale ~ T/(1-T), T ~ beta(a, b)     new rows
 *
 * An exact tail takes some twenty steps of a continued fraction; interpolating its logarithm takes a few flops. In
 * s = √w, with
 *
 *     w = x/scale (GAMMA),   w = -ln(1-T): -ln(1 - x/scale) (BETA), ln(1 + x/scale) (F),
 *
 * the logarithm is smooth at 0 for every a ≥ ½ and falls like s² (times b) far out, however heavy the tail; its slope
 * is known exactly from the density. So cubic Hermite pieces over equal steps of s do. Beyond the last node, where the
 * chance is below e^-600, the exact tail is computed. */

#include "model/tail_table.h"

#include "base/memory.h"
#include "base/special.h"

#include <math.h>

enum { NODES = 8192 };
static const double DEEP = -600;    /* ln of the chance at the last node */
static const double FARTHEST = 700; /* w of the last node, where chances come from e^-w */

double scree__tail_log(const scree__tail *t, double x)
{
    const double y = x / t->scale;
    if (isinf(y) && t->kind != SCREE__TAIL_NONE)
        return -HUGE_VAL;
    switch (t->kind) {
    case SCREE__TAIL_GAMMA:
        return scree__log_gamma_tail(t->a, y);
    case SCREE__TAIL_BETA:
        return scree__log_beta_tail(t->a, t->b, y, 1 - y);
    case SCREE__TAIL_F:
        return scree__log_beta_tail(t->a, t->b, y / (1 + y), 1 / (1 + y));
    case SCREE__TAIL_NONE:
    default:
        return 0;
    }
}

/* w of x: see above. */
static double bend(const scree__tail *t, double x)
{
    const double y = x / t->scale;
    return t->kind == SCREE__TAIL_GAMMA ? y : t->kind == SCREE__TAIL_BETA ? -log1p(-y) : log1p(y);
}

/* The logarithm of the chance, from w: no digits are lost where T is near 1. */
static double chance(const scree__tail *t, double w)
{
    return t->kind == SCREE__TAIL_GAMMA ? scree__log_gamma_tail(t->a, w)
                                        : scree__log_beta_tail(t->a, t->b, -expm1(-w), exp(-w));
}

/* ln of the density of w: with dT/dw = 1 - T = e^-w. */
static double log_density(const scree__tail *t, double w)
{
    return t->kind == SCREE__TAIL_GAMMA ? scree__log_gamma_density(t->a, w)
                                        : scree__log_beta_density(t->a, t->b, -expm1(-w), exp(-w)) - w;
}

/* d chance(s²) / ds = -density(s²) 2s / P. */
static double slope(const scree__tail *t, double s, double value)
{
    if (s > 0)
        return -exp(log_density(t, s * s) - value) * 2 * s;
    /* At 0 the density is like w^(a-1): the limit is 0 but for a = ½, where a small s shows it. */
    return t->a > 0.5 ? 0 : slope(t, 1e-8, 0);
}

/* Where the chance has fallen to e^DEEP, or e^-w is about to leave the range of a double. */
static double last_node(const scree__tail *t)
{
    double low = 0;
    double high = t->kind == SCREE__TAIL_GAMMA ? t->a : t->a / t->b;
    while ((t->kind == SCREE__TAIL_GAMMA || high < FARTHEST) && chance(t, high) > DEEP) {
        low = high;
        high *= 2;
    }
    if (t->kind != SCREE__TAIL_GAMMA)
        high = fmin(high, FARTHEST);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (chance(t, middle) > DEEP)
            low = middle;
        else
            high = middle;
    }
    return sqrt(low);
}

scree_status scree__tail_table_make(scree__tail_table *table, const scree__tail *tail, scree_error *error)
{
    scree_status status = SCREE_OK;
    table->tail = *tail;
    table->count = 0;
    if (tail->kind == SCREE__TAIL_NONE)
        return SCREE_OK;
    SCREE_ALLOC(table->nodes, 2 * NODES, error);
    table->count = NODES;
    table->step = last_node(tail) / (NODES - 1);
    for (int64_t i = 0; i < NODES; i++) {
        const double s = (double)i * table->step;
        table->nodes[2 * i] = chance(tail, s * s);
        table->nodes[2 * i + 1] = slope(tail, s, table->nodes[2 * i]);
    }
done:
    return status;
}

void scree__tail_table_clear(scree__tail_table *table)
{
    free(table->nodes);
    table->nodes = NULL;
    table->count = 0;
}

double scree__tail_table_log(const scree__tail_table *table, double x)
{
    const double place = x > 0 ? sqrt(bend(&table->tail, x)) / table->step : 0;
    if (!(place < (double)(table->count - 1)))
        return scree__tail_log(&table->tail, x);
    const int64_t i = (int64_t)place;
    const double u = place - (double)i;
    const double *node = table->nodes + 2 * i;
    const double v = 1 - u;
    return v * v * ((1 + 2 * u) * node[0] + u * table->step * node[1]) +
           u * u * ((1 + 2 * v) * node[2] - v * table->step * node[3]);
}
