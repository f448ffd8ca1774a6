/* SPDX-License-Identifier: BSD-3-Clause */
/* From a status of the library to an exception of Python: ValueError for what the caller can put right, OSError for
 * files, MemoryError for memory, with the library's sentence. What a callable of Python raised while the library worked
 * is kept aside, since it may have been raised in another thread, and comes instead of the sentence. */

#include "core.h"

static PyObject *type_of(scree_status status)
{
    switch (status) {
    case SCREE_ERR_MEMORY:
    case SCREE_ERR_LIMIT:
        return PyExc_MemoryError;
    case SCREE_ERR_IO:
        return PyExc_OSError;
    case SCREE_ERR_NUMERIC:
        return PyExc_ArithmeticError;
    case SCREE_ERR_CANCELLED:
        return PyExc_KeyboardInterrupt;
    default:
        return PyExc_ValueError;
    }
}

void core_raised_keep(PyObject **raised)
{
    if (raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
}

bool core_raised_restore(PyObject **raised)
{
    if (!raised[0])
        return false;
    PyErr_Restore(raised[0], raised[1], raised[2]);
    raised[0] = raised[1] = raised[2] = NULL;
    return true;
}

void core_raised_clear(PyObject **raised)
{
    for (int i = 0; i < 3; i++)
        Py_CLEAR(raised[i]);
}

PyObject *core_fail(scree_status status, const scree_error *error, core_source *source, core_run *run)
{
    if ((run && core_raised_restore(run->raised)) || (source && core_raised_restore(source->raised)))
        return NULL;
    PyErr_SetString(type_of(status), error->text[0] ? error->text : scree_status_text(status));
    return NULL;
}
