/* SPDX-License-Identifier: BSD-3-Clause */
/* How many components, and what each method would cost. */

#include "core.h"

#include <stddef.h>

#define SEL(name) offsetof(scree_selection_view, name)
#define VIEW(name, kind)                                                                                               \
    {                                                                                                                  \
#name, kind, SEL(name), 0, 0                                                                                   \
    }
static const core_field VIEW_FIELDS[] = {VIEW(n, 'l'),
                                         VIEW(d, 'l'),
                                         VIEW(directions, 'l'),
                                         VIEW(max_components, 'l'),
                                         {"eigenvalues", 'D', SEL(eigenvalues), SEL(max_components), 0},
                                         VIEW(total_variance, 'd'),
                                         VIEW(recommended, 'l'),
                                         VIEW(reason, 's'),
                                         VIEW(warning, 's'),
                                         VIEW(fewest, 'l'),
                                         VIEW(most, 'l'),
                                         VIEW(gaps, 's'),
                                         VIEW(noise, 's'),
                                         {NULL, 0, 0, 0, 0}};

#define OPTION(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_select_options, name), 0, 0                                                        \
    }
static const core_field OPTIONS[] = {OPTION(max_components, 'l'), OPTION(folds, 'i'), OPTION(noise_sd, 'd'),
                                     OPTION(scale, 'i'),          OPTION(seed, 'u'),  OPTION(log1p, 'b'),
                                     {NULL, 0, 0, 0, 0}};

static PyObject *criterion_tuple(const scree_criterion *c, int64_t count)
{
    PyObject *values =
        c->values ? PyBytes_FromStringAndSize((const char *)c->values, (Py_ssize_t)(count * 8)) : Py_NewRef(Py_None);
    return values ? Py_BuildValue("sssNzLO", c->name, c->title, c->rule, values, c->reason, c->choice,
                                  c->votes ? Py_True : Py_False)
                  : NULL;
}

static PyObject *selection_dict(const scree_selection *selection)
{
    const scree_selection_view *view = scree_selection_get(selection);
    const scree_criterion *c = NULL;
    PyObject *dict = core_view_dict(view, VIEW_FIELDS);
    PyObject *list = dict ? PyList_New(0) : NULL;
    bool failed = !list;
    for (int64_t i = 0; !failed && (c = scree_selection_criterion(selection, i)); i++) {
        PyObject *tuple = criterion_tuple(c, view->max_components + 1);
        failed = !tuple || PyList_Append(list, tuple);
        Py_XDECREF(tuple);
    }
    if (failed || PyDict_SetItemString(dict, "criteria", list))
        Py_CLEAR(dict);
    Py_XDECREF(list);
    return dict;
}

/* (model or None, source or None, options, run): of one of them */
PyObject *core_select(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *rows = NULL;
    PyObject *dict = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_source *source = NULL;
    core_run run;
    scree_selection *selection = NULL;
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &rows, &dict, &run_args) ||
        core_options_read(&options, OPTIONS, dict))
        return NULL;
    const scree_model *model = capsule == Py_None ? NULL : core_model_of(capsule);
    if (PyErr_Occurred() || (!model && !(source = core_source_begin(rows))))
        return NULL;
    if (core_run_begin(&run, run_args) == 0) {
        options.run = &run.run;
        if (model)
            CORE_CALL(status, scree_selection_from_model(&selection, model, &options, &error));
        else
            CORE_CALL(status, scree_selection_make(&selection, source->source, &options, &error));
        result = status == SCREE_OK ? selection_dict(selection) : core_fail(status, &error, source, &run);
        scree_selection_free(selection);
        core_run_end(&run);
    }
    core_source_end(source);
    return result;
}

/* (source, components, memory) → list of (solver, applicable, chosen, passes, memory, seconds, reason) */
PyObject *core_plan(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows = NULL;
    long long components = 0;
    long long memory = 0;
    scree_plan *plan = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OLL", &rows, &components, &memory))
        return NULL;
    core_source *source = core_source_begin(rows);
    if (!source)
        return NULL;
    options.components = components;
    options.run = &run;
    run.memory = memory;
    const scree_status status = scree_plan_make(&plan, source->source, &options, &error);
    core_source_end(source);
    if (status != SCREE_OK)
        return core_fail(status, &error, source, NULL);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < scree_plan_count(plan); i++) {
        const scree_plan_entry *e = scree_plan_at(plan, i);
        PyObject *tuple = Py_BuildValue("sOOiLds", e->solver, e->applicable ? Py_True : Py_False,
                                        e->chosen ? Py_True : Py_False, e->passes, e->memory, e->seconds, e->reason);
        if (!tuple || PyList_Append(list, tuple))
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    scree_plan_free(plan);
    return list;
}
