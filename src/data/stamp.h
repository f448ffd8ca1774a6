/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_STAMP_H
#define SCREE_DATA_STAMP_H

/* By what files are known again: see stamp.c. */

#include "base/error.h"

/* Of the sizes and times of the files, and of the options that say which rows and columns they have. */
uint32_t scree__stamp_of(const char *const *paths, int64_t count, const scree_read_options *options);

#endif
