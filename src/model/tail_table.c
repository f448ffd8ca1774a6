/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails of T² and Q, fast. Three families serve (X ≥ 0):
 *
 *     GAMMA   X/scale ~ gamma(a)                    χ²: known parameters
 *     BETA    X/scale ~ beta(a, b), on [0, scale]   rows that helped to estimate the parameters
 *     F       X/scale ~ T/(1-T), T ~ beta(a, b)     new rows
 *
 * An exact tail takes some twenty steps of a continued fraction; interpolating its logarithm takes a few flops. With t
 * = X/scale, or t = T for F, the logarithm is smooth in s = √t for every a = ½, 1, 1½, …, and its slope is known from
 * the density: cubic Hermite pieces over equal steps of s do. Before the first node the chance is 1 to 1e-12; beyond
 * the last, where it is below e^-600 or t too near its end at 1 for cubics to follow, the exact tail is computed. */

#include "model/tail_table.h"

#include "base/memory.h"
#include "base/special.h"

#include <math.h>

enum { NODES = 2048 };                /* 32 KiB; errors fall with the fourth power */
static const double SHALLOW = -1e-12; /* ln of the chance at the first node */
static const double DEEP = -600;      /* and at the last */

/* t, and 1 - t with all its digits. */
typedef struct place {
    double t;
    double rest;
} place;

static place place_of(const scree__tail *tail, double x)
{
    const double y = x / tail->scale;
    if (tail->kind == SCREE__TAIL_F)
        return isinf(y) ? (place){1, 0} : (place){y / (1 + y), 1 / (1 + y)};
    return (place){y, 1 - y};
}

static double log_tail(const scree__tail *tail, place p)
{
    return tail->kind == SCREE__TAIL_GAMMA ? scree__log_gamma_tail(tail->a, p.t)
                                           : scree__log_beta_tail(tail->a, tail->b, p.t, p.rest);
}

double scree__tail_log(const scree__tail *tail, double x)
{
    return tail->kind == SCREE__TAIL_NONE ? 0 : log_tail(tail, place_of(tail, x));
}

/* d ln P(t ≥ s²) / ds = -density(s²) 2s / P(t ≥ s²). */
static double slope(const scree__tail *tail, double s, double value)
{
    const double t = s * s;
    const double density = tail->kind == SCREE__TAIL_GAMMA ? scree__log_gamma_density(tail->a, t)
                                                           : scree__log_beta_density(tail->a, tail->b, t, 1 - t);
    return -exp(density - value) * 2 * s;
}

/* s where the chance has fallen to e^level, between low and high. */
static double crossing(const scree__tail *tail, double level, double low, double high)
{
    for (int i = 0; i < 100 && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (log_tail(tail, (place){middle * middle, 1 - middle * middle}) > level)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The first node and the step. ln P of a beta is b ln(1-s) near its end, whose fourth derivative leaves cubics an error
 * of (b/64) (step/(1-s))⁴: the last node is so far from 1 that this is 2.5e-10. */
static void lay_nodes(scree__tail_table *table)
{
    const scree__tail *tail = &table->tail;
    const bool ends = tail->kind != SCREE__TAIL_GAMMA;
    double last = ends ? 1 - 1e-9 : sqrt(tail->a) + 40; /* √gamma is about normal, of variance ¼ */
    table->first = crossing(tail, SHALLOW, 0, last);
    last = crossing(tail, DEEP, table->first, last);
    table->step = (last - table->first) / (NODES - 1);
    if (ends)
        last = fmin(last, 1 - table->step * pow(tail->b * 6.4e7, 0.25));
    table->step = fmax(last - table->first, 0) / (NODES - 1);
}

scree_status scree__tail_table_make(scree__tail_table *table, const scree__tail *tail, scree_error *error)
{
    scree_status status = SCREE_OK;
    *table = (scree__tail_table){.tail = *tail};
    if (tail->kind == SCREE__TAIL_NONE)
        return SCREE_OK;
    SCREE_ALLOC(table->nodes, 2 * NODES, error);
    table->count = NODES;
    lay_nodes(table);
    for (int64_t i = 0; i < NODES; i++) {
        const double s = table->first + (double)i * table->step;
        table->nodes[2 * i] = log_tail(tail, (place){s * s, 1 - s * s});
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
    if (table->tail.kind == SCREE__TAIL_NONE)
        return 0;
    const place p = place_of(&table->tail, x);
    const double s = p.t > 0 ? sqrt(p.t) : 0;
    if (s <= table->first)
        return 0;
    const double at = (s - table->first) / table->step;
    if (!(at < (double)(table->count - 1)))
        return log_tail(&table->tail, p);
    const int64_t i = (int64_t)at;
    const double u = at - (double)i;
    const double *node = table->nodes + 2 * i;
    const double v = 1 - u;
    return v * v * ((1 + 2 * u) * node[0] + u * table->step * node[1]) +
           u * u * ((1 + 2 * v) * node[2] - v * table->step * node[3]);
}
