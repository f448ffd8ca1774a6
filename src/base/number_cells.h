/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_CELLS_H
#define SCREE_BASE_NUMBER_CELLS_H

/* Many numbers in a text, whose places are known: what a scan for delimiters found. */

#include <stdbool.h>
#include <stdint.h>

enum { SCREE__CELLS_BEFORE = 33 }; /* bytes before a cell that are read, whatever they are */

/* Cell i ends before text[ends[i]] and begins one after text[ends[i-1]], the first one at text[begin]. */
typedef struct scree__cells {
    const char *text;
    const uint32_t *ends;
    int64_t count;
    uint32_t begin;
    char point; /* '.' or ',' */
} scree__cells;

/* Reads cells to values, each as scree__parse_double would, until one is not a plain number without spaces after it.
 * Returns how many were read. One that is not plain may yet be a number: it needs a closer look. */
typedef int64_t (*scree__cells_reader)(const scree__cells *cells, double *values);

/* The fastest that this machine can run. */
scree__cells_reader scree__cells_reader_best(void);

/* All of them, for tests: reader i and its name, or NULL after the last. Those the machine cannot run are left out. */
scree__cells_reader scree__cells_reader_at(int i, const char **name);

int64_t scree__cells_read_plain(const scree__cells *cells, double *values); /* any machine */
int64_t scree__cells_read_avx2(const scree__cells *cells, double *values);
int64_t scree__cells_read_avx512(const scree__cells *cells, double *values);

#endif
