/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_PACK_H
#define SCREE_ARCHIVE_PACK_H

/* Bytes that are put together, and bytes that are taken apart again: little-endian on every machine.
 *
 * Failures stick: a pack that ran out of memory takes nothing more, an unpack that met its end gives zeros. So a caller
 * asks once, at the end. */

#include "base/error.h"

typedef struct scree__pack {
    unsigned char *data;
    int64_t size;
    int64_t room;
    bool failed; /* out of memory */
} scree__pack;   /* zeroed: empty */

/* size more bytes, to be filled by the caller before the next call; NULL: out of memory. */
unsigned char *scree__pack_room(scree__pack *pack, int64_t size);
void scree__pack_bytes(scree__pack *pack, const void *data, int64_t size);
void scree__pack_u8(scree__pack *pack, unsigned value);
void scree__pack_u32(scree__pack *pack, uint32_t value);
void scree__pack_i64(scree__pack *pack, int64_t value);
void scree__pack_f64(scree__pack *pack, double value);
/* In as many bytes as it needs: one for -64 to 63. */
void scree__pack_number(scree__pack *pack, int64_t value);
/* Without the zeros at its end: a byte for 0, three for most whole numbers. */
void scree__pack_real(scree__pack *pack, double value);
void scree__pack_free(scree__pack *pack);

/* The u32 at a place that was packed before becomes value. */
void scree__pack_patch(scree__pack *pack, int64_t at, uint32_t value);

typedef struct scree__unpack {
    const unsigned char *at;
    int64_t left;
    bool failed; /* there was less than asked for, or it makes no sense */
} scree__unpack;

/* Lends the next size bytes; NULL, and failed, when there are fewer. */
const unsigned char *scree__unpack_bytes(scree__unpack *unpack, int64_t size);
unsigned scree__unpack_u8(scree__unpack *unpack);
uint32_t scree__unpack_u32(scree__unpack *unpack);
int64_t scree__unpack_i64(scree__unpack *unpack);
double scree__unpack_f64(scree__unpack *unpack);
int64_t scree__unpack_number(scree__unpack *unpack);
double scree__unpack_real(scree__unpack *unpack);

/* CRC-32 of what was packed or read, going on from an earlier one (0 at the start). */
uint32_t scree__checksum(uint32_t before, const void *data, int64_t size);

#endif
