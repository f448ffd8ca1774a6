/* SPDX-License-Identifier: BSD-3-Clause */
/* One list of the names of element types, for the option --type and for descriptions of archives. */

#include "element_types.h"

#include <string.h>

const char *const cli_type_names[] = {
    [SCREE_F32] = "f4", [SCREE_F64] = "f8",    [SCREE_U8] = "u1",       [SCREE_I8] = "i1",  [SCREE_I16] = "i2",
    [SCREE_U16] = "u2", [SCREE_I32] = "i4",    [SCREE_U32] = "u4",      [SCREE_I64] = "i8", [SCREE_U64] = "u8",
    [SCREE_F16] = "f2", [SCREE_BOOL] = "bool", [SCREE_BOOL + 1] = NULL,
};

scree_type cli_type_of(const char *name)
{
    int type = SCREE_F32;
    while (type < SCREE_BOOL && strcmp(cli_type_names[type], name) != 0)
        type++;
    return (scree_type)type;
}
