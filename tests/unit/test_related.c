/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact relations between columns: found whatever k is and however many rows there are, named, kept in files; gaps that
 * they determine are filled exactly, after fits with gaps and without, and so are draws; what is not determined is
 * covered; rows that break one have p = 0, and rows that were only rounded have not. */

#include "support/checks.h"

#include "kernel/dependent.h"
#include "support/calls.h"
#include "support/gappy.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

#include <math.h>
#include <string.h>

enum { D = 9, SUM = 7, COPY = 8, PARTS = 5, COPIED = 2, MOST = 2000 };

/* The last two columns are the sum of the first five, less 3, and a copy of the third. */
static gappy *made(int64_t n, double missing, uint64_t seed)
{
    gappy *g = gappy_made(n, D, 3, missing, seed);
    for (int64_t i = 0; i < n; i++) {
        double *row = g->whole + i * D;
        double *gaps = g->x + i * D;
        row[SUM] = -3;
        for (int64_t j = 0; j < PARTS; j++)
            row[SUM] += row[j];
        row[COPY] = row[COPIED];
        for (int64_t j = SUM; j < D; j++)
            gaps[j] = isnan(gaps[j]) ? NAN : row[j];
    }
    return g;
}

static scree_model *fitted(const double *x, int64_t n, int64_t k, bool scaled)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.components = k;
    o.scale = scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &o, &error), error);
    scree_source_free(source);
    return model;
}

static void fill(const scree_model *model, const double *x, int64_t n, double *filled, double *sd)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_imputed out = {.size = sizeof out, .filled = filled, .sd = sd};
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, n, D), &out, NULL, &error), error);
}

static double p_of(const scree_model *model, const double *row)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score score = {0};
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(row, SCREE_F64, 1, D), &score, &error), error);
    scree_scorer_free(scorer);
    return score.p_value;
}

static void expect_names(const scree_model *model)
{
    char text[80];
    assert_non_null(scree_model_relations(model));
    assert_int_equal(scree_model_relations(model)->count, 2);
    for (int k = 0; k < 2; k++) {
        scree_model_relation_text(model, k, text, sizeof text);
        if (strcmp(text, "column 3 = column 9") != 0 && /* by the one or by the other */
            strcmp(text, "column 1 + column 2 + column 4 + column 5 + column 9 = column 8 + 3") != 0)
            assert_string_equal(text, "column 1 + column 2 + column 3 + column 4 + column 5 = column 8 + 3");
        assert_true(scree_model_relations(model)->variances[k] == 0);
    }
}

/* Rows that occur twice are no more than they are once: what holds between more columns than there are rows is chance.
 */
static void test_twice(void **state)
{
    (void)state;
    gappy *g = gappy_made(14, D, 3, 0, 11);
    for (int64_t i = 7 * D; i < 14 * D; i++)
        g->x[i] = g->x[i - 7 * D];
    scree_model *model = fitted(g->x, 14, 3, false);
    assert_null(scree_model_relations(model));
    scree_model_free(model);
    gappy_free(g);
}

/* Noise just above rounding is noise, also where rows are hardly more than columns. */
static void test_small_noise(void **state)
{
    (void)state;
    gappy *g = gappy_made(16, D, 3, 0, 12);
    for (int64_t i = 0; i < 16; i++)
        g->x[i * D + COPY] = g->x[i * D + COPIED] + 1e-6 * g->x[i * D + COPY];
    scree_model *model = fitted(g->x, 16, 3, false);
    assert_null(scree_model_relations(model));
    scree_model_free(model);
    gappy_free(g);
}

/* Whatever was kept, and for any number of rows. */
static void test_found(void **state)
{
    (void)state;
    static const int64_t heights[] = {40, 60, MOST};
    for (int i = 0; i < 3; i++)
        for (int64_t k = 1; k < D; k += 3)
            for (int scaled = 0; scaled < 2; scaled++) {
                gappy *g = made(heights[i], 0.1, 5);
                scree_model *model = fitted(g->whole, heights[i], k, scaled != 0);
                expect_names(model);
                scree_model_free(model);
                gappy_free(g);
            }
}

/* A complete fit fills what is determined, and leaves what is not consistent. */
static void test_filled(void **state)
{
    (void)state;
    static const int gap[][3] = {{SUM, SUM, SUM}, {0, 0, 0}, {COPIED, COPIED, COPIED}, {COPIED, COPY, COPY},
                                 {0, COPY, COPY}, {0, 1, 1}, {COPIED, COPY, 0}};
    for (int64_t k = 2; k <= 4; k += 2) {
        gappy *g = made(MOST, 0.1, 6);
        scree_model *model = fitted(g->whole, MOST, k, k == 4);
        for (int64_t i = 0; i < 7; i++) {
            double x[D], filled[D], sd[D];
            memcpy(x, g->whole + i * D, sizeof x);
            for (int j = 0; j < 3; j++)
                x[gap[i][j]] = NAN;
            fill(model, x, 1, filled, sd);
            const bool determined = i < 5;
            for (int64_t j = 0; j < D; j++) {
                if (determined)
                    EXPECT_NEAR(filled[j], g->whole[i * D + j], 1e-10);
                assert_true(!isnan(x[j]) || (determined ? sd[j] < 1e-5 : sd[j] > 0.1));
            }
            EXPECT_NEAR(filled[0] + filled[1] + filled[2] + filled[3] + filled[4] - 3, filled[SUM], 1e-10);
            EXPECT_NEAR(filled[COPIED], filled[COPY], 1e-10);
            assert_true(p_of(model, filled) > 0);
        }
        scree_model_free(model);
        gappy_free(g);
    }
}

/* So does a fit with gaps, by its complete rows, and after its file; what is not determined is covered. */
static void test_gaps(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    static double filled[MOST * D], sd[MOST * D];
    const char *path = folder_path("related.scree");
    gappy *g = made(MOST / 2, 0.12, 7);
    scree_model *model = fitted(g->x, g->n, 3, false);
    scree_model *loaded = NULL;
    double exact = 0, inside = 0, open = 0;
    EXPECT_OK(scree_model_save(model, path, &error), error);
    EXPECT_OK(scree_model_load(&loaded, path, &error), error);
    expect_names(loaded);
    assert_true(scree_model_imputer(loaded)->relations_sought);
    fill(loaded, g->x, g->n, filled, sd);
    for (int64_t i = 0; i < g->n * D; i++) {
        const double off = fabs(filled[i] - g->whole[i]);
        if (!isnan(g->x[i]))
            continue;
        exact += sd[i] < 1e-5;
        open += sd[i] >= 1e-5;
        inside += sd[i] >= 1e-5 && off <= 1.96 * sd[i];
        assert_true(sd[i] >= 1e-5 || off < 1e-10);
    }
    assert_true(exact > 0.2 * (exact + open));
    EXPECT_NEAR(inside / open, 0.95, 0.035);
    for (int64_t i = 0; i < g->n; i++) {
        const double *row = filled + i * D;
        EXPECT_NEAR(row[0] + row[1] + row[2] + row[3] + row[4] - 3, row[SUM], 1e-10);
    }
    scree_model_free(model);
    scree_model_free(loaded);
    gappy_free(g);
}

static void test_broken(void **state)
{
    (void)state;
    for (int64_t k = 1; k < 6; k += 3) {
        gappy *g = made(MOST, 0.1, 8);
        scree_model *model = fitted(g->whole, MOST, k, false);
        for (int64_t i = 0; i < 20; i++) {
            double x[D];
            memcpy(x, g->whole + i * D, sizeof x);
            assert_true(p_of(model, x) > 0);
            for (int64_t j = 0; j < D; j++) /* as in a file with two decimals */
                x[j] = rint(x[j] * 100) / 100;
            assert_true(p_of(model, x) > 0);
            for (int64_t j = 0; j < D; j++) /* as floats */
                x[j] = (double)(float)g->whole[i * D + j];
            assert_true(p_of(model, x) > 0);
            memcpy(x, g->whole + i * D, sizeof x);
            x[SUM] += 0.01;
            assert_true(p_of(model, x) == 0);
            x[6] = NAN;
            assert_true(p_of(model, x) == 0);
            x[SUM] = NAN;
            assert_true(p_of(model, x) > 0);
        }
        scree_model_free(model);
        gappy_free(g);
    }
}

/* What draws are, rows may be. */
static void test_samples(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = made(MOST, 0.1, 9);
    scree_model *model = fitted(g->whole, MOST, 3, true);
    scree_source *draws = NULL;
    scree_scorer *scorer = NULL;
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    EXPECT_OK(sample_of(&draws, model, MOST, 3, 2, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score(scorer, draws, NULL, &summary, NULL, &error), error);
    assert_int_equal(summary.broken_rows, 0);
    assert_in_range(summary.outliers, 5, 40);
    scree_scorer_free(scorer);
    scree_source_free(draws);
    scree_model_free(model);
    gappy_free(g);
}

/* x_2 = x_0 + 2 x_1 exactly, x_3 = x_0 but for a variance of 10⁻⁶, x_4 does not vary. */
static void test_pivots(void **state)
{
    (void)state;
    const double s[] = {4, 1, 6, 4, 0, 1, 9, 19, 1, 0, 6, 19, 44, 6, 0, 4, 1, 6, 4 + 1e-6, 0, 0, 0, 0, 0, 0};
    scree__dependent found = {0};
    assert_int_equal(scree__dependent_find(&found, s, 5, 100, NULL, NULL), SCREE_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.basis, 2);
    for (int64_t k = 0; k < 2; k++)
        if (found.variances[k] > 0)
            EXPECT_NEAR(found.variances[k], 1e-6 * 100 / 98, 1e-12);
    scree__dependent_clear(&found);
    assert_int_equal(scree__dependent_find(&found, s, 5, 3, NULL, NULL), SCREE_OK);
    assert_int_equal(found.count, 0); /* as many rows as directions */
    scree__dependent_clear(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),   cmocka_unit_test(test_twice),  cmocka_unit_test(test_small_noise),
        cmocka_unit_test(test_filled),  cmocka_unit_test(test_gaps),   cmocka_unit_test(test_broken),
        cmocka_unit_test(test_samples), cmocka_unit_test(test_pivots),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
