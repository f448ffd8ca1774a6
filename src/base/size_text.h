/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SIZE_TEXT_H
#define SCREE_BASE_SIZE_TEXT_H

/* Bytes for people to read: "26 MiB", "14.91 GiB". */

#include <stdint.h>

enum { SCREE__SIZE_TEXT = 32 };

/* Rounded up: memory that is needed is enough when it is given as it was said. Returns text. */
const char *scree__size_text(char text[SCREE__SIZE_TEXT], int64_t bytes);

#endif
