/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap replicates: their weights, their moments against a plain sum, the same bits for any threads, blocks and
 * methods that read the same rows, a small simulation, what is kept in a file, and what is refused. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "fit/replicates.h"
#include "support/calls.h"
#include "support/coverage.h"

#include <stdlib.h>
#include <string.h>

enum { N = 500, D = 6, K = 3, B = 60 };

static double *some_rows(double mean)
{
    double *x = scree__alloc(N * D, sizeof *x);
    assert_non_null(x);
    scree__normals(5, 0, 0, N * D, x);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = mean + x[i] * (double)(D - i % D) * (i % D == 0 ? 3 : 1);
    return x;
}

static scree_status fit(scree_model **model, const double *x, const scree_fit_options *options, scree_error *error)
{
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), error), *error);
    const scree_status status = scree_model_fit(model, source, options, error);
    scree_source_free(source);
    return status;
}

static void test_weights(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    for (int64_t b = 0; b < 3; b++) {
        double sum = 0, square = 0, zeros = 0;
        for (int64_t i = 0; i < ROWS; i++) {
            const int w = scree__poisson_weight(7, b, i);
            sum += w;
            square += w * w;
            zeros += w == 0;
        }
        EXPECT_NEAR(sum / ROWS, 1, 0.03);
        EXPECT_NEAR(square / ROWS, 2, 0.1);
        EXPECT_NEAR(zeros / ROWS, exp(-1), 0.015);
    }
    int differ = 0;
    for (int64_t i = 0; i < 100; i++)
        differ += scree__poisson_weight(7, 0, i) != scree__poisson_weight(7, 1, i);
    assert_true(differ > 30);
}

/* Large means cost no digits. */
static void test_moments(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = run_with_threads(2);
    double *x = some_rows(1e6);
    scree__job job = {.options = &options, .cols = D, .threads = 2, .memory = 1 << 30, .rows = N, .k = K};
    scree__replicates *r = NULL;
    options.bootstrap = B;
    options.run = &run;
    EXPECT_OK(scree__replicates_new(&r, &job, &error), error);
    for (int64_t first = 0; first < N; first += 100) {
        const scree__batch batch = {
            .data = x + first * D, .type = SCREE_F64, .rows = 100, .cols = D, .stride = D, .first = first};
        EXPECT_OK(scree__replicates_add(r, &batch, &error), error);
    }
    EXPECT_OK(scree__replicates_flush(r, &error), error);
    for (int64_t b = 0; b < B; b += 7) {
        double weight = 0, sum = 0, square = 0;
        for (int64_t i = 0; i < N; i++) {
            const double w = scree__poisson_weight(0, b, i);
            const double y = x[i * D + 1] - r->origin[1];
            weight += w;
            sum += w * y;
            square += w * y * y;
        }
        EXPECT_NEAR(r->sums[b * (D + 1) + D], weight, 0);
        EXPECT_NEAR(r->sums[b * (D + 1) + 1], sum, 1e-9 * fabs(sum) + 1e-9);
        EXPECT_NEAR(r->scatter[b * D * D + D + 1], square, 1e-9 * square);
    }
    scree__replicates_free(r);
    free(x);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_same(const scree_model *a, const scree_model *b)
{
    const scree_model_view *view = scree_model_get(a);
    const scree_bootstrap_view *p = scree_model_bootstrap(a), *q = scree_model_bootstrap(b);
    assert_true(p && q);
    assert_int_equal(p->replicates, q->replicates);
    assert_int_equal(p->signals_low, q->signals_low);
    assert_int_equal(p->signals_high, q->signals_high);
    assert_memory_equal(p->loading_errors, q->loading_errors, (size_t)(view->m * view->d) * sizeof(double));
    for (int64_t j = 0; j < view->m; j++) {
        scree_sampling s = SCREE_SAMPLING_INIT, t = SCREE_SAMPLING_INIT;
        assert_int_equal(scree_model_sampling(a, j, &s, NULL), SCREE_OK);
        assert_int_equal(scree_model_sampling(b, j, &t, NULL), SCREE_OK);
        assert_int_equal(s.replicates, B);
        assert_true(same(s.low, t.low) && same(s.high, t.high) && same(s.error, t.error));
        assert_true(same(s.angle_limit, t.angle_limit) && same(s.share_low, t.share_low));
        assert_true(same(s.share_high, t.share_high) && s.share_low < s.share_high && (s.noise || s.low < s.high));
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = some_rows(3);
    scree_model *first = NULL;
    static const int threads[] = {1, 2, 4};
    static const int64_t blocks[] = {0, 77, 333};
    options.bootstrap = B;
    options.components = K;
    for (int scaled = 0; scaled < 2; scaled++) {
        options.scale = scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        for (int i = 0; i < 3; i++) {
            scree_run run = run_with_blocks(threads[i], blocks[i]);
            scree_model *model = NULL;
            options.run = &run;
            EXPECT_OK(fit(&model, x, &options, &error), error);
            if (first)
                expect_same(first, model);
            if (first)
                scree_model_free(model);
            else
                first = model;
        }
        scree_model_free(first);
        first = NULL;
    }
    free(x);
}

/* A file with numbers that no replicates give is refused. */
static void test_refuses_lies(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL, *loaded = NULL;
    void *bytes = NULL;
    size_t size = 0;
    double *x = some_rows(0);
    options.bootstrap = B;
    options.components = K;
    EXPECT_OK(fit(&model, x, &options, &error), error);
    for (int field = SCREE__BOOTSTRAP_LOW; field <= SCREE__BOOTSTRAP_FIELDS; field++) {
        const bool high = field == SCREE__BOOTSTRAP_HIGH;
        double *place = model->bootstrap->table + field % SCREE__BOOTSTRAP_FIELDS;
        const double right = *place;
        if (field < SCREE__BOOTSTRAP_FIELDS)
            *place = high ? 0 : 1e9;
        else
            model->bootstrap->view.signals_high = 1000;
        EXPECT_OK(scree_model_save_buffer(&bytes, &size, model, &error), error);
        assert_int_equal(scree_model_load_buffer(&loaded, bytes, size, &error), SCREE_ERR_MODEL);
        assert_non_null(strstr(error.text, "bootstrap"));
        scree_buffer_free(bytes);
        *place = right;
    }
    scree_model_free(model);
    free(x);
}

/* Kept in the file, cut with the model. */
static void test_kept(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL, *loaded = NULL, *shorter = NULL;
    void *bytes = NULL;
    size_t size = 0;
    double *x = some_rows(0);
    options.bootstrap = B;
    options.components = K;
    EXPECT_OK(fit(&model, x, &options, &error), error);
    EXPECT_OK(scree_model_save_buffer(&bytes, &size, model, &error), error);
    EXPECT_OK(scree_model_load_buffer(&loaded, bytes, size, &error), error);
    expect_same(model, loaded);
    EXPECT_OK(scree_model_truncate(&shorter, loaded, 2, &error), error);
    expect_same(shorter, model);
    scree_buffer_free(bytes);
    scree_model_free(model);
    scree_model_free(loaded);
    scree_model_free(shorter);
    free(x);
}

static void test_coverage_of_few(void **state)
{
    (void)state;
    enum { SAMPLES = SLOW_BUILD ? 30 : 200 };
    static const population p = {
        .rows = 100, .columns = 5, .signals = 2, .value = {40, 10}, .kept = 2, .bootstrap = 100};
    const coverage c = coverage_of(&p, 1, SAMPLES);
    for (int64_t j = 0; j < p.signals; j++) {
        coverage_expect(&c, c.value[j], 0.91, 0.97, "eigenvalue");
        coverage_expect(&c, c.angle[j], 0.91, 0.97, "angle");
    }
}

/* A column that varies in one row alone is constant in a third of the replicates. */
static void test_constant_in_a_replicate(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    double *x = some_rows(3);
    options.bootstrap = B;
    options.components = K;
    options.scale = SCREE_SCALE_UNIT;
    for (int64_t i = 0; i < N; i++)
        x[i * D + 4] = i == 77 ? 5.3 : 0.1;
    EXPECT_OK(fit(&model, x, &options, &error), error);
    for (int64_t j = 0; j < K; j++) {
        scree_sampling s = SCREE_SAMPLING_INIT;
        assert_int_equal(scree_model_sampling(model, j, &s, NULL), SCREE_OK);
        assert_true(s.share_low > 0.05 && s.share_high < 0.5);
    }
    scree_model_free(model);
    free(x);
}

/* Rows whose squares are near the edge of doubles are fitted times a power of two: their sampling
 * errors, by theory and by replicates, are those of rows of size 1 in the unit of the rows. */
static void test_other_units(void **state)
{
    (void)state;
    static const int exponents[] = {-470, -330, 330, 500};
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    for (int i = 0; i < 4 * COUNT_OF(exponents); i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL, *wanted = NULL;
        double *x = some_rows(3);
        options.scale = i % 2 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        options.bootstrap = i / 2 % 2 ? B : 0;
        EXPECT_OK(fit(&wanted, x, &options, &error), error);
        for (int64_t c = 0; c < N * D; c++)
            x[c] = ldexp(x[c], exponents[i / 4]);
        EXPECT_OK(fit(&model, x, &options, &error), error);
        const double unit = i % 2 ? 1 : ldexp(1, 2 * exponents[i / 4]);
        for (int64_t j = 0; j < K; j++) {
            scree_sampling s = SCREE_SAMPLING_INIT, t = SCREE_SAMPLING_INIT;
            assert_int_equal(scree_model_sampling(model, j, &s, NULL), SCREE_OK);
            assert_int_equal(scree_model_sampling(wanted, j, &t, NULL), SCREE_OK);
            assert_int_equal(s.replicates, options.bootstrap);
            assert_int_equal(s.noise, t.noise);
            EXPECT_NEAR(s.eigenvalue / unit, t.eigenvalue, 1e-9 * t.eigenvalue);
            if (!t.noise) {
                EXPECT_NEAR(s.low / unit, t.low, 1e-9 * t.low);
                EXPECT_NEAR(s.high / unit, t.high, 1e-9 * t.high);
                EXPECT_NEAR(s.error / unit, t.error, 1e-9 * t.error);
                EXPECT_NEAR(s.angle_limit, t.angle_limit, 1e-6);
            }
            if (options.bootstrap) {
                EXPECT_NEAR(s.share_low, t.share_low, 1e-9);
                EXPECT_NEAR(s.share_high, t.share_high, 1e-9);
            }
        }
        scree_model_free(model);
        scree_model_free(wanted);
        free(x);
    }
}

/* What the library of linear algebra says of the first replicate that it cannot solve is passed on. */
static void test_unsolved(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree__replicates *r = NULL;
    double *x = some_rows(0);
    const scree__batch batch = {.data = x, .type = SCREE_F64, .rows = N, .cols = D, .stride = D};
    const scree__job job = {.options = &options, .cols = D, .threads = 4, .memory = 1 << 30, .rows = N, .k = K};
    options.components = K;
    EXPECT_OK(fit(&model, x, &options, &error), error);
    options.bootstrap = B;
    EXPECT_OK(scree__replicates_new(&r, &job, &error), error);
    EXPECT_OK(scree__replicates_add(r, &batch, &error), error);
    EXPECT_OK(scree__replicates_flush(r, &error), error);
    for (int64_t b = 20; b < 30; b++)
        r->scatter[b * D * D + 1] = NAN;
    assert_int_not_equal(scree__replicates_finish(r, model, &error), SCREE_OK);
    const char *said = strstr(error.text, "replicate 21 were not found: ");
    assert_non_null(said);
    assert_true(strlen(said) > strlen("replicate 21 were not found: ") + 10);
    scree__replicates_free(r);
    scree_model_free(model);
    free(x);
}

static void test_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = run_with_memory(4 << 20);
    scree_model *model = NULL;
    double *x = some_rows(0);
    options.bootstrap = 10;
    assert_int_equal(fit(&model, x, &options, &error), SCREE_ERR_ARGUMENT);
    options.bootstrap = B;
    options.solver = "em";
    assert_int_equal(fit(&model, x, &options, &error), SCREE_ERR_UNSUPPORTED);
    options.solver = NULL;
    options.online = true;
    assert_int_equal(fit(&model, x, &options, &error), SCREE_ERR_UNSUPPORTED);
    options.online = false;
    options.bootstrap = 100000;
    options.run = &run;
    assert_int_equal(fit(&model, x, &options, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "fewer replicates"));
    options.bootstrap = B;
    options.run = NULL;
    x[7] = NAN;
    assert_int_equal(fit(&model, x, &options, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "missing"));
    assert_null(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),         cmocka_unit_test(test_moments),
        cmocka_unit_test(test_same_bits),       cmocka_unit_test(test_kept),
        cmocka_unit_test(test_coverage_of_few), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_other_units),     cmocka_unit_test(test_constant_in_a_replicate),
        cmocka_unit_test(test_unsolved),        cmocka_unit_test(test_refuses_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
