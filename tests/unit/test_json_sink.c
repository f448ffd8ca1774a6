/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as JSON: an array of objects, or of arrays, whatever the pieces it is written in; null for what JSON cannot say,
 * and strings that are valid whatever bytes they had. */

#include "data/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/calls.h"
#include "temporary_folder.h"

#include <math.h>

typedef struct made {
    const char *format;
    const char *const *columns;
    int64_t behind; /* texts behind the numbers */
} made;

static void expect(const made *how, const double *values, int64_t rows, int64_t step, const char *wanted)
{
    static const char *const text[] = {"a\"b\\", "\n", "\xC3\xA9", "\xE9", "", "end"};
    static const char *const names[] = {"label", "why"};
    const scree__sink_shape shape = {.rows = -1,
                                     .cols = 2,
                                     .columns = how->columns,
                                     .text_count = 2,
                                     .text_names = names,
                                     .text_behind = how->behind};
    const scree_write_options options = SIZED(scree_write_options, .format = how->format);
    const char *path = folder_path("rows.json");
    scree_sink *sink = NULL;
    size_t size;
    assert_int_equal(scree_sink_open(&sink, path, &options, NULL), SCREE_OK);
    assert_int_equal(scree__sink_begin(sink, &shape, NULL), SCREE_OK);
    for (int64_t i = 0; i < rows; i += step)
        assert_int_equal(scree__sink_write(sink, values + i * 2, text + i * 2, step, 2, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    char *found = (char *)file_read(path, &size);
    assert_string_equal(found, wanted);
    free(found);
}

static const double values[] = {1, 0.1, -1e-7, (double)NAN, (double)INFINITY, 5e-324};

static void rows_become_objects(void **state)
{
    (void)state;
    static const char *const columns[] = {"x", "\"y\""};
    static const char wanted[] = "[\n"
                                 "{\"label\": \"a\\\"b\\\\\", \"x\": 1, \"\\\"y\\\"\": 0.1, \"why\": \"\\u000a\"},\n"
                                 "{\"label\": \"\xC3\xA9\", \"x\": -1e-7, \"\\\"y\\\"\": null, \"why\": \"\\u00e9\"},\n"
                                 "{\"label\": \"\", \"x\": null, \"\\\"y\\\"\": 5e-324, \"why\": \"end\"}\n"
                                 "]\n";
    const made how = {"json", columns, 1};
    expect(&how, values, 3, 3, wanted);
    expect(&how, values, 3, 1, wanted);
    expect(&how, values, 0, 1, "[\n]\n");
    expect(&(made){NULL, NULL, 0}, values, 1, 1,
           "[\n{\"label\": \"a\\\"b\\\\\", \"why\": \"\\u000a\", \"c1\": 1, \"c2\": 0.1}\n]\n");
}

static void rows_become_arrays(void **state)
{
    (void)state;
    static const char wanted[] = "[\n[1,0.1],\n[-1e-7,null],\n[null,5e-324]\n]\n";
    const made how = {"json-arrays", NULL, 1};
    expect(&how, values, 3, 3, wanted);
    expect(&how, values, 3, 1, wanted);
    expect(&how, values, 0, 1, "[\n]\n");
}

static void unfinished_leaves_nothing(void **state)
{
    (void)state;
    const scree__sink_shape shape = {.rows = -1, .cols = 1};
    scree_sink *sink = NULL;
    const int before = folder_walk(0);
    assert_int_equal(scree_sink_open(&sink, folder_path("cut.json"), NULL, NULL), SCREE_OK);
    assert_int_equal(scree__sink_begin(sink, &shape, NULL), SCREE_OK);
    scree_sink_free(sink);
    assert_int_equal(folder_walk(0), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_objects),
        cmocka_unit_test(rows_become_arrays),
        cmocka_unit_test(unfinished_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
