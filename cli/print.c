/* SPDX-License-Identifier: BSD-3-Clause */
/* printf with a filter. The format is walked through conversion by conversion; numbers are left to snprintf, texts are
 * made visible, piece by piece. It allocates nothing: it must be able to say that there is no memory. */

#include "print.h"
#include "scree.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 256, NUMBER_SIZE = 512, SPEC_SIZE = 48 }; /* bytes */

/* Where it is printed: a file, or memory. */
typedef struct target {
    FILE *file;
    char *bytes;
    size_t size;
    size_t used; /* bytes printed */
    bool full;   /* something was cut off */
} target;

/* What is filled in, in a struct: functions take from it in turn. */
typedef struct arguments {
    va_list list;
} arguments;

/* A conversion of the format. */
typedef struct conversion {
    char spec[SPEC_SIZE]; /* "%-12.3l", stars replaced by their values, without the letter at its end */
    int width;            /* negative: left-aligned */
    int precision;        /* -1: none */
    int longs;            /* letters l */
    char letter;
} conversion;

/* The first count bytes of text, or up to three fewer: letters are not cut. */
static size_t whole_letters(const char *text, size_t count)
{
    size_t last = count; /* where the last letter begins, and one */
    while (last > 0 && count - last < 3 && ((unsigned char)text[last - 1] & 0xC0) == 0x80)
        last--;
    if (last == 0)
        return count;
    const unsigned char lead = (unsigned char)text[last - 1];
    const size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return count - last + 1 < size ? last - 1 : count;
}

static void put(target *to, const char *bytes, size_t count)
{
    if (to->file) {
        to->used += fwrite(bytes, 1, count, to->file);
        return;
    }
    const size_t space = to->full ? 0 : to->size - 1 - to->used;
    if (count > space) {
        count = whole_letters(bytes, space);
        to->full = true;
    }
    memcpy(to->bytes + to->used, bytes, count);
    to->used += count;
    to->bytes[to->used] = '\0';
}

static void put_blanks(target *to, int count)
{
    for (; count > 0; count--)
        put(to, " ", 1);
}

/* Makes the first of size bytes visible, PIECE of them at most; returns how many. */
static size_t show_piece(char shown[4 * PIECE], const char *text, size_t size)
{
    char some[PIECE];
    size_t count = size < PIECE ? size : PIECE - 1;
    if (count < size)
        count = whole_letters(text, count);
    memcpy(some, text, count);
    some[count] = '\0';
    scree_text_visible(shown, 4 * PIECE, some);
    return count;
}

static void put_text(target *to, const conversion *asked, const char *text)
{
    char shown[4 * PIECE];
    int length = 0;
    size_t size = strnlen(text, asked->precision >= 0 ? (size_t)asked->precision : PTRDIFF_MAX);
    if (asked->precision >= 0 && size == (size_t)asked->precision)
        size = whole_letters(text, size);
    for (size_t at = 0; asked->width != 0 && at < size; length += (int)strlen(shown))
        at += show_piece(shown, text + at, size - at);
    put_blanks(to, asked->width - length);
    for (size_t at = 0; at < size;) {
        at += show_piece(shown, text + at, size - at);
        put(to, shown, strlen(shown));
    }
    put_blanks(to, -asked->width - length);
}

/* Digits, or a star, which takes an argument. */
static int read_count(const char **at, arguments *given)
{
    int count = 0;
    if (**at == '*') {
        (*at)++;
        return va_arg(given->list, int);
    }
    for (; **at >= '0' && **at <= '9'; (*at)++)
        count = 10 * count + (**at - '0');
    return count;
}

/* Reads what follows a per cent sign. */
static void read_conversion(conversion *asked, const char **at, arguments *given)
{
    char flags[8] = "";
    char precision[16] = "";
    *asked = (conversion){.precision = -1};
    const size_t count = strspn(*at, "-+ #0");
    memcpy(flags, *at, count < sizeof flags ? count : 0);
    *at += count;
    const int width = read_count(at, given);
    asked->width = strchr(flags, '-') && width > 0 ? -width : width;
    if (**at == '.') {
        (*at)++;
        asked->precision = read_count(at, given);
        snprintf(precision, sizeof precision, ".%d", asked->precision);
    }
    for (; **at == 'l'; (*at)++)
        asked->longs++;
    asked->letter = **at;
    (*at)++;
    const bool real = asked->letter == 'f' || asked->letter == 'e' || asked->letter == 'g';
    snprintf(asked->spec, sizeof asked->spec, "%%%s%.0d%s%s%c", flags, width < 0 ? -width : width, precision,
             real ? "" : "ll", asked->letter);
}

static long long whole_number(const conversion *asked, arguments *given)
{
    if (asked->letter == 'd')
        return asked->longs == 0   ? va_arg(given->list, int)
               : asked->longs == 1 ? va_arg(given->list, long)
                                   : va_arg(given->list, long long);
    unsigned long long value = 0;
    if (asked->longs == 0)
        value = va_arg(given->list, unsigned); /* NOLINT(bugprone-branch-clone) ; the next is of another type */
    else if (asked->longs == 1)
        value = va_arg(given->list, unsigned long);
    else
        value = va_arg(given->list, unsigned long long);
    return (long long)value;
}

static void put_number(target *to, const conversion *asked, arguments *given)
{
    char text[NUMBER_SIZE];
    int length = 0;
    if (asked->letter == 'd' || asked->letter == 'u' || asked->letter == 'x')
        length = snprintf(text, sizeof text, asked->spec, whole_number(asked, given));
    else
        length = snprintf(text, sizeof text, asked->spec, va_arg(given->list, double));
    put(to, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void print(target *to, const char *format, arguments *given)
{
    while (*format) {
        conversion asked;
        const size_t plain = strcspn(format, "%");
        put(to, format, plain);
        format += plain;
        if (!*format)
            break;
        format++;
        if (*format == '%') {
            put(to, format++, 1);
            continue;
        }
        read_conversion(&asked, &format, given);
        if (asked.letter == 'c') {
            const char letter[2] = {(char)va_arg(given->list, int), '\0'};
            put_text(to, &asked, letter);
        } else if (asked.letter == 's') {
            const char *text = va_arg(given->list, const char *);
            put_text(to, &asked, text ? text : "(null)");
        } else {
            put_number(to, &asked, given);
        }
    }
}

int cli_print_list(FILE *out, const char *format, va_list list)
{
    target to = {.file = out};
    arguments given;
    va_copy(given.list, list);
    print(&to, format, &given);
    va_end(given.list);
    return (int)to.used;
}

void cli_format_list(char *out, size_t size, const char *format, va_list list)
{
    target to = {.bytes = out, .size = size};
    arguments given;
    out[0] = '\0';
    va_copy(given.list, list);
    print(&to, format, &given);
    va_end(given.list);
}

int cli_print(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int count = cli_print_list(out, format, list);
    va_end(list);
    return count;
}

void cli_print_at_once(const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return; /* nobody can be told that either */
        text += written;
        length -= (size_t)written;
    }
}
