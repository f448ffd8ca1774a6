/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a pipe settles its layout: a first line that is a row is enough, a header needs the row below it, and
 * nothing behind that counts. */

#include "support/checks.h"

#include "data/csv.h"

#include <stdio.h>
#include <string.h>

/* seen: bytes that are enough; -1: more has to come. */
static void expect(const char *text, int header, char delimiter, int64_t seen)
{
    char copy[256];
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.header = header;
    options.delimiter = delimiter;
    snprintf(copy, sizeof copy, "%s", text);
    const int64_t found = scree__csv_first_rows(copy, (int64_t)strlen(text), &options);
    if (found != seen)
        fail_msg("'%s' is settled after %lld bytes, not %lld", text, (long long)found, (long long)seen);
}

static void rows_without_header(void **state)
{
    (void)state;
    expect("1,2\n", -1, 0, 4);
    expect("1,2\nx,y\n", -1, 0, 4);
    expect("1,2", -1, 0, -1);
    expect("", -1, 0, -1);
    expect("setosa,1,2\n3", -1, 0, 11);
    expect("5,1;3,5;setosa\n", -1, 0, 15);
    expect("1.5 2 3\n", -1, 0, 8);
    expect("x,y\n", 0, 0, 4);
    expect(",,3\n", -1, 0, 4);
}

static void headers_need_a_row(void **state)
{
    (void)state;
    expect("a,b\n", -1, 0, -1);
    expect("a,b\n1,2", -1, 0, -1);
    expect("a,b\n1,2\n3,4\n", -1, 0, 8);
    expect("a,b\n\n1,2\n3,4\n", -1, 0, 9);
    expect("name,x,2020\nz,1,2\n", -1, 0, 18);
    expect("1,2\n", 1, 0, -1);
    expect("1,2\n3,4\n", 1, 0, 8);
    expect("sepal length,sepal width\n1,2\n", -1, 0, 29);
}

static void lines_in_front(void **state)
{
    (void)state;
    expect("# made today\n\n", -1, 0, -1);
    expect("# made today\n\n1,2\n", -1, 0, 18);
    expect("sep=;\na;b\n", -1, 0, -1);
    expect("sep=;\na;b\n1;2\n", -1, 0, 14);
}

/* A quote that only one of the delimiters sees, and line breaks inside of quotes. */
static void quotes(void **state)
{
    (void)state;
    expect("a;\"b,c\n1;2\n", -1, 0, 11);
    expect("\"a\nb\",c\n", -1, ',', -1);
    expect("\"a\nb\",c\n1,2\n", -1, ',', 12);
    expect("\"a", -1, ',', -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_header),
        cmocka_unit_test(headers_need_a_row),
        cmocka_unit_test(lines_in_front),
        cmocka_unit_test(quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
