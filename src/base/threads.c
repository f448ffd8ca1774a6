/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops on OpenMP. The fork and the join are told to ThreadSanitizer, which cannot see into libgomp.
 *
 * A process that was forked has none of its parent's threads, but libgomp's records of them, and waits for them for
 * ever when a loop asks for more than one. There every loop runs on the calling thread: slower, and the same bits. */

#include "base/threads.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>

#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#else
#define __tsan_acquire(address) ((void)(address))
#define __tsan_release(address) ((void)(address))
#endif

enum { MOST_THREADS = 1024 }; /* each costs memory, and no machine is faster with more */

static const double WORTH = 1e6; /* operations, some 30 µs: what it takes to wake a thread and to wait for it */

enum { SPINS = 2000 }; /* looks at a turn, some 20 µs, before the processor is left to others */

static bool is_forked; /* set in a process that has no other thread yet */

static void remember_fork(void)
{
    is_forked = true;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, remember_fork);
}

static atomic_int most_threads = MOST_THREADS;

int scree__threads(int asked)
{
    const int most = is_forked ? 1 : atomic_load(&most_threads);
    const int wanted = asked > 0 ? asked : omp_get_num_procs();
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

void scree__threads_limit(int most)
{
    atomic_store(&most_threads, most < 1 ? 1 : most < MOST_THREADS ? most : MOST_THREADS);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void scree__turn_wait(scree__turn *turn, int64_t mine)
{
    for (int i = 0; atomic_load_explicit(turn, memory_order_acquire) != mine; i++) {
        if (i < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
}

void scree__turn_done(scree__turn *turn)
{
    atomic_fetch_add_explicit(turn, 1, memory_order_release);
}

int scree__threads_for(int threads, double work)
{
    return work < WORTH ? 1 : threads;
}

void scree__parallel(int threads, int64_t count, scree__task task, void *context)
{
    char fork = 0;
    char join = 0;
    if (threads > 1)
        threads = scree__threads(threads);
    if (threads > count)
        threads = (int)count;
    if (threads <= 1) {
        for (int64_t i = 0; i < count; i++)
            task(context, i, 0);
        return;
    }
    __tsan_release(&fork);
#pragma omp parallel num_threads(threads) default(none) shared(count, task, context, fork, join)
    {
        __tsan_acquire(&fork);
        int worker = omp_get_thread_num();
#pragma omp for schedule(monotonic : dynamic, 1) nowait
        for (int64_t i = 0; i < count; i++)
            task(context, i, worker);
        __tsan_release(&join);
    }
    __tsan_acquire(&join);
}
