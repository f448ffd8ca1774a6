/* SPDX-License-Identifier: BSD-3-Clause */
/* Cairo numbers the parts of an SVG by a counter that goes on from picture to picture within a process: surface7,
 * image12. Here they become 1, 2, 3, ... in the order in which they appear, so that the same picture is the same bytes.
 * Images, as base64, are passed over: their text means nothing. */

#include "view/canvas_inner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

typedef struct numbers {
    long known[MOST];
    int count;
} numbers;

/* Its place among the numbers seen, from 1. */
static int renumbered(numbers *seen, long number)
{
    for (int i = 0; i < seen->count; i++)
        if (seen->known[i] == number)
            return i + 1;
    if (seen->count < MOST)
        seen->known[seen->count++] = number;
    return seen->count;
}

/* Bytes of a name at text that a number follows; 0 when there is none. */
static int64_t name_at(const char *text)
{
    static const char *const names[] = {"surface", "image", "mask", "clip", "radial", "linear"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) == 0 && isdigit((unsigned char)text[length]))
            return (int64_t)length;
    }
    return 0;
}

void scree__svg_renumber(scree__buffer *svg)
{
    scree__buffer made = {0};
    numbers *seen = calloc(1, sizeof *seen);
    scree__buffer_add(svg, "", 1);
    if (!seen || svg->failed) {
        svg->failed = true;
        free(seen);
        return;
    }
    for (const char *at = (const char *)svg->data; *at;) {
        const bool starts = *at == '"' || *at == '#';
        const int64_t name = starts ? name_at(at + 1) : 0;
        const int64_t data = strncmp(at, "base64,", 7) == 0 ? (int64_t)strcspn(at, "\"") : 0;
        if (name > 0) {
            char *end = NULL;
            const long number = strtol(at + 1 + name, &end, 10);
            scree__buffer_add(&made, at, 1 + name);
            scree__buffer_print(&made, "%d", renumbered(seen, number));
            at = end;
        } else {
            scree__buffer_add(&made, at, data > 0 ? data : 1);
            at += data > 0 ? data : 1;
        }
    }
    free(seen);
    free(svg->data);
    *svg = made;
}
