/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_WHITEN_H
#define SCREE_FIT_WHITEN_H

/* How many components stand out when noise need not be white: rows in memory, whose noise is whitened under each M
 * before the largest eigenvalue that is left is tested. */

#include "base/error.h"

/* What the noise is like. */
typedef struct scree__noise_kind {
    double along_columns; /* correlation of neighbours in a row; 0: none found */
    double along_rows;    /* of neighbours in a column */
    double column_ratio;  /* the largest standard deviation of a column's noise over the smallest; 1: equal */
    double row_ratio;
    bool heavy_tails;
} scree__noise_kind;

typedef struct scree__whitened {
    int64_t rows; /* looked at */
    double
        *log_chance; /* max_components + 1; [M]: ln of the chance of the M-th eigenvalue under M-1; NaN: not tested */
    int64_t choice;  /* -1: each M that can be believed leaves more than noise */
    int64_t tested;  /* the largest M that was tested */
    scree__noise_kind noise; /* under the choice */
    double evidence;         /* of the choice with that noise, by Schwarz's criterion, smaller is better; and */
    double *white;           /* max_components + 1: of M components in white noise; NaN: not computed */
} scree__whitened;

/* Rows that are enough, and that keep the work within bounds. */
int64_t scree__whiten_rows(int64_t cols);
/* Bytes, the rows themselves not counted. */
int64_t scree__whiten_memory(int64_t rows, int64_t cols);
/* What to whiten. */
typedef struct scree__whiten_table {
    double *x; /* n×cols, a gap NaN; overwritten */
    int64_t n;
    int64_t cols;
    int64_t directions;     /* in which the columns can vary at most */
    bool unit;              /* columns are divided by their standard deviations first */
    int64_t max_components; /* to look at */
    bool complete;          /* leave in x what was there and, for a gap, a draw of what it may have been, */
    uint64_t seed;          /* by this seed: */
    int64_t cols_left;      /* n×cols_left cells, of the columns that vary */
} scree__whiten_table;

/* out->log_chance and out->white are the caller's to free. */
scree_status scree__whiten(scree__whitened *out, scree__whiten_table *table, scree_error *error);
/* Whether rows and columns are enough. */
bool scree__whiten_suffices(int64_t n, int64_t cols);

/* ---- between its files ---- */

/* The state. q = min(n, d); sizes in brackets. */
typedef struct scree__whitening {
    int64_t n;
    int64_t d; /* columns that vary */
    int64_t q;
    double directions;
    int64_t gaps;
    double *x;          /* [n×d] the cells, a gap NaN */
    double *clean;      /* [n×d] gaps filled as the components expect, and outliers clipped */
    double *z;          /* [n×d] clean, whitened */
    double *e;          /* [n×d] what the components leave of x, in standard deviations of the noise */
    double *gram;       /* [q×q] */
    double *vectors;    /* [(most + 1)×q] of the shorter side, as rows, descending */
    double *codes;      /* [(most + 1)×max(n, d)] of the longer side, of length 1 */
    double *values;     /* [q] descending */
    double *mean;       /* [d] */
    double *variance;   /* [d] of the columns */
    double *row_sd;     /* [n] of the noise: cell ij has row_sd[i] col_sd[j] */
    double *col_sd;     /* [d] */
    double *row_free;   /* [n] degrees of freedom, */
    double *col_free;   /* [d] */
    double *row_sum;    /* [n] and sums of squares, then variances */
    double *col_sum;    /* [d] */
    double *row_before; /* [n] row_sd and */
    double *col_before; /* [d] col_sd as they were */
    double *row_seen;   /* [n] share of the cells that are no gaps */
    double *col_seen;   /* [d] */
    double *col_low;    /* [d] what fills a gap is not below, */
    double *col_high;   /* [d] nor above; equal: the column varies by few of its cells only */
    double *row_share;  /* [n] of the degrees of freedom that gaps leave */
    double *col_share;  /* [d] */
    int64_t most;       /* components that can be tested */
    int64_t last;       /* that were tested last */
    double trace;       /* Σ z² */
    scree__noise_kind kind;
    double changed; /* the largest change in the last round, relative */
    double moved;   /* of what fills the gaps: root mean square, in standard deviations of the noise */
} scree__whitening;

/* Noise that is white, and cells as they are; a gap stays as it was filled last. */
void scree__whiten_reset(scree__whitening *w);
/* z = clean, centred and whitened; its eigenvalues and vectors for m components and one more. Nonzero: LAPACK failed.
 */
int scree__whiten_decompose(scree__whitening *w, int64_t m);
/* e and clean, given m components. */
int scree__whiten_residual(scree__whitening *w, int64_t m);
/* The part of the degrees of freedom after m components that gaps leave. */
double scree__whiten_share(const scree__whitening *w, int64_t m);
/* A better idea of the noise, from e. Uses z. */
void scree__whiten_learn(scree__whitening *w, int64_t m);
/* Schwarz's criterion for m components, as z was last decomposed, with so many columns and rows whose noise differs;
 * NaN where they leave nothing. */
double scree__whiten_evidence(const scree__whitening *w, int64_t m, double unequal_cols, double unequal_rows);
/* The same for the noise that was learned, once those that differ by no more than chance have been made equal. Nonzero:
 * LAPACK failed. */
int scree__whiten_judge(scree__whitening *w, int64_t m, double *evidence);
/* The same for white noise and each number of components up to the most, gaps filled as m of them expect. */
int scree__whiten_white(scree__whitening *w, int64_t m, double *evidence);
/* n×d cells: neighbours made independent, and back. */
void scree__whiten_filter(const scree__whitening *w, double *x);
void scree__whiten_unfilter(const scree__whitening *w, double *x);
/* col_low and col_high, from what is observed. */
void scree__whiten_bound(scree__whitening *w);
/* Fills the gaps of x: what the components expect, as clean has it, and noise drawn at random; or another cell of the
 * column. seen: room for n. */
void scree__whiten_fill(scree__whitening *w, bool *seen, uint64_t seed);

#endif
