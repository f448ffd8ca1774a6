/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to UTF-8 by iconv, through two buffers: raw bytes, of which an incomplete letter at the end waits for those that
 * follow, and converted ones. A byte that is no letter of the encoding ends it with a sentence that says where. UTF-16
 * is known by the mark at its begin, which spreadsheets write. Cost: some nanoseconds a letter. */

#include "data/transcode.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { LOOK_BYTES = 4096, LETTER = 4, STEP = 512 }; /* bytes that are looked at for UTF-16, and of a letter at most */

struct scree__transcode {
    iconv_t converter;
    char *encoding;
    const char *name;
    scree__transcode_pull pull;
    void *context;
    int64_t used;     /* raw bytes that were converted */
    int64_t raw_at;   /* in raw */
    int64_t raw_held; /* bytes in raw */
    bool ended;       /* nothing is left to pull */
    int64_t at;       /* in text */
    int64_t held;     /* bytes in text */
    char raw[SCREE__TRANSCODE_BYTES];
    char text[SCREE__TRANSCODE_BYTES];
};

/* Of text that is mostly ASCII, every other byte is zero. */
static const char *bare_utf16(const unsigned char *head, int64_t size)
{
    int64_t zeros[2] = {0, 0};
    const int64_t pairs = (size < LOOK_BYTES ? size : LOOK_BYTES) / 2;
    for (int64_t i = 0; i < 2 * pairs; i++)
        zeros[i % 2] += head[i] == 0;
    if (pairs < 2 || (zeros[0] > 0) == (zeros[1] > 0) || 10 * (zeros[0] + zeros[1]) < 7 * pairs)
        return NULL;
    return zeros[1] > 0 ? "UTF-16LE" : "UTF-16BE";
}

const char *scree__transcode_marked(const unsigned char *head, int64_t size)
{
    const bool marked = size >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF));
    if (marked && size >= 4 && head[0] == 0xFF && head[2] == 0 && head[3] == 0)
        return "UTF-32";
    return marked ? "UTF-16" : bare_utf16(head, size);
}

/* Bytes of a text in Windows-1252: none that steers but tabs and line breaks, and none of the five that are no letter.
 */
static bool is_1252(const unsigned char *bytes, int64_t size)
{
    static const unsigned char others[] = {0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D};
    for (int64_t i = 0; i < size; i++) {
        const bool steers = bytes[i] < ' ' && (bytes[i] < '\t' || bytes[i] > '\r');
        if (steers || (bytes[i] >= 0x7F && memchr(others, bytes[i], sizeof others)))
            return false;
    }
    return true;
}

/* Some byte is not ASCII. Whole steps become vectors. */
SCREE_CLONES static bool is_wide(const unsigned char *bytes, int64_t size)
{
    unsigned char all = 0;
    int64_t i = 0;
    for (; size - i >= STEP; i += STEP)
        for (int j = 0; j < STEP; j++)
            all |= bytes[i + j];
    for (; i < size; i++)
        all |= bytes[i];
    return all >= 0x80;
}

int64_t scree__encoding_see(scree__encoding_look *look, const unsigned char *bytes, int64_t size, bool last)
{
    if (look->ended || size == 0)
        return 0;
    const bool wide = is_wide(bytes, size);
    const int64_t valid = wide ? (int64_t)scree__utf8_valid((const char *)bytes, (size_t)size) : size;
    if (valid == size || (!last && size - valid < LETTER && !look->is_1252)) {
        look->has_letters = look->has_letters || (wide && is_wide(bytes, valid));
        return valid;
    }
    look->ended = true;
    look->is_1252 = !look->has_letters && !is_wide(bytes, valid) && is_1252(bytes, size);
    return 0;
}

const char *scree__encoding_of(const scree__encoding_look *look)
{
    return look->is_1252 ? "Windows-1252" : NULL;
}

bool scree__transcode_is_none(const char *encoding)
{
    return strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "UTF8") == 0;
}

static scree_status fail_open(const char *name, const char *encoding, int reason, scree_error *error)
{
    if (reason == EINVAL)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: the encoding '%.100s' is not known; name one that iconv -l lists, such as latin1, "
                           "windows-1252 or utf-16",
                           name, encoding);
    if (reason == ENOMEM)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    return scree__fail(error, SCREE_ERR_IO, "%s: the encoding '%.100s' cannot be used (%s); save the file as UTF-8",
                       name, encoding, strerror(reason));
}

scree_status scree__transcode_open(scree__transcode **out, const char *encoding, const char *name,
                                   scree__transcode_pull pull, void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__transcode *made = NULL;
    iconv_t converter = (iconv_t)-1;
    SCREE_ALLOC(made, 1, error);
    made->converter = converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1)
        SCREE_TRY(fail_open(name, encoding, errno, error));
    made->encoding = scree__strdup(encoding);
    if (!made->encoding)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    made->name = name;
    made->pull = pull;
    made->context = context;
    *out = made;
    made = NULL;
done:
    scree__transcode_close(made);
    return status;
}

void scree__transcode_give(scree__transcode *transcode, const void *head, int64_t size)
{
    memcpy(transcode->raw, head, (size_t)size);
    transcode->raw_held = size;
}

/* More raw bytes behind those that are left. */
static scree_status pull_more(scree__transcode *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t left = t->raw_held - t->raw_at;
    int64_t got = 0;
    memmove(t->raw, t->raw + t->raw_at, (size_t)left);
    t->raw_at = 0;
    t->raw_held = left;
    SCREE_TRY(t->pull(t->context, t->raw + left, SCREE__TRANSCODE_BYTES - left, &got, error));
    t->ended = got == 0;
    t->raw_held += got;
done:
    return status;
}

/* The last letter, which is kept back where an accent may follow it (windows-1258); nothing when called again. */
static void flush(scree__transcode *t)
{
    char *to = t->text;
    size_t space = sizeof t->text;
    iconv(t->converter, NULL, NULL, &to, &space);
    t->held = to - t->text;
}

/* Fills text; it stays empty at the end. */
static scree_status convert(scree__transcode *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    t->at = t->held = 0;
    while (t->held == 0 && !(t->ended && t->raw_at == t->raw_held)) {
        char *from = t->raw + t->raw_at;
        char *to = t->text;
        size_t left = (size_t)(t->raw_held - t->raw_at);
        size_t space = sizeof t->text;
        const size_t made = iconv(t->converter, &from, &left, &to, &space);
        const bool stuck = made == (size_t)-1 && errno == EILSEQ;
        t->used += from - (t->raw + t->raw_at);
        t->raw_at = t->raw_held - (int64_t)left;
        t->held = to - t->text;
        if (t->held > 0)
            break; /* what is wrong is met again when this is read */
        if (stuck || (t->ended && left > 0))
            SCREE_FAIL(error, SCREE_ERR_FORMAT,
                       "%s: byte %" PRId64 " (0x%02x) is not %s; name another encoding, or correct the file", t->name,
                       t->used + 1, (unsigned)(unsigned char)t->raw[t->raw_at], t->encoding);
        SCREE_TRY(pull_more(t, error));
    }
    if (t->held == 0)
        flush(t);
done:
    return status;
}

scree_status scree__transcode_read_some(scree__transcode *transcode, void *to, int64_t size, int64_t *got,
                                        scree_error *error)
{
    scree_status status = SCREE_OK;
    *got = 0;
    if (transcode->at == transcode->held)
        SCREE_TRY(convert(transcode, error));
    const int64_t count = transcode->held - transcode->at;
    *got = count < size ? count : size;
    memcpy(to, transcode->text + transcode->at, (size_t)*got);
    transcode->at += *got;
done:
    return status;
}

scree_status scree__transcode_read(scree__transcode *transcode, void *to, int64_t size, int64_t *got,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t count = 0;
    for (*got = 0; *got < size; *got += count) {
        SCREE_TRY(scree__transcode_read_some(transcode, (char *)to + *got, size - *got, &count, error));
        if (count == 0)
            break;
    }
done:
    return status;
}

void scree__transcode_rewind(scree__transcode *transcode)
{
    iconv(transcode->converter, NULL, NULL, NULL, NULL);
    transcode->used = transcode->raw_at = transcode->raw_held = transcode->at = transcode->held = 0;
    transcode->ended = false;
}

void scree__transcode_close(scree__transcode *transcode)
{
    if (transcode && transcode->converter && transcode->converter != (iconv_t)-1)
        iconv_close(transcode->converter);
    if (transcode)
        free(transcode->encoding);
    free(transcode);
}
