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
 */

#include "scree.h"

/* Fills *error (may be NULL) and returns status. */
scree_status scree__fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A file that cannot be opened for reading, and why: reason is errno. */
scree_status scree__fail_open(const char *path, int reason, scree_error *error);

/* One way out: to the label done, with the local variable status set. */
#define SCREE_TRY(expression)                                                                                          \
    do {                                                                                                               \
        status = (expression);                                                                                         \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)

#define SCREE_FAIL(error, code, ...)                                                                                   \
    do {                                                                                                               \
        status = (code); /* said here, so that compilers and analysers know it is not SCREE_OK */                      \
        scree__fail((error), status, __VA_ARGS__);                                                                     \
        goto done;                                                                                                     \
    } while (0)

#endif
