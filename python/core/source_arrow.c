/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables in memory as Arrow streams that a callable of Python makes anew for each pass. */

#include "core.h"

/* The published Arrow C stream interface, as any library that uses it declares it. */
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

typedef struct arrow_maker {
    PyObject *make; /* returns a capsule "arrow_array_stream" */
    core_source *source;
} arrow_maker;

static scree_status make_stream(void *context, struct ArrowArrayStream *out, scree_error *error)
{
    arrow_maker *maker = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *capsule = PyObject_CallNoArgs(maker->make);
    struct ArrowArrayStream *stream = capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    const scree_status status = stream ? SCREE_OK : core_source_raised(maker->source, error);
    if (stream) {
        *out = *stream;
        stream->release = NULL; /* moved */
    }
    Py_XDECREF(capsule);
    PyGILState_Release(state);
    return status;
}

static void release_maker(void *context)
{
    arrow_maker *maker = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(maker->make);
    PyMem_Free(maker);
    PyGILState_Release(state);
}

/* (make, rows, options): make returns the capsule of a new stream over the same rows. */
PyObject *core_source_arrow_calls(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *make = NULL;
    PyObject *dict = NULL;
    long long rows = -1;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_arrow_calls table = SCREE_ARROW_CALLS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OLO", &make, &rows, &dict) || core_read_options_read(&options, dict))
        return NULL;
    arrow_maker *maker = PyMem_Calloc(1, sizeof *maker);
    core_source *source = maker ? core_source_new() : NULL;
    if (!source) {
        PyMem_Free(maker);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    *maker = (arrow_maker){Py_NewRef(make), source};
    table.context = maker;
    table.open = make_stream;
    table.release = release_maker;
    table.name = "memory";
    table.rows = rows;
    CORE_CALL(status, scree_source_from_arrow_calls(&source->source, &table, &options, &error));
    if (status == SCREE_OK)
        return core_source_wrap(source);
    release_maker(maker);
    core_fail(status, &error, source, NULL);
    PyMem_Free(source);
    return NULL;
}
