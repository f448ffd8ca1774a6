/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of the machine: measured once and kept, whatever a second measure would say; a file that is damaged or of
 * another machine is not believed; where nothing can be kept nothing is measured. */

#include "support/checks.h"

#include "fit/rates.h"

#include "temporary_folder.h"

static int measures;
static double factor;

static void measure(scree__rates *rates)
{
    measures++;
    rates->gemm_f32 *= factor;
    rates->gemm_f64 *= factor;
    rates->skinny_f32 *= factor;
    rates->skinny_f64 *= factor;
    rates->eigen *= factor;
    rates->copy *= factor;
}

static int start(void **state)
{
    measures = 0;
    factor = 2;
    return folder_make(state);
}

/* The name of the only file in the folder. */
static const char *only_file(void)
{
    static char path[512];
    DIR *handle = opendir(folder);
    struct dirent *entry;
    assert_non_null(handle);
    while ((entry = readdir(handle)) != NULL)
        if (strncmp(entry->d_name, "rates-", 6) == 0)
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    closedir(handle);
    return path;
}

static void test_measured_once(void **state)
{
    (void)state;
    scree__rates first = {0};
    scree__rates second = {0};
    assert_true(scree__rates_kept(&first, folder, "a processor", measure));
    factor = 16; /* the machine is never that much faster, and nobody asks again */
    assert_true(scree__rates_kept(&second, folder, "a processor", measure));
    assert_int_equal(measures, 1);
    assert_int_equal(folder_walk(0), 1);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(scree__rates_kept(&second, folder, "another processor", measure));
    assert_int_equal(measures, 2);
    assert_int_equal(folder_walk(0), 2);
    assert_true(fabs(second.gemm_f64 / first.gemm_f64 / 8 - 1) < 1e-12);
}

/* Steps of 2^¼: within 2^⅛ of what was measured, and the same for measures that differ by little. */
static void test_steps(void **state)
{
    (void)state;
    scree__rates kept = {0};
    scree__rates again = {0};
    assert_true(scree__rates_kept(&kept, folder, "x", measure));
    const double pairs[][2] = {
        {kept.gemm_f32, scree__rates_builtin.gemm_f32},     {kept.gemm_f64, scree__rates_builtin.gemm_f64},
        {kept.skinny_f32, scree__rates_builtin.skinny_f32}, {kept.skinny_f64, scree__rates_builtin.skinny_f64},
        {kept.eigen, scree__rates_builtin.eigen},           {kept.copy, scree__rates_builtin.copy}};
    for (int64_t i = 0; i < COUNT_OF(pairs); i++)
        assert_true(fabs(log2(pairs[i][0] / (2 * pairs[i][1]))) <= 0.125 + 1e-12);
    factor = 2 * kept.gemm_f64 / (2 * scree__rates_builtin.gemm_f64) * 1.05;
    assert_true(scree__rates_kept(&again, folder, "y", measure));
    assert_true(again.gemm_f64 == kept.gemm_f64);
}

static void expect_mended(const char *text, size_t size)
{
    scree__rates rates = {0};
    FILE *file = fopen(only_file(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    measures = 0;
    assert_true(scree__rates_kept(&rates, folder, "x", measure));
    assert_int_equal(measures, 1);
    assert_true(scree__rates_kept(&rates, folder, "x", measure));
    assert_int_equal(measures, 1);
}

/* Cut anywhere, or with any byte changed to one that makes no sense, it is measured anew. */
static void test_damage(void **state)
{
    (void)state;
    scree__rates rates = {0};
    size_t size;
    assert_true(scree__rates_kept(&rates, folder, "x", measure));
    char *text = (char *)file_read(only_file(), &size);
    for (size_t cut = 0; cut < size; cut++)
        expect_mended(text, cut);
    for (size_t at = 0; at < size; at++) {
        const char kept = text[at];
        text[at] = '?';
        expect_mended(text, size);
        text[at] = kept;
    }
    static const char silly[] = "scree rates 1\nx\ngemm_f32 999\n";
    expect_mended(silly, sizeof silly - 1);
    free(text);
}

static void test_not_kept(void **state)
{
    (void)state;
    scree__rates rates = scree__rates_builtin;
    const char *file = file_write("file", "x", 1);
    assert_false(scree__rates_kept(&rates, file, "x", measure));
    assert_memory_equal(&rates, &scree__rates_builtin, sizeof rates);
    assert_int_equal(measures, 0);
}

/* Of this machine: one file, and the same rates from then on. */
static void test_machine(void **state)
{
    (void)state;
    char text[256];
    scree__rates first = scree__rates_builtin;
    scree__rates second = {0};
    assert_true(scree__rates_machine(&first, folder));
    assert_int_equal(folder_walk(0), 1);
    assert_true(scree__rates_machine(&second, folder));
    assert_memory_equal(&first, &second, sizeof first);
    scree__rates_describe(&first, true, text, sizeof text);
    assert_non_null(strstr(text, "rates of this machine"));
    scree__rates_describe(&scree__rates_builtin, false, text, sizeof text);
    assert_non_null(strstr(text, "built-in"));
    assert_false(scree__rates_machine(&second, only_file()));
    assert_memory_equal(&first, &second, sizeof first);
}

/* Whatever machine this is: more than ten million flops a second, less than 10¹⁴. */
static void test_probe(void **state)
{
    (void)state;
    scree__rates rates = {0};
    scree__rates_measure(&rates);
    const double flops[] = {rates.gemm_f32, rates.gemm_f64, rates.skinny_f32, rates.skinny_f64, rates.copy};
    for (int64_t i = 0; i < COUNT_OF(flops); i++)
        assert_true(flops[i] > 1e7 && flops[i] < 1e14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_measured_once, start, folder_remove),
        cmocka_unit_test_setup_teardown(test_steps, start, folder_remove),
        cmocka_unit_test_setup_teardown(test_damage, start, folder_remove),
        cmocka_unit_test_setup_teardown(test_not_kept, start, folder_remove),
        cmocka_unit_test_setup_teardown(test_machine, start, folder_remove),
        cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
