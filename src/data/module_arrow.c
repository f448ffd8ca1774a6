/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of tables read by a module that hands over an Arrow stream: columns with names and kinds become rows as those
 * of a CSV do (source_arrow.c), and the module is told which of them are wanted. */

#include "data/module_arrow.h"

#include "base/memory.h"
#include "data/arrow_feed.h"
#include "data/module.h"

#include <stdio.h>

typedef struct table {
    struct ArrowArrayStream stream;
    scree__bytes *bytes;
    scree__module_chooser choose;
    scree__module_again again;
} table;

static void choose(void *context, const bool *wanted)
{
    table *t = context;
    t->choose(&t->stream, wanted);
}

static scree_status next(void *context, struct ArrowArray *out, scree_error *error)
{
    table *t = context;
    if (t->stream.get_next(&t->stream, out) == 0)
        return SCREE_OK;
    *out = (struct ArrowArray){0};
    const char *text = t->stream.get_last_error(&t->stream);
    scree_error given = SCREE_ERROR_INIT;
    scree_error said;
    snprintf(given.text, sizeof given.text, "%s", text && *text ? text : "the rows of a table cannot be read");
    scree__module_said(&said, t->bytes, &given);
    return scree__fail(error, SCREE_ERR_VALUE, "%s", said.text);
}

static scree_status again(void *context, scree_error *error)
{
    table *t = context;
    return t->again(&t->stream, error);
}

static void release(void *context)
{
    table *t = context;
    if (t->stream.release)
        t->stream.release(&t->stream);
    scree__bytes_close(t->bytes);
    free(t);
}

scree_status scree__module_arrow_open(scree_source **out, const char *name, const char *advice, scree__bytes *bytes,
                                      const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *path = scree__bytes_name(bytes);
    scree__module_arrow open = NULL;
    table *t = NULL;
    struct ArrowSchema schema = {0};
    scree_error given = SCREE_ERROR_INIT;
    scree_error said;
    SCREE_TRY(scree__bytes_make_plain(bytes, true, error));
    SCREE_ALLOC(t, 1, error);
    t->bytes = bytes;
    SCREE_TRY(scree__module_entry((void **)&open, name, "scree_module_arrow_1", path, error));
    SCREE_TRY(scree__module_entry((void **)&t->choose, name, "scree_module_choose_1", path, error));
    SCREE_TRY(scree__module_entry((void **)&t->again, name, "scree_module_again_1", path, error));
    status = open(&t->stream, scree__bytes_path(bytes), options, &given);
    scree__module_said(&said, bytes, &given);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, path, "scree_module_arrow_1", error));
    if (t->stream.get_schema(&t->stream, &schema) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: its columns cannot be read", path);
    const scree__arrow_feed feed = {.context = t,
                                    .name = path,
                                    .advice = advice,
                                    .rows = -1,
                                    .choose = choose,
                                    .next = next,
                                    .rewind = again,
                                    .release = release};
    SCREE_TRY(scree__arrow_open(out, &feed, &schema, options, error));
    t = NULL;
done:
    if (t) {
        t->bytes = NULL; /* they stay the caller's */
        release(t);
    }
    if (schema.release)
        schema.release(&schema);
    return status;
}
