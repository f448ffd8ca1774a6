/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers of text files that doubles may round: counted from an origin where a column begins with such, refused
 * by name elsewhere, and never rounded; numbers with a point or an exponent are measurements, and are. */

#include "support/calls.h"
#include "support/checks.h"

#include "csv_file.h"
#include "data/wide.h"

#include <inttypes.h>

enum { N = 300, D = 9, ROOM = 1 << 17 };

static const scree_read_options plain = SCREE_READ_OPTIONS_INIT;

/* Columns of whole numbers from 0 to 4000. */
static int64_t small_part(int64_t i, int64_t j)
{
    return j % 3 == 0 ? (i * 37 + 11 * j) % 4001 : j % 3 == 1 ? (i + j) * i % 997 : i * 37 % 4001 / 3 + i % (j + 3);
}

/* The columns that far are counted from base, all others from 0; the delimiter and quotes as given. */
static const char *write_text(const char *name, int64_t base, unsigned far, const char *between, const char *quote)
{
    static char text[ROOM];
    char *p = text;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            p += sprintf(p, "%s%" PRId64 "%s%s", quote, (far >> j & 1 ? base : 0) + small_part(i, j), quote,
                         j + 1 < D ? between : "\n");
    return file_write(name, text, strlen(text));
}

static scree_model *fit_of(const char *path, int threads, int64_t block_rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_read_options read = plain;
    read.header = 0;
    read.threads = threads;
    EXPECT_OK(scree_source_open(&source, path, &read, &error), error);
    const scree_run run = run_with_blocks(threads, block_rows);
    EXPECT_OK(scree_model_fit(&model, source, &SIZED(scree_fit_options, .components = 4, .run = &run), &error), error);
    scree_source_free(source);
    return model;
}

static void test_counted_from_an_origin(void **state)
{
    (void)state;
    static const struct {
        int64_t base;
        unsigned far;
        const char *between;
        const char *quote;
    } cases[] = {
        {INT64_C(1) << 60, 0x1FF, ",", ""},  {-(INT64_C(1) << 60) - 77, 0x1FF, ",", ""},
        {INT64_C(1) << 54, 0x010, ",", ""},  {INT64_C(1700000000123456789), 0x101, ";", ""},
        {INT64_C(1) << 60, 0x0F0, "\t", ""}, {INT64_C(1) << 60, 0x003, ",", "\""},
        {INT64_C(1) << 60, 0x003, " ", ""},
    };
    scree_model *wanted = fit_of(write_text("small.csv", 0, 0, ",", ""), 1, 0);
    const scree_model_view *same = scree_model_get(wanted);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            const char *path = write_text("wide.csv", cases[c].base, cases[c].far, cases[c].between, cases[c].quote);
            scree_model *model = fit_of(path, threads, threads == 2 ? 7 : 0);
            const scree_model_view *view = scree_model_get(model);
            for (int k = 0; k < 4; k++)
                EXPECT_NEAR(view->eigenvalues[k], same->eigenvalues[k], 1e-12 * same->eigenvalues[0]);
            for (int j = 0; j < D; j++) {
                const double base = cases[c].far >> j & 1 ? (double)cases[c].base : 0;
                EXPECT_NEAR(view->mean[j], base + same->mean[j], base == 0 ? 1e-9 : 256);
                EXPECT_NEAR(view->variances[j], same->variances[j], 1e-12 * same->variances[j]);
            }
            scree_model_free(model);
        }
    scree_model_free(wanted);
}

static void expect_counted(const char *text, int64_t rows, int64_t cols, const double *wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    table t;
    scree_source *source = csv_open_text("counted.csv", text, &plain);
    source->takes_origin = true;
    EXPECT_OK(table_read(&t, source, &error), error);
    assert_int_equal(t.rows, rows);
    for (int64_t i = 0; i < rows * cols; i++)
        if (memcmp(&t.values[i], &wanted[i], sizeof(double)) != 0 && !(isnan(wanted[i]) && isnan(t.values[i])))
            fail_msg("cell %lld is %.17g, not %.17g", (long long)i, t.values[i], wanted[i]);
    table_clear(&t);
    scree_source_free(source);
}

/* The origin is the first number of a column, cut to a multiple of 2048, and stands in the first records. */
static void test_the_values_themselves(void **state)
{
    (void)state;
    const double mark = scree__too_wide();
    expect_counted("a,b\n1152921504606846977,1\n1152921504606846976,2\n1152921504606845000,3\n", 3, 2,
                   (const double[]){1, 1, 0, 2, -1976, 3});
    expect_counted("a,b\nNA,1\n-1152921504606846977,2\n-1152921504606846979,3\n", 3, 2,
                   (const double[]){NAN, 1, -1, 2, -3, 3});
    expect_counted("a\n18446744073709551615\n18446744073709551614\n", 2, 1, (const double[]){2047, 2046});
    expect_counted("a\n1152921504606846976\n1152921504606846976.5\n1e18\n7\n-5\n", 5, 1,
                   (const double[]){0, 0, -152921504606846976.0, mark, mark});
    expect_counted("a\n1\n9007199254740993\n9007199254740994\n", 3, 1, (const double[]){1, mark, 9007199254740994});
    expect_counted("a,b\n1,9223372036854775808\n-9223372036854775809,9223372036854775809\n", 2, 2,
                   (const double[]){1, 0, mark, 1});
}

static void expect_refused(const char *text, const char *wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = csv_open_text("refused.csv", text, &plain);
    scree_model *model = NULL;
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_VALUE);
    if (!strstr(error.text, wanted))
        fail_msg("%s", error.text);
    scree_source_free(source);
}

static void test_refused_by_name(void **state)
{
    (void)state;
    static const char beyond[] = "row 3, column 'b' is a whole number beyond 2^53, which double precision would round; "
                                 "leave the column out, or subtract a constant from it first";
    expect_refused("a,b\n1,2\n2,5\n3,9007199254740993\n", beyond);
    expect_refused("a,b\n1,2\n2,5\n3,-9007199254740993\n", beyond);
    expect_refused("a,b\n1,2\n2,5\n3,\"9007199254740993\"\n", beyond);
    expect_refused("a;b\n1,5;2\n2,25;5\n3,5;9007199254740993\n", beyond);
    expect_refused("a,b\n1,2\n2,5\n3,+0009007199254740993\n", beyond);
    expect_refused("a,b\n1,2\n2,5\n3,10000000000000000000000001\n", beyond);
    expect_refused("a,b\n1,1152921504606846976\n2,1152921504606846977\n3,1\n",
                   "row 3, column 'b' is too far from the whole number of the first row");
}

/* Among cells that are read many at once, too; a column that nobody asks for may hold any. */
static void test_wide_rows(void **state)
{
    (void)state;
    static char text[ROOM];
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    char *p = text;
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 20; j++)
            p += i == 40 && j == 13 ? sprintf(p, "9007199254740993,")
                                    : sprintf(p, "%d%s", (i * 37 + j * j * i) % 101, j < 19 ? "," : "\n");
    scree_source *source = csv_open_text("rows.csv", text, &plain);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 41, column 14 is a whole number beyond 2^53"));
    scree_source_free(source);
    scree_read_options some = plain;
    some.columns = "1-13,15-20";
    source = csv_open_text("rows.csv", text, &some);
    EXPECT_OK(scree_model_fit(&model, source, NULL, &error), error);
    scree_model_free(model);
    scree_source_free(source);
}

static void test_doubles_and_measurements(void **state)
{
    (void)state;
    csv_expect_values("9007199254740992,-9007199254740994\n100000000000000000000,10000000000000000905969664\n", &plain,
                      2, 2, (const double[]){0x1p53, -0x1p53 - 2, 1e20, 1e25});
    csv_expect_values("9007199254740993.0,9007199254740993e0\n12345678901234567890.5,1.2345678901234567890e30\n",
                      &plain, 2, 2, (const double[]){0x1p53, 0x1p53, 12345678901234567890.5, 1.2345678901234567890e30});
}

static void test_triplets(void **state)
{
    (void)state;
    scree_read_options triplets = plain;
    triplets.format = "triplets";
    csv_expect_error("u,x,1\nu,y,9007199254740993\n", &triplets,
                     "row 'u', column 'y' is a whole number beyond 2^53, which double precision would round; leave the "
                     "cell out, or subtract a constant from its column first");
    csv_expect_error("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 5\n2 2 -9007199254740993\n", &plain,
                     "line 4: -9007199254740993 is a whole number beyond 2^53, which double precision would round; "
                     "subtract a constant from column 2 first");
    csv_expect_values("%%MatrixMarket matrix coordinate integer general\n2 1 2\n1 1 5\n2 1 9007199254740994\n", &plain,
                      2, 1, (const double[]){5, 9007199254740994});
}

/* Files of which each has its own origin are one table. */
static void test_joined(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *both = NULL;
    scree_model *model = NULL;
    char first[512];
    static const char a[] = "a,b\n1152921504606846976,1\n1152921504606846979,3\n";
    static const char b[] = "a,b\n1152921504606855000,1\n1152921504606846977,2\n";
    snprintf(first, sizeof first, "%s", file_write("a.csv", a, strlen(a)));
    const char *paths[] = {first, file_write("b.csv", b, strlen(b))};
    EXPECT_OK(scree_source_open_many(&both, paths, 2, NULL, &error), error);
    EXPECT_OK(scree_model_fit(&model, both, NULL, &error), error);
    const double x[] = {0, 3, 8024, 1};
    const double mean = (x[0] + x[1] + x[2] + x[3]) / 4;
    double variance = 0;
    for (int i = 0; i < 4; i++)
        variance += (x[i] - mean) * (x[i] - mean) / 4;
    EXPECT_NEAR(scree_model_get(model)->variances[0], variance, 1e-9 * variance);
    scree_model_free(model);
    scree_source_free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_from_an_origin),
        cmocka_unit_test(test_the_values_themselves),
        cmocka_unit_test(test_refused_by_name),
        cmocka_unit_test(test_wide_rows),
        cmocka_unit_test(test_doubles_and_measurements),
        cmocka_unit_test(test_triplets),
        cmocka_unit_test(test_joined),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
