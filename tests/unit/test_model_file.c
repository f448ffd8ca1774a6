/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as files: what is saved is loaded, to the bit; what is damaged, cut, of another kind or impossible is refused
 * with a sentence. Every byte of a file is flipped, and every length tried. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "made_model.h"
#include "model/safetensors.h"
#include "support/reference.h"
#include "temporary_folder.h"

static const char *const names[] = {"plain", "with \"quotes\"", "back\\slash", "größe", "new\nline", ""};

enum { D = 6, M = 3 };

static char path[128];

static int make(void **state)
{
    int failed = folder_make(state);
    snprintf(path, sizeof path, "%s/m.scree", folder);
    return failed;
}

static void assert_refused(const char *name, scree_status expected, const char *part)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_load(&model, name, &error), expected);
    assert_null(model);
    if (strncmp(error.text, name, strlen(name)) != 0 || !strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

static void what_is_saved_is_loaded(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0 / 3.0, true, names);
    scree_model *again = NULL;
    model->view.total_variance = 0.1 + 0.2 + 2.0; /* takes 17 digits */
    model->view.tolerance = 1e-8;
    model->view.weight = 1234.5;
    model->view.image_rows = 2;
    model->view.image_cols = 3;
    model->bounds.gaps[0] = INFINITY;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    assert_int_equal(scree_model_load(&again, path, NULL), SCREE_OK);
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(again);
    assert_true(a->total_variance == b->total_variance && a->tolerance == b->tolerance);
    assert_true(a->reconstruction_error == b->reconstruction_error && a->noise_variance == b->noise_variance);
    assert_true(a->n == b->n && b->weight == 1234.5 && a->ddof == b->ddof && a->passes == b->passes && b->converged);
    assert_true(b->image_rows == 2 && b->image_cols == 3);
    assert_memory_equal(a->mean, b->mean, D * sizeof(double));
    assert_memory_equal(a->scale, b->scale, D * sizeof(double));
    assert_memory_equal(a->components, b->components, M * D * sizeof(double));
    assert_memory_equal(a->eigenvalues, b->eigenvalues, M * sizeof(double));
    accuracy_expect_same(a, b, "loaded");
    assert_string_equal(b->solver, "covariance");
    for (int i = 0; i < D; i++)
        assert_string_equal(b->columns[i], names[i]);
    assert_int_equal(scree_model_save(again, folder_path("n.scree"), NULL), SCREE_OK);
    size_t size;
    size_t other_size;
    unsigned char *bytes = file_read(path, &size);
    unsigned char *other = file_read(folder_path("n.scree"), &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
    scree_model_free(model);
    scree_model_free(again);
}

static void a_model_without_extras_is_loaded(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree_model *again = NULL;
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    assert_int_equal(scree_model_load(&again, path, NULL), SCREE_OK);
    assert_null(scree_model_get(again)->scale);
    assert_null(scree_model_get(again)->columns);
    scree_model_free(model);
    scree_model_free(again);
}

static void noise_that_was_set_is_kept(void **state)
{
    (void)state;
    static const double noises[] = {0.0, 0.1, 3.0};
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    for (int i = 0; i < 3; i++) {
        scree_model *noisy = NULL;
        scree_model *again = NULL;
        scree_model *shorter = NULL;
        assert_int_equal(scree_model_with_noise(&noisy, model, noises[i], NULL), SCREE_OK);
        assert_int_equal(scree_model_save(noisy, path, NULL), SCREE_OK);
        assert_int_equal(scree_model_load(&again, path, NULL), SCREE_OK);
        assert_true(scree_model_get(again)->noise_variance == noises[i]);
        assert_true(scree_model_get(again)->reconstruction_error == scree_model_get(model)->reconstruction_error);
        assert_int_equal(scree_model_truncate(&shorter, again, M - 1, NULL), SCREE_OK);
        assert_true(scree_model_get(shorter)->noise_variance == noises[i]);
        scree_model_free(shorter);
        scree_model_free(again);
        scree_model_free(noisy);
    }
    scree_model_free(model);
}

static void every_flipped_byte_is_noticed(void **state)
{
    (void)state;
    static const unsigned char flips[] = {0x01, 0x20, 0x80};
    scree_model *model = made_model(2, 1, 1.0, false, names);
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    scree_model_free(model);
    size_t size;
    unsigned char *bytes = file_read(path, &size);
    for (size_t i = 0; i < size; i++) {
        unsigned char flip = flips[i % sizeof flips];
        bytes[i] ^= flip;
        file_write("m.scree", bytes, size);
        assert_refused(path, SCREE_ERR_MODEL, "");
        bytes[i] ^= flip;
    }
    free(bytes);
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    scree_model *model = made_model(2, 1, 1.0, false, NULL);
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    scree_model_free(model);
    size_t size;
    unsigned char *bytes = file_read(path, &size);
    for (size_t kept = 0; kept < size; kept += 3) {
        file_write("m.scree", bytes, kept);
        assert_refused(path, SCREE_ERR_MODEL, "");
    }
    file_write("m.scree", bytes, size - 1);
    assert_refused(path, SCREE_ERR_MODEL, "cut short in 'cluster_last'");
    file_write("m.scree", bytes, 100);
    assert_refused(path, SCREE_ERR_MODEL, "cut short: its header alone");
    file_write("m.scree", bytes, size + 1); /* the zero after it */
    assert_refused(path, SCREE_ERR_MODEL, "after the last array, by bytes: 1");
    free(bytes);
}

static void other_files_are_told_apart(void **state)
{
    (void)state;
    static const char csv[] = "a,b\n1,2\n3,4\n5,6\n";
    static const char other[] = "\x1a\0\0\0\0\0\0\0{\"__metadata__\":{\"a\":\"b\"}}";
    assert_refused(path, SCREE_ERR_IO, "there is no such file");
    assert_refused(folder, SCREE_ERR_IO, "cannot be read");
    file_write("m.scree", csv, sizeof csv - 1);
    assert_refused(path, SCREE_ERR_MODEL, "this is not a scree model");
    file_write("m.scree", csv, 0);
    assert_refused(path, SCREE_ERR_MODEL, "this is not a scree model");
    file_write("m.scree", other, sizeof other - 1);
    assert_refused(path, SCREE_ERR_MODEL, "this safetensors file is not a scree model");
}

static void newer_versions_are_named(void **state)
{
    (void)state;
    static const char key[] = "\"format_version\":\"";
    scree_model *model = made_model(2, 1, 1.0, false, NULL);
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    scree_model_free(model);
    size_t size;
    unsigned char *bytes = file_read(path, &size);
    char *place = strstr((char *)bytes + 8, key);
    assert_non_null(place);
    place[sizeof key - 1] = '9';
    file_write("m.scree", bytes, size);
    assert_refused(path, SCREE_ERR_MODEL,
                   ": model format version 9 is newer than this scree understands (3); update scree");
    free(bytes);
}

/* Saves a model after spoil, with a good checksum; loading must refuse it for the reason given. */
static void assert_spoilt(void (*spoil)(scree_model *), const char *part)
{
    scree_model *model = made_model(D, M, 1.0, true, names);
    spoil(model);
    assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
    scree_model_free(model);
    assert_refused(path, SCREE_ERR_MODEL, part);
}

static void spoil_mean(scree_model *model)
{
    model->mean[4] = NAN;
}
static void spoil_scale(scree_model *model)
{
    model->scale[0] = 0.0;
}
static void spoil_sign(scree_model *model)
{
    model->eigenvalues[M - 1] = -1e-300;
}
static void spoil_order(scree_model *model)
{
    model->eigenvalues[1] = 2.0;
}
static void spoil_length(scree_model *model)
{
    model->components[D + 1] += 0.1;
}
static void spoil_infinity(scree_model *model)
{
    model->components[D + 1] = INFINITY;
}
static void spoil_residual(scree_model *model)
{
    model->bounds.residuals[2] = INFINITY;
}
static void spoil_gap(scree_model *model)
{
    model->bounds.gaps[1] = NAN;
}
static void spoil_cluster(scree_model *model)
{
    model->bounds.cluster_last[1] = M;
}
static void spoil_rows(scree_model *model)
{
    model->view.n = 0;
}
static void spoil_ddof(scree_model *model)
{
    model->view.ddof = 1000;
}
static void spoil_weight(scree_model *model)
{
    model->view.weight = -2;
}
static void spoil_variance(scree_model *model)
{
    model->view.total_variance = NAN;
}
static void spoil_noise(scree_model *model)
{
    model->view.noise_given = true;
    model->view.noise_variance = -1;
}
static void spoil_mean_rest(scree_model *model)
{
    model->mean_rest = scree__alloc(D, sizeof *model->mean_rest);
    assert_non_null(model->mean_rest);
    model->mean_rest[2] = fabs(model->mean[2]) * 4e-16 + 1e-300;
}
static void spoil_width(scree_model *model)
{
    model->view.m = 2; /* the arrays follow: a model that is merely shorter, but for its cluster */
    model->bounds.cluster_last[1] = 2;
}

static void impossible_models_are_refused(void **state)
{
    (void)state;
    assert_spoilt(spoil_mean, "entry 5 of 'mean' is nan");
    assert_spoilt(spoil_scale, "entry 1 of 'scale' is 0");
    assert_spoilt(spoil_sign, "entry 3 of 'eigenvalues' is -1e-300");
    assert_spoilt(spoil_order, "eigenvalue 2 is larger than the one before");
    assert_spoilt(spoil_length, "component 2 has length");
    assert_spoilt(spoil_infinity, "component 2 has length inf");
    assert_spoilt(spoil_residual, "the accuracy of component 3");
    assert_spoilt(spoil_gap, "the accuracy of component 2");
    assert_spoilt(spoil_cluster, "the accuracy of component 2");
    assert_spoilt(spoil_rows, "'n' is '0'");
    assert_spoilt(spoil_ddof, "'ddof' is 1000 with 1000 rows");
    assert_spoilt(spoil_weight, "'weight' is '-2'");
    assert_spoilt(spoil_variance, "'total_variance' is 'nan'");
    assert_spoilt(spoil_noise, "'noise_variance' is '-1'");
    assert_spoilt(spoil_mean_rest, "entry 3 of 'mean_rest' is");
    assert_spoilt(spoil_width, "the accuracy of component 2");
}

/* Whole files, with a good checksum, in which a flag is another word. */
static void flags_are_true_or_false(void **state)
{
    (void)state;
    static const char *const flags[] = {"converged", "graded", "uncentred", "log1p"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        char key[32];
        char part[64];
        char digits[9];
        size_t size;
        scree_model *model = made_model(D, M, 1.0, false, names);
        model->view.graded = model->view.uncentred = model->view.log1p = true;
        assert_int_equal(scree_model_save(model, path, NULL), SCREE_OK);
        scree_model_free(model);
        unsigned char *bytes = file_read(path, &size);
        char *header = (char *)bytes + 8;
        const int64_t length = bytes[0] + 256 * bytes[1];
        snprintf(key, sizeof key, "\"%s\":\"true\"", flags[i]);
        char *place = strstr(header, key);
        assert_non_null(place);
        place[strlen(flags[i]) + 4] = 'T';
        char *checksum = header + (scree__checksum_find(header, length) - header);
        const uint32_t crc = scree__crc_more(scree__crc_begin(bytes, header, length, checksum), header + length,
                                             (int64_t)size - 8 - length);
        snprintf(digits, sizeof digits, "%08x", (unsigned)crc);
        memcpy(checksum, digits, 8);
        file_write("m.scree", bytes, size);
        snprintf(part, sizeof part, "'%s' is neither true nor false", flags[i]);
        assert_refused(path, SCREE_ERR_MODEL, part);
        free(bytes);
    }
}

static void unwritable_folders_leave_nothing(void **state)
{
    (void)state;
    scree_model *model = made_model(2, 1, 1.0, false, NULL);
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_save(model, "/no/such/folder/m.scree", &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "/no/such/folder"));
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_saved_is_loaded, make, folder_remove),
        cmocka_unit_test_setup_teardown(a_model_without_extras_is_loaded, make, folder_remove),
        cmocka_unit_test_setup_teardown(noise_that_was_set_is_kept, make, folder_remove),
        cmocka_unit_test_setup_teardown(every_flipped_byte_is_noticed, make, folder_remove),
        cmocka_unit_test_setup_teardown(every_cut_is_noticed, make, folder_remove),
        cmocka_unit_test_setup_teardown(other_files_are_told_apart, make, folder_remove),
        cmocka_unit_test_setup_teardown(newer_versions_are_named, make, folder_remove),
        cmocka_unit_test_setup_teardown(flags_are_true_or_false, make, folder_remove),
        cmocka_unit_test_setup_teardown(impossible_models_are_refused, make, folder_remove),
        cmocka_unit_test(unwritable_folders_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
