/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_CODE_H
#define SCREE_ARCHIVE_CODE_H

/* A code: all that is needed to turn rows into the bytes of a block and back. It stands in the header of an archive. */

#include "archive/arithmetic.h"
#include "archive/cells.h"
#include "archive/contexts.h"
#include "base/budget.h"

typedef enum scree__coding {
    SCREE__CODING_MODEL,    /* quantised codes of a model, and corrections */
    SCREE__CODING_BESIDE,   /* lattice numbers, predicted from those beside them */
    SCREE__CODING_BYTES,    /* the elements as they are; of old archives */
    SCREE__CODING_NUMBERS,  /* whole numbers, column by column, by their contexts */
    SCREE__CODING_ELEMENTS, /* the elements as they are */
    SCREE__CODINGS,
} scree__coding;

typedef struct scree__code {
    scree__coding coding; /* of blocks that do not say otherwise */
    bool tagged;          /* blocks say their coding; not in archives of version 1 */
    scree__neighbour neighbour;
    scree__packer packer;
    scree__lattice lattice;
    int64_t cols;
    int64_t components;
    double step;    /* of the quantised codes: Δ */
    double *mean;   /* D; NULL without a model */
    double *scales; /* M: Δ times the step of the basis */
    int32_t *basis; /* M×D */
    double *tiles;  /* see scree__tiles_make */

    /* The decoder's alone: */
    scree__budget *budget; /* that a head that is read draws from; NULL: none */
    int64_t refused;       /* bytes that it was refused */

    /* The encoder's alone: */
    double *encode;   /* M×D: (x - mean) times this are codes over Δ, before they are rounded */
    double max_error; /* 0: none */
    double gain;      /* of zstd's best over its quickest level, on these data */
    bool on_trial;    /* time matters more than bytes */
    scree__contexts contexts;
    double spike; /* cells further than this from the mean do not count in codes */
} scree__code;

/* Whether a head that is read may take so many bytes; refused says otherwise. */
bool scree__code_may_take(scree__code *code, int64_t bytes);

void scree__code_clear(scree__code *code);

/* Tiles from mean, basis and scales. */
scree_status scree__code_prepare(scree__code *code, scree_error *error);

/* All but the encoder's part. get checks every number, and prepares; compact: as it is written now, and then blocks are
 * tagged; not in archives of version 1. */
void scree__code_put(scree__pack *pack, const scree__code *code);
void scree__code_get(scree__unpack *unpack, scree__code *code, bool compact);

#endif
