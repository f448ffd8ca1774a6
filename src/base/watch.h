/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_WATCH_H
#define SCREE_BASE_WATCH_H

/* Long work that is no pass over rows tells whoever watches how far it is, and ends when it is told to. */

#include "base/error.h"
#include "base/threads.h"

typedef struct scree__watch {
    scree_status (*tell)(void *context, double done, scree_error *error); /* NULL: nobody watches */
    void *context;
    double from; /* the part of the whole, from 0 to 1, that the work is; */
    double to;   /* both 0: it is the whole */
} scree__watch;

/* So much of the work, from 0 to 1, is done. Anything but SCREE_OK: it is to end, with that. watch: or NULL. */
static inline scree_status scree__watch_tell(const scree__watch *watch, double done, scree_error *error)
{
    if (!watch || !watch->tell)
        return SCREE_OK;
    const double to = watch->to > 0 ? watch->to : 1;
    return watch->tell(watch->context, watch->from + done * (to - watch->from), error);
}

/* For the part of the work from one share of it to another. */
static inline scree__watch scree__watch_part(const scree__watch *watch, double from, double to)
{
    scree__watch part = {0};
    if (watch && watch->tell) {
        const double whole = (watch->to > 0 ? watch->to : 1) - watch->from;
        part = *watch;
        part.from = watch->from + from * whole;
        part.to = watch->from + to * whole;
    }
    return part;
}

/* scree__parallel, watched by the calling thread between its tasks, which are of about the same length. Once it is to
 * end, tasks that have not begun are left out: none may wait for another. */
scree_status scree__watch_parallel(const scree__watch *watch, int threads, int64_t count, scree__task task,
                                   void *context, scree_error *error);

/* work(context), which tells nothing itself and is thought to take so many seconds. Where somebody watches, another
 * thread does it; told to end, this one waits for it first. */
scree_status scree__watch_while(const scree__watch *watch, double seconds, void (*work)(void *context), void *context,
                                scree_error *error);

#endif
