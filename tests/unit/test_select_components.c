/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection as a whole: the true number of components on data that has one, rows held out against fits and scores of
 * the same rows, the same bits for any number of threads, little memory, models, and fit with SCREE_AUTO. */

#include "base/random.h"
#include "fit/selection.h"
#include "support/calls.h"
#include "support/checks.h"
#include "support/criteria.h"
#include "unit/temporary_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    int64_t n;
    int64_t d;
    double *x;
} table;

/* x = Σ_k s_k z_k w_kᵀ + noise + mean: signals components with s falling from top to half of it. */
static table made(int64_t n, int64_t d, int64_t signals, double top, uint64_t seed)
{
    table t = {n, d, malloc((size_t)(n * d) * sizeof *t.x)};
    double *z = malloc((size_t)((n + d) * signals + 1) * sizeof *z);
    double *w = z + n * signals;
    assert_non_null(t.x);
    assert_non_null(z);
    scree__normals(seed, 1, 0, n * d, t.x);
    scree__normals(seed, 2, 0, (n + d) * signals, z);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            t.x[i * d + j] += 3.0 * (double)(j % 7);
            for (int64_t k = 0; k < signals; k++)
                t.x[i * d + j] +=
                    top * (1 - 0.5 * (double)k / (double)signals) * z[i * signals + k] * w[j * signals + k];
        }
    free(z);
    return t;
}

static scree_source *source_of(const table *t)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(t->x, SCREE_F64, t->n, t->d), &error), error);
    return source;
}

static scree_selection *selected(const table *t, const scree_select_options *options)
{
    scree_source *source = source_of(t);
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_selection_make(&selection, source, options, &error), error);
    scree_source_free(source);
    return selection;
}

static void test_the_true_number_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"minka", "bic", "gavish", "gavish-known", "heldout", "bicross"};
    static const struct {
        int64_t n, d, signals;
    } shapes[] = {{400, 20, 3}, {300, 60, 5}, {120, 100, 4}, {60, 240, 3}, {90, 120, 2}};
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    options.noise_sd = 1;
    for (uint64_t set = 0; set < 20; set++) {
        const int64_t shape = (int64_t)(set % COUNT_OF(shapes));
        table t = made(shapes[shape].n, shapes[shape].d, shapes[shape].signals, 1.5, 100 + set);
        scree_selection *selection = selected(&t, &options);
        for (int64_t i = 0; i < COUNT_OF(names); i++)
            if (criterion(selection, names[i])->choice != shapes[shape].signals)
                fail_msg("set %d: %s chooses %d, not %d", (int)set, names[i],
                         (int)criterion(selection, names[i])->choice, (int)shapes[shape].signals);
        assert_int_equal(scree_selection_get(selection)->recommended, shapes[shape].signals);
        scree_selection_free(selection);
        free(t.x);
    }
}

static void test_noise_has_no_components(void **state)
{
    (void)state;
    table t = made(200, 30, 0, 0, 5);
    scree_selection *selection = selected(&t, NULL);
    assert_int_equal(scree_selection_get(selection)->recommended, 0);
    scree_selection_free(selection);
    free(t.x);
}

/* Rows whose fold is, or is not, the given one. */
static table part_of(const table *t, int fold, int folds, bool in)
{
    table p = {0, t->d, malloc((size_t)(t->n * t->d) * sizeof *p.x)};
    assert_non_null(p.x);
    for (int64_t i = 0; i < t->n; i++)
        if ((scree__fold_of(0, i, folds) == fold) == !in)
            memcpy(p.x + p.n++ * t->d, t->x + i * t->d, (size_t)t->d * sizeof *p.x);
    return p;
}

static double loglik_of_fold(const table *t, int fold, int folds, int64_t m)
{
    const table in = part_of(t, fold, folds, true);
    const table out = part_of(t, fold, folds, false);
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = source_of(&in);
    scree_model *model = NULL;
    scree_scorer *scorer = NULL;
    row_score *scores = malloc((size_t)out.n * sizeof *scores);
    scree_error error = SCREE_ERROR_INIT;
    double sum = 0;
    fit.components = m;
    assert_non_null(scores);
    EXPECT_OK(scree_model_fit(&model, source, &fit, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(out.x, SCREE_F64, out.n, out.d), scores, &error), error);
    for (int64_t i = 0; i < out.n; i++)
        sum += scores[i].loglik;
    scree_scorer_free(scorer);
    scree_model_free(model);
    scree_source_free(source);
    free(scores);
    free(in.x);
    free(out.x);
    return sum;
}

static void check_heldout(int64_t n, int64_t d)
{
    enum { FOLDS = 4 };
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    table t = made(n, d, 2, 1, 9);
    options.folds = FOLDS;
    scree_selection *selection = selected(&t, &options);
    const double *values = criterion(selection, "heldout")->values;
    assert_non_null(values);
    for (int64_t m = 1; m < 6; m++) {
        double sum = 0;
        for (int f = 0; f < FOLDS; f++)
            sum += loglik_of_fold(&t, f, FOLDS, m);
        EXPECT_NEAR(values[m], sum / (double)n, 1e-9 * fabs(values[m]));
    }
    scree_selection_free(selection);
    free(t.x);
}

static void test_rows_held_out_are_scored_as_by_a_fit(void **state)
{
    (void)state;
    check_heldout(50, 8);
    check_heldout(30, 40);
}

/* The whole spectrum of a model gives what the data gives, but for what needs the data. */
static void test_a_whole_model_knows_the_spectrum(void **state)
{
    (void)state;
    static const char *const names[] = {"share", "error", "minka", "bic", "aic", "gavish", "marchenko", "parallel"};
    static const int64_t shapes[][2] = {{80, 20}, {25, 60}};
    for (int64_t shape = 0; shape < COUNT_OF(shapes); shape++) {
        table t = made(shapes[shape][0], shapes[shape][1], 2, 1, 11);
        scree_selection *from_data = selected(&t, NULL);
        scree_selection *from_model = NULL;
        scree_source *source = source_of(&t);
        scree_model *model = NULL;
        scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
        scree_error error = SCREE_ERROR_INIT;
        fit.components = SCREE_ALL;
        fit.ddof = 1;
        EXPECT_OK(scree_model_fit(&model, source, &fit, &error), error);
        EXPECT_OK(scree_selection_from_model(&from_model, model, NULL, &error), error);
        for (int64_t i = 0; i < COUNT_OF(names); i++) {
            const scree_criterion *a = criterion(from_data, names[i]);
            const scree_criterion *b = criterion(from_model, names[i]);
            assert_int_equal(a->choice, b->choice);
            for (int64_t m = 1; m < 10; m++)
                EXPECT_NEAR(a->values[m], b->values[m], 1e-9 * fabs(a->values[m]));
        }
        assert_null(criterion(from_model, "heldout")->values);
        assert_non_null(strstr(criterion(from_model, "bicross")->reason, "data"));
        scree_selection_free(from_data);
        scree_selection_free(from_model);
        scree_model_free(model);
        scree_source_free(source);
        free(t.x);
    }
}

static void expect_same(const scree_selection *a, const scree_selection *b)
{
    const size_t count = (size_t)scree_selection_get(a)->max_components + 1;
    int64_t i = 0;
    for (const scree_criterion *x, *y; (x = scree_selection_criterion(a, i)) != NULL; i++) {
        y = scree_selection_criterion(b, i);
        assert_non_null(y);
        assert_int_equal(x->choice, y->choice);
        assert_int_equal(x->values == NULL, y->values == NULL);
        if (x->values)
            assert_memory_equal(x->values, y->values, count * sizeof(double));
    }
    assert_true(i > 0 && scree_selection_criterion(b, i) == NULL);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{700, 12}, {30, 50}};
    const scree_run one_thread = run_with_threads(1);
    const scree_run four_threads = run_with_blocks(4, 7);
    scree_select_options one = SCREE_SELECT_OPTIONS_INIT;
    scree_select_options four = SCREE_SELECT_OPTIONS_INIT;
    one.run = &one_thread;
    four.run = &four_threads;
    for (int64_t shape = 0; shape < COUNT_OF(shapes); shape++) {
        table t = made(shapes[shape][0], shapes[shape][1], 2, 1, 13);
        scree_selection *a = selected(&t, &one);
        scree_selection *b = selected(&t, &four);
        expect_same(a, b);
        scree_selection_free(a);
        scree_selection_free(b);
        free(t.x);
    }
}

static void test_constant_and_repeated_columns_do_not_count(void **state)
{
    (void)state;
    table t = made(300, 20, 3, 1.5, 17);
    for (int64_t i = 0; i < t.n; i++) {
        t.x[i * t.d + 4] = 7;
        t.x[i * t.d + 9] = t.x[i * t.d + 8];
    }
    scree_selection *selection = selected(&t, NULL);
    assert_int_equal(scree_selection_get(selection)->directions, 18);
    assert_int_equal(scree_selection_get(selection)->max_components, 18);
    assert_true(isfinite(criterion(selection, "bic")->values[17]));
    scree_selection_free(selection);
    free(t.x);
}

/* Columns that do not vary change nothing about the cells of the others. */
static void test_constant_columns_leave_the_cells_alone(void **state)
{
    (void)state;
    table t = made(300, 12, 2, 1.5, 37);
    table padded = made(300, 60, 0, 0, 37);
    for (int64_t i = 0; i < t.n; i++)
        for (int64_t j = 0; j < padded.d; j++)
            padded.x[i * padded.d + j] = j < t.d ? t.x[i * t.d + j] : 7;
    scree_selection *with = selected(&padded, NULL);
    assert_int_equal(criterion(with, "bicross")->choice, 2);
    for (int64_t m = 0; m <= 6; m++)
        assert_true(isfinite(criterion(with, "bicross")->values[m]));
    scree_selection_free(with);
    for (int64_t i = 0; i < padded.n * padded.d; i++)
        padded.x[i] = i % padded.d == 0 ? padded.x[i] : 7;
    with = selected(&padded, NULL); /* one column */
    assert_null(criterion(with, "bicross")->values);
    assert_non_null(strstr(criterion(with, "bicross")->reason, "vary"));
    scree_selection_free(with);
    free(t.x);
    free(padded.x);
}

static void test_little_memory_leaves_out_what_it_must(void **state)
{
    (void)state;
    table t = made(600, 300, 3, 1.5, 19);
    scree_run run = SCREE_RUN_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    options.run = &run;
    run.threads = 1;
    run.memory = INT64_C(80) << 20; /* one matrix of moments fits, five do not */
    scree_selection *selection = selected(&t, &options);
    assert_null(criterion(selection, "heldout")->values);
    assert_non_null(strstr(criterion(selection, "heldout")->reason, "MiB"));
    assert_int_equal(criterion(selection, "minka")->choice, 3);
    scree_selection_free(selection);

    run.memory = INT64_C(24) << 20; /* not even one: the leading components of a fit */
    options.max_components = 8;
    selection = selected(&t, &options);
    assert_non_null(strstr(criterion(selection, "minka")->reason, "all eigenvalues"));
    assert_int_equal(criterion(selection, "marchenko")->choice, 3);
    scree_selection_free(selection);
    free(t.x);
}

static void test_fit_takes_what_is_recommended(void **state)
{
    (void)state;
    table t = made(300, 20, 3, 1.5, 23);
    scree_source *source = source_of(&t);
    scree_model *model = NULL;
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    fit.components = SCREE_AUTO;
    EXPECT_OK(scree_model_fit(&model, source, &fit, &error), error);
    assert_int_equal(scree_model_get(model)->m, 3);
    scree_model_free(model);
    scree_source_free(source);
    free(t.x);
}

static void test_bad_options_and_bad_cells(void **state)
{
    (void)state;
    table t = made(50, 6, 1, 1, 29);
    scree_source *source = source_of(&t);
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    options.folds = 1;
    assert_int_equal(scree_selection_make(&selection, source, &options, &error), SCREE_ERR_ARGUMENT);
    options = (scree_select_options)SCREE_SELECT_OPTIONS_INIT;
    options.noise_sd = -1;
    assert_int_equal(scree_selection_make(&selection, source, &options, &error), SCREE_ERR_ARGUMENT);
    options = (scree_select_options)SCREE_SELECT_OPTIONS_INIT;
    options.max_components = -1;
    assert_int_equal(scree_selection_make(&selection, source, &options, &error), SCREE_ERR_ARGUMENT);
    t.x[31 * 6 + 2] = INFINITY;
    assert_int_equal(scree_selection_make(&selection, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 32, column 3 is infinite"));
    assert_null(selection);
    t.x[30 * 6 + 1] = NAN; /* met first: the rows are read again, with gaps */
    assert_int_equal(scree_selection_make(&selection, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 32, column 3 is infinite; fill the cell in, empty it"));
    assert_null(selection);
    scree_source_free(source);
    free(t.x);
}

/* Of several files, the one that has the cell, and its own row. */
static void test_bad_cell_of_the_second_file(void **state)
{
    (void)state;
    enum { ROWS = 30, COLS = 5 };
    char first[256];
    char second[256];
    const char *const paths[] = {first, second};
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_error error = SCREE_ERROR_INIT;
    table t = made(2 * ROWS, COLS, 1, 1, 37);
    t.x[3 * COLS + 1] = NAN;
    t.x[(ROWS + 6) * COLS + 2] = INFINITY;
    snprintf(first, sizeof first, "%s/first.csv", folder);
    snprintf(second, sizeof second, "%s/second.csv", folder);
    for (int f = 0; f < 2; f++) {
        FILE *file = fopen(paths[f], "w");
        assert_non_null(file);
        fprintf(file, "a,b,c,d,e\n");
        for (int64_t i = 0; i < ROWS * COLS; i++)
            fprintf(file, "%.17g%c", t.x[f * ROWS * COLS + i], i % COLS == COLS - 1 ? '\n' : ',');
        assert_int_equal(fclose(file), 0);
    }
    EXPECT_OK(scree_source_open_many(&source, paths, 2, NULL, &error), error);
    assert_int_equal(scree_selection_make(&selection, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "second.csv: row 7, column 'c' is infinite"));
    scree_source_free(source);
    free(t.x);
}

/* What would be, were an eigenvalue far larger, leaves no trace in what is. */
static void test_what_if_changes_nothing(void **state)
{
    (void)state;
    enum { D = 12 };
    table t = made(60, D, 2, 1, 31);
    scree_source *source = source_of(&t);
    scree_selection *selection = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    int64_t recommended = 0;
    double values[D];
    double minka[D + 1];
    fit.components = SCREE_ALL;
    EXPECT_OK(scree_model_fit(&model, source, &fit, &error), error);
    EXPECT_OK(scree_selection_from_model(&selection, model, NULL, &error), error);
    const scree_selection_view *view = scree_selection_get(selection);
    const double *now = criterion(selection, "minka")->values;
    assert_int_equal(view->max_components, D);
    assert_non_null(now);
    const int64_t choice = criterion(selection, "minka")->choice;
    memcpy(values, view->eigenvalues, D * sizeof *values);
    memcpy(minka, now, sizeof minka);
    for (int64_t j = 0; j < D; j++)
        EXPECT_OK(scree__selection_if(selection, j, 3e13, &recommended, &error), error);
    assert_memory_equal(view->eigenvalues, values, D * sizeof *values);
    assert_memory_equal(now, minka, sizeof minka);
    assert_int_equal(criterion(selection, "minka")->choice, choice);
    EXPECT_OK(scree__selection_if(selection, 0, 1, &recommended, &error), error); /* computed from sums of those left */
    assert_int_equal(recommended, view->recommended);
    scree_selection_free(selection);
    scree_model_free(model);
    scree_source_free(source);
    free(t.x);
}

static void test_few_rows_have_no_folds(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{6, 3}, {4, 9}, {30, 1}};
    for (int64_t shape = 0; shape < COUNT_OF(shapes); shape++) {
        table t = made(shapes[shape][0], shapes[shape][1], 1, 1, 31);
        scree_selection *selection = selected(&t, NULL);
        assert_null(criterion(selection, "bicross")->values);
        assert_non_null(strstr(criterion(selection, "bicross")->reason, "10 rows"));
        scree_selection_free(selection);
        free(t.x);
    }
}

/* Whole weights are rows repeated, for all that looks at the spectrum; rows of weight 0 are not there. */
static void test_weights_repeat_rows(void **state)
{
    (void)state;
    static const char *const names[] = {"minka", "bic", "aic", "gavish", "marchenko", "tracy-widom"};
    const table t = made(200, 9, 3, 1.5, 77);
    table repeated = {0, t.d, malloc((size_t)(4 * t.n * t.d) * sizeof *t.x)};
    double weights[200];
    scree_error error = SCREE_ERROR_INIT;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_selection *a = NULL;
    scree_source *source = source_of(&t);
    assert_non_null(repeated.x);
    for (int64_t i = 0; i < t.n; i++) {
        weights[i] = (double)(i % 4);
        for (int64_t copy = 0; copy < i % 4; copy++)
            memcpy(repeated.x + repeated.n++ * t.d, t.x + i * t.d, (size_t)t.d * sizeof *t.x);
    }
    EXPECT_OK(scree_source_weigh(source, weights, t.n, &error), error);
    EXPECT_OK(scree_selection_make(&a, source, &options, &error), error);
    scree_selection *b = selected(&repeated, &options);
    assert_int_equal(scree_selection_get(a)->n, repeated.n);
    for (int64_t i = 0; i < COUNT_OF(names); i++) {
        const scree_criterion *found = criterion(a, names[i]);
        const scree_criterion *wanted = criterion(b, names[i]);
        assert_int_equal(found->choice, wanted->choice);
        for (int64_t m = 0; m <= t.d && wanted->values; m++)
            if (isfinite(wanted->values[m]))
                EXPECT_NEAR(found->values[m], wanted->values[m], 1e-10 * (1 + fabs(wanted->values[m])));
    }
    assert_int_equal(criterion(a, "heldout")->choice, 3);
    for (int64_t i = 0; i < t.n; i++)
        weights[i] = 1 / (double)t.n;
    scree_selection_free(a);
    a = NULL;
    assert_int_equal(scree_selection_make(&a, source, &options, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "the weights add up to 1, "));
    scree_selection_free(b);
    scree_source_free(source);
    free(repeated.x);
    free(t.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_true_number_is_found),
        cmocka_unit_test(test_noise_has_no_components),
        cmocka_unit_test(test_rows_held_out_are_scored_as_by_a_fit),
        cmocka_unit_test(test_a_whole_model_knows_the_spectrum),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_constant_and_repeated_columns_do_not_count),
        cmocka_unit_test(test_constant_columns_leave_the_cells_alone),
        cmocka_unit_test(test_little_memory_leaves_out_what_it_must),
        cmocka_unit_test(test_fit_takes_what_is_recommended),
        cmocka_unit_test(test_bad_options_and_bad_cells),
        cmocka_unit_test(test_few_rows_have_no_folds),
        cmocka_unit_test(test_what_if_changes_nothing),
        cmocka_unit_test(test_bad_cell_of_the_second_file),
        cmocka_unit_test(test_weights_repeat_rows),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
