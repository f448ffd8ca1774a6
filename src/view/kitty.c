/* SPDX-License-Identifier: BSD-3-Clause */
/* An image for terminals that know kitty's graphics: a PNG in base64, in pieces of at most 4096 letters, each in an
 * escape sequence that says whether more follow. */

#include "view/canvas_inner.h"

enum { PIECE = 3072 }; /* bytes: 4096 letters */

void scree__base64_put(scree__buffer *out, const unsigned char *data, int64_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t i = 0; i < size; i += 3) {
        const int64_t left = size - i;
        const uint32_t three = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)data[i + 2] : 0);
        const char four[] = {letters[three >> 18], letters[three >> 12 & 63], left > 1 ? letters[three >> 6 & 63] : '=',
                             left > 2 ? letters[three & 63] : '='};
        scree__buffer_add(out, four, sizeof four);
    }
}

void scree__kitty_encode(scree__buffer *out, const scree__buffer *png)
{
    out->failed |= png->failed;
    for (int64_t at = 0; at < png->size; at += PIECE) {
        const int64_t left = png->size - at;
        scree__buffer_print(out, "\033_G%sm=%d;", at == 0 ? "a=T,f=100," : "", left > PIECE);
        scree__base64_put(out, png->data + at, left < PIECE ? left : PIECE);
        scree__buffer_print(out, "\033\\");
    }
    scree__buffer_print(out, "\n");
}
