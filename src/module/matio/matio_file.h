/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_MATIO_FILE_H
#define SCREE_MODULE_MATIO_FILE_H

/* MAT files: what their variables are, and which of them is meant. */

#include "scree.h"

#include <matio.h>

#define MAT_TRY(call)                                                                                                  \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)

#define MAT_FAIL(...)                                                                                                  \
    do {                                                                                                               \
        status = mat_fail(__VA_ARGS__);                                                                                \
        goto done;                                                                                                     \
    } while (0)

scree_status mat_fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Opens a file to be read; what the library would print is left unsaid. */
scree_status mat_open(mat_t **out, const char *path, scree_error *error);

/* Why a variable is no matrix of numbers that can be read, or NULL: it is one, and *type that of its elements. */
const char *mat_unusable(const matvar_t *variable, scree_type *type);

/* The variable of that name, or, without one, the only one that can be used: its description, to be freed. */
scree_status mat_find(matvar_t **out, mat_t *mat, const char *path, const char *wanted, scree_error *error);

#endif
