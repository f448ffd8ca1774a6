/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames: rows are gathered until there is a block for each thread, each thread codes one, and they are written in
 * their order. A block is always the same rows, so the file does not depend on the number of threads. Memory: for each
 * thread a block of rows, two megabytes of elements or 256 rows, and some twenty bytes of work for each cell. */

#include "archive/compress.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/stream.h"
#include "kernel/blas.h"
#include "kernel/strided.h"

#include <math.h>
#include <string.h>

/* A block that is being gathered and coded. */
typedef struct lane {
    char *rows; /* block_rows×cols elements */
    int64_t count;
    scree__pack texts;
    scree__pack frame;
    scree__outcome outcome;
} lane;

typedef struct writer {
    const scree__head *head;
    scree__atomic_file *file; /* NULL: nothing is written */
    int64_t row_bytes;
    lane *lanes;
    int lane_count;
    int at; /* the lane that rows go to */
    int threads;
    scree__index *index;
    int64_t room; /* for places */
    int64_t bytes;
} writer;

static void code_lane(void *context, int64_t i, int worker)
{
    const writer *w = context;
    const scree__code *code = &w->head->code;
    lane *l = &w->lanes[i];
    const scree__rows rows = {l->rows, code->lattice.type, l->count, code->cols, code->cols, NULL};
    (void)worker;
    const bool before = scree__memory_watch();
    l->frame.size = 0;
    l->outcome = (scree__outcome){0};
    const int64_t begun = scree__frame_begin(&l->frame);
    if (w->head->text_count > 0)
        scree__squeeze_text(&l->frame, (const char *)l->texts.data, l->texts.size);
    scree__block_put(&l->frame, code, &rows, &l->outcome);
    scree__frame_end(&l->frame, begun, l->count);
    l->frame.failed = l->frame.failed || l->texts.failed;
    if (scree__memory_missed(before))
        l->frame.failed = true;
}

static scree_status remember_place(writer *w, scree_error *error)
{
    scree__index *index = w->index;
    if (index->count == w->room) {
        const int64_t room = 2 * w->room + 16;
        int64_t *places = realloc(index->places, (size_t)room * sizeof *places);
        if (!places)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the index of an archive");
        index->places = places;
        w->room = room;
    }
    index->places[index->count++] = w->bytes;
    return SCREE_OK;
}

static scree_status put(writer *w, const scree__pack *pack, scree_error *error)
{
    if (pack->failed)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for a block of an archive, or it is too large");
    w->bytes += pack->size;
    return w->file ? scree__atomic_write(w->file, pack->data, pack->size, error) : SCREE_OK;
}

/* Codes and writes the lanes that have rows. */
static scree_status flush(writer *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int count = w->at < w->lane_count && w->lanes[w->at].count > 0 ? w->at + 1 : w->at;
    scree__blas_enter();
    scree__parallel(w->threads, count, code_lane, w);
    scree__blas_leave();
    for (int i = 0; i < count; i++) {
        lane *l = &w->lanes[i];
        SCREE_TRY(remember_place(w, error));
        SCREE_TRY(put(w, &l->frame, error));
        scree__outcome_add(&w->index->outcome, &l->outcome);
        l->count = 0;
        l->texts.size = 0;
    }
    w->at = 0;
done:
    return status;
}

static scree_status take_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    writer *w = context;
    const int64_t size = scree__type_size(block->type);
    const int64_t texts = w->head->text_count;
    (void)out;
    (void)threads;
    for (int64_t i = 0; i < block->rows; i++) {
        lane *l = &w->lanes[w->at];
        memcpy(l->rows + l->count * w->row_bytes, (const char *)block->data + i * block->stride * size,
               (size_t)w->row_bytes);
        for (int64_t t = 0; t < texts; t++) {
            const char *text = block->text ? block->text[i * texts + t] : "";
            scree__pack_bytes(&l->texts, text, (int64_t)strlen(text) + 1);
        }
        if (++l->count == w->head->block_rows)
            w->at++;
        if (w->at == w->lane_count)
            SCREE_TRY(flush(w, error));
    }
done:
    return status;
}

static scree_status open_lanes(writer *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(w->lanes, w->lane_count, error);
    for (int i = 0; i < w->lane_count; i++) {
        w->lanes[i].rows = scree__alloc_raw(w->head->block_rows, (size_t)w->row_bytes);
        if (!w->lanes[i].rows)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for blocks of %lld rows",
                       (long long)w->head->block_rows);
    }
done:
    return status;
}

static void close_lanes(writer *w)
{
    for (int i = 0; w->lanes && i < w->lane_count; i++) {
        free(w->lanes[i].rows);
        scree__pack_free(&w->lanes[i].texts);
        scree__pack_free(&w->lanes[i].frame);
    }
    free(w->lanes);
}

scree_status scree__archive_write(const scree__head *head, scree_source *source, scree__atomic_file *file,
                                  const scree_run *run, scree__index *index, int64_t *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__pack pack = {0};
    const scree__map map = {.stage = "compress", .rows = take_rows, .pass = 2, .passes = 2};
    writer w = {.head = head, .file = file, .index = index};
    scree__map mine = map;
    mine.context = &w;
    w.row_bytes = head->code.cols * scree__type_size(head->code.lattice.type);
    w.threads = scree__threads(run->threads);
    w.lane_count = w.threads;
    if (w.lane_count > scree__head_frames(head))
        w.lane_count = head->rows > 0 ? (int)scree__head_frames(head) : 1;
    *index = (scree__index){.code_bound = 0};
    SCREE_TRY(open_lanes(&w, error));
    scree__head_put(&pack, head);
    SCREE_TRY(put(&w, &pack, error));
    SCREE_TRY(scree__stream_run(source, &mine, NULL, run, error));
    SCREE_TRY(flush(&w, error));
    *bytes = w.bytes;
done:
    scree__pack_free(&pack);
    close_lanes(&w);
    return status;
}

void scree__archive_about(scree_archive *about, const scree__head *head, const scree__index *index, int64_t bytes)
{
    const scree__code *code = &head->code;
    const scree__outcome *o = &index->outcome;
    const double cells = (double)head->rows * (double)code->cols;
    const double codes = (double)head->rows * (double)code->components;
    const scree_type element = scree__lattice_element(&code->lattice);
    const bool squared = o->squares < HUGE_VAL && (o->squares > 0 || o->worst == 0); /* else they are no doubles */
    const double mean = squared ? sqrt(o->squares / (double)(o->cells > 0 ? o->cells : 1)) : o->worst;
    *about = (scree_archive){
        .rows = head->rows,
        .cols = code->cols,
        .type = element,
        .components = code->components,
        .coding = scree__coding_name(code->coding),
        .blocks = scree__head_frames(head),
        .bytes = bytes,
        .bits = cells > 0 ? 8 * (double)bytes / cells : 0,
        .ratio = bytes > 0 ? cells * (double)scree__element_size(element) / (double)bytes : 0,
        .bound = code->lattice.bound,
        .worst = o->worst,
        .rmse = mean, /* or what it cannot exceed */
        .code_bits = codes > 0 ? 8 * (double)o->code_bytes / codes : 0,
        .rate_bound = index->code_bound,
        .corrected = o->corrected,
        .raw = o->raw,
    };
}
