/* SPDX-License-Identifier: BSD-3-Clause */
/* A program from outside: it finds the header and the library where they were installed, and calls into it. It links
 * the calls that the static library needs most of its own dependencies for. */

#include <scree.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const double rows[4][2] = {{1, 2}, {2, 4.1}, {3, 5.9}, {4, 8}};
    scree_error error = SCREE_ERROR_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    int failed = 1;

    block.data = rows;
    block.rows = 4;
    block.cols = 2;
    options.components = 1;
    if (scree_source_from_memory(&source, &block, &error) || scree_model_fit(&model, source, &options, &error))
        fprintf(stderr, "outside: %s\n", error.text);
    else
        failed = scree_model_get(model)->m != 1 || strcmp(scree_version(), EXPECTED_VERSION) != 0;
    scree_model_free(model);
    scree_source_free(source);
    return failed;
}
