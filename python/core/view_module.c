/* SPDX-License-Identifier: BSD-3-Clause */
/* The module scree._view: pictures and pages, over libscree-view. It is an extension of its own, loaded when the first
 * picture is asked for, since Cairo and Pango bring some fifty libraries; libscree is the one that scree._core holds.
 */

#include "core.h"

#include <scree_view.h>
#include <stddef.h>

enum { MOST = 64 };

#define PLOT(name, kind)                                                                                               \
    {                                                                                                                  \
#name, kind, offsetof(scree_plot_options, name), 0, 0                                                          \
    }
static const core_field PLOT_FIELDS[] = {
    PLOT(kind, 's'),      PLOT(format, 's'), PLOT(width, 'd'),      PLOT(height, 'd'),        PLOT(scale, 'd'),
    PLOT(dark, 'b'),      PLOT(label, 's'),  PLOT(draws, 'l'),      PLOT(points, 'l'),        PLOT(alpha, 'd'),
    PLOT(training, 'b'),  PLOT(seed, 'u'),   PLOT(image_rows, 'l'), PLOT(image_cols, 'l'),    PLOT(top, 'l'),
    PLOT(colour_by, 's'), PLOT(layout, 's'), PLOT(title, 's'),      PLOT(font_size, 'd'),     PLOT(theme, 's'),
    PLOT(palette, 's'),   PLOT(around, 's'), PLOT(size_by, 's'),    PLOT(supplementary, 's'), PLOT(outlines, 'b'),
    {NULL, 0, 0, 0, 0}};

#define REPORT(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_report_options, name), 0, 0                                                        \
    }
static const core_field REPORT_FIELDS[] = {REPORT(title, 's'),      REPORT(rows, 'l'),     REPORT(max_size, 'l'),
                                           REPORT(label, 's'),      REPORT(id, 's'),       REPORT(image_rows, 'l'),
                                           REPORT(image_cols, 'l'), REPORT(training, 'b'), REPORT(alpha, 'd'),
                                           REPORT(seed, 'u'),       {NULL, 0, 0, 0, 0}};

#define SUMMARY(name, kind)                                                                                            \
    {                                                                                                                  \
#name, kind, offsetof(scree_report_summary, name), 0, 0                                                        \
    }
static const core_field SUMMARY_FIELDS[] = {SUMMARY(rows, 'l'),     SUMMARY(shown, 'l'), SUMMARY(components, 'l'),
                                            SUMMARY(outliers, 'l'), SUMMARY(bytes, 'l'), SUMMARY(differs, 'b'),
                                            {NULL, 0, 0, 0, 0}};

/* Numbers from a tuple, from 0; what they are, in words. */
static int read_numbers(int64_t *out, int64_t *count, PyObject *tuple, const char *what)
{
    *count = PyTuple_Size(tuple);
    if (*count > MOST) {
        PyErr_Format(PyExc_ValueError, "%lld %s are too many for a picture; %d at most", (long long)*count, what, MOST);
        return -1;
    }
    for (int64_t i = 0; i < *count; i++)
        out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, (Py_ssize_t)i));
    return PyErr_Occurred() ? -1 : 0;
}

static int read_levels(double *out, int64_t *count, PyObject *tuple)
{
    *count = PyTuple_Size(tuple);
    if (*count > MOST) {
        PyErr_Format(PyExc_ValueError, "%lld levels are too many for a picture; 8 at most", (long long)*count);
        return -1;
    }
    for (int64_t i = 0; i < *count; i++)
        out[i] = PyFloat_AsDouble(PyTuple_GetItem(tuple, (Py_ssize_t)i));
    return PyErr_Occurred() ? -1 : 0;
}

/* None: NULL. -1 with an exception set. */
static int begin_optional(core_source **source, PyObject *capsule)
{
    if (capsule == Py_None)
        return 0;
    *source = core_source_begin(capsule);
    return *source ? 0 : -1;
}

/* What options point to. */
typedef struct lists {
    int64_t components[MOST];
    int64_t steps[MOST];
    int64_t highlight[MOST];
    double levels[MOST];
} lists;

/* highlight: None is for the library to choose. */
static int read_lists(lists *l, scree_plot_options *options, PyObject *components, PyObject *levels, PyObject *steps,
                      PyObject *highlight)
{
    if (read_numbers(l->components, &options->component_count, components, "components") ||
        read_levels(l->levels, &options->level_count, levels) ||
        read_numbers(l->steps, &options->step_count, steps, "numbers of components") ||
        (highlight != Py_None && read_numbers(l->highlight, &options->highlight_count, highlight, "rows")))
        return -1;
    options->components = options->component_count > 0 ? l->components : NULL;
    options->levels = options->level_count > 0 ? l->levels : NULL;
    options->steps = options->step_count > 0 ? l->steps : NULL;
    options->highlight = l->highlight;
    return 0;
}

/* (model, source or None, labels or None, other rows or None, path, components, levels, steps, highlight or None,
 * options, run) */
static PyObject *plot(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *o[4], *numbers[4], *named, *how;
    PyObject *result = NULL;
    const char *path = NULL;
    lists given;
    core_source *sources[3] = {NULL, NULL, NULL};
    core_run run;
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOsO!O!O!OOO", &o[0], &o[1], &o[2], &o[3], &path, &PyTuple_Type, &numbers[0],
                          &PyTuple_Type, &numbers[1], &PyTuple_Type, &numbers[2], &numbers[3], &named, &how) ||
        core_options_read(&options, PLOT_FIELDS, named) ||
        read_lists(&given, &options, numbers[0], numbers[1], numbers[2], numbers[3]))
        return NULL;
    const scree_model *model = core_model_of(o[0]);
    if (!model)
        return NULL;
    if (begin_optional(&sources[0], o[1]) == 0 && begin_optional(&sources[1], o[2]) == 0 &&
        begin_optional(&sources[2], o[3]) == 0 && core_run_begin(&run, how) == 0) {
        options.labels = sources[1] ? sources[1]->source : NULL;
        options.supplementary_rows = sources[2] ? sources[2]->source : NULL;
        options.run = &run.run;
        CORE_CALL(status, scree_model_plot(model, sources[0] ? sources[0]->source : NULL, path, &options, &error));
        result = status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, sources[0], &run);
        core_run_end(&run);
    }
    for (int i = 2; i >= 0; i--)
        core_source_end(sources[i]);
    return result;
}

/* (model, source, labels or None, path, options, run) → summary as a dict */
static PyObject *report(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *o[5];
    PyObject *result = NULL;
    const char *path = NULL;
    core_source *labels = NULL;
    core_run run;
    scree_report_options options = SCREE_REPORT_OPTIONS_INIT;
    scree_report_summary summary = SCREE_REPORT_SUMMARY_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOsOO", &o[0], &o[1], &o[2], &path, &o[3], &o[4]) ||
        core_options_read(&options, REPORT_FIELDS, o[3]))
        return NULL;
    const scree_model *model = core_model_of(o[0]);
    core_source *source = model ? core_source_begin(o[1]) : NULL;
    if (!source)
        return NULL;
    if (begin_optional(&labels, o[2]) == 0 && core_run_begin(&run, o[4]) == 0) {
        options.labels = labels ? labels->source : NULL;
        options.run = &run.run;
        CORE_CALL(status, scree_model_report(model, source->source, path, &summary, &options, &error));
        result =
            status == SCREE_OK ? core_view_dict(&summary, SUMMARY_FIELDS) : core_fail(status, &error, source, &run);
        core_run_end(&run);
    }
    core_source_end(labels);
    core_source_end(source);
    return result;
}

static PyMethodDef functions[] = {
    {"plot", plot, METH_VARARGS,
     PyDoc_STR("plot(model, source, labels, other rows, path, components, levels, steps, highlight, options, run)")},
    {"report", report, METH_VARARGS, PyDoc_STR("report(model, source, labels, path, options, run)")},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}};

static PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT,
                             .m_name = "scree._view",
                             .m_doc = PyDoc_STR("libscree-view, as the package uses it; nothing here is public"),
                             .m_methods = functions,
                             .m_slots = slots};

PyMODINIT_FUNC PyInit__view(void)
{
    return PyModuleDef_Init(&module);
}
