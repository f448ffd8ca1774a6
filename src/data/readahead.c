/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: a thread reads the next block while the last one is worked on.
 *
 * Two slots go round. produced counts the slots that the thread has filled, released those that the reader gave back;
 * the thread fills slot produced mod 2 while produced - released < 2, the reader is lent slot released mod 2 while
 * released < produced. A slot holds a copy of a block with its text, or what ended the reading: no rows, or an error,
 * which so arrive in order. Closing waits for the block that is being read, and for no other. */

#include "data/source.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { SLOTS = 2 };

typedef struct slot {
    scree_status status;
    scree_error error;
    scree__block block;
    void *data;
    int64_t data_bytes; /* room */
    const char **text;
    int64_t text_count; /* room */
    char *chars;        /* what text points to */
    int64_t chars_size; /* room */
} slot;

typedef struct readahead {
    scree_source base;
    scree_source *inner;
    slot slots[SLOTS];
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int64_t produced;
    int64_t released;
    bool running; /* there is a thread to join */
    bool lent;    /* slot released mod 2 is with the reader */
    bool stop;
} readahead;

/* Room for size bytes at *memory; what was there is lost. */
static scree_status reserve(void **memory, int64_t *room, int64_t size, scree_error *error)
{
    if (*memory && *room >= size)
        return SCREE_OK;
    free(*memory);
    *memory = scree__alloc_raw(size, 1);
    *room = *memory ? size : 0;
    return *memory ? SCREE_OK
                   : scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld bytes are not to be had to read ahead",
                                 (long long)size);
}

static scree_status copy_rows(slot *to, const scree__block *block, int64_t cols, scree_error *error)
{
    int64_t size = scree__type_size(block->type);
    scree_status status = reserve(&to->data, &to->data_bytes, block->rows * cols * size, error);
    if (status != SCREE_OK)
        return status;
    if (block->stride == cols) {
        memcpy(to->data, block->data, (size_t)(block->rows * cols * size));
    } else {
        for (int64_t i = 0; i < block->rows; i++)
            memcpy((char *)to->data + i * cols * size, (const char *)block->data + i * block->stride * size,
                   (size_t)(cols * size));
    }
    to->block.data = to->data;
    to->block.stride = cols;
    return SCREE_OK;
}

static scree_status copy_text(slot *to, const char *const *text, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t total = 0;
    int64_t bytes = to->text_count * (int64_t)sizeof *to->text;
    void *pointers = to->text;
    void *chars = to->chars;
    for (int64_t i = 0; i < count; i++)
        total += (int64_t)strlen(text[i]) + 1;
    SCREE_TRY(reserve(&pointers, &bytes, count * (int64_t)sizeof *to->text, error));
    SCREE_TRY(reserve(&chars, &to->chars_size, total, error));
    char *at = chars;
    for (int64_t i = 0; i < count; i++) {
        size_t size = strlen(text[i]) + 1;
        ((const char **)pointers)[i] = memcpy(at, text[i], size);
        at += size;
    }
    to->block.text = pointers;
done:
    to->text = pointers;
    to->text_count = bytes / (int64_t)sizeof *to->text;
    to->chars = chars;
    return status;
}

/* Reads one block of the inner source into a slot; what fails is kept there for the reader. */
static void fill(readahead *ahead, slot *to)
{
    scree_status status = SCREE_OK;
    scree__block block = {0};
    to->error = (scree_error)SCREE_ERROR_INIT;
    SCREE_TRY(scree__source_next(ahead->inner, &block, &to->error));
    to->block = block;
    to->block.text = NULL;
    if (block.rows > 0)
        SCREE_TRY(copy_rows(to, &block, ahead->inner->cols, &to->error));
    if (block.rows > 0 && block.text)
        SCREE_TRY(copy_text(to, block.text, block.rows * ahead->inner->text_count, &to->error));
done:
    to->status = status;
}

static void *read_blocks(void *context)
{
    readahead *ahead = context;
    for (bool last = false; !last;) {
        pthread_mutex_lock(&ahead->mutex);
        while (!ahead->stop && ahead->produced - ahead->released == SLOTS)
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
        bool stop = ahead->stop;
        slot *to = &ahead->slots[ahead->produced % SLOTS];
        pthread_mutex_unlock(&ahead->mutex);
        if (stop)
            break;
        fill(ahead, to);
        last = to->status != SCREE_OK || to->block.rows == 0;
        pthread_mutex_lock(&ahead->mutex);
        ahead->produced++;
        pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->mutex);
    }
    return NULL;
}

/* Signals stay with the caller's threads: the new one inherits a mask that blocks them all. */
static scree_status start(readahead *ahead, scree_error *error)
{
    sigset_t all;
    sigset_t before;
    ahead->produced = 0;
    ahead->released = 0;
    ahead->lent = false;
    ahead->stop = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int reason = pthread_create(&ahead->thread, NULL, read_blocks, ahead);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ahead->running = reason == 0;
    return reason == 0 ? SCREE_OK
                       : scree__fail(error, SCREE_ERR_MEMORY, "%s: no thread can be had to read it (%s)",
                                     ahead->base.path, strerror(reason));
}

static void stop(readahead *ahead)
{
    if (!ahead->running)
        return;
    pthread_mutex_lock(&ahead->mutex);
    ahead->stop = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    pthread_join(ahead->thread, NULL);
    ahead->running = false;
}

static scree_status readahead_next(scree_source *source, scree__block *block, scree_error *error)
{
    readahead *ahead = (readahead *)source;
    pthread_mutex_lock(&ahead->mutex);
    if (ahead->lent) {
        ahead->released++;
        ahead->lent = false;
        pthread_cond_signal(&ahead->changed);
    }
    while (ahead->released == ahead->produced)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    pthread_mutex_unlock(&ahead->mutex);
    const slot *from = &ahead->slots[ahead->released % SLOTS];
    if (from->status != SCREE_OK)
        return scree__fail(error, from->status, "%s", from->error.text);
    *block = from->block;
    ahead->lent = block->rows > 0;
    return SCREE_OK;
}

static scree_status readahead_rewind(scree_source *source, scree_error *error)
{
    readahead *ahead = (readahead *)source;
    stop(ahead);
    scree_status status = scree__source_rewind(ahead->inner, error);
    return status == SCREE_OK ? start(ahead, error) : status;
}

static void readahead_close(scree_source *source)
{
    readahead *ahead = (readahead *)source;
    stop(ahead);
    for (int i = 0; i < SLOTS; i++) {
        free(ahead->slots[i].data);
        free(ahead->slots[i].text);
        free(ahead->slots[i].chars);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
}

static const scree__source_table readahead_table = {"read-ahead", readahead_next, readahead_rewind, NULL,
                                                    readahead_close};

scree_status scree__readahead_open(scree_source **out, scree_source *inner, scree_error *error)
{
    scree_status status = SCREE_OK;
    readahead *ahead = NULL;
    SCREE_ALLOC(ahead, 1, error);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->base.table = &readahead_table;
    ahead->inner = inner;
    SCREE_TRY(scree__source_describe(&ahead->base, inner, error));
    ahead->base.can = inner->can & SCREE__CAN_REWIND;
    SCREE_TRY(start(ahead, error));
    *out = &ahead->base;
    ahead = NULL;
done:
    scree_source_close(ahead ? &ahead->base : NULL);
    return status;
}
