/* SPDX-License-Identifier: BSD-3-Clause */
/* malloc, calloc, realloc and the aligned ones: each call is a point that can fail. Live blocks are counted by the
 * place that allocated them, so that what a failed run leaves can be compared with what a good one leaves. */

#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <iconv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

enum { BLOCKS = 1 << 20 };

typedef struct block {
    void *memory;
    fault_site *site;
} block;

static struct {
    pthread_mutex_t lock;
    block *blocks; /* an open table of BLOCKS, by address */
} ledger = {PTHREAD_MUTEX_INITIALIZER, NULL};

static _Thread_local bool inside; /* backtrace allocates */

static fault_site *site_of(uintptr_t place)
{
    for (size_t i = 0, at = place % FAULT_SITES; i < FAULT_SITES; i++, at = (at + 1) % FAULT_SITES) {
        uintptr_t none = 0;
        fault_site *site = &fault_shared->sites[at];
        if (site->place == place || atomic_compare_exchange_strong(&site->place, &none, place) || none == place)
            return site;
    }
    abort();
}

static size_t slot_of(const void *memory)
{
    return ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u >> 44;
}

static void enter(void *memory, const void *place)
{
    if (!memory || !fault_shared || inside)
        return;
    pthread_mutex_lock(&ledger.lock);
    if (!ledger.blocks)
        ledger.blocks = __libc_calloc(BLOCKS, sizeof *ledger.blocks);
    size_t at = slot_of(memory);
    while (ledger.blocks[at].memory)
        at = (at + 1) % BLOCKS;
    ledger.blocks[at] = (block){memory, site_of((uintptr_t)place)};
    atomic_fetch_add(&ledger.blocks[at].site->live, 1);
    pthread_mutex_unlock(&ledger.lock);
}

/* Takes a block out, and moves those after it up to where they are looked for. */
static void leave(const void *memory)
{
    if (!memory || !fault_shared || !ledger.blocks)
        return;
    pthread_mutex_lock(&ledger.lock);
    size_t at = slot_of(memory);
    while (ledger.blocks[at].memory && ledger.blocks[at].memory != memory)
        at = (at + 1) % BLOCKS;
    if (ledger.blocks[at].memory) {
        atomic_fetch_sub(&ledger.blocks[at].site->live, 1);
        ledger.blocks[at].memory = NULL;
        for (size_t next = (at + 1) % BLOCKS; ledger.blocks[next].memory; next = (next + 1) % BLOCKS) {
            const size_t home = slot_of(ledger.blocks[next].memory);
            if ((next - home) % BLOCKS >= (next - at) % BLOCKS) {
                ledger.blocks[at] = ledger.blocks[next];
                ledger.blocks[next].memory = NULL;
                at = next;
            }
        }
    }
    pthread_mutex_unlock(&ledger.lock);
}

/* The first caller that is no library which allocates for others, such as the C library. */
static fault_owner owner_behind(const void *place)
{
    void *frames[12];
    fault_owner owner = fault_owner_of(place);
    if (owner != FAULT_SYSTEM)
        return owner;
    inside = true;
    const int depth = backtrace(frames, 12);
    inside = false;
    for (int i = 2; i < depth && owner == FAULT_SYSTEM; i++)
        owner = fault_owner_of(frames[i]);
    return owner;
}

static bool fails(const void *place, const char *call)
{
    if (!fault_shared || inside || fault_shared->kind != FAULT_MEMORY || owner_behind(place) == FAULT_DRAWING)
        return false;
    inside = true;
    const bool failing = fault_here(FAULT_MEMORY, call);
    inside = false;
    if (failing)
        errno = ENOMEM;
    return failing;
}

void *malloc(size_t size)
{
    const void *place = __builtin_return_address(0);
    if (fails(place, "malloc"))
        return NULL;
    void *memory = __libc_malloc(size);
    enter(memory, place);
    return memory;
}

void *calloc(size_t count, size_t size)
{
    const void *place = __builtin_return_address(0);
    if (fails(place, "calloc"))
        return NULL;
    void *memory = __libc_calloc(count, size);
    enter(memory, place);
    return memory;
}

static void *grow(void *memory, size_t size, const void *place)
{
    if (size > 0 && fails(place, "realloc"))
        return NULL;
    leave(memory);
    void *grown = __libc_realloc(memory, size);
    enter(grown ? grown : size > 0 ? memory : NULL, place);
    return grown;
}

void *realloc(void *memory, size_t size)
{
    return grow(memory, size, __builtin_return_address(0));
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return grow(memory, bytes, __builtin_return_address(0));
}

static void *aligned(size_t alignment, size_t size, const char *call, const void *place)
{
    if (fails(place, call))
        return NULL;
    void *memory = __libc_memalign(alignment, size);
    enter(memory, place);
    return memory;
}

void *memalign(size_t alignment, size_t size)
{
    return aligned(alignment, size, "memalign", __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return aligned(alignment, size, "aligned_alloc", __builtin_return_address(0));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = aligned(alignment, size, "posix_memalign", __builtin_return_address(0));
    if (memory)
        *out = memory;
    return memory ? 0 : ENOMEM;
}

void free(void *memory)
{
    leave(memory);
    __libc_free(memory);
}

/* glibc calls an encoding unknown where it has no memory to load it: EINVAL, not the ENOMEM that POSIX asks for. */
iconv_t iconv_open(const char *to, const char *from)
{
    static __typeof__(iconv_open) *real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "iconv_open");
    const long before = fault_shared ? atomic_load(&fault_shared->failed) : 0;
    const iconv_t made = real(to, from);
    if (made == (iconv_t)-1 && fault_shared && atomic_load(&fault_shared->failed) > before)
        errno = ENOMEM;
    return made;
}
