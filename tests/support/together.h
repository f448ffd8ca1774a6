/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_TOGETHER_H
#define SCREE_TESTS_TOGETHER_H

/* Threads that play processes: each has a communicator of its own, whose messages go through memory. */

#include "scree.h"

enum { TOGETHER_MOST = 80 };

/* What one of them does. */
typedef void (*together_task)(void *context, const scree_communicator *communicator);

/* So many of them at once, until all are done. */
void together_run(int ranks, together_task task, void *context);

/* Fits r with the options by so many; models and errors (ranks of each, errors initialised) are what each got. Whether
 * all succeeded. */
typedef struct together_fits {
    scree_model *model[TOGETHER_MOST];
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} together_fits;

/* How the source of each is made, and freed by who asked for it. */
typedef scree_source *(*together_source)(void *context, int rank);

void together_fit(together_fits *fits, int ranks, together_source source, void *context,
                  const scree_fit_options *options);
void together_clear(together_fits *fits, int ranks);

#endif
