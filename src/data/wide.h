/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_WIDE_H
#define SCREE_DATA_WIDE_H

/* Integers of 64 bits on their way to doubles, which hold whole numbers up to 2^53. Where the first row has larger
 * ones, each such column is counted from an origin near its first value, and the difference, an integer still, becomes
 * the double: nothing is rounded while a column's range is within 2^53. What is further off is marked (too_wide.h). */

#include "base/number_whole.h"
#include "data/source.h"
#include "kernel/too_wide.h"

typedef struct scree__wide {
    scree_type type; /* SCREE_I64 or SCREE_U64; others: nothing is done */
    bool known;      /* the first row was seen */
    double *origin;  /* D, doubles that are whole; NULL: 0 for all */
    int64_t *taken;  /* D: the same as integers of the type */
} scree__wide;

bool scree__is_wide(scree_type type);

/* The integers of a block, one row after the other, become doubles where they lie; for a source that is told whether
 * its driver takes origins. */
scree_status scree__wide_convert(scree__wide *wide, const scree_source *source, scree__block *block, void *data,
                                 scree_error *error);
void scree__wide_clear(scree__wide *wide);

/* The origin for a column whose first value is that text; false: it needs none, and *origin is as it was. */
bool scree__wide_origin(scree__whole *origin, const char *text, const char *end);

/* A number of a text, which was read as value, counted from an origin; NULL: from 0. A whole number of which that is
 * no double becomes a mark; any other is a measurement, which is rounded. */
double scree__wide_cell(const char *text, const char *end, double value, const scree__whole *origin);

/* A row counted from one origin becomes one counted from another; NULL: from 0. */
void scree__wide_recount(const double *row, const double *from, const double *to, int64_t cols, double *out);

/* What a driver does with every block: refuses numbers that are marked, with the name of the column, in the count
 * columns uses[], NULL: the first, or in all where count is 0. The source remembers the origin. */
scree_status scree__wide_check(scree_source *source, const scree__block *block, const int64_t *uses, int64_t count,
                               scree_error *error);

#endif
