/* SPDX-License-Identifier: BSD-3-Clause */
/* The module scree._core: its functions, each with the arguments that its file says. It keeps no state. */

#include "core.h"

#define FUNCTION(name, function, arguments)                                                                            \
    {                                                                                                                  \
        name, function, METH_VARARGS, PyDoc_STR(name arguments)                                                        \
    }

static PyMethodDef functions[] = {
    FUNCTION("about", core_about, "() -> (version, solvers, readers, writers)"),
    FUNCTION("source_open", core_source_open, "(paths, options, wanted)"),
    FUNCTION("source_rows", core_source_rows, "(rows)"),
    FUNCTION("source_arrow", core_source_arrow, "(capsule, options)"),
    FUNCTION("source_arrow_calls", core_source_arrow_calls, "(make, rows, options)"),
    FUNCTION("source_calls", core_source_calls, "(next, rewind, rows, cols, type, name, columns)"),
    FUNCTION("source_weigh", core_source_weigh, "(source, weights)"),
    FUNCTION("source_about", core_source_about, "(source)"),
    FUNCTION("source_sample", core_source_sample, "(model, rows, seed)"),
    FUNCTION("source_explore", core_source_explore, "(model, source, draws, latent, seed)"),
    FUNCTION("fit", core_model_fit, "(source, options, scales, run)"),
    FUNCTION("autoencode", core_model_autoencode, "(source, hidden, options, resume, on_epoch, run)"),
    FUNCTION("load", core_model_load, "(path)"),
    FUNCTION("save", core_model_save, "(model, path)"),
    FUNCTION("from_bytes", core_model_from_bytes, "(bytes)"),
    FUNCTION("to_bytes", core_model_to_bytes, "(model)"),
    FUNCTION("onnx", core_model_onnx, "(model, path, part, type)"),
    FUNCTION("view", core_model_view, "(model)"),
    FUNCTION("facts", core_model_facts, "(model)"),
    FUNCTION("sampling", core_model_sampling, "(model, component)"),
    FUNCTION("network", core_model_network, "(model)"),
    FUNCTION("rotation", core_model_rotation, "(model)"),
    FUNCTION("change", core_model_change, "(model, what, number)"),
    FUNCTION("rotate", core_model_rotate, "(model, options)"),
    FUNCTION("meaning", core_model_meaning, "(model, what, out)"),
    FUNCTION("select", core_select, "(model, source, options, run)"),
    FUNCTION("drift", core_drift, "(model, source, fitted, options, run)"),
    FUNCTION("plan", core_plan, "(source, components, memory)"),
    FUNCTION("project", core_rows_project, "(model, rows, codes, run)"),
    FUNCTION("reconstruct", core_rows_reconstruct, "(model, codes, rows, run)"),
    FUNCTION("posterior", core_rows_posterior, "(model, rows, means, variances, run)"),
    FUNCTION("score", core_rows_score, "(model, rows, training, loglik, t2, q, p_t2, p_q, p_value, run)"),
    FUNCTION("impute", core_rows_impute, "(model, rows, filled, sd, run)"),
    FUNCTION("sink_open", core_sink_open, "(path, format, type)"),
    FUNCTION("sink_collect", core_sink_collect, "()"),
    FUNCTION("sink_finish", core_sink_finish, "(sink)"),
    FUNCTION("stream", core_stream, "(what, model, source, sink, number, seed, run)"),
    FUNCTION("stream_score", core_stream_score, "(model, source, calibration, sink, options, run)"),
    FUNCTION("state_new", core_state_new, "(columns, names, options)"),
    FUNCTION("state_add", core_state_add, "(state, rows)"),
    FUNCTION("state_add_source", core_state_add_source, "(state, source, run)"),
    FUNCTION("state_merge", core_state_merge, "(into, from)"),
    FUNCTION("state_fit", core_state_fit, "(state, options, scales, run)"),
    FUNCTION("state_view", core_state_view, "(state)"),
    FUNCTION("state_save", core_state_save, "(state, path)"),
    FUNCTION("state_load", core_state_load, "(path)"),
    FUNCTION("state_load_many", core_state_load_many, "(paths, run)"),
    FUNCTION("state_from_bytes", core_state_from_bytes, "(bytes)"),
    FUNCTION("state_to_bytes", core_state_to_bytes, "(state)"),
    FUNCTION("compress", core_compress, "(source, path, options, run)"),
    FUNCTION("archive_about", core_archive_about, "(path)"),
    {NULL, NULL, 0, NULL}};

static PyObject *table_list(scree_table table)
{
    PyObject *list = PyList_New(0);
    const char *name = NULL;
    for (int64_t i = 0; list && (name = scree_table_name(table, i)); i++) {
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text))
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

PyObject *core_about(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyObject *solvers = table_list(SCREE_TABLE_SOLVERS);
    PyObject *readers = table_list(SCREE_TABLE_READERS);
    PyObject *writers = table_list(SCREE_TABLE_WRITERS);
    if (solvers && readers && writers)
        return Py_BuildValue("sNNN", scree_version(), solvers, readers, writers);
    Py_XDECREF(solvers);
    Py_XDECREF(readers);
    Py_XDECREF(writers);
    return NULL;
}

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}};

static PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT,
                             .m_name = "scree._core",
                             .m_doc = PyDoc_STR("libscree, as the package uses it; nothing here is public"),
                             .m_methods = functions,
                             .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module);
}
