/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream by several processes: each answers the rows that follow each other which are its own. The first writes its
 * answers as they come, then those of the second, and so on: the others keep theirs in a scratch file until they are
 * asked for. So the output is that of one process, byte for byte, and it costs the memory of a block.
 *
 * Nothing of the others is written before all have answered their rows: where one fails, all do, and there is no
 * output. */

#include "data/stream.h"

#include "base/memory.h"
#include "data/scratch.h"
#include "data/team.h"

#include <string.h>

/* Answers on their way: numbers, then texts, each ended by a zero byte. */
typedef struct frame {
    int64_t rows; /* 0: there are no more */
    int64_t text_bytes;
} frame;

/* The sink of one process. */
typedef struct relay {
    scree_sink base;
    const scree__team *team;
    scree_sink *sink; /* of the first process; the others have a file */
    scree__scratch scratch;
    int64_t rows; /* that all will write; -1: not known */
    int64_t cols;
    int64_t text_count;
    char *buffer;
    int64_t room;
} relay;

static scree_status reserve(relay *r, int64_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (bytes <= r->room)
        return SCREE_OK;
    free(r->buffer);
    r->room = 0;
    r->buffer = scree__alloc_raw(bytes, 1);
    if (!r->buffer)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: answers of %lld bytes do not fit", (long long)bytes);
    r->room = bytes;
done:
    return status;
}

static scree_status relay_begin(scree_sink *base, const scree__sink_shape *shape, scree_error *error)
{
    relay *r = (relay *)base;
    scree__sink_shape all = *shape;
    r->cols = shape->cols;
    r->text_count = shape->text_count;
    if (shape->rows >= 0)
        all.rows = r->rows;
    if (r->team->with->rank == 0)
        return scree__sink_begin(r->sink, &all, error);
    return scree__scratch_open(&r->scratch, "the answers", "keeping answers until they are written", error);
}

static scree_status keep(relay *r, const double *data, const char *const *text, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    frame head = {.rows = rows};
    const int64_t count = text ? rows * r->text_count : 0;
    for (int64_t i = 0; i < count; i++)
        head.text_bytes += (int64_t)strlen(text[i]) + 1;
    SCREE_TRY(scree__scratch_write(&r->scratch, &head, sizeof head, error));
    SCREE_TRY(scree__scratch_write(&r->scratch, data, rows * r->cols * (int64_t)sizeof *data, error));
    SCREE_TRY(reserve(r, head.text_bytes, error));
    char *at = r->buffer;
    for (int64_t i = 0; i < count; i++) {
        const size_t bytes = strlen(text[i]) + 1;
        memcpy(at, text[i], bytes);
        at += bytes;
    }
    if (head.text_bytes > 0)
        SCREE_TRY(scree__scratch_write(&r->scratch, r->buffer, head.text_bytes, error));
done:
    return status;
}

static scree_status relay_write(scree_sink *base, const double *data, const char *const *text, int64_t rows,
                                int threads, scree_error *error)
{
    relay *r = (relay *)base;
    if (r->team->with->rank == 0)
        return scree__sink_write(r->sink, data, text, rows, threads, error);
    return keep(r, data, text, rows, error);
}

static const scree__sink_table relay_table = {.name = "relay", .begin = relay_begin, .write = relay_write};

/* What was kept goes to the first process. */
static scree_status hand_over(relay *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = r->team->with;
    frame head = {0};
    for (int64_t at = 0; at < r->scratch.size;) {
        SCREE_TRY(scree__scratch_read(&r->scratch, &head, sizeof head, at, error));
        const int64_t bytes = head.rows * r->cols * (int64_t)sizeof(double) + head.text_bytes;
        SCREE_TRY(reserve(r, bytes, error));
        SCREE_TRY(scree__scratch_read(&r->scratch, r->buffer, bytes, at + (int64_t)sizeof head, error));
        SCREE_TRY(with->send(with->context, 0, &head, sizeof head, error));
        SCREE_TRY(with->send(with->context, 0, r->buffer, bytes, error));
        at += (int64_t)sizeof head + bytes;
    }
done:
    head = (frame){.rows = status == SCREE_OK ? 0 : -1};
    (void)with->send(with->context, 0, &head, sizeof head, NULL);
    return status;
}

/* The answers of another process, to the sink. What comes after a failure is taken and dropped. */
static scree_status take_over(relay *r, int from, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_status written = SCREE_OK;
    const scree_communicator *with = r->team->with;
    const char **text = NULL;
    for (;;) {
        frame head;
        SCREE_TRY(with->receive(with->context, from, &head, sizeof head, error));
        if (head.rows <= 0)
            break;
        const int64_t numbers = head.rows * r->cols * (int64_t)sizeof(double);
        SCREE_TRY(reserve(r, numbers + head.text_bytes, error));
        SCREE_TRY(with->receive(with->context, from, r->buffer, numbers + head.text_bytes, error));
        free(text);
        text = NULL;
        if (head.text_bytes > 0)
            SCREE_ALLOC(text, head.rows * r->text_count, error);
        const char *at = r->buffer + numbers;
        for (int64_t i = 0; text && i < head.rows * r->text_count; i++) {
            text[i] = at;
            at += strlen(at) + 1;
        }
        if (written == SCREE_OK)
            written = scree__sink_write(r->sink, (const double *)(const void *)r->buffer, text, head.rows, 1, error);
    }
    status = written;
done:
    free(text);
    return status;
}

static scree_status gather_answers(relay *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_status failed = SCREE_OK;
    const scree_communicator *with = r->team->with;
    if (with->rank > 0)
        return hand_over(r, error);
    for (int rank = 1; rank < with->ranks; rank++) {
        status = take_over(r, rank, failed == SCREE_OK ? error : NULL);
        failed = failed == SCREE_OK ? status : failed;
    }
    return failed;
}

/* What the rows of all have come to, for all; ranks join in their order. */
static scree_status gather_totals(const scree__team *team, const scree__map *map, scree_source *source,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = team->with;
    const int64_t bytes = (int64_t)map->total_bytes;
    void *other = NULL;
    scree_gaps gaps;
    if (bytes > 0) {
        map->join(map->context, NULL);
        SCREE_TRY(scree__team_agree((scree__team *)team, SCREE_OK, NULL, error));
        other = scree__alloc(bytes, 1);
    }
    for (int rank = 1; with->rank == 0 && rank < with->ranks; rank++) {
        SCREE_TRY(with->receive(with->context, rank, &gaps, sizeof gaps, error));
        source->gaps.rows += gaps.rows;
        source->gaps.empty += gaps.empty;
        if (bytes > 0) {
            SCREE_TRY(with->receive(with->context, rank, other, bytes, error));
            map->join(map->context, other);
        }
    }
    if (with->rank > 0) {
        SCREE_TRY(with->send(with->context, 0, &source->gaps, sizeof source->gaps, error));
        if (bytes > 0)
            SCREE_TRY(with->send(with->context, 0, map->totals, bytes, error));
    }
    SCREE_TRY(with->broadcast(with->context, &source->gaps, sizeof source->gaps, error));
    if (bytes > 0)
        SCREE_TRY(with->broadcast(with->context, map->totals, bytes, error));
done:
    free(other);
    return status;
}

/* The rows of this process. */
static scree_status answer_own(relay *r, scree_source *source, const scree__map *map, bool writes, const scree_run *run,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *part = NULL;
    if (map->numbered)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "answers that are numbered are those of one process; leave the draws out, or run one process");
    SCREE_TRY(scree__team_part(&part, &r->team->ranges, source, error));
    if (part || r->team->with->rank == 0)
        SCREE_TRY(scree__stream_alone(part ? part : source, map, writes ? &r->base : NULL, run, error));
done:
    scree_source_free(part);
    return status;
}

scree_status scree__stream_together(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run mine = *run;
    scree__team *team = NULL;
    relay r = {.base = {.table = &relay_table}, .sink = sink, .scratch = SCREE__SCRATCH_INIT};
    SCREE_TRY(scree__team_open(&team, source, &mine, error));
    const int64_t repeat = map->repeat > 0 ? map->repeat : 1;
    r.team = team;
    r.rows = source->about.rows * repeat;
    status = answer_own(&r, source, map, sink != NULL, &mine, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    if (sink)
        status = gather_answers(&r, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(gather_totals(team, map, source, error));
    SCREE_TRY(scree__source_tell(source, team->with, error));
done:
    if (status != SCREE_OK && sink)
        sink->failed = true;
    scree__scratch_close(&r.scratch);
    free(r.buffer);
    scree__team_close(team, source);
    return status;
}
