/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: which methods apply, that the cheapest one is chosen, that the memory limit is obeyed and that the
 * sentence about a limit too small names one that is not. */

#include "support/checks.h"

#include "data/source.h"
#include "fit/plan.h"
#include "support/calls.h"
#include "unit/temporary_folder.h"

#include <stdlib.h>
#include <string.h>

/* A source with a shape and no rows: a plan reads nothing. */
static scree_source *shaped(int64_t rows, int64_t cols, scree_type type)
{
    static const double nothing[1];
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(nothing, type, rows, cols), NULL), SCREE_OK);
    return source;
}

static const scree_plan_entry *entry(const scree_plan *plan, const char *solver)
{
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        if (strcmp(scree_plan_at(plan, i)->solver, solver) == 0)
            return scree_plan_at(plan, i);
    fail_msg("there is no entry for %s", solver);
    return NULL;
}

static scree_plan *planned(scree_source *source, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_plan *plan = NULL;
    int chosen = 0;
    EXPECT_OK(scree_plan_make(&plan, source, options, &error), error);
    assert_int_equal(scree_plan_count(plan), 5);
    for (int64_t i = 0; i < 5; i++) {
        const scree_plan_entry *e = scree_plan_at(plan, i);
        chosen += e->chosen;
        assert_true(strlen(e->reason) > 0);
        assert_true(!e->chosen || e->applicable);
        if (e->applicable)
            assert_true(e->passes >= 1 && e->flops > 0 && e->bytes > 0 && e->memory > 0 && e->seconds > 0);
    }
    assert_int_equal(chosen, 1);
    assert_null(scree_plan_at(plan, -1));
    assert_null(scree_plan_at(plan, 5));
    return plan;
}

/* solvers: those that apply; the first of them is chosen. */
static void expect_plan(int64_t rows, int64_t cols, int64_t k, const char *solvers)
{
    static const char *const all[] = {"covariance", "gram", "svd", "lanczos", "em"};
    scree_source *source = shaped(rows, cols, SCREE_F64);
    scree_run run = run_with_memory(INT64_C(1) << 50);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = k;
    options.run = &run;
    scree_plan *plan = planned(source, &options);
    for (int i = 0; i < 4; i++)
        assert_int_equal(entry(plan, all[i])->applicable, strstr(solvers, all[i]) != NULL);
    const size_t first = strcspn(solvers, " ");
    for (int i = 0; i < 4; i++)
        if (entry(plan, all[i])->chosen)
            assert_true(strncmp(solvers, all[i], first) == 0);
    scree_plan_free(plan);
    scree_source_free(source);
}

static void test_choices(void **state)
{
    (void)state;
    expect_plan(200000, 100, 50, "covariance svd");
    expect_plan(60000, 784, 50, "covariance svd lanczos");
    expect_plan(300, 5000, 50, "gram covariance svd lanczos");
    expect_plan(300, 5000, 110, "gram covariance svd lanczos");
    expect_plan(1000000, 20000, 5, "lanczos covariance svd");
    expect_plan(10, 3, 3, "covariance svd");
}

static void test_cheapest_is_chosen(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1000, 50, 5}, {50, 1000, 5}, {5000, 5000, 10}, {100000, 3000, 20}};
    for (int64_t i = 0; i < COUNT_OF(shapes); i++) {
        scree_source *source = shaped(shapes[i][0], shapes[i][1], SCREE_F32);
        scree_run run = run_with_memory(INT64_C(1) << 50);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = shapes[i][2];
        options.run = &run;
        run.threads = 4; /* as many as methods are compared with */
        scree_plan *plan = planned(source, &options);
        double best = HUGE_VAL;
        for (int64_t j = 0; j < 4; j++)
            if (scree_plan_at(plan, j)->applicable)
                best = fmin(best, scree_plan_at(plan, j)->seconds);
        for (int64_t j = 0; j < 4; j++)
            if (scree_plan_at(plan, j)->chosen)
                assert_true(scree_plan_at(plan, j)->seconds == best);
        scree_plan_free(plan);
        scree_source_free(source);
    }
}

/* Another method would be other bits: threads change the time that is predicted, and not the choice. */
static void test_threads_do_not_choose(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 4, 16, 64};
    static const int64_t shapes[][3] = {{20000, 3000, 10}, {5000, 5000, 10}, {100000, 3000, 20}, {900, 1000, 10}};
    for (int64_t i = 0; i < COUNT_OF(shapes); i++) {
        scree_source *source = shaped(shapes[i][0], shapes[i][1], SCREE_F32);
        scree_run run = run_with_memory(INT64_C(1) << 50);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        const char *chosen = NULL;
        options.components = shapes[i][2];
        options.run = &run;
        for (int64_t t = 0; t < COUNT_OF(threads); t++) {
            run.threads = threads[t];
            scree_plan *plan = planned(source, &options);
            for (int64_t j = 0; j < 4; j++) {
                const scree_plan_entry *e = scree_plan_at(plan, j);
                if (e->chosen && chosen)
                    assert_string_equal(e->solver, chosen);
                if (e->chosen)
                    chosen = e->solver;
            }
            scree_plan_free(plan);
        }
        scree_source_free(source);
    }
}

/* A share may take more components than lanczos can find: what cannot fail goes first. */
static void test_share(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{1200, 1100}, {3000, 2500}, {20000, 1000}, {1100, 1200}};
    for (int64_t i = 0; i < COUNT_OF(shapes); i++) {
        scree_source *source = shaped(shapes[i][0], shapes[i][1], SCREE_F64);
        scree_run run = run_with_memory(INT64_C(1) << 50);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.share = 0.95;
        options.run = &run;
        scree_plan *plan = planned(source, &options);
        assert_true(entry(plan, "lanczos")->applicable);
        assert_false(entry(plan, "lanczos")->chosen);
        scree_plan_free(plan);
        scree_source_free(source);
    }
}

static void test_memory_limit(void **state)
{
    (void)state;
    scree_source *source = shaped(100000, 9000, SCREE_F64);
    scree_run run = run_with_memory(INT64_C(1) << 50);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 10;
    options.run = &run;
    run.threads = 1;
    scree_plan *plan = planned(source, &options);
    const int64_t needed = entry(plan, "covariance")->memory;
    scree_plan_free(plan);
    run.memory = needed - 1;
    plan = planned(source, &options);
    assert_false(entry(plan, "covariance")->applicable);
    assert_non_null(strstr(entry(plan, "covariance")->reason, "more than the limit of"));
    scree_plan_free(plan);
    run.memory = needed;
    plan = planned(source, &options);
    assert_true(entry(plan, "covariance")->applicable);
    scree_plan_free(plan);
    scree_source_free(source);
}

/* "1 MiB is too little memory: covariance needs N MiB": N MiB must do. */
static void test_enough_is_named(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_plan *plan = NULL;
    scree_source *source = shaped(100000, 2000, SCREE_F64);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 10;
    options.run = &run;
    run.threads = 1;
    run.memory = 1 << 20;
    assert_int_equal(scree_plan_make(&plan, source, &options, &error), SCREE_ERR_LIMIT);
    assert_null(plan);
    const char *needs = strstr(error.text, " needs ");
    assert_non_null(needs);
    assert_non_null(strstr(needs, " MiB"));
    run.memory = (int64_t)strtol(needs + strlen(" needs "), NULL, 10) << 20;
    plan = planned(source, &options);
    scree_plan_free(plan);
    scree_source_free(source);
}

static void expect_failure(scree_source *source, const char *solver, scree_status status, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_plan *plan = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    options.solver = solver;
    assert_int_equal(scree_plan_make(&plan, source, &options, &error), status);
    assert_null(plan);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_source *source = shaped(1000, 100, SCREE_F64);
    expect_failure(source, "magic", SCREE_ERR_ARGUMENT,
                   "there is no solver 'magic'; there are covariance, gram, svd, lanczos and em");
    expect_failure(source, "gram", SCREE_ERR_UNSUPPORTED, "only for fewer rows than columns");
    source->can &= ~(unsigned)SCREE__CAN_REWIND;
    expect_failure(source, "lanczos", SCREE_ERR_UNSUPPORTED, "a pipe can be read only once");
    scree_source_free(source);
    source = shaped(30, 30, SCREE_F64);
    expect_failure(source, "lanczos", SCREE_ERR_UNSUPPORTED, "3 of 30 are too many");
    scree_source_free(source);
}

/* Bytes of a square that no integer holds. */
static void test_very_wide(void **state)
{
    (void)state;
    scree_source *source = shaped(3, INT64_C(2000000000), SCREE_U8);
    scree_run run = run_with_memory(INT64_C(1) << 50);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;
    options.run = &run;
    scree_plan *plan = planned(source, &options);
    assert_false(entry(plan, "covariance")->applicable);
    assert_non_null(strstr(entry(plan, "covariance")->reason, "2000000000 columns"));
    assert_true(entry(plan, "gram")->applicable && entry(plan, "svd")->applicable);
    scree_plan_free(plan);
    scree_source_free(source);
}

static void test_asked_for(void **state)
{
    (void)state;
    scree_source *source = shaped(1000, 100, SCREE_F64);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    options.solver = "svd";
    scree_plan *plan = planned(source, &options);
    assert_true(entry(plan, "svd")->chosen);
    assert_string_equal(entry(plan, "svd")->reason, "asked for");
    scree_plan_free(plan);
    scree_plan_free(NULL);
    scree_source_free(source);
}

/* Text takes longer to read than numbers, by its length. */
static void test_text(void **state)
{
    (void)state;
    double seconds[3];
    for (int i = 0; i < 3; i++) {
        scree_source *source = shaped(100000, 20, SCREE_F64);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        source->can &= ~(unsigned)SCREE__IN_MEMORY;
        source->about.row_text = i * INT64_C(100000);
        scree_plan *plan = planned(source, &options);
        seconds[i] = entry(plan, "covariance")->seconds;
        scree_plan_free(plan);
        scree_source_free(source);
    }
    assert_true(seconds[0] < 0.1 * seconds[1]);
    assert_true(fabs(seconds[2] / seconds[1] - 2) < 0.1);
}

static void test_basis(void **state)
{
    (void)state;
    scree_source *source = shaped(1000000, 1000, SCREE_F64);
    scree_plan *plan = planned(source, NULL);
    assert_non_null(strstr(scree_plan_basis(plan), "built-in rates"));
    scree_plan_free(plan);
    scree_source_free(source);
}

static const char *chosen_of(const scree_plan *plan)
{
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        if (scree_plan_at(plan, i)->chosen)
            return scree_plan_at(plan, i)->solver;
    return NULL;
}

/* Every rate in the only file of the folder becomes 2^(steps/4), but that of square products in double. */
static void write_rates(int steps, int square)
{
    char path[512] = "";
    char key[512] = "";
    DIR *handle = opendir(folder);
    struct dirent *found;
    assert_non_null(handle);
    while ((found = readdir(handle)) != NULL)
        if (found->d_name[0] != '.')
            snprintf(path, sizeof path, "%s/%s", folder, found->d_name);
    closedir(handle);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(key, sizeof key, file));
    assert_non_null(fgets(key, sizeof key, file));
    fclose(file);
    file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "scree rates 1\n%sgemm_f32 %d\ngemm_f64 %d\nskinny_f32 %d\nskinny_f64 %d\neigen %d\ncopy %d\nend\n",
            key, steps, square, steps, steps, steps, steps);
    assert_int_equal(fclose(file), 0);
}

/* What was measured changes the times of a plan, and never the method. */
static void test_rates_do_not_choose(void **state)
{
    (void)state;
    scree_source *source = shaped(100000, 3000, SCREE_F64);
    scree_run run = run_with_memory(INT64_C(1) << 50);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 20;
    options.run = &run;
    scree_plan *plain = planned(source, &options);
    run.cache = folder;
    scree_plan *plan = planned(source, &options);
    assert_int_equal(folder_walk(0), 1);
    assert_non_null(strstr(scree_plan_basis(plan), "rates of this machine"));
    assert_string_equal(chosen_of(plan), chosen_of(plain));
    scree_plan_free(plan);
    for (int fast = 0; fast < 2; fast++) { /* square products are what covariance lives by, and lanczos does without */
        write_rates(fast ? 100 : 160, fast ? 160 : 100);
        plan = planned(source, &options);
        const bool by_products = entry(plan, "covariance")->seconds < entry(plan, "lanczos")->seconds;
        assert_int_equal(by_products, fast);
        assert_string_equal(chosen_of(plan), chosen_of(plain));
        scree_plan_free(plan);
    }
    scree_plan_free(plain);
    scree_source_free(source);
}

/* A job of milliseconds is planned faster than the machine is measured. */
static void test_small_jobs_measure_nothing(void **state)
{
    (void)state;
    scree_source *source = shaped(100, 10, SCREE_F64);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.run = &run;
    run.cache = folder;
    scree_plan_free(planned(source, &options));
    assert_int_equal(folder_walk(0), 0);
    scree_source_free(source);
}

/* The method for missing values says what it would cost, and is not taken. */
static void test_if_missing(void **state)
{
    (void)state;
    scree_source *source = shaped(1000, 100, SCREE_F64);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    scree_plan *plan = planned(source, &options);
    const scree_plan_entry *em = entry(plan, "em");
    assert_true(em->if_missing && !em->applicable && em->memory > 0 && em->seconds > 0);
    assert_false(entry(plan, "svd")->if_missing);
    scree_plan_free(plan);
    options.solver = "svd";
    plan = planned(source, &options);
    assert_false(entry(plan, "em")->if_missing);
    scree_plan_free(plan);
    options.solver = "em";
    plan = planned(source, &options);
    assert_true(entry(plan, "em")->chosen && !entry(plan, "em")->if_missing);
    scree_plan_free(plan);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_cheapest_is_chosen),
        cmocka_unit_test(test_threads_do_not_choose),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_enough_is_named),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_asked_for),
        cmocka_unit_test(test_very_wide),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_basis),
        cmocka_unit_test(test_if_missing),
        cmocka_unit_test_setup_teardown(test_rates_do_not_choose, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_small_jobs_measure_nothing, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
