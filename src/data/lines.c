/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines through a window: what is left of it moves to its front when a line does not end in it, and the file fills the
 * rest. One read of the bytes, and one copy of a part of a line for each window. */

#include "data/lines.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { WINDOW = 1 << 20, DECIMAL = 10 };

scree_status scree__lines_open(scree__lines *lines, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__bytes_open(&lines->bytes, path, error));
    scree__bytes_budget(lines->bytes)->given = options->memory;
    scree__bytes_budget(lines->bytes)->held = options->held;
    lines->file = scree__bytes_name(lines->bytes);
    SCREE_ALLOC(lines->text, WINDOW + 1, error);
done:
    return status;
}

/* More of the file behind what is left of the window. */
static scree_status fill(scree__lines *l, scree_error *error)
{
    int64_t got = 0;
    memmove(l->text, l->text + l->at, (size_t)(l->held - l->at));
    l->held -= l->at;
    l->at = 0;
    const int64_t wanted = WINDOW - l->held;
    const scree_status status = scree__bytes_read(l->bytes, l->text + l->held, wanted, &got, error);
    l->ended = got < wanted;
    l->held += got;
    return status;
}

scree_status scree__lines_next(scree__lines *l, char **line, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *end = memchr(l->text + l->at, '\n', (size_t)(l->held - l->at));
    if (!end && !l->ended) {
        SCREE_TRY(fill(l, error));
        end = memchr(l->text, '\n', (size_t)l->held);
        if (!end && !l->ended)
            SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " is longer than a mebibyte; check the file",
                       l->file, l->number + 1);
    }
    *line = end || l->at < l->held ? l->text + l->at : NULL;
    l->number += *line != NULL;
    end = end ? end : l->text + l->held;
    *end = 0;
    l->at = end - l->text < l->held ? end - l->text + 1 : l->held;
    if (!*line)
        goto done;
    if (memchr(*line, 0, (size_t)(end - *line)))
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " has a zero byte, which no text has; check the file",
                   l->file, l->number);
    if (end > *line && end[-1] == '\r')
        end[-1] = 0;
done:
    return status;
}

scree_status scree__lines_rewind(scree__lines *l, scree_error *error)
{
    l->at = l->held = l->number = 0;
    l->ended = false;
    return scree__bytes_rewind(l->bytes, error);
}

void scree__lines_close(scree__lines *l)
{
    scree__bytes_close(l->bytes);
    free(l->text);
    *l = (scree__lines){0};
}

const char *scree__lines_whole(const char *p, int64_t *number)
{
    while (*p == ' ' || *p == '\t')
        p++;
    const char *begin = p;
    for (*number = 0; *p >= '0' && *p <= '9'; p++) {
        if (*number > INT64_MAX / DECIMAL - 1)
            return NULL;
        *number = DECIMAL * *number + (*p - '0');
    }
    return p > begin ? p : NULL;
}
