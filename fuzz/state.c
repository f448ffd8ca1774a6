/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of state files: loads one, looks at it, adds a row, merges it with itself as it was, and makes models of
 * it. Promised, and looked at: a state that was saved and loaded is saved as the same bytes, a state counts the rows of
 * what it has gained, and a model of it is one that a file can hold. */

#include "input.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLS = 64 };

static void save_twice(scree_state *state)
{
    void *first = NULL;
    void *second = NULL;
    size_t sizes[2] = {0, 0};
    scree_state *again = NULL;
    scree_status status = scree_state_save_buffer(&first, &sizes[0], state, NULL);
    fuzz_require(status == SCREE_OK, "a state that was loaded can be saved");
    status = scree_state_load_buffer(&again, first, sizes[0], NULL);
    fuzz_require(status == SCREE_OK, "a state that was saved can be loaded");
    status = scree_state_save_buffer(&second, &sizes[1], again, NULL);
    fuzz_require(status == SCREE_OK && sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0,
                 "a state that was saved and loaded is saved as the same bytes");
    scree_buffer_free(first);
    scree_buffer_free(second);
    scree_state_free(again);
}

static void make_models(scree_state *state)
{
    static const char *const which[] = {"plain", "scaled", "raw"};
    for (int i = 0; i < (int)(sizeof which / sizeof which[0]); i++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        scree_error error = SCREE_ERROR_INIT;
        scree_model *model = NULL;
        scree_model *again = NULL;
        void *bytes = NULL;
        size_t size = 0;
        options.scale = i == 1 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        options.uncentred = i == 2;
        const scree_status status = scree_state_fit(&model, state, &options, &error);
        fuzz_require((status == SCREE_OK) == (model != NULL), "a model is there when nothing failed, and only then");
        fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
        if (model && scree_model_save_buffer(&bytes, &size, model, NULL) == SCREE_OK)
            fuzz_require(scree_model_load_buffer(&again, bytes, size, NULL) == SCREE_OK,
                         "a model of a state is one that can be loaded");
        scree_buffer_free(bytes);
        scree_model_free(model);
        scree_model_free(again);
    }
}

static void add_and_merge(scree_state *state, const uint8_t *data, size_t size)
{
    const scree_state_view *view = NULL;
    scree_state *other = NULL;
    scree_block row = SCREE_BLOCK_INIT;
    if (scree_state_get(&view, state, NULL) != SCREE_OK)
        return;
    const int64_t rows = view->rows;
    const int64_t cols = view->cols;
    double *cells = calloc((size_t)cols, sizeof *cells);
    for (int64_t j = 0; cells && j < cols; j++)
        cells[j] = (double)j;
    row.data = cells;
    row.rows = 1;
    row.cols = cols;
    if (cells && scree_state_load_buffer(&other, data, size, NULL) == SCREE_OK &&
        scree_state_add(other, &row, NULL) == SCREE_OK && rows < INT64_MAX / 4 &&
        scree_state_merge(state, other, NULL) == SCREE_OK && scree_state_get(&view, state, NULL) == SCREE_OK)
        fuzz_require(view->rows == 2 * rows + 1, "a state has the rows of all that it gained");
    free(cells);
    scree_state_free(other);
}

void fuzz_state(const fuzz_target *target, const uint8_t *data, size_t size)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree_state_view *view = NULL;
    scree_state *state = NULL;
    (void)target;
    const scree_status from_file = scree_state_load(&state, fuzz_file(data, size), &error);
    scree_state_free(state);
    state = NULL;
    const scree_status status = scree_state_load_buffer(&state, data, size, &error);
    fuzz_require(from_file == status, "a state is loaded alike from a file and from memory");
    fuzz_require((status == SCREE_OK) == (state != NULL), "a state is there when nothing failed, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (!state)
        return;
    fuzz_require(scree_state_get(&view, state, NULL) == SCREE_OK, "a state that was loaded can be looked at");
    if (view->cols <= MOST_COLS) {
        save_twice(state);
        make_models(state);
        add_and_merge(state, data, size);
    }
    scree_state_free(state);
}
