/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as capsules: fitted, loaded, saved, pickled (the bytes of their file), and changed. */

#include "core.h"

#include <stddef.h>

#define FIT(name, kind)                                                                                                \
    {                                                                                                                  \
#name, kind, offsetof(scree_fit_options, name), 0, 0                                                           \
    }
static const core_field fit_fields[] = {
    FIT(components, 'l'), FIT(share, 'd'),     FIT(solver, 's'),       FIT(scale, 'i'),      FIT(ddof, 'i'),
    FIT(tolerance, 'd'),  FIT(seed, 'u'),      FIT(em, 's'),           FIT(bayes, 'b'),      FIT(online, 'b'),
    FIT(kind, 's'),       FIT(latent, 'l'),    FIT(bootstrap, 'l'),    FIT(no_imputer, 'b'), FIT(log1p, 'b'),
    FIT(uncentred, 'b'),  FIT(normalize, 'd'), FIT(top_variance, 'l'), FIT(checkpoint, 's'), FIT(checkpoint_every, 'd'),
    {NULL, 0, 0, 0, 0}};

int core_fit_options_read(scree_fit_options *options, PyObject *dict)
{
    return core_options_read(options, fit_fields, dict);
}

static void model_destroy(PyObject *capsule)
{
    scree_model_free(PyCapsule_GetPointer(capsule, CORE_MODEL));
}

PyObject *core_model_wrap(scree_model *model)
{
    PyObject *capsule = PyCapsule_New(model, CORE_MODEL, model_destroy);
    if (!capsule)
        scree_model_free(model);
    return capsule;
}

const scree_model *core_model_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, CORE_MODEL);
}

/* (source, options, scales or None, run) */
PyObject *core_model_fit(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows = NULL;
    PyObject *dict = NULL;
    PyObject *scales = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    core_doubles given = {NULL, {0}};
    core_run run;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOO", &rows, &dict, &scales, &run_args) || core_fit_options_read(&options, dict))
        return NULL;
    core_source *source = core_source_begin(rows);
    if (!source)
        return NULL;
    if (core_run_begin(&run, run_args))
        goto done;
    if (core_doubles_take(&given, scales, scree_source_cols(source->source)) == 0) {
        options.run = &run.run;
        options.scales = given.data;
        CORE_CALL(status, scree_model_fit(&model, source->source, &options, &error));
        result = status == SCREE_OK ? core_model_wrap(model) : core_fail(status, &error, source, &run);
        core_doubles_release(&given);
    }
    core_run_end(&run);
done:
    core_source_end(source);
    return result;
}

/* (path) */
PyObject *core_model_load(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path = NULL;
    scree_model *model = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    CORE_CALL(status, scree_model_load(&model, path, &error));
    return status == SCREE_OK ? core_model_wrap(model) : core_fail(status, &error, NULL, NULL);
}

/* (model, path) */
PyObject *core_model_save(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    const char *path = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &path))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    CORE_CALL(status, scree_model_save(model, path, &error));
    return status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, NULL, NULL);
}

/* (bytes) */
PyObject *core_model_from_bytes(PyObject *self, PyObject *args)
{
    (void)self;
    const char *data = NULL;
    Py_ssize_t size = 0;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "y#", &data, &size))
        return NULL;
    const scree_status status = scree_model_load_buffer(&model, data, (size_t)size, &error);
    return status == SCREE_OK ? core_model_wrap(model) : core_fail(status, &error, NULL, NULL);
}

/* (model) */
PyObject *core_model_to_bytes(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    void *data = NULL;
    size_t size = 0;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    const scree_status status = scree_model_save_buffer(&data, &size, model, &error);
    if (status != SCREE_OK)
        return core_fail(status, &error, NULL, NULL);
    PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
    scree_buffer_free(data);
    return bytes;
}

/* (model, path, part or None, type) */
PyObject *core_model_onnx(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    const char *path = NULL;
    int type = 0;
    scree_onnx_options options = SCREE_ONNX_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "Oszi", &capsule, &path, &options.part, &type))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    options.type = (scree_type)type;
    CORE_CALL(status, scree_model_export_onnx(model, path, &options, &error));
    return status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, NULL, NULL);
}

/* (model, what, number): the model with so many "components" or "latent" dimensions, or such "noise". */
PyObject *core_model_change(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    const char *what = NULL;
    double number = 0;
    scree_model *changed = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "Osd", &capsule, &what, &number))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    if (what[0] == 'c')
        CORE_CALL(status, scree_model_truncate(&changed, model, (int64_t)number, &error));
    else if (what[0] == 'l')
        CORE_CALL(status, scree_model_with_latent(&changed, model, (int64_t)number, &error));
    else
        CORE_CALL(status, scree_model_with_noise(&changed, model, number, &error));
    return status == SCREE_OK ? core_model_wrap(changed) : core_fail(status, &error, NULL, NULL);
}

#define ROTATE(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_rotate_options, name), 0, 0                                                        \
    }
static const core_field ROTATE_FIELDS[] = {ROTATE(method, 's'), ROTATE(components, 'l'), ROTATE(no_kaiser, 'b'),
                                           ROTATE(power, 'd'),  ROTATE(gamma, 'd'),      ROTATE(starts, 'l'),
                                           ROTATE(seed, 'u'),   {NULL, 0, 0, 0, 0}};

/* (model, options) */
PyObject *core_model_rotate(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *dict = NULL;
    scree_rotate_options options = SCREE_ROTATE_OPTIONS_INIT;
    scree_model *rotated = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &dict) || core_options_read(&options, ROTATE_FIELDS, dict))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    CORE_CALL(status, scree_model_rotate(&rotated, model, &options, &error));
    return status == SCREE_OK ? core_model_wrap(rotated) : core_fail(status, &error, NULL, NULL);
}
