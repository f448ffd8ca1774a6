/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_CHECKPOINT_H
#define SCREE_FIT_CHECKPOINT_H

/* Checkpoints: what a fit has learnt of its rows, in a file, from which the same fit goes on after it was killed.
 *
 * A fit is a function of what its passes over the rows come to, and of a few decisions. Both are stages, which have
 * names and come in the same order whenever the same fit is made. A stage that is over is a note of what it came to;
 * the one at work, and those around it, are saved as they are at the moment. A fit that goes on takes the notes instead
 * of doing the work, and its open stages from where they were; what lies between stages is computed once more.
 *
 * All calls take NULL for a fit without checkpoints, and do nothing. */

#include "base/snapshot.h"

typedef struct scree__checkpoint scree__checkpoint;

enum { SCREE__STAGE_NAME = 16, SCREE__STAGES = 8 }; /* bytes of a name with its end; stages within each other */

/* name: fewer than SCREE__STAGE_NAME letters. move: everything that the stage has come to; context lives as long as the
 * stage. */
typedef struct scree__stage {
    const char *name;
    void (*move)(void *context, scree__snapshot *snapshot);
    void *context;
    bool inner; /* once it is over, the stage around it moves on at once: there is nothing to note */
} scree__stage;

typedef enum scree__reached { SCREE__NOT_BEGUN, SCREE__BEGUN, SCREE__OVER } scree__reached;

typedef struct scree__checkpoint_options {
    const char *path;
    double every;         /* seconds between saves, at least; 0: whenever there is something new */
    const char *identity; /* lines "what: which", of all that the bits depend on; lent during open */
} scree__checkpoint_options;

/* Takes up the file where there is one, and otherwise makes one. Fails where it is damaged, or of another fit. */
scree_status scree__checkpoint_open(scree__checkpoint **out, const scree__checkpoint_options *options,
                                    scree_error *error);
/* Whether there was something to go on from. */
bool scree__checkpoint_goes_on(const scree__checkpoint *checkpoint);
/* The fit is over, or has failed: the file stays. NULL-safe. */
void scree__checkpoint_close(scree__checkpoint *checkpoint);
/* Removes the file; its fit is over. */
void scree__checkpoint_remove(const char *path);

/* Begins a stage, inside of those that are open. reached: how far an earlier process got; where that is not
 * SCREE__NOT_BEGUN the stage has been moved in, and where it is SCREE__OVER it is over, and must not be ended. */
scree_status scree__checkpoint_begin(scree__checkpoint *checkpoint, const scree__stage *stage, scree__reached *reached,
                                     scree_error *error);
/* Ends the innermost stage: its notes become one. With another status than SCREE_OK it is given up, as if it had not
 * been; returns the status. A fit that is cancelled is saved before. */
scree_status scree__checkpoint_end(scree__checkpoint *checkpoint, scree_status status, scree_error *error);
/* The innermost stage has moved on: what was noted in it is part of it now. */
scree_status scree__checkpoint_turn(scree__checkpoint *checkpoint, scree_error *error);
/* All open stages are as they could be taken up: saves, if it is time. */
scree_status scree__checkpoint_offer(scree__checkpoint *checkpoint, scree_error *error);

/* Where notes are, and back to there: what was noted since is of no use. */
int64_t scree__checkpoint_mark(const scree__checkpoint *checkpoint);
void scree__checkpoint_rewind(scree__checkpoint *checkpoint, int64_t mark);

/* A stage without a duration, for decisions that other runs may not come to: found tells whether an earlier process
 * noted it here. */
scree_status scree__checkpoint_recall(scree__checkpoint *checkpoint, const scree__stage *stage, bool *found,
                                      scree_error *error);
scree_status scree__checkpoint_note(scree__checkpoint *checkpoint, const scree__stage *stage, scree_error *error);

/* count whole numbers: those that an earlier process had here, or else noted as they are. */
scree_status scree__checkpoint_settle(scree__checkpoint *checkpoint, const char *name, int64_t *values, int64_t count,
                                      scree_error *error);

/* Bytes that it takes beside what it saves. */
int64_t scree__checkpoint_memory(void);

#endif
