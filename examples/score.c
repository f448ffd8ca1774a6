/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows do not belong, and why: a model of the iris flowers, then three flowers that it has not seen. The second
 * has its sepal width in millimetres. For each row: the log-density (10.70), the p-value, and for outliers the column
 * with the largest squared residual. At the end, the flowers that were fitted, from source to summary.
 *
 *     cc score.c $(pkg-config --cflags --libs scree) && ./a.out iris.csv
 */
#include <scree.h>
#include <stdio.h>

enum { D = 4, NEW = 3 };

static const double flowers[NEW][D] = {{5.0, 3.4, 1.5, 0.2}, {5.0, 34, 1.5, 0.2}, {6.0, 2.9, 4.5, 1.5}};

/* The column that contributes most to the distance from the subspace. */
static scree_status blame(const scree_model *model, const double *row, int *column, scree_error *error)
{
    double parts[D];
    scree_status status = scree_model_contributions(model, row, parts, error);
    *column = 0;
    for (int j = 1; status == SCREE_OK && j < D; j++)
        if (parts[j] > parts[*column])
            *column = j;
    return status;
}

static scree_status judge_new(const scree_model *model, const scree_scorer *scorer, int *outliers, scree_error *error)
{
    double loglik[NEW];
    double p_value[NEW];
    scree_block rows = SCREE_BLOCK_INIT;     /* of doubles, row after row */
    scree_scores scores = SCREE_SCORES_INIT; /* of all quantities, those with an array are wanted */
    rows.data = flowers;
    rows.rows = NEW;
    rows.cols = D;
    scores.loglik = loglik;
    scores.p_value = p_value;
    scree_status status = scree_scorer_score_rows(scorer, &rows, &scores, NULL, error);
    for (int i = 0; status == SCREE_OK && i < NEW; i++) {
        int column = 0;
        printf("new flower %d: ln p = %10.3f, p-value %.3g", i + 1, loglik[i], p_value[i]);
        if (p_value[i] <= 0.01) {
            status = blame(model, flowers[i], &column, error);
            printf(": an outlier, look at %s", scree_model_get(model)->columns[column]);
            ++*outliers;
        }
        putchar('\n');
    }
    return status;
}

static scree_status work(const char *path, int *outliers, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *rows = NULL;
    scree_model *model = NULL;
    scree_scorer *fresh = NULL;
    scree_scorer *fitted = NULL;
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    scree_facts facts = SCREE_FACTS_INIT;
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    scree_score_options training = SCREE_SCORE_OPTIONS_INIT;
    fit.components = 2;
    training.training = true; /* rows that were fitted follow other distributions than new ones */
    if ((status = scree_source_open(&rows, path, NULL, error)) ||
        (status = scree_model_fit(&model, rows, &fit, error)) ||
        (status = scree_scorer_make(&fresh, model, NULL, error)) ||
        (status = judge_new(model, fresh, outliers, error)) ||
        (status = scree_scorer_make(&fitted, model, &training, error)) ||
        (status = scree_scorer_score(fitted, rows, NULL, &summary, NULL, error)) ||
        (status = scree_model_facts(model, &facts, error)))
        goto done;
    printf("%d flowers fitted: ln p = %.6f in all, %.6f says the model; %d outliers\n", (int)summary.rows,
           summary.loglik, facts.log_likelihood, (int)summary.outliers);
done:
    scree_scorer_free(fresh);
    scree_scorer_free(fitted);
    scree_model_free(model);
    scree_source_free(rows);
    return status;
}

int main(int argc, char **argv)
{
    scree_error error = SCREE_ERROR_INIT;
    int outliers = 0;
    const scree_status status = work(argc > 1 ? argv[1] : "iris.csv", &outliers, &error);
    if (status != SCREE_OK)
        fprintf(stderr, "%s\n", error.text);
    return status != SCREE_OK || outliers != 1;
}
