/* SPDX-License-Identifier: BSD-3-Clause */
/* The NPY header (NumPy's format versions 1 to 3), read and written:
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 *
 * The three keys come in any order, each once. Nothing is evaluated: a cursor takes what the grammar allows and stops
 * at the first character that it does not. */

#include "data/npy_header.h"

#include <stdio.h>
#include <string.h>

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

typedef struct text_span {
    const char *from;
    int64_t size;
} text_span;

static void skip_space(cursor *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
}

static bool take(cursor *text, char wanted)
{
    skip_space(text);
    if (text->at == text->end || *text->at != wanted)
        return false;
    text->at++;
    return true;
}

static bool take_word(cursor *text, const char *word)
{
    int64_t size = (int64_t)strlen(word);
    skip_space(text);
    if (text->end - text->at < size || memcmp(text->at, word, (size_t)size) != 0)
        return false;
    text->at += size;
    return true;
}

static bool take_string(cursor *text, text_span *span)
{
    skip_space(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return false;
    char quote = *text->at++;
    span->from = text->at;
    while (text->at < text->end && *text->at != quote)
        text->at++;
    span->size = text->at - span->from;
    return take(text, quote);
}

/* A number without sign; Python 2 wrote an L after large ones. */
static bool take_number(cursor *text, int64_t *value)
{
    skip_space(text);
    const char *from = text->at;
    *value = 0;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++)
        if (__builtin_mul_overflow(*value, INT64_C(10), value) ||
            __builtin_add_overflow(*value, (int64_t)(*text->at - '0'), value))
            return false;
    if (text->at == from)
        return false;
    if (text->at < text->end && *text->at == 'L')
        text->at++;
    return true;
}

static bool take_shape(cursor *text, scree__layout *layout)
{
    layout->dimensions = 0;
    if (!take(text, '('))
        return false;
    while (!take(text, ')')) {
        if (layout->dimensions == SCREE__MAX_DIMENSIONS || !take_number(text, &layout->shape[layout->dimensions]))
            return false;
        layout->dimensions++;
        if (!take(text, ',') && (text->at == text->end || *text->at != ')'))
            return false;
    }
    return true;
}

/* "<f8": byte order, kind, bytes. */
static bool read_descr(text_span descr, scree__element *element)
{
    const bool big_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (descr.size != 3 || descr.from[0] == '\0' || !strchr("<>|=", descr.from[0]))
        return false;
    char order = descr.from[0];
    char kind = descr.from[1];
    int size = descr.from[2] - '0';
    bool whole = size == 1 || size == 2 || size == 4 || size == 8;
    if (!whole || (kind == 'f' && size == 1) || (kind == 'b' && size != 1) || (order == '|' && size != 1))
        return false;
    if (kind != 'f' && kind != 'u' && kind != 'i' && kind != 'b')
        return false;
    element->kind = kind == 'f'   ? SCREE__FLOAT
                    : kind == 'i' ? SCREE__SIGNED
                    : kind == 'b' ? SCREE__BOOLEAN
                                  : SCREE__UNSIGNED;
    element->size = size;
    element->swapped = size > 1 && ((order == '<' && big_here) || (order == '>' && !big_here));
    return true;
}

static scree_status fail_header(const char *file, const char *what, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: the NPY header is damaged, %s: write the file again", file, what);
}

/* What makes numbers of the elements, in NumPy. */
static const char *advice_for(text_span descr)
{
    switch (descr.size > 1 ? descr.from[1] : 0) {
    case 'c': /* complex */
        return "save real and imaginary parts as columns, numpy.hstack([x.real, x.imag]), or one of them";
    case 'U':
    case 'S':
    case 'a': /* texts */
        return "save them as CSV, whose texts become labels, or, where all are numbers, x.astype('f8')";
    case 'e': /* "record", below */
        return "save numpy.lib.recfunctions.structured_to_unstructured(x[['NAME', ...]]), or as CSV";
    case 'M':
    case 'm': /* dates and spans of time, from an origin in their unit */
        return "save x.astype('i8'), which counts their units, where that is meant";
    case 'O':
        return "save x.astype('f8'), which fails where an object is not a number";
    default:
        return "convert them with astype('f8') before saving";
    }
}

static scree_status fail_descr(const char *file, text_span descr, scree_error *error)
{
    int shown = descr.size < 40 ? (int)descr.size : 40;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                       "%s: its elements are of type '%.*s', not f2, f4, f8, u1 to u8, i1 to i8 or bool: %s", file,
                       shown, descr.from, advice_for(descr));
}

/* A value of the dictionary; *seen has a bit for each key that was there. */
static scree_status take_value(cursor *text, text_span key, scree__layout *layout, unsigned *seen, const char *file,
                               scree_error *error)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned which = 0;
    text_span descr = {0};
    while (which < 3 &&
           ((int64_t)strlen(keys[which]) != key.size || memcmp(keys[which], key.from, (size_t)key.size) != 0))
        which++;
    if (which == 3 || (*seen & 1u << which))
        return fail_header(file, "it has a key that does not belong there", error);
    *seen |= 1u << which;
    if (which == 2)
        return take_shape(text, layout) ? SCREE_OK : fail_header(file, "its shape is not a list of sizes", error);
    if (which == 1) {
        layout->column_major = take_word(text, "True");
        return layout->column_major || take_word(text, "False")
                   ? SCREE_OK
                   : fail_header(file, "its fortran_order is not True or False", error);
    }
    skip_space(text);
    if (text->at < text->end && *text->at == '[')
        return fail_descr(file, (text_span){"record", 6}, error);
    if (!take_string(text, &descr))
        return fail_header(file, "its descr is not a text", error);
    return read_descr(descr, &layout->element) ? SCREE_OK : fail_descr(file, descr, error);
}

scree_status scree__npy_parse(scree__layout *layout, const char *text, int64_t size, const char *file,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    cursor at = {text, text + size};
    text_span key = {0};
    unsigned seen = 0;
    if (!take(&at, '{'))
        SCREE_TRY(fail_header(file, "it does not begin with {", error));
    while (!take(&at, '}')) {
        if (!take_string(&at, &key) || !take(&at, ':'))
            SCREE_TRY(fail_header(file, "a key is missing or not in quotes", error));
        SCREE_TRY(take_value(&at, key, layout, &seen, file, error));
        if (!take(&at, ',') && (at.at == at.end || *at.at != '}'))
            SCREE_TRY(fail_header(file, "a comma or } is missing", error));
    }
    skip_space(&at);
    if (at.at != at.end)
        SCREE_TRY(fail_header(file, "something follows its }", error));
    if (seen != 7)
        SCREE_TRY(fail_header(file, "descr, fortran_order or shape is missing", error));
    if (layout->dimensions == 0)
        SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: holds a single number and no rows: give an array of rows", file);
done:
    return status;
}

static void format(char header[SCREE__NPY_HEADER_BYTES], const char *descr, int64_t rows, int64_t cols)
{
    static const char magic[] = "\x93NUMPY\x01\x00";
    enum { FIXED = 10, TEXT = SCREE__NPY_HEADER_BYTES - FIXED };
    char text[TEXT + 1];
    char across[24] = "";
    if (cols > 0)
        snprintf(across, sizeof across, " %lld", (long long)cols);
    const int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,%s), }", descr,
                              (long long)rows, across);
    memset(text + used, ' ', (size_t)(TEXT - used));
    text[TEXT - 1] = '\n';
    memcpy(header, magic, 8);
    header[8] = (char)TEXT;
    header[9] = 0;
    memcpy(header + FIXED, text, TEXT);
}

void scree__npy_format(char header[SCREE__NPY_HEADER_BYTES], scree_type type, int64_t rows, int64_t cols)
{
    static const char *const kinds[] = {
        [SCREE_F16] = "f2", [SCREE_F32] = "f4", [SCREE_F64] = "f8", [SCREE_U8] = "u1",
        [SCREE_I8] = "i1",  [SCREE_I16] = "i2", [SCREE_U16] = "u2", [SCREE_I32] = "i4",
        [SCREE_U32] = "u4", [SCREE_I64] = "i8", [SCREE_U64] = "u8", [SCREE_BOOL] = "b1",
    };
    const char *kind = kinds[type];
    const char *order = kind[1] == '1' ? "|" : __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ">" : "<";
    char descr[8];
    snprintf(descr, sizeof descr, "%s%s", order, kind);
    format(header, descr, rows, cols);
}

void scree__npy_format_text(char header[SCREE__NPY_HEADER_BYTES], int64_t width, int64_t rows, int64_t cols)
{
    char descr[24];
    snprintf(descr, sizeof descr, "<U%lld", (long long)width);
    format(header, descr, rows, cols);
}
