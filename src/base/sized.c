/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs that begin with their size. A caller's struct may be shorter than the library's (an older program) or longer
 * (a newer one): what both know is copied, what only the library knows keeps its default, and what only the caller
 * knows must be zero, for it would be ignored. */

#include "base/sized.h"

#include <string.h>

static scree_status without_size(const char *name, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_ARGUMENT, "'%s' has no size; start from its SCREE_..._INIT", name);
}

scree_status scree__adopt(void *mine, size_t size, const void *theirs, const char *name, scree_error *error)
{
    if (!theirs)
        return SCREE_OK;
    const size_t given = *(const size_t *)theirs;
    if (given < sizeof(size_t))
        return without_size(name, error);
    for (size_t i = size; i < given; i++)
        if (((const char *)theirs)[i] != 0)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "'%s' sets a field that scree %s does not know; use a newer library", name,
                               scree_version());
    memcpy(mine, theirs, given < size ? given : size);
    *(size_t *)mine = size;
    return SCREE_OK;
}

scree_status scree__give(void *theirs, const void *mine, size_t size, const char *name, scree_error *error)
{
    if (!theirs)
        return SCREE_OK;
    const size_t wanted = *(const size_t *)theirs;
    if (wanted < sizeof(size_t))
        return without_size(name, error);
    memcpy(theirs, mine, wanted < size ? wanted : size);
    *(size_t *)theirs = wanted;
    return SCREE_OK;
}

scree_status scree__run_adopt(scree_run *mine, const scree_run **run, scree_error *error)
{
    static const scree_run defaults = SCREE_RUN_INIT;
    const scree_run *theirs = *run;
    *mine = defaults;
    *run = mine;
    const scree_status status = scree__adopt(mine, sizeof *mine, theirs, "run", error);
    if (status == SCREE_OK && (mine->threads < 0 || mine->memory < 0 || mine->block_rows < 0))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "threads, memory and block rows cannot be negative");
    return status;
}
