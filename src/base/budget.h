/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_BUDGET_H
#define SCREE_BASE_BUDGET_H

/* What a reader may allocate. A header of a few bytes may announce rows that no memory holds; so a reader asks before
 * it allocates what a file says, and is refused in a sentence what is too much:
 *
 *     SCREE_TRY(scree__budget_take(budget, 8 * rows, file, "2000000000 rows", error));
 *
 * A limit that the caller gave is the only one. Without, a reader may have what the plan of a fit may, most of what is
 * free, but no more than a multiple of the input that was seen so far and a constant: a small file may be wrong about
 * its sizes, and whoever knows that it is not can give a limit. Some megabytes are always granted: whoever reads the
 * rows counts them with all else, and says how much is needed in all. */

#include "base/error.h"

/* Zeroed: nothing is taken, and no limit was given. Not for several threads at once. */
typedef struct scree__budget {
    int64_t given; /* limit that the caller gave, in bytes; 0: none */
    int64_t free;  /* most of what is free on the machine, found when it first matters; 0: not yet */
    int64_t seen;  /* bytes of input so far */
    int64_t taken; /* by the reader */
    int64_t held;  /* by the program before, where the limit is meant for both */
} scree__budget;

/* Fails, and takes nothing, when so many bytes more are too much. what: the reason, as the subject of "need": "its
 * 70 columns". */
scree_status scree__budget_take(scree__budget *budget, int64_t bytes, const char *file, const char *what,
                                scree_error *error);

/* The same, but nothing is taken: for what is allocated bit by bit. */
scree_status scree__budget_check(scree__budget *budget, int64_t bytes, const char *file, const char *what,
                                 scree_error *error);

/* So many bytes were freed. */
void scree__budget_give(scree__budget *budget, int64_t bytes);

/* Bytes that can still be taken. */
int64_t scree__budget_left(scree__budget *budget);

#endif
