/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_ERROR_H
#define SCREE_BASE_ERROR_H

/* How failures travel: a status up the stack, one sentence for the user beside it.
 *
 *     scree_status scree__thing(T **out, ..., scree_error *error)
 *     {
 *         scree_status status = SCREE_OK;
 *         T *thing = NULL;
 *         SCREE_ALLOC(thing, 1, error);
 *         SCREE_TRY(scree__part(thing, error));
 *         if (bad)
 *             SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: row %lld ...", path, row);
 *         *out = thing;
 *         thing = NULL;
 *     done:
 *         thing_free(thing);
 *         return status;
 *     }
 *
 * scree__fail, SCREE_TRY and SCREE_FAIL are declared in scree_private.h, for libscree-view needs them, too. */

#include "scree_private.h"

/* A file that cannot be opened for reading, and why: reason is errno. */
scree_status scree__fail_open(const char *path, int reason, scree_error *error);
/* What a callback said when it failed, or a sentence for it: "NAME: the callback 'next' failed ...". */
scree_status scree__fail_as_said(scree_status status, const scree_error *said, const char *name, const char *call,
                                 scree_error *error);

#endif
