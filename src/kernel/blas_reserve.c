/* SPDX-License-Identifier: BSD-3-Clause */
/* Working memory of OpenBLAS under a limit of address space (ulimit -v).
 *
 * OpenBLAS takes a buffer of 128 MiB for every call that runs at the same time as another, keeps it for the next, and
 * where none can be had tries again for ever. So where there is a limit, buffers are taken beforehand, one for each
 * thread, and each only after as much address space was seen to be free: with fewer buffers fewer threads work, and
 * with none the call fails with a sentence. A process without a limit, or with another BLAS, is left alone. */

#include "kernel/blas.h"

#include "base/memory.h"
#include "base/threads.h"

#include <pthread.h>
#include <sys/mman.h>

enum { MOST_BUFFERS = 64 };

static const int64_t BUFFER = (INT64_C(128) << 20) + (1 << 16); /* with what it is aligned by */
static const int64_t STACK = INT64_C(10) << 20;                 /* of a thread, and what malloc keeps for it */

extern void *blas_memory_alloc(int position) __attribute__((weak));
extern void blas_memory_free(void *buffer) __attribute__((weak));

static struct {
    pthread_mutex_t lock;
    int buffers; /* that OpenBLAS has by now */
} taken = {PTHREAD_MUTEX_INITIALIZER, 0};

static void renew_lock(void)
{
    pthread_mutex_init(&taken.lock, NULL);
}

/* In a process that was forked, a thread that held the lock is gone. */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, renew_lock);
}

static bool is_free(int64_t bytes)
{
    /* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory wants */
    void *space = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return false;
    munmap(space, (size_t)bytes);
    return true;
}

/* Held all at once, so that each is another. */
static int take_buffers(int wanted)
{
    void *buffers[MOST_BUFFERS];
    int count = 0;
    for (; count < wanted; count++) {
        if (count >= taken.buffers && !is_free(BUFFER + (count + 1) * STACK))
            break;
        buffers[count] = blas_memory_alloc(0);
    }
    for (int i = 0; i < count; i++)
        blas_memory_free(buffers[i]);
    return count;
}

scree_status scree__blas_reserve(int threads, scree_error *error)
{
    const int64_t limit = scree__memory_address_limit();
    if (limit < 0 || !blas_memory_alloc || !blas_memory_free)
        return SCREE_OK;
    const int asked = scree__threads(threads);
    const int wanted = asked < MOST_BUFFERS ? asked : MOST_BUFFERS;
    pthread_mutex_lock(&taken.lock);
    if (taken.buffers < wanted)
        taken.buffers = take_buffers(wanted);
    const int got = taken.buffers;
    pthread_mutex_unlock(&taken.lock);
    if (got == 0)
        return scree__fail(
            error, SCREE_ERR_LIMIT,
            "a limit of %lld MiB of address space (ulimit -v) leaves less than the 128 MiB that OpenBLAS "
            "works in; raise it to %lld MiB or more",
            (long long)(limit >> 20), (long long)((limit + BUFFER + 2 * STACK) >> 20));
    if (got < asked)
        scree__threads_limit(got);
    return SCREE_OK;
}
