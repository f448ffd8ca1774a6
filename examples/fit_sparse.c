/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse rows in memory: what is stored is lent as it lies, and all other cells are 0. Three arrays hold them, as those
 * of SciPy's csr_array do: values row after row, their columns, and where each row starts. The model is that of the
 * same rows with every cell written out, but no such row is ever made, nor are any cells centred.
 *
 *     cc fit_sparse.c $(pkg-config --cflags --libs scree) -lm && ./a.out
 */
#include <math.h>
#include <scree.h>
#include <stdio.h>

enum { N = 7, D = 5, ENTRIES = 14, M = 2 };

static const int32_t counts[ENTRIES] = {4, 1, 5, 2, 1, 3, 6, 2, 7, 1, 5, 9, 1, 8};
static const int32_t columns[ENTRIES] = {0, 1, 0, 1, 4, 2, 3, 2, 3, 4, 0, 3, 2, 3}; /* ascending in a row */
static const int64_t starts[N + 1] = {0, 2, 5, 7, 10, 11, 12, 14}; /* row i: starts[i] .. starts[i+1]-1 */

static scree_block rows_of(const void *data, scree_type type)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = data;
    block.type = type;
    block.rows = N;
    block.cols = D;
    return block;
}

static scree_status fit(scree_model **model, const scree_block *block, scree_error *error)
{
    scree_source *rows = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = M;
    scree_status status = scree_source_from_memory(&rows, block, error);
    if (status == SCREE_OK)
        status = scree_model_fit(model, rows, &options, error);
    scree_source_free(rows);
    return status;
}

static scree_status compare(scree_error *error)
{
    scree_status status;
    scree_model *model = NULL;
    scree_model *same = NULL;
    double every[N][D] = {{0}};
    scree_block dense = rows_of(every, SCREE_F64);
    scree_block sparse = rows_of(counts, SCREE_I32);
    sparse.starts = starts; /* this makes it sparse */
    sparse.indices = columns;
    for (int i = 0; i < N; i++)
        for (int64_t p = starts[i]; p < starts[i + 1]; p++)
            every[i][columns[p]] = counts[p];
    if ((status = fit(&model, &sparse, error)) || (status = fit(&same, &dense, error)))
        goto done;
    const scree_model_view *a = scree_model_get(model);
    const scree_model_view *b = scree_model_get(same);
    for (int j = 0; j < M; j++) {
        printf("eigenvalue %d: %.10f, of every cell %.10f\n", j + 1, a->eigenvalues[j], b->eigenvalues[j]);
        if (!(fabs(a->eigenvalues[j] - b->eigenvalues[j]) <= a->eigenvalue_bounds[j] + b->eigenvalue_bounds[j]))
            status = SCREE_ERR_NUMERIC;
    }
done:
    scree_model_free(model);
    scree_model_free(same);
    return status;
}

int main(void)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_status status = compare(&error);
    if (status != SCREE_OK)
        fprintf(stderr, "%s\n", error.text);
    return status == SCREE_OK ? 0 : 1;
}
