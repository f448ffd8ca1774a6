/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SIZED_H
#define SCREE_BASE_SIZED_H

/* Structs that begin with their size, so that caller and library may know different versions of them.
 *
 *     scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
 *     SCREE_TRY(SCREE_ADOPT(&mine, theirs, error));      what the caller set, defaults for the rest
 *     SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
 *
 * and back: SCREE_GIVE(theirs, &mine, error) fills as much of the caller's struct as the caller knows.
 * These are declared in scree_private.h. */

#include "scree_private.h"

#endif
