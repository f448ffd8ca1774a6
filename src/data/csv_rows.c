/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rows of a CSV begin, without parsing them: so processes that share a file read the bytes of their own rows.
 *
 * Each process looks at its share of the bytes, from a line break on. There it stands at the start of a record or
 * inside quotes; it takes it for the first, which is nearly always true. The ends of the shares then say who was wrong:
 * if anybody was, all look again as if inside quotes, and of the two results that one counts which the share before it
 * ends in. Some starts of records are kept as marks. Cost: that of counting line breaks, once; of text with quotes, of
 * a step for each byte around them. Files that end inside of quotes, or with many lines of nothing but delimiters, are
 * left to who parses them. */

#define _GNU_SOURCE /* memrchr */

#include "data/csv_source.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "data/gather_sums.h"

#include <string.h>

enum { CHUNK = 1 << 20, TAIL = 1 << 16, MARKS = 32, PLAIN_LEAST = 256 };

/* Where a byte finds the text. */
typedef enum place {
    RECORD, /* at the start of a record */
    BLANK,  /* spaces since */
    RETURN, /* and a carriage return */
    CELL,   /* at the start of a cell */
    TEXT,   /* in a cell without quotes */
    QUOTED,
    CLOSED, /* behind a quote in quotes: they are closed, unless another follows */
} place;

/* What a stretch of text holds, and where its marks are: rows and lines from its start. */
typedef struct stretch {
    int64_t rows;
    int64_t lines;
    place place; /* of what follows it */
    int64_t mark_count;
    scree__csv_mark marks[MARKS];
} stretch;

/* What all must know of a stretch; sums of these, zero for other processes, are what they tell each other. */
enum { ROWS, LINES, PLACE, MARK_COUNT, FIRST_MARK, NUMBERS = FIRST_MARK + 3 * MARKS };

static place after(stretch *s, place at, char c, char delimiter)
{
    if (at == QUOTED) {
        s->lines += c == '\n';
        return c == '"' ? CLOSED : QUOTED;
    }
    if (c == '\n') {
        s->lines++;
        s->rows += at != RECORD && at != BLANK && at != RETURN;
        return RECORD;
    }
    if (c == '"')
        return at == RECORD || at == CELL || at == CLOSED ? QUOTED : TEXT;
    if (c == delimiter)
        return delimiter == ' ' && at == RECORD ? RECORD : CELL;
    if (c == ' ' && (at == RECORD || at == BLANK))
        return BLANK;
    return c == '\r' && (at == RECORD || at == BLANK) ? RETURN : TEXT;
}

static const char *walk(stretch *s, const char *p, const char *end, char delimiter)
{
    for (; p < end; p++)
        s->place = after(s, s->place, *p, delimiter);
    return p;
}

/* Line breaks behind which a line might be blank. */
SCREE_CLONES static int64_t count_doubtful(const char *begin, const char *end)
{
    int64_t found = 0;
    for (const char *p = begin; p < end;) {
        const int64_t size = end - p < 240 ? end - p : 240;
        unsigned char some = 0;
        for (int64_t i = 0; i < size; i++)
            some = (unsigned char)(some + (p[i - 1] == '\n' && (p[i] == '\n' || p[i] == '\r' || p[i] == ' ')));
        found += some;
        p += size;
    }
    return found;
}

/* Text outside of quotes, and without any: whole lines are counted. */
static void pass_plain(stretch *s, const char *p, const char *end, char delimiter)
{
    const char *line = end - p >= PLAIN_LEAST ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    const char *last = line ? memrchr(line, '\n', (size_t)(end - line)) : NULL;
    if (line)
        p = walk(s, p, line + 1, delimiter);
    if (line && last > line && count_doubtful(p, last + 1) == 0) {
        const int64_t lines = scree__csv_count_lines(p, last + 1);
        s->lines += lines;
        s->rows += lines;
        p = last + 1;
    }
    walk(s, p, end, delimiter);
}

/* Up to the end of the next record, or of the text. */
static const char *pass_record(stretch *s, const char *p, const char *end, char delimiter)
{
    bool ended = false;
    for (; p < end && !ended; p++) {
        s->place = after(s, s->place, *p, delimiter);
        ended = *p == '\n' && s->place == RECORD;
    }
    return p;
}

static void pass_text(stretch *s, const char *p, const char *end, char delimiter)
{
    while (p < end) {
        const char *quote = memchr(p, '"', (size_t)(end - p));
        const char *stop = quote ? quote : end;
        if (s->place == QUOTED)
            s->lines += scree__csv_count_lines(p, stop);
        else
            pass_plain(s, p, stop, delimiter);
        p = quote ? walk(s, quote, quote + 1, delimiter) : stop;
    }
}

/* ---- a share of the file ---- */

typedef struct share {
    const scree__csv_source *csv;
    int64_t begin;
    int64_t end;
    char *chunk; /* CHUNK bytes */
} share;

static int64_t file_size(const scree__csv_source *csv)
{
    return scree__bytes_size(csv->window.bytes);
}

static scree_status read_chunk(const share *own, int64_t at, int64_t size, scree_error *error)
{
    int64_t got = 0;
    const scree__bytes *bytes = own->csv->window.bytes;
    const scree_status status = scree__bytes_read_at(bytes, own->chunk, at, size, &got, error);
    if (status != SCREE_OK || got == size)
        return status;
    return scree__fail(error, SCREE_ERR_IO, "%s: has become shorter while it was read; leave the file alone",
                       scree__bytes_name(bytes));
}

/* Behind the first line break from at - 1 on; *to at its end. */
static scree_status find_break(const share *own, int64_t at, int64_t *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = file_size(own->csv);
    if (at <= own->csv->data_offset || at >= size) {
        *to = at <= own->csv->data_offset ? own->csv->data_offset : size;
        return SCREE_OK;
    }
    for (int64_t from = at - 1; from < size; from += CHUNK) {
        const int64_t some = size - from < CHUNK ? size - from : CHUNK;
        SCREE_TRY(read_chunk(own, from, some, error));
        const char *line = memchr(own->chunk, '\n', (size_t)some);
        *to = line ? from + (line - own->chunk) + 1 : size;
        if (line)
            break;
    }
done:
    return status;
}

/* A share that begins at such a place, and its marks at starts of records. */
static scree_status look(const share *own, stretch *s, place from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char delimiter = own->csv->layout.delimiter;
    const int64_t step = (own->end - own->begin) / MARKS + 1;
    *s = (stretch){.place = from};
    for (int64_t at = own->begin; at < own->end;) {
        const int64_t due = own->begin + s->mark_count * step;
        const int64_t stop = at < due && due < own->end ? due : own->end;
        const int64_t size = stop - at < CHUNK ? stop - at : CHUNK;
        SCREE_TRY(read_chunk(own, at, size, error));
        const char *p = own->chunk;
        const char *end = p + size;
        if (at >= due && s->mark_count < MARKS) {
            if (at > own->begin || from != RECORD)
                p = pass_record(s, p, end, delimiter);
            if (s->place == RECORD)
                s->marks[s->mark_count++] = (scree__csv_mark){at + (p - own->chunk), s->rows, s->lines};
            if (s->place == RECORD || p == end) {
                at += p - own->chunk;
                continue;
            }
        }
        pass_text(s, p, end, delimiter);
        at += size;
    }
    if (own->end == file_size(own->csv) && own->begin < own->end && s->place != RECORD)
        s->place = after(s, s->place, '\n', delimiter); /* the last line may have no break */
done:
    return status;
}

static scree_status find_share(share *own, const scree_communicator *with, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t first = own->csv->data_offset;
    const int64_t size = file_size(own->csv);
    const int64_t ranks = with ? with->ranks : 1;
    const int64_t each = (size - first) / ranks;
    const int64_t rank = with ? with->rank : 0;
    SCREE_TRY(find_break(own, first + rank * each, &own->begin, error));
    SCREE_TRY(find_break(own, rank + 1 < ranks ? first + (rank + 1) * each : size, &own->end, error));
done:
    return status;
}

/* ---- the shares together ---- */

/* What all processes found, from such a place: numbers of each. */
static scree_status look_together(const share *own, const scree_communicator *with, place from, int64_t *all,
                                  scree_error *error)
{
    const int64_t ranks = with ? with->ranks : 1;
    int64_t *mine = all + (with ? with->rank : 0) * NUMBERS;
    stretch s = {0};
    scree_status status = look(own, &s, from, error);
    memset(all, 0, (size_t)(ranks * NUMBERS) * sizeof *all);
    mine[ROWS] = s.rows;
    mine[LINES] = s.lines;
    mine[PLACE] = own->begin < own->end ? (int64_t)s.place : (int64_t)from;
    mine[MARK_COUNT] = s.mark_count;
    for (int64_t i = 0; i < s.mark_count; i++) {
        mine[FIRST_MARK + 3 * i] = s.marks[i].offset;
        mine[FIRST_MARK + 3 * i + 1] = s.marks[i].row;
        mine[FIRST_MARK + 3 * i + 2] = s.marks[i].line;
    }
    return scree__gather_sums(with, status, all, ranks * NUMBERS, error);
}

/* Was every share but the first begun at a record? */
static bool all_right(const int64_t *all, int64_t ranks)
{
    bool right = true;
    for (int64_t i = 0; i + 1 < ranks; i++)
        right = right && all[i * NUMBERS + PLACE] == RECORD;
    return right;
}

/* Marks of all shares, each as the one before it ends; *rows -1: the file ends inside of quotes. */
static scree_status join_shares(scree__csv_source *csv, const int64_t *outside, const int64_t *inside, int64_t ranks,
                                int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t at = RECORD;
    int64_t line = csv->data_line;
    free(csv->marks);
    csv->marks = NULL;
    csv->mark_count = *rows = 0;
    SCREE_ALLOC(csv->marks, ranks * MARKS, error);
    for (int64_t rank = 0; rank < ranks; rank++) {
        const int64_t *s = (at == RECORD || !inside ? outside : inside) + rank * NUMBERS;
        for (int64_t i = 0; i < s[MARK_COUNT]; i++)
            csv->marks[csv->mark_count++] = (scree__csv_mark){s[FIRST_MARK + 3 * i], *rows + s[FIRST_MARK + 3 * i + 1],
                                                              line + s[FIRST_MARK + 3 * i + 2]};
        *rows += s[ROWS];
        line += s[LINES];
        at = s[PLACE];
    }
    *rows = at == RECORD ? *rows : -1;
done:
    return status;
}

/* Lines of nothing but delimiters at the end, which are no rows; -1: too many to see. */
static scree_status count_empty(const share *own, int64_t *empty, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = file_size(own->csv);
    const int64_t first = size - TAIL > own->csv->data_offset ? size - TAIL : own->csv->data_offset;
    SCREE_TRY(read_chunk(own, first, size - first, error));
    char *end = own->chunk + (size - first);
    if (end > own->chunk && end[-1] != '\n')
        *end++ = '\n';
    if (scree__csv_before_empty(own->chunk, end, own->csv->layout.delimiter, empty) == own->chunk)
        *empty = -1;
done:
    return status;
}

scree_status scree__csv_count_rows(scree_source *source, const scree_communicator *with, int64_t *rows,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = (scree__csv_source *)source;
    const int64_t ranks = with ? with->ranks : 1;
    const int64_t size = file_size(csv);
    share own = {.csv = csv};
    int64_t *outside = scree__alloc(2 * ranks * NUMBERS, sizeof *outside);
    int64_t sizes = size;
    *rows = -1;
    own.chunk = scree__alloc_raw(CHUNK + 1, 1);
    if (!outside || !own.chunk)
        status = scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory to find its rows", source->about.path);
    SCREE_TRY(scree__gather_sums(with, status, &sizes, 1, error));
    status = sizes == ranks * size
                 ? SCREE_OK
                 : scree__fail(error, SCREE_ERR_SHAPE,
                               "%s: is not of one size for all processes; give all of them the same file",
                               source->about.path);
    if (status == SCREE_OK)
        status = find_share(&own, with, error);
    if (status == SCREE_OK)
        status = count_empty(&own, &csv->empty, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    SCREE_TRY(look_together(&own, with, RECORD, outside, error));
    int64_t *inside = all_right(outside, ranks) ? NULL : outside + ranks * NUMBERS;
    if (inside)
        SCREE_TRY(look_together(&own, with, QUOTED, inside, error));
    status = join_shares(csv, outside, inside, ranks, rows, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    *rows = *rows < 0 || csv->empty < 0 ? -1 : *rows - csv->empty;
done:
    free(outside);
    free(own.chunk);
    return status;
}

/* ---- reading from a row on ---- */

static scree__csv_mark mark_before(const scree__csv_source *csv, int64_t row)
{
    scree__csv_mark best = {csv->data_offset, 0, csv->data_line};
    for (int64_t i = 0; i < csv->mark_count; i++)
        if (csv->marks[i].row <= row && csv->marks[i].row >= best.row)
            best = csv->marks[i];
    return best;
}

/* From the mark on to the start of the row. */
static scree_status step_to(const share *own, scree__csv_mark *mark, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = file_size(own->csv);
    stretch s = {.place = RECORD, .rows = mark->row, .lines = mark->line};
    while (s.rows < row && mark->offset < size) {
        const int64_t some = size - mark->offset < CHUNK ? size - mark->offset : CHUNK;
        SCREE_TRY(read_chunk(own, mark->offset, some, error));
        const char *p = own->chunk;
        while (s.rows < row && p < own->chunk + some)
            p = pass_record(&s, p, own->chunk + some, own->csv->layout.delimiter);
        mark->offset += p - own->chunk;
    }
    mark->row = s.rows;
    mark->line = s.lines;
done:
    return status;
}

scree_status scree__csv_seek(scree_source *source, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = (scree__csv_source *)source;
    scree__csv_window *window = &csv->window;
    share own = {.csv = csv, .chunk = scree__alloc_raw(CHUNK, 1)};
    scree__csv_mark mark = mark_before(csv, row);
    if (!own.chunk)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory to find its rows", source->about.path);
    SCREE_TRY(step_to(&own, &mark, row, error));
    SCREE_TRY(scree__bytes_seek(window->bytes, mark.offset, error));
    window->at = mark.offset;
    window->begin = window->held = 0;
    window->ended = window->quotes = false;
    window->line = mark.line;
    csv->rows = csv->lent = 0;
    csv->first = row;
    csv->failed = false;
    if (!csv->told)
        memset(csv->missing, 0, sizeof csv->missing);
done:
    free(own.chunk);
    return status;
}

scree_status scree__csv_tell(scree_source *source, const scree_communicator *with, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = (scree__csv_source *)source;
    int64_t all[SCREE__CSV_WORDS + 1];
    memcpy(all, csv->missing, sizeof csv->missing);
    all[SCREE__CSV_WORDS] = csv->told || csv->mark_count == 0;
    SCREE_TRY(scree__gather_sums(with, SCREE_OK, all, SCREE__CSV_WORDS + 1, error));
    if (all[SCREE__CSV_WORDS] == 0)
        status = scree__csv_note_end(source, &csv->na, all, csv->empty, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    csv->told = true;
done:
    return status;
}
