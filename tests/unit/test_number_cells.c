/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells to numbers: every reader that this machine can run gives what strtod gives, bit for bit, on all the forms that
 * numbers come in, and stops where a cell is no number, or a whole one that would be rounded. */

#include "base/number_cells.h"

#include "base/number.h"
#include "base/number_whole.h"
#include "data/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 1000, ROOM = CELLS * 64 };

static uint64_t state_word = 1;

/* xorshift64*, seeded alike in every run. */
static uint64_t random_word(void)
{
    state_word ^= state_word >> 12;
    state_word ^= state_word << 25;
    state_word ^= state_word >> 27;
    return state_word * UINT64_C(2685821657736338717);
}

static double random_double(void)
{
    double value;
    do {
        const uint64_t bits = random_word();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What a file of numbers is made of. Only cells of such forms may not make a reader stop often. */
static int ordinary(char *out, int form)
{
    const double wide = random_double();
    const double near = (double)(int64_t)random_word() * 0x1p-60;
    switch (form % 8) {
    case 0:
        return sprintf(out, "%.17g", near);
    case 1:
        return sprintf(out, "%.6g", near * 1e-3);
    case 2:
        return sprintf(out, "%lld", (long long)(random_word() % 2000) - 1000);
    case 3:
        return sprintf(out, "%.16g", near * 1e4);
    case 4:
        return sprintf(out, "%.3f", near * 100);
    case 5:
        return sprintf(out, "%.15e", near * 1e-12);
    case 6:
        return scree__print_double(out, near * 1e-3);
    default:
        return sprintf(out, "%.*e", (int)(random_word() % 18), wide);
    }
}

/* Digits at random, with all that may stand around them. */
static int unusual(char *out)
{
    char *p = out;
    const int digits = 1 + (int)(random_word() % 28);
    const int point = (int)(random_word() % (unsigned)(digits + 2)) - 1;
    const uint64_t like = random_word() % 4;
    if (random_word() % 8 == 0)
        p += sprintf(p, "%*s", 1 + (int)(random_word() % 3), "");
    if (random_word() % 2)
        *p++ = random_word() % 2 ? '-' : '+';
    for (int i = 0; i < digits; i++) {
        if (i == point)
            *p++ = '.';
        *p++ = (char)('0' + (like == 0 ? 0 : like == 1 ? 9 : random_word() % 10));
    }
    if (point == digits)
        *p++ = '.';
    if (random_word() % 3 == 0)
        p += sprintf(p, "%c%s%d", random_word() % 2 ? 'e' : 'E', random_word() % 2 ? "+" : "-",
                     (int)(random_word() % (random_word() % 2 ? 30 : 350)));
    return (int)(p - out);
}

/* Halfway between two doubles, and one next to it. */
static int halfway(char *out)
{
    const uint64_t odd = (UINT64_C(1) << 53 | random_word() >> 11) * 2 + 1; /* 54 or 55 bits */
    return sprintf(out, "%llu%s", (unsigned long long)(odd >> random_word() % 3), random_word() % 2 ? "" : ".0");
}

typedef struct sheet {
    char *memory;
    char *text;
    scree__csv_index index; /* with marks where the machine makes them */
} sheet;

static void sheet_make(sheet *s, int kind)
{
    s->memory = malloc(ROOM + SCREE__CELLS_BEFORE);
    assert_non_null(s->memory);
    memset(s->memory, '1', SCREE__CELLS_BEFORE);
    s->text = s->memory + SCREE__CELLS_BEFORE;
    assert_true(scree__csv_index_open(&s->index, CELLS));
    char *p = s->text;
    for (int i = 0; i < CELLS; i++) {
        p += kind < 8 ? ordinary(p, kind) : kind == 8 ? ordinary(p, i) : kind == 9 ? unusual(p) : halfway(p);
        *p++ = i % 10 == 9 ? '\n' : ',';
    }
    scree__csv_index_make(&s->index, s->text, p - s->text, ',', '.');
    assert_int_equal(s->index.end_count, CELLS);
}

/* Reads in runs of a random length; returns how often the reader stopped. */
static int check_sheet(const sheet *s, scree__cells_reader read, const char *name)
{
    double values[CELLS];
    int stops = 0;
    const uint32_t *ends = s->index.ends;
    const scree__cell_marks *marks = s->index.marked ? &s->index.marks : NULL;
    for (int64_t i = 0, got = 0; i < CELLS; i += got) {
        const int64_t left = CELLS - i;
        const int64_t run = 1 + (int64_t)(random_word() % 40);
        scree__cells cells = {s->text, ends + i, run < left ? run : left, i ? ends[i - 1] + 1 : 0, '.', marks, i};
        got = read(&cells, values + i);
        for (int64_t j = i; j < i + got; j++) {
            const char *cell = s->text + (j ? ends[j - 1] + 1 : 0);
            const char *end = s->text + ends[j];
            const char *digits = cell + strspn(cell, " ");
            if (bits_of(values[j]) != bits_of(strtod(cell, NULL)))
                fail_msg("%s: '%.*s' reads as %.17g", name, (int)(end - cell), cell, values[j]);
            if (scree__is_whole_text(digits, end) && !scree__whole_is_double(digits, end, values[j]))
                fail_msg("%s: '%.*s' is rounded to %.17g", name, (int)(end - cell), cell, values[j]);
        }
        stops += got < cells.count;
        got += got < cells.count;
    }
    return stops;
}

static void test_like_strtod(void **state)
{
    (void)state;
    for (int round = 0; round < 660; round++) {
        const int kind = round % 11;
        const char *name = NULL;
        sheet s;
        sheet_make(&s, kind);
        for (int i = 0; scree__cells_reader_at(i, &name); i++) {
            const int stops = check_sheet(&s, scree__cells_reader_at(i, &name), name);
            if (kind < 7 && stops > CELLS / 50)
                fail_msg("%s stops at %d of %d ordinary cells of kind %d", name, stops, CELLS, kind);
        }
        scree__csv_index_close(&s.index);
        free(s.memory);
    }
}

/* One cell among good ones: whether it is read, and as what. */
static bool read_between(scree__cells_reader read, const char *cell, char point, int before, double *value)
{
    char text[1024];
    double values[20];
    scree__csv_index index;
    char *p = text + sprintf(text, "%040d\n", 7);
    const char *begin = p;
    for (int i = 0; i < 20; i++)
        p += sprintf(p, "%s;", i == before ? cell : "12345");
    assert_true(scree__csv_index_open(&index, 20));
    scree__csv_index_make(&index, begin, p - begin, ';', point);
    const scree__cells cells = {begin, index.ends, 20, 0, point, index.marked ? &index.marks : NULL, 0};
    const int64_t got = read(&cells, values);
    scree__csv_index_close(&index);
    *value = values[before];
    assert_true(got == 20 || got == before);
    for (int i = 0; i < got; i++)
        assert_true(i == before || values[i] == 12345);
    return got == 20;
}

static void test_no_number(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",   " ",   "-",    "+",     ".",     "-.",  "e5",
        "1e", "1e+", "1e5x", "1 2",   "1.2.3", "--1", "1-",
        "x",  "1x",  "0x10", "\"1\"", "1,5",   "+-1", "1e5e5",
        "/",  ":",   "NA",   "1e5.5", "1.2.",  "..",  "12345678901234567890123456789012x"};
    const char *name = NULL;
    double value;
    for (int i = 0; scree__cells_reader_at(i, &name); i++)
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
            for (int before = 0; before < 20; before++)
                if (read_between(scree__cells_reader_at(i, &name), texts[j], '.', before, &value))
                    fail_msg("%s reads '%s' as %g", name, texts[j], value);
}

/* A reader may leave a decimal comma to others, but may not take it for something else. */
static void test_decimal_comma(void **state)
{
    (void)state;
    const char *name = NULL;
    double value = 0;
    for (int i = 0; scree__cells_reader_at(i, &name); i++) {
        scree__cells_reader read = scree__cells_reader_at(i, &name);
        assert_false(read_between(read, "1.5", ',', 4, &value));
        assert_true(read_between(read, "-15", ',', 4, &value) && value == -15);
        const bool taken = read_between(read, "-1,5e2", ',', 4, &value);
        assert_true(taken ? value == -150 : strcmp(name, "plain") == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_strtod),
        cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_decimal_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
