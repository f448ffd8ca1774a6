/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops on OpenMP. The fork and the join are told to ThreadSanitizer, which cannot see into libgomp. */

#include "base/threads.h"

#include <omp.h>

#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#else
#define __tsan_acquire(address) ((void)(address))
#define __tsan_release(address) ((void)(address))
#endif

enum { MOST_THREADS = 1024 }; /* each costs memory, and no machine is faster with more */

static const double WORTH = 1e6; /* operations, some 30 µs: what it takes to wake a thread and to wait for it */

int scree__threads(int asked)
{
    int all = omp_get_num_procs();
    int wanted = asked > 0 ? asked : all;
    return wanted < 1 ? 1 : wanted < MOST_THREADS ? wanted : MOST_THREADS;
}

int scree__threads_for(int threads, double work)
{
    return work < WORTH ? 1 : threads;
}

void scree__parallel(int threads, int64_t count, scree__task task, void *context)
{
    char fork = 0;
    char join = 0;
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
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t i = 0; i < count; i++)
            task(context, i, worker);
        __tsan_release(&join);
    }
    __tsan_acquire(&join);
}
