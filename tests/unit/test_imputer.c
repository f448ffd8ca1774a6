/* SPDX-License-Identifier: BSD-3-Clause */
/* The imputer of a fit with gaps: better than column means and than soft-impute with the best of all thresholds,
 * intervals that cover what they say, draws that agree with them; the same bits for any threads, blocks and after its
 * file; what is held out looks like the gaps; memory is obeyed; a file that lies is refused. */

#include "support/checks.h"

#include "base/memory.h"
#include "fit/imputer.h"
#include "support/calls.h"
#include "support/gappy.h"
#include "support/rows.h"
#include "support/soft_impute.h"
#include "unit/temporary_folder.h"

#include <string.h>

enum { N = 150, D = 12, DRAWS = 400 };

/* Columns of unequal noise: 0.2 to 2. */
static gappy *made_unequal(double missing, uint64_t seed)
{
    gappy *g = gappy_made(N, D, 3, missing, seed);
    for (int64_t i = 0; i < N * D; i++) {
        const double more = (0.2 * (double)(i % D) - 0.8) * rows_random(seed + 9, i / D, i % D);
        g->whole[i] += more;
        g->x[i] += more;
    }
    return g;
}

static void fill(const scree_model *model, const gappy *g, const scree_run *run, double *filled, double *sd)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_imputed out = {.size = sizeof out, .filled = filled, .sd = sd};
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(g->x, SCREE_F64, g->n, g->d), &out, run, &error), error);
}

static double covered(const gappy *g, const double *filled, const double *sd)
{
    double inside = 0;
    double count = 0;
    for (int64_t i = 0; i < g->n * g->d; i++)
        if (isnan(g->x[i])) {
            inside += fabs(filled[i] - g->whole[i]) <= 1.96 * sd[i];
            count++;
        }
    return inside / count;
}

/* Over some tables: errors, and the share within 1.96 deviations. */
static void test_errors_and_coverage(void **state)
{
    (void)state;
    double ours = 0;
    double soft = 0;
    double means = 0;
    double inside = 0;
    static double filled[N * D];
    static double sd[N * D];
    const int tables = 4;
    if (SLOW_BUILD) /* nothing here that the tests below do not run, too */
        skip();
    for (int i = 0; i < tables; i++) {
        gappy *g = made_unequal(i % 2 ? 0.2 : 0.4, 70 + (uint64_t)i);
        scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
        o.components = 2;
        scree_model *model = gappy_fit(g, &o);
        assert_non_null(scree_model_imputer(model));
        fill(model, g, NULL, filled, sd);
        ours += filled_error(g->x, g->whole, filled, g->n, g->d) / tables;
        soft += soft_impute_least(g->x, g->whole, g->n, g->d) / tables;
        means += means_error(g->x, g->whole, g->n, g->d) / tables;
        inside += covered(g, filled, sd) / tables;
        scree_model_free(model);
        gappy_free(g);
    }
    if (!(ours < 1.02 * soft && ours < 0.9 * means))
        fail_msg("errors %.4f, of soft-impute %.4f, of means %.4f", ours, soft, means);
    EXPECT_NEAR(inside, 0.95, 0.03);
}

static void test_same_bits(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = made_unequal(0.3, 80);
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 2;
    o.run = &run;
    static double filled[2][N * D];
    static double sd[2][N * D];
    for (int threads = 1; threads <= 4; threads *= 2) {
        run.threads = threads;
        run.block_rows = threads == 1 ? 0 : 7 * threads;
        scree_model *model = gappy_fit(g, &o);
        fill(model, g, &run, filled[threads > 1], sd[threads > 1]);
        if (threads == 1) { /* and from the file */
            scree_model *loaded = NULL;
            const char *path = folder_path("imputer.scree");
            EXPECT_OK(scree_model_save(model, path, &error), error);
            EXPECT_OK(scree_model_load(&loaded, path, &error), error);
            assert_int_equal(scree_model_imputer(loaded)->held_out, scree_model_imputer(model)->held_out);
            fill(loaded, g, &run, filled[1], sd[1]);
            scree_model_free(loaded);
        }
        assert_memory_equal(filled[0], filled[1], sizeof filled[0]);
        assert_memory_equal(sd[0], sd[1], sizeof sd[0]);
        scree_model_free(model);
    }
    gappy_free(g);
}

/* Draws of one row: their mean and deviation are those that are stated. */
static void test_draws(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = made_unequal(0.3, 90);
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 2;
    scree_model *model = gappy_fit(g, &o);
    scree__imputer_row row;
    double x[D];
    uint8_t missing[D];
    EXPECT_OK(scree__imputer_row_open(&row, model->imputer, &error), error);
    for (int64_t j = 0; j < D; j++) {
        missing[j] = j % 3 == 0;
        x[j] = g->whole[j] - scree_model_get(model)->mean[j];
    }
    scree__imputer_row_solve(&row, missing);
    scree__imputer_row_fill(&row, x);
    for (int64_t j = 0; j < D; j += 3) {
        double sum = 0;
        double squares = 0;
        for (int64_t k = 0; k < DRAWS; k++) {
            const double off = scree__imputer_row_draw(&row, 5, 0, k, DRAWS)[j] - x[j];
            sum += off / DRAWS;
            squares += off * off / DRAWS;
        }
        const double sd = scree__imputer_row_deviation(&row, j);
        EXPECT_NEAR(sum, 0, 4 * sd / sqrt(DRAWS));
        EXPECT_NEAR(sqrt(squares) / sd, 1, 0.15);
    }
    scree__imputer_row_close(&row);
    scree_model_free(model);
    gappy_free(g);
}

/* Gaps in columns 0 and 1 of every fourth row: only these columns are held out, together, and put back. */
static void test_hides_what_is_missing(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    static double x[N * D];
    static double before[N * D];
    scree__imputer_table table = {.rows = N, .cols = D, .x = x};
    scree__imputer_held held;
    for (int64_t i = 0; i < N * D; i++)
        x[i] = (i / D) % 4 == 0 && i % D < 2 ? NAN : rows_random(1, i / D, i % D);
    memcpy(before, x, sizeof x);
    EXPECT_OK(scree__imputer_hide(&held, &table, 0, 0, &error), error);
    assert_true(held.count > N * D / 20);
    assert_int_equal(held.count % 2, 0);
    for (int64_t i = 0; i < held.count; i++) {
        assert_true(held.cell[i] % D < 2);
        assert_true(isnan(x[held.cell[i]]));
        assert_int_equal(held.cell[i] / D, held.cell[i / 2 * 2] / D);
    }
    scree__imputer_restore(&held, &table);
    assert_memory_equal(before, x, sizeof x);
    scree__imputer_held_clear(&held);
}

static void test_noise(void **state)
{
    (void)state;
    double squares[D];
    double n[D];
    double noise[D];
    for (int64_t j = 0; j < D; j++) {
        n[j] = 50;
        squares[j] = 50 * (j % 2 ? 1.02 : 0.98); /* by no more than chance */
    }
    scree__imputer_noise(squares, n, D, false, noise);
    for (int64_t j = 1; j < D; j++)
        EXPECT_NEAR(noise[j], noise[0], 0);
    squares[3] = 50 * 40; /* clearly more */
    scree__imputer_noise(squares, n, D, false, noise);
    assert_true(noise[3] > 20 && noise[3] < 40);
    EXPECT_NEAR(noise[4], 0.98, 0.1);
    scree__imputer_noise(squares, n, D, true, noise);
    EXPECT_NEAR(noise[0], noise[3], 0);
}

static void test_memory_is_obeyed(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = gappy_made(2000, 60, 3, 0.2, 95);
    scree_source *source = NULL;
    scree__job job;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.solver = "em";
    o.components = 3;
    o.run = &run;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->x, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree__job_make(&job, source, &o, &error), error);
    int64_t room = INT64_C(1) << 32;
    int64_t k = 24;
    for (; room > 0; room /= 2) {
        const scree__imputer_plan plan = scree__imputer_plan_of(&job, g->n, 1, room);
        assert_true(plan.k <= k && plan.memory <= room);
        k = plan.k;
    }
    assert_int_equal(k, 0);
    room = INT64_C(1) << 40; /* hardly anything observed of more rows than a sample has */
    assert_int_equal(scree__imputer_plan_of(&job, 1000000, 0.02, room).k, 24);
    assert_int_equal(scree__imputer_plan_of(&job, 1000000, 0.001, room).k, 0);
    scree_source_free(source);
    gappy_free(g);
}

/* None where it was not wanted, nothing is missing, or the model was cut. */
static void test_none(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = made_unequal(0.3, 99);
    gappy *complete = gappy_made(N, D, 2, 0, 99);
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    scree_model *shorter = NULL;
    o.components = 2;
    scree_model *model = gappy_fit(g, &o);
    EXPECT_OK(scree_model_truncate(&shorter, model, 1, &error), error);
    assert_null(scree_model_imputer(shorter));
    scree_model_free(model);
    o.no_imputer = true;
    model = gappy_fit(g, &o);
    assert_null(scree_model_imputer(model));
    scree_model_free(model);
    o.no_imputer = false;
    o.solver = "em";
    model = gappy_fit(complete, &o);
    assert_null(scree_model_imputer(model));
    scree_model_free(model);
    scree_model_free(shorter);
    gappy_free(g);
    gappy_free(complete);
}

static void test_refuses_lies(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = made_unequal(0.3, 100);
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = 2;
    scree_model *model = gappy_fit(g, &o);
    scree_model *loaded = NULL;
    const char *path = folder_path("lies.scree");
    double *const places[] = {model->imputer->weights,   model->imputer->fit[0].noise,    model->imputer->fit[0].cover,
                              model->imputer->deviation, model->imputer->fit[0].loadings, &model->imputer->widening};
    const double lies[] = {3, 0, -1, -1, NAN, 0};
    for (int64_t i = 0; i < COUNT_OF(places); i++) {
        const double truth = *places[i];
        *places[i] = lies[i];
        EXPECT_OK(scree_model_save(model, path, &error), error);
        assert_int_equal(scree_model_load(&loaded, path, &error), SCREE_ERR_MODEL);
        assert_non_null(strstr(error.text, "imputer_"));
        *places[i] = truth;
    }
    scree_model_free(model);
    gappy_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_and_coverage),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_hides_what_is_missing),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_memory_is_obeyed),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_refuses_lies),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
