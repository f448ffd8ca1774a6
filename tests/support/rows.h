/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ROWS_H
#define SCREE_TESTS_ROWS_H

/* Data for tests: made in double, narrowed to an element type, and known exactly as what it became. */

#include "scree.h"

/* n×d values: exact, the same as doubles, and as elements of the type with stride - d elements of padding a row. */
typedef struct rows {
    int64_t n;
    int64_t d;
    int64_t stride;
    scree_type type;
    double *exact;
    void *data;
} rows;

/* Standard normals, or roughly so: a sum of uniforms of a hash, cheap and the same everywhere. */
double rows_random(uint64_t seed, int64_t i, int64_t j);

/* Takes x over and makes it what it becomes in the type: rounded to float, or to 0..255 after x·levels + 128. */
rows *rows_of(double *x, int64_t n, int64_t d, scree_type type, double levels);
void rows_free(rows *r);

scree_source *rows_source(const rows *r);
scree_model *rows_fit(const rows *r, const scree_fit_options *options);

/* Bytes, with means and variances by column and by row, or the extremes. */
typedef enum rows_pattern { ROWS_RANDOM, ROWS_ZEROS, ROWS_HIGHEST, ROWS_ALTERNATING, ROWS_PATTERNS } rows_pattern;
uint8_t rows_byte(rows_pattern pattern, int64_t i, int64_t j);

/* +1 or -1: Walsh functions are orthogonal over 0 .. 2^m - 1, and all but the 0th have mean zero. */
double rows_walsh(int64_t function, int64_t i);

/* x = Σ_r s_r w_{r+1}(i) w_{r+1}(j), n and d powers of 2: covariance eigenvalues s_r² d, eigenvectors w_{r+1}/√d. */
double *rows_walsh_sum(int64_t n, int64_t d, const double *s, int64_t count);

/* Mixes columns, so that eigenvectors are not those of the coordinates: each row times I - 2vvᵀ, v = 1/√d. */
void rows_mix(double *x, int64_t n, int64_t d);

#endif
