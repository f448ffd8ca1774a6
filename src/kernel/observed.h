/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_OBSERVED_H
#define SCREE_KERNEL_OBSERVED_H

/* Rows with gaps against loadings: for each row the posterior of its code given the cells that are there, and their
 * log-density. One object is one chunk of rows, worked on by one thread: load rows, solve, read the arrays. What it
 * computes for a chunk depends on the rows of that chunk alone. See observed.c. */

#include "kernel/csr.h"
#include "kernel/rows.h"

/* Symmetric matrices are packed: entry (i, j), j ≤ i, stands at i(i+1)/2 + j, so that those of order m are the first
 * scree__pairs(m) entries of those of order m+1. */
static inline int64_t scree__pairs(int64_t m)
{
    return m * (m + 1) / 2;
}

static inline int64_t scree__pair(int64_t i, int64_t j)
{
    return scree__pairs(i) + j;
}

/* x = shift + (offset + w'z + noise)/factor in each column, z ~ N(0, I). µ in two parts, so that a large mean costs no
 * digits of a small change. */
typedef struct scree__loadings {
    int64_t cols;         /* D */
    int64_t m;            /* M */
    const double *shift;  /* D: near µ, in the columns as they came */
    const double *offset; /* D: µ less that, in the scaled columns; NULL: 0 */
    const double *factor; /* D: 1/scale; NULL: 1 */
    const double *w;      /* D×M */
    double noise;         /* σ² > 0 */
    const double *outer; /* D × pairs(M): ⟨ww'⟩ of each column; when uncertain D × pairs(M+1): then follow cov(w, µ)
                            and var(µ), µ in the scaled columns */
    bool uncertain;      /* w and µ are means of a distribution, not known */
} scree__loadings;

/* outer for loadings that are certain: ww' of each of the D rows of w. */
void scree__loadings_outer(double *outer, const double *w, int64_t cols, int64_t m);

/* Some columns of rows that have more. */
typedef struct scree__chosen {
    int64_t width;   /* columns of the rows */
    int64_t *column; /* D: which of these each is */
    int64_t *place;  /* width: where each is among the D; -1: nowhere */
} scree__chosen;

/* A chunk. Arrays over patterns and rows have height places; entry e of pattern p stands at [e*height + p]. */
typedef struct scree__observed {
    int64_t cols;
    int64_t m;
    int64_t height;        /* rows that a chunk has, but for the last */
    int64_t rows;          /* loaded */
    int64_t patterns;      /* different sets of observed columns among them */
    bool sparse;           /* so few cells that they are listed: then every row is a pattern of its own */
    double *x;             /* rows×D: (x - shift) factor - offset, 0 where missing; when sparse: cell after cell */
    double *mask;          /* patterns×D: 1 where observed, else 0; not when sparse */
    int64_t *start;        /* rows+1: when sparse, as in scree__csr */
    int32_t *column;       /* when sparse */
    int32_t *pattern;      /* rows: the pattern of each */
    int64_t *seen;         /* patterns: observed columns */
    double *members;       /* patterns: rows, or their weights */
    const double *weights; /* of the rows loaded, lent with them, or NULL: they count alike */
    double *heavy;         /* (M+1)×height: z times the weight of its row; not when they count alike */
    double *inverse; /* pairs(M+1)×height: (Σ⟨ww'⟩ + σ²I)⁻¹ by pattern, the posterior covariance over σ² */
    double *logdet;  /* patterns: ln|Σ⟨ww'⟩ + σ²I| */
    double *z;       /* (M+1)×height: posterior mean of each row; the last line is 1 */
    double *square;  /* rows: ‖x - µ - Wz‖² over the observed columns, expected when w is uncertain */
    double *density; /* rows: ln p(x observed); 0 when nothing is; a part of the lower bound when w is uncertain */
    double *sums;    /* pairs(M+1)×height: by scree__observed_sums */
    double *total;   /* pairs(M+1): sums, over the patterns with something observed */
    double *spread;  /* rows of pairs(M+1): sums once more, by pattern, when sparse */
    double *work;
    double *ones;
    double *zeros;
    uint64_t *keys;              /* a random word for each column: patterns are told apart by their sums */
    const scree__chosen *chosen; /* columns of the rows that are loaded; NULL: all */
    double *row;                 /* one of these rows, as wide as they are */
} scree__observed;

/* Rows of a chunk: a function of D alone. Bytes of an object. */
int64_t scree__observed_height(int64_t cols);
int64_t scree__observed_memory(int64_t cols, int64_t m);

scree_status scree__observed_open(scree__observed *observed, int64_t cols, int64_t m, scree_error *error);
/* Before rows with weights are loaded, once. */
scree_status scree__observed_weigh(scree__observed *observed, scree_error *error);
/* From now on rows have these columns and others; lent for as long. */
scree_status scree__observed_choose(scree__observed *observed, const scree__chosen *chosen, scree_error *error);
void scree__observed_close(scree__observed *observed); /* safe on a zeroed struct */

/* At most height rows, NaN for what is missing. False when a cell is infinite, or too large once scaled. */
bool scree__observed_load(scree__observed *observed, const scree__loadings *loadings, const scree__rows *x);
/* The same from rows first .. first+count-1 of cells. */
bool scree__observed_load_cells(scree__observed *observed, const scree__loadings *loadings, const scree__csr *cells,
                                int64_t first, int64_t count);

/* Fills inverse, logdet, z, square, density. The number of threads of BLAS is the caller's concern. 0, or what the BLAS
 * wrapper returned. */
int scree__observed_solve(scree__observed *observed, const scree__loadings *loadings);

/* z of each row becomes W'x, 0 for what is missing: the code of a row filled up with means. */
int scree__observed_project(scree__observed *observed, const scree__loadings *loadings);

/* sums becomes Σ over the rows of each pattern of ⟨[z;1][z;1]'⟩, times their weights where they have any. */
void scree__observed_sums(scree__observed *observed, const scree__loadings *loadings);

/* Columns first .. first+count-1 of a sum, and of these the packed entries entry .. entry+entries-1. */
typedef struct scree__observed_part {
    int64_t first;
    int64_t count;
    int64_t entry;
    int64_t entries;
} scree__observed_part;

/* For a part, over the rows that observed its columns: a (D×pairs(M+1)) gains ⟨[z;1][z;1]'⟩; the part that begins with
 * entry 0 also adds x[z;1]' to b (D×(M+1)). After scree__observed_sums; a may be NULL, then only z is needed. */
int scree__observed_add(const scree__observed *observed, const scree__observed_part *part, double *a, double *b);

#endif
