/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a pipe that may pause. Who waits for a full buffer answers a row of a slow instrument hours later; who
 * answers whatever one read gives is slow where rows come fast. So a read ends when nothing has come for PAUSE
 * milliseconds, and when there is nothing right now after GATHER, so that a steady trickle is answered too. A pipe that
 * keeps up with the reader fills the buffer within that time or is never found empty: it costs a poll for each read.
 *
 * A signal may come between a look at the flag and the wait: the wait is cut into pieces of LOOK. */

#include "data/live.h"

#include "base/file_calls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { PAUSE = 8, GATHER = 20, LOOK = 50 }; /* milliseconds */

static atomic_bool stopped;

void scree_input_stop(bool stop)
{
    atomic_store(&stopped, stop);
}

bool scree__input_stopped(void)
{
    return atomic_load_explicit(&stopped, memory_order_relaxed);
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether there is something to read; else it is a pause or, by descriptor->ended, the end. */
static bool await(scree__descriptor *descriptor, bool first, int64_t deadline)
{
    const int64_t left = first ? LOOK : deadline - milliseconds();
    bool ready = false;
    do {
        ready = scree__call_poll(descriptor->fd, first ? LOOK : left > PAUSE ? PAUSE : left > 0 ? (int)left : 0);
        descriptor->ended = descriptor->cut = scree__input_stopped();
    } while (first && !ready && !descriptor->ended);
    return ready && !descriptor->ended;
}

scree_status scree__live_read(scree__descriptor *descriptor, void *buffer, int64_t size, bool wait, int64_t *got,
                              scree_error *error)
{
    unsigned char *to = buffer;
    int64_t deadline = wait ? 0 : milliseconds() + GATHER;
    *got = 0;
    while (*got < size && !descriptor->ended) {
        if (!await(descriptor, wait && *got == 0, deadline))
            break;
        const int64_t count = scree__call_read(descriptor->fd, to + *got, size - *got);
        if (count < 0)
            return scree__fail(error, SCREE_ERR_IO, "%s: reading failed at byte %" PRId64 " (%s): check the disk",
                               descriptor->name, descriptor->at, strerror(errno));
        descriptor->ended = count == 0;
        if (wait && *got == 0)
            deadline = milliseconds() + GATHER;
        *got += count;
        descriptor->at += count;
    }
    return SCREE_OK;
}
