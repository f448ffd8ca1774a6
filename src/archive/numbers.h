/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_NUMBERS_H
#define SCREE_ARCHIVE_NUMBERS_H

/* The cells of a block as whole numbers from 0 on, each column by a rule of its own; see numbers.c. */

#include "archive/arithmetic.h"
#include "archive/pack.h"
#include "kernel/rows.h"

typedef enum scree__rule {
    SCREE__RULE_GRID,  /* multiples of a power of ten, or of a few of them where an error is allowed */
    SCREE__RULE_BINS,  /* multiples of twice the error */
    SCREE__RULE_TABLE, /* places in a table of the values there are */
    SCREE__RULE_RAW,   /* none: elements are stored as they are */
} scree__rule;

typedef struct scree__column {
    scree__rule rule;
    scree__lattice lattice;
    double base; /* the number that becomes 0 */
    int64_t count;
    double *table; /* count values, ascending; lent by the numbers */
} scree__column;

typedef struct scree__numbers {
    int64_t cols;
    scree_type type;
    int element;            /* as in a lattice */
    scree__column *columns; /* D */
    double *values;         /* of all tables */
    int64_t value_count;
} scree__numbers;

/* Finds the rules of a block; false: out of memory. */
bool scree__numbers_find(scree__numbers *numbers, const scree__rows *rows, int element, double max_error);
/* Whether any column has a rule. */
bool scree__numbers_any(const scree__numbers *numbers);
void scree__numbers_clear(scree__numbers *numbers);

void scree__numbers_put(scree__pack *pack, const scree__numbers *numbers);
/* lattice: of the code, for its types. */
void scree__numbers_get(scree__unpack *unpack, scree__numbers *numbers, int64_t rows, int64_t cols,
                        const scree__lattice *lattice);

/* The cells of column j as doubles. */
void scree__column_load(const scree__rows *rows, int64_t j, double *x);
/* Cells of one column, -1 for those that the rule does not hold for, and what they come back as. */
void scree__column_apply(const scree__column *column, const double *x, int32_t *cells, double *back, int64_t count);
/* Fails where a cell is not in the table. */
bool scree__column_undo(const scree__column *column, const int32_t *cells, double *back, int64_t count);

#endif
