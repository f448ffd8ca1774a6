/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_FOREIGN_H
#define SCREE_DATA_FOREIGN_H

/* Files that people have and that are not read; see foreign.c. */

#include "base/error.h"

/* Fails, with what the file is and how its rows can be had, where its first bytes are those of such a file. */
scree_status scree__foreign_refuse(const char *path, const unsigned char *head, int64_t size, scree_error *error);

#endif
