/* SPDX-License-Identifier: BSD-3-Clause */
/* A program from outside that draws: it finds scree_view.h and libscree-view where they were installed. */

#include <scree_view.h>

#include <stdio.h>

int main(void)
{
    static const double rows[4][2] = {{1, 2}, {2, 4.1}, {3, 5.9}, {4, 8}};
    const scree_block block = {.size = sizeof block, .data = rows, .type = SCREE_F64, .rows = 4, .cols = 2};
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_plot_options plot = SCREE_PLOT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    int failed = 0;

    options.components = 1;
    plot.format = "text";
    if (scree_source_from_memory(&source, &block, &error) || scree_model_fit(&model, source, &options, &error) ||
        scree_model_plot(model, NULL, "/dev/null", &plot, &error)) {
        fprintf(stderr, "outside_view: %s\n", error.text);
        failed = 1;
    }
    scree_model_free(model);
    scree_source_free(source);
    return failed;
}
