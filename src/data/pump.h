/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_PUMP_H
#define SCREE_DATA_PUMP_H

/* Decompression on a thread of its own: plain bytes are ready when they are asked for. */

#include "data/decoder.h"

typedef struct scree__pump scree__pump;

/* From where the decoder stands. It is borrowed, and must not be used before the pump is closed. NULL: there is no
 * memory or no thread for it, and the decoder is to be read as it is. */
scree__pump *scree__pump_open(scree__decoder *decoder);

/* As scree__decoder_read. */
scree_status scree__pump_read(scree__pump *pump, void *buffer, int64_t size, int64_t *got, scree_error *error);

/* Bytes of the compressed file that gave what was read so far, to the next slot. */
int64_t scree__pump_position(const scree__pump *pump);

void scree__pump_close(scree__pump *pump); /* NULL-safe */

#endif
