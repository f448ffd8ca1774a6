/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_CELLS_H
#define SCREE_BASE_NUMBER_CELLS_H

/* Many numbers in a text, whose places are known: what a scan for delimiters found. */

#include <stdbool.h>
#include <stdint.h>

enum { SCREE__CELLS_BEFORE = 33 }; /* bytes before a cell that are read, whatever they are */

/* What a scan may have found of all cells of a text, in bits: of cell n, bit n mod 64 of word n div 64. */
typedef struct scree__cell_marks {
    uint64_t *pointed; /* has a point */
    uint64_t *minus;   /* begins with one */
    uint64_t *odd;     /* has something else than that and digits, or a second point */
    uint32_t *points;  /* where the points of pointed cells are, in order; eight more can be read */
    uint32_t *rank;    /* a word: how many cells before it are pointed */
} scree__cell_marks;

/* Cell i ends before text[ends[i]] and begins one after text[ends[i-1]], the first one at text[begin]. */
typedef struct scree__cells {
    const char *text;
    const uint32_t *ends;
    int64_t count;
    uint32_t begin;
    char point;                     /* '.' or ',' */
    const scree__cell_marks *marks; /* NULL: none. Else ends[-1] is the end of the cell before, or -1 */
    int64_t first;                  /* of these cells, among those of marks */
} scree__cells;

/* Reads cells to values, each as scree__parse_double would, until one is not a plain number without spaces after it, or
 * a whole number that a double may round (number_whole.h). Returns how many were read. The one where it stopped may yet
 * be a number: it needs a closer look. */
typedef int64_t (*scree__cells_reader)(const scree__cells *cells, double *values);

/* The fastest that this machine can run. */
scree__cells_reader scree__cells_reader_best(void);

/* All of them, for tests: reader i and its name, or NULL after the last. Those the machine cannot run are left out. */
scree__cells_reader scree__cells_reader_at(int i, const char **name);

int64_t scree__cells_read_plain(const scree__cells *cells, double *values); /* any machine */
int64_t scree__cells_read_avx2(const scree__cells *cells, double *values);
int64_t scree__cells_read_avx512(const scree__cells *cells, double *values);

#endif
