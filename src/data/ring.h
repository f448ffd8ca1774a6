/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_RING_H
#define SCREE_DATA_RING_H

/* Two slots that go round between a thread that fills them and a reader that empties them, in order. The slots belong
 * to the user of the ring, who knows what is in them; the ring knows only whose turn it is. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCREE__SLOTS = 2 };

typedef struct scree__ring {
    /* Fills a slot, on the thread; false: it is the last one. */
    bool (*fill)(void *context, int slot);
    void *context;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int64_t produced; /* slots filled */
    int64_t released; /* slots given back */
    bool running;     /* there is a thread to join */
    bool lent;        /* slot released mod 2 is with the reader */
    bool stop;
} scree__ring;

void scree__ring_init(scree__ring *ring, bool (*fill)(void *context, int slot), void *context);

/* The thread begins to fill. 0, or the number of the error. */
int scree__ring_start(scree__ring *ring);

/* Gives back the slot of the last call and waits for the next one, of which it returns the number. After the last slot
 * that was filled it returns the same again. */
int scree__ring_next(scree__ring *ring);

/* Waits for the slot that is being filled, and for no other; the ring may then start again from the beginning. */
void scree__ring_stop(scree__ring *ring);

void scree__ring_destroy(scree__ring *ring);

#endif
