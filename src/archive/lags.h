/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_LAGS_H
#define SCREE_ARCHIVE_LAGS_H

/* Which cells tell most of a cell; see lags.c. */

#include "archive/contexts.h"

enum { SCREE__LAGS_MOST = 4 };

/* Ways to code these numbers by their contexts, worth a trial; returns how many. farthest: lag up to which cells follow
 * each other as they do in the data. */
int scree__lags_find(scree__contexts found[SCREE__LAGS_MOST], const int32_t *cells, int64_t rows, int64_t cols,
                     int64_t farthest);

#endif
