/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_SQUEEZE_H
#define SCREE_ARCHIVE_SQUEEZE_H

/* Bytes that repeat, made fewer by zstd: the one door to that library. */

#include "archive/pack.h"

/* Packs count elements of size bytes each (1, 4 or 8), byte plane by byte plane, with their compressed size in front.
 * What zstd cannot make smaller is kept as it is. */
void scree__squeeze(scree__pack *pack, const void *data, int64_t count, int size);

/* The same back into data, which has room for them. */
void scree__unsqueeze(scree__unpack *unpack, void *data, int64_t count, int size);

/* The same as they lie, not by planes, at zstd's best: half a second a megabyte. */
void scree__squeeze_hard(scree__pack *pack, const void *data, int64_t count, int size);
/* The same without zstd. */
void scree__squeeze_not(scree__pack *pack, const void *data, int64_t count, int size);
void scree__unsqueeze_hard(scree__unpack *unpack, void *data, int64_t count, int size);
/* No more is to be expected of it. */
static const double scree__best_gain = 0.6;
/* What zstd's best makes of bytes over what its quickest level does, by a look at some of them. */
double scree__squeeze_gain(const void *data, int64_t bytes);
/* Bytes that its best is going to take, with such a gain: by its quickest level and a look at some of them. */
double scree__squeeze_estimate(const void *data, int64_t bytes, double gain);

/* Bytes of any number: text, whose length is packed as well. The caller frees; NULL: damaged or no memory. */
void scree__squeeze_text(scree__pack *pack, const char *text, int64_t size);
char *scree__unsqueeze_text(scree__unpack *unpack, int64_t *size);
int64_t scree__text_size(const scree__unpack *unpack); /* that the text which comes next says it has */

/* Frames at once, where it is known how many bytes they have; false: they have not, or are damaged. */
bool scree__unzstd_whole(void *to, int64_t size, const void *from, int64_t packed);

/* ---- whole files, step by step ---- */

typedef enum scree__unzstd_result {
    SCREE__UNZSTD_ON,
    SCREE__UNZSTD_FRAME_END, /* and another may follow */
    SCREE__UNZSTD_DAMAGED,
    SCREE__UNZSTD_NO_MEMORY,
    SCREE__UNZSTD_TOO_LARGE
} scree__unzstd_result;

/* limit: bytes that a frame may refer back, a power of two. NULL: no memory. */
void *scree__unzstd_open(int64_t limit);
bool scree__unzstd_reset(void *state); /* back to the start */
/* Decompresses from *in to *out, as much as fits, and moves both on. */
scree__unzstd_result scree__unzstd_step(void *state, const unsigned char **in, int64_t *in_size, unsigned char **out,
                                        int64_t *out_size);
int64_t scree__unzstd_memory(const void *state); /* bytes that it takes */
void scree__unzstd_close(void *state);

#endif
