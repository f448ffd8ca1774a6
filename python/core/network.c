/* SPDX-License-Identifier: BSD-3-Clause */
/* Auto-encoders: training, with what is told after each epoch. */

#include "core.h"

#include <stddef.h>

enum { MOST_LAYERS = 16 };

#define OPTION(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_autoencode_options, name), 0, 0                                                    \
    }
static const core_field OPTIONS[] = {
    OPTION(code, 'l'),       OPTION(linear, 'b'),   OPTION(tied, 'i'), OPTION(activation, 's'), OPTION(output, 's'),
    OPTION(epochs, 'l'),     OPTION(batch, 'l'),    OPTION(rate, 'd'), OPTION(decay, 'd'),      OPTION(seconds, 'd'),
    OPTION(validation, 'd'), OPTION(patience, 'l'), OPTION(seed, 'u'), {NULL, 0, 0, 0, 0}};

typedef struct listener {
    PyObject *call;
    core_run *run;
} listener;

static void on_epoch(void *context, const scree_epoch *epoch)
{
    const listener *l = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer =
        PyObject_CallFunction(l->call, "LLdddd", (long long)epoch->epoch, (long long)epoch->epochs,
                              epoch->training_error, epoch->validation_error, epoch->pca_error, epoch->seconds);
    if (!answer)
        core_raised_keep(l->run->raised);
    Py_XDECREF(answer);
    PyGILState_Release(state);
}

static int read_hidden(int64_t *hidden, int64_t *count, PyObject *tuple)
{
    *count = PyTuple_Size(tuple);
    if (*count < 0)
        return -1;
    if (*count > MOST_LAYERS) {
        PyErr_Format(PyExc_ValueError, "%lld hidden layers are too many; %d at most", (long long)*count, MOST_LAYERS);
        return -1;
    }
    for (int64_t i = 0; i < *count; i++)
        hidden[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, (Py_ssize_t)i));
    return PyErr_Occurred() ? -1 : 0;
}

/* (source, hidden, options, model to go on from or None, on_epoch or None, run) */
PyObject *core_model_autoencode(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *o[6];
    PyObject *result = NULL;
    int64_t hidden[MOST_LAYERS];
    core_run run;
    scree_model *model = NULL;
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5]) ||
        core_options_read(&options, OPTIONS, o[2]) || read_hidden(hidden, &options.hidden_count, o[1]) ||
        (o[3] != Py_None && !(options.resume = core_model_of(o[3]))))
        return NULL;
    core_source *source = core_source_begin(o[0]);
    if (!source)
        return NULL;
    if (core_run_begin(&run, o[5]) == 0) {
        listener l = {o[4], &run};
        options.hidden = hidden;
        options.on_epoch = o[4] == Py_None ? NULL : on_epoch;
        options.on_epoch_context = &l;
        options.run = &run.run;
        CORE_CALL(status, scree_model_autoencode(&model, source->source, &options, &error));
        if (status != SCREE_OK)
            core_fail(status, &error, source, &run);
        else if (core_raised_restore(run.raised)) /* cancelled: the library returns what there was */
            scree_model_free(model);
        else
            result = core_model_wrap(model);
        core_run_end(&run);
    }
    core_source_end(source);
    return result;
}
