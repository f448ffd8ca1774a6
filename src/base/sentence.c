/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of names in sentences, made from tables: what a table has, the sentence says. */

#include "base/sentence.h"

#include <stdio.h>
#include <string.h>

void scree__list_add(char *list, size_t size, const char *name, bool last)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used == 0 ? "" : last ? " and " : ", ", name);
}
