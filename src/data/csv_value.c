/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cell says: a number, a percentage, missing, or text. Numbers are those that every program writes, and those
 * that spreadsheets show: with a decimal comma, and with digits in groups of three, between which stands a space of any
 * kind, an apostrophe, or, where the file leaves no doubt, the mark that is not the decimal one. Missing are the words
 * that many programs write, the errors of spreadsheets, and what the options name. Cost: cells that are plain numbers
 * do not come here; the others are compared with some words. */

#include "data/csv.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 12, LONGEST_GROUPED = 64 };

/* In lower case, and as they are named in a note: those without a name mean nothing else. */
static const struct {
    const char *text;
    const char *shown;
} words[] = {
    {"", NULL},
    {"na", NULL},
    {"n/a", NULL},
    {"nan", NULL},
    {"null", NULL},
    {"<na>", NULL},
    {"#na", NULL},
    {"#n/a", "#N/A"},
    {"none", "none"},
    {"n.a.", "n.a."},
    {"n.d.", "n.d."},
    {"n/d", "n/d"},
    {"k.a.", "k.A."},
    {"n.n.", "n.n."},
    {"-", "-"},
    {"?", "?"},
    {".", "."},
    {"#div/0!", "#DIV/0!"},
    {"#num!", "#NUM!"},
    {"#null!", "#NULL!"},
    {"#name?", "#NAME?"},
    {"#value!", "#VALUE!"},
    {"#ref!", "#REF!"},
    {"#nv", "#NV"}, /* German from here on, French, Italian, Spanish and Portuguese */
    {"#wert!", "#WERT!"},
    {"#zahl!", "#ZAHL!"},
    {"#bezug!", "#BEZUG!"},
    {"#valeur!", "#VALEUR!"},
    {"#nombre!", "#NOMBRE!"},
    {"#nom?", "#NOM?"},
    {"#nul!", "#NUL!"},
    {"#n/d", "#N/D"},
    {"#nome?", "#NOME?"},
    {"#rif!", "#RIF!"},
    {"#valore!", "#VALORE!"},
    {"#valor!", "#VALOR!"},
    {"#nombre?", "#NOMBRE?"},
    {"#\xC2\xBF"
     "nombre?",
     "#\xC2\xBF"
     "NOMBRE?"},
    {"#\xC2\xA1"
     "div/0!",
     "#\xC2\xA1"
     "DIV/0!"},
    {"#\xC2\xA1"
     "valor!",
     "#\xC2\xA1"
     "VALOR!"},
    {"#\xC2\xA1"
     "num!",
     "#\xC2\xA1"
     "NUM!"},
    {"#\xC2\xA1"
     "ref!",
     "#\xC2\xA1"
     "REF!"},
    {"#\xC2\xA1"
     "nulo!",
     "#\xC2\xA1"
     "NULO!"},
};
enum { USUAL = sizeof words / sizeof words[0] };
_Static_assert(USUAL + SCREE__CSV_NA_MOST <= SCREE__CSV_WORDS, "there are more words than are counted");

static int usual_word(const char *text, int64_t length)
{
    char lower[LONGEST_WORD];
    if (length == 0)
        return 0;
    if (length >= (int64_t)sizeof lower || (length > 1 && (*text == '-' || *text == '.')) ||
        (*text >= '0' && *text <= '9'))
        return -1; /* a number, mostly */
    for (int64_t i = 0; i < length; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
    lower[length] = 0;
    for (int i = 0; i < USUAL; i++)
        if (strcmp(lower, words[i].text) == 0)
            return i;
    return -1;
}

/* The word of the options that a text is, -1: none. */
static int named_word(const scree__csv_na *na, const char *text, int64_t length)
{
    for (int i = 0; na && i < na->count; i++) {
        const scree__csv_na_word *word = &na->word[i];
        if ((word->begins ? length >= word->length : length == word->length) &&
            memcmp(text, word->text, (size_t)word->length) == 0)
            return USUAL + i;
    }
    return -1;
}

int scree__csv_na_number(const scree__csv_na *na, double value)
{
    for (int i = 0; na && na->numbers > 0 && i < na->count; i++)
        if (na->word[i].is_number && na->word[i].value == value)
            return USUAL + i;
    return -1;
}

const char *scree__csv_word_text(const scree__csv_na *na, int word)
{
    return word < USUAL ? words[word].shown : na && word - USUAL < na->count ? na->word[word - USUAL].shown : NULL;
}

scree_status scree__csv_na_read(scree__csv_na *na, const char *list, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!list)
        return SCREE_OK;
    na->memory = scree__alloc(2 * (int64_t)strlen(list) + 2, 1);
    if (!na->memory)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file);
    char *to = na->memory;
    for (const char *p = list;; p++) {
        p += strspn(p, " ");
        scree__csv_na_word word = {.text = to, .shown = to};
        const bool quoted = *p == '"';
        for (p += quoted; *p && (quoted ? *p != '"' || p[1] == '"' : *p != ','); p++) {
            p += quoted && *p == '"';
            *to++ = *p;
        }
        p += quoted && *p == '"';
        while (!quoted && to > word.text && to[-1] == ' ')
            to--;
        *to = 0;
        word.length = to++ - word.text;
        if (na->count == SCREE__CSV_NA_MOST || (*p && *p != ','))
            SCREE_FAIL(
                error, SCREE_ERR_ARGUMENT,
                "%s: the list of missing values is not understood near '%.40s': give at most %d words, separated "
                "by commas, and those that have commas in quotes",
                file, word.text, SCREE__CSV_NA_MOST);
        word.begins = !quoted && word.length > 1 && word.text[word.length - 1] == '*';
        word.length -= word.begins;
        word.is_number = scree__parse_double(word.text, to - 1, &word.value) == to - 1 && word.length > 0;
        na->numbers += word.is_number;
        na->word[na->count++] = word;
        if (!*p)
            break;
    }
done:
    return status;
}

void scree__csv_na_clear(scree__csv_na *na)
{
    free(na->memory);
    *na = (scree__csv_na){0};
}

/* Bytes of the mark between two groups of digits at p: a space, one that does not break (U+00A0, U+202F, U+2009), an
 * apostrophe, or the one that is given; 0: something else. */
static int64_t mark_size(const char *p, const char *end, char thousands)
{
    static const char *const marks[] = {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
    if (thousands && *p == thousands)
        return 1;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const size_t size = strlen(marks[i]);
        if ((size_t)(end - p) >= size && memcmp(p, marks[i], size) == 0)
            return (int64_t)size;
    }
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits in groups of three, to plain ones in out; a group of its own kind makes no number. Whole numbers that doubles
 * would round are none, either: they would have to be counted from their text. */
static bool is_grouped(const char *text, const char *end, const scree__csv_syntax *syntax, double *value)
{
    char out[LONGEST_GROUPED];
    const char point = syntax->decimal_comma ? ',' : '.';
    const char *p = text;
    int64_t mark = 0;
    size_t n = 0;
    int run = 0;
    if (end - text >= (int64_t)sizeof out)
        return false;
    if (p < end && (*p == '-' || *p == '+'))
        out[n++] = *p++;
    for (; p < end && is_digit(*p); run++)
        out[n++] = *p++;
    if (run < 1 || run > 3 || p == end || out[n - (size_t)run] == '0')
        return false;
    const char *first = p;
    while (p < end && (mark = mark_size(p, end, syntax->thousands)) > 0) {
        if (end - p < mark + 3 || memcmp(p, first, (size_t)mark) != 0 || !is_digit(p[mark]) || !is_digit(p[mark + 1]) ||
            !is_digit(p[mark + 2]))
            return false;
        memcpy(out + n, p + mark, 3);
        n += 3;
        p += mark + 3;
    }
    if (p == first || (p < end && *p != point))
        return false;
    for (; p < end; p++)
        out[n++] = (char)(*p == point ? '.' : *p);
    return scree__parse_double(out, out + n, value) == out + n && fabs(*value) < 0x1p53;
}

bool scree__csv_is_plain(char *text, const char *end, bool decimal_comma, double *value)
{
    char *comma = decimal_comma ? memchr(text, ',', (size_t)(end - text)) : NULL;
    if (decimal_comma && memchr(text, '.', (size_t)(end - text)))
        return false;
    if (comma)
        *comma = '.'; /* for as long as it takes to read the number: a cell may be of any length */
    const bool whole = scree__parse_double(text, end, value) == end;
    if (comma)
        *comma = ',';
    return whole;
}

static bool is_number(char *text, const char *end, const scree__csv_syntax *syntax, double *value)
{
    if (scree__csv_is_plain(text, end, syntax->decimal_comma, value))
        return true;
    return end > text && end[-1] >= '0' && end[-1] <= '9' && is_grouped(text, end, syntax, value);
}

void scree__csv_cell_bare(const scree__csv_cell *cell, char **begin, char **end)
{
    char *p = cell->begin;
    char *after = cell->end;
    if (cell->quoted && after[-1] == '"') {
        for (p++, after--; p < after && *p == ' '; p++)
            ;
        while (after > p && after[-1] == ' ')
            after--;
    }
    *begin = p;
    *end = after;
}

int scree__csv_cell_word(const scree__csv_cell *cell, const scree__csv_syntax *syntax)
{
    char *begin = NULL;
    char *end = NULL;
    double value = 0;
    scree__csv_cell_bare(cell, &begin, &end);
    int word = usual_word(begin, end - begin);
    word = word >= 0 ? word : named_word(syntax->na, begin, end - begin);
    if (word < 0 && syntax->na && syntax->na->numbers > 0 && is_number(begin, end, syntax, &value))
        word = scree__csv_na_number(syntax->na, value);
    return word;
}

scree__csv_kind scree__csv_cell_value(const scree__csv_cell *cell, const scree__csv_syntax *syntax, double *value)
{
    char *begin = NULL;
    char *end = NULL;
    scree__csv_cell_bare(cell, &begin, &end);
    if (scree__csv_cell_word(cell, syntax) >= 0) {
        *value = (double)NAN;
        return SCREE__CSV_MISSING;
    }
    if (is_number(begin, end, syntax, value))
        return SCREE__CSV_NUMBER;
    if (end - begin < 2 || end[-1] != '%')
        return SCREE__CSV_TEXT;
    for (end--; end > begin && mark_size(end - 1, end, 0) == 1; end--)
        ;
    if (end - begin > 2 && mark_size(end - 2, end, 0) == 2)
        end -= 2;
    return is_number(begin, end, syntax, value) ? SCREE__CSV_PERCENT : SCREE__CSV_TEXT;
}

scree__csv_shape scree__csv_cell_shape(const scree__csv_cell *cell)
{
    const scree__csv_syntax comma = {.decimal_comma = true, .thousands = '.'};
    const scree__csv_syntax point = {.thousands = ','};
    char *begin = NULL;
    char *end = NULL;
    double value = 0;
    scree__csv_cell_bare(cell, &begin, &end);
    end -= end > begin && end[-1] == '%';
    const size_t size = (size_t)(end - begin);
    if (!memchr(begin, ',', size) && !memchr(begin, '.', size))
        return SCREE__CSV_BY_NONE;
    const bool by_comma = is_number(begin, end, &comma, &value);
    const bool by_point = is_number(begin, end, &point, &value);
    return by_comma && by_point ? SCREE__CSV_BY_EITHER
           : by_comma           ? SCREE__CSV_BY_COMMA
           : by_point           ? SCREE__CSV_BY_POINT
                                : SCREE__CSV_BY_NONE;
}
