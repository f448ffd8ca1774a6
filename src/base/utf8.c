/* SPDX-License-Identifier: BSD-3-Clause */
/* UTF-8, letter by letter (RFC 3629): a byte that begins no letter, a letter written too long, half of a surrogate pair
 * and what lies beyond U+10FFFF are not letters. Letters that steer a terminal are control characters (C0, DEL, C1),
 * the separators of lines, and those that turn the direction of writing around. One pass; text without bytes above 127
 * is checked eight bytes at a time. */

#include "base/utf8.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const uint64_t HIGH_BITS = UINT64_C(0x8080808080808080);

int scree__utf8_letter(const char *text, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const uint32_t mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *byte = (const unsigned char *)text;
    if (size == 0)
        return 0;
    const int count = byte[0] < 0x80   ? 1
                      : byte[0] < 0xC2 ? 0
                      : byte[0] < 0xE0 ? 2
                      : byte[0] < 0xF0 ? 3
                      : byte[0] < 0xF5 ? 4
                                       : 0;
    if (count == 0 || (size_t)count > size)
        return 0;
    *code = byte[0] & mask[count];
    for (int i = 1; i < count; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (byte[i] & 0x3Fu);
    }
    const bool right = *code >= least[count] && *code <= 0x10FFFF && !(*code >= 0xD800 && *code <= 0xDFFF);
    return right ? count : 0;
}

bool scree__utf8_steers(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t scree__utf8_valid(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint64_t word;
        uint32_t code = 0;
        if (size - at >= sizeof word) {
            memcpy(&word, text + at, sizeof word);
            if ((word & HIGH_BITS) == 0) {
                at += sizeof word;
                continue;
            }
        }
        const int count = scree__utf8_letter(text + at, size - at, &code);
        if (count == 0)
            break;
        at += (size_t)count;
    }
    return at;
}

scree_status scree__utf8_names(const char *const *names, int64_t count, const char *what, const char *where,
                               scree_error *error)
{
    for (int64_t i = 0; names && i < count; i++) {
        const size_t size = names[i] ? strlen(names[i]) : 0;
        const size_t valid = size > 0 ? scree__utf8_valid(names[i], size) : 0;
        if (valid < size)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "%s: the name of %s %lld is '%.100s', where 0x%02x is not UTF-8; give names in UTF-8",
                               where, what, (long long)i + 1, names[i], (unsigned)(unsigned char)names[i][valid]);
    }
    return SCREE_OK;
}

void scree__utf8_trim(char *text)
{
    const size_t size = strlen(text);
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        const unsigned char byte = (unsigned char)text[size - back];
        const size_t count = byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        if (byte >= 0xC2 && count > back)
            text[size - back] = '\0';
        if ((byte & 0xC0) != 0x80)
            return;
    }
}

size_t scree_text_visible(char *out, size_t size, const char *text)
{
    size_t used = 0;
    size_t written = 0;
    bool fits = size > 0;
    for (size_t left = strlen(text); left > 0;) {
        char escape[8];
        uint32_t code = 0;
        const int count = scree__utf8_letter(text, left, &code);
        const bool shown = count > 0 && !scree__utf8_steers(code);
        if (!shown)
            snprintf(escape, sizeof escape, count > 0 && code >= 0x80 ? "\\u%04x" : "\\x%02x",
                     count > 0 ? (unsigned)code : (unsigned)(unsigned char)*text);
        const size_t bytes = shown ? (size_t)count : strlen(escape);
        fits = fits && used + bytes < size;
        if (fits) {
            memcpy(out + used, shown ? text : escape, bytes);
            written = used + bytes;
        }
        used += bytes;
        text += count > 0 ? count : 1;
        left -= count > 0 ? (size_t)count : 1;
    }
    if (size > 0)
        out[written] = '\0';
    return used;
}
