/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SIZED_H
#define SCREE_BASE_SIZED_H

/* Structs that begin with their size, so that caller and library may know different versions of them.
 *
 *     scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
 *     SCREE_TRY(SCREE_ADOPT(&mine, theirs, error));      what the caller set, defaults for the rest
 *     SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
 *
 * and back: SCREE_GIVE(theirs, &mine, error) fills as much of the caller's struct as the caller knows. */

#include "base/error.h"

/* mine holds defaults; theirs may be NULL. Fails when theirs has no size, or sets a field that mine has not. */
scree_status scree__adopt(void *mine, size_t size, const void *theirs, const char *name, scree_error *error);
#define SCREE_ADOPT(mine, theirs, error) scree__adopt((mine), sizeof *(mine), (theirs), #theirs, (error))

/* theirs may be NULL: then nothing is wanted. Fails when it has no size. */
scree_status scree__give(void *theirs, const void *mine, size_t size, const char *name, scree_error *error);
#define SCREE_GIVE(theirs, mine, error) scree__give((theirs), (mine), sizeof *(mine), #theirs, (error))

/* *mine becomes the caller's run, or the default one where it is NULL; *run points to it from then on. */
scree_status scree__run_adopt(scree_run *mine, const scree_run **run, scree_error *error);

#endif
