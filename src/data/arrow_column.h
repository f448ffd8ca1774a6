/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_COLUMN_H
#define SCREE_DATA_ARROW_COLUMN_H

/* A column of an Arrow stream: what it holds, and its values as doubles or as text. */

#include "base/error.h"
#include "base/number.h"
#include "data/arrow.h"

typedef enum scree__arrow_kind {
    SCREE__ARROW_NUMBER,
    SCREE__ARROW_TEXT,
    SCREE__ARROW_TIME,  /* dates and instants, which are text */
    SCREE__ARROW_EMPTY, /* of nulls alone */
    SCREE__ARROW_OTHER
} scree__arrow_kind;

typedef struct scree__arrow_column {
    scree__arrow_kind kind;
    char number;     /* the format letter of numbers, or of indices into a dictionary of texts; 0: texts themselves */
    char text;       /* the format letter of texts: u, U for offsets of 64 bits, v for views */
    char unit;       /* times: D days in 32 bits; ticks in 64 bits: d of dates, s, m, u, n of instants */
    bool zone;       /* instants are of a time zone, and told in UTC */
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

enum { SCREE__ARROW_SCRATCH = 64 };

/* Whether the index in a row, of the format, is one of its dictionary, or null. */
bool scree__arrow_index_fits(char format, const struct ArrowArray *array, int64_t row);

/* The text in a row, and its length; numbers and times are printed to scratch. Null is empty, and so is an index
 * outside of its dictionary. */
const char *scree__arrow_text(const scree__arrow_column *column, const struct ArrowArray *array, int64_t row,
                              char scratch[SCREE__ARROW_SCRATCH], int64_t *length);

/* == arrow_time.c == */

/* A count of days or ticks since 1970 as people write it: 2024-02-29, 2024-02-29 12:00:00.25, with a Z where it is of a
 * zone. Returns its length. */
int64_t scree__arrow_print_time(char text[SCREE__ARROW_SCRATCH], char unit, bool zone, int64_t value);

#endif
