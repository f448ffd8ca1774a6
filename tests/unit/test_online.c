/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over rows with gaps: near the fit of all rows at once, within the error that it states; the closed form when
 * nothing is missing, EM when the rows are few; the same bits for any threads and blocks; the error is kept in files.
 */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "support/agreement.h"
#include "support/calls.h"
#include "support/gappy.h"
#include "unit/temporary_folder.h"

#include <math.h>

static scree_fit_options options_of(int64_t components, bool online)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    o.components = components;
    o.online = online;
    o.em = "ml";
    return o;
}

static void test_agrees_with_batch(void **state)
{
    (void)state;
    static const double missing[] = {0.1, 0.3, 0.5};
    for (int i = 0; i < 9; i++) {
        gappy *g = gappy_made(24000 + 1000 * i, 30, 3, missing[i % 3], (uint64_t)(50 + i));
        scree_fit_options once = options_of(3, true);
        scree_fit_options often = options_of(3, false);
        scree_model *a = gappy_fit(g, &once);
        scree_model *b = gappy_fit(g, &often);
        const scree_model_view *x = scree_model_get(a);
        const scree_model_view *y = scree_model_get(b);
        assert_int_equal(x->passes, 1);
        assert_string_equal(x->stopped, "pass");
        assert_int_equal(x->n, g->n);
        assert_int_equal(x->observed, y->observed);
        assert_true(x->online_angle < 0.05);
        assert_true(x->online_noise < 0.05);
        assert_true(models_subspace_sine(a, b) < x->online_angle);
        assert_true(models_eigenvalue_distance(a, b) < 0.01);
        assert_true(fabs(x->noise_variance - y->noise_variance) < x->online_noise * y->noise_variance);
        for (int64_t j = 0; j < x->d; j++) {
            EXPECT_NEAR(x->variances[j], y->variances[j], 1e-11 * y->variances[j]);
            EXPECT_NEAR(x->mean[j], y->mean[j], 0.05 * sqrt(y->variances[j]));
        }
        scree_model_free(a);
        scree_model_free(b);
        gappy_free(g);
    }
}

static void test_complete_is_the_closed_form(void **state)
{
    (void)state;
    gappy *g = gappy_made(9000, 20, 3, 0, 61);
    scree_fit_options once = options_of(3, true);
    scree_fit_options often = options_of(3, false);
    scree_model *a = gappy_fit(g, &once);
    scree_model *b = gappy_fit(g, &often);
    const scree_model_view *x = scree_model_get(a);
    const scree_model_view *y = scree_model_get(b);
    assert_string_equal(x->solver, "covariance");
    assert_null(x->stopped);
    assert_true(x->online_angle == 0 && x->online_noise == 0);
    assert_true(models_subspace_sine(a, b) < 1e-10);
    EXPECT_NEAR(x->noise_variance, y->noise_variance, 1e-12 * y->noise_variance);
    EXPECT_NEAR(x->total_variance, y->total_variance, 1e-12 * y->total_variance);
    scree_model_free(a);
    scree_model_free(b);
    g->x[8999 * 20 + 7] = NAN; /* one gap, in the last row */
    scree_model *c = gappy_fit(g, &once);
    assert_string_equal(scree_model_get(c)->stopped, "pass");
    assert_int_equal(scree_model_get(c)->observed, 9000 * 20 - 1);
    scree_model_free(c);
    gappy_free(g);
}

static void test_few_rows_are_fitted_at_once(void **state)
{
    (void)state;
    gappy *g = gappy_made(500, 20, 3, 0.2, 62);
    scree_fit_options once = options_of(3, true);
    scree_fit_options often = options_of(3, false);
    once.ddof = often.ddof = 1;
    scree_model *a = gappy_fit(g, &once);
    scree_model *b = gappy_fit(g, &often);
    const scree_model_view *x = scree_model_get(a);
    const scree_model_view *y = scree_model_get(b);
    assert_string_equal(x->stopped, y->stopped);
    assert_memory_equal(x->eigenvalues, y->eigenvalues, 3 * sizeof(double));
    assert_memory_equal(x->variances, y->variances, 20 * sizeof(double));
    assert_true(x->online_angle == 0);
    assert_true(x->log_likelihood == y->log_likelihood);
    assert_memory_equal(x->components, y->components, 3 * 20 * sizeof(double));
    scree_model_free(a);
    scree_model_free(b);
    gappy_free(g);
}

static void test_same_bits(void **state)
{
    (void)state;
    static const int64_t blocks[] = {0, 77, 5000};
    gappy *g = gappy_made(11000, 20, 2, 0.2, 63);
    scree_model *models[3];
    for (int i = 0; i < 3; i++) {
        scree_run run = SCREE_RUN_INIT;
        scree_fit_options o = options_of(2, true);
        o.run = &run;
        run.threads = 1 << i;
        run.block_rows = blocks[i];
        models[i] = gappy_fit(g, &o);
        const scree_model_view *x = scree_model_get(models[0]);
        const scree_model_view *y = scree_model_get(models[i]);
        assert_memory_equal(x->components, y->components, 2 * 20 * sizeof(double));
        assert_memory_equal(x->mean, y->mean, 20 * sizeof(double));
        assert_true(x->noise_variance == y->noise_variance && x->online_angle == y->online_angle);
    }
    scree_model *loaded = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const char *path = folder_path("online.scree");
    assert_int_equal(scree_model_save(models[0], path, &error), SCREE_OK);
    assert_int_equal(scree_model_load(&loaded, path, &error), SCREE_OK);
    assert_true(scree_model_get(loaded)->online_angle == scree_model_get(models[0])->online_angle);
    assert_true(scree_model_get(loaded)->online_noise == scree_model_get(models[0])->online_noise);
    assert_string_equal(scree_model_get(loaded)->stopped, "pass");
    scree_model_free(loaded);
    for (int i = 0; i < 3; i++)
        scree_model_free(models[i]);
    gappy_free(g);
}

static void expect_sentence(const gappy *g, const scree_fit_options *options, const char *wanted)
{
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), SCREE_OK);
    assert_int_not_equal(scree_model_fit(&model, source, options, &error), SCREE_OK);
    assert_string_equal(error.text, wanted);
    scree_source_free(source);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    gappy *g = gappy_made(8300, 6, 2, 0.2, 64);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = options_of(2, true);
    o.scale = SCREE_SCALE_UNIT;
    expect_sentence(
        g, &o,
        "memory: an online fit knows the scale of the columns and shares of the variance only at its end; leave "
        "the scale out, and say how many components");
    o = options_of(2, true);
    o.em = "vb";
    expect_sentence(g, &o, "memory: an online fit is by maximum likelihood, not Bayes; leave one of the two out");
    o = options_of(2, true);
    o.run = &run;
    run.memory = 1 << 16;
    run.threads = 1;
    expect_sentence(
        g, &o, "memory: an online fit of 6 columns needs 5 MiB; allow that much memory, or ask for fewer components");
    o = options_of(2, true);
    o.solver = "svd";
    expect_sentence(
        g, &o,
        "memory: an online fit has its own method and cannot choose the number of components; leave the solver "
        "out, and say how many components");
    o = options_of(2, true);
    g->x[8250 * 6 + 3] = INFINITY;
    expect_sentence(g, &o,
                    "memory: row 8251, column 4 is infinite; fill the cell in, empty it, or leave the row or column "
                    "out");
    for (int64_t i = 0; i < 8200; i++)
        g->x[i * 6 + 1] = NAN;
    expect_sentence(g, &o,
                    "memory: column 2 has no value in rows 1 to 8192, and a fit in one pass starts from these; leave "
                    "the column out, or save the rows to a file and fit that");
    g->x[5000 * 6 + 1] = 1;
    expect_sentence(g, &o,
                    "memory: column 2 has no value in rows 1 to 4096, and a fit in one pass starts from these; leave "
                    "the column out, or save the rows to a file and fit that");
    gappy_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agrees_with_batch),
                                       cmocka_unit_test(test_complete_is_the_closed_form),
                                       cmocka_unit_test(test_few_rows_are_fitted_at_once),
                                       cmocka_unit_test(test_same_bits), cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
