/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes as the columns of a model: by id and allele, the other allele turned round, whatever the order; what is not
 * there is the model's mean, and what came of all of them is counted. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"
#include "cohort_file.h"
#include "data/bed.h"
#include "fixed_draws.h"

#include <math.h>

enum { N = 37, D = 150, COLUMNS = 8 };

/* Variants of the file are v1 .. v150, A1 A and A2 G. */
static const char *const columns[COLUMNS] = {"v150_A(/G)", "v3_G(/A)",   "v2_A",     "v7_A(/T)",
                                             "w1_A(/G)",   "v149_G(/A)", "v1_A(/G)", "v77_A(/G)"};
static const int variant_of[COLUMNS] = {149, 2, 1, -1, -1, 148, 0, 76};
static const bool flips[COLUMNS] = {[1] = true, [5] = true};
static const double means[COLUMNS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};

static signed char copies[N * D];

static const char *write_cohort(bool with_missing)
{
    fixed_state = 5;
    for (int i = 0; i < N * D; i++)
        copies[i] = (signed char)(fixed_draw() / 64 % 3);
    for (int i = 0; with_missing && i < N * D; i += 3)
        copies[i] = -1;
    cohort_write_tables("c", N, D);
    return cohort_write_bed("c", copies, N, D);
}

static scree_read_options of_model(const char *const *names, int64_t count)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.numeric = names;
    options.numeric_count = count;
    options.means = means;
    return options;
}

static double wanted(int sample, int j, bool keeps_missing)
{
    const int copy = variant_of[j] < 0 ? -1 : copies[sample * D + variant_of[j]];
    if (copy < 0)
        return keeps_missing ? NAN : means[j];
    return flips[j] ? 2 - copy : copy;
}

static void test_columns_of_a_model(void **state)
{
    (void)state;
    for (int keeps = 0; keeps < 2; keeps++)
        for (int64_t block = 1; block < 50; block += 12) {
            scree_read_options options = of_model(columns, COLUMNS);
            scree_source *source = NULL;
            double values[N * COLUMNS];
            options.missing_calls = keeps != 0;
            assert_int_equal(scree_source_open(&source, write_cohort(true), &options, NULL), SCREE_OK);
            assert_int_equal(scree_source_cols(source), COLUMNS);
            assert_null(source->genotypes);
            for (int j = 0; j < COLUMNS; j++)
                assert_string_equal(scree_source_column(source, j), columns[j]);
            source->block_rows = block;
            assert_int_equal(read_doubles(source, values, N * COLUMNS, NULL), N * COLUMNS);
            for (int i = 0; i < N * COLUMNS; i++) {
                const double expected = wanted(i / COLUMNS, i % COLUMNS, keeps);
                assert_true(isnan(expected) ? isnan(values[i]) : values[i] == expected);
            }
            scree_source_free(source);
        }
}

static void test_counts_are_told(void **state)
{
    (void)state;
    scree_read_options options = of_model(columns, COLUMNS);
    scree_source *source = NULL;
    int missing = 0;
    char part[100];
    assert_int_equal(scree_source_open(&source, write_cohort(true), &options, NULL), SCREE_OK);
    for (int i = 0; i < N * COLUMNS; i++)
        missing += variant_of[i % COLUMNS] >= 0 && copies[i / COLUMNS * D + variant_of[i % COLUMNS]] < 0;
    snprintf(part, sizeof part, "; %d missing calls, each taken as the model's mean of its variant", missing);
    assert_true(missing > 10);
    assert_non_null(strstr(scree_source_note(source), part));
    assert_non_null(strstr(scree_source_note(source), "of the model's 8 variants 4 matched, 2 flipped, 1 mismatched "
                                                      "(other alleles), 1 absent; mismatched and absent ones are taken "
                                                      "as missing calls; 144 variants that the model does not use"));
    assert_string_equal(scree_source_fact(source, 1, 3), "G"); /* of the column, not of the file */
    assert_string_equal(scree_source_fact(source, 1, 4), "A");
    assert_string_equal(scree_source_fact(source, 4, 3), "");
    scree_source_free(source);
}

/* Both alleles have to agree as far as they are known: a model of before knows A1 alone, and a cohort in which an
 * allele does not occur has 0 for it. */
static void test_alleles_agree(void **state)
{
    (void)state;
    static const char bim[] = "1 v1 0 1 0 G\n1 v2 0 2 0 A\n1 v3 0 3 0 T\n1 v4 0 4 0 0\n1 v5 0 5 G A\n1 v6 0 6 A T\n"
                              "1 v7 0 7 A <DEL>\n1 v8 0 8 A T\n";
    static const char *const alleles[COLUMNS] = {"v1_A(/G)", "v2_A(/G)", "v3_A(/G)",     "v4_A(/G)",
                                                 "v5_A(/G)", "v6_A(/G)", "v7_<DEL>(/A)", "v8_A"};
    static const int turned[COLUMNS] = {0, 1, -1, -1, 1, -1, 1, 0};
    scree_read_options options = of_model(alleles, COLUMNS);
    scree_source *source = NULL;
    double values[N * COLUMNS];
    (void)write_cohort(false);
    cohort_write_text("c", "bim", bim);
    assert_int_equal(scree_source_open(&source, cohort_write_bed("c", copies, N, COLUMNS), &options, NULL), SCREE_OK);
    assert_non_null(strstr(scree_source_note(source), "2 matched, 3 flipped, 3 mismatched (other alleles), 0 absent"));
    assert_int_equal(read_doubles(source, values, N * COLUMNS, NULL), N * COLUMNS);
    for (int i = 0; i < N * COLUMNS; i++) {
        const int how = turned[i % COLUMNS];
        assert_true(values[i] == (how < 0 ? means[i % COLUMNS] : how ? 2 - copies[i] : copies[i]));
    }
    scree_source_free(source);
}

/* All there, no call missing: whole numbers, as ever. */
static void test_nothing_is_lacking(void **state)
{
    (void)state;
    static const char *const some[] = {"v2_G", "v1_A"};
    scree_read_options options = of_model(some, 2);
    scree_source *source = NULL;
    double values[N * 2];
    assert_int_equal(scree_source_open(&source, write_cohort(false), &options, NULL), SCREE_OK);
    assert_int_equal(scree_source_type(source), SCREE_U8);
    assert_int_equal(read_doubles(source, values, N * 2, NULL), N * 2);
    for (int i = 0; i < N; i++)
        assert_true(values[2 * i] == 2 - copies[i * D + 1] && values[2 * i + 1] == copies[i * D]);
    scree_source_free(source);
}

static void test_too_few_are_found(void **state)
{
    (void)state;
    static const char *const some[] = {"v1_A", "v2_T", "w3_A", "v4_C", "v5_G"};
    scree_read_options options = of_model(some, 5);
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_source_open(&source, write_cohort(false), &options, &error), SCREE_ERR_SHAPE);
    assert_null(source);
    assert_non_null(
        strstr(error.text, "too few variants of the model are here: 2 of 5, and 2 more with other alleles"));
    options.numeric_count = 4;
    options.numeric = some + 1;
    assert_int_equal(scree_source_open(&source, folder_path("c.bed"), &options, &error), SCREE_ERR_SHAPE);
    static const char *const half[] = {"v1_A", "v2_T", "w3_A", "v5_G"};
    options.numeric = half;
    assert_int_equal(scree_source_open(&source, folder_path("c.bed"), &options, &error), SCREE_OK);
    scree_source_free(source);
    options.means = NULL; /* only names: rows are the variants of the file */
    assert_int_equal(scree_source_open(&source, folder_path("c.bed"), &options, &error), SCREE_OK);
    assert_int_equal(scree_source_cols(source), D);
    scree_source_free(source);
}

/* Underscores may be anywhere, and one name may be the beginning of another. */
static void test_names_with_marks(void **state)
{
    (void)state;
    static const char bim[] = "1 r 0 10 A C\n1 r_1 0 20 A G\n1 r_1_A 0 30 C <A_B>\n1 _ 0 40 T A\n";
    static const char *const names[] = {"r_A", "r_1_A", "r_1_A_<A_B>", "__A", "r_1_G", "_", "r", ""};
    static const int is[] = {0, 1, 2, 3, 1};
    static const bool turned[] = {false, false, true, true, true};
    scree_read_options options = of_model(names, 8);
    scree_source *source = NULL;
    double values[N * 8];
    (void)write_cohort(false);
    cohort_write_text("c", "bim", bim);
    assert_int_equal(scree_source_open(&source, cohort_write_bed("c", copies, N, 4), &options, NULL), SCREE_OK);
    assert_int_equal(read_doubles(source, values, N * 8, NULL), N * 8);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 8; j++) {
            const double copy = j < 5 ? copies[i * 4 + is[j]] : means[j];
            assert_true(values[i * 8 + j] == (j < 5 && turned[j] ? 2 - copy : copy));
        }
    assert_non_null(strstr(scree_source_note(source), "2 matched, 3 flipped, 0 mismatched (other alleles), 3 absent"));
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_a_model), cmocka_unit_test(test_counts_are_told),
        cmocka_unit_test(test_alleles_agree),      cmocka_unit_test(test_nothing_is_lacking),
        cmocka_unit_test(test_too_few_are_found),  cmocka_unit_test(test_names_with_marks),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
