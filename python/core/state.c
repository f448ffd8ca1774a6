/* SPDX-License-Identifier: BSD-3-Clause */
/* States as capsules: what a fit has seen so far, added to, merged, saved, pickled, and made a model of. A state is one
 * thread's at a time: looking at it folds rows in that wait, and a call lets go of the interpreter. */

#include "core.h"

#include <stddef.h>

#define CORE_STATE "scree.state"

#define AT(name) offsetof(scree_state_view, name)
#define VIEW(name, kind)                                                                                               \
    {                                                                                                                  \
#name, kind, AT(name), 0, 0                                                                                    \
    }
static const core_field VIEW_FIELDS[] = {VIEW(method, 's'),
                                         VIEW(cols, 'l'),
                                         VIEW(rows, 'l'),
                                         VIEW(weight, 'd'),
                                         {"mean", 'D', AT(mean), AT(cols), 0},
                                         {"variances", 'D', AT(variances), AT(cols), 0},
                                         {"columns", 'T', AT(columns), AT(cols), 0},
                                         VIEW(forget, 'd'),
                                         VIEW(rank, 'l'),
                                         VIEW(bound, 'd'),
                                         VIEW(bytes, 'l'),
                                         {NULL, 0, 0, 0, 0}};

#define OPTION(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_state_options, name), 0, 0                                                         \
    }
static const core_field OPTIONS[] = {OPTION(method, 's'),  OPTION(rank, 'l'),   OPTION(forget, 'd'),
                                     OPTION(threads, 'i'), OPTION(memory, 'l'), {NULL, 0, 0, 0, 0}};

typedef struct core_state {
    scree_state *state;
    atomic_flag busy; /* a call works on it */
} core_state;

static void state_destroy(PyObject *capsule)
{
    core_state *held = PyCapsule_GetPointer(capsule, CORE_STATE);
    scree_state_free(held->state);
    PyMem_Free(held);
}

/* The state, until state_end; NULL with an exception set, where another call has it. */
static scree_state *state_begin(PyObject *capsule)
{
    core_state *held = PyCapsule_GetPointer(capsule, CORE_STATE);
    if (held && atomic_flag_test_and_set(&held->busy)) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this state; give each thread a state of its own, "
                                            "and merge them");
        return NULL;
    }
    return held ? held->state : NULL;
}

static void state_end(PyObject *capsule)
{
    core_state *held = PyCapsule_GetPointer(capsule, CORE_STATE);
    atomic_flag_clear(&held->busy);
}

static PyObject *made(scree_state *state, scree_status status, const scree_error *error)
{
    if (status != SCREE_OK)
        return core_fail(status, error, NULL, NULL);
    core_state *held = PyMem_Calloc(1, sizeof *held);
    PyObject *capsule = NULL;
    if (held) {
        held->state = state;
        atomic_flag_clear(&held->busy);
        capsule = PyCapsule_New(held, CORE_STATE, state_destroy);
    } else
        PyErr_NoMemory();
    if (!capsule) {
        scree_state_free(state);
        PyMem_Free(held);
    }
    return capsule;
}

static PyObject *done(scree_status status, const scree_error *error)
{
    return status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, error, NULL, NULL);
}

/* The texts of a tuple of count, NULL for None; to be freed by PyMem_Free, the tuple's own being lent. 0, or -1. */
static int names_take(const char ***out, PyObject *names, Py_ssize_t count)
{
    *out = NULL;
    if (names == Py_None)
        return 0;
    if (PyTuple_Size(names) != count) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "each column has one name");
        return -1;
    }
    const char **texts = PyMem_Calloc((size_t)count + 1, sizeof *texts);
    for (Py_ssize_t j = 0; texts && j < count && !PyErr_Occurred(); j++)
        texts[j] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, j), NULL);
    if (!texts)
        PyErr_NoMemory();
    if (PyErr_Occurred()) {
        PyMem_Free(texts);
        return -1;
    }
    *out = texts;
    return 0;
}

/* (columns, their names or None, options) */
PyObject *core_state_new(PyObject *self, PyObject *args)
{
    (void)self;
    long long cols = 0;
    PyObject *names = NULL;
    PyObject *dict = NULL;
    const char **texts = NULL;
    scree_state *state = NULL;
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "LOO", &cols, &names, &dict) || core_options_read(&options, OPTIONS, dict) ||
        names_take(&texts, names, (Py_ssize_t)cols))
        return NULL;
    options.columns = (const char *const *)texts;
    const scree_status status = scree_state_new(&state, cols, &options, &error);
    PyMem_Free(texts);
    return made(state, status, &error);
}

/* (state, rows in memory) */
PyObject *core_state_add(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *rows = NULL;
    core_block block;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &rows))
        return NULL;
    if (core_block_take(&block, rows))
        return NULL;
    scree_state *state = state_begin(capsule);
    if (state) {
        CORE_CALL(status, scree_state_add(state, &block.block, &error));
        state_end(capsule);
    }
    core_block_release(&block);
    return state ? done(status, &error) : NULL;
}

/* (state, source, run) */
PyObject *core_state_add_source(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *rows = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_run run;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &rows, &run_args))
        return NULL;
    core_source *source = core_source_begin(rows);
    scree_state *state = source ? state_begin(capsule) : NULL;
    if (state && core_run_begin(&run, run_args) == 0) {
        CORE_CALL(status, scree_state_add_source(state, source->source, &run.run, &error));
        result = status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, source, &run);
        core_run_end(&run);
    }
    if (state)
        state_end(capsule);
    core_source_end(source);
    return result;
}

/* (into, from) */
PyObject *core_state_merge(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *a = NULL;
    PyObject *b = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OO", &a, &b))
        return NULL;
    scree_state *into = state_begin(a);
    if (!into)
        return NULL;
    scree_state *from = a == b ? into : state_begin(b);
    if (from)
        CORE_CALL(status, scree_state_merge(into, from, &error));
    if (from && a != b)
        state_end(b);
    state_end(a);
    return from ? done(status, &error) : NULL;
}

/* (state, options, scales or None, run) */
PyObject *core_state_fit(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *dict = NULL;
    PyObject *scales = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_doubles given = {NULL, {0}};
    core_run run;
    const scree_state_view *view = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &dict, &scales, &run_args) || core_fit_options_read(&options, dict))
        return NULL;
    scree_state *state = state_begin(capsule);
    if (!state)
        return NULL;
    scree_status status = scree_state_get(&view, state, &error);
    if (status != SCREE_OK) {
        core_fail(status, &error, NULL, NULL);
        goto done;
    }
    if (core_run_begin(&run, run_args))
        goto done;
    if (core_doubles_take(&given, scales, view->cols) == 0) {
        options.run = &run.run;
        options.scales = given.data;
        CORE_CALL(status, scree_state_fit(&model, state, &options, &error));
        result = status == SCREE_OK ? core_model_wrap(model) : core_fail(status, &error, NULL, &run);
        core_doubles_release(&given);
    }
    core_run_end(&run);
done:
    state_end(capsule);
    return result;
}

/* (state) */
PyObject *core_state_view(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    const scree_state_view *view = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    scree_state *state = state_begin(capsule);
    if (!state)
        return NULL;
    const scree_status status = scree_state_get(&view, state, &error);
    PyObject *dict = status == SCREE_OK ? core_view_dict(view, VIEW_FIELDS) : core_fail(status, &error, NULL, NULL);
    state_end(capsule);
    return dict;
}

/* (state, path) */
PyObject *core_state_save(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    const char *path = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &path))
        return NULL;
    scree_state *state = state_begin(capsule);
    if (!state)
        return NULL;
    const scree_status status = scree_state_save(state, path, &error);
    state_end(capsule);
    return done(status, &error);
}

/* (path) */
PyObject *core_state_load(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path = NULL;
    scree_state *state = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    const scree_status status = scree_state_load(&state, path, &error);
    return made(state, status, &error);
}

/* (paths, run): paths is a tuple of texts. */
PyObject *core_state_load_many(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *paths = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_run run;
    scree_state *state = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &paths, &run_args))
        return NULL;
    const char **texts = core_texts_of(paths, -1);
    const Py_ssize_t count = PyTuple_Size(paths);
    if (texts && core_run_begin(&run, run_args) == 0) {
        CORE_CALL(status, scree_state_load_many(&state, texts, count, &run.run, &error));
        result = status == SCREE_OK ? made(state, status, &error) : core_fail(status, &error, NULL, &run);
        core_run_end(&run);
    }
    PyMem_Free(texts);
    return result;
}

/* (bytes) */
PyObject *core_state_from_bytes(PyObject *self, PyObject *args)
{
    (void)self;
    const char *data = NULL;
    Py_ssize_t size = 0;
    scree_state *state = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "y#", &data, &size))
        return NULL;
    const scree_status status = scree_state_load_buffer(&state, data, (size_t)size, &error);
    return made(state, status, &error);
}

/* (state) */
PyObject *core_state_to_bytes(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    void *data = NULL;
    size_t size = 0;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    scree_state *state = state_begin(capsule);
    if (!state)
        return NULL;
    const scree_status status = scree_state_save_buffer(&data, &size, state, &error);
    state_end(capsule);
    if (status != SCREE_OK)
        return core_fail(status, &error, NULL, NULL);
    PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
    scree_buffer_free(data);
    return bytes;
}
