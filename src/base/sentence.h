/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SENTENCE_H
#define SCREE_BASE_SENTENCE_H

/* Parts of the sentences that people read. */

#include <stdbool.h>
#include <stddef.h>

/* Adds a name to a list, which begins as an empty string: "svd", then "svd, lanczos", then, the last, "svd, lanczos and
 * em". What does not fit is cut off. */
void scree__list_add(char *list, size_t size, const char *name, bool last);

#endif
