/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a CSV file that is in memory. Pieces end where records end: without a quote in the window that is at any
 * line break, so only the ends of pieces are looked for; with quotes records are stepped through in order, since only
 * the start of the window is known to be outside of quotes. A record that is longer than the window makes it grow. */

#include "data/csv.h"

#include "base/memory.h"

#include <string.h>

enum { ROOM_LEAST = 4 << 20, ROOM_MOST = 1 << 28, PIECE_LEAST = 1 << 14 };

/* A quote that is never closed would make the whole file one record: there is a limit to a record's length. */
static scree_status grow(scree__csv_window *window, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t room = window->room ? 2 * window->room : ROOM_LEAST;
    const char *file = scree__bytes_name(window->bytes);
    if (room > ROOM_MOST)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: the record that begins in line %lld is longer than %d MB; is a quote not closed?", file,
                   (long long)window->line, ROOM_MOST / 1000000);
    char *raw = realloc(window->raw, (size_t)room + 1);
    if (!raw)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory: %lld bytes are not to be had to read it", file,
                   (long long)room);
    window->raw = raw;
    window->room = room;
done:
    return status;
}

scree_status scree__csv_window_fill(scree__csv_window *window, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t left = window->held - window->begin;
    int64_t got = 0;
    if (left == window->room)
        SCREE_TRY(grow(window, error));
    if (left > 0 && window->begin > 0)
        memmove(window->raw, window->raw + window->begin, (size_t)left);
    window->begin = 0;
    window->held = left;
    SCREE_TRY(scree__bytes_read(window->bytes, window->raw + left, window->room - left, &got, error));
    window->held += got;
    window->ended = window->held < window->room;
    if (window->ended && window->held > 0 && window->raw[window->held - 1] != '\n')
        window->raw[window->held++] = '\n';
done:
    return status;
}

/* The last line break from begin to end, or NULL. */
static char *last_break(char *begin, char *end)
{
    while (end > begin)
        if (*--end == '\n')
            return end;
    return NULL;
}

/* After the records at p, of size bytes together or a little more, or of what there is; NULL when none is whole. */
static char *plain_end(char *p, char *end, int64_t size)
{
    char *line = end - p > size ? memchr(p + size - 1, '\n', (size_t)(end - p - size + 1)) : NULL;
    if (!line)
        line = last_break(p, end);
    return line ? line + 1 : NULL;
}

static char *quoted_end(char *p, char *end, int64_t size, char delimiter)
{
    char *after = NULL;
    char *open = NULL;
    for (char *next = p; next && next - p < size && next < end;) {
        next = scree__csv_record_end(next, end, delimiter, &open);
        after = next ? next : after;
    }
    return after;
}

int64_t scree__csv_window_cut(const scree__csv_window *window, scree__csv_piece *pieces, int64_t most, char delimiter)
{
    char *p = window->raw + window->begin;
    char *end = window->raw + window->held;
    bool quotes = memchr(p, '"', (size_t)(end - p)) != NULL;
    int64_t size = (end - p) / most + 1;
    int64_t count = 0;
    if (size < PIECE_LEAST)
        size = PIECE_LEAST;
    while (p < end) {
        char *next = quotes ? quoted_end(p, end, size, delimiter) : plain_end(p, end, size);
        if (!next)
            break;
        pieces[count++] = (scree__csv_piece){.begin = p, .end = next};
        p = next;
    }
    return count;
}

/* Sums in bytes, which the compiler turns into vectors; 240 ones fit in a byte. */
int64_t scree__csv_count_lines(const char *begin, const char *end)
{
    int64_t lines = 0;
    for (const char *p = begin; p < end;) {
        int64_t size = end - p < 240 ? end - p : 240;
        unsigned char some = 0;
        for (int64_t i = 0; i < size; i++)
            some = (unsigned char)(some + (p[i] == '\n'));
        lines += some;
        p += size;
    }
    return lines;
}
