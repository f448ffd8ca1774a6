/* SPDX-License-Identifier: BSD-3-Clause */
/* Which table of block operations serves which element type: float data is multiplied in float and summed in double;
 * everything else is double throughout. */

#include "kernel/ops.h"

const scree__ops *scree__ops_for(scree_type source_type)
{
    return source_type == SCREE_F32 ? &scree__ops_f32 : &scree__ops_f64;
}
