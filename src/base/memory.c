/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligned, overflow-checked memory, and how much of it the machine has free. */

#include "base/memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ALIGNMENT = 64, HUGE_PAGE = 1 << 21 };
enum { SEEN = 10 };                             /* milliseconds: looking takes 15 µs, and a small fit not much more */
static const int64_t PLENTY = INT64_C(1) << 30; /* bytes: of less, every look is a new one */

static _Thread_local bool missed;

bool scree__memory_watch(void)
{
    const bool before = missed;
    missed = false;
    return before;
}

bool scree__memory_missed(bool before)
{
    const bool now = missed;
    missed = before || now;
    return now;
}

void scree__memory_miss(void)
{
    missed = true;
}

void scree__memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Large blocks are asked for in pages of 2 MB: a page costs its first touch, and a thousand small ones cost more than
 * the arithmetic that is done in them. */
static void *large_block(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* advice: it may be declined */
#endif
    return memory;
}

static void *aligned_block(size_t bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, ALIGNMENT, bytes ? bytes : ALIGNMENT) == 0 ? memory : NULL;
}

void *scree__alloc_raw(int64_t count, size_t size)
{
    size_t bytes;
    void *memory = NULL;
    if (count >= 0 && !__builtin_mul_overflow((size_t)count, size, &bytes) && bytes <= PTRDIFF_MAX - HUGE_PAGE)
        memory = bytes >= 2 * HUGE_PAGE ? large_block(bytes) : aligned_block(bytes);
    missed = missed || !memory;
    return memory;
}

void *scree__alloc(int64_t count, size_t size)
{
    void *memory = scree__alloc_raw(count, size);
    if (memory)
        memset(memory, 0, (size_t)count * size);
    return memory;
}

char *scree__strdup(const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    missed = missed || !copy;
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void scree__strings_free(char **strings, int64_t count)
{
    if (!strings)
        return;
    for (int64_t i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

char **scree__strings_copy(const char *const *strings, int64_t count)
{
    if (!strings)
        return NULL;
    char **copy = scree__alloc(count, sizeof *copy);
    for (int64_t i = 0; copy && i < count; i++) {
        copy[i] = scree__strdup(strings[i]);
        if (!copy[i]) {
            scree__strings_free(copy, count);
            return NULL;
        }
    }
    return copy;
}

/* The number in the first line of a file, or -1: "max" and a missing file alike. */
static int64_t number_in(const char *path)
{
    int64_t value = -1;
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%" SCNd64, &value) != 1)
            value = -1;
        fclose(file);
    }
    return value;
}

static int64_t free_in_meminfo(void)
{
    char line[256];
    int64_t kilobytes = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes < 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNd64, &kilobytes) != 1)
            kilobytes = -1;
    if (file)
        fclose(file);
    return kilobytes < 0 ? INT64_C(2) << 30 : kilobytes * 1024;
}

int64_t scree__memory_address_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX)
        return -1;
    return (int64_t)limit.rlim_cur;
}

static int64_t look_at_memory(void)
{
    int64_t available = free_in_meminfo();
    const int64_t space = scree__memory_address_limit();
    if (space >= 0) {
        const int64_t pages = number_in("/proc/self/statm");
        const int64_t left = space - (pages > 0 ? pages : 0) * sysconf(_SC_PAGESIZE);
        available = left < available ? left : available;
    }
    int64_t limit = number_in("/sys/fs/cgroup/memory.max");
    int64_t used = number_in("/sys/fs/cgroup/memory.current");
    if (limit >= 0 && used >= 0 && limit - used < available)
        available = limit - used;
    return available > 0 ? available : 0;
}

static int64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Time and amount are two numbers that others may change in between: either way the amount was seen a moment ago. */
int64_t scree__memory_available(void)
{
    static _Atomic(int64_t) seen_at = -SEEN;
    static _Atomic(int64_t) seen;
    const int64_t now = milliseconds();
    if (now - atomic_load(&seen_at) < SEEN && atomic_load(&seen) >= PLENTY)
        return atomic_load(&seen);
    const int64_t available = look_at_memory();
    atomic_store(&seen, available);
    atomic_store(&seen_at, now);
    return available;
}
