/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as base64, padded. Numbers in memory are little-endian on every machine that scree runs on, and so the page
 * reads them as typed arrays without looking at them one by one. */

#include "scree_private.h"

#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the page expects little-endian numbers");

char *scree__base64(const void *data, int64_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    char *text = malloc((size_t)(size + 2) / 3 * 4 + 1);
    char *end = text;
    for (int64_t i = 0; text && i < size; i += 3) {
        const int64_t left = size - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        *end++ = letters[word >> 18];
        *end++ = letters[word >> 12 & 63];
        *end++ = left > 1 ? letters[word >> 6 & 63] : '=';
        *end++ = left > 2 ? letters[word & 63] : '=';
    }
    if (text)
        *end = '\0';
    return text;
}
