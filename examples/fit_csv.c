/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest useful program: the first two components of a CSV file, with what is proven of their eigenvalues.
 *
 *     cc fit_csv.c $(pkg-config --cflags --libs scree) && ./a.out iris.csv
 */
#include <scree.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    scree_source *rows = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;

    if (scree_source_open(&rows, argc > 1 ? argv[1] : "iris.csv", NULL, &error) ||
        scree_model_fit(&model, rows, &options, &error))
        fprintf(stderr, "%s\n", error.text);
    for (int j = 0; model && j < 2; j++)
        printf("%.6f within %.1e\n", scree_model_get(model)->eigenvalues[j],
               scree_model_get(model)->eigenvalue_bounds[j]);
    const int failed = model == NULL;
    scree_model_free(model);
    scree_source_free(rows);
    return failed;
}
