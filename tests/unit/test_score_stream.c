/* SPDX-License-Identifier: BSD-3-Clause */
/* Scores from source to sink: the same bits as in memory for any blocks and threads; the threshold of a false discovery
 * rate against its definition; reasons at the end of the line; what a pipe cannot do. */

#include "data/source.h"
#include "model/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"
#include "temporary_folder.h"

enum { ROWS = 300, D = 11, M = 3, OUT = 5 };

static const int64_t blocks[] = {0, 1, 7, 128, 131, 1000};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

/* Rows of a model in its columns, every tenth far away. */
static void make_rows(const scree_model *model, double *x)
{
    const scree_model_view *view = scree_model_get(model);
    scree__normals(3, 1, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = view->mean[i % D] + 0.2 * x[i] * (i / D % 10 == 0 ? 5 : 1);
}

static scree_scorer *scorer_of(const scree_model *model, scree_score_options options)
{
    scree_scorer *scorer = NULL;
    assert_int_equal(scree_scorer_make(&scorer, model, &options, NULL), SCREE_OK);
    return scorer;
}

static scree_source *source_of(const double *x)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, D), NULL), SCREE_OK);
    return source;
}

static scree_score_summary stream(const scree_scorer *scorer, const double *x, double *out, const scree_run *run)
{
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    scree_source *source = source_of(x);
    scree_sink *sink = NULL;
    if (out)
        assert_int_equal(scree_sink_to_memory(&sink, out, ROWS, OUT, NULL), SCREE_OK);
    assert_int_equal(scree_scorer_score(scorer, source, sink, &summary, run, NULL), SCREE_OK);
    scree_sink_free(sink);
    scree_source_free(source);
    return summary;
}

static void rows_are_scored_as_in_memory(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .alpha = 0.05));
    static double x[ROWS * D];
    static double out[ROWS * OUT];
    static row_score scores[ROWS];
    long double loglik = 0;
    int64_t outliers = 0;
    make_rows(model, x);
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        loglik += scores[i].loglik;
        outliers += scores[i].p_value <= 0.05;
    }
    assert_true(outliers >= ROWS / 20 && outliers < ROWS / 5);
    const scree_score_summary whole = stream(scorer, x, NULL, NULL);
    for (int b = 0; b < BLOCKS; b++) {
        scree_run run = SCREE_RUN_INIT;
        run.block_rows = blocks[b];
        run.threads = b % 3 + 1;
        const scree_score_summary summary = stream(scorer, x, out, &run);
        assert_true(summary.rows == ROWS && summary.outliers == outliers && summary.threshold == 0.05);
        assert_true(fabs(summary.loglik - (double)loglik) < 1e-14 * fabs((double)loglik));
        assert_true(summary.loglik == whole.loglik);
        for (int64_t i = 0; i < ROWS; i++) {
            const double *row = out + i * OUT;
            assert_true(row[0] == scores[i].loglik && row[1] == scores[i].t2 && row[2] == scores[i].q);
            assert_true(row[3] == scores[i].p_value && row[4] == (scores[i].p_value <= 0.05 ? 1 : 0));
        }
    }
    scree_scorer_free(scorer);
    scree_model_free(model);
}

/* Outliers by the definition: those among the k smallest p-values, k the largest with p_(k) ≤ α k/n. */
static int64_t discoveries(const row_score *scores, double alpha)
{
    int64_t most = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t rank = 0;
        for (int64_t j = 0; j < ROWS; j++)
            rank += scores[j].p_value <= scores[i].p_value;
        if (scores[i].p_value <= alpha * (double)rank / ROWS && rank > most)
            most = rank;
    }
    return most;
}

static void false_discoveries_are_bounded(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    static double x[ROWS * D];
    static double out[ROWS * OUT];
    static row_score scores[ROWS];
    make_rows(model, x);
    for (int a = 1; a <= 3; a++) {
        const double alpha = 0.1 * a;
        scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .alpha = alpha, .fdr = true));
        assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, NULL), SCREE_OK);
        for (int b = 0; b < BLOCKS; b++) {
            scree_run run = SCREE_RUN_INIT;
            run.block_rows = blocks[b];
            const scree_score_summary summary = stream(scorer, x, out, &run);
            assert_int_equal(summary.outliers, discoveries(scores, alpha));
            assert_true(summary.outliers > 0 && summary.threshold < alpha);
            for (int64_t i = 0; i < ROWS; i++)
                assert_true(out[i * OUT + 4] == (scores[i].p_value <= summary.threshold ? 1 : 0));
        }
        scree_scorer_free(scorer);
    }
    scree_model_free(model);
}

static void ordinary_rows_give_no_discoveries(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .fdr = true));
    static double x[ROWS * D]; /* all at the mean: p = 1 */
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = scree_model_get(model)->mean[i % D];
    const scree_score_summary summary = stream(scorer, x, NULL, NULL);
    assert_true(summary.outliers == 0 && summary.threshold == 0);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void pipes_cannot_be_read_twice(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .fdr = true));
    scree_error error = SCREE_ERROR_INIT;
    static double x[ROWS * D];
    scree_source *source = source_of(x);
    source->can = SCREE__IN_MEMORY;
    assert_int_equal(scree_scorer_score(scorer, source, NULL, NULL, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "can be read only once"));
    assert_false(source->started);
    scree_source_free(source);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static char *csv_of(const scree_scorer *scorer, const double *x, const scree_run *run)
{
    size_t size;
    const char *path = folder_path("scores.csv");
    scree_source *source = source_of(x);
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_open(&sink, path, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_scorer_score(scorer, source, sink, NULL, run, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    scree_source_free(source);
    return (char *)file_read(path, &size);
}

static void reasons_stand_last(void **state)
{
    (void)state;
    static const char header[] = "loglik,t2,q,p_value,outlier,why\n";
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .alpha = 0.05, .blame_columns = 2));
    static double x[ROWS * D];
    make_rows(model, x);
    char *whole = csv_of(scorer, x, NULL);
    assert_memory_equal(whole, header, sizeof header - 1);
    int64_t rows = 0;
    for (char *line = whole + sizeof header - 1; *line; rows++) {
        char *end = strchr(line, '\n');
        *end = '\0';
        const bool outlier = strstr(line, ",1,") != NULL;
        assert_true(outlier == (end[-1] != ',')); /* an empty text where there is nothing to blame */
        assert_true(outlier == (strstr(line, " %") != NULL));
        *end = '\n';
        line = end + 1;
    }
    assert_int_equal(rows, ROWS);
    for (int b = 1; b < BLOCKS; b++) {
        scree_run run = SCREE_RUN_INIT;
        run.block_rows = blocks[b];
        run.threads = b % 3 + 1;
        char *again = csv_of(scorer, x, &run);
        assert_string_equal(whole, again);
        free(again);
    }
    free(whole);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

/* Farther out than any row that was fitted can lie, and farther than a square can tell. */
static void impossible_rows_are_outliers(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    for (int training = 0; training < 2; training++) {
        scree_scorer *scorer = scorer_of(model, SIZED(scree_score_options, .training = training));
        for (int i = 0; i < 4; i++) {
            static const double far[] = {1e3, 1e50, 1e160, 1e300};
            row_score score;
            const double row[D] = {[5] = far[i]};
            assert_int_equal(score_rows(scorer, BLOCK(row, SCREE_F64, 1, D), &score, NULL), SCREE_OK);
            assert_true(score.p_value >= 0 && score.p_value < 1e-100);
            assert_true(score.loglik < 0);
        }
        scree_scorer_free(scorer);
    }
    scree_model_free(model);
}

/* Sums of squares that overflow in both directions at once are not numbers; the row is an outlier all the same. */
static void rows_that_overflow_are_outliers(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, (scree_score_options)SCREE_SCORE_OPTIONS_INIT);
    for (int pattern = 0; pattern < 1 << D; pattern++) {
        row_score score;
        double row[D];
        for (int j = 0; j < D; j++)
            row[j] = pattern >> j & 1 ? 1.7e308 : -1.7e308;
        assert_int_equal(score_rows(scorer, BLOCK(row, SCREE_F64, 1, D), &score, NULL), SCREE_OK);
        assert_true(score.p_value == 0 && score.t2 > 0 && score.q > 0);
        assert_true(isinf(score.loglik) && score.loglik < 0);
    }
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void bad_rows_are_named(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, (scree_score_options)SCREE_SCORE_OPTIONS_INIT);
    scree_error error = SCREE_ERROR_INIT;
    static double x[ROWS * D];
    scree_source *source = source_of(x);
    x[200 * D + 4] = INFINITY;
    assert_int_equal(scree_scorer_score(scorer, source, NULL, NULL, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "memory: row 201, column 5 is infinite"));
    source->about.cols = D - 1;
    assert_int_equal(scree_scorer_score(scorer, source, NULL, NULL, NULL, &error), SCREE_ERR_SHAPE);
    scree_source_free(source);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_scored_as_in_memory),
        cmocka_unit_test(false_discoveries_are_bounded),
        cmocka_unit_test(ordinary_rows_give_no_discoveries),
        cmocka_unit_test(pipes_cannot_be_read_twice),
        cmocka_unit_test(impossible_rows_are_outliers),
        cmocka_unit_test(rows_that_overflow_are_outliers),
        cmocka_unit_test(reasons_stand_last),
        cmocka_unit_test(bad_rows_are_named),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
