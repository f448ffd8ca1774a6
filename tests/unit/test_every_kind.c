/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function that takes a model × every kind of model: the right answer, by formulas written out, or the
 * failure that is documented, with a sentence that says what to do. The header is read: a function that takes a model
 * or a scorer, or makes one, and is not in the table, fails the test. */

#include "support/checks.h"

#include "every_kind_answers.h"
#include "every_kind_density.h"
#include "every_kind_meaning.h"

#include <ctype.h>
#include <string.h>

static scree_status ask_selection(fixture *f, scree_error *error)
{
    scree_selection *selection = NULL;
    const scree_status status = scree_selection_from_model(&selection, f->model, NULL, error);
    if (status == SCREE_OK)
        EXPECT_NEAR(scree_selection_get(selection)->eigenvalues[0], scree_model_get(f->model)->eigenvalues[0], 1e-12);
    scree_selection_free(selection);
    return status;
}

/* A model of the same kind, of rows. */
static scree_status ask_fit(fixture *f, scree_error *error)
{
    const scree_fit_options options =
        SIZED(scree_fit_options, .components = M, .kind = scree_model_get(f->model)->kind);
    scree_source *source = rows_of_fixture(f);
    scree_model *model = NULL;
    const scree_status status = scree_model_fit(&model, source, &options, error);
    if (status == SCREE_OK) {
        fixture same = *f;
        same.model = model;
        assert_int_equal(ask_project_rows(&same, error), SCREE_OK);
    }
    scree_model_free(model);
    scree_source_free(source);
    return status;
}

/* Goes on with the model. */
static scree_status ask_autoencode(fixture *f, scree_error *error)
{
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    scree_source *source = rows_of_fixture(f);
    scree_model *model = NULL;
    options.resume = f->model;
    options.epochs = 2;
    const scree_status status = scree_model_autoencode(&model, source, &options, error);
    if (status == SCREE_OK)
        assert_true(scree_model_network(model)->layers == 2 && scree_model_get(model)->m == M);
    scree_model_free(model);
    scree_source_free(source);
    return status;
}

static scree_status ask_nothing(fixture *f, scree_error *error)
{
    (void)f;
    (void)error;
    return SCREE_OK; /* every test frees */
}

static scree_status ask_state_fit(fixture *f, scree_error *error)
{
    const scree_fit_options options =
        SIZED(scree_fit_options, .components = M, .kind = scree_model_get(f->model)->kind);
    scree_source *source = rows_of_fixture(f);
    scree_state *state = NULL;
    scree_model *model = NULL;
    EXPECT_OK(scree_state_for(&state, source, NULL, error), *error);
    EXPECT_OK(scree_state_add_source(state, source, NULL, error), *error);
    const scree_status status = scree_state_fit(&model, state, &options, error);
    if (status == SCREE_OK) {
        fixture same = *f;
        same.model = model;
        assert_int_equal(ask_project_rows(&same, error), SCREE_OK);
    }
    scree_model_free(model);
    scree_state_free(state);
    scree_source_free(source);
    return status;
}

static scree_status ask_drift(fixture *f, scree_error *error)
{
    scree_source *source = rows_of_fixture(f);
    scree_drift *drift = NULL;
    const scree_status status = scree_drift_make(&drift, f->model, source, NULL, error);
    if (status == SCREE_OK)
        assert_non_null(scree_drift_get(drift));
    scree_drift_free(drift);
    scree_source_free(source);
    return status;
}

enum { OK = SCREE_OK, NO = SCREE_ERR_UNSUPPORTED, SILENCE = SCREE_ERR_NUMERIC };

static const struct entry {
    const char *name;
    asker ask;
    int expected[KINDS]; /* of PCA, PCA without noise, network, rotated PCA */
} table[] = {
    {"scree_model_fit", ask_fit, {OK, OK, NO, NO}},
    {"scree_state_fit", ask_state_fit, {OK, OK, NO, NO}},
    {"scree_model_get", ask_get, {OK, OK, OK, OK}},
    {"scree_model_free", ask_nothing, {OK, OK, OK, OK}},
    {"scree_model_can", ask_can, {OK, OK, OK, OK}},
    {"scree_model_fact", ask_fact, {OK, OK, OK, OK}},
    {"scree_model_truncate", ask_truncate, {OK, OK, NO, NO}},
    {"scree_model_distribution", ask_distribution, {OK, OK, OK, OK}},
    {"scree_model_with_latent", ask_with_latent, {OK, OK, NO, NO}},
    {"scree_model_sampling", ask_sampling, {OK, OK, NO, NO}},
    {"scree_model_bootstrap", ask_bootstrap, {OK, OK, OK, OK}},
    {"scree_model_imputer", ask_imputer, {OK, OK, OK, OK}},
    {"scree_model_relations", ask_relations, {OK, OK, OK, OK}},
    {"scree_model_relation_text", ask_relations, {OK, OK, OK, OK}},
    {"scree_model_save", ask_save, {OK, OK, OK, OK}},
    {"scree_model_load", ask_save, {OK, OK, OK, OK}},
    {"scree_model_save_buffer", ask_save, {OK, OK, OK, OK}},
    {"scree_model_load_buffer", ask_save, {OK, OK, OK, OK}},
    {"scree_model_from_arrays", ask_from_arrays, {OK, OK, NO, NO}},
    {"scree_model_export_onnx", ask_export, {OK, OK, OK, OK}},
    {"scree_model_project_rows", ask_project_rows, {OK, OK, OK, OK}},
    {"scree_model_reconstruct_rows", ask_reconstruct_rows, {OK, OK, OK, OK}},
    {"scree_model_project", ask_project, {OK, OK, OK, OK}},
    {"scree_model_reconstruct", ask_reconstruct, {OK, OK, OK, OK}},
    {"scree_model_whiten", ask_whiten, {OK, OK, NO, NO}},
    {"scree_model_unwhiten", ask_unwhiten, {OK, OK, NO, NO}},
    {"scree_model_round_trip", ask_round_trip, {OK, OK, OK, OK}},
    {"scree_model_with_noise", ask_with_noise, {OK, OK, NO, NO}},
    {"scree_model_facts", ask_facts, {OK, OK, NO, OK}},
    {"scree_model_rate", ask_rate, {OK, OK, NO, OK}},
    {"scree_model_loadings", ask_loadings, {OK, OK, NO, NO}},
    {"scree_model_marginal_multiply", ask_marginal_multiply, {OK, OK, NO, OK}},
    {"scree_model_precision_multiply", ask_precision_multiply, {OK, SILENCE, NO, OK}},
    {"scree_model_marginal_dense", ask_marginal_dense, {OK, OK, NO, OK}},
    {"scree_model_precision_dense", ask_precision_dense, {OK, SILENCE, NO, OK}},
    {"scree_model_joint_dense", ask_joint_dense, {OK, OK, NO, NO}},
    {"scree_model_posterior_covariance", ask_posterior_covariance, {OK, OK, NO, NO}},
    {"scree_model_posterior_rows", ask_posterior_rows, {OK, OK, NO, NO}},
    {"scree_model_posterior_row", ask_posterior_row, {OK, OK, NO, NO}},
    {"scree_scorer_make", ask_scorer_make, {OK, SILENCE, NO, OK}},
    {"scree_scorer_free", ask_scorer_make, {OK, SILENCE, NO, OK}},
    {"scree_scorer_calibrate", ask_scorer_calibrate, {OK, SILENCE, NO, OK}},
    {"scree_scorer_score_rows", ask_scorer_score_rows, {OK, SILENCE, NO, OK}},
    {"scree_scorer_score", ask_scorer_score, {OK, SILENCE, NO, OK}},
    {"scree_model_contributions", ask_contributions, {OK, OK, NO, OK}},
    {"scree_model_posterior", ask_posterior, {OK, OK, NO, NO}},
    {"scree_source_sample", ask_sample, {OK, OK, NO, OK}},
    {"scree_source_explore", ask_explore, {OK, OK, NO, NO}},
    {"scree_model_impute_rows", ask_impute_rows, {OK, OK, NO, OK}},
    {"scree_model_impute", ask_impute, {OK, OK, NO, OK}},
    {"scree_selection_from_model", ask_selection, {OK, OK, NO, NO}},
    {"scree_model_meaning", ask_meaning, {OK, OK, NO, OK}},
    {"scree_model_describe", ask_describe, {OK, OK, NO, OK}},
    {"scree_supplement_make", ask_supplement, {OK, OK, NO, OK}},
    {"scree_drift_make", ask_drift, {OK, SILENCE, NO, NO}},
    {"scree_model_rotate", ask_rotate, {OK, OK, NO, NO}},
    {"scree_model_rotation", ask_rotation, {OK, OK, OK, OK}},
    {"scree_model_network", ask_network, {OK, OK, OK, OK}},
    {"scree_model_autoencode", ask_autoencode, {NO, NO, OK, NO}},
};

/* The sentence says what to do: it names another call, or what to change. */
static void expect_advice(const struct entry *e, const fixture *f, const scree_error *error)
{
    static const char *const advice[] = {"make one with 'scree ", "use 'scree ", "use scree_model_",
                                         "give a noise floor"};
    for (int64_t i = 0; i < COUNT_OF(advice); i++)
        if (strstr(error->text, advice[i]))
            return;
    fail_msg("%s of %s fails with a sentence that does not say what to do: '%s'", e->name, f->label, error->text);
}

static void every_function_of_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int64_t i = 0; i < COUNT_OF(table); i++) {
            scree_error error = SCREE_ERROR_INIT;
            fixture *f = fixture_make(kind);
            const scree_status status = table[i].ask(f, &error);
            if ((int)status != table[i].expected[kind])
                fail_msg("%s of %s: %s '%s', not %s", table[i].name, f->label, scree_status_name(status), error.text,
                         scree_status_name((scree_status)table[i].expected[kind]));
            if (status != SCREE_OK) {
                assert_int_equal(error.status, status);
                expect_advice(&table[i], f, &error);
            }
            fixture_free(f);
        }
    }
}

static bool is_in_table(const char *name)
{
    for (int64_t i = 0; i < COUNT_OF(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return false;
}

/* The name of a declaration: the word before its first parenthesis. */
static void name_of(const char *declaration, char name[80])
{
    const char *end = strchr(declaration, '(');
    const char *start = end;
    while (start > declaration && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    snprintf(name, 80, "%.*s", (int)(end - start), start);
}

/* Whether the words of a declaration have to do with a model or a scorer; a view of one is not. */
static bool is_about_models(const char *declaration)
{
    static const char *const words[] = {"scree_model_", "scree_scorer_", "scree_model *", "scree_scorer *"};
    for (int64_t i = 0; i < COUNT_OF(words); i++)
        if (strstr(declaration, words[i]))
            return true;
    return false;
}

static void every_function_of_the_header(void **state)
{
    (void)state;
    char path[512];
    size_t size = 0;
    int64_t found = 0;
    assert_non_null(getenv("SRC"));
    snprintf(path, sizeof path, "%s/include/scree.h", getenv("SRC"));
    char *text = (char *)file_read(path, &size);
    for (char *at = text; (at = strstr(at, "\nSCREE_API ")) != NULL;) {
        char name[80];
        char *end = strchr(at, ';');
        assert_non_null(end);
        *end = '\0';
        name_of(at, name);
        if (is_about_models(at)) {
            found++;
            if (!is_in_table(name))
                fail_msg("%s takes a model and is not asked of every kind: add it to the table", name);
        }
        at = end + 1;
    }
    assert_int_equal(found, COUNT_OF(table));
    free(text);
}

/* The table of kinds is what the fixtures are made of: a new one needs a fixture here. */
static void every_kind_has_a_fixture(void **state)
{
    (void)state;
    for (int64_t i = 0; scree_table_name(SCREE_TABLE_KINDS, i); i++) {
        bool known = false;
        for (int kind = 0; kind < KINDS; kind++) {
            fixture *f = fixture_make(kind);
            known |= strcmp(scree_model_get(f->model)->kind, scree_table_name(SCREE_TABLE_KINDS, i)) == 0;
            fixture_free(f);
        }
        if (!known)
            fail_msg("no model of the kind '%s' is asked", scree_table_name(SCREE_TABLE_KINDS, i));
        assert_true(strlen(scree_table_text(SCREE_TABLE_KINDS, i)) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_every_kind),
        cmocka_unit_test(every_function_of_the_header),
        cmocka_unit_test(every_kind_has_a_fixture),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
