/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_FIELDS_H
#define SCREE_MODEL_FIELDS_H

/* The fields of a model file: read, and put together to be written. Whatever a reader does not find as it should be,
 * it refuses with a sentence that names the file and the field. */

#include "base/number.h"
#include "model/safetensors.h"

struct cJSON;

/* A text that is one whole number, low or more. */
scree_status scree__field_integer(const scree__safetensors *file, const char *key, int64_t low, int64_t *value,
                                  scree_error *error);
/* The same, from 0 on, that an int holds. */
scree_status scree__field_int(const scree__safetensors *file, const char *key, int *value, scree_error *error);
/* A text that is true or false. */
scree_status scree__field_flag(const scree__safetensors *file, const char *key, bool *value, scree_error *error);
/* A text that is a number, finite, low or more. */
scree_status scree__field_number(const scree__safetensors *file, const char *key, double low, double *value,
                                 scree_error *error);
/* The values of a tensor of known type and shape: [cols], or [rows, cols] when rows > 0. NULL: refused. */
const void *scree__field_tensor(const scree__safetensors *file, const char *name, scree__dtype dtype, int64_t rows,
                                int64_t cols, scree_error *error);
/* Copies a tensor of doubles, each of which must be finite and at least low; shape as of scree__field_tensor. */
scree_status scree__field_matrix(const scree__safetensors *file, const char *name, int64_t rows, int64_t cols,
                                 double low, double *out, scree_error *error);
/* The same with one dimension. */
scree_status scree__field_reals(const scree__safetensors *file, const char *name, int64_t count, double low,
                                double *out, scree_error *error);
/* Copies a tensor of floats, each of which must be finite; shape as of scree__field_tensor. */
scree_status scree__field_floats(const scree__safetensors *file, const char *name, int64_t rows, int64_t cols,
                                 float *out, scree_error *error);
/* The names in the text "columns", an array in JSON; *names is NULL when there are none. Lent by *array. */
scree_status scree__field_columns(const scree__safetensors *file, int64_t d, struct cJSON **array, const char ***names,
                                  scree_error *error);

/* The contents of a file to be, with the memory of the texts that are made for it. */
typedef struct scree__draft {
    scree__contents contents;
    char numbers[SCREE__MAX_TEXTS][SCREE__NUMBER_SIZE];
    char *columns; /* JSON array, or NULL */
    char *kept[SCREE__MAX_TENSORS + SCREE__MAX_TEXTS];
    int64_t kept_count;
} scree__draft;

void scree__draft_text(scree__draft *draft, const char *key, const char *value);
void scree__draft_integer(scree__draft *draft, const char *key, int64_t value);
void scree__draft_real(scree__draft *draft, const char *key, double value);
void scree__draft_tensor(scree__draft *draft, const char *name, scree__dtype dtype, int64_t rows, int64_t cols,
                         const void *data); /* rows 0: of one dimension */
scree_status scree__draft_columns(scree__draft *draft, const char *const *columns, int64_t d, scree_error *error);
/* A copy of a text that a key, a value or a name may point to; NULL: no memory, or too many. */
const char *scree__draft_keep(scree__draft *draft, const char *text, scree_error *error);
void scree__draft_free(scree__draft *draft); /* NULL-safe */

#endif
