/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SNAPSHOT_H
#define SCREE_BASE_SNAPSHOT_H

/* What a computation has come to, written down or read back. One function does both, so that the two cannot differ:
 *
 *     void scree__thing_move(scree__thing *thing, scree__snapshot *s)
 *     {
 *         scree__snapshot_same(s, thing->cols);                  a shape: what is read back must have it
 *         scree__snapshot_count(s, &thing->rows, 0, INT64_MAX);  a count, within bounds
 *         scree__snapshot_doubles(s, thing->sums, thing->cols);
 *     }
 *
 * Numbers are those of the machine. What is read may be damaged or hostile: counts are checked before anything is done
 * with them, and after the first failure nothing is moved any more. */

#include "base/error.h"

#define SCREE__SNAPSHOT_MOST (INT64_C(1) << 48) /* of counts that nothing else limits: sums of them are integers */

typedef struct scree__snapshot {
    /* Takes bytes from data, or fills it. */
    scree_status (*move)(void *context, void *data, int64_t bytes, scree_error *error);
    void *context;
    bool reads;          /* back */
    scree_status status; /* of the first failure */
    scree_error *error;
} scree__snapshot;

void scree__snapshot_bytes(scree__snapshot *snapshot, void *data, int64_t bytes);
/* A number that must be the same when it is read back. */
void scree__snapshot_same(scree__snapshot *snapshot, int64_t value);
/* A number from least to most. */
void scree__snapshot_count(scree__snapshot *snapshot, int64_t *value, int64_t least, int64_t most);
void scree__snapshot_int(scree__snapshot *snapshot, int *value, int least, int most);
void scree__snapshot_flag(scree__snapshot *snapshot, bool *value);
void scree__snapshot_double(scree__snapshot *snapshot, double *value);
void scree__snapshot_doubles(scree__snapshot *snapshot, double *values, int64_t count);
/* What was read makes no sense. */
void scree__snapshot_refuse(scree__snapshot *snapshot);

#endif
