/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SAFETENSORS_H
#define SCREE_MODEL_SAFETENSORS_H

/* Named arrays and texts in a file that any language reads: the safetensors container, with a checksum.
 *
 *     8 bytes        length of the header, little-endian
 *     header         JSON: {"__metadata__": {key: text, ...}, name: {"dtype", "shape", "data_offsets"}, ...}
 *     the rest       the arrays, little-endian, in the order of the header, without gaps
 *
 * The first text is "checksum": the CRC-32 of the whole file, as eight hexadecimal digits, computed with '0' in the
 * place of those digits. docs/format.md says it all. */

#include "base/error.h"

typedef enum scree__dtype { SCREE__DTYPE_F64, SCREE__DTYPE_F32, SCREE__DTYPE_I64, SCREE__DTYPE_U8 } scree__dtype;

enum { SCREE__MAX_RANK = 4, SCREE__MAX_TENSORS = 64, SCREE__MAX_TEXTS = 64 };

typedef struct scree__tensor {
    const char *name;
    scree__dtype dtype;
    int rank;
    int64_t shape[SCREE__MAX_RANK];
    const void *data; /* may be unaligned in what was read */
} scree__tensor;

typedef struct scree__text {
    const char *key;
    const char *value;
} scree__text;

/* What a file holds or will hold. */
typedef struct scree__contents {
    int64_t text_count;
    int64_t tensor_count;
    scree__text texts[SCREE__MAX_TEXTS];
    scree__tensor tensors[SCREE__MAX_TENSORS];
} scree__contents;

/* Bytes of a tensor; -1 when they cannot be counted. */
int64_t scree__tensor_bytes(const scree__tensor *tensor);

/* "F64" */
const char *scree__dtype_name(scree__dtype dtype);

/* Writes atomically; the same contents give the same bytes. The checksum is added in front of the texts. */
scree_status scree__safetensors_write(const char *path, const scree__contents *contents, scree_error *error);
/* The same bytes in memory, the caller's to free. */
scree_status scree__safetensors_pack(void **out, size_t *bytes, const scree__contents *contents, scree_error *error);

typedef struct scree__safetensors {
    scree__contents contents;
    const char *noun;           /* what the file should be, for messages, set before it is read; NULL: "model" */
    char *path;                 /* for messages */
    const unsigned char *bytes; /* the whole file: owned, or the caller's */
    unsigned char *owned;
    int64_t size;
    int64_t header_size;
    struct cJSON *header; /* owns the names and texts */
} scree__safetensors;

/* Reads and checks the container, without its checksum: the format's version must be understood before. Release with
 * scree__safetensors_clear, also after a failure; it is safe on a zeroed struct. */
scree_status scree__safetensors_read(scree__safetensors *file, const char *path, scree_error *error);
/* The same of bytes in memory, which must stay until it is cleared. */
scree_status scree__safetensors_unpack(scree__safetensors *file, const void *data, size_t bytes, scree_error *error);
scree_status scree__safetensors_verify(const scree__safetensors *file, scree_error *error);
void scree__safetensors_clear(scree__safetensors *file);

/* NULL: there is none of this name. */
const char *scree__safetensors_text(const scree__safetensors *file, const char *key);
const scree__tensor *scree__safetensors_tensor(const scree__safetensors *file, const char *name);

/* "FILE: the model is not valid: <what>; ...". */
scree_status scree__safetensors_refuse(const scree__safetensors *file, scree_error *error, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* The CRC-32 of header and data, as if the digits at checksum (in the header) were '0'. */
uint32_t scree__crc_begin(const void *length, const char *header, int64_t header_size, const char *checksum);
uint32_t scree__crc_more(uint32_t crc, const void *data, int64_t size);

/* The place of the checksum's digits in a header, NULL when it is not there exactly once. */
const char *scree__checksum_find(const char *header, int64_t header_size);

#endif
