/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_CONTEXTS_H
#define SCREE_ARCHIVE_CONTEXTS_H

/* Whole numbers, rows×cols, coded bit by bit with probabilities that depend on the numbers around them; see contexts.c.
 */

#include "archive/pack.h"

enum {
    SCREE__CONTEXT_LEVELS = 256,       /* numbers below this can be coded themselves */
    SCREE__CONTEXT_FARTHEST = 1 << 20, /* lag */
    SCREE__CONTEXT_COLUMNS = 1024,     /* that can have probabilities of their own, when differences are coded */
};

typedef enum scree__context_mode {
    SCREE__CONTEXT_VALUES,      /* the numbers themselves */
    SCREE__CONTEXT_DIFFERENCES, /* from what is predicted */
} scree__context_mode;

typedef enum scree__context_guess {
    SCREE__GUESS_CENTRE, /* the middle of the column */
    SCREE__GUESS_NEAR,
    SCREE__GUESS_FAR,
    SCREE__GUESS_PLANE,  /* near + far - the one between them */
    SCREE__GUESS_MEDIAN, /* of these three */
    SCREE__GUESSES,
} scree__context_guess;

/* How numbers are coded. Lags count cells in the order of rows, over their ends: the number of columns is the lag of
 * the cell above. */
typedef struct scree__contexts {
    scree__context_mode mode;
    scree__context_guess guess;
    bool by_column; /* probabilities go by columns, not by neighbours */
    int32_t near;   /* lag, at least 1 */
    int32_t far;    /* larger lag */
} scree__contexts;

/* What a guess is made from: near, far and the one between them, and the middle of the column. */
typedef struct scree__guess_from {
    int64_t near;
    int64_t far;
    int64_t between;
    int64_t centre;
} scree__guess_from;

int64_t scree__guess(scree__context_guess guess, const scree__guess_from *from);

/* cells has room for scree__contexts_pad numbers before its first one, which these functions set. */
int64_t scree__contexts_pad(const scree__contexts *contexts);

/* Appends cells that are 0 or more, together with how they are coded. Returns false, and appends nothing, when that
 * takes more than so many bytes, or they cannot be coded this way. */
bool scree__contexts_put(scree__pack *pack, const scree__contexts *contexts, int32_t *cells, int64_t rows, int64_t cols,
                         int64_t most);
/* How they are coded is to be read first, so that there is room. */
void scree__contexts_get_head(scree__unpack *unpack, scree__contexts *contexts);
void scree__contexts_get(scree__unpack *unpack, const scree__contexts *contexts, int32_t *cells, int64_t rows,
                         int64_t cols);

#endif
