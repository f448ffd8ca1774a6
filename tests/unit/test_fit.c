/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit as a whole: bad data in one sentence and no model, defaults, shares by every method, cancelling, seeds, rows
 * whose number was guessed wrongly, float arithmetic within its bounds. */

#include "support/bounds.h"
#include "support/calls.h"
#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "fit/accuracy.h"
#include "fit/method.h"
#include "support/reference.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos"};

static rows *made(int64_t n, int64_t d, scree_type type)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(51, i, j) * pow(0.8, (double)j) + 2;
    rows_mix(x, n, d);
    return rows_of(x, n, d, type, 0);
}

static void expect_failure(const rows *r, const char *solver, scree_status status, const char *sentence)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(r);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    options.solver = solver;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), status);
    assert_null(model);
    assert_string_equal(error.text, sentence);
    scree_source_free(source);
}

/* Row 47, column 7 in people's numbers. */
static void test_bad_cell(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        rows *r = made(64, 70, SCREE_F64);
        double *cell = (double *)r->data + 46 * r->stride + 6;
        *cell = NAN;
        expect_failure(
            r, solvers[s], SCREE_ERR_VALUE,
            "memory: row 47, column 7 is missing; leave the solver out, or use em, which fits missing values");
        *cell = -INFINITY;
        expect_failure(r, solvers[s], SCREE_ERR_VALUE,
                       "memory: row 47, column 7 is infinite; fill the cell in, or leave the row or column out");
        rows_free(r);
    }
}

static void test_nothing_varies(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        double *x = scree__alloc(64 * 70, sizeof *x);
        for (int64_t i = 0; i < 64 * 70; i++)
            x[i] = 0.1 * (double)(i % 70);
        rows *r = rows_of(x, 64, 70, SCREE_F64, 0);
        expect_failure(r, solvers[s], SCREE_ERR_VALUE,
                       "memory: every column is constant, so there is no variance to explain; check the data");
        rows_free(r);
    }
}

/* Values whose squares do not exist: a sentence, not an infinity. */
static void test_too_large(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL;
        rows *r = made(64, 70, SCREE_F64);
        for (int64_t i = 0; i < 64; i++)
            ((double *)r->data)[i * r->stride + 2] *= 1e200;
        scree_source *source = rows_source(r);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 3;
        options.solver = solvers[s];
        assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_VALUE);
        assert_null(model);
        assert_non_null(strstr(error.text, "rescale"));
        scree_source_free(source);
        rows_free(r);
    }
}

static void test_defaults(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    rows *r = made(200, 60, SCREE_F64);
    scree_source *source = rows_source(r);
    EXPECT_OK(scree_model_fit(&model, source, NULL, &error), error);
    assert_int_equal(scree_model_get(model)->m, 50);
    assert_int_equal(scree_model_get(model)->ddof, 0);
    assert_null(scree_model_get(model)->scale);
    assert_null(scree_model_get(model)->columns);
    scree_model_free(model);
    scree_source_free(source);
    rows_free(r);
}

static void test_share(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        const bool is_lanczos = strcmp(solvers[s], "lanczos") == 0; /* it wants 32 components of 256 and more */
        rows *r = made(is_lanczos ? 300 : 64, is_lanczos ? 260 : 70, SCREE_F64);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.share = 0.9;
        options.solver = solvers[s];
        scree_model *model = rows_fit(r, &options);
        const scree_model_view *view = scree_model_get(model);
        double kept = 0;
        for (int64_t j = 0; j < view->m; j++) {
            assert_true(kept < 0.9 * view->total_variance); /* one fewer would not do */
            kept += view->eigenvalues[j];
        }
        assert_true(kept >= 0.9 * view->total_variance);
        scree_model_free(model);
        rows_free(r);
    }
}

static int stop_at(void *context, const scree_progress *progress)
{
    int *left = context;
    assert_string_equal(progress->stage, "fit");
    assert_true(progress->pass >= 1);
    return --*left == 0;
}

static void test_cancelled(void **state)
{
    (void)state;
    rows *r = made(64, 70, SCREE_F64);
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL;
        int left = strcmp(solvers[s], "lanczos") == 0 ? 4 : 1;
        scree_source *source = rows_source(r);
        scree_run run = SCREE_RUN_INIT;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 3;
        options.solver = solvers[s];
        options.run = &run;
        run.progress = stop_at;
        run.progress_context = &left;
        assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_CANCELLED);
        assert_null(model);
        scree_source_free(source);
    }
    rows_free(r);
}

/* The start of an iteration changes nothing but the last bits. */
static void test_seeds(void **state)
{
    (void)state;
    rows *r = made(100, 70, SCREE_F64);
    reference *truth = reference_of(r->exact, r->n, r->d, (reference_options){0});
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    options.solver = "lanczos";
    for (options.seed = 0; options.seed < 5; options.seed++) {
        scree_model *model = rows_fit(r, &options);
        reference_expect(truth, model, "lanczos");
        assert_true(scree_model_get(model)->tolerance == 0);
        assert_string_equal(scree_model_get(model)->stop_rule, "sampling");
        scree_model_free(model);
    }
    reference_free(truth);
    rows_free(r);
}

static const char *csv_of(const rows *r)
{
    const size_t most = (size_t)(r->n * r->d) * 26 + 1;
    char *text = malloc(most);
    size_t size = 0;
    assert_non_null(text);
    for (int64_t i = 0; i < r->n * r->d; i++)
        size += (size_t)snprintf(text + size, most - size, "%.17g%c", r->exact[i], (i + 1) % r->d ? ',' : '\n');
    const char *path = file_write("x.csv", text, size);
    free(text);
    return path;
}

/* A file of unknown length: the guess decides how a method starts, not what it finds. */
static void fit_with_guess(const rows *r, const reference *truth, int64_t guess, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    EXPECT_OK(scree_source_open(&source, csv_of(r), NULL, &error), error);
    assert_true(source->about.rows == -1);
    source->about.rows_estimate = guess;
    options.components = 3;
    options.solver = solver;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    reference_expect(truth, model, solver);
    scree_model_free(model);
    scree_source_free(source);
}

static void test_wrong_guess_of_rows(void **state)
{
    (void)state;
    static const int64_t guesses[] = {3, 39, 100000};
    static const int64_t heights[] = {20, 40, 300};
    for (int64_t h = 0; h < COUNT_OF(heights); h++) {
        rows *r = made(heights[h], 40, SCREE_F64);
        reference *truth = reference_of(r->exact, r->n, r->d, (reference_options){0});
        for (int64_t g = 0; g < COUNT_OF(guesses); g++) {
            fit_with_guess(r, truth, guesses[g], "svd");
            if (guesses[g] < r->d && r->n <= r->d)
                fit_with_guess(r, truth, guesses[g], "gram");
        }
        reference_free(truth);
        rows_free(r);
    }
}

/* Float arithmetic is for large jobs; this one is told that it is. */
static void test_float_arithmetic(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__job job;
    scree__solution s = {0};
    bounds_found accuracy;
    const scree__bounds to = bounds_into(&accuracy);
    rows *r = made(1200, 40, SCREE_F32);
    reference *truth = reference_of(r->exact, r->n, r->d, (reference_options){0});
    scree_source *source = rows_source(r);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 5;
    options.run = &run_plain;
    EXPECT_OK(scree__job_make(&job, source, &options, &error), error);
    job.rows = INT64_C(1) << 40;
    EXPECT_OK(scree__method_covariance.run(&job, &s, &error), error);
    scree__accuracy(&to, &s, 40);
    assert_true(s.rounding > 1e-8 * s.total); /* it was float indeed */
    for (int64_t j = 0; j < 5; j++) {
        EXPECT_NEAR(s.values[j], truth->values[j], accuracy.eigenvalue_bounds[j]);
        EXPECT_NEAR(reference_sine(truth, s.vectors + j * 40, accuracy.cluster_first[j], accuracy.cluster_last[j]), 0,
                    accuracy.angle_bounds[j]);
        assert_true(accuracy.angle_bounds[j] < 0.1);
    }
    scree__solution_clear(&s);
    scree_source_free(source);
    reference_free(truth);
    rows_free(r);
}

/* Row 50 of weight 0 may be anything, and rows behind it keep their numbers. */
static void test_weights_in_sentences(void **state)
{
    (void)state;
    rows *r = made(64, 70, SCREE_F64);
    double weights[64];
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(r);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    for (int64_t i = 0; i < 64; i++)
        weights[i] = i == 49 ? 0 : 0.01;
    ((double *)r->data)[49 * r->stride + 3] = INFINITY;
    EXPECT_OK(scree_source_weigh(source, weights, 64, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_int_equal(scree_model_get(model)->n, 63);
    scree_model_free(model);
    model = NULL;
    for (int64_t s = 0; s <= COUNT_OF(solvers); s++) {
        options.solver = s < COUNT_OF(solvers) ? solvers[s] : "em";
        ((double *)r->data)[52 * r->stride + 6] = INFINITY;
        assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "memory: row 53, column 7 is infinite; "));
        ((double *)r->data)[52 * r->stride + 6] = 1;
        options.ddof = 1;
        assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_VALUE);
        assert_string_equal(error.text,
                            "memory: the weights add up to 0.63, which leaves nothing of the divisor N - 1; "
                            "give larger weights, or use ddof 0");
        options.ddof = 0;
    }
    options.solver = NULL;
    options.online = true;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_UNSUPPORTED);
    assert_string_equal(error.text, "memory: an online fit takes no weights; leave one of the two out");
    assert_null(model);
    scree_source_free(source);
    rows_free(r);
}

static void expect_reason(double gap, const char *solver, bool bayes, const char *reason)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    rows *r = made(60, 6, SCREE_F64);
    ((double *)r->data)[r->stride + 1] = gap;
    scree_source *source = rows_source(r);
    const scree_run run = SIZED(scree_run, .cache = folder);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;
    options.solver = solver;
    options.bayes = bayes;
    options.run = &run;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_string_equal(scree_model_get(model)->solver_reason, reason);
    assert_int_equal(folder_walk(0), 0); /* a fit measures nothing */
    scree_model_free(model);
    scree_source_free(source);
    rows_free(r);
}

static void test_reasons(void **state)
{
    (void)state;
    expect_reason(1, NULL, false, "the fastest that fits");
    expect_reason(1, "svd", false, "asked for");
    expect_reason(1, NULL, true, "asked for");
    expect_reason(NAN, NULL, false, "values are missing");
    expect_reason(NAN, "em", false, "asked for");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_cell),
        cmocka_unit_test(test_nothing_varies),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_wrong_guess_of_rows),
        cmocka_unit_test(test_float_arithmetic),
        cmocka_unit_test(test_weights_in_sentences),
        cmocka_unit_test_setup_teardown(test_reasons, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
