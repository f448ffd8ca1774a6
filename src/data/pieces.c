/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading with all threads. What lies in the page cache is copied from there by the processor, some GB a second on each
 * core: a single reader would keep sixteen others waiting. Pieces are read straight to where they belong, and converted
 * there, or from a buffer of the piece's own where the file's elements have another size. */

#include "data/pieces.h"

#include "base/memory.h"
#include "base/threads.h"

#include <pthread.h>

enum { PIECE_BYTES = 1 << 20 };

typedef struct reading {
    const scree__pieces *all;
    int64_t piece; /* elements */
    pthread_mutex_t lock;
    int64_t faulty;  /* the first piece that something was wrong with; -1: none */
    int64_t missing; /* there: the first byte that was not read */
    scree_status status;
    scree_error error;
} reading;

/* Of several pieces with a fault, the first in the file is told of. */
static void note_fault(reading *r, int64_t index, scree_status status, const scree_error *error, int64_t missing)
{
    pthread_mutex_lock(&r->lock);
    if (r->faulty < 0 || index < r->faulty) {
        r->faulty = index;
        r->missing = missing;
        r->status = status;
        r->error = *error;
    }
    pthread_mutex_unlock(&r->lock);
}

/* Task: a piece. */
static void read_piece(void *context, int64_t index, int worker)
{
    reading *r = context;
    const scree__pieces *all = r->all;
    scree_status status = SCREE_OK;
    scree_error problem = SCREE_ERROR_INIT;
    scree_error *error = &problem;
    char *own = NULL;
    const int64_t first = index * r->piece;
    const int64_t count = all->count - first < r->piece ? all->count - first : r->piece;
    const int64_t offset = first * all->element.size;
    int64_t got = 0;
    (void)worker;
    char *to = all->to + first * all->size;
    if (all->element.size != all->size)
        SCREE_ALLOC(own, count * all->element.size, error);
    SCREE_TRY(
        scree__bytes_read_at(all->bytes, own ? own : to, all->offset + offset, count * all->element.size, &got, error));
    if (got == count * all->element.size && !scree__element_is_plain(all->element))
        scree__elements_convert(all->element, own ? own : to, to, count);
done:
    free(own);
    if (status != SCREE_OK || got < count * all->element.size)
        note_fault(r, index, status, &problem, offset + got);
}

scree_status scree__pieces_read(const scree__pieces *pieces, int64_t *got, scree_error *error)
{
    const int64_t bytes = pieces->count * pieces->element.size;
    reading r = {.all = pieces, .piece = PIECE_BYTES / pieces->element.size, .faulty = -1};
    pthread_mutex_init(&r.lock, NULL);
    scree__parallel(scree__threads_for(pieces->threads, (double)bytes), (pieces->count + r.piece - 1) / r.piece,
                    read_piece, &r);
    pthread_mutex_destroy(&r.lock);
    *got = r.faulty < 0 ? bytes : r.missing;
    return r.status == SCREE_OK ? SCREE_OK : scree__fail(error, r.status, "%s", r.error.text);
}
