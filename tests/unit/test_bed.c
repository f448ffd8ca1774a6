/* SPDX-License-Identifier: BSD-3-Clause */
/* PLINK's .bed, .bim and .fam in: rows in blocks of any size and calls held a few at a time, names, what is left out,
 * missing calls; and every kind of damage, which is told in a sentence. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"
#include "cohort_file.h"
#include "data/bed.h"
#include "data/bed_rows.h"
#include "fixed_draws.h"

#include <math.h>

enum { N = 37, D = 150 };

static signed char copies[N * D];

static void fill(bool with_missing)
{
    fixed_state = 3;
    for (int i = 0; i < N * D; i++)
        copies[i] = (signed char)(fixed_draw() / 64 % 3);
    for (int i = 0; with_missing && i < N * D; i += 11)
        copies[i] = -1;
}

static double mean_of(int variant)
{
    double sum = 0;
    int seen = 0;
    for (int i = 0; i < N; i++)
        if (copies[i * D + variant] >= 0) {
            sum += copies[i * D + variant];
            seen++;
        }
    return sum / seen;
}

static const char *write_cohort(bool with_missing)
{
    fill(with_missing);
    cohort_write_tables("c", N, D);
    return cohort_write_bed("c", copies, N, D);
}

static void test_rows(void **state)
{
    (void)state;
    for (int missing = 0; missing < 3; missing++) /* none, as means, as missing */
        for (int64_t block = 1; block < 50; block += 12) {
            scree_read_options options = SCREE_READ_OPTIONS_INIT;
            scree_source *source = NULL;
            double values[N * D];
            options.missing_calls = missing == 2;
            assert_int_equal(scree_source_open(&source, write_cohort(missing > 0), &options, NULL), SCREE_OK);
            assert_int_equal(scree_source_rows(source), N);
            assert_int_equal(scree_source_cols(source), D);
            assert_int_equal(scree_source_type(source), missing ? SCREE_F64 : SCREE_U8);
            assert_int_equal(scree_source_scale(source), SCREE_SCALE_BINOMIAL);
            for (int pass = 0; pass < 2; pass++) {
                source->block_rows = block;
                source->threads = 1 + pass;
                assert_int_equal(read_doubles(source, values, N * D, NULL), N * D);
                for (int i = 0; i < N * D; i++) {
                    const double wanted = copies[i] < 0 ? mean_of(i % D) : copies[i];
                    assert_true(missing == 2 && copies[i] < 0 ? isnan(values[i]) : values[i] == wanted);
                }
                assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
            }
            scree_source_free(source);
        }
}

/* Calls of a few samples held at a time give the same rows as all of them. */
static void test_little_is_held(void **state)
{
    (void)state;
    scree__bytes *bytes = NULL;
    int64_t row[D];
    double value[D * SCREE__CALLS];
    assert_int_equal(scree__bytes_open(&bytes, write_cohort(false), NULL), SCREE_OK);
    for (int64_t j = 0; j < D; j++) {
        const double is[SCREE__CALLS] = {
            [SCREE__CALL_TWO] = 2, [SCREE__CALL_MISSING] = 9, [SCREE__CALL_ONE] = 1, [SCREE__CALL_NONE] = 0};
        row[j] = j;
        memcpy(value + j * SCREE__CALLS, is, sizeof is);
    }
    for (int64_t held = 1; held <= 10; held++) {
        uint8_t packed[D * 10];
        uint8_t out[N * D];
        scree__bed_rows rows = {.bytes = bytes,
                                .offset = 3,
                                .stride = 10,
                                .row = row,
                                .variants = D,
                                .samples = N,
                                .value = value,
                                .held = packed,
                                .held_bytes = held,
                                .first = -1};
        for (int64_t at = 0; at < N; at += 7)
            assert_int_equal(scree__bed_rows_take(&rows, at, N - at < 7 ? N - at : 7, SCREE_U8, out + at * D, 2, NULL),
                             SCREE_OK);
        for (int i = 0; i < N * D; i++)
            assert_int_equal(out[i], copies[i]);
    }
    scree__bytes_close(bytes);
    assert_int_equal(scree__bed_rows_held(10, D, 5 * D), 5);
    assert_int_equal(scree__bed_rows_held(10, D, 1), 1);
    assert_int_equal(scree__bed_rows_held(10, D, INT64_MAX), 10);
}

static void test_names(void **state)
{
    (void)state;
    scree_source *source = NULL;
    scree__block block;
    assert_int_equal(scree_source_open(&source, write_cohort(false), NULL, NULL), SCREE_OK);
    assert_string_equal(scree_source_column(source, 1), "v2_A(/G)");
    assert_int_equal(source->about.fact_count, 5);
    static const char *const facts[] = {"chrom", "id", "pos", "A1", "A2", "chr2", "v2", "200", "A", "G"};
    assert_int_equal(scree_source_fact_count(source), 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(scree_source_fact_name(source, i), facts[i]);
        assert_string_equal(scree_source_fact(source, 1, i), facts[5 + i]);
    }
    assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
    assert_string_equal(source->about.text_names[0], "FID");
    assert_string_equal(source->about.text_names[1], "IID");
    assert_string_equal(block.text[2], "f2");
    assert_string_equal(block.text[3], "s2");
    scree_source_free(source);
}

/* Ids that are points, or stand more than once. */
static void test_made_names(void **state)
{
    (void)state;
    static const char bim[] =
        "1 . 0 10 T C\n1 rs1 0 20 A G\n1 rs1 0 20 G A\nX . 0 5 A C\n1 rs2 0 20 A G\n1 rs1 0 30 A G\n"
        "1\t1:20:A:G:2\t0\t1\tA\tC\n";
    static const char *const names[] = {"1:10:C:T_T(/C)", "1:20:A:G_A(/G)", "1:20:A:G:2_G(/A)",  "X:5:A:C_A(/C)",
                                        "rs2_A(/G)",      "1:30:A:G_A(/G)", "1:20:A:G:2:2_A(/C)"};
    scree_source *source = NULL;
    fill(false);
    cohort_write_tables("c", N, 7);
    cohort_write_text("c", "bim", bim);
    assert_int_equal(scree_source_open(&source, cohort_write_bed("c", copies, N, 7), NULL, NULL), SCREE_OK);
    for (int j = 0; j < 7; j++)
        assert_string_equal(scree_source_column(source, j), names[j]);
    scree_source_free(source);
}

/* Five columns are a .bim, too, as are blanks instead of tabs, and lines that end in \r\n. */
static void test_tables_as_they_come(void **state)
{
    (void)state;
    scree_source *source = NULL;
    fill(false);
    cohort_write_text("c", "fam", "a b 0 0 1 1\r\n\n  c   d\t0 0 2 2\r\n");
    cohort_write_text("c", "bim", "1 x 10 A G\n\n 2  y 20 A G");
    assert_int_equal(scree_source_open(&source, cohort_write_bed("c", copies, 2, 2), NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_rows(source), 2);
    assert_string_equal(scree_source_column(source, 1), "y_A(/G)");
    assert_string_equal(scree_source_fact(source, 1, 2), "20");
    scree_source_free(source);
}

static void count_chosen(const char *chromosomes, double min_allele, int64_t expected)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    options.chromosomes = chromosomes;
    options.min_allele = min_allele;
    const scree_status status = scree_source_open(&source, folder_path("c.bed"), &options, &error);
    if (expected < 0) {
        assert_int_not_equal(status, SCREE_OK);
        assert_non_null(strstr(error.text, folder_path("c.bed")));
        return;
    }
    assert_int_equal(status, SCREE_OK);
    assert_int_equal(scree_source_cols(source), expected);
    scree_source_free(source);
}

static void test_choices(void **state)
{
    (void)state;
    (void)write_cohort(false);
    count_chosen("1", 0, D / 3);
    count_chosen("1-2", 0, 2 * D / 3);
    count_chosen("chr1-chr2", 0, 2 * D / 3);
    count_chosen("X", 0, D / 3);
    count_chosen("23", 0, D / 3);
    count_chosen("1,X,1", 0, 2 * D / 3);
    count_chosen("1-22", 0, 2 * D / 3);
    count_chosen("2:200", 0, 1);
    count_chosen("2:200-500", 0, 2);
    count_chosen("2:200-500,X", 0, 2 + D / 3);
    count_chosen("3", 0, -1);
    count_chosen("1,3", 0, -1);
    count_chosen("", 0, -1);
    count_chosen("1,", 0, -1);
    count_chosen("1:5-2", 0, -1);
    count_chosen("1:x", 0, -1);
    count_chosen(":5", 0, -1);
    int64_t frequent = 0;
    for (int j = 0; j < D; j++)
        frequent += fmin(mean_of(j), 2 - mean_of(j)) / 2 >= 0.45;
    assert_true(frequent > 5 && frequent < D - 5);
    count_chosen(NULL, 0.45, frequent);
}

static void test_what_does_not_vary(void **state)
{
    (void)state;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    double values[N * D];
    fill(false);
    for (int i = 0; i < N; i++) {
        copies[i * D + 1] = 0;
        copies[i * D + 2] = 1;
        copies[i * D + 3] = (signed char)(i % 2 ? -1 : 2);
        copies[i * D + 4] = -1;
    }
    cohort_write_tables("c", N, D);
    const char *path = cohort_write_bed("c", copies, N, D);
    assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_cols(source), D);
    assert_int_equal(read_doubles(source, values, N * D, NULL), N * D);
    assert_true(values[3] == 2 && values[D + 3] == 2 && values[4] == 0);
    scree_source_free(source);
    options.varying = true;
    assert_int_equal(scree_source_open(&source, path, &options, NULL), SCREE_OK);
    assert_int_equal(scree_source_cols(source), D - 4);
    assert_non_null(strstr(scree_source_note(source), "4 variants left out where all calls are alike"));
    assert_string_equal(scree_source_column(source, 1), "v6_A(/G)");
    assert_int_equal(read_doubles(source, values, N * D, NULL), N * (D - 4));
    for (int i = 0; i < N; i++)
        assert_true(values[i * (D - 4) + 1] == copies[i * D + 5]);
    scree_source_free(source);
    memset(copies, 1, sizeof copies);
    assert_int_equal(scree_source_open(&source, cohort_write_bed("c", copies, N, D), &options, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "no variant is left"));
}

/* One of the three files is replaced; all must be refused in a sentence. */
static void refuse(const char *extension, const void *data, size_t size, const char *part)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    char file[16];
    (void)write_cohort(false);
    snprintf(file, sizeof file, "c.%s", extension);
    if (data)
        file_write(file, data, size);
    else
        remove(folder_path(file));
    assert_int_not_equal(scree_source_open(&source, folder_path("c.bed"), NULL, &error), SCREE_OK);
    assert_null(source);
    if (!strstr(error.text, part))
        print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, part));
}

static void test_damage(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bed = file_read(write_cohort(false), &size);
    size_t fam_size = 0;
    unsigned char *fam = file_read(folder_path("c.fam"), &fam_size);
    size_t bim_size = 0;
    unsigned char *bim = file_read(folder_path("c.bim"), &bim_size);
    refuse("fam", NULL, 0, "c.fam: ");
    refuse("bim", NULL, 0, "c.bim: ");
    refuse("bed", bed, 3, "0 bytes of calls");
    refuse("bed", bed, size - 1, "no whole number of variants");
    refuse("bed", bed, size - 10, "has more variants than the 149");
    refuse("fam", fam, fam_size - 20, "give those that belong together");
    refuse("fam", "a b 0 0 1 -9\n", 13, "has 150 variants, and the .bed has 1500");
    refuse("fam", "\n \n", 3, "names no sample");
    refuse("fam", "a\n", 2, "line 1 has 1 field");
    refuse("fam", "a \xff\n", 4, "no text in UTF-8");
    refuse("fam", "a \0b\n", 5, "no text in UTF-8");
    refuse("bim", bim, bim_size - strlen("X\tv150\t0\t15000\tA\tG\n"), "has 149 variants, and the .bed has 150");
    refuse("bim", bim, bim_size - 5, "line 150 has 4 fields");
    refuse("bim", "1 a 0 5 A\n1 a 0 5 A G T\n", 24, "line 2 has at least 7 fields");
    refuse("bim", "1 a 0 5 A G T\n", 14, "line 1 has at least 7 fields");
    refuse("bim", "1 a 0 5 A G\n1 b\n", 16, "line 2 has 2 fields");
    refuse("bim", "1 a 0 5 A G\n1 b 6 A G\n", 22, "line 2 has 5 fields, and the lines before it have 6");
    refuse("bim", "1 a 0 x A G\n", 12, "the position 'x' is no whole number");
    bed[size - 1] |= 0x40; /* the 38th sample */
    refuse("bed", bed, size, "has calls of more samples than the 37 of the .fam");
    bed[2] = 0;
    refuse("bed", bed, size, "sample after sample");
    bed[2] = 2;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.format = "bed";
    assert_int_equal(scree_source_open(&source, file_write("c.bed", bed, size), &options, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "its first bytes are not 6c 1b 01"));
    assert_int_equal(scree_source_open(&source, file_write("c.bed", bed, 2), &options, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "is truncated"));
    free(bed);
    free(fam);
    free(bim);
}

/* A limit of memory bounds what names may take. */
static void test_limit(void **state)
{
    (void)state;
    enum { LINES = 1000000 };
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    char *text = malloc(LINES * 16);
    size_t used = 0;
    assert_non_null(text);
    for (int i = 0; i < LINES; i++)
        used += (size_t)sprintf(text + used, "1 . 0 %d A G\n", i % 10);
    (void)write_cohort(false);
    file_write("c.bim", text, used);
    free(text);
    unsigned char *bed = calloc(LINES + 3, 1);
    assert_non_null(bed);
    bed[0] = 0x6c;
    bed[1] = 0x1b;
    bed[2] = 0x01;
    file_write("c.bed", bed, LINES + 3);
    free(bed);
    file_write("c.fam", "a b\n", 4);
    options.memory = 32 << 20;
    assert_int_equal(scree_source_open(&source, folder_path("c.bed"), &options, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "is too little memory"));
}

static void test_refused_options(void **state)
{
    (void)state;
    static const char csv[] = "a,b\n1,2\n3,4\n";
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    const char *path = file_write("t.csv", csv, sizeof csv - 1);
    options.min_allele = 0.1;
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "--maf is for genotypes"));
    options = (scree_read_options)SCREE_READ_OPTIONS_INIT;
    options.chromosomes = "1";
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_ERR_ARGUMENT);
    options = (scree_read_options)SCREE_READ_OPTIONS_INIT;
    options.label = "kind";
    assert_int_equal(scree_source_open(&source, write_cohort(false), &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "samples have FID and IID"));
    options.label = "FID";
    assert_int_equal(scree_source_open(&source, folder_path("c.bed"), &options, &error), SCREE_OK);
    assert_int_equal(source->about.text_label, 1);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_little_is_held),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_made_names),
        cmocka_unit_test(test_tables_as_they_come),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_what_does_not_vary),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refused_options),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
