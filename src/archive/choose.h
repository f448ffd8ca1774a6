/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_CHOOSE_H
#define SCREE_ARCHIVE_CHOOSE_H

/* Which code makes the smallest archive, found by coding a part of the rows. */

#include "archive/block.h"
#include "archive/learn.h"

/* What is asked for: one of the two is positive, or none: then no bit may be lost. */
typedef struct scree__goal {
    double max_error;
    double rmse;
    int64_t components; /* as many; SCREE_AUTO: as many as pay */
} scree__goal;

typedef struct scree__choice {
    scree__coding coding;
    scree__neighbour neighbour;
    scree__packer packer;
    scree__lattice lattice;
    double max_error;         /* of numbers */
    scree__contexts contexts; /* of numbers */
    double gain;              /* see scree__code */
    int64_t components;
    double step;
    double bytes; /* of the whole archive, estimated */
    double rmse;  /* of the part that was tried */
} scree__choice;

/* A place to try codes in. */
typedef struct scree__trial {
    const scree__sample *sample;
    const scree__learnt *learnt;
    scree__rows part;
    void *owned;
    int threads;
} scree__trial;

enum { SCREE__TRIAL_CELLS = 1 << 19 };

/* cells: that are tried, about. */
scree_status scree__trial_new(scree__trial *trial, const scree__sample *sample, const scree__learnt *learnt,
                              int64_t cells, int threads, scree_error *error);
void scree__trial_clear(scree__trial *trial);
/* Fills bytes and rmse of each; bytes is infinite for what cannot be. A watch of memory tells if one had none. */
void scree__trial_run(const scree__trial *trial, scree__choice *choices, int64_t count);

/* The lattice that keeps cells within an error; 0: exactly, and false when no lattice can. */
bool scree__lattice_make(scree__lattice *lattice, const scree__sample *sample, double max_error);

/* Fails where a try had no memory: another code would be chosen for it. */
scree_status scree__choose(scree__choice *best, const scree__trial *trial, const scree__goal *goal, scree_error *error);

/* The code of a choice. */
scree_status scree__choice_make(scree__code *code, const scree__choice *choice, const scree__learnt *learnt,
                                scree_error *error);

#endif
