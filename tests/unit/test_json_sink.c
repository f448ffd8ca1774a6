/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as JSON: an array of arrays, whatever the pieces it is written in; null for what JSON cannot say. */

#include "data/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "temporary_folder.h"

#include <math.h>

static void expect(const double *values, int64_t rows, int64_t cols, int64_t step, const char *wanted)
{
    static const char *const text[] = {"dropped", "dropped", "dropped"};
    static const char *const names[] = {"label"};
    const scree__sink_shape shape = {.rows = -1, .cols = cols, .text_count = 1, .text_names = names};
    const char *path = folder_path("rows.json");
    scree_sink *sink = NULL;
    size_t size;
    assert_int_equal(scree_sink_open(&sink, path, NULL, NULL), SCREE_OK);
    assert_int_equal(scree__sink_begin(sink, &shape, NULL), SCREE_OK);
    for (int64_t i = 0; i < rows; i += step)
        assert_int_equal(scree__sink_write(sink, values + i * cols, text, step, 2, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    char *found = (char *)file_read(path, &size);
    assert_string_equal(found, wanted);
    free(found);
}

static void rows_become_arrays(void **state)
{
    (void)state;
    static const double values[] = {1, 0.1, -1e-7, (double)NAN, (double)INFINITY, 5e-324};
    static const char wanted[] = "[\n[1,0.1],\n[-1e-7,null],\n[null,5e-324]\n]\n";
    expect(values, 3, 2, 3, wanted);
    expect(values, 3, 2, 1, wanted);
    expect(values, 0, 2, 1, "[\n]\n");
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
        cmocka_unit_test(rows_become_arrays),
        cmocka_unit_test(unfinished_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
