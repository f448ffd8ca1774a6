/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of a fit: notes of the stages that are over, in a scratch file in their order, and the open stages, which
 * are asked for what they have come to when it is time to save:
 *
 *     notes before stage 1 · stage 1 as it is · notes in it · stage 2 as it is · notes in that · …
 *
 * is what the file holds, and the order in which a fit that goes on asks for it. Saving costs one write of all that;
 * where that takes long, it is done less often than every so many seconds, so that it costs a twentieth of the time at
 * most. No more is kept in memory than the fit has anyway. */

#include "fit/checkpoint.h"

#include "base/file_calls.h"
#include "base/memory.h"
#include "base/progress.h"
#include "data/scratch.h"
#include "fit/checkpoint_file.h"

#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 18, LEAST_SHARE = 20 };

typedef struct opened {
    scree__stage stage;
    int64_t mark; /* bytes of notes when it began */
} opened;

struct scree__checkpoint {
    char *path;
    char *identity;
    double every;
    double last; /* save, or when it was opened, in seconds */
    double cost; /* of that */
    bool goes_on;
    scree__checkpoint_reader reader; /* of what an earlier process saved, until all of it is taken */
    scree__scratch notes;
    opened open[SCREE__STAGES];
    int depth;
};

/* What a stage is moved to or from; one of the three. */
typedef struct mover {
    scree__checkpoint *checkpoint;
    scree__atomic_file *file;
    int64_t at;   /* in what is read */
    int64_t left; /* of that */
    int64_t bytes;
    uint32_t crc;
} mover;

static bool is_replaying(const scree__checkpoint *c)
{
    return c->reader.fd >= 0 && c->reader.at < c->reader.end;
}

/* ---- a stage, moved ---- */

static scree_status read_back(void *context, void *data, int64_t bytes, scree_error *error)
{
    mover *m = context;
    const scree__checkpoint_reader *r = &m->checkpoint->reader;
    if (bytes > m->left)
        return scree__checkpoint_broken(r->path, error);
    const scree_status status = scree__checkpoint_fetch(r, m->at, data, bytes, error);
    m->at += bytes;
    m->left -= bytes;
    return status;
}

static scree_status write_note(void *context, void *data, int64_t bytes, scree_error *error)
{
    mover *m = context;
    m->crc = scree__checkpoint_crc(m->crc, data, bytes);
    m->bytes += bytes;
    return scree__scratch_write(&m->checkpoint->notes, data, bytes, error);
}

static scree_status write_file(void *context, void *data, int64_t bytes, scree_error *error)
{
    mover *m = context;
    m->crc = scree__checkpoint_crc(m->crc, data, bytes);
    m->bytes += bytes;
    return scree__atomic_write(m->file, data, bytes, error);
}

static scree__checkpoint_item item_of(const scree__stage *stage, const mover *m, bool open)
{
    scree__checkpoint_item item = {.bytes = m->bytes, .open = open, .crc = m->crc};
    for (size_t i = 0; i + 1 < sizeof item.name && stage->name[i]; i++)
        item.name[i] = stage->name[i];
    return item;
}

static scree_status open_notes(scree__checkpoint *c, scree_error *error)
{
    return scree__scratch_is_open(&c->notes) ? SCREE_OK
                                             : scree__scratch_open(&c->notes, c->path, "a checkpoint", error);
}

/* A stage that is over, behind the others. */
static scree_status add_note(scree__checkpoint *c, const scree__stage *stage, scree_error *error)
{
    scree_status status = SCREE_OK;
    mover m = {.checkpoint = c};
    scree__snapshot s = {.move = write_note, .context = &m, .error = error};
    SCREE_TRY(open_notes(c, error));
    const int64_t begin = c->notes.size;
    scree__checkpoint_item item = item_of(stage, &m, false);
    SCREE_TRY(scree__scratch_write(&c->notes, &item, sizeof item, error));
    stage->move(stage->context, &s);
    SCREE_TRY(s.status);
    const int64_t end = c->notes.size;
    item = item_of(stage, &m, false);
    c->notes.size = begin;
    SCREE_TRY(scree__scratch_write(&c->notes, &item, sizeof item, error));
    c->notes.size = end;
done:
    return status;
}

/* An item that was read becomes a note as it is. */
static scree_status copy_note(scree__checkpoint *c, int64_t at, int64_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *chunk = NULL;
    SCREE_TRY(open_notes(c, error));
    SCREE_ALLOC(chunk, CHUNK, error);
    for (int64_t done = 0; done < bytes; done += CHUNK) {
        const int64_t count = bytes - done < CHUNK ? bytes - done : CHUNK;
        SCREE_TRY(scree__checkpoint_fetch(&c->reader, at + done, chunk, count, error));
        SCREE_TRY(scree__scratch_write(&c->notes, chunk, count, error));
    }
done:
    free(chunk);
    return status;
}

/* The next item, which is this stage. */
static scree_status take(scree__checkpoint *c, const scree__stage *stage, const scree__checkpoint_item *item,
                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = (int64_t)sizeof *item + item->bytes;
    mover m = {.checkpoint = c, .at = c->reader.at + (int64_t)sizeof *item, .left = item->bytes};
    scree__snapshot s = {.move = read_back, .context = &m, .reads = true, .error = error};
    stage->move(stage->context, &s);
    if (s.status == SCREE_ERR_FORMAT || (s.status == SCREE_OK && m.left > 0))
        SCREE_TRY(scree__checkpoint_broken(c->path, error));
    SCREE_TRY(s.status);
    if (!item->open)
        SCREE_TRY(copy_note(c, c->reader.at, size, error));
    c->reader.at += size;
done:
    return status;
}

/* ---- saving ---- */

static scree_status save_notes(scree__checkpoint *c, scree__atomic_file *file, int64_t from, int64_t to,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    char *chunk = NULL;
    SCREE_ALLOC(chunk, CHUNK, error);
    for (int64_t at = from; at < to; at += CHUNK) {
        const int64_t count = to - at < CHUNK ? to - at : CHUNK;
        SCREE_TRY(scree__scratch_read(&c->notes, chunk, count, at, error));
        SCREE_TRY(scree__atomic_write(file, chunk, count, error));
    }
done:
    free(chunk);
    return status;
}

/* An open stage, whose item begins at a place in the file; *at moves behind it. */
static scree_status save_stage(const scree__stage *stage, scree__atomic_file *file, int64_t *at, scree_error *error)
{
    scree_status status = SCREE_OK;
    mover m = {.file = file};
    scree__snapshot s = {.move = write_file, .context = &m, .error = error};
    scree__checkpoint_item item = item_of(stage, &m, true);
    SCREE_TRY(scree__atomic_write(file, &item, sizeof item, error));
    stage->move(stage->context, &s);
    SCREE_TRY(s.status);
    item = item_of(stage, &m, true);
    SCREE_TRY(scree__atomic_patch(file, *at, &item, sizeof item, error));
    *at += (int64_t)sizeof item + m.bytes;
done:
    return status;
}

static scree_status save(scree__checkpoint *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    const double began = scree__seconds();
    int64_t at = 0;
    int64_t noted = 0;
    SCREE_TRY(scree__atomic_open(&file, c->path, error));
    SCREE_TRY(scree__checkpoint_head(file, c->identity, &at, error));
    for (int i = 0; i < c->depth; i++) {
        SCREE_TRY(save_notes(c, file, noted, c->open[i].mark, error));
        at += c->open[i].mark - noted;
        noted = c->open[i].mark;
        SCREE_TRY(save_stage(&c->open[i].stage, file, &at, error));
    }
    SCREE_TRY(save_notes(c, file, noted, c->notes.size, error));
    SCREE_TRY(scree__checkpoint_foot(file, error));
    SCREE_TRY(scree__atomic_commit_at_once(file, error));
    c->last = scree__seconds();
    c->cost = c->last - began;
done:
    scree__atomic_free(file);
    return status;
}

/* That it can be written is known before the work; there is nothing to write yet. */
static scree_status try_place(const scree__checkpoint *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    SCREE_TRY(scree__atomic_open(&file, c->path, error));
    if (!scree__atomic_seekable(file))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: a checkpoint is a file; name another place for it", c->path);
done:
    scree__atomic_free(file);
    return status;
}

scree_status scree__checkpoint_offer(scree__checkpoint *c, scree_error *error)
{
    if (!c || is_replaying(c))
        return SCREE_OK;
    const double wait = c->every > LEAST_SHARE * c->cost ? c->every : LEAST_SHARE * c->cost;
    return c->every > 0 && scree__seconds() - c->last < wait ? SCREE_OK : save(c, error);
}

/* ---- stages ---- */

static void push(scree__checkpoint *c, const scree__stage *stage)
{
    c->open[c->depth++] = (opened){*stage, c->notes.size};
}

scree_status scree__checkpoint_begin(scree__checkpoint *c, const scree__stage *stage, scree__reached *reached,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__checkpoint_item item;
    *reached = SCREE__NOT_BEGUN;
    if (!c)
        return SCREE_OK;
    if (c->depth == SCREE__STAGES)
        SCREE_FAIL(error, SCREE_ERR_LIMIT, "a checkpoint has %d stages within each other at most", SCREE__STAGES);
    if (is_replaying(c)) {
        if (!scree__checkpoint_peek(&c->reader, &item) || strcmp(item.name, stage->name) != 0)
            SCREE_TRY(scree__checkpoint_broken(c->path, error));
        SCREE_TRY(take(c, stage, &item, error));
        *reached = item.open ? SCREE__BEGUN : SCREE__OVER;
    }
    if (*reached != SCREE__OVER)
        push(c, stage);
done:
    return status;
}

scree_status scree__checkpoint_end(scree__checkpoint *c, scree_status ended, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!c)
        return ended;
    if (ended == SCREE_ERR_CANCELLED && !is_replaying(c))
        (void)save(c, NULL); /* what there is to say is that it was cancelled */
    const opened last = c->open[--c->depth];
    c->notes.size = last.mark;
    if (ended != SCREE_OK || last.stage.inner)
        return ended;
    SCREE_TRY(add_note(c, &last.stage, error));
    SCREE_TRY(scree__checkpoint_offer(c, error));
done:
    return status;
}

scree_status scree__checkpoint_turn(scree__checkpoint *c, scree_error *error)
{
    if (!c)
        return SCREE_OK;
    c->notes.size = c->open[c->depth - 1].mark;
    return scree__checkpoint_offer(c, error);
}

int64_t scree__checkpoint_mark(const scree__checkpoint *c)
{
    return c ? c->notes.size : 0;
}

void scree__checkpoint_rewind(scree__checkpoint *c, int64_t mark)
{
    if (c && mark < c->notes.size)
        c->notes.size = mark;
}

scree_status scree__checkpoint_recall(scree__checkpoint *c, const scree__stage *stage, bool *found, scree_error *error)
{
    scree__checkpoint_item item;
    *found = c && is_replaying(c) && scree__checkpoint_peek(&c->reader, &item) && !item.open &&
             strcmp(item.name, stage->name) == 0;
    return *found ? take(c, stage, &item, error) : SCREE_OK;
}

scree_status scree__checkpoint_note(scree__checkpoint *c, const scree__stage *stage, scree_error *error)
{
    return c ? add_note(c, stage, error) : SCREE_OK;
}

typedef struct numbers {
    int64_t *values;
    int64_t count;
} numbers;

static void move_numbers(void *context, scree__snapshot *s)
{
    const numbers *n = context;
    scree__snapshot_same(s, n->count);
    for (int64_t i = 0; i < n->count; i++)
        scree__snapshot_count(s, &n->values[i], INT64_MIN, INT64_MAX);
}

scree_status scree__checkpoint_settle(scree__checkpoint *c, const char *name, int64_t *values, int64_t count,
                                      scree_error *error)
{
    scree_status status = SCREE_OK;
    numbers n = {values, count};
    const scree__stage stage = {.name = name, .move = move_numbers, .context = &n};
    scree__reached reached;
    SCREE_TRY(scree__checkpoint_begin(c, &stage, &reached, error));
    if (reached != SCREE__OVER)
        SCREE_TRY(scree__checkpoint_end(c, SCREE_OK, error));
done:
    return status;
}

/* ---- the checkpoint ---- */

scree_status scree__checkpoint_open(scree__checkpoint **out, const scree__checkpoint_options *options,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__checkpoint *c = NULL;
    SCREE_ALLOC(c, 1, error);
    c->reader.fd = SCREE__CHECKPOINT_NONE;
    c->notes = (scree__scratch)SCREE__SCRATCH_INIT;
    c->path = scree__strdup(options->path);
    c->identity = scree__strdup(options->identity);
    if (!c->path || !c->identity)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", options->path);
    c->every = options->every;
    SCREE_TRY(scree__checkpoint_read(&c->reader, c->path, c->identity, error));
    c->goes_on = is_replaying(c);
    c->last = scree__seconds();
    if (c->reader.fd < 0)
        SCREE_TRY(try_place(c, error));
    *out = c;
    c = NULL;
done:
    scree__checkpoint_close(c);
    return status;
}

bool scree__checkpoint_goes_on(const scree__checkpoint *c)
{
    return c && c->goes_on;
}

void scree__checkpoint_close(scree__checkpoint *c)
{
    if (!c)
        return;
    scree__checkpoint_read_close(&c->reader);
    scree__scratch_close(&c->notes);
    free(c->path);
    free(c->identity);
    free(c);
}

void scree__checkpoint_remove(const char *path)
{
    (void)unlink(path);
}

int64_t scree__checkpoint_memory(void)
{
    return 2 * CHUNK;
}
