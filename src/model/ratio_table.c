/* SPDX-License-Identifier: BSD-3-Clause */
/* The tail of one ratio at many x: its logarithm between equal steps of x, by the cubic through four of them. The nodes
 * span all x whose chance is between 1 - 1e-6 and e^-60; elsewhere the tail itself is computed. 1024 of them: 1 ms. */

#include "model/ratio_tail.h"

#include "base/memory.h"

#include <math.h>

enum { NODES = 1024, HALVINGS = 60 };
static const double SHALLOW = -1e-6;
static const double DEEP = -60;

/* The x where ln P has fallen to level, between low and high. */
static double crossing(const scree__ratio *ratio, double level, double low, double high)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (scree__ratio_log_tail(ratio, middle) > level)
            low = middle;
        else
            high = middle;
    }
    return low;
}

scree_status scree__ratio_table_make(scree__ratio_table *table, const scree__ratio *ratio, scree_error *error)
{
    scree_status status = SCREE_OK;
    double largest = 0;
    *table = (scree__ratio_table){.ratio = *ratio};
    if (!scree__ratio_varies(ratio))
        return SCREE_OK;
    for (int64_t i = 0; i < ratio->terms; i++)
        largest = fmax(largest, ratio->values[i]);
    SCREE_ALLOC(table->nodes, NODES, error);
    table->first = crossing(ratio, SHALLOW, 0, largest);
    table->step = (crossing(ratio, DEEP, table->first, largest) - table->first) / (NODES - 1);
    for (int64_t i = 0; i < NODES; i++)
        table->nodes[i] = scree__ratio_log_tail(ratio, table->first + (double)i * table->step);
    table->count = table->step > 0 ? NODES : 0;
done:
    return status;
}

void scree__ratio_table_clear(scree__ratio_table *table)
{
    free(table->nodes);
    *table = (scree__ratio_table){0};
}

double scree__ratio_table_log(const scree__ratio_table *table, double x)
{
    const double at = (x - table->first) / table->step;
    if (x <= table->first)
        return 0;
    if (!(at >= 1 && at < (double)(table->count - 2)))
        return scree__ratio_log_tail(&table->ratio, x);
    const int64_t i = (int64_t)at;
    const double *f = table->nodes + i - 1;
    const double u = at - (double)i;
    const double before = u + 1, after = u - 1, beyond = u - 2;
    return (before * u * (after * f[3] - 3 * beyond * f[2]) + after * beyond * (3 * before * f[1] - u * f[0])) / 6;
}
