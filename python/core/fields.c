/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs by tables: a dict of Python to the options of the library, a view of the library to a dict of Python. A field
 * that an older library does not know keeps its default, as everywhere in scree.h. */

#include "core.h"

#include <stdint.h>
#include <string.h>

static int read_text(const char **to, PyObject *value)
{
    if (value == Py_None)
        *to = NULL;
    else if (!(*to = PyUnicode_AsUTF8AndSize(value, NULL)))
        return -1;
    return 0;
}

static int read_char(char *to, PyObject *value)
{
    Py_ssize_t length = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value, &length);
    if (!text)
        return -1;
    if (length != 1) {
        PyErr_Format(PyExc_ValueError, "'%s' is not one character", text);
        return -1;
    }
    *to = text[0];
    return 0;
}

static int read_field(char *to, char kind, PyObject *value)
{
    long long number = 0;
    switch (kind) {
    case 'l':
        *(int64_t *)(void *)to = PyLong_AsLongLong(value);
        break;
    case 'u':
        *(uint64_t *)(void *)to = PyLong_AsUnsignedLongLong(value);
        break;
    case 'i':
        number = PyLong_AsLongLong(value);
        *(int *)(void *)to = number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int)number;
        break;
    case 'd':
        *(double *)(void *)to = PyFloat_AsDouble(value);
        break;
    case 'b':
        *(bool *)(void *)to = PyObject_IsTrue(value) == 1;
        break;
    case 'c':
        return read_char(to, value);
    default:
        return read_text((const char **)(void *)to, value);
    }
    return PyErr_Occurred() ? -1 : 0;
}

int core_options_read(void *options, const core_field *fields, PyObject *dict)
{
    PyObject *key = NULL;
    PyObject *value = NULL;
    Py_ssize_t at = 0;
    if (dict == Py_None)
        return 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const core_field *field = fields;
        if (!name)
            return -1;
        while (field->name && strcmp(field->name, name) != 0)
            field++;
        if (!field->name) {
            PyErr_Format(PyExc_TypeError, "there is no option '%s'", name);
            return -1;
        }
        if (read_field((char *)options + field->offset, field->kind, value))
            return -1;
    }
    return 0;
}

static PyObject *texts_list(const char *const *texts, int64_t count)
{
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

static PyObject *array_value(const char *view, const core_field *field)
{
    const void *array = *(const void *const *)(const void *)(view + field->offset);
    int64_t count = 1;
    if (field->rows)
        count *= *(const int64_t *)(const void *)(view + field->rows);
    if (field->cols)
        count *= *(const int64_t *)(const void *)(view + field->cols);
    if (!array)
        return Py_NewRef(Py_None);
    if (field->kind == 'T')
        return texts_list(array, count);
    return PyBytes_FromStringAndSize(array, (Py_ssize_t)(count * 8));
}

static PyObject *field_value(const char *view, const core_field *field)
{
    const void *at = view + field->offset;
    const char *text = NULL;
    switch (field->kind) {
    case 'l':
        return PyLong_FromLongLong(*(const int64_t *)at);
    case 'u':
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)at);
    case 'i':
        return PyLong_FromLong(*(const int *)at);
    case 'd':
        return PyFloat_FromDouble(*(const double *)at);
    case 'b':
        return PyBool_FromLong(*(const bool *)at);
    case 's':
        text = *(const char *const *)at;
        return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : Py_NewRef(Py_None);
    default:
        return array_value(view, field);
    }
}

PyObject *core_view_dict(const void *view, const core_field *fields)
{
    PyObject *dict = PyDict_New();
    for (const core_field *field = fields; dict && field->name; field++) {
        PyObject *value = field_value(view, field);
        if (!value || PyDict_SetItemString(dict, field->name, value))
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}
