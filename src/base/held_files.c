/* SPDX-License-Identifier: BSD-3-Clause */
/* Complete files that wait for their names. A program that says what it did cannot say it after its files have
 * appeared: where it has no memory for the words, or nobody takes them, it would fail with its files replaced. So it
 * lets them wait, says everything, and lets them appear together, when nothing is left that can fail. There is one list
 * a process, as there is one of the names that a signal's handler removes. */

#include "base/held_files.h"

#include "base/atomic_parts.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_WAITING = 64 };

static struct {
    pthread_mutex_t lock;
    atomic_bool on;
    int count;
    scree__atomic_file *files[MOST_WAITING];
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a process that was forked, a thread that held the lock is gone, and what waits is its parent's. */
static void begin_anew(void)
{
    pthread_mutex_init(&waiting.lock, NULL);
    waiting.on = false;
    waiting.count = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_anew);
}

bool scree__files_wait(void)
{
    return waiting.on;
}

scree_status scree__files_keep(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    pthread_mutex_lock(&waiting.lock);
    if (count > MOST_WAITING - waiting.count)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %d files wait for their names already: publish them first",
                   files[0]->name, waiting.count);
    for (int64_t i = 0; i < count; i++)
        if (files[i]->temporary.name) {
            files[i]->is_waiting = true;
            waiting.files[waiting.count++] = files[i];
        }
done:
    pthread_mutex_unlock(&waiting.lock);
    return status;
}

void scree_outputs_hold(void)
{
    pthread_mutex_lock(&waiting.lock);
    waiting.on = true;
    pthread_mutex_unlock(&waiting.lock);
}

/* With the lock. */
static void free_all(void)
{
    for (int i = 0; i < waiting.count; i++) {
        waiting.files[i]->is_waiting = false;
        scree__atomic_free(waiting.files[i]);
    }
    waiting.count = 0;
    waiting.on = false;
}

scree_status scree_outputs_publish(scree_error *error)
{
    pthread_mutex_lock(&waiting.lock);
    const scree_status status =
        waiting.count > 0 ? scree__atomic_publish(waiting.files, waiting.count, error) : SCREE_OK;
    free_all();
    pthread_mutex_unlock(&waiting.lock);
    return status;
}

void scree_outputs_discard(void)
{
    pthread_mutex_lock(&waiting.lock);
    free_all();
    pthread_mutex_unlock(&waiting.lock);
}
