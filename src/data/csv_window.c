/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a CSV file that is in memory. Pieces end where records end: without a quote in the window that is at any
 * line break, so only the ends of pieces are looked for; with quotes records are stepped through in order, since only
 * the start of the window is known to be outside of quotes. A record that is longer than the window makes it grow. A
 * plain file is read in parts, by several threads: copying out of the system's cache takes longer than one would think.
 */

#include "data/csv.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST_CAPACITY = SCREE__WINDOW(22),
    MOST_CAPACITY = 1 << 28,
    PIECE_LEAST = SCREE__WINDOW(14),
    PART_BYTES = SCREE__WINDOW(19)
};

/* A quote that is never closed would make the whole file one record: there is a limit to a record's length. */
static scree_status grow(scree__csv_window *window, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t capacity = window->capacity ? 2 * window->capacity : LEAST_CAPACITY;
    const char *file = scree__bytes_name(window->bytes);
    if (capacity > MOST_CAPACITY)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: the record that begins in line %lld is longer than %d MB; is a quote not closed?", file,
                   (long long)window->line, MOST_CAPACITY / 1000000);
    char what[64];
    snprintf(what, sizeof what, "records as long as that in line %lld", (long long)window->line);
    SCREE_TRY(scree__budget_take(scree__bytes_budget(window->bytes), capacity - window->capacity, file, what, error));
    char *raw = realloc(window->raw, (size_t)capacity + 1);
    if (!raw)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: cannot allocate %lld bytes to read it", file, (long long)capacity);
    window->raw = raw;
    window->capacity = capacity;
done:
    return status;
}

void scree__csv_window_share(scree__csv_window *window, int threads)
{
    const int most = threads < SCREE__CSV_READERS ? threads : SCREE__CSV_READERS;
    while (most > 1 && scree__bytes_can_seek(window->bytes) && window->reader_count < most &&
           scree__bytes_share(&window->readers[window->reader_count], window->bytes, NULL) == SCREE_OK)
        window->reader_count++;
}

void scree__csv_window_clear(scree__csv_window *window)
{
    for (int i = 0; i < window->reader_count; i++)
        scree__bytes_close(window->readers[i]);
    scree__bytes_close(window->bytes);
    free(window->raw);
    *window = (scree__csv_window){0};
}

scree_status scree__csv_window_rewind(scree__csv_window *window, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__bytes_rewind(window->bytes, error));
    window->at = window->begin = window->held = 0;
    window->quotes = false;
    SCREE_TRY(scree__csv_window_fill(window, error));
done:
    return status;
}

/* One reading of size bytes, in parts. */
typedef struct reading {
    scree__csv_window *window;
    char *to;
    int64_t size;
    scree_status status[SCREE__CSV_READERS]; /* a worker each, as what follows */
    scree_error error[SCREE__CSV_READERS];
    bool quotes[SCREE__CSV_READERS];
    int64_t missing[SCREE__CSV_READERS]; /* bytes that a file shortened meanwhile did not give: all after the first */
} reading;

static void read_part(void *context, int64_t index, int worker)
{
    reading *job = context;
    scree__bytes *reader = job->window->readers[worker];
    const int64_t from = index * PART_BYTES;
    const int64_t size = job->size - from < PART_BYTES ? job->size - from : PART_BYTES;
    int64_t got = 0;
    scree_status status = job->status[worker];
    if (status == SCREE_OK)
        status = scree__bytes_seek(reader, job->window->at + from, &job->error[worker]);
    if (status == SCREE_OK)
        status = scree__bytes_read(reader, job->to + from, size, &got, &job->error[worker]);
    if (got < size && job->size - from - got > job->missing[worker])
        job->missing[worker] = job->size - from - got;
    job->quotes[worker] = job->quotes[worker] || memchr(job->to + from, '"', (size_t)got) != NULL;
    job->status[worker] = status;
}

/* Fills to with up to size bytes of the file, as scree__bytes_read does. */
static scree_status read_parts(scree__csv_window *window, char *to, int64_t size, int64_t *got, scree_error *error)
{
    reading job = {.window = window, .to = to, .size = size};
    const int64_t left = scree__bytes_size(window->bytes) - window->at;
    int64_t missing = 0;
    job.size = left < size ? left : size;
    *got = 0;
    if (job.size <= 0)
        return SCREE_OK;
    scree__parallel(window->reader_count, (job.size + PART_BYTES - 1) / PART_BYTES, read_part, &job);
    for (int i = 0; i < window->reader_count; i++) {
        if (job.status[i] != SCREE_OK)
            return scree__fail(error, job.status[i], "%s", job.error[i].text);
        missing = missing > job.missing[i] ? missing : job.missing[i];
        window->quotes = window->quotes || job.quotes[i];
    }
    *got = job.size - missing;
    return SCREE_OK;
}

static void break_lines(char *text, int64_t size)
{
    for (int64_t i = 0; i < size; i++)
        text[i] = (char)(text[i] == '\r' ? '\n' : text[i]);
}

void scree__csv_window_look(scree__csv_window *window)
{
    const int64_t size = window->held - (window->held > 0 && window->raw[window->held - 1] == '\n');
    if (memchr(window->raw, '\n', (size_t)size))
        return;
    const char *mark = memchr(window->raw, '\r', (size_t)size);
    if (!mark || mark == window->raw + size - 1) /* what follows may be the rest of a line break */
        return;
    window->returns = true;
    break_lines(window->raw, window->held);
}

static scree_status read_on(scree__csv_window *window, char *to, int64_t size, int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (window->reader_count > 0)
        SCREE_TRY(read_parts(window, to, size, got, error));
    else
        SCREE_TRY(scree__bytes_read(window->bytes, to, size, got, error));
    window->at += *got;
    if (window->reader_count == 0)
        window->quotes = window->quotes || memchr(to, '"', (size_t)*got) != NULL;
    if (window->returns)
        break_lines(to, *got);
done:
    return status;
}

scree_status scree__csv_window_fill(scree__csv_window *window, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t left = window->held - window->begin;
    int64_t got = 0;
    if (left == window->capacity)
        SCREE_TRY(grow(window, error));
    if (left > 0 && window->begin > 0)
        memmove(window->raw, window->raw + window->begin, (size_t)left);
    window->begin = 0;
    window->held = left;
    window->quotes = left > 0 && memchr(window->raw, '"', (size_t)left) != NULL;
    SCREE_TRY(read_on(window, window->raw + left, window->capacity - left, &got, error));
    window->held += got;
    window->ended = window->held < window->capacity && !scree__bytes_paused(window->bytes);
    if (window->ended && !scree__bytes_cut(window->bytes) && window->held > 0 && window->raw[window->held - 1] != '\n')
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

char *scree__csv_before_empty(char *begin, char *end, char delimiter, int64_t *lines)
{
    char *line = end; /* one that is not whole */
    *lines = 0;
    while (line > begin && (line[-1] == delimiter || line[-1] == ' ' || line[-1] == '\r'))
        line--;
    if (line == begin || line[-1] == '\n')
        end = line;
    while (end > begin && end[-1] == '\n' && delimiter != ' ') {
        char *p = end - 1;
        bool delimited = false;
        for (; p > begin && (p[-1] == delimiter || p[-1] == ' ' || p[-1] == '\r'); p--)
            delimited = delimited || p[-1] == delimiter;
        if ((p > begin && p[-1] != '\n') || !delimited)
            break;
        end = p;
        ++*lines;
    }
    return end;
}

int64_t scree__csv_window_cut(const scree__csv_window *window, scree__csv_piece *pieces, int64_t most, char delimiter,
                              int64_t *empty)
{
    char *p = window->raw + window->begin;
    char *held = window->raw + window->held;
    char *end = scree__csv_before_empty(p, held, delimiter, empty);
    if (end == p && !window->ended && window->begin == 0 && window->held == window->capacity)
        end = held; /* more of them than a file would end with */
    int64_t size = (end - p) / most + 1;
    int64_t count = 0;
    if (size < PIECE_LEAST)
        size = PIECE_LEAST;
    while (p < end) {
        char *next = window->quotes ? quoted_end(p, end, size, delimiter) : plain_end(p, end, size);
        if (!next)
            break;
        pieces[count++] = (scree__csv_piece){.begin = p, .end = next};
        p = next;
    }
    return count;
}

/* Sums in bytes, which the compiler turns into vectors; 240 ones fit in a byte. */
SCREE_CLONES int64_t scree__csv_count(const char *begin, const char *end, char wanted)
{
    int64_t found = 0;
    for (const char *p = begin; p < end;) {
        int64_t size = end - p < 240 ? end - p : 240;
        unsigned char some = 0;
        for (int64_t i = 0; i < size; i++)
            some = (unsigned char)(some + (p[i] == wanted));
        found += some;
        p += size;
    }
    return found;
}

int64_t scree__csv_count_lines(const char *begin, const char *end)
{
    return scree__csv_count(begin, end, '\n');
}
