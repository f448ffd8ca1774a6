/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of panel.h with vectors of 16 bytes, for any machine. */

#define VECTOR 16
#define WIDE_SUMS 6
#define TARGET
#include "kernel/typed/panel_kernel.h"
#include "kernel/typed/panel_tables.h"

static const scree__panel_kind wide = {2 * LANES, wide_forward, wide_backward};
static const scree__panel_kind narrow = {LANES, narrow_forward, narrow_backward};

const scree__panels FN(panels_portable) = {{&wide, &narrow}, FN(panels_lay), FN(panels_split)};
