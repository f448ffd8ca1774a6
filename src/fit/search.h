/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SEARCH_H
#define SCREE_FIT_SEARCH_H

/* The first k components of S = CᵀC/divisor by sweeps over the rows, proven; see search.c. */

#include "fit/sweep.h"
#include "kernel/lanczos.h"

enum { SCREE__SEARCH_EXTRA = 2 }; /* vectors that are found beside the k */

typedef struct scree__search {
    scree__sweeps sweeps;
    const scree__ops *exact; /* the arithmetic that proves */
    const scree__ops *fast;  /* and the one that searches: the same, or float */
    const scree__goal *goal; /* of S/unit, as all numbers here */
    double unit;             /* a power of two near tr S: squares of very large or small numbers do not exist */
    int64_t block;           /* columns a step */
    double worth;            /* columns that another method would take; 0: there is none */
    double slack;            /* less than this cannot be told from nothing */
    int64_t likely;          /* columns that finding them is thought to take, */
    double find_share;       /* and how much that is of finding and proving */
    uint64_t seed;
    bool gave_way; /* set when the other method is the shorter way: nothing was found */
} scree__search;

/* Columns of the basis, and bytes of a search, less the rows that it may keep. */
int64_t scree__search_basis(const scree__job *job, int64_t k, int64_t block);
int64_t scree__search_memory(const scree__job *job, int64_t k, int64_t block);

/* Fills k values, vectors and residuals of the solution, next and converged, and the spectrum, of which the values
 * beyond the k are estimates. spare: bytes to keep rows in. */
scree_status scree__search_run(scree__search *search, int64_t k, int64_t spare, scree__solution *solution,
                               scree_error *error);

#endif
