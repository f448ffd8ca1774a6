/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow C streams: one that is read once, and rows of which a callback makes a stream as often as they are wanted. What
 * becomes of the batches is in source_arrow.c. A later stream must have the types of the first: the columns were laid
 * out by its schema, and a buffer says nothing of its own size. */

#include "data/some_rows.h"
#include "data/source.h"

#include "base/memory.h"
#include "base/sized.h"
#include "data/arrow_feed.h"

#include <stdio.h>
#include <string.h>

typedef struct stream_feed {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema; /* of the first stream */
    scree_arrow_calls calls;   /* open is NULL: the stream is all there is */
    char *name;
    bool owned; /* by the source, which releases it */
} stream_feed;

static scree_status fail_stream(stream_feed *feed, int code, const char *doing, scree_error *error)
{
    struct ArrowArrayStream *stream = &feed->stream;
    const char *said = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return scree__fail(error, SCREE_ERR_IO, "%s: %s failed: %.800s", feed->name, doing,
                       said && *said ? said : strerror(code));
}

static scree_status read_schema(stream_feed *feed, struct ArrowSchema *schema, scree_error *error)
{
    const int code = feed->stream.get_schema(&feed->stream, schema);
    if (code == 0)
        return SCREE_OK;
    schema->release = NULL;
    return fail_stream(feed, code, "reading the schema", error);
}

static void drop_schema(struct ArrowSchema *schema)
{
    if (schema->release)
        schema->release(schema);
    schema->release = NULL;
}

static void drop_stream(stream_feed *feed)
{
    if (feed->stream.release)
        feed->stream.release(&feed->stream);
    feed->stream.release = NULL;
}

/* The feed itself; what it holds was released before. */
static void free_feed(stream_feed *feed)
{
    if (feed)
        free(feed->name);
    free(feed);
}

static bool same_format(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
    return a->format && b->format && strcmp(a->format, b->format) == 0;
}

static bool same_columns(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
    bool same = same_format(a, b) && a->n_children == b->n_children;
    for (int64_t i = 0; same && i < a->n_children; i++) {
        const struct ArrowSchema *x = a->children[i];
        const struct ArrowSchema *y = b->children[i];
        same = same_format(x, y) && !x->dictionary == !y->dictionary &&
               (!x->dictionary || same_format(x->dictionary, y->dictionary));
    }
    return same;
}

static scree_status stream_next(void *context, struct ArrowArray *out, scree_error *error)
{
    stream_feed *feed = context;
    const int code = feed->stream.get_next(&feed->stream, out);
    if (code == 0)
        return SCREE_OK;
    *out = (struct ArrowArray){0};
    return fail_stream(feed, code, "reading the next batch", error);
}

static scree_status open_stream(stream_feed *feed, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(feed->calls.open(feed->calls.context, &feed->stream, error));
    if (!feed->stream.release)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: open made no stream", feed->name);
done:
    return status;
}

static scree_status stream_rewind(void *context, scree_error *error)
{
    stream_feed *feed = context;
    scree_status status = SCREE_OK;
    struct ArrowSchema schema = {0};
    drop_stream(feed);
    SCREE_TRY(open_stream(feed, error));
    SCREE_TRY(read_schema(feed, &schema, error));
    if (!same_columns(&feed->schema, &schema))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: its columns were others when it was read again", feed->name);
done:
    drop_schema(&schema);
    return status;
}

static void stream_release(void *context)
{
    stream_feed *feed = context;
    if (!feed->owned)
        return;
    drop_stream(feed);
    drop_schema(&feed->schema);
    if (feed->calls.open && feed->calls.release)
        feed->calls.release(feed->calls.context);
    free_feed(feed);
}

/* A source of the feed's stream. Whatever fails, the feed and what it holds stay the caller's. */
static scree_status open_feed(scree_source **out, stream_feed *feed, const scree_read_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    const scree__arrow_feed table = {.context = feed,
                                     .name = feed->name,
                                     .rows = feed->calls.rows,
                                     .next = stream_next,
                                     .rewind = feed->calls.open ? stream_rewind : NULL,
                                     .release = stream_release};
    SCREE_TRY(read_schema(feed, &feed->schema, error));
    SCREE_TRY(scree__arrow_open(&source, &table, &feed->schema, options, error));
    if (options->weights) {
        scree_source *weighted = NULL;
        SCREE_TRY(scree__weighted_open(&weighted, source, options->weights, error));
        source = weighted;
    }
    SCREE_TRY(scree__some_rows_open(out, source, options, error));
    source = NULL;
    feed->owned = true;
done:
    scree_source_free(source);
    return status;
}

static scree_status new_feed(stream_feed **out, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    stream_feed *feed = NULL;
    SCREE_ALLOC(feed, 1, error);
    feed->calls = (scree_arrow_calls)SCREE_ARROW_CALLS_INIT;
    feed->name = scree__strdup(name);
    if (!feed->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    *out = feed;
    feed = NULL;
done:
    free_feed(feed);
    return status;
}

scree_status scree_source_from_arrow(scree_source **out, struct ArrowArrayStream *stream,
                                     const scree_read_options *options, scree_error *error)
{
    static const char name[] = "Arrow stream";
    scree_status status = SCREE_OK;
    stream_feed *feed = NULL;
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!stream || !stream->release)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: was released already, or there is none", name);
    SCREE_TRY(new_feed(&feed, name, error));
    feed->stream = *stream;
    status = open_feed(out, feed, &mine, error);
    drop_schema(&feed->schema); /* no other stream will follow */
    if (status == SCREE_OK)
        stream->release = NULL;
    else
        *stream = feed->stream; /* what is left of it stays the caller's */
done:
    if (status != SCREE_OK)
        free_feed(feed);
    return status;
}

scree_status scree_source_from_arrow_calls(scree_source **out, const scree_arrow_calls *calls,
                                           const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    stream_feed *feed = NULL;
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    scree_arrow_calls own = SCREE_ARROW_CALLS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(SCREE_ADOPT(&own, calls, error));
    if (!own.open)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "no function makes the stream: open is NULL");
    if (own.rows < 0)
        own.rows = -1;
    SCREE_TRY(new_feed(&feed, own.name ? own.name : "Arrow stream", error));
    feed->calls = own;
    SCREE_TRY(open_stream(feed, error));
    SCREE_TRY(open_feed(out, feed, &mine, error));
done:
    if (status != SCREE_OK && feed) {
        drop_stream(feed);
        drop_schema(&feed->schema);
        free_feed(feed);
    }
    return status;
}
