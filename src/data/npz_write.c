/* SPDX-License-Identifier: BSD-3-Clause */
/* NPZ out, as numpy.load reads it: rows of any element type as data, names of columns as columns, and texts as labels
 * (one column of them: of one dimension) with their names as label_columns. Numbers go to the file as they come. Texts
 * of an array have all the width of its longest, which is known at the end: until then they wait one after the other,
 * each ended by a zero, beyond a few MiB in a scratch file. An array that would be mostly padding is refused. */

#include "base/memory.h"
#include "base/utf8.h"
#include "data/elements.h"
#include "data/formats.h"
#include "data/scratch.h"
#include "data/text_sink.h"
#include "data/zip_write.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 14, WAITING = 1 << 22, LETTER = 4 };
static const int64_t MOST_PADDED = INT64_C(1) << 30; /* bytes of texts that may be padding for the most part */
static const int64_t PADDED = 64;                    /* times the texts themselves, beyond that */

typedef struct npz_sink {
    scree_sink base;
    scree__zip_writer zip;
    char **columns; /* NULL: without names */
    int64_t cols;
    char **text_names;
    int64_t text_count;
    int64_t rows;         /* written */
    int64_t width;        /* letters of the longest text */
    int64_t text_bytes;   /* of all, zeros included */
    scree__text waiting;  /* the last of them */
    scree__scratch spill; /* those before */
} npz_sink;

static scree_status npz_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    npz_sink *npz = (npz_sink *)sink;
    scree_status status = SCREE_OK;
    if (!scree__atomic_seekable(sink->file))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: sizes in an NPZ archive are written when they are known, which a pipe does not allow: write to "
                   "a file with -o, or as NPY or CSV",
                   sink->path);
    npz->columns = scree__strings_copy(shape->columns, shape->cols);
    npz->text_names = scree__strings_copy(shape->text_names, shape->text_count);
    if ((shape->columns && !npz->columns) || (shape->text_count > 0 && !npz->text_names))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->path);
    npz->cols = shape->cols;
    npz->text_count = shape->text_count;
    npz->zip.file = sink->file;
    SCREE_TRY(scree__zip_begin(&npz->zip, "data.npy", error));
done:
    return status;
}

/* ---- rows ---- */

static scree_status fail_value(const npz_sink *npz, int64_t index, double value, scree_error *error)
{
    char column[128];
    const int64_t j = index % npz->cols;
    if (npz->columns)
        snprintf(column, sizeof column, "column '%s'", npz->columns[j]);
    else
        snprintf(column, sizeof column, "column %" PRId64, j + 1);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ", %s: %.17g is not a %s: write another element type",
                       npz->base.path, npz->rows + index / npz->cols + 1, column, value,
                       scree__element_holds(npz->base.type));
}

static scree_status put_numbers(npz_sink *npz, const double *data, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_type type = npz->base.type;
    double chunk[CHUNK]; /* of elements of any size */
    for (int64_t at = 0; at < count; at += CHUNK) {
        const int64_t size = count - at < CHUNK ? count - at : CHUNK;
        const int64_t stored = scree__elements_store(type, data + at, chunk, size);
        if (stored < size)
            SCREE_TRY(fail_value(npz, at + stored, data[at + stored], error));
        SCREE_TRY(scree__zip_put(&npz->zip, chunk, size * scree__element_size(type), error));
    }
done:
    return status;
}

/* Letters of a text; -1: it is not UTF-8. */
static int64_t letters_of(const char *text, int64_t size)
{
    int64_t letters = 0;
    if (scree__utf8_valid(text, (size_t)size) < (size_t)size)
        return -1;
    for (int64_t i = 0; i < size; i++)
        letters += ((unsigned char)text[i] & 0xC0) != 0x80;
    return letters;
}

static scree_status keep_text(npz_sink *npz, const char *text, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = (int64_t)strlen(text);
    const int64_t letters = letters_of(text, size);
    if (letters < 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ": a text is not UTF-8: read it with its encoding",
                   npz->base.path, npz->rows + row + 1);
    if (npz->waiting.size > 0 && npz->waiting.size + size >= WAITING) {
        if (!scree__scratch_is_open(&npz->spill))
            SCREE_TRY(scree__scratch_open(&npz->spill, npz->base.path, "writing its texts", error));
        SCREE_TRY(scree__scratch_write(&npz->spill, npz->waiting.bytes, npz->waiting.size, error));
        npz->waiting.size = 0;
    }
    if (!scree__text_put(&npz->waiting, text, size + 1))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", npz->base.path);
    npz->width = letters > npz->width ? letters : npz->width;
    npz->text_bytes += size + 1;
done:
    return status;
}

static scree_status npz_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                              scree_error *error)
{
    npz_sink *npz = (npz_sink *)sink;
    scree_status status = SCREE_OK;
    (void)threads;
    SCREE_TRY(put_numbers(npz, data, rows * npz->cols, error));
    for (int64_t i = 0; i < rows * npz->text_count; i++)
        SCREE_TRY(keep_text(npz, text && text[i] ? text[i] : "", i / npz->text_count, error));
    npz->rows += rows;
done:
    return status;
}

/* ---- texts ---- */

/* Texts on their way into an array of so many letters each, little-endian of four bytes. */
typedef struct texts {
    npz_sink *npz;
    int64_t width;
    int64_t letters; /* of this text so far */
    uint32_t code;   /* of the letter that is being read */
    int64_t used;    /* bytes of chunk */
    unsigned char chunk[CHUNK];
} texts;

static scree_status put_letter(texts *to, uint32_t code, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (to->used == CHUNK) {
        to->used = 0;
        SCREE_TRY(scree__zip_put(&to->npz->zip, to->chunk, CHUNK, error));
    }
    for (int i = 0; i < LETTER; i++)
        to->chunk[to->used++] = (unsigned char)(code >> (8 * i));
done:
    return status;
}

/* The letter before is complete; a text ends with as many zeros as it is short. */
static scree_status end_letter(texts *to, bool text_ends, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (to->code > 0) {
        SCREE_TRY(put_letter(to, to->code, error));
        to->letters++;
    }
    to->code = 0;
    if (!text_ends)
        return SCREE_OK;
    for (; to->letters < to->width; to->letters++)
        SCREE_TRY(put_letter(to, 0, error));
    to->letters = 0;
done:
    return status;
}

/* Bytes of UTF-8, from wherever those before ended. */
static scree_status put_bytes(texts *to, const char *bytes, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if ((byte & 0xC0) == 0x80) {
            to->code = to->code << 6 | (byte & 0x3F);
            continue;
        }
        SCREE_TRY(end_letter(to, byte == 0, error));
        to->code = byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1F : byte < 0xF0 ? byte & 0x0F : byte & 0x07;
    }
done:
    return status;
}

static scree_status end_texts(texts *to, int64_t rows, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    char header[SCREE__NPY_HEADER_BYTES];
    SCREE_TRY(scree__zip_put(&to->npz->zip, to->chunk, to->used, error));
    scree__npy_format_text(header, to->width, rows, cols);
    SCREE_TRY(scree__zip_end(&to->npz->zip, header, error));
done:
    return status;
}

static scree_status put_names(npz_sink *npz, const char *member, char *const *names, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    texts to = {.npz = npz, .width = 1};
    for (int64_t i = 0; i < count; i++) {
        const int64_t letters = letters_of(names[i], (int64_t)strlen(names[i]));
        if (letters < 0)
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: the name of a column is not UTF-8: read it with its encoding",
                       npz->base.path);
        to.width = letters > to.width ? letters : to.width;
    }
    SCREE_TRY(scree__zip_begin(&npz->zip, member, error));
    for (int64_t i = 0; i < count; i++)
        SCREE_TRY(put_bytes(&to, names[i], (int64_t)strlen(names[i]) + 1, error));
    SCREE_TRY(end_texts(&to, count, 0, error));
done:
    return status;
}

static scree_status put_labels(npz_sink *npz, scree_error *error)
{
    scree_status status = SCREE_OK;
    texts to = {.npz = npz, .width = npz->width > 0 ? npz->width : 1};
    char read[CHUNK];
    const int64_t each = npz->rows * npz->text_count;
    if (each > 0 && to.width > INT64_MAX / LETTER / each)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: texts are too many and too long for an NPZ archive",
                   npz->base.path);
    const int64_t padded = LETTER * to.width * each;
    if (padded > MOST_PADDED && padded / PADDED > npz->text_bytes)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: NumPy gives every text the width of the longest, here %" PRId64 " letters, which takes %.3g GB "
                   "for %.3g GB of text: leave that column out with --exclude, or write to .arrow",
                   npz->base.path, to.width, 1e-9 * (double)padded, 1e-9 * (double)npz->text_bytes);
    SCREE_TRY(scree__zip_begin(&npz->zip, "labels.npy", error));
    for (int64_t at = 0; at < npz->spill.size; at += CHUNK) {
        const int64_t size = npz->spill.size - at < CHUNK ? npz->spill.size - at : CHUNK;
        SCREE_TRY(scree__scratch_read(&npz->spill, read, size, at, error));
        SCREE_TRY(put_bytes(&to, read, size, error));
    }
    SCREE_TRY(put_bytes(&to, npz->waiting.bytes, npz->waiting.size, error));
    SCREE_TRY(end_texts(&to, npz->rows, npz->text_count > 1 ? npz->text_count : 0, error));
    SCREE_TRY(put_names(npz, "label_columns.npy", npz->text_names, npz->text_count, error));
done:
    return status;
}

/* ---- the sink ---- */

static scree_status npz_finish(scree_sink *sink, scree_error *error)
{
    npz_sink *npz = (npz_sink *)sink;
    scree_status status = SCREE_OK;
    char header[SCREE__NPY_HEADER_BYTES];
    scree__npy_format(header, sink->type, npz->rows, npz->cols);
    SCREE_TRY(scree__zip_end(&npz->zip, header, error));
    if (npz->columns)
        SCREE_TRY(put_names(npz, "columns.npy", npz->columns, npz->cols, error));
    if (npz->text_count > 0)
        SCREE_TRY(put_labels(npz, error));
    SCREE_TRY(scree__zip_finish(&npz->zip, error));
done:
    return status;
}

static void npz_close(scree_sink *sink)
{
    npz_sink *npz = (npz_sink *)sink;
    scree__strings_free(npz->columns, npz->cols);
    scree__strings_free(npz->text_names, npz->text_count);
    free(npz->waiting.bytes);
    scree__scratch_close(&npz->spill);
}

static const scree__sink_table npz_table = {
    .name = "npz", .begin = npz_begin, .write = npz_write, .finish = npz_finish, .close = npz_close};

static scree_status npz_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    npz_sink *npz = NULL;
    SCREE_ALLOC(npz, 1, error);
    npz->spill = (scree__scratch)SCREE__SCRATCH_INIT;
    npz->base = (scree_sink){.table = &npz_table,
                             .path = scree__strdup(strcmp(path, "-") == 0 ? "standard output" : path),
                             .type = options->type};
    if (!npz->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&npz->base.file, path, error));
    *out = &npz->base;
    npz = NULL;
done:
    scree_sink_free(npz ? &npz->base : NULL);
    return status;
}

static const char *const npz_extensions[] = {"npz", NULL};

const scree__writer scree__writer_npz = {"npz", npz_extensions, npz_open, "NumPy archive"};
