/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's cache folder, following the XDG base directory specification: $XDG_CACHE_HOME/scree, or ~/.cache/scree.
 * SCREE_CACHE in the environment overrides it with an absolute path; any other value, such as off, means none. The
 * library does not read the environment, so this is the only place that decides. */

#include "cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

const char *cli_cache_folder(void)
{
    static char folder[1024];
    const char *own = getenv("SCREE_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (own)
        length = is_absolute(own) ? snprintf(folder, sizeof folder, "%s", own) : 0;
    else if (is_absolute(xdg))
        length = snprintf(folder, sizeof folder, "%s/scree", xdg);
    else if (is_absolute(home))
        length = snprintf(folder, sizeof folder, "%s/.cache/scree", home);
    return length > 0 && (size_t)length < sizeof folder ? folder : NULL;
}
