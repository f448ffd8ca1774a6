/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_LINES_H
#define SCREE_DATA_LINES_H

/* The lines of a file, through a window of a mebibyte, which is the longest that a line may be. */

#include "data/bytes.h"

typedef struct scree__lines {
    scree__bytes *bytes;
    const char *file; /* for messages */
    char *text;       /* the window, and a zero */
    int64_t at;
    int64_t held;
    int64_t number; /* of the line that was read last, from 1 */
    bool ended;
} scree__lines;

/* Opens a file; memory: as in scree_read_options. Zeroed before; scree__lines_close is safe whatever happened. */
scree_status scree__lines_open(scree__lines *lines, const char *path, const scree_read_options *options,
                               scree_error *error);
/* The next line without its break, ended by a zero, lent until the next call; NULL: there is none. A line with a zero
 * byte is an error. */
scree_status scree__lines_next(scree__lines *lines, char **line, scree_error *error);
/* Back to the first line. */
scree_status scree__lines_rewind(scree__lines *lines, scree_error *error);
void scree__lines_close(scree__lines *lines);

/* Steps over blanks and a whole number; NULL: there is none, or it is too large. */
const char *scree__lines_whole(const char *p, int64_t *number);

#endif
