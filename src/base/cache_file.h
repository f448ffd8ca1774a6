/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_CACHE_FILE_H
#define SCREE_BASE_CACHE_FILE_H

/* Small texts that are kept for the next process in a folder that the caller names. Whatever goes wrong, there is
 * simply nothing kept: no call here is an error. */

#include <stdbool.h>
#include <stddef.h>

/* The text kept under the name, ended by a zero; false when there is none, or it does not fit. */
bool scree__cache_read(const char *folder, const char *name, char *text, size_t size);

/* Makes the folder, and the one it lies in, where they are missing; whether something can be kept there. */
bool scree__cache_make(const char *folder);

/* Keeps the text unless the name is taken, whole or not at all; of several processes the first one wins, and all of
 * them read the same afterwards. The folder is there already. */
void scree__cache_keep(const char *folder, const char *name, const char *text);

void scree__cache_remove(const char *folder, const char *name);

#endif
