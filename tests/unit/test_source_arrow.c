/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow C streams: the same bits as a file of the same rows, columns of every type, nulls, offsets, texts, options;
 * streams that fail; and that everything is released. */

#include "support/checks.h"

#include "array_files.h"
#include "arrow_streams.h"
#include "same_model.h"
#include "support/calls.h"

enum { N = 90 };

static double g[3][N];
static float f[N];
static uint8_t bytes[2][N];
static int16_t shorts[N];
static int64_t longs[N];
static uint16_t halves[N];
static uint8_t bits[(N + 7) / 8];
static uint8_t valid[(N + 7) / 8]; /* every fifth is null */
static int32_t offsets[N + 1];
static int64_t large_offsets[N + 1];
static char chars[N * 2];
static int8_t indices[N];

static void fill(void)
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < 3; j++)
            g[j][i] = (double)((i * i + 7 * i * (j + 1)) % 101) / 8 - (double)j;
        f[i] = (float)i / 4;
        bytes[0][i] = (uint8_t)(i * 5);
        bytes[1][i] = (uint8_t)(i * i);
        shorts[i] = (int16_t)(300 - 11 * i);
        longs[i] = INT64_C(1) << 40 | i;
        halves[i] = (uint16_t)(0x3C00 + i); /* 1 + i/1024 */
        bits[i / 8] = (uint8_t)(i % 8 == 0 ? 0 : bits[i / 8]);
        bits[i / 8] |= (uint8_t)((i % 3 == 0) << (i % 8));
        valid[i / 8] = (uint8_t)(i % 8 == 0 ? 0 : valid[i / 8]);
        valid[i / 8] |= (uint8_t)((i % 5 != 0) << (i % 8));
        offsets[i + 1] = offsets[i] + (int32_t)(i % 3); /* "", "a", "ab" */
        large_offsets[i + 1] = offsets[i + 1];
        for (int32_t k = 0; k < i % 3; k++)
            chars[offsets[i] + k] = (char)('a' + k);
        indices[i] = (int8_t)(i % 2);
    }
}

static const int32_t animal_offsets[] = {0, 3, 6};
static const char animals[] = "antbee";

static scree_source *source_of(made_stream *s, const scree_read_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    struct ArrowArrayStream stream = made_open(s);
    EXPECT_OK(scree_source_from_arrow(&source, &stream, options, &error), error);
    assert_null(stream.release); /* moved */
    assert_int_equal(s->schemas, 0);
    return source;
}

static void expect_released(made_stream *s, scree_source *source)
{
    scree_source_free(source);
    assert_int_equal(s->released, 1);
    assert_int_equal(s->batches, 0);
}

/* The rows as a CSV, to be freed. */
static char *csv_of(scree_source *source, int64_t block_rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = run_with_blocks(1, block_rows);
    scree_sink *sink = NULL;
    size_t size = 0;
    EXPECT_OK(scree_sink_open(&sink, folder_path("out.csv"), NULL, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, &run, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    return (char *)file_read(folder_path("out.csv"), &size);
}

static made_stream three_doubles(void)
{
    return (made_stream){.columns = {{.format = "g", .name = "x", .values = g[0]},
                                     {.format = "g", .name = "y", .values = g[1]},
                                     {.format = "g", .name = "z", .values = g[2]}},
                         .count = 3,
                         .rows = N,
                         .batch = 37,
                         .uncounted = -1};
}

static void test_bits_of_the_file(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    scree_error error = SCREE_ERROR_INIT;
    char text[N * 80] = "x,y,z\n";
    size_t size = strlen(text);
    for (int64_t i = 0; i < N; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%.17g,%.17g,%.17g\n", g[0][i], g[1][i], g[2][i]);
    const char *path = file_write("rows.csv", text, size);
    for (int k = 0; k < 8; k++) {
        scree_source *stored = NULL;
        made_stream s = three_doubles();
        s.batch = k % 4 == 0 ? N : k % 4 == 1 ? 1 : 37;
        s.child_shift = k % 2;
        EXPECT_OK(scree_source_open(&stored, path, NULL, &error), error);
        scree_source *source = source_of(&s, NULL);
        assert_int_equal(scree_source_type(source), SCREE_F64);
        assert_string_equal(scree_source_column(source, 2), "z");
        assert_null(scree_source_note(source));
        scree_model *wanted = fit_of(stored, solvers[k / 4], 0);
        scree_model *model = fit_of(source, solvers[k / 4], k % 3 == 0 ? 8 : 0);
        expect_same_model(model, wanted);
        scree_model_free(model);
        model = NULL;
        assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_UNSUPPORTED); /* read once */
        scree_model_free(wanted);
        scree_source_free(stored);
        expect_released(&s, source);
    }
}

/* Every type of number, nulls missing, in batches whose offset is the struct's or the column's. */
static void test_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        made_stream s = {.columns = {{.format = "f", .name = "f", .values = f},
                                     {.format = "e", .name = "e", .values = halves},
                                     {.format = "s", .name = "s", .values = shorts, .valid = valid, .nullable = true},
                                     {.format = "l", .name = "l", .values = longs},
                                     {.format = "b", .name = "b", .values = bits, .valid = valid, .nullable = true},
                                     {.format = "C", .name = "C", .values = bytes[0]}},
                         .count = 6,
                         .rows = N,
                         .batch = 19,
                         .child_shift = k % 2,
                         .uncounted = k / 2 ? -1 : 1};
        scree_source *source = source_of(&s, NULL);
        scree__block block;
        int64_t at = 0;
        source->block_rows = 8;
        assert_int_equal(scree_source_type(source), SCREE_F64);
        for (;;) {
            assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
            assert_int_equal(block.first, at);
            if (block.rows == 0)
                break;
            for (int64_t r = 0; r < block.rows; r++, at++) {
                const double *row = (const double *)block.data + r * block.stride;
                const bool null = at % 5 == 0;
                assert_true(row[0] == (double)f[at]);
                assert_true(row[1] == 1 + (double)at / 1024);
                assert_true(null ? isnan(row[2]) : row[2] == (double)shorts[at]);
                assert_true(row[3] == (double)longs[at]);
                assert_true(null ? isnan(row[4]) : row[4] == (double)(at % 3 == 0));
                assert_true(row[5] == (double)bytes[0][at]);
            }
        }
        assert_int_equal(at, N);
        expect_released(&s, source);
    }
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *formats[2];
        bool nullable;
        scree_type type;
    } cases[] = {
        {{"g", "g"}, false, SCREE_F64}, {{"f", "f"}, true, SCREE_F32},  {{"f", "g"}, false, SCREE_F64},
        {{"C", "C"}, false, SCREE_U8},  {{"C", "C"}, true, SCREE_F32},  {{"C", "f"}, false, SCREE_F32},
        {{"e", "C"}, false, SCREE_F32}, {{"C", "i"}, false, SCREE_F64}, {{"b", "C"}, false, SCREE_U8},
        {{"S", "S"}, false, SCREE_F64}, {{"c", "L"}, false, SCREE_F64},
    };
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        made_stream s = {.columns = {{.format = cases[i].formats[0], .values = g[0], .nullable = cases[i].nullable},
                                     {.format = cases[i].formats[1], .values = g[1]}},
                         .count = 2,
                         .rows = N,
                         .batch = N};
        scree_source *source = source_of(&s, NULL);
        assert_int_equal(scree_source_type(source), cases[i].type);
        assert_string_equal(scree_source_column(source, 1), "c2"); /* no name was given */
        expect_released(&s, source);
    }
}

static made_stream with_texts(void)
{
    return (made_stream){
        .columns = {{.format = "u", .name = "short", .values = offsets, .chars = chars},
                    {.format = "g", .name = "x", .values = g[0]},
                    {.format = "U", .name = "long", .values = large_offsets, .chars = chars, .valid = valid},
                    {.format = "c",
                     .name = "animal",
                     .values = indices,
                     .dictionary_format = "u",
                     .dictionary_offsets = animal_offsets,
                     .dictionary_chars = animals,
                     .dictionary_length = 2},
                    {.format = "l", .name = "number", .values = longs}},
        .count = 5,
        .rows = 4,
        .batch = 3,
        .uncounted = -1};
}

static void test_texts(void **state)
{
    (void)state;
    made_stream s = with_texts();
    scree_source *source = source_of(&s, NULL);
    assert_string_equal(scree_source_note(source), "label columns 'short', 'long', 'animal'");
    char *csv = csv_of(source, 2);
    char wanted[400];
    snprintf(wanted, sizeof wanted,
             "short,long,animal,x,number\n,,ant,%g,1099511627776\na,a,bee,%g,1099511627777\n"
             "ab,ab,ant,%g,1099511627778\n,,bee,%g,1099511627779\n",
             g[0][0], g[0][1], g[0][2], g[0][3]);
    assert_string_equal(csv, wanted);
    free(csv);
    expect_released(&s, source);
    s = with_texts();
    source = source_of(&s, &SIZED(scree_read_options, .label = "animal", .id = "number", .columns = "x"));
    csv = csv_of(source, 9);
    snprintf(wanted, sizeof wanted,
             "animal,number,x\nant,1099511627776,%g\nbee,1099511627777,%g\nant,1099511627778,%g\n"
             "bee,1099511627779,%g\n",
             g[0][0], g[0][1], g[0][2], g[0][3]);
    assert_string_equal(csv, wanted);
    free(csv);
    expect_released(&s, source);
}

/* An index that no double is points past the end of the dictionary as well, and its text is empty. */
static void test_wide_indices(void **state)
{
    static const int64_t wide[] = {1, (INT64_C(1) << 60) + 1, 2, -1};
    (void)state;
    made_stream s = with_texts();
    s.columns[3].format = "l";
    s.columns[3].values = wide;
    scree_source *source = source_of(&s, &SIZED(scree_read_options, .label = "animal", .columns = "x"));
    char *csv = csv_of(source, 9);
    char wanted[200];
    snprintf(wanted, sizeof wanted, "animal,x\nbee,%g\n,%g\n,%g\n,%g\n", g[0][0], g[0][1], g[0][2], g[0][3]);
    assert_string_equal(csv, wanted);
    free(csv);
    expect_released(&s, source);
}

/* Dates and instants are told as people write them, views are texts, and a column of nulls is left out. */
static void test_times_and_views(void **state)
{
    (void)state;
    static const int32_t days[] = {0, -1, 19782, -719529};
    static const int64_t dates[] = {86400000, -1, 951782400000, 0};
    static const int64_t millis[] = {-1, 1709164800250, 0, INT64_MIN};
    static const int64_t nanos[] = {1, -1000000000, 86399123456000, 0};
    static const struct {
        int32_t length;
        char text[12];
    } views[] = {{0, ""}, {3, "ant"}, {12, "twelve bytes"}, {1, "x"}};
    made_stream s = {.columns = {{.format = "tdD", .name = "day", .values = days},
                                 {.format = "tdm", .name = "date", .values = dates},
                                 {.format = "tsm:Europe/Berlin", .name = "at", .values = millis},
                                 {.format = "tsn:", .name = "nano", .values = nanos},
                                 {.format = "vu", .name = "view", .values = views},
                                 {.format = "n", .name = "nothing"},
                                 {.format = "g", .name = "x", .values = g[0]}},
                     .count = 7,
                     .rows = 4,
                     .batch = 3};
    char wanted[700];
    scree_source *source = source_of(&s, NULL);
    assert_string_equal(scree_source_note(source),
                        "label columns 'day', 'date', 'at', 'nano', 'view', leaving out 1 empty column");
    char *csv = csv_of(source, 2);
    snprintf(wanted, sizeof wanted,
             "day,date,at,nano,view,x\n"
             "1970-01-01,1970-01-02,1969-12-31 23:59:59.999Z,1970-01-01 00:00:00.000000001,,%g\n"
             "1969-12-31,1969-12-31,2024-02-29 00:00:00.25Z,1969-12-31 23:59:59,ant,%g\n"
             "2024-02-29,2000-02-29,1970-01-01 00:00:00Z,1970-01-01 23:59:59.123456,twelve bytes,%g\n"
             "-001-12-31,1970-01-01,-292275055-05-16 16:47:04.192Z,1970-01-01 00:00:00,x,%g\n",
             g[0][0], g[0][1], g[0][2], g[0][3]);
    assert_string_equal(csv, wanted);
    free(csv);
    expect_released(&s, source);
}

static void test_weights(void **state)
{
    (void)state;
    static double weights[N];
    static double x[N * 3];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *memory = NULL;
    made_stream s = three_doubles();
    for (int64_t i = 0; i < N; i++) {
        weights[i] = (double)bytes[0][i];
        for (int64_t j = 0; j < 3; j++)
            x[i * 3 + j] = g[j][i];
    }
    s.columns[3] = (made_column){.format = "C", .name = "w", .values = bytes[0]};
    s.count = 4;
    scree_source *source = source_of(&s, &SIZED(scree_read_options, .weights = "w"));
    EXPECT_OK(scree_source_from_memory(&memory, BLOCK(x, SCREE_F64, N, 3), &error), error);
    EXPECT_OK(scree_source_weigh(memory, weights, N, &error), error);
    scree_model *a = fit_of(source, "covariance", 0);
    scree_model *b = fit_of(memory, "covariance", 0);
    expect_same_model(a, b);
    scree_model_free(a);
    scree_model_free(b);
    scree_source_free(memory);
    expect_released(&s, source);
}

static void expect_refused(made_stream *s, const scree_read_options *options, scree_status status, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    struct ArrowArrayStream stream = made_open(s);
    assert_int_equal(scree_source_from_arrow(&source, &stream, options, &error), status);
    assert_null(source);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    assert_non_null(stream.release); /* still the caller's */
    assert_int_equal(s->schemas, 0);
    stream.release(&stream);
    assert_int_equal(s->released, 1);
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const others[] = {"ttu", "vz", "d:10,2", "+l", "w:3", "z"};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    made_stream s;
    for (int64_t i = 0; i < COUNT_OF(others); i++) {
        s = three_doubles();
        s.columns[1].format = others[i];
        expect_refused(&s, NULL, SCREE_ERR_UNSUPPORTED, "column 'y' is of the type");
        s = three_doubles();
        s.columns[1].format = others[i];
        source = source_of(&s, &SIZED(scree_read_options, .columns = "x,z")); /* what is not chosen does not matter */
        expect_released(&s, source);
    }
    s = three_doubles();
    s.columns[0].format = "i";
    s.columns[0].dictionary_format = "g"; /* a dictionary of numbers */
    expect_refused(&s, NULL, SCREE_ERR_UNSUPPORTED, "column 'x'");
    s = three_doubles();
    s.format = "g";
    expect_refused(&s, NULL, SCREE_ERR_FORMAT, "'+s'");
    s = with_texts();
    s.count = 1;
    expect_refused(&s, NULL, SCREE_ERR_VALUE, "no column holds numbers");
    s.count = 0;
    expect_refused(&s, NULL, SCREE_ERR_VALUE, "no column holds numbers");
    s = with_texts();
    expect_refused(&s, &SIZED(scree_read_options, .columns = "short"), SCREE_ERR_VALUE, "holds text");
    s = three_doubles();
    expect_refused(&s, &SIZED(scree_read_options, .columns = "q"), SCREE_ERR_ARGUMENT, "no column 'q'");
    s.fail_schema = true;
    s.fail_at = 1;
    expect_refused(&s, NULL, SCREE_ERR_IO, "the cable was cut");
    s.fail_at = 0;
    expect_refused(&s, NULL, SCREE_ERR_IO, strerror(EINVAL));
    struct ArrowArrayStream none = {0};
    assert_int_equal(scree_source_from_arrow(&source, &none, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_arrow(&source, NULL, NULL, &error), SCREE_ERR_ARGUMENT);
}

/* The stream's own sentence arrives, whenever it fails; nulls that the schema excludes are found. */
static void test_failures_while_reading(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    made_stream s = three_doubles();
    s.fail_at = 37;
    scree_source *source = source_of(&s, NULL);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "the cable was cut"));
    expect_released(&s, source);
    s = (made_stream){.columns = {{.format = "C", .name = "a", .values = bytes[0]},
                                  {.format = "C", .name = "b", .values = bytes[1], .valid = valid}},
                      .count = 2,
                      .rows = N,
                      .batch = 20,
                      .uncounted = -1};
    source = source_of(&s, NULL);
    assert_int_equal(scree_source_type(source), SCREE_U8);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "column 'b' has nulls"));
    expect_released(&s, source);
    s = three_doubles();
    s.columns[2].values = NULL;
    source = source_of(&s, NULL);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_FORMAT);
    expect_released(&s, source);
    s = with_texts();
    for (int64_t i = 0; i < s.count; i++)
        s.columns[i].dictionary_offset = -1; /* before its first text */
    source = source_of(&s, NULL);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_FORMAT);
    expect_released(&s, source);
    assert_null(model);
}

static int setup(void **state)
{
    fill();
    return folder_make(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_the_file),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_wide_indices),
        cmocka_unit_test(test_times_and_views),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_failures_while_reading),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
