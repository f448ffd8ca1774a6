/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TRIANGLE_H
#define SCREE_KERNEL_TRIANGLE_H

/* A symmetric matrix, of which the upper triangle is stored, times a vector; see triangle.c. */

#include <stdint.h>

enum { SCREE__STRETCH = 512 }; /* columns of a tile, or a whole part of them */

typedef struct scree__triangle {
    const double *a; /* n×n, the upper triangle by rows */
    int64_t n;
    int64_t band; /* rows and columns of a tile; a stretch is whole bands */
    int64_t stretch;
    int64_t first; /* only rows and columns from here on count */
    const double *x;
    double *down;   /* bands×n: what a band's rows add to the entries right of them */
    double *across; /* stretches×n: what a stretch of columns adds to the entries of its rows */
} scree__triangle;

/* Fills band and stretch for n. */
void scree__triangle_shape(scree__triangle *t);
int64_t scree__triangle_bands(const scree__triangle *t);
int64_t scree__triangle_stretches(const scree__triangle *t);

/* Tiles of the product as it is now. They may be computed in any order, by any thread. */
int64_t scree__triangle_tiles(const scree__triangle *t);
void scree__triangle_tile(const scree__triangle *t, int64_t index);

/* y = Ax for entries from .. to, when all tiles are there; they lie in one SCREE__STRETCH. */
void scree__triangle_sum(const scree__triangle *t, int64_t from, int64_t to, double *y);

#endif
