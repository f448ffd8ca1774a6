/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_UTF8_H
#define SCREE_BASE_UTF8_H

/* Text as UTF-8: which bytes are letters, and which letters are safe to show. scree__utf8_letter and scree__utf8_steers
 * are declared in scree_private.h, for libscree-view needs them, too; scree_text_visible in scree.h. */

#include "scree_private.h"

/* How many of the size bytes, from the first, are UTF-8: size when all are. */
size_t scree__utf8_valid(const char *text, size_t size);

/* Fails when one of the names is not UTF-8: "WHERE: the name of WHAT 3 ...". names, or one of them, may be NULL. */
scree_status scree__utf8_names(const char *const *names, int64_t count, const char *what, const char *where,
                               scree_error *error);

/* Takes away the beginning of a letter at the end of text, where it was cut off. */
void scree__utf8_trim(char *text);

#endif
