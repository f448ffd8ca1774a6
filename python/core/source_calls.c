/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that callables of Python hand in, batch by batch: next() returns a buffer of two dimensions, or None at the end,
 * and rewind() goes back to the first. The library may ask from a thread of its own, so the interpreter is taken for
 * the time of each call. A batch may have more rows than are asked for: it is lent in parts. */

#include "core.h"

typedef struct calls {
    PyObject *next;
    PyObject *rewind; /* None: can be read once */
    core_source *source;
    core_block batch;
    int64_t lent; /* rows of the batch */
    int64_t cols;
} calls;

scree_status core_source_raised(core_source *source, scree_error *error)
{
    core_raised_keep(source->raised);
    error->status = SCREE_ERR_VALUE;
    PyOS_snprintf(error->text, sizeof error->text, "the function that hands in rows raised an exception");
    return SCREE_ERR_VALUE;
}

/* The next batch that has rows, or none at the end. */
static scree_status fetch(calls *c, scree_error *error)
{
    do {
        core_block_release(&c->batch);
        c->batch.block.rows = c->lent = 0;
        PyObject *rows = PyObject_CallNoArgs(c->next);
        if (!rows)
            return core_source_raised(c->source, error);
        if (rows == Py_None) {
            Py_DECREF(rows);
            return SCREE_OK;
        }
        const int failed = core_block_take(&c->batch, rows);
        Py_DECREF(rows);
        if (failed)
            return core_source_raised(c->source, error);
        if (c->batch.block.cols != c->cols) {
            PyErr_Format(PyExc_ValueError, "a batch has %lld columns, but the first one had %lld",
                         (long long)c->batch.block.cols, (long long)c->cols);
            return core_source_raised(c->source, error);
        }
    } while (c->batch.block.rows == 0);
    return SCREE_OK;
}

static scree_status next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    calls *c = context;
    scree_status status = SCREE_OK;
    if (c->lent == c->batch.block.rows) {
        const PyGILState_STATE state = PyGILState_Ensure();
        status = fetch(c, error);
        PyGILState_Release(state);
    }
    const scree_block *batch = &c->batch.block;
    const int64_t left = batch->rows - c->lent;
    if (status != SCREE_OK || left == 0)
        return status;
    *block = *batch;
    block->data = (const char *)batch->data + c->lent * batch->row_stride * c->batch.views[0].itemsize;
    block->rows = left < max_rows ? left : max_rows;
    c->lent += block->rows;
    return SCREE_OK;
}

static scree_status rewind_rows(void *context, scree_error *error)
{
    calls *c = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    core_block_release(&c->batch);
    c->batch.block.rows = c->lent = 0;
    PyObject *done = PyObject_CallNoArgs(c->rewind);
    const scree_status status = done ? SCREE_OK : core_source_raised(c->source, error);
    Py_XDECREF(done);
    PyGILState_Release(state);
    return status;
}

static void release(void *context)
{
    calls *c = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    core_block_release(&c->batch);
    Py_DECREF(c->next);
    Py_DECREF(c->rewind);
    PyMem_Free(c);
    PyGILState_Release(state);
}

/* (next, rewind or None, rows or -1, cols, type, name, columns): columns is a tuple of names or None. */
PyObject *core_source_calls(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *next_call = NULL;
    PyObject *rewind_call = NULL;
    PyObject *names = NULL;
    long long rows = -1;
    long long cols = 0;
    int type = 0;
    scree_source_calls table = SCREE_SOURCE_CALLS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOLLisO", &next_call, &rewind_call, &rows, &cols, &type, &table.name, &names))
        return NULL;
    const char **columns = names == Py_None ? NULL : core_texts_of(names, cols);
    if (names != Py_None && !columns)
        return NULL;
    calls *c = PyMem_Calloc(1, sizeof *c);
    core_source *source = c ? core_source_new() : NULL;
    if (!source) {
        PyMem_Free(columns);
        PyMem_Free(c);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    *c = (calls){.next = Py_NewRef(next_call), .rewind = Py_NewRef(rewind_call), .source = source, .cols = cols};
    table.context = c;
    table.next = next;
    table.rewind = rewind_call == Py_None ? NULL : rewind_rows;
    table.release = release;
    table.rows = rows;
    table.cols = cols;
    table.type = (scree_type)type;
    table.columns = columns;
    const scree_status status = scree_source_from_calls(&source->source, &table, &error);
    PyMem_Free(columns);
    if (status == SCREE_OK)
        return core_source_wrap(source);
    release(c);
    core_fail(status, &error, source, NULL);
    PyMem_Free(source);
    return NULL;
}
