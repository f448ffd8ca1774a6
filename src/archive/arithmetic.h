/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_ARITHMETIC_H
#define SCREE_ARCHIVE_ARITHMETIC_H

/* All arithmetic that decides the bits of a decompressed value, for the encoder and the decoder alike; see
 * arithmetic.c.
 */

#include "base/error.h"

enum { SCREE__TILE = 16, SCREE__CHUNK = 32 }; /* columns, rows that are predicted together */

/* Which values a cell may take. */
typedef struct scree__lattice {
    scree_type type;
    int element; /* 1 + the type that elements are stored as, which values are rounded to; 0: the same */
    double grid; /* values are whole numbers over this; 0: any */
    double low;  /* of those whole numbers: the least and the largest */
    double high;
    double width; /* of a correction: of whole numbers an odd one, else in values */
    double bound; /* the largest error; 0: the same bits */
} scree__lattice;

/* The type that elements are stored as. */
scree_type scree__lattice_element(const scree__lattice *lattice);

/* What is predicted from: tiles of SCREE__TILE columns, of each its mean, then each component's entries. */
int64_t scree__tiles_size(int64_t cols, int64_t components); /* in doubles */
/* basis: components×cols; a tile's entry is scales[j]·basis. */
void scree__tiles_make(double *tiles, const double *mean, const int32_t *basis, const double *scales, int64_t cols,
                       int64_t components);

/* predicted, rows×cols (rows ≤ SCREE__CHUNK), = mean + codes·basis, codes rows×components. */
void scree__predict(const double *tiles, const double *codes, double *predicted, int64_t rows, int64_t cols,
                    int64_t components);

/* Corrections k, and what the cells come back as: within the bound of x, or marked SCREE__VALUE_RAW or _NAN. */
void scree__correct(const scree__lattice *lattice, const double *x, const double *predicted, int32_t *k, double *back,
                    int64_t count);
/* back = what a correction makes of a prediction; of marked cells it says nothing. */
void scree__restore(const scree__lattice *lattice, const double *predicted, const int32_t *k, double *back,
                    int64_t count);

/* ---- without a model: each cell is predicted from those beside it ---- */

typedef enum scree__neighbour {
    SCREE__NEIGHBOUR_NONE,
    SCREE__NEIGHBOUR_LEFT,
    SCREE__NEIGHBOUR_UP,
    SCREE__NEIGHBOUR_BOTH, /* left + up - the one between them */
} scree__neighbour;

/* A row of lattice numbers u; above is the row before, NULL for the first. Fills k and back, as above. */
void scree__correct_beside(const scree__lattice *lattice, scree__neighbour neighbour, const double *x,
                           const double *above, double *u, int32_t *k, double *back, int64_t cols);
/* back holds the values of the cells that are marked, and becomes all of them. */
void scree__restore_beside(const scree__lattice *lattice, scree__neighbour neighbour, const double *above, double *u,
                           const int32_t *k, double *back, int64_t cols);

/* ---- whole numbers from 0 on ---- */

/* The lattice number nearest to x. */
double scree__number(const scree__lattice *lattice, double x);
/* Numbers less base, -1 where they are not within the bound or do not fit, and what they come back as. */
void scree__to_numbers(const scree__lattice *lattice, double base, const double *x, int32_t *cells, double *back,
                       int64_t count);
void scree__from_numbers(const scree__lattice *lattice, double base, const int32_t *cells, double *back, int64_t count);

#endif
