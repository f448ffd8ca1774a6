/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_THREADS_H
#define SCREE_BASE_THREADS_H

/* Parallel loops; see threads.c. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A task of a parallel loop; worker is in 0..threads-1 and names the scratch that the task may use. */
typedef void (*scree__task)(void *context, int64_t index, int worker);

/* Runs task(context, i, worker) for i in 0..count-1 on at most threads threads. Tasks begin in the order of their
 * numbers, and may end in any. Which thread does what must not change a result: tasks write to places of their own, or
 * in turn. */
void scree__parallel(int threads, int64_t count, scree__task task, void *context);

/* What tasks of one loop do in turn: in the order of their numbers, whatever order they come in. A turn is a count that
 * starts at 0. A task waits until it has reached mine, and moves it on when it is done, even if it has failed; the task
 * before it must have a smaller number, so that it has begun. */
typedef _Atomic(int64_t) scree__turn;
void scree__turn_wait(scree__turn *turn, int64_t mine);
void scree__turn_done(scree__turn *turn);

/* threads as asked for, 1024 at most; 0 becomes all that this process may use; 1 in a process that was forked. */
int scree__threads(int asked);

/* From now on there are at most so many. */
void scree__threads_limit(int most);

/* A thread that no signal disturbs: they stay with the caller's. attributes: or NULL. 0, or the number of an error. */
int scree__thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *context),
                        void *context);

/* threads for so many operations: 1 where waking others would take longer than the work. */
int scree__threads_for(int threads, double work);

#endif
