/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of rows with gaps as a user meets them: complete rows give the closed form, gaps choose em and nothing else
 * does, the same bits for any threads, blocks and memory, every odd shape of gaps has its answer or its sentence. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "support/agreement.h"
#include "support/calls.h"
#include "support/gappy.h"
#include "unit/temporary_folder.h"

static scree_fit_options options_of(int64_t components, const char *solver, const char *em)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    o.components = components;
    o.solver = solver;
    o.em = em;
    return o;
}

static void test_complete_is_the_closed_form(void **state)
{
    (void)state;
    gappy *g = gappy_made(400, 30, 4, 0, 21);
    for (int i = 0; i < 4; i++) {
        scree_fit_options plain = options_of(4, NULL, NULL);
        plain.scale = i & 1 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        plain.ddof = i / 2;
        scree_fit_options with_em = plain;
        with_em.solver = "em";
        with_em.em = "ml";
        scree_model *a = gappy_fit(g, &plain);
        scree_model *b = gappy_fit(g, &with_em);
        const scree_model_view *x = scree_model_get(a);
        const scree_model_view *y = scree_model_get(b);
        assert_true(models_subspace_sine(a, b) < 1e-6);
        assert_true(models_eigenvalue_distance(a, b) < 1e-8);
        EXPECT_NEAR(y->noise_variance, x->noise_variance, 1e-8 * x->noise_variance);
        EXPECT_NEAR(y->total_variance, x->total_variance, 1e-8 * x->total_variance);
        assert_true(y->iterations <= 3);
        assert_string_equal(y->solver, "em");
        assert_string_not_equal(x->solver, "em");
        assert_null(x->stopped);
        assert_int_equal(x->observed, 400 * 30);
        if (plain.ddof == 0)
            EXPECT_NEAR(y->log_likelihood, facts_of(a).log_likelihood, 1e-8 * fabs(y->log_likelihood));
        scree_model_free(a);
        scree_model_free(b);
    }
    gappy_free(g);
}

static void test_gaps_choose_em(void **state)
{
    (void)state;
    gappy *g = gappy_made(300, 20, 2, 0.1, 22);
    scree_fit_options o = options_of(2, NULL, NULL);
    scree_model *model = gappy_fit(g, &o);
    const scree_model_view *view = scree_model_get(model);
    int64_t cells = 0;
    for (int64_t i = 0; i < g->n * g->d; i++)
        cells += !isnan(g->x[i]);
    assert_string_equal(view->solver, "em");
    assert_string_equal(view->stopped, "tolerance");
    assert_int_equal(view->observed, cells);
    assert_false(view->bayes);
    assert_true(view->converged);
    assert_true(view->iterations >= 2);
    EXPECT_NEAR(view->tolerance, 1e-6, 0);
    scree_model_free(model);
    gappy_free(g);
}

static void expect_same_bits(const scree_model *a, const scree_model *b)
{
    const scree_model_view *x = scree_model_get(a);
    const scree_model_view *y = scree_model_get(b);
    assert_int_equal(x->m, y->m);
    assert_int_equal(x->iterations, y->iterations);
    assert_true(x->log_likelihood == y->log_likelihood);
    assert_true(x->total_variance == y->total_variance);
    assert_memory_equal(x->eigenvalues, y->eigenvalues, (size_t)x->m * sizeof(double));
    assert_memory_equal(x->components, y->components, (size_t)(x->m * x->d) * sizeof(double));
    assert_memory_equal(x->mean, y->mean, (size_t)x->d * sizeof(double));
}

static void run_same_bits(int64_t n, int64_t d, double missing, const char *em)
{
    gappy *g = gappy_made(n, d, 3, missing, 23);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = options_of(5, NULL, em);
    o.tolerance = 1e-2;
    o.run = &run;
    run.threads = 1;
    scree_model *one = gappy_fit(g, &o);
    for (int threads = 2; threads <= 4; threads++)
        for (int64_t block = 0; block < 2; block++) {
            run.threads = threads;
            run.block_rows = block * 37;
            scree_model *other = gappy_fit(g, &o);
            expect_same_bits(one, other);
            scree_model_free(other);
        }
    scree_model_free(one);
    gappy_free(g);
}

static void test_same_bits(void **state)
{
    (void)state;
    run_same_bits(1000, 30, 0.3, "ml");
    run_same_bits(1000, 40, 0.95, "vb"); /* cells in lists */
    run_same_bits(24, 2100, 0.3, "ml");  /* too many columns for pairs */
}

/* From a file, kept in memory or read again for each iteration. */
static void test_kept_or_read_again(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = gappy_made(6000, 60, 2, 0.2, 24);
    scree_source *memory = NULL;
    scree_sink *sink = NULL;
    const char *path = folder_path("gaps.npy");
    EXPECT_OK(scree_source_from_memory(&memory, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree_sink_open(&sink, path, NULL, &error), error);
    EXPECT_OK(scree_source_copy(memory, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = options_of(2, "em", NULL);
    o.run = &run;
    scree_model *kept = gappy_fit(g, &o);
    for (int small = 0; small < 2; small++) {
        scree_source *source = NULL;
        scree_plan *plan = NULL;
        scree_model *model = NULL;
        EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
        run.memory = 0;
        if (small) { /* what it needs with all rows kept, less half of them */
            EXPECT_OK(scree_plan_make(&plan, source, &o, &error), error);
            run.memory = scree_plan_at(plan, scree_plan_count(plan) - 1)->memory - 6000 * 60 * 4;
        }
        EXPECT_OK(scree_model_fit(&model, source, &o, &error), error);
        expect_same_bits(kept, model);
        if (small)
            assert_true(scree_model_get(model)->passes > scree_model_get(model)->iterations);
        else
            assert_int_equal(scree_model_get(model)->passes, 1);
        scree_model_free(model);
        scree_plan_free(plan);
        scree_source_free(source);
    }
    scree_model_free(kept);
    scree_source_free(memory);
    gappy_free(g);
}

static void test_save_and_load(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = gappy_made(200, 12, 2, 0.2, 25);
    scree_fit_options o = options_of(2, NULL, "vb");
    scree_model *model = gappy_fit(g, &o);
    scree_model *loaded = NULL;
    scree_model *shorter = NULL;
    EXPECT_OK(scree_model_save(model, folder_path("gaps.scree"), &error), error);
    EXPECT_OK(scree_model_load(&loaded, folder_path("gaps.scree"), &error), error);
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(loaded);
    expect_same_bits(model, loaded);
    assert_string_equal(a->stopped, b->stopped);
    assert_true(a->bayes && b->bayes);
    assert_int_equal(a->observed, b->observed);
    assert_int_equal(a->empty_rows, b->empty_rows);
    EXPECT_OK(scree_model_truncate(&shorter, loaded, 1, &error), error);
    assert_true(isnan(scree_model_get(shorter)->log_likelihood));
    scree_model_free(model);
    scree_model_free(loaded);
    scree_model_free(shorter);
    gappy_free(g);
}

static void expect_sentence(const gappy *g, const scree_fit_options *o, scree_status status, const char *sentence)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    assert_int_equal(scree_model_fit(&model, source, o, &error), status);
    assert_null(model);
    assert_string_equal(error.text, sentence);
    scree_source_free(source);
}

static void test_refused(void **state)
{
    (void)state;
    gappy *g = gappy_made(50, 6, 2, 0.2, 26);
    scree_fit_options o = options_of(2, NULL, NULL);
    for (int64_t i = 0; i < g->n; i++)
        g->x[i * g->d + 3] = NAN;
    expect_sentence(
        g, &o, SCREE_ERR_VALUE,
        "memory: column 4 has no value in any of 50 rows; leave it out by choosing the other columns with --columns");
    g->x[7 * g->d + 3] = INFINITY;
    expect_sentence(g, &o, SCREE_ERR_VALUE,
                    "memory: row 8, column 4 is infinite; fill the cell in, empty it, or leave the row or column out");
    g->x[7 * g->d + 3] = 1;
    for (int64_t i = 0; i < g->n * g->d; i++)
        g->x[i] *= 1e-155;
    expect_sentence(g, &o, SCREE_ERR_VALUE, "memory: the values are too small for their squares; rescale them");
    o.em = "map";
    expect_sentence(g, &o, SCREE_ERR_ARGUMENT, "missing values are fitted by ml or vb, not 'map'");
    o.em = "ml";
    o.bayes = true;
    expect_sentence(g, &o, SCREE_ERR_ARGUMENT, "bayes and maximum likelihood exclude each other; choose one");
    gappy_free(g);
}

static void test_shares_and_all_components_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    gappy *g = gappy_made(50, 6, 2, 0.2, 27);
    scree_fit_options o = options_of(0, NULL, NULL);
    o.share = 0.9;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    assert_int_equal(scree_model_fit(&model, source, &o, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a share of the variance is not known where cells are missing"));
    o = options_of(6, NULL, NULL);
    assert_int_equal(scree_model_fit(&model, source, &o, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "at most 5 components of 6 columns"));
    assert_null(model);
    scree_source_free(source);
    gappy_free(g);
}

static void expect_sane(const scree_model *model)
{
    const scree_model_view *v = scree_model_get(model);
    assert_true(isfinite(v->log_likelihood) && isfinite(v->total_variance) && v->noise_variance > 0);
    for (int64_t j = 0; j < v->d; j++)
        assert_true(isfinite(v->mean[j]));
    for (int64_t k = 0; k < v->m; k++)
        assert_true(isfinite(v->eigenvalues[k]) && v->eigenvalues[k] < 1e3);
}

/* A column seen once, a row with one cell, rows with none, patterns that repeat. */
static void test_odd_gaps(void **state)
{
    (void)state;
    static const char *const ways[] = {"ml", "vb"};
    for (int w = 0; w < 2; w++) {
        gappy *g = gappy_made(120, 8, 2, 0.1, 28);
        const double only = g->whole[5 * g->d + 2];
        for (int64_t i = 0; i < g->n; i++) {
            g->x[i * g->d + 2] = i == 5 ? only : NAN;
            for (int64_t j = 0; j < g->d; j++) {
                if (i == 20 || i == 21 || (i == 22 && j != 4))
                    g->x[i * g->d + j] = NAN;
                else if (i >= 60 && j != 2)
                    g->x[i * g->d + j] = i % 2 == j % 2 ? NAN : g->whole[i * g->d + j];
            }
        }
        g->x[22 * g->d + 4] = g->whole[22 * g->d + 4];
        scree_fit_options o = options_of(2, NULL, ways[w]);
        scree_model *model = gappy_fit(g, &o);
        const scree_model_view *v = scree_model_get(model);
        expect_sane(model);
        assert_int_equal(v->empty_rows, 2);
        assert_int_equal(v->n, 120);
        if (w == 0) { /* nothing but its mean can be told */
            EXPECT_NEAR(v->mean[2], only, 1e-6);
            for (int64_t k = 0; k < v->m; k++)
                EXPECT_NEAR(v->components[k * v->d + 2], 0, 1e-6);
        }
        scree_model_free(model);
        gappy_free(g);
    }
}

/* Rows with nothing in them change nothing but N. */
static void test_empty_rows_say_nothing(void **state)
{
    (void)state;
    gappy *g = gappy_made(300, 10, 2, 0.2, 29);
    gappy *longer = gappy_made(300, 10, 2, 0.2, 29);
    scree_fit_options o = options_of(2, NULL, "ml");
    for (int64_t j = 0; j < 10; j++)
        for (int64_t i = 250; i < 300; i++)
            longer->x[i * 10 + j] = NAN;
    g->n = 250;
    scree_model *a = gappy_fit(g, &o);
    scree_model *b = gappy_fit(longer, &o);
    const scree_model_view *x = scree_model_get(a);
    const scree_model_view *y = scree_model_get(b);
    EXPECT_NEAR(x->log_likelihood, y->log_likelihood, 1e-7 * fabs(x->log_likelihood));
    EXPECT_NEAR(x->noise_variance, y->noise_variance, 1e-5);
    assert_int_equal(y->empty_rows, 50);
    scree_model_free(a);
    scree_model_free(b);
    gappy_free(g);
    gappy_free(longer);
}

/* All rows with the same weight. */
static scree_model *weighted_fit(const gappy *g, double weight, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    double weights[300];
    for (int64_t i = 0; i < g->n; i++)
        weights[i] = weight;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree_source_weigh(source, weights, g->n, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

/* Of a whole row and one with gaps. */
static void same_p_values(const scree_model *a, const scree_model *b)
{
    scree_error error = SCREE_ERROR_INIT;
    const double rows[20] = {1, -2, 3, 1, 0.5, 1, -1, 0, 2, -3, 1, NAN, 3, 1, NAN, 1, -1, 0, 2, -3};
    const scree_model *const models[2] = {a, b};
    row_score scores[2][2];
    for (int k = 0; k < 2; k++) {
        scree_scorer *scorer = NULL;
        EXPECT_OK(scree_scorer_make(&scorer, models[k], NULL, &error), error);
        EXPECT_OK(score_rows(scorer, BLOCK(rows, SCREE_F64, 2, 10), scores[k], &error), error);
        scree_scorer_free(scorer);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(scores[0][i].p_value > 0 && scores[0][i].p_value < 1);
        EXPECT_NEAR(log(scores[1][i].p_value / scores[0][i].p_value), 0, 1e-3);
    }
}

/* Nor what is said of new rows and of sampling, whatever rows weigh. */
static void test_empty_rows_take_their_weight_along(void **state)
{
    (void)state;
    static const double weights[] = {0.1, 1, 10};
    gappy *g = gappy_made(300, 10, 2, 0.2, 29);
    gappy *longer = gappy_made(300, 10, 2, 0.2, 29);
    for (int64_t i = 250 * 10; i < 300 * 10; i++)
        longer->x[i] = NAN;
    g->n = 250;
    for (int k = 0; k < 6; k++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_sampling x = SCREE_SAMPLING_INIT;
        scree_sampling y = SCREE_SAMPLING_INIT;
        scree_fit_options o = options_of(2, NULL, "ml");
        o.scale = k < 3 ? SCREE_SCALE_NONE : SCREE_SCALE_UNIT;
        scree_model *a = weighted_fit(g, weights[k % 3], &o);
        scree_model *b = weighted_fit(longer, weights[k % 3], &o);
        assert_int_equal(scree_model_get(b)->empty_rows, 50);
        same_p_values(a, b);
        EXPECT_OK(scree_model_sampling(a, 0, &x, &error), error);
        EXPECT_OK(scree_model_sampling(b, 0, &y, &error), error);
        if (k < 3)
            EXPECT_NEAR(y.low / x.low, 1, 1e-3);
        scree_model_free(a);
        scree_model_free(b);
    }
    gappy_free(g);
    gappy_free(longer);
}

/* No noise at all: σ² ends at its floor, and that is said; but not before the components have settled. */
static void test_no_noise(void **state)
{
    (void)state;
    static const char *const ways[] = {"ml", "vb"};
    for (int w = 0; w < 4; w++) {
        gappy *g = gappy_made(200, 10, 1, 0.1, 30);
        double square = 0;
        for (int64_t i = 0; i < g->n; i++)
            for (int64_t j = 0; j < g->d; j++) {
                const double z = sin((double)(i * i + 1));
                square += z * z * (double)(j + 1) * (double)(j + 1) / (double)g->n;
                if (!isnan(g->x[i * g->d + j]))
                    g->x[i * g->d + j] = z * (double)(j + 1) + (double)j;
            }
        scree_fit_options o = options_of(1 + w / 2, NULL, ways[w % 2]);
        scree_model *model = gappy_fit(g, &o);
        const scree_model_view *v = scree_model_get(model);
        assert_string_equal(v->stopped, "floor");
        EXPECT_NEAR(v->components[9] / v->components[0], 10, 1e-4);
        EXPECT_NEAR(v->eigenvalues[0], square, 0.02 * square);
        assert_true(v->eigenvalue_bounds[0] < 1e-3 * square);
        scree_model_free(model);
        gappy_free(g);
    }
}

/* A mean that leaves few digits to the rest: the fit is that of the rest. */
static void test_large_means(void **state)
{
    (void)state;
    static const char *const ways[] = {"ml", "vb"};
    const double far = 1099511627776.0; /* 2^40 */
    for (int w = 0; w < 2; w++) {
        gappy *g = gappy_made(200, 8, 2, 0.2, 31);
        scree_fit_options o = options_of(2, NULL, ways[w]);
        for (int64_t i = 0; i < g->n * g->d; i++)
            g->x[i] = round(256 * g->x[i]) / 256;
        scree_model *a = gappy_fit(g, &o);
        for (int64_t i = 0; i < g->n * g->d; i++)
            g->x[i] += far;
        scree_model *b = gappy_fit(g, &o);
        const scree_model_view *x = scree_model_get(a);
        const scree_model_view *y = scree_model_get(b);
        assert_string_equal(y->stopped, "tolerance");
        assert_true(models_subspace_sine(a, b) < 1e-5);
        assert_true(models_eigenvalue_distance(a, b) < 1e-5);
        EXPECT_NEAR(y->noise_variance, x->noise_variance, 1e-5 * x->noise_variance);
        EXPECT_NEAR(y->log_likelihood, x->log_likelihood, 1e-8 * fabs(x->log_likelihood));
        for (int64_t j = 0; j < 8; j++)
            EXPECT_NEAR(y->mean[j] - far, x->mean[j], 2e-4);
        scree_model_free(a);
        scree_model_free(b);
        gappy_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_is_the_closed_form),
        cmocka_unit_test(test_gaps_choose_em),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test_setup_teardown(test_kept_or_read_again, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_save_and_load, folder_make, folder_remove),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_shares_and_all_components_are_refused),
        cmocka_unit_test(test_odd_gaps),
        cmocka_unit_test(test_empty_rows_say_nothing),
        cmocka_unit_test(test_empty_rows_take_their_weight_along),
        cmocka_unit_test(test_no_noise),
        cmocka_unit_test(test_large_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
