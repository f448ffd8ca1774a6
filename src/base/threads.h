/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_THREADS_H
#define SCREE_BASE_THREADS_H

/* The one place that knows OpenMP. */

#include <stdbool.h>
#include <stdint.h>

/* A task of a parallel loop; worker is in 0..threads-1 and names the scratch that the task may use. */
typedef void (*scree__task)(void *context, int64_t index, int worker);

/* Runs task(context, i, worker) for i in 0..count-1, in any order, on at most threads threads. Which thread does what
 * must not change a result: tasks write to places of their own. */
void scree__parallel(int threads, int64_t count, scree__task task, void *context);

/* threads as asked for, 1024 at most; 0 becomes all that this process may use; 1 in a process that was forked. */
int scree__threads(int asked);

/* From now on there are at most so many. */
void scree__threads_limit(int most);

/* threads for so many operations: 1 where waking others would take longer than the work. */
int scree__threads_for(int threads, double work);

#endif
