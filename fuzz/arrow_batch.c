/* SPDX-License-Identifier: BSD-3-Clause */
/* Record batches from bytes. What a reader can check may be wrong: lengths and offsets below 0, columns that are too
 * short or not there, counts of buffers, buffers that are missing, texts that end before they begin, indices past the
 * end of a dictionary. What it has to believe is right: a buffer that is there holds offset + length values, and ends
 * there, so that the address sanitizer sees a reader that goes further. */

#include "arrow_stream.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 3, WRONG = 0xf0 /* a byte from here on asks for something that is wrong */ };

uint8_t fuzz_next(fuzz_cursor *cursor)
{
    if (cursor->left == 0)
        return 0;
    cursor->left--;
    return *cursor->at++;
}

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    fuzz_require(memory != NULL, "memory for a record batch can be allocated");
    return memory;
}

/* Exactly so many bytes. */
static void *fill(fuzz_cursor *cursor, size_t size)
{
    uint8_t *bytes = get(size, 1);
    for (size_t i = 0; i < size; i++)
        bytes[i] = fuzz_next(cursor);
    return bytes;
}

static void release(struct ArrowArray *array)
{
    for (int64_t i = 0; i < BUFFERS && array->buffers; i++)
        free((void *)array->buffers[i]);
    fuzz_stream *stream = array->private_data;
    free((void *)array->buffers);
    for (int64_t i = 0; array->children && i < FUZZ_FIELDS; i++) {
        if (array->children[i] && array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    free(array->dictionary);
    array->release = NULL;
    stream->held--;
}

/* An array without values yet. */
static void begin(fuzz_stream *stream, struct ArrowArray *array, int64_t length, int64_t buffers)
{
    const uint8_t nulls = fuzz_next(&stream->cursor);
    *array = (struct ArrowArray){.length = length, .n_buffers = buffers, .private_data = stream, .release = release};
    array->offset = fuzz_next(&stream->cursor) % 4;
    array->null_count = nulls % 3 == 0 ? 0 : nulls % 3 == 1 ? -1 : 1;
    array->buffers = get(BUFFERS, sizeof *array->buffers);
    if (nulls & 8)
        array->buffers[0] = fill(&stream->cursor, (size_t)(array->offset + length + 7) / 8);
    stream->held++;
}

/* Lies that can be found out, once the buffers are there. */
static void spoil(fuzz_stream *stream, struct ArrowArray *array)
{
    const uint8_t how = fuzz_next(&stream->cursor);
    if (how < WRONG)
        return;
    if (how % 8 == 0)
        array->length = -array->length;
    else if (how % 8 == 1)
        array->offset = -1 - array->offset;
    else if (how % 8 == 2)
        array->n_buffers--;
    else if (how % 8 == 3)
        array->length /= 2;
    else {
        free((void *)array->buffers[how % 8 - 4 < BUFFERS ? how % 8 - 4 : 0]);
        array->buffers[how % 8 - 4 < BUFFERS ? how % 8 - 4 : 0] = NULL;
    }
}

/* Offsets of texts, and their bytes. A text that ends before it begins counts as empty. */
static void fill_texts(fuzz_stream *stream, struct ArrowArray *array, bool large)
{
    const size_t count = (size_t)(array->offset + array->length) + 1;
    const size_t size = large ? sizeof(int64_t) : sizeof(int32_t);
    uint8_t *offsets = get(count, size);
    int64_t end = 0;
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t narrow = (int32_t)end;
        memcpy(offsets + i * size, large ? (const void *)&end : (const void *)&narrow, size);
        const uint8_t step = fuzz_next(&stream->cursor);
        end = step >= WRONG ? -1 : end + step % 8;
        most = end > most ? end : most;
    }
    array->buffers[1] = offsets;
    array->buffers[2] = fill(&stream->cursor, (size_t)most);
}

static size_t width(char format)
{
    static const char formats[] = "cCsSeiIflLg";
    static const size_t widths[] = {1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8};
    const char *found = format ? strchr(formats, format) : NULL;
    return found ? widths[found - formats] : 8;
}

static void make_column(fuzz_stream *stream, const fuzz_field *field, struct ArrowArray *array, int64_t length)
{
    const bool text = field->format[0] == 'u' || field->format[0] == 'U';
    begin(stream, array, length, text ? 3 : 2);
    const size_t count = (size_t)(array->offset + length);
    if (text)
        fill_texts(stream, array, field->format[0] == 'U');
    else
        array->buffers[1] =
            fill(&stream->cursor, field->format[0] == 'b' ? (count + 7) / 8 : count * width(field->format[0]));
    if (field->dictionary && fuzz_next(&stream->cursor) < WRONG) {
        array->dictionary = get(1, sizeof *array->dictionary);
        begin(stream, array->dictionary, fuzz_next(&stream->cursor) % 8, 3);
        fill_texts(stream, array->dictionary, field->dictionary == 'U');
        spoil(stream, array->dictionary);
    }
    spoil(stream, array);
}

void fuzz_batch_make(fuzz_stream *stream, struct ArrowArray *out)
{
    const uint8_t rows = fuzz_next(&stream->cursor) % 40;
    begin(stream, out, rows, 1);
    out->n_children = stream->fields - (fuzz_next(&stream->cursor) >= WRONG);
    out->children = get(FUZZ_FIELDS, sizeof *out->children);
    for (int i = 0; i < stream->fields; i++) {
        if (fuzz_next(&stream->cursor) >= WRONG)
            continue;
        out->children[i] = get(1, sizeof **out->children);
        make_column(stream, &stream->field[i], out->children[i], out->offset + rows);
    }
}
