/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that is watched: the thread that has called it is its worker 0, and tells how far it is before each task of
 * its own; the others see whether they are to stop. And work that tells nothing, such as a call of LAPACK: how far it
 * is can only be told by the clock. */

#include "base/watch.h"

#include "base/progress.h"

#include <math.h>
#include <time.h>

static const double SHORT = 0.3;    /* seconds: nobody wants to hear of less */
static const double INTERVAL = 0.1; /* seconds */
static const double LATE = 0.9;     /* of the time that was planned: from here on it may take longer */

typedef struct watched {
    const scree__watch *watch;
    scree__task task;
    void *context;
    int64_t count;
    scree_error *error;
    scree_status status; /* of the calling thread alone */
    _Atomic(bool) over;
} watched;

static void run(void *context, int64_t index, int worker)
{
    watched *w = context;
    if (worker == 0 && w->status == SCREE_OK) {
        w->status = scree__watch_tell(w->watch, (double)index / (double)w->count, w->error);
        if (w->status != SCREE_OK)
            atomic_store_explicit(&w->over, true, memory_order_relaxed);
    }
    if (!atomic_load_explicit(&w->over, memory_order_relaxed))
        w->task(w->context, index, worker);
}

scree_status scree__watch_parallel(const scree__watch *watch, int threads, int64_t count, scree__task task,
                                   void *context, scree_error *error)
{
    watched w = {.watch = watch, .task = task, .context = context, .count = count, .error = error};
    scree__parallel(threads, count, run, &w);
    return w.status;
}

typedef struct apart {
    void (*work)(void *context);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over;
} apart;

static void *run_apart(void *context)
{
    apart *a = context;
    a->work(a->context);
    pthread_mutex_lock(&a->lock);
    a->over = true;
    pthread_cond_signal(&a->ended);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Whether it is over within the interval. */
static bool await(apart *a)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(INTERVAL * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&a->lock);
    int waited = 0;
    while (!a->over && waited == 0)
        waited = pthread_cond_timedwait(&a->ended, &a->lock, &until);
    const bool over = a->over;
    pthread_mutex_unlock(&a->lock);
    return over;
}

/* The share of it after so much of the time that was planned. */
static double share_after(double time)
{
    return time < LATE ? time : 1 - (1 - LATE) * exp(-(time - LATE) / (1 - LATE));
}

static scree_status await_and_tell(apart *a, const scree__watch *watch, double seconds, scree_error *error)
{
    const double began = scree__seconds();
    scree_status status = SCREE_OK;
    while (!await(a))
        if (status == SCREE_OK)
            status = scree__watch_tell(watch, share_after((scree__seconds() - began) / seconds), error);
    return status;
}

scree_status scree__watch_while(const scree__watch *watch, double seconds, void (*work)(void *context), void *context,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    apart a = {.work = work, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t clock;
    pthread_t thread;
    bool begun = false;
    if (watch && watch->tell && seconds > SHORT && scree__threads(0) > 1) {
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&a.ended, &clock);
        pthread_condattr_destroy(&clock);
        begun = scree__thread_start(&thread, NULL, run_apart, &a) == 0;
        if (begun) {
            status = await_and_tell(&a, watch, seconds, error);
            pthread_join(thread, NULL);
        }
        pthread_cond_destroy(&a.ended);
    }
    if (!begun)
        work(context);
    return status;
}
