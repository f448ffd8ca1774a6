/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_CRITERIA_H
#define SCREE_TESTS_CRITERIA_H

/* A criterion of a selection by its name, which must be there. */

#include "support/checks.h"

#include <string.h>

static inline const scree_criterion *criterion(const scree_selection *selection, const char *name)
{
    const scree_criterion *c = NULL;
    for (int64_t i = 0; (c = scree_selection_criterion(selection, i)) != NULL; i++)
        if (strcmp(c->name, name) == 0)
            return c;
    fail_msg("there is no criterion %s", name);
    return NULL;
}

#endif
