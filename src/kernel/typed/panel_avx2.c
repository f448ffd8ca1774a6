/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of panel.h with AVX2: 6×2 or 12×1 sums in 16 registers. */

#if defined(__x86_64__) && defined(__GNUC__)

#define VECTOR 32
#define WIDE_SUMS 6
#define TARGET __attribute__((target("avx2,fma")))
#include "kernel/typed/panel_kernel.h"
#include "kernel/typed/panel_tables.h"

static const scree__panel_kind wide = {2 * LANES, wide_forward, wide_backward};
const scree__panel_kind FN(panel_narrow_avx2) = {LANES, narrow_forward, narrow_backward};

const scree__panels FN(panels_avx2) = {{&wide, &FN(panel_narrow_avx2)}, FN(panels_lay), FN(panels_split)};

#else
typedef int nothing; /* a file must declare something */
#endif
