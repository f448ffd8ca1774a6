/* SPDX-License-Identifier: BSD-3-Clause */
#include "scree.h"
#include <stdio.h>
SCREE_API scree_status scree_module_open_1(scree_source_calls *calls, const char *path,
                                           const scree_read_options *options, scree_error *error);
scree_status scree_module_open_1(scree_source_calls *calls, const char *path, const scree_read_options *options,
                                 scree_error *error)
{
    (void)calls, (void)options;
    snprintf(error->text, sizeof error->text, "%.500s: not yet", path);
    return error->status = SCREE_ERR_UNSUPPORTED;
}
