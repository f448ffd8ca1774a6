/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_FIT_RESUME_H
#define SCREE_FIT_FIT_RESUME_H

/* What a fit and its checkpoint have to tell each other: see fit_resume.c. */

#include "fit/job.h"
#include "fit/plan.h"

/* The checkpoint that the options ask for; *out stays NULL where they ask for none. run: its memory becomes what the
 * fit began with. */
scree_status scree__fit_checkpoint(scree__checkpoint **out, scree_source *source, const scree_fit_options *options,
                                   scree_run *run, scree_error *error);
/* Everything that the bits of a fit depend on, a line "what: which" each; to be freed. options: such lines. */
scree_status scree__fit_identity(char **out, scree_source *source, const char *options, scree_error *error);
/* A path, and seconds, as options have them. */
scree_status scree__fit_check_every(const char *path, double every, scree_error *error);
/* Refuses a source that can be read but once. */
scree_status scree__fit_check_rewind(const scree_source *source, scree_error *error);

/* The method of the choice is the one that the fit began with. */
scree_status scree__fit_settle_method(const scree__job *job, scree__choice *choice, scree_error *error);

/* A turn that a fit may take: gaps were found, or more rows than estimated. The number of rows, as far as it is known,
 * goes with it. taken: an earlier process took it here. */
scree_status scree__fit_recall_turn(const scree__job *job, const char *name, bool *taken, scree_error *error);
/* It is taken now; what was noted since the mark is of no use any more. */
scree_status scree__fit_take_turn(const scree__job *job, const char *name, int64_t mark, scree_error *error);

/* How many components, latent dimensions, and which solver, where selection or gaps have said so. */
scree_status scree__fit_recall_components(scree__checkpoint *checkpoint, scree_source *source,
                                          scree_fit_options *options, bool *found, scree_error *error);
scree_status scree__fit_note_components(scree__checkpoint *checkpoint, scree_source *source, scree_fit_options *options,
                                        scree_error *error);

#endif
