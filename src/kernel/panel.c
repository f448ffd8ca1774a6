/* SPDX-License-Identifier: BSD-3-Clause */
/* How a thin matrix is cut into panels (panel.h): filled up to a multiple of the narrowest kind, then the widest that
 * still fits, so that no more is multiplied than b asks for. */

#include "kernel/panel.h"

int64_t scree__panels_padded(const scree__panels *panels, int64_t b)
{
    int64_t narrowest = panels->kinds[0]->width;
    for (int i = 1; i < SCREE__PANEL_KINDS && panels->kinds[i]; i++)
        narrowest = panels->kinds[i]->width;
    return (b + narrowest - 1) / narrowest * narrowest;
}

const scree__panel_kind *scree__panels_at(const scree__panels *panels, int64_t first, int64_t padded)
{
    int i = 0;
    while (panels->kinds[i]->width > padded - first)
        i++;
    return panels->kinds[i];
}
