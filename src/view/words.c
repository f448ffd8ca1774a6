/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts for pictures. UTF-8 is checked letter by letter: what is no letter, and a letter that steers a terminal, each
 * become a question mark. */

#include "view/words.h"

#include "scree_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NARROW_SPACE "\u202f" /* which no line breaks at */

/* Bytes of the letter that text begins with; 0 when it is none. */
static int letter_bytes(const char *text, uint32_t *code)
{
    return scree__utf8_letter(text, strnlen(text, 4), code);
}

void scree__words_clean(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text) {
        uint32_t code = 0;
        const int count = letter_bytes(text, &code);
        const bool plain = count > 0 && !scree__utf8_steers(code);
        const size_t bytes = plain ? (size_t)count : 1;
        if (used + bytes >= size)
            break;
        memcpy(out + used, plain ? text : "?", bytes);
        used += bytes;
        text += count > 0 ? count : 1;
    }
    out[used] = '\0';
}

uint32_t scree__words_next(const char **text)
{
    uint32_t code = 0;
    const int count = letter_bytes(*text, &code);
    *text += count > 0 ? count : 1;
    return count > 0 ? code : '?';
}

int64_t scree__words_letters(const char *text)
{
    int64_t letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xC0) != 0x80;
    return letters;
}

/* The place behind so many letters. */
static const char *skip(const char *text, int64_t letters)
{
    for (int64_t i = 0; *text && i < letters; i++)
        scree__words_next(&text);
    return text;
}

/* Names often differ at their ends, as files and columns do: a part of it stays. */
void scree__words_cut(char *out, size_t size, const char *text, int64_t letters)
{
    const int64_t all = scree__words_letters(text);
    if (all <= letters) {
        snprintf(out, size, "%s", text);
        return;
    }
    const int64_t tail = letters > 8 ? (letters - 1) * 2 / 5 : 0;
    const char *end = skip(text, letters - 1 - tail);
    snprintf(out, size, "%.*s…%s", (int)(end - text), text, skip(text, all - tail));
}

static void superscript(char *out, size_t size, int power)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    size_t used = 0;
    snprintf(plain, sizeof plain, "%d", power);
    out[0] = '\0';
    for (const char *at = plain; *at && used + 4 < size; at++)
        used += (size_t)snprintf(out + used, size - used, "%s", *at == '-' ? "⁻" : digits[*at - '0']);
}

void scree__words_number(char *out, size_t size, double value, int digits)
{
    char text[48], raised[32];
    const double magnitude = fabs(value);
    if (!isfinite(value) || value == 0.0 || (magnitude >= 1e-3 && magnitude < 99999.5)) {
        const int whole = magnitude >= 1.0 ? (int)floor(log10(magnitude)) + 1 : 0;
        if (whole >= digits)
            scree__format(text, sizeof text, "%.0f", value);
        else
            scree__format(text, sizeof text, "%.*g", digits, value);
        snprintf(out, size, "%s%s", text[0] == '-' ? "−" : "", text[0] == '-' ? text + 1 : text);
        return;
    }
    scree__format(text, sizeof text, "%.*e", digits - 1, value);
    char *letter = text + strcspn(text, "e");
    const int power = (int)strtol(letter + 1, NULL, 10);
    *letter = '\0';
    if (strchr(text, '.')) {
        char *end = letter - 1;
        while (*end == '0')
            *end-- = '\0';
        if (*end == '.')
            *end = '\0';
    }
    const char *digits_of = text[0] == '-' ? text + 1 : text;
    superscript(raised, sizeof raised, power);
    snprintf(out, size, "%s%s%s10%s", text[0] == '-' ? "−" : "", strcmp(digits_of, "1") == 0 ? "" : digits_of,
             strcmp(digits_of, "1") == 0 ? "" : "×", raised);
}

void scree__words_power(char *out, size_t size, int power)
{
    char raised[32];
    superscript(raised, sizeof raised, power);
    if (power >= -2 && power <= 4)
        scree__format(out, size, "%g", pow(10.0, power));
    else
        snprintf(out, size, "10%s", raised);
}

void scree__words_count(char *out, size_t size, int64_t count)
{
    char plain[32];
    size_t used = 0;
    const int length = snprintf(plain, sizeof plain, "%lld", (long long)count);
    out[0] = '\0';
    for (int i = 0; i < length && used + 5 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0 && length > 4)
            used += (size_t)snprintf(out + used, size - used, "%s", NARROW_SPACE);
        used += (size_t)snprintf(out + used, size - used, "%c", plain[i]);
    }
}

const char *scree__words_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}
