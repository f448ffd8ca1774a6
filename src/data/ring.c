/* SPDX-License-Identifier: BSD-3-Clause */
/* produced counts the slots that the thread has filled, released those that the reader gave back; the thread fills slot
 * produced mod 2 while produced - released < 2, the reader is lent slot released mod 2 while released < produced. The
 * last slot is never given back: whoever asks again sees the end again. */

#include "data/ring.h"

#include "base/threads.h"

void scree__ring_init(scree__ring *ring, bool (*fill)(void *context, int slot), void *context)
{
    *ring = (scree__ring){.fill = fill, .context = context};
    pthread_mutex_init(&ring->mutex, NULL);
    pthread_cond_init(&ring->changed, NULL);
}

static void *fill_slots(void *context)
{
    scree__ring *ring = context;
    for (bool more = true; more;) {
        pthread_mutex_lock(&ring->mutex);
        while (!ring->stop && ring->produced - ring->released == SCREE__SLOTS)
            pthread_cond_wait(&ring->changed, &ring->mutex);
        bool stop = ring->stop;
        int slot = (int)(ring->produced % SCREE__SLOTS);
        pthread_mutex_unlock(&ring->mutex);
        if (stop)
            break;
        more = ring->fill(ring->context, slot);
        pthread_mutex_lock(&ring->mutex);
        ring->produced++;
        ring->stop = ring->stop || !more;
        pthread_cond_signal(&ring->changed);
        pthread_mutex_unlock(&ring->mutex);
    }
    return NULL;
}

int scree__ring_start(scree__ring *ring)
{
    ring->produced = 0;
    ring->released = 0;
    ring->lent = false;
    ring->stop = false;
    const int reason = scree__thread_start(&ring->thread, NULL, fill_slots, ring);
    ring->running = reason == 0;
    return reason;
}

int scree__ring_next(scree__ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    if (ring->lent && !(ring->stop && ring->released + 1 == ring->produced)) {
        ring->released++;
        pthread_cond_signal(&ring->changed);
    }
    while (ring->released == ring->produced)
        pthread_cond_wait(&ring->changed, &ring->mutex);
    ring->lent = true;
    int slot = (int)(ring->released % SCREE__SLOTS);
    pthread_mutex_unlock(&ring->mutex);
    return slot;
}

void scree__ring_stop(scree__ring *ring)
{
    if (!ring->running)
        return;
    pthread_mutex_lock(&ring->mutex);
    ring->stop = true;
    pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->mutex);
    pthread_join(ring->thread, NULL);
    ring->running = false;
}

void scree__ring_destroy(scree__ring *ring)
{
    scree__ring_stop(ring);
    pthread_cond_destroy(&ring->changed);
    pthread_mutex_destroy(&ring->mutex);
}
