/* SPDX-License-Identifier: BSD-3-Clause */
/* A relation that held in all fitted rows is as sharp as the decimals of their columns, with gaps and without: a count
 * or a cent too many breaks it, however many zeros cells end in. Rows written with fewer digits than the fitted ones do
 * not break it. Decimals are kept in files. */

#include "support/checks.h"

#include "kernel/decimals.h"
#include "model/relations.h"
#include "model/safetensors.h"
#include "support/calls.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 300, D = 5, TOTAL = 3, ROOM = 1 << 16 };

static void test_number(void **state)
{
    (void)state;
    assert_int_equal(scree__decimals(12, 1e-14, 0), 0);
    assert_int_equal(scree__decimals(0.3, 1e-16, 0), 1);
    assert_int_equal(scree__decimals(-12.25, 1e-14, 1), 2);
    assert_int_equal(scree__decimals(12, 1e-14, 3), 3);
    assert_int_equal(scree__decimals(12.25, 1e-14, -1), -1);
    assert_int_equal(scree__decimals(sqrt(2), 1e-15, 0), -1);
    assert_int_equal(scree__decimals(1e15 + 1, 1, 0), -1);
}

/* Three positive columns with so many decimals, their total, and a column of its own. */
static void fill(double *x, int64_t n, double size, int decimals, uint64_t seed)
{
    const double power = pow(10, decimals);
    for (int64_t i = 0; i < n; i++) {
        double total = 0;
        for (int64_t j = 0; j < TOTAL; j++) {
            const double whole = nearbyint(power * size * exp(rows_random(seed, i, j) / 2));
            total += whole;
            x[i * D + j] = whole / power;
        }
        x[i * D + TOTAL] = total / power;
        x[i * D + 4] = rows_random(seed, i, 4);
    }
}

/* In every so manieth row a cell is missing. */
static scree_model *fitted(double *x, int64_t n, int64_t d, int64_t gaps)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 2;
    for (int64_t i = 5; gaps > 0 && i < n; i += gaps)
        x[i * d + i % 4] = NAN;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &o, &error), error);
    assert_non_null(scree_model_relations(model));
    scree_source_free(source);
    return model;
}

/* Rows with p = 0. */
static int64_t count_broken(const scree_model *model, const double *x, int64_t n)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score scores[N];
    int64_t count = 0;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, n, scree_model_get(model)->d), scores, &error), error);
    for (int64_t i = 0; i < n; i++)
        count += scores[i].p_value == 0;
    scree_scorer_free(scorer);
    return count;
}

/* Totals that are off by some units of so many decimals; of three hundred rows, a few may look rounded. */
static void expect_sharp(const scree_model *model, double size, int decimals)
{
    static double new[N * D];
    static const int off[] = {1, 2, 3, 5, 50, -1};
    const double power = pow(10, decimals);
    fill(new, N, size, decimals, 22);
    assert_int_equal(count_broken(model, new, N), 0);
    for (int k = 0; k < 6; k++) {
        fill(new, N, size, decimals, 23 + (uint64_t)k);
        for (int64_t i = 0; i < N; i++)
            new[i * D + TOTAL] = nearbyint(power * new[i * D + TOTAL] + off[k]) / power;
        assert_in_range(count_broken(model, new, N), N - 3, N);
    }
}

static void test_sharp(void **state)
{
    (void)state;
    static double x[N * D];
    static const int64_t gaps[] = {0, N, 7};
    static const double sizes[] = {20, 400};
    for (int decimals = 0; decimals <= 2; decimals++)
        for (int k = 0; k < 3; k++)
            for (int s = 0; s < 2; s++) {
                fill(x, N, sizes[s], decimals, 21);
                scree_model *model = fitted(x, N, D, gaps[k]);
                expect_sharp(model, sizes[s], decimals);
                scree_model_free(model);
            }
}

/* Averages of whole numbers with two decimals, of which some are whole. */
static void test_finer(void **state)
{
    (void)state;
    static double x[N * D];
    double row[] = {12, 5, 7.99, 25, 0.5}; /* of 12.0049, 5.0049, 7.9949, and 25.0047 */
    fill(x, N, 20, 0, 21);
    scree_model *model = fitted(x, N, D, 7);
    assert_int_equal(count_broken(model, row, 1), 0);
    row[TOTAL] = 25.03;
    assert_int_equal(count_broken(model, row, 1), 1);
    scree_model_free(model);
}

/* One of three, with gaps: two, or none. */
static void test_kinds(void **state)
{
    (void)state;
    static double x[N * D];
    double row[] = {0, 1, 0, 0.125, -0.5};
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = j < 3 ? (i * i + i / 7) % 3 == j : rows_random(31, i, j);
    scree_model *model = fitted(x, N, D, 9);
    assert_int_equal(count_broken(model, row, 1), 0);
    row[0] = 1;
    assert_int_equal(count_broken(model, row, 1), 1);
    row[0] = row[1] = 0;
    assert_int_equal(count_broken(model, row, 1), 1);
    row[0] = 0.75;
    row[1] = 0.25;
    assert_int_equal(count_broken(model, row, 1), 0);
    scree_model_free(model);
}

static double with_digits(double x, int digits)
{
    const double power = pow(10, digits - 1 - floor(log10(fabs(x))));
    return nearbyint(x * power) / power;
}

static double half_float(double x)
{
    const double unit = ldexp(1, ilogb(x) - 10);
    return nearbyint(x / unit) * unit;
}

/* Written with so many digits, or decimals less 10; 0: as half floats; 1: as floats. */
static double written(double x, int how)
{
    const double power = pow(10, how + 10);
    return how > 1 ? with_digits(x, how) : how < 0 ? nearbyint(x * power) / power : how == 0 ? half_float(x) : (float)x;
}

static void test_coarser(void **state)
{
    (void)state;
    static double x[N * D], new[N * D];
    static const int hows[] = {-10, -9, -8, 0, 1, 3, 4, 6};
    for (int decimals = 0; decimals <= 9; decimals += decimals == 4 ? 5 : 2)
        for (int gaps = 0; gaps < 2; gaps++) {
            fill(x, N, 400, decimals, 41);
            scree_model *model = fitted(x, N, D, gaps * 7);
            for (int k = 0; k < 8; k++) {
                fill(new, N, 400, decimals, 42);
                for (int64_t i = 0; i < N * D; i++)
                    new[i] = written(new[i], hows[k]);
                assert_int_equal(count_broken(model, new, N), 0);
                for (int64_t i = 0; i < N; i++)
                    new[i * D + TOTAL] *= 1.5;
                assert_int_equal(count_broken(model, new, N), N);
            }
            scree_model_free(model);
        }
}

/* The bytes of a file, and how many. */
static size_t read_bytes(const char *path, char *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, ROOM, file);
    fclose(file);
    assert_true(count > 0 && count < ROOM);
    return count;
}

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/* The tensor of decimals gets another name, under which it is ignored, and the file its checksum. */
static void hide_decimals(const char *path)
{
    static const char NAME[] = "\"relation_decimals\"";
    static char bytes[ROOM];
    const size_t count = read_bytes(path, bytes);
    char *header = bytes + 8;
    char digits[9];
    uint64_t size;
    memcpy(&size, bytes, sizeof size);
    size_t at = 0;
    while (at + sizeof NAME < size && memcmp(header + at, NAME, sizeof NAME - 1) != 0)
        at++;
    assert_true(at + sizeof NAME < size);
    header[at + 1] = 'R';
    const char *place = scree__checksum_find(header, (int64_t)size);
    uint32_t crc = scree__crc_begin(bytes, header, (int64_t)size, place);
    crc = scree__crc_more(crc, header + size, (int64_t)(count - 8 - size));
    snprintf(digits, sizeof digits, "%08x", (unsigned)crc);
    memcpy(header + (place - header), digits, 8);
    write_bytes(path, bytes, count);
}

/* What a file says, impossible numbers, and none. */
static void test_file(void **state)
{
    (void)state;
    static double x[N * D];
    scree_error error = SCREE_ERROR_INIT;
    const char *path = folder_path("decimals.scree");
    scree_model *loaded = NULL;
    fill(x, N, 20, 2, 21);
    scree_model *model = fitted(x, N, D, 7);
    EXPECT_OK(scree_model_save(model, path, &error), error);
    EXPECT_OK(scree_model_load(&loaded, path, &error), error);
    expect_sharp(loaded, 20, 2);
    scree_model_free(loaded);
    hide_decimals(path);
    EXPECT_OK(scree_model_load(&loaded, path, &error), error);
    assert_int_equal(count_broken(loaded, x, 1), 0);
    x[TOTAL] += 10;
    assert_int_equal(count_broken(loaded, x, 1), 1);
    scree_model_free(loaded);
    for (int k = 0; k < 2; k++) {
        model->relations->decimals[1] = k == 0 ? -2 : SCREE__DECIMALS_MOST + 1;
        EXPECT_OK(scree_model_save(model, path, &error), error);
        assert_int_equal(scree_model_load(&loaded, path, &error), SCREE_ERR_MODEL);
        assert_non_null(strstr(error.text, "relation_decimals"));
    }
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number), cmocka_unit_test(test_sharp),   cmocka_unit_test(test_finer),
        cmocka_unit_test(test_kinds),  cmocka_unit_test(test_coarser), cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
