/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_COLUMN_H
#define SCREE_DATA_ARROW_COLUMN_H

/* A column of an Arrow stream: what it holds, and its values as doubles or as text. */

#include "base/error.h"
#include "base/number.h"
#include "data/arrow.h"

typedef enum scree__arrow_kind { SCREE__ARROW_NUMBER, SCREE__ARROW_TEXT, SCREE__ARROW_OTHER } scree__arrow_kind;

typedef struct scree__arrow_column {
    scree__arrow_kind kind;
    char number;     /* the format letter of numbers, or of indices into a dictionary of texts; 0: texts themselves */
    bool large;      /* offsets of texts have 64 bits */
    bool nullable;   /* there may be nulls */
    scree_type type; /* numbers: the narrowest type of rows that holds them: F32, F64 or U8 */
} scree__arrow_column;

void scree__arrow_column_read(scree__arrow_column *column, const struct ArrowSchema *schema);

/* Whether the array has the buffers that the column needs for rows 0 .. end-1; array->offset is added. */
bool scree__arrow_column_fits(const scree__arrow_column *column, const struct ArrowArray *array, int64_t end);

/* Whether any of rows first .. first+count-1 is null. */
bool scree__arrow_has_nulls(const struct ArrowArray *array, int64_t first, int64_t count);

/* to[k] = the number in row first + k, NaN where it is null; at most SCREE__ARROW_STRIP of them. */
enum { SCREE__ARROW_STRIP = 64 };
void scree__arrow_numbers(const scree__arrow_column *column, const struct ArrowArray *array, int64_t first,
                          int64_t count, double *to);

/* The text in a row, and its length; numbers are printed to scratch. Null is empty, and so is an index outside of its
 * dictionary. */
const char *scree__arrow_text(const scree__arrow_column *column, const struct ArrowArray *array, int64_t row,
                              char scratch[SCREE__NUMBER_SIZE], int64_t *length);

#endif
