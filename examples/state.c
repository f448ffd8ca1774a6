/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that come in batches: a state takes them as they come, is sent somewhere as bytes, and gives the model of all of
 * them; here the two halves are seen by two workers.
 *
 *     cc state.c $(pkg-config --cflags --libs scree) && ./a.out
 */
#include <scree.h>
#include <stdio.h>

enum { N = 6, D = 3, HALF = 3 };

static const double x[N][D] = {{2, 1, 0}, {4, 2, 1}, {6, 4, 1}, {8, 4, 3}, {1, 9, 2}, {3, 7, 5}};

/* What a worker sends of the rows from .. to-1: bytes, to be freed with scree_buffer_free. */
static scree_status work(void **bytes, size_t *size, int from, int to, scree_error *error)
{
    scree_state *state = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    scree_status status = scree_state_new(&state, D, NULL, error);
    block.rows = 1;
    block.cols = D;
    for (int i = from; i < to && status == SCREE_OK; i++) {
        block.data = x[i];
        status = scree_state_add(state, &block, error); /* any number of rows at a time */
    }
    if (status == SCREE_OK)
        status = scree_state_save_buffer(bytes, size, state, error);
    scree_state_free(state);
    return status;
}

static scree_status fit(scree_model **model, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *all = NULL;
    for (int from = 0; from < N && status == SCREE_OK; from += HALF) {
        scree_state *part = NULL;
        void *bytes = NULL;
        size_t size = 0;
        if ((status = work(&bytes, &size, from, from + HALF, error)) == SCREE_OK)
            status = scree_state_load_buffer(all ? &part : &all, bytes, size, error);
        if (part)
            status = scree_state_merge(all, part, error);
        scree_buffer_free(bytes);
        scree_state_free(part);
    }
    if (status == SCREE_OK)
        status = scree_state_fit(model, all, options, error); /* and more rows may come */
    scree_state_free(all);
    return status;
}

int main(void)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    options.components = 2;
    const scree_status status = fit(&model, &options, &error);
    if (status != SCREE_OK)
        fprintf(stderr, "%s\n", error.text);
    else
        printf("%d rows: eigenvalues %.4f %.4f\n", (int)scree_model_get(model)->n,
               scree_model_get(model)->eigenvalues[0], scree_model_get(model)->eigenvalues[1]);
    scree_model_free(model);
    return status != SCREE_OK;
}
