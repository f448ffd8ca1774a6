/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TYPED_PANEL_TABLES_H
#define SCREE_KERNEL_TYPED_PANEL_TABLES_H

/* What the tables of panel.h are made of, and those for machines that have the instructions. */

#include "kernel/panel.h"
#include "kernel/typed/real.h"

void FN(panels_lay)(const scree__panel_tile *tile, const scree__rows *x, const void *shift);
void FN(panels_split)(const scree__thin *x, int64_t known, int64_t width, void *panel);

extern const scree__panel_kind FN(panel_narrow_avx2);
extern const scree__panels FN(panels_avx2);
extern const scree__panels FN(panels_avx512);

#endif
