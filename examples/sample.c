/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that a model makes up. Draws are a source like a file: here 100,000 flowers are drawn from a model of the irises
 * (10.66) and fitted again, which gives nearly the same eigenvalues; then the first flower is explored (10.7.3): what
 * else could it have been?
 *
 *     cc sample.c $(pkg-config --cflags --libs scree) -lm && ./a.out iris.csv
 */
#include <math.h>
#include <scree.h>
#include <stdio.h>

enum { D = 4, M = 2, DRAWS = 100000, LIKE = 5, PLACE = 2 /* columns row and draw */ };

/* The eigenvalues of a model, and of 100,000 rows drawn from it. */
static scree_status fit_draws(const scree_model *model, double *largest_error, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *draws = NULL;
    scree_model *again = NULL;
    scree_sample_options sample = SCREE_SAMPLE_OPTIONS_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    sample.rows = DRAWS;
    sample.seed = 7;
    options.components = M;
    if ((status = scree_source_sample(&draws, model, &sample, error)) ||
        (status = scree_model_fit(&again, draws, &options, error)))
        goto done;
    for (int j = 0; j < M; j++) {
        const double was = scree_model_get(model)->eigenvalues[j];
        const double is = scree_model_get(again)->eigenvalues[j];
        printf("eigenvalue %d: %.4f of the flowers, %.4f of the draws\n", j + 1, was, is);
        *largest_error = fmax(*largest_error, fabs(is / was - 1));
    }
done:
    scree_model_free(again);
    scree_source_free(draws);
    return status;
}

static scree_status explore(const scree_model *model, scree_source **rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *draws = NULL;
    scree_sink *sink = NULL;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    double out[LIKE][PLACE + D];
    options.row = 0;
    options.draws = LIKE;
    if ((status = scree_source_explore(&draws, model, *rows, &options, error)))
        return status;
    *rows = NULL; /* draws owns them now */
    if ((status = scree_sink_to_memory(&sink, &out[0][0], LIKE, PLACE + D, error)) ||
        (status = scree_source_copy(draws, sink, NULL, error)) || (status = scree_sink_finish(sink, error)))
        goto done;
    for (int i = 0; i < LIKE; i++)
        printf("like flower %.0f: %.2f %.2f %.2f %.2f\n", out[i][0], out[i][2], out[i][3], out[i][4], out[i][5]);
done:
    scree_sink_free(sink);
    scree_source_free(draws);
    return status;
}

int main(int argc, char **argv)
{
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *rows = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double largest_error = 0;
    options.components = M;
    if ((status = scree_source_open(&rows, argc > 1 ? argv[1] : "iris.csv", NULL, &error)) ||
        (status = scree_model_fit(&model, rows, &options, &error)) ||
        (status = fit_draws(model, &largest_error, &error)) || (status = explore(model, &rows, &error)))
        fprintf(stderr, "%s\n", error.text);
    scree_model_free(model);
    scree_source_free(rows);
    return status != SCREE_OK || largest_error > 0.05;
}
