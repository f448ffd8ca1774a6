/* SPDX-License-Identifier: BSD-3-Clause */
/* Criteria that are functions of a spectrum: against plain loops and published constants, and what they say when the
 * spectrum does not suffice. */

#include "fit/criterion.h"

#include "base/random.h"
#include "support/calls.h"
#include "support/checks.h"

#include <string.h>

enum { MOST = 64 };

static scree__spectrum spectrum_of(const double *values, int64_t count, int64_t n, int64_t d, double trace)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__spectrum s = {.n = n, .cols = d, .d = d, .threads = 1, .memory = INT64_C(1) << 30};
    EXPECT_OK(scree__spectrum_make(&s, values, count, trace, &error), error);
    return s;
}

static void evaluate(const scree__criterion *c, const scree__spectrum *s, double *values)
{
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(c->evaluate(s, values, &error), error);
}

/* Descending, all different, with sum returned. */
static double falling(double *values, int64_t count)
{
    double sum = 0;
    for (int64_t j = 0; j < count; j++) {
        values[j] = 9.0 * exp(-0.3 * (double)j) + 0.4 + 0.01 * sin((double)j);
        sum += values[j];
    }
    return sum;
}

/* As numerics has it: two loops and nothing shared between different M. */
static double plain_minka(const double *values, int64_t count, int64_t n, int64_t d, int64_t k)
{
    double lambda[MOST] = {0};
    double hat[MOST];
    double v = 0;
    memcpy(lambda, values, (size_t)count * sizeof *values);
    for (int64_t j = k; j < d; j++)
        v += lambda[j] / (double)(d - k);
    for (int64_t j = 0; j < d; j++)
        hat[j] = j < k ? lambda[j] : v;
    const double nn = (double)n;
    double sum = -(double)k * log(2) - nn * (double)(d - k) / 2 * log(v) - (double)k / 2 * log(nn);
    sum += ((double)(d * k - k * (k + 1) / 2 + k)) / 2 * log(2 * M_PI);
    for (int64_t i = 0; i < k; i++) {
        const double half = (double)(d - i) / 2;
        sum += lgamma(half) - half * log(M_PI) - nn / 2 * log(lambda[i]);
        for (int64_t j = i + 1; j < d; j++)
            sum -= 0.5 * (log(1 / hat[j] - 1 / hat[i]) + log(lambda[i] - lambda[j]) + log(nn));
    }
    return sum;
}

static void test_minka_is_the_double_sum(void **state)
{
    (void)state;
    double values[MOST];
    double found[MOST + 1];
    double trace = falling(values, 20);
    scree__spectrum s = spectrum_of(values, 20, 300, 20, trace);
    evaluate(&scree__criterion_minka, &s, found);
    for (int64_t k = 0; k < 20; k++)
        EXPECT_NEAR(found[k], plain_minka(values, 20, 300, 20, k), 1e-11 * fabs(found[k]));
    assert_true(isnan(found[20]));
    scree__spectrum_clear(&s);

    trace = falling(values, 14); /* 15 rows, 50 columns: the rest are zeros */
    s = spectrum_of(values, 14, 15, 50, trace);
    assert_int_equal(s.d, 50);
    evaluate(&scree__criterion_minka, &s, found);
    for (int64_t k = 0; k < 14; k++)
        EXPECT_NEAR(found[k], plain_minka(values, 14, 15, 50, k), 1e-11 * fabs(found[k]));
    assert_true(scree__criterion_minka.choose(&s, found) <= 7);
    scree__spectrum_clear(&s);
}

static void test_ties_are_no_infinite_evidence(void **state)
{
    (void)state;
    const double values[] = {10, 10, 1, 1, 1, 1, 1, 1, 1, 1};
    double found[MOST];
    scree__spectrum s = spectrum_of(values, 10, 500, 10, 28);
    evaluate(&scree__criterion_minka, &s, found);
    for (int64_t k = 0; k < 10; k++)
        assert_true(isfinite(found[k]));
    assert_true(found[2] > found[1] && found[2] > found[0]);
    scree__spectrum_clear(&s);
}

static void test_bic_and_aic_differ_by_their_penalty(void **state)
{
    (void)state;
    double values[MOST];
    double bic[MOST + 1];
    double aic[MOST + 1];
    scree__spectrum s = spectrum_of(values, 12, 200, 12, falling(values, 12));
    evaluate(&scree__criterion_bic, &s, bic);
    evaluate(&scree__criterion_aic, &s, aic);
    for (int64_t k = 0; k < 12; k++) {
        const double p = (double)(12 * k - k * (k - 1) / 2 + 1 + 12);
        double logs = 0;
        double left = 0;
        for (int64_t j = 0; j < 12; j++)
            if (j < k)
                logs += log(values[j]);
            else
                left += values[j] / (double)(12 - k);
        const double loglik = -100 * (12 * log(2 * M_PI) + logs + (double)(12 - k) * log(left) + 12);
        EXPECT_NEAR(aic[k], -2 * loglik + 2 * p, 1e-10 * fabs(aic[k]));
        EXPECT_NEAR(bic[k], -2 * loglik + p * log(200), 1e-10 * fabs(bic[k]));
    }
    assert_true(isnan(bic[12]));
    scree__spectrum_clear(&s);
}

/* Gavish and Donoho give ω(β) = λ(β)/√median in a table and as a cubic good to 0.02. */
static void test_median_of_marchenko_and_pastur(void **state)
{
    (void)state;
    for (int i = 1; i <= 20; i++) {
        const double beta = i / 20.0;
        const double known = sqrt(2 * (beta + 1) + 8 * beta / (beta + 1 + sqrt(beta * beta + 14 * beta + 1)));
        const double cubic = ((0.56 * beta - 0.95) * beta + 1.82) * beta + 1.43;
        EXPECT_NEAR(known / sqrt(scree__marchenko_median(beta)), cubic, 0.02);
    }
    EXPECT_NEAR(4 / sqrt(3) / sqrt(scree__marchenko_median(1)), 2.8582, 2e-4);
    EXPECT_NEAR(1.5066 / sqrt(scree__marchenko_median(0.05)), 1.5194, 2e-3);
}

/* Quantiles of the law of order 1 (Bejan 2005). */
static void test_tail_of_tracy_and_widom(void **state)
{
    (void)state;
    static const double table[][2] = {{-1.2686, 0.5}, {0.4501, 0.1}, {0.9793, 0.05}, {2.0234, 0.01}, {3.2724, 0.001}};
    for (int64_t i = 0; i < COUNT_OF(table); i++)
        EXPECT_NEAR(exp(scree__log_tracy_widom_tail(table[i][0])), table[i][1], 1e-3 + 0.05 * table[i][1] * 0.5);
}

/* An eigenvalue that dwarfs the others must not hide itself in the spread that it makes. */
static void test_tracy_and_widom_see_a_giant(void **state)
{
    (void)state;
    double values[MOST];
    double found[MOST + 1];
    double sum = 0;
    for (int64_t j = 0; j < 40; j++) {
        values[j] = 1 + 0.02 * (double)(20 - j); /* a bulk, as wide as noise of many rows */
        sum += values[j];
    }
    sum += 1e5 - values[0];
    values[0] = 1e5;
    scree__spectrum s = spectrum_of(values, 40, 1000, 40, sum);
    evaluate(&scree__criterion_tracy, &s, found);
    assert_true(found[1] < 1e-9);
    assert_true(found[2] > 0.01);
    assert_true(scree__criterion_tracy.choose(&s, found) == 1);
    scree__spectrum_clear(&s);
}

/* On noise alone the chance of the first eigenvalue is below 5 % about once in twenty times. */
static void test_tracy_and_widom_on_noise(void **state)
{
    (void)state;
    enum { ROWS = 200, COLS = 40, SETS = 100 };
    static double x[ROWS * COLS];
    double found[MOST + 1];
    int unlikely = 0;
    for (uint64_t seed = 0; seed < SETS; seed++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree_model *model = NULL;
        scree_run run = SCREE_RUN_INIT;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = SCREE_ALL;
        options.run = &run;
        run.threads = 1;
        scree__normals(seed, 0, 0, ROWS * COLS, x);
        EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, COLS), &error), error);
        EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
        const scree_model_view *view = scree_model_get(model);
        scree__spectrum s = spectrum_of(view->eigenvalues, COLS, ROWS, COLS, view->total_variance);
        evaluate(&scree__criterion_tracy, &s, found);
        unlikely += found[1] < 0.05;
        scree__spectrum_clear(&s);
        scree_model_free(model);
        scree_source_free(source);
    }
    assert_true(unlikely >= 1 && unlikely <= 12);
}

static void test_thresholds_scale_with_the_noise(void **state)
{
    (void)state;
    double values[MOST];
    double found[MOST + 1];
    scree__spectrum s = spectrum_of(values, 20, 101, 20, falling(values, 20));
    s.noise = 0.5;
    evaluate(&scree__criterion_gavish_known, &s, found);
    const double beta = 0.2;
    const double factor = 2 * (beta + 1) + 8 * beta / (beta + 1 + sqrt(beta * beta + 14 * beta + 1));
    EXPECT_NEAR(found[3], values[2] * 101 / (factor * 100 * 0.5), 1e-12);
    evaluate(&scree__criterion_marchenko, &s, found);
    EXPECT_NEAR(found[3], values[2] * 101 / (0.5 * pow(10 + sqrt(20), 2)), 1e-12);
    s.noise = 0;
    char reason[SCREE__REASON];
    assert_false(scree__criterion_gavish_known.defined(&s, reason));
    assert_non_null(strstr(reason, "noise"));
    scree__spectrum_clear(&s);
}

static void test_a_cut_spectrum_says_what_is_missing(void **state)
{
    (void)state;
    static const scree__criterion *const need_all[] = {&scree__criterion_minka, &scree__criterion_gavish,
                                                       &scree__criterion_tracy};
    double values[MOST];
    double found[MOST + 1];
    char reason[SCREE__REASON];
    const double trace = falling(values, 30);
    scree__spectrum s = spectrum_of(values, 8, 500, 30, trace);
    for (int64_t i = 0; i < COUNT_OF(need_all); i++) {
        assert_false(need_all[i]->defined(&s, reason));
        assert_non_null(strstr(reason, "the first 8"));
    }
    evaluate(&scree__criterion_error, &s, found);
    EXPECT_NEAR(found[0], trace, 0);
    EXPECT_NEAR(found[8],
                trace - values[0] - values[1] - values[2] - values[3] - values[4] - values[5] - values[6] - values[7],
                1e-12 * trace);
    evaluate(&scree__criterion_marchenko, &s, found); /* the noise is what is left */
    const int64_t m = scree__choose_above_one(&s, found);
    assert_true(m > 0);
    const double edge = s.left[m] / (double)(30 - m) * pow(sqrt(499) + sqrt(30), 2) / 500;
    EXPECT_NEAR(found[1], values[0] / edge, 1e-12 * found[1]);
    scree__spectrum_clear(&s);
}

static void test_directions_without_variance_do_not_count(void **state)
{
    (void)state;
    const double values[] = {9, 4, 1, 0.9, 1e-16, 0};
    scree__spectrum s = spectrum_of(values, 6, 100, 6, 14.9);
    assert_int_equal(s.d, 4);
    assert_int_equal(s.max_components, 4);
    assert_true(s.complete);
    scree__spectrum_clear(&s);
    s = spectrum_of(values, 4, 5, 6, 14.9); /* too few rows for more */
    assert_int_equal(s.d, 6);
    assert_true(s.complete);
    scree__spectrum_clear(&s);
}

/* Noise of one variance: eigenvalues of a large sample against those drawn for parallel analysis. */
static void test_parallel_analysis_draws_noise(void **state)
{
    (void)state;
    double variances[40];
    double found[41];
    double values[40];
    static const int64_t rows[] = {4000, 21};
    for (int64_t i = 0; i < 40; i++)
        variances[i] = 2;
    for (int r = 0; r < 2; r++) {
        const double n = (double)(rows[r] - 1);
        const int64_t count = rows[r] - 1 < 40 ? rows[r] - 1 : 40;
        const double edge = 2 * pow(sqrt(n) + sqrt(40), 2) / (double)rows[r];
        const double low = 2 * pow(sqrt(n) - sqrt(40), 2) / (double)rows[r];
        for (int64_t j = 0; j < count; j++)
            values[j] = edge - (edge - low) * (double)j / (double)(count - 1);
        scree__spectrum s = spectrum_of(values, count, rows[r], 40, 80);
        s.variances = variances;
        evaluate(&scree__criterion_parallel, &s, found);
        EXPECT_NEAR(found[1], 1, r ? 0.2 : 0.03);
        EXPECT_NEAR(found[count], 1, r ? 0.6 : 0.06);
        s.variances = NULL;
        scree__spectrum_clear(&s);
    }
}

/* Where only M = 0 has a value nothing was compared, and nothing is chosen. */
static void test_one_candidate_is_no_choice(void **state)
{
    (void)state;
    const scree__spectrum s = {.max_components = 2};
    const double alone[] = {1, NAN, NAN};
    const double two[] = {1, 2, NAN};
    assert_int_equal(scree__choose_largest(&s, alone), -1);
    assert_int_equal(scree__choose_smallest(&s, alone), -1);
    assert_int_equal(scree__choose_largest(&s, two), 1);
    assert_int_equal(scree__choose_smallest(&s, two), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minka_is_the_double_sum),
        cmocka_unit_test(test_ties_are_no_infinite_evidence),
        cmocka_unit_test(test_bic_and_aic_differ_by_their_penalty),
        cmocka_unit_test(test_median_of_marchenko_and_pastur),
        cmocka_unit_test(test_tail_of_tracy_and_widom),
        cmocka_unit_test(test_tracy_and_widom_see_a_giant),
        cmocka_unit_test(test_tracy_and_widom_on_noise),
        cmocka_unit_test(test_thresholds_scale_with_the_noise),
        cmocka_unit_test(test_a_cut_spectrum_says_what_is_missing),
        cmocka_unit_test(test_directions_without_variance_do_not_count),
        cmocka_unit_test(test_parallel_analysis_draws_noise),
        cmocka_unit_test(test_one_candidate_is_no_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
