/* SPDX-License-Identifier: BSD-3-Clause */
/* Where answers about sources go: a file, which appears whole or not at all, or memory that grows, for sources that do
 * not say how many rows they have. */

#include "core.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct core_sink {
    scree_sink *sink;
    double *rows; /* collected */
    int64_t count;
    int64_t room;
    int64_t cols;
    char **names; /* of the columns; NULL: none */
    char **texts; /* of every row, the text columns side by side */
    int64_t text_cols;
    int64_t text_count;
    int64_t text_room;
    bool collects;
};

static void free_texts(char **texts, int64_t count)
{
    for (int64_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

static void sink_free(core_sink *sink)
{
    scree_sink_free(sink->sink);
    free(sink->rows);
    free_texts(sink->names, sink->cols);
    free_texts(sink->texts, sink->text_count);
    free(sink);
}

static void sink_destroy(PyObject *capsule)
{
    sink_free(PyCapsule_GetPointer(capsule, CORE_SINK));
}

static PyObject *wrap(core_sink *sink)
{
    PyObject *capsule = PyCapsule_New(sink, CORE_SINK, sink_destroy);
    if (!capsule)
        sink_free(sink);
    return capsule;
}

scree_sink *core_sink_of(PyObject *capsule)
{
    if (capsule == Py_None)
        return NULL;
    core_sink *sink = PyCapsule_GetPointer(capsule, CORE_SINK);
    return sink ? sink->sink : NULL;
}

static scree_status no_memory(scree_error *error)
{
    error->status = SCREE_ERR_MEMORY;
    PyOS_snprintf(error->text, sizeof error->text, "cannot allocate memory for the answers; write them to a file");
    return SCREE_ERR_MEMORY;
}

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    core_sink *sink = context;
    (void)text_names;
    sink->cols = cols;
    sink->text_cols = text_count;
    if (columns && !(sink->names = calloc((size_t)cols + 1, sizeof(char *))))
        return no_memory(error);
    for (int64_t j = 0; columns && j < cols; j++)
        if (!(sink->names[j] = strdup(columns[j])))
            return no_memory(error);
    if (rows > 0) {
        sink->rows = malloc((size_t)(rows * cols) * sizeof(double));
        sink->room = sink->rows ? rows : 0;
    }
    return SCREE_OK;
}

static scree_status grow(core_sink *sink, int64_t more, scree_error *error)
{
    if (sink->count + more <= sink->room)
        return SCREE_OK;
    const int64_t room = 2 * (sink->count + more);
    double *rows = realloc(sink->rows, (size_t)(room * sink->cols) * sizeof(double));
    if (!rows)
        return no_memory(error);
    sink->rows = rows;
    sink->room = room;
    return SCREE_OK;
}

static scree_status keep_texts(core_sink *sink, const scree_block *block, scree_error *error)
{
    const int64_t more = block->rows * sink->text_cols;
    if (sink->text_count + more > sink->text_room) {
        const int64_t room = 2 * (sink->text_count + more);
        char **texts = realloc(sink->texts, (size_t)room * sizeof *texts);
        if (!texts)
            return no_memory(error);
        sink->texts = texts;
        sink->text_room = room;
    }
    for (int64_t i = 0; i < more; i++) {
        const char *text = block->texts && block->texts[i] ? block->texts[i] : "";
        if (!(sink->texts[sink->text_count] = strdup(text)))
            return no_memory(error);
        sink->text_count++;
    }
    return SCREE_OK;
}

static scree_status write_rows(void *context, const scree_block *block, scree_error *error)
{
    core_sink *sink = context;
    scree_status status = grow(sink, block->rows, error);
    if (status == SCREE_OK && sink->text_cols > 0)
        status = keep_texts(sink, block, error);
    if (status != SCREE_OK)
        return status;
    const int64_t stride = block->row_stride > 0 ? block->row_stride : block->cols;
    for (int64_t i = 0; i < block->rows; i++)
        memcpy(sink->rows + (sink->count + i) * sink->cols, (const double *)block->data + i * stride,
               (size_t)sink->cols * sizeof(double));
    sink->count += block->rows;
    return SCREE_OK;
}

/* (path, format or None, type) */
PyObject *core_sink_open(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path = NULL;
    int type = 0;
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "szi", &path, &options.format, &type))
        return NULL;
    options.type = (scree_type)type;
    core_sink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return PyErr_NoMemory();
    const scree_status status = scree_sink_open(&sink->sink, path, &options, &error);
    if (status == SCREE_OK)
        return wrap(sink);
    sink_free(sink);
    return core_fail(status, &error, NULL, NULL);
}

/* () */
PyObject *core_sink_collect(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    core_sink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return PyErr_NoMemory();
    sink->collects = true;
    calls.context = sink;
    calls.begin = begin;
    calls.write = write_rows;
    calls.name = "memory";
    const scree_status status = scree_sink_to_calls(&sink->sink, &calls, &error);
    if (status == SCREE_OK)
        return wrap(sink);
    sink_free(sink);
    return core_fail(status, &error, NULL, NULL);
}

static PyObject *texts_list(char *const *texts, int64_t count)
{
    if (!texts)
        return Py_NewRef(Py_None);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(texts[i], (Py_ssize_t)strlen(texts[i]), "replace");
        if (!text)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, text);
    }
    return list;
}

/* (sink) → None of a file, of memory (rows, cols, doubles as a bytearray, column names or None, texts or None) */
PyObject *core_sink_finish(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    core_sink *sink = PyCapsule_GetPointer(capsule, CORE_SINK);
    if (!sink)
        return NULL;
    CORE_CALL(status, scree_sink_finish(sink->sink, &error));
    if (status != SCREE_OK)
        return core_fail(status, &error, NULL, NULL);
    if (!sink->collects)
        return Py_NewRef(Py_None);
    PyObject *names = texts_list(sink->names, sink->cols);
    PyObject *texts = texts_list(sink->texts, sink->text_count);
    PyObject *bytes =
        PyByteArray_FromStringAndSize((const char *)sink->rows, (Py_ssize_t)(sink->count * sink->cols * 8));
    if (names && texts && bytes)
        return Py_BuildValue("LLNNN", sink->count, sink->cols, bytes, names, texts);
    Py_XDECREF(names);
    Py_XDECREF(texts);
    Py_XDECREF(bytes);
    return NULL;
}
