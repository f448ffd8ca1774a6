/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV and TSV as a source. The file passes through a window of a few megabytes; its records are cut into pieces, which
 * threads count and then parse, each to the rows that are its own, and the rows are lent as blocks. Windows do not
 * depend on threads or blocks, rows are in the order of the file, and of several faults the first in the file is
 * reported: the result is the same however it was read. Memory: the window, its rows, and their texts, which stay in
 * the window. */

#include "data/csv_source.h"

#include "base/memory.h"
#include "base/threads.h"

#include <stdio.h>
#include <string.h>

enum {
    SMALL_BYTES = SCREE__WINDOW(18), /* of text, parsed before another thread would have woken */
    PIECES_PER_THREAD = 4,
    BLOCK_BYTES = 4 << 20,
    INDEX_LEAST = SCREE__WINDOW(14)
};

/* Lines that are not blank: no more records than these begin in a piece. */
static int64_t count_filled(char *p, const char *end)
{
    int64_t filled = 0;
    while (p < end) {
        char *next = NULL;
        if (!scree__csv_is_blank(p, &next)) {
            char *line = memchr(p, '\n', (size_t)(end - p));
            next = line ? line + 1 : p + (end - p);
            filled++;
        }
        p = next;
    }
    return filled;
}

static void count_task(void *context, int64_t index, int worker)
{
    const scree__csv_source *csv = context;
    scree__csv_piece *piece = &csv->pieces[index];
    (void)worker;
    piece->lines = scree__csv_count_lines(piece->begin, piece->end);
    piece->filled = csv->base.faults ? count_filled(piece->begin, piece->end) : piece->lines;
}

static void parse_task(void *context, int64_t index, int worker)
{
    scree__csv_source *csv = context;
    scree__csv_piece_parse(&csv->pieces[index], &csv->layout, &csv->indexes[worker]);
}

/* Room for count elements of 8 bytes, of values or texts; what was there is lost. */
static scree_status reserve(scree__csv_source *csv, void **memory, int64_t *capacity, int64_t count, scree_error *error)
{
    const int64_t size = 8;
    scree__budget *budget = scree__bytes_budget(csv->window.bytes);
    if (*memory && count <= *capacity)
        return SCREE_OK;
    free(*memory);
    *memory = NULL;
    scree__budget_give(budget, *capacity * size);
    *capacity = 0;
    const scree_status status = scree__budget_take(budget, count * size, csv->base.about.path, "its rows", error);
    if (status != SCREE_OK)
        return status;
    *memory = scree__alloc_raw(count, (size_t)size);
    *capacity = count;
    return *memory
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "cannot allocate %lld cells for rows of CSV", (long long)count);
}

/* No more rows than lines, where bad ones are rows too than lines that are not blank, nor than bytes allow: each field
 * but the first has a delimiter. One may be begun and fail. */
static int64_t rows_at_most(const scree__csv_source *csv, const scree__csv_piece *piece)
{
    const int64_t fields = csv->base.faults ? 1 : csv->layout.fields; /* a record at fault may have any number */
    int64_t rows = (piece->end - piece->begin) / fields + 1;
    return rows < piece->filled ? rows : piece->filled;
}

/* The same for a byte each, all zero. */
static scree_status reserve_bad(scree__csv_source *csv, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    void *bad = csv->bad;
    int64_t capacity = csv->bad_capacity / 8;
    csv->bad = NULL;
    status = reserve(csv, &bad, &capacity, (rows + 7) / 8, error);
    csv->bad = bad;
    csv->bad_capacity = 8 * capacity;
    if (status == SCREE_OK)
        memset(csv->bad, 0, (size_t)rows);
    return status;
}

/* Gives each piece its own part of values and text. */
static scree_status place_pieces(scree__csv_source *csv, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t rows = 0;
    void *values = csv->values;
    void *text = csv->text;
    for (int64_t i = 0; i < count; i++)
        rows += rows_at_most(csv, &csv->pieces[i]);
    if (csv->base.faults)
        SCREE_TRY(reserve_bad(csv, rows, error));
    status = reserve(csv, &values, &csv->value_capacity, rows * csv->layout.cols, error);
    csv->values = values;
    if (status == SCREE_OK)
        status = reserve(csv, &text, &csv->text_capacity, rows * csv->layout.text_count, error);
    csv->text = text;
    rows = 0;
    for (int64_t i = 0; status == SCREE_OK && i < count; i++) {
        csv->pieces[i].values = csv->values + rows * csv->layout.cols;
        csv->pieces[i].text = csv->text + rows * csv->layout.text_count;
        csv->pieces[i].bad = csv->base.faults ? csv->bad + rows : NULL;
        rows += rows_at_most(csv, &csv->pieces[i]);
    }
done:
    return status;
}

/* Closes the gaps that blank lines left between the rows of pieces, and steps past them. The first fault ends it, after
 * the rows before it. */
static void collect_pieces(scree__csv_source *csv, int64_t count)
{
    int64_t cols = csv->layout.cols;
    int64_t texts = csv->layout.text_count;
    csv->rows = 0;
    csv->marked = false;
    for (int64_t i = 0; i < count; i++) {
        scree__csv_piece *piece = &csv->pieces[i];
        double *values = csv->values + csv->rows * cols;
        scree__csv_faults_tell(csv, piece);
        if (csv->failed)
            continue;
        if (piece->bad)
            memmove(csv->bad + csv->rows, piece->bad, (size_t)piece->rows);
        if (values != piece->values)
            memmove(values, piece->values, (size_t)(piece->rows * cols) * sizeof *values);
        if (texts > 0 && values != piece->values)
            memmove(csv->text + csv->rows * texts, piece->text, (size_t)(piece->rows * texts) * sizeof *csv->text);
        csv->marked = csv->marked || piece->marked;
        for (int w = 0; w < SCREE__CSV_WORDS && !csv->told; w++)
            csv->missing[w] += piece->missing[w];
        csv->rows += piece->rows;
        csv->failed = piece->fault != SCREE__CSV_FINE;
        if (csv->failed)
            scree__csv_fault_report(csv, piece, csv->window.line + piece->fault_line, &csv->fault);
        csv->window.line += piece->lines;
        csv->window.begin = piece->end - csv->window.raw;
    }
}

/* At the end of the first pass, what it has shown is added to the note. */
static scree_status tell_end(scree__csv_source *csv, int64_t empty, scree_error *error)
{
    if (csv->told)
        return SCREE_OK;
    csv->told = true;
    return scree__csv_note_end(&csv->base, &csv->na, csv->missing, empty, error);
}

/* Parses what is whole in the window, reading on until there is something; no rows at the end of the file. */
static scree_status parse_window(scree__csv_source *csv, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_window *window = &csv->window;
    int64_t most = csv->piece_capacity - 1;
    int64_t count;
    csv->first += csv->rows;
    csv->rows = 0;
    csv->lent = 0;
    if (csv->failed)
        SCREE_FAIL(error, csv->fault.status, "%s", csv->fault.text);
    csv->layout.counted = csv->layout.origin && csv->base.takes_origin;
    do {
        int64_t empty = 0;
        count = csv->piece_count = scree__csv_window_cut(window, csv->pieces, most, csv->layout.delimiter, &empty);
        if (count == 0 && window->ended && empty == 0 && window->begin < window->held &&
            !scree__bytes_cut(window->bytes))
            SCREE_TRY(scree__csv_quote_report(csv, error));
        if (count == 0 && window->ended) {
            SCREE_TRY(tell_end(csv, empty, error));
            break;
        }
        if (count == 0) {
            SCREE_TRY(scree__csv_window_fill(window, error));
            continue;
        }
        scree__parallel(csv->threads, count, count_task, csv);
        SCREE_TRY(place_pieces(csv, count, error));
        scree__parallel(csv->threads, count, parse_task, csv);
        collect_pieces(csv, count);
    } while (csv->rows == 0 && !csv->failed);
done:
    return status;
}

static scree_status csv_next(scree_source *source, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = (scree__csv_source *)source;
    if (csv->lent == csv->rows)
        SCREE_TRY(parse_window(csv, error));
    if (csv->failed && csv->rows == 0)
        SCREE_FAIL(error, csv->fault.status, "%s", csv->fault.text);
    int64_t left = csv->rows - csv->lent;
    block->rows = left < source->block_rows ? left : source->block_rows;
    block->first = csv->first + csv->lent;
    block->data = csv->values + csv->lent * source->about.cols;
    block->text = source->about.text_count > 0 ? csv->text + csv->lent * source->about.text_count : NULL;
    block->type = SCREE_F64;
    block->stride = source->about.cols;
    block->origin = csv->layout.counted ? csv->layout.shift : NULL;
    block->marked = csv->marked;
    block->bad = csv->bad ? csv->bad + csv->lent : NULL;
    csv->lent += block->rows;
done:
    return status;
}

/* To the first record of data; the window, which never shrinks, holds all that comes before it. */
static scree_status csv_rewind(scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = (scree__csv_source *)source;
    SCREE_TRY(scree__csv_window_rewind(&csv->window, error));
    csv->window.begin = csv->data_offset < csv->window.held ? csv->data_offset : csv->window.held;
    csv->window.line = csv->data_line;
    csv->rows = csv->lent = csv->first = 0;
    if (!csv->told)
        memset(csv->missing, 0, sizeof csv->missing);
    csv->failed = false;
done:
    return status;
}

static void csv_close(scree_source *source)
{
    scree__csv_source *csv = (scree__csv_source *)source;
    scree__csv_window_clear(&csv->window);
    for (int i = 0; csv->indexes && i < csv->threads; i++)
        scree__csv_index_close(&csv->indexes[i]);
    free(csv->indexes);
    scree__csv_na_clear(&csv->na);
    free(csv->layout.field);
    free(csv->layout.origin);
    free(csv->layout.shift);
    free(csv->pieces);
    free(csv->marks);
    free(csv->values);
    free(csv->text);
    free(csv->bad);
}

void scree__csv_disown(scree_source *source)
{
    ((scree__csv_source *)source)->window.bytes = NULL;
}

#define TABLE(format)                                                                                                  \
    {                                                                                                                  \
        .name = (format), .next = csv_next, .rewind = csv_rewind, .close = csv_close, .seek = scree__csv_seek,         \
        .count = scree__csv_count_rows, .tell = scree__csv_tell                                                        \
    }
static const scree__source_table csv_table = TABLE("csv");
static const scree__source_table tsv_table = TABLE("tsv");

/* From the length of the lines in the window, and of what it took to fill it when the file is compressed. */
static int64_t estimate_rows(const scree__csv_window *window)
{
    int64_t size = scree__bytes_size(window->bytes);
    int64_t packed = scree__bytes_packed_size(window->bytes);
    int64_t used = scree__bytes_packed_used(window->bytes);
    if (size < 0 && packed >= 0 && used > 0)
        size = (int64_t)((double)window->held * (double)packed / (double)used);
    if (window->ended)
        size = window->held;
    if (size < 0)
        return -1;
    const char *data = window->raw + window->begin;
    const char *end = window->raw + window->held;
    if (data == end)
        return 0;
    double lines = (double)scree__csv_count_lines(data, end) * (double)(size - window->begin) / (double)(end - data);
    return lines < 1 ? 1 : (int64_t)lines;
}

/* Lines of a window that are not blank; of a pipe that is read as it comes, as many as a full one would have. */
static int64_t lines_held(const scree__csv_source *csv)
{
    const scree__csv_window *window = &csv->window;
    const char *end = window->raw + window->held;
    while (end > window->raw && end[-1] != '\n')
        end--;
    const int64_t lines = count_filled(window->raw, end);
    if (!csv->base.live || window->ended || window->held == 0)
        return lines;
    return (int64_t)((double)lines * (double)window->capacity / (double)window->held) + 1;
}

/* Bytes by which the layout is settled, more than least: of a live pipe what it begins with, of others all there are;
 * -1: more has to come. */
static int64_t bytes_to_see(const scree__csv_source *csv, int64_t mark, int64_t least,
                            const scree_read_options *options)
{
    const scree__csv_window *window = &csv->window;
    if (window->held == 0)
        return -1;
    char *text = window->raw + mark;
    const int64_t size = window->held - mark;
    if (!csv->base.live)
        return size > least && scree__csv_count_lines(text, text + size) >= 2 + options->skip ? size : -1;
    int64_t seen = scree__csv_first_rows(text, size, options);
    while (seen >= 0 && seen <= least) { /* another line */
        const char *line = memchr(text + seen, '\n', (size_t)(size - seen));
        seen = line ? line + 1 - text : -1;
    }
    return seen;
}

/* Reads the first records and guesses by *seen bytes behind the mark; by more where these leave it open what stands
 * above the table. */
static scree_status guess_from(scree__csv_source *csv, scree__csv_guess *guess, const scree_read_options *options,
                               int64_t *mark, int64_t *seen, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_window *window = &csv->window;
    *seen = 0;
    for (;;) {
        const int64_t least = *seen;
        while ((*seen = bytes_to_see(csv, *mark, least, options)) < 0 && !(window->held > 0 && window->ended)) {
            SCREE_TRY(scree__csv_window_fill(window, error));
            if (!window->returns)
                scree__csv_window_look(window);
            *mark = window->held >= 3 && memcmp(window->raw, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
            if (window->held == 0)
                break;
        }
        *seen = *seen < 0 ? window->held - *mark : *seen;
        guess->syntax.na = &csv->na;
        guess->encoding = scree__bytes_guessed(window->bytes);
        SCREE_TRY(scree__csv_guess_make(guess, window->raw + *mark, *seen, options, csv->base.about.path, error));
        if (!guess->unsettled || (window->ended && *seen == window->held - *mark))
            break;
        scree__budget *budget = guess->budget;
        scree__csv_guess_clear(guess);
        guess->budget = budget;
    }
done:
    return status;
}

/* Reads the first records, guesses, and puts the window at the first record of data. */
static scree_status settle(scree__csv_source *csv, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_read_options known = *options;
    known.numeric_count = csv->base.live && options->numeric ? options->numeric_count : 0; /* files have more rows */
    scree__csv_window *window = &csv->window;
    scree__csv_guess guess = {.budget = scree__bytes_budget(window->bytes)};
    int64_t mark = 0;
    int64_t seen = 0; /* by which the layout is settled */
    SCREE_TRY(scree__csv_na_read(&csv->na, options->na, csv->base.about.path, error));
    SCREE_TRY(guess_from(csv, &guess, &known, &mark, &seen, error));
    SCREE_TRY(scree__csv_layout_make(&csv->layout, &csv->base, &guess, options, error));
    csv->base.block_rows = scree__source_rows_in(&csv->base, BLOCK_BYTES);
    csv->data_offset = window->begin = mark + guess.data_offset;
    csv->data_line = window->line = guess.data_line;
    SCREE_TRY(scree__csv_origin_find(&csv->layout, window->raw + window->begin, mark + seen - window->begin, error));
    csv->base.about.rows_estimate = estimate_rows(window);
    if (csv->base.about.only_header)
        csv->base.about.rows = 0;
    const int64_t lines = lines_held(csv);
    const int64_t line_bytes = 8 * csv->base.about.cols + (int64_t)sizeof(char *) * csv->base.about.text_count;
    const int64_t window_bytes = window->ended ? window->held : window->capacity; /* what is not touched takes none */
    csv->base.about.row_text =
        ((csv->base.live ? window_bytes : window->held) - window->begin) / (lines > 0 ? lines : 1);
    csv->base.memory = window_bytes + 2 * lines * line_bytes; /* buffers for rows are doubled when they are full */
done:
    scree__csv_guess_clear(&guess);
    return status;
}

/* Room for some records in each. Of long ones the window has few, and no more threads than those are of use; where
 * memory is short, a quarter of it may become indexes. */
static scree_status make_indexes(scree__csv_source *csv, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__budget *budget = scree__bytes_budget(csv->window.bytes);
    const int64_t capacity = INDEX_LEAST + 4 * csv->layout.fields;
    const int64_t bytes = 3 * capacity * (int64_t)sizeof *csv->indexes->ends;
    const int64_t fit = scree__budget_left(budget) / (4 * bytes);
    const int64_t useful = 2 * lines_held(csv) + 1;
    const int64_t most = fit < useful ? fit : useful;
    csv->threads = most < 1 ? 1 : most < csv->threads ? (int)most : csv->threads;
    SCREE_TRY(scree__budget_take(budget, csv->threads * bytes, csv->base.about.path, "its columns", error));
    SCREE_ALLOC(csv->indexes, csv->threads, error);
    for (int i = 0; i < csv->threads; i++)
        if (!scree__csv_index_open(&csv->indexes[i], capacity))
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: cannot allocate an index of %lld cells", csv->base.about.path,
                       (long long)capacity);
    csv->base.memory += csv->threads * bytes;
done:
    return status;
}

static scree_status open_with(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                              const scree__source_table *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_source *csv = NULL;
    SCREE_ALLOC(csv, 1, error);
    csv->base.table = table;
    csv->base.about.type = SCREE_F64;
    csv->base.about.rows = -1;
    csv->base.can = scree__bytes_can_rewind(bytes) ? SCREE__CAN_REWIND : 0;
    csv->base.about.path = scree__strdup(scree__bytes_name(bytes));
    if (!csv->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    if (options->delimiter && strchr("\"\r\n", options->delimiter))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: a quote or a line break cannot be the delimiter; choose another",
                   csv->base.about.path);
    SCREE_TRY(scree__bytes_transcode(bytes, options->encoding, error));
    csv->base.live = scree__bytes_go_live(bytes);
    const int64_t size = scree__bytes_size(bytes);
    csv->threads = size >= 0 && size <= SMALL_BYTES ? 1 : scree__threads(options->threads);
    csv->piece_capacity = PIECES_PER_THREAD * csv->threads + 1;
    SCREE_ALLOC(csv->pieces, csv->piece_capacity, error);
    csv->window.bytes = bytes;
    csv->window.line = 1;
    scree__csv_window_share(&csv->window, csv->threads);
    SCREE_TRY(settle(csv, options, error));
    SCREE_TRY(make_indexes(csv, error));
    if (scree__bytes_can_seek(bytes) && !csv->window.returns && !csv->layout.origin)
        csv->base.can |= SCREE__CAN_SEEK;
    *out = &csv->base;
    csv = NULL;
done:
    if (csv)
        csv->window.bytes = NULL; /* still the caller's */
    scree_source_free(csv ? &csv->base : NULL);
    return status;
}

static scree_status csv_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    return open_with(out, bytes, options, &csv_table, error);
}

static scree_status tsv_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_read_options tabbed = *options;
    if (!tabbed.delimiter)
        tabbed.delimiter = '\t';
    return open_with(out, bytes, &tabbed, &tsv_table, error);
}

static const char *const csv_extensions[] = {"csv", "txt", "dat", "data", NULL};
static const char *const tsv_extensions[] = {"tsv", "tab", NULL};

const scree__reader scree__reader_csv = {
    "csv", csv_extensions, NULL, csv_open, "comma-separated text, with or without a header", true, false, NULL};
const scree__reader scree__reader_tsv = {"tsv", tsv_extensions, NULL, tsv_open, "tab-separated text",
                                         true,  false,          NULL};
