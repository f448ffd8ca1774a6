/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether new rows have drifted from a model. */

#include "core.h"

#include <stddef.h>

#define FIELD(of, name, kind)                                                                                          \
    {                                                                                                                  \
#name, kind, offsetof(of, name), 0, 0                                                                          \
    }
static const core_field VIEW_FIELDS[] = {FIELD(scree_drift_view, rows, 'l'),    FIELD(scree_drift_view, gaps, 'l'),
                                         FIELD(scree_drift_view, fitted, 'd'),  FIELD(scree_drift_view, level, 'd'),
                                         FIELD(scree_drift_view, p_value, 'd'), FIELD(scree_drift_view, drifted, 'b'),
                                         FIELD(scree_drift_view, moved, 'l'),   FIELD(scree_drift_view, shuffles, 'l'),
                                         FIELD(scree_drift_view, normal, 'b'),  {NULL, 0, 0, 0, 0}};
static const core_field CHECK_FIELDS[] = {FIELD(scree_drift_check, name, 's'),
                                          FIELD(scree_drift_check, title, 's'),
                                          FIELD(scree_drift_check, unit, 's'),
                                          FIELD(scree_drift_check, found, 'd'),
                                          FIELD(scree_drift_check, expected, 'd'),
                                          FIELD(scree_drift_check, p_value, 'd'),
                                          FIELD(scree_drift_check, drifted, 'b'),
                                          FIELD(scree_drift_check, reason, 's'),
                                          {NULL, 0, 0, 0, 0}};
static const core_field BLAME_FIELDS[] = {
    FIELD(scree_drift_blame, part, 'i'),      FIELD(scree_drift_blame, column, 'l'),
    FIELD(scree_drift_blame, component, 'l'), FIELD(scree_drift_blame, change, 'd'),
    FIELD(scree_drift_blame, p_value, 'd'),   {NULL, 0, 0, 0, 0}};
static const core_field OPTIONS[] = {
    FIELD(scree_drift_options, level, 'd'), FIELD(scree_drift_options, exact, 'b'), {NULL, 0, 0, 0, 0}};

/* Appends a dict; -1 with an exception set. */
static int append(PyObject *list, const void *view, const core_field *fields)
{
    PyObject *dict = core_view_dict(view, fields);
    const int failed = !dict || PyList_Append(list, dict);
    Py_XDECREF(dict);
    return failed ? -1 : 0;
}

static PyObject *drift_dict(const scree_drift *drift)
{
    const scree_drift_check *check = NULL;
    const scree_drift_blame *blame = NULL;
    PyObject *dict = core_view_dict(scree_drift_get(drift), VIEW_FIELDS);
    PyObject *checks = dict ? PyList_New(0) : NULL;
    PyObject *changed = checks ? PyList_New(0) : NULL;
    bool failed = !changed;
    for (int64_t i = 0; !failed && (check = scree_drift_check_at(drift, i)); i++)
        failed = append(checks, check, CHECK_FIELDS);
    for (int64_t i = 0; !failed && (blame = scree_drift_blame_at(drift, i)); i++)
        failed = append(changed, blame, BLAME_FIELDS);
    if (failed || PyDict_SetItemString(dict, "checks", checks) || PyDict_SetItemString(dict, "changed", changed))
        Py_CLEAR(dict);
    Py_XDECREF(checks);
    Py_XDECREF(changed);
    return dict;
}

/* (model, source, fitted or None, options, run) */
PyObject *core_drift(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *rows = NULL;
    PyObject *fitted_rows = NULL;
    PyObject *dict = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_run run;
    scree_drift *drift = NULL;
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOO", &capsule, &rows, &fitted_rows, &dict, &run_args) ||
        core_options_read(&options, OPTIONS, dict))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    core_source *source = model ? core_source_begin(rows) : NULL;
    core_source *fitted = source && fitted_rows != Py_None ? core_source_begin(fitted_rows) : NULL;
    if (!PyErr_Occurred() && core_run_begin(&run, run_args) == 0) {
        options.run = &run.run;
        options.fitted = fitted ? fitted->source : NULL;
        CORE_CALL(status, scree_drift_make(&drift, model, source->source, &options, &error));
        result = status == SCREE_OK ? drift_dict(drift)
                                    : core_fail(status, &error, fitted && fitted->raised[0] ? fitted : source, &run);
        scree_drift_free(drift);
        core_run_end(&run);
    }
    core_source_end(fitted);
    core_source_end(source);
    return result;
}
