/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_LIVE_H
#define SCREE_DATA_LIVE_H

/* Pipes that are answered while they are written: a read ends early when nothing comes for a moment. */

#include "data/descriptor.h"

/* As scree__descriptor_read, of a pipe. With wait the first byte is waited for, as long as it takes; whatever comes
 * within a moment after it is read along, and a constant stream until the buffer is full. Less than size means a pause,
 * or the end: then descriptor->ended. */
scree_status scree__live_read(scree__descriptor *descriptor, void *buffer, int64_t size, bool wait, int64_t *got,
                              scree_error *error);

/* Whether scree_input_stop was called. */
bool scree__input_stopped(void);

#endif
