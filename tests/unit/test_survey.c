/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey shows every row once, whatever the blocks, with the codes and scores that the library gives elsewhere, bit
 * for bit, and the cells in the model's columns; what a visitor says when it fails arrives. */

#include "support/checks.h"

#include "csv_file.h"
#include "made_model.h"
#include "support/calls.h"

enum { D = 3, M = 1, ROWS = 40 };

static const char *const names[] = {"a", "b", "c"};

typedef struct seen {
    const scree_model *model;
    const scree_scorer *scorer;
    int64_t rows;
    double cells[ROWS][D];
    double codes[ROWS][M];
    scree__score scores[ROWS];
    char label[ROWS][8];
    int64_t fail_at;
} seen;

static scree_status look(void *context, const scree__sight *sight, scree_error *error)
{
    seen *s = context;
    assert_int_equal(sight->first, s->rows);
    for (int64_t i = 0; i < sight->rows; i++, s->rows++) {
        if (s->rows == s->fail_at)
            return scree__fail(error, SCREE_ERR_VALUE, "row %lld is enough", (long long)s->rows);
        scree__sight_row(sight, i, s->cells[s->rows]);
        memcpy(s->codes[s->rows], sight->codes + i * M, sizeof s->codes[0]);
        s->scores[s->rows] = sight->scores[i];
        snprintf(s->label[s->rows], sizeof s->label[0], "%s", sight->texts[i]);
    }
    return SCREE_OK;
}

/* Columns c, label, b, a: the model's in another order, with a text among them and some gaps. */
static scree_source *make_rows(void)
{
    char text[4000] = "c,kind,b,a\n";
    size_t used = strlen(text);
    double x[ROWS * D];
    scree__normals(3, 4, 0, ROWS * D, x);
    for (int i = 0; i < ROWS; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, i % 7 == 3 ? "%.6f,k%d,,%.6f\n" : "%.6f,k%d,%.6f,%.6f\n",
                             x[i * D], i % 3, x[i * D + 1], x[i * D + 2]);
    return csv_open_text("rows.csv", text, NULL);
}

static scree_status survey(seen *s, scree_source *source, int64_t block_rows, scree_error *error)
{
    const scree_run run = SIZED(scree_run, .block_rows = block_rows);
    const scree__survey how = {
        .stage = "look", .model = s->model, .codes = true, .scorer = s->scorer, .visit = look, .context = s};
    return scree__survey_run(source, &how, &run, error);
}

static void rows_codes_and_scores_are_those_of_the_library(void **state)
{
    static const int64_t blocks[] = {1, 7, 100};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 0.5, false, names);
    scree_source *source = make_rows();
    scree_scorer *scorer = NULL;
    (void)state;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    for (int64_t b = 0; b < COUNT_OF(blocks); b++) {
        seen s = {.model = model, .scorer = scorer, .fail_at = -1};
        double codes[ROWS][M], loglik[ROWS];
        const scree_scores scores = SIZED(scree_scores, .loglik = loglik);
        EXPECT_OK(survey(&s, source, blocks[b], &error), error);
        assert_int_equal(s.rows, ROWS);
        EXPECT_OK(scree_model_project_rows(model, BLOCK(s.cells, SCREE_F64, ROWS, D), codes[0], NULL, &error), error);
        EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK(s.cells, SCREE_F64, ROWS, D), &scores, NULL, &error), error);
        assert_memory_equal(codes, s.codes, sizeof codes);
        for (int64_t i = 0; i < ROWS; i++) {
            assert_memory_equal(&loglik[i], &s.scores[i].loglik, sizeof loglik[i]);
            assert_true(isnan(s.cells[i][1]) == (i % 7 == 3));
            assert_true(s.label[i][1] == '0' + i % 3);
        }
    }
    scree_scorer_free(scorer);
    scree_source_free(source);
    scree_model_free(model);
}

static void a_visitor_that_fails_is_heard(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 0.5, false, names);
    scree_source *source = make_rows();
    scree_scorer *scorer = NULL;
    (void)state;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    seen s = {.model = model, .scorer = scorer, .fail_at = 17};
    assert_int_equal(survey(&s, source, 5, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "row 17 is enough");
    scree_scorer_free(scorer);
    scree_source_free(source);
    scree_model_free(model);
}

static void sources_say_what_they_carry(void **state)
{
    scree__source_texts texts;
    scree_source *source = make_rows();
    (void)state;
    scree__source_texts_of(source, &texts);
    assert_int_equal(texts.count, 1);
    assert_string_equal(texts.names[0], "kind");
    assert_int_equal(texts.id, -1);
    assert_true(scree__source_rewinds(source));
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_codes_and_scores_are_those_of_the_library),
        cmocka_unit_test(a_visitor_that_fails_is_heard),
        cmocka_unit_test(sources_say_what_they_carry),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
