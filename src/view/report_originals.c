/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a page as they were, all columns of them, so that nothing has to be believed that the components rebuild.
 * Bytes stay bytes; other cells are floats, less the mean where rows are no images, so that float has digits enough
 * where means are large. Some rows at a time, about 64 KB, are one block of raw deflate (RFC 1951), floats with their
 * first bytes together, then their second ones, and so on: that packs better. A browser unpacks a block in a
 * millisecond when one of its rows is looked at.
 *
 * They stand behind the script of the page, as text: one line of JSON, then a line of base64 for each block. So the
 * page is drawn before the browser has read them, and what does not fit is left out from the end: the page says how
 * many rows it has whole. */

#include "view/report.h"

#include <string.h>
#include <zlib.h>

enum { BLOCK_BYTES = 65536, RAW_DEFLATE = -15, LEVEL = 6, MEMORY = 8, HEADER = 200 };

static int64_t cell_size(const scree__report *report)
{
    return report->originals.exact ? 1 : (int64_t)sizeof(float);
}

int64_t scree__originals_row(const scree__report *report)
{
    return scree_model_get(report->shown)->d * cell_size(report);
}

void scree__originals_keep(scree__report *report, int64_t place, const double *x)
{
    scree__originals *originals = &report->originals;
    const scree_model_view *view = scree_model_get(report->shown);
    uint8_t *out = originals->cells + place * scree__originals_row(report);
    for (int64_t c = 0; c < view->d; c++) {
        const float cell = (float)(x[c] - (report->image_rows > 0 ? 0.0 : view->mean[c]));
        originals->low = fmin(originals->low, x[c]);
        originals->high = fmax(originals->high, x[c]);
        if (originals->exact)
            out[c] = (uint8_t)x[c];
        else
            memcpy(out + c * (int64_t)sizeof cell, &cell, sizeof cell);
    }
}

/* Byte k of every float, for k from 0 to 3. */
static void split_floats(uint8_t *out, const uint8_t *in, int64_t bytes)
{
    const int64_t size = (int64_t)sizeof(float), count = bytes / size;
    for (int64_t k = 0; k < size; k++)
        for (int64_t i = 0; i < count; i++)
            out[k * count + i] = in[i * size + k];
}

char *scree__pack_block(const uint8_t *cells, int64_t bytes)
{
    z_stream stream = {0};
    char *text = NULL;
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, RAW_DEFLATE, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    const uLong room = deflateBound(&stream, (uLong)bytes);
    uint8_t *packed = scree__alloc((int64_t)room, 1);
    if (packed) {
        stream.next_in = (Bytef *)(uintptr_t)cells;
        stream.avail_in = (uInt)bytes;
        stream.next_out = packed;
        stream.avail_out = (uInt)room;
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END)
            text = scree__base64(packed, (int64_t)stream.total_out);
    }
    deflateEnd(&stream);
    free(packed);
    return text;
}

scree_status scree__originals_pack(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__originals *originals = &report->originals;
    const int64_t row = scree__originals_row(report);
    uint8_t *split = NULL;
    if (originals->count == 0)
        return SCREE_OK;
    originals->block = row < BLOCK_BYTES ? BLOCK_BYTES / row : 1;
    SCREE_ALLOC(split, originals->exact ? 0 : originals->block * row, error);
    SCREE_ALLOC(originals->blocks, (originals->count + originals->block - 1) / originals->block, error);
    for (int64_t first = 0; first < originals->count; first += originals->block) {
        const int64_t left = originals->count - first;
        const int64_t bytes = (left < originals->block ? left : originals->block) * row;
        const uint8_t *cells = originals->cells + first * row;
        if (!originals->exact) {
            split_floats(split, cells, bytes);
            cells = split;
        }
        char *text = scree__pack_block(cells, bytes);
        if (!text)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the rows of a page; show fewer");
        originals->blocks[originals->packed++] = text;
    }
    free(originals->cells);
    originals->cells = NULL;
done:
    free(split);
    return status;
}

scree_status scree__originals_text(char **text, int64_t *rows, const scree__report *report, int64_t room,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__originals *originals = &report->originals;
    int64_t size = HEADER, blocks = 0;
    char *made = NULL;
    while (blocks < originals->packed && blocks * originals->block < *rows) {
        const int64_t more = (int64_t)strlen(originals->blocks[blocks]) + 1;
        if (size + more > room)
            break;
        size += more;
        blocks++;
    }
    const int64_t most = *rows < originals->count ? *rows : originals->count;
    *rows = blocks * originals->block < most ? blocks * originals->block : most;
    SCREE_ALLOC(made, size + 1, error);
    int64_t at = *rows == 0
                     ? 0
                     : scree__format(made, HEADER, "{\"cells\":\"%s\",\"count\":%lld,\"block\":%lld}",
                                     originals->exact ? "u8" : "f32", (long long)*rows, (long long)originals->block);
    for (int64_t b = 0; b < blocks; b++) {
        const size_t length = strlen(originals->blocks[b]);
        made[at] = '\n';
        memcpy(made + at + 1, originals->blocks[b], length + 1);
        at += (int64_t)length + 1;
    }
    *text = made;
done:
    return status;
}

void scree__originals_clear(scree__originals *originals)
{
    for (int64_t b = 0; b < originals->packed; b++)
        free(originals->blocks[b]);
    free(originals->blocks);
    free(originals->cells);
    *originals = (scree__originals){0};
}
