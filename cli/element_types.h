/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_ELEMENT_TYPES_H
#define SCREE_CLI_ELEMENT_TYPES_H

/* Names of element types, as NumPy calls them: what --type takes, and archives are described with. */

#include "scree.h"

extern const char *const cli_type_names[]; /* by scree_type, and NULL */

/* The type of that name, which is one of these. */
scree_type cli_type_of(const char *name);

#endif
