/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops on threads of our own. A loop is a count of tasks that threads take one by one: the caller takes them
 * too, and when none is left it waits only for those that are being done, never for a thread that has not come. So a
 * loop on a busy machine is slower by the processors that are missing, and not by the time slices of other programs.
 *
 * Threads are started when a loop first has work for them, and wait for the next loop: a moment with open eyes, since
 * loops mostly follow each other closely, then asleep. Which of them does what changes no result.
 *
 * A process that was forked has none of its parent's threads: there every loop runs on the calling thread, slower, and
 * to the same bits. So do loops within a task. */

#define _GNU_SOURCE /* sched_getaffinity */

#include "base/threads.h"

#include <sched.h>
#include <signal.h>
#include <time.h>

enum { MOST_THREADS = 1024 }; /* each costs memory, and no machine is faster with more */
enum { SPINS = 2000 };        /* looks, some 20 µs, before the processor is offered to others */
enum { STACK = 4 << 20 };

static const double WORTH = 1e6;         /* operations, some 30 µs: what it takes to wake a thread */
static const int64_t OPEN_EYES = 200000; /* nanoseconds that a thread looks for work before it sleeps */

typedef struct loop loop;
struct loop {
    scree__task task;
    void *context;
    int64_t count;
    int threads;           /* that may take tasks, the caller among them */
    int joined;            /* that came; guarded by the lock */
    _Atomic(int64_t) next; /* task to be taken */
    _Atomic(int) inside;   /* threads beside the caller that are at it */
    loop *after;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work;
    loop *loops; /* that have tasks to take */
    int started; /* threads, and how many of them sleep */
    int sleeping;
    _Atomic(int) posted; /* loops so far: what open eyes watch */
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0, 0};

static bool is_forked; /* set in a process that has no other thread yet */
static _Thread_local bool is_inside;
static atomic_int most_threads = MOST_THREADS;

static void remember_fork(void)
{
    is_forked = true;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, remember_fork);
}

/* Processors that this process may use. */
static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int scree__threads(int asked)
{
    const int most = is_forked ? 1 : atomic_load(&most_threads);
    const int wanted = asked > 0 ? asked : processors();
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

void scree__threads_limit(int most)
{
    atomic_store(&most_threads, most < 1 ? 1 : most < MOST_THREADS ? most : MOST_THREADS);
}

int scree__threads_for(int threads, double work)
{
    return work < WORTH ? 1 : threads;
}

/* For the i-th look at something that another thread changes. */
static inline void look_again(int64_t i)
{
#if defined(__x86_64__) || defined(__i386__)
    if (i < SPINS) {
        __builtin_ia32_pause();
        return;
    }
#endif
    sched_yield();
}

void scree__turn_wait(scree__turn *turn, int64_t mine)
{
    for (int64_t i = 0; atomic_load_explicit(turn, memory_order_acquire) != mine; i++)
        look_again(i);
}

void scree__turn_done(scree__turn *turn)
{
    atomic_fetch_add_explicit(turn, 1, memory_order_release);
}

static void take_tasks(loop *l, int worker)
{
    is_inside = true;
    for (;;) {
        const int64_t i = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (i >= l->count)
            break;
        l->task(l->context, i, worker);
    }
    is_inside = false;
}

/* With the lock: a loop that still has tasks and takes one more thread. */
static loop *open_loop(void)
{
    for (loop *l = pool.loops; l; l = l->after)
        if (l->joined < l->threads && atomic_load_explicit(&l->next, memory_order_relaxed) < l->count)
            return l;
    return NULL;
}

static int64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Until a loop comes after those that were seen, or for a moment. */
static void watch(int seen)
{
    const int64_t end = nanoseconds() + OPEN_EYES;
    for (int64_t i = 0; atomic_load_explicit(&pool.posted, memory_order_acquire) == seen; i++) {
        look_again(i);
        if (i % 64 == 63 && nanoseconds() > end)
            return;
    }
}

/* A thread: loops as they come, for as long as the process lives. */
static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        loop *l = open_loop();
        if (!l) {
            const int seen = atomic_load(&pool.posted);
            pthread_mutex_unlock(&pool.lock);
            watch(seen);
            pthread_mutex_lock(&pool.lock);
            if (atomic_load(&pool.posted) == seen) {
                pool.sleeping++;
                pthread_cond_wait(&pool.work, &pool.lock);
                pool.sleeping--;
            }
            continue;
        }
        const int worker = l->joined++;
        atomic_fetch_add_explicit(&l->inside, 1, memory_order_relaxed);
        pthread_mutex_unlock(&pool.lock);
        take_tasks(l, worker);
        atomic_fetch_sub_explicit(&l->inside, 1, memory_order_release); /* from here on the loop may be gone */
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

/* The new thread inherits a mask that blocks all signals. */
int scree__thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *context), void *context)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(thread, attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

/* With the lock: one more thread; false when there cannot be. */
static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    const bool started = scree__thread_start(&thread, &attributes, serve, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void post(loop *l)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.started < l->threads - 1 && start_thread())
        pool.started++;
    l->after = pool.loops;
    pool.loops = l;
    atomic_fetch_add_explicit(&pool.posted, 1, memory_order_release);
    for (int i = 0; i < l->threads - 1 && i < pool.sleeping; i++)
        pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.lock);
}

/* No thread can come any more; those that did are waited for. */
static void withdraw(loop *l)
{
    pthread_mutex_lock(&pool.lock);
    loop **at = &pool.loops;
    while (*at != l)
        at = &(*at)->after;
    *at = l->after;
    pthread_mutex_unlock(&pool.lock);
    for (int64_t i = 0; atomic_load_explicit(&l->inside, memory_order_acquire) > 0; i++)
        look_again(i);
}

void scree__parallel(int threads, int64_t count, scree__task task, void *context)
{
    if (threads > 1)
        threads = scree__threads(threads);
    if (threads > count)
        threads = (int)count;
    if (threads <= 1 || is_inside) {
        for (int64_t i = 0; i < count; i++)
            task(context, i, 0);
        return;
    }
    loop l = {.task = task, .context = context, .count = count, .threads = threads, .joined = 1};
    post(&l);
    take_tasks(&l, 0);
    withdraw(&l);
}
