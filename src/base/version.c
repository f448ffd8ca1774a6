/* SPDX-License-Identifier: BSD-3-Clause */
/* The version, as text, from the numbers in scree.h. */

#include "scree.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *scree_version(void)
{
    return TEXT(SCREE_VERSION_MAJOR) "." TEXT(SCREE_VERSION_MINOR) "." TEXT(SCREE_VERSION_PATCH);
}

int scree_version_number(void)
{
    return SCREE_VERSION_NUMBER;
}
