/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of Python as blocks of rows, where they lie: C order, Fortran order and any other strides that are not
 * negative, of all element types that scree.h has. What the library cannot take as it is (negative strides, another
 * byte order, complex numbers) is refused with a TypeError; the Python side copies such arrays before they come here.
 */

#include "core.h"

#include <string.h>

/* The letter of a format in the machine's own order, by the size of its elements, or 0. */
static int type_of(const char *format, Py_ssize_t size, scree_type *type)
{
    static const struct {
        char letters[8];
        Py_ssize_t size;
        scree_type type;
    } TYPES[] = {{"f", 4, SCREE_F32},    {"d", 8, SCREE_F64},    {"e", 2, SCREE_F16},    {"?", 1, SCREE_BOOL},
                 {"B", 1, SCREE_U8},     {"b", 1, SCREE_I8},     {"H", 2, SCREE_U16},    {"h", 2, SCREE_I16},
                 {"ILQN", 4, SCREE_U32}, {"ilqn", 4, SCREE_I32}, {"ILQN", 8, SCREE_U64}, {"ilqn", 8, SCREE_I64}};
    if (!format)
        format = "B";
    if (*format == '@' || *format == '=' || (*format == '<' && PY_LITTLE_ENDIAN))
        format++;
    for (size_t i = 0; strlen(format) == 1 && i < sizeof TYPES / sizeof *TYPES; i++)
        if (TYPES[i].size == size && strchr(TYPES[i].letters, *format)) {
            *type = TYPES[i].type;
            return 0;
        }
    PyErr_Format(PyExc_TypeError, "rows cannot be of the element type '%s'", format);
    return -1;
}

static int take_view(core_block *out, PyObject *object, int dimensions)
{
    Py_buffer *view = &out->views[out->held];
    if (PyObject_GetBuffer(object, view, PyBUF_RECORDS_RO))
        return -1;
    out->held++;
    if (view->ndim != dimensions) {
        PyErr_Format(PyExc_TypeError, "a buffer has %d dimension%s, and %d %s expected", view->ndim,
                     view->ndim == 1 ? "" : "s", dimensions, dimensions == 1 ? "was" : "were");
        return -1;
    }
    for (int i = 0; i < dimensions; i++) {
        const Py_ssize_t stride = view->strides[i];
        const bool repeats = stride == 0 && view->shape[i] > 1 && view->len > 0; /* 0 is "packed" to the library */
        if (stride < 0 || stride % view->itemsize != 0 || repeats) {
            PyErr_SetString(PyExc_TypeError, "strides must be whole elements, neither negative nor 0");
            return -1;
        }
    }
    return 0;
}

static int take_dense(core_block *out, PyObject *rows)
{
    const Py_buffer *view = &out->views[0];
    scree_block *block = &out->block;
    if (take_view(out, rows, 2) || type_of(view->format, view->itemsize, &block->type))
        return -1;
    block->data = view->buf;
    block->rows = view->shape[0];
    block->cols = view->shape[1];
    block->row_stride = view->strides[0] / view->itemsize;
    block->col_stride = view->strides[1] / view->itemsize;
    return 0;
}

static bool is_packed(const Py_buffer *view)
{
    return view->shape[0] < 2 || view->strides[0] == view->itemsize;
}

static int take_sparse(core_block *out, PyObject *rows)
{
    PyObject *parts[3];
    long long cols = 0;
    scree_type type;
    if (!PyArg_ParseTuple(rows, "OOOL", &parts[0], &parts[1], &parts[2], &cols))
        return -1;
    for (int i = 0; i < 3; i++)
        if (take_view(out, parts[i], 1))
            return -1;
    const Py_buffer *v = out->views;
    if (type_of(v[0].format, v[0].itemsize, &out->block.type))
        return -1;
    const bool starts = type_of(v[1].format, v[1].itemsize, &type) == 0 && type == SCREE_I64;
    const bool indices = starts && type_of(v[2].format, v[2].itemsize, &type) == 0 && type == SCREE_I32;
    if (!indices || !is_packed(&v[0]) || !is_packed(&v[1]) || !is_packed(&v[2]) || v[1].shape[0] < 1) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "sparse rows are values, starts of int64 and columns of int32, packed");
        return -1;
    }
    const int64_t *first = v[1].buf;
    out->block.rows = v[1].shape[0] - 1;
    if (first[out->block.rows] > v[0].shape[0] || first[out->block.rows] > v[2].shape[0]) {
        PyErr_SetString(PyExc_ValueError, "sparse rows end behind their values");
        return -1;
    }
    out->block.cols = cols;
    out->block.data = v[0].buf;
    out->block.starts = first;
    out->block.indices = v[2].buf;
    return 0;
}

int core_block_take(core_block *out, PyObject *rows)
{
    *out = (core_block){.block = SCREE_BLOCK_INIT, .held = 0};
    const int failed = PyTuple_Check(rows) ? take_sparse(out, rows) : take_dense(out, rows);
    if (failed)
        core_block_release(out);
    return failed;
}

void core_block_release(core_block *block)
{
    while (block->held > 0)
        PyBuffer_Release(&block->views[--block->held]);
}

int core_doubles_take(core_doubles *out, PyObject *buffer, int64_t count)
{
    out->data = NULL;
    if (buffer == Py_None)
        return 0;
    if (PyObject_GetBuffer(buffer, &out->view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS))
        return -1;
    if (out->view.len != count * (int64_t)sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "results are %lld bytes, and the buffer for them has %zd", (long long)count * 8,
                     out->view.len);
        PyBuffer_Release(&out->view);
        return -1;
    }
    out->data = out->view.buf;
    return 0;
}

void core_doubles_release(core_doubles *doubles)
{
    if (doubles->data)
        PyBuffer_Release(&doubles->view);
    doubles->data = NULL;
}
