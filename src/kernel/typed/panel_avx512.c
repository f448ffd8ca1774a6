/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of panel.h with AVX-512: 12×2 or 12×1 sums in 32 registers. Half a vector is left to AVX2. */

#if defined(__x86_64__) && defined(__GNUC__)

#define VECTOR 64
#define WIDE_SUMS 12
#define TARGET __attribute__((target("avx512f")))
#include "kernel/typed/panel_kernel.h"
#include "kernel/typed/panel_tables.h"

static const scree__panel_kind wide = {2 * LANES, wide_forward, wide_backward};
static const scree__panel_kind narrow = {LANES, narrow_forward, narrow_backward};

const scree__panels FN(panels_avx512) = {{&wide, &narrow, &FN(panel_narrow_avx2)}, FN(panels_lay), FN(panels_split)};

#else
typedef int nothing; /* a file must declare something */
#endif
