/* SPDX-License-Identifier: BSD-3-Clause */
/* Delimiter, header, decimal comma and text columns, and what is said about them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_file.h"
#include "support/calls.h"

static void expect_note(const char *text, const scree_read_options *options, const char *wanted)
{
    scree_source *source = csv_open_text("note.csv", text, options);
    if (wanted)
        assert_string_equal(scree_source_note(source), wanted);
    else
        assert_null(scree_source_note(source));
    scree_source_free(source);
}

static void test_delimiters(void **state)
{
    (void)state;
    const double wanted[] = {1.5, 2, 3, 4};
    csv_expect_values("a,b\n1.5,2\n3,4\n", NULL, 2, 2, wanted);
    csv_expect_values("a\tb\n1.5\t2\n3\t4\n", NULL, 2, 2, wanted);
    csv_expect_values("a;b\n1.5;2\n3;4\n", NULL, 2, 2, wanted);
    csv_expect_values("a b\n1.5 2\n3 4\n", NULL, 2, 2, wanted);
    csv_expect_values("   a    b\n  1.5    2  \n3    4\r\n", NULL, 2, 2, wanted);
    csv_expect_values("the a, the b\n1.5, 2\n 3 , 4 \n", NULL, 2, 2, wanted);
    csv_expect_values("a|b\n1.5|2\n3|4\n", NULL, 2, 2, wanted);
    csv_expect_values("1.5|2\n3|4\n", &SIZED(scree_read_options, .delimiter = '|', .header = -1), 2, 2, wanted);
    csv_expect_values("1.5\n2\n3\n4\n", NULL, 4, 1, wanted);
}

static void test_decimal_comma(void **state)
{
    (void)state;
    csv_expect_values("a;b\n1,5;2,5\n-3,25e2;4\n", NULL, 2, 2, (double[]){1.5, 2.5, -325, 4});
    csv_expect_values("1,5;2,5\n3,5;4,5\n", NULL, 2, 2, (double[]){1.5, 2.5, 3.5, 4.5});
    expect_note("a;b\n1,5;2,5\n3,5;4\n", NULL, "semicolon-separated, decimal comma, header");
    csv_expect_values("a;b\n1,5;2,5\n1.234,5;4\n", NULL, 2, 2, (double[]){1.5, 2.5, 1234.5, 4});
    csv_expect_error("a;b\n1,5;2,5\n1.23,5;4\n1,5;2\n", NULL,
                     "line 3, column 'a': '1.23,5' is not a number; correct the cell, take it as missing with --na, or "
                     "make the column a label");
}

static void test_header(void **state)
{
    (void)state;
    expect_note("x,y\n1,2\n", NULL, "comma-separated, header");
    expect_note("1,2\n3,4\n", NULL, "comma-separated, no header");
    expect_note(",x\nme,2\nyou,3\n", NULL, "comma-separated, header, label column 'c1'");
    expect_note("me,2\nyou,3\n", NULL, "comma-separated, no header, label column 1");
    csv_expect_values("1990,1991\n1,2\n", NULL, 2, 2, (double[]){1990, 1991, 1, 2});
    csv_expect_values("1990,1991\n1,2\n", &SIZED(scree_read_options, .header = 1), 1, 2, (double[]){1, 2});
    csv_expect_values("3,4\n", NULL, 1, 2, (double[]){3, 4});
    csv_expect_error("NA,x\n1,2\n", &SIZED(scree_read_options, .header = 0),
                     "line 1, column 2: 'x' is not a number; correct the cell, take it as missing with --na 'x', or "
                     "make the column a label");
}

static void test_comments(void **state)
{
    (void)state;
    const double wanted[] = {1, 2, 3, 4};
    csv_expect_values("# made by hand, in haste\n# 2, 3\na;b\n1;2\n3;4\n", NULL, 2, 2, wanted);
    expect_note("# made by hand\n#\na,b\n1,2\n", NULL, "comma-separated, header, 2 comment lines skipped");
    expect_note("# a b\n1 2\n3 4\n", NULL, "space-separated, no header, 1 comment line skipped");
    expect_note("# made by hand\n#a,b\n1,2\n", NULL, "comma-separated, header, 1 comment line skipped");
    expect_note("#a,b\n1,2\n", NULL, "comma-separated, header");
    csv_expect_error("# one\n# two\na,b\n1,2\n3,x\n5,6\n", NULL,
                     "line 5, column 'b': 'x' is not a number; correct the cell, take it as missing with --na 'x', or "
                     "make the column a label");
    csv_expect_error("# nothing\n", NULL, "there is no row in it; give a file with rows of numbers");
}

static void test_empty_end(void **state)
{
    (void)state;
    const double wanted[] = {1, 2, 3, 4};
    csv_expect_values("a,b,\n1,2,\n3,4, \n", NULL, 2, 2, wanted);
    csv_expect_values("1,2,\n3,4,\n", NULL, 2, 2, wanted);
    expect_note("a,b,\n1,2,\n", NULL, "comma-separated, header, leaving out the empty column at the end");
    csv_expect_error("a,b,\n1,2,\n3,4\n", NULL, "line 3 has 2 fields where 3 are expected; correct that line");
    scree_source *named = csv_open_text("named.csv", "a,b,c\n1,2,\n", NULL);
    assert_int_equal(scree_source_cols(named), 3);
    scree_source_free(named);
}

/* The sample has no such cell: it is found while reading. */
static void test_empty_end_is_kept_empty(void **state)
{
    (void)state;
    enum { LINES = 150 };
    char text[LINES * 8];
    size_t length = (size_t)snprintf(text, sizeof text, "a,b,\n");
    for (int i = 1; i < LINES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i < LINES - 1 ? "1,2,\n" : "1,2,3\n");
    csv_expect_error(text, NULL,
                     "line 150, column 3: '3' stands in a column that has no name and is empty above; name the column, "
                     "or empty the cell");
}

static void test_open_quotes(void **state)
{
    (void)state;
    csv_expect_error("a,b\n\"1,2\n3,4\n", NULL, "the quote opened on line 2 is never closed; close it or remove it");
    csv_expect_error("a,b,c\n1,2,x\n3,\"4\n5,6,z\n", NULL,
                     "the quote opened on line 3 is never closed; close it or remove it");
    csv_expect_error("\"a,b\n1,2\n", NULL, "the quote opened on line 1 is never closed; close it or remove it");
    csv_expect_error("a,b\n1,2\n\"3\n\",\"4\n", NULL,
                     "the quote opened on line 4 is never closed; close it or remove it");
}

static void test_text_columns(void **state)
{
    (void)state;
    const char *iris = "length,species,width,site\n1,setosa,2,north\n3,virginica,4,south\n";
    scree_source *source = csv_open_text("iris.csv", iris, NULL);
    assert_int_equal(scree_source_cols(source), 2);
    assert_string_equal(scree_source_column(source, 0), "length");
    assert_string_equal(scree_source_column(source, 1), "width");
    assert_int_equal(source->about.text_count, 2);
    assert_string_equal(source->about.text_names[0], "species");
    assert_string_equal(source->about.text_names[1], "site");
    assert_string_equal(scree_source_note(source), "comma-separated, header, label columns 'species', 'site'");
    scree_source_free(source);
    expect_note(iris, &SIZED(scree_read_options, .label = "site", .header = 1),
                "comma-separated, leaving out text column 'species'");
    expect_note(iris, &SIZED(scree_read_options, .id = "site", .header = 1, .delimiter = ','),
                "label column 'species'");
    expect_note("a,b\n1,2\n", &SIZED(scree_read_options, .header = 1, .delimiter = ','), NULL);
    expect_note("n,a,b,c,d,e\n1,p,p,p,p,p\n2,q,q,q,q,q\n", NULL,
                "comma-separated, header, label columns 'a', 'b', 'c', 'd', 'e'");
}

static void test_label_and_id_are_known(void **state)
{
    (void)state;
    const char *text = "name,a,site,b\nx,1,north,2\ny,3,south,4\n";
    static const struct {
        const char *label;
        const char *id;
        int64_t text_label;
        int64_t text_id;
    } cases[] = {
        {NULL, NULL, 0, 0}, {NULL, "site", 0, 2}, {"3", "1", 2, 1}, {"site", NULL, 1, 0}, {"name", "b", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const scree_read_options options =
            SIZED(scree_read_options, .label = cases[i].label, .id = cases[i].id, .header = 1);
        scree_source *source = csv_open_text("named.csv", text, &options);
        assert_int_equal(source->about.text_label, cases[i].text_label);
        assert_int_equal(source->about.text_id, cases[i].text_id);
        scree_source_free(source);
    }
}

static void test_options(void **state)
{
    (void)state;
    const char *text = "a,b,c,d\n1,2,3,x\n5,6,7,y\n";
    csv_expect_values(text, &SIZED(scree_read_options, .columns = "c,a", .header = -1), 2, 2, (double[]){3, 1, 7, 5});
    csv_expect_values(text, &SIZED(scree_read_options, .columns = "1-3", .id = "b", .header = -1), 2, 2,
                      (double[]){1, 3, 5, 7});
    csv_expect_values(text, &SIZED(scree_read_options, .label = "1", .header = -1), 2, 2, (double[]){2, 3, 6, 7});
    csv_expect_error(text, &SIZED(scree_read_options, .columns = "a,d", .header = -1),
                     "column 'd' holds text, not numbers; leave it out of the columns");
    csv_expect_error(text, &SIZED(scree_read_options, .label = "a", .id = "1", .header = -1),
                     "column '1' is asked for as label and as id; name it as one of them");
    csv_expect_error("alpha,beta\n1,2\n", &SIZED(scree_read_options, .columns = "alpa", .header = -1),
                     "there is no column 'alpa'; did you mean 'alpha'?");
    csv_expect_error("alpha,beta\n1,2\n", &SIZED(scree_read_options, .label = "gamma", .header = -1),
                     "there is no column 'gamma'; choose by name or by number from 1 to 2");
    csv_expect_error("1,2\n", &SIZED(scree_read_options, .header = -1, .delimiter = '"'),
                     "a quote or a line break cannot be the delimiter; choose another");
}

static void test_nothing_to_read(void **state)
{
    (void)state;
    csv_expect_error("a,b\n", NULL, "there is a header and no row below it; give a file with rows of numbers");
    csv_expect_error("a,b", NULL, "there is a header and no row below it; give a file with rows of numbers");
    csv_expect_error("a,b\n\n  \n", NULL, "there is a header and no row below it; give a file with rows of numbers");
    csv_expect_error("\n\r\n\n", NULL, "there is no row in it; give a file with rows of numbers");
    csv_expect_error("a,b\nx,y\nz,w\n", NULL,
                     "no column holds numbers; give the delimiter, or skip lines above the table with --skip");
}

static void test_bytes_that_are_not_text(void **state)
{
    (void)state;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    static const char wide[] = "\xFF\xFE"
                               "1\0,\0"
                               "2\0\n\0";
    static const char binary[] = "1\0\0,2\0\n\0";
    const char *path = file_write("binary.csv", binary, 8);
    assert_int_equal(scree_source_open(&source, path, NULL, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "save it as UTF-8"));
    assert_null(source);
    path = file_write("marked.csv", wide, 10); /* UTF-16 says so */
    assert_int_equal(scree_source_open(&source, path, NULL, &error), SCREE_OK);
    assert_int_equal(scree_source_cols(source), 2);
    scree_source_free(source);
    path = file_write("wide.csv", wide + 2, 8); /* and is known without its mark */
    assert_int_equal(scree_source_open(&source, path, NULL, &error), SCREE_OK);
    assert_int_equal(scree_source_cols(source), 2);
    assert_string_equal(scree_source_note(source), "read as UTF-16LE, comma-separated, no header");
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_decimal_comma),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_empty_end),
        cmocka_unit_test(test_empty_end_is_kept_empty),
        cmocka_unit_test(test_open_quotes),
        cmocka_unit_test(test_text_columns),
        cmocka_unit_test(test_label_and_id_are_known),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_nothing_to_read),
        cmocka_unit_test(test_bytes_that_are_not_text),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
