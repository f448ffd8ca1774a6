/* SPDX-License-Identifier: BSD-3-Clause */
/* From an array in memory to a model, to codes, and back: what two components keep of six rows of three columns. The
 * mean squared error of the rows that come back (10.29) is the eigenvalue that was left out (10.44).
 *
 *     cc fit_memory.c $(pkg-config --cflags --libs scree) -lm && ./a.out
 */
#include <math.h>
#include <scree.h>
#include <stdio.h>

enum { N = 6, D = 3, M = 2 };

static const double x[N][D] = {{2, 1, 0}, {4, 2, 1}, {6, 4, 1}, {8, 4, 3}, {1, 9, 2}, {3, 7, 5}};

static double mean_squared_error(double (*back)[D])
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            sum += (x[i][j] - back[i][j]) * (x[i][j] - back[i][j]);
    return sum / N;
}

static scree_status there_and_back(scree_error *error)
{
    scree_status status;
    scree_source *rows = NULL;
    scree_model *model = NULL;
    scree_block block = SCREE_BLOCK_INIT; /* of doubles, row after row */
    scree_block codes = SCREE_BLOCK_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double z[N][M];
    double back[N][D];
    block.data = x;
    block.rows = N;
    block.cols = D;
    codes.data = z;
    codes.rows = N;
    codes.cols = M;
    options.components = M;
    if ((status = scree_source_from_memory(&rows, &block, error)) ||
        (status = scree_model_fit(&model, rows, &options, error)) ||
        (status = scree_model_project_rows(model, &block, &z[0][0], NULL, error)) ||
        (status = scree_model_reconstruct_rows(model, &codes, &back[0][0], NULL, error)))
        goto done;
    const double promised = scree_model_get(model)->reconstruction_error;
    const double found = mean_squared_error(back);
    for (int i = 0; i < N; i++)
        printf("row %d: code %8.4f %8.4f   back %7.4f %7.4f %7.4f\n", i + 1, z[i][0], z[i][1], back[i][0], back[i][1],
               back[i][2]);
    printf("mean squared error %.6f, promised %.6f\n", found, promised);
    status = fabs(found - promised) <= 1e-12 ? SCREE_OK : SCREE_ERR_NUMERIC;
done:
    scree_model_free(model);
    scree_source_free(rows);
    return status;
}

int main(void)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_status status = there_and_back(&error);
    if (status != SCREE_OK)
        fprintf(stderr, "%s\n", error.text[0] ? error.text : scree_status_text(status));
    return status != SCREE_OK;
}
