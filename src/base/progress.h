/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_PROGRESS_H
#define SCREE_BASE_PROGRESS_H

/* Telling the caller of a long call how far it is, and hearing whether it is to end. */

#include "base/error.h"

/* Of a clock that only goes on. */
double scree__seconds(void);

/* Fills size, done and seconds_left of what is told, and tells it; SCREE_ERR_CANCELLED where the call is to end. began:
 * when the pass began; 0: it is not known. Later passes are thought to take as long. */
scree_status scree__progress_tell(const scree_run *run, scree_progress progress, double began, scree_error *error);

#endif
