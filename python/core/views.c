/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model knows, as dicts: its view, its facts, the sampling errors of its components, what its components mean.
 */

#include "core.h"

#include <stddef.h>

#define AT(name) offsetof(scree_model_view, name)
#define ONE(name, kind)                                                                                                \
    {                                                                                                                  \
#name, kind, AT(name), 0, 0                                                                                    \
    }
#define ARRAY(name, kind, rows, cols)                                                                                  \
    {                                                                                                                  \
#name, kind, AT(name), rows, cols                                                                              \
    }
static const core_field VIEW[] = {ONE(kind, 's'),
                                  ONE(n, 'l'),
                                  ONE(weight, 'd'),
                                  ONE(d, 'l'),
                                  ONE(m, 'l'),
                                  ONE(ddof, 'i'),
                                  ONE(solver, 's'),
                                  ONE(solver_reason, 's'),
                                  ONE(passes, 'i'),
                                  ONE(converged, 'b'),
                                  ONE(tolerance, 'd'),
                                  ONE(total_variance, 'd'),
                                  ONE(reconstruction_error, 'd'),
                                  ONE(noise_variance, 'd'),
                                  ARRAY(mean, 'D', AT(d), 0),
                                  ARRAY(scale, 'D', AT(d), 0),
                                  ARRAY(variances, 'D', AT(d), 0),
                                  ARRAY(eigenvalues, 'D', AT(m), 0),
                                  ARRAY(components, 'D', AT(m), AT(d)),
                                  ARRAY(residuals, 'D', AT(m), 0),
                                  ARRAY(gaps, 'D', AT(m), 0),
                                  ARRAY(eigenvalue_bounds, 'D', AT(m), 0),
                                  ARRAY(angle_bounds, 'D', AT(m), 0),
                                  ARRAY(cluster_first, 'L', AT(m), 0),
                                  ARRAY(cluster_last, 'L', AT(m), 0),
                                  ARRAY(columns, 'T', AT(d), 0),
                                  ONE(observed, 'l'),
                                  ONE(empty_rows, 'l'),
                                  ONE(iterations, 'i'),
                                  ONE(bayes, 'b'),
                                  ONE(log_likelihood, 'd'),
                                  ONE(stopped, 's'),
                                  ONE(image_rows, 'l'),
                                  ONE(image_cols, 'l'),
                                  ONE(stop_rule, 's'),
                                  ONE(latent, 'l'),
                                  ONE(no_latent, 'b'),
                                  ONE(code_prefix, 's'),
                                  ONE(scaling, 'i'),
                                  ONE(uncentred, 'b'),
                                  ONE(log1p, 'b'),
                                  ONE(normalize, 'd'),
                                  {NULL, 0, 0, 0, 0}};

#define SAMPLING(name, kind)                                                                                           \
    {                                                                                                                  \
#name, kind, offsetof(scree_sampling, name), 0, 0                                                              \
    }
static const core_field SAMPLING_FIELDS[] = {
    SAMPLING(eigenvalue, 'd'), SAMPLING(error, 'd'),       SAMPLING(low, 'd'),   SAMPLING(high, 'd'),
    SAMPLING(angle, 'd'),      SAMPLING(angle_limit, 'd'), SAMPLING(noise, 'b'), SAMPLING(replicates, 'l'),
    SAMPLING(share_low, 'd'),  SAMPLING(share_high, 'd'),  {NULL, 0, 0, 0, 0}};

#define NET(name) offsetof(scree_network_view, name)
#define NETWORK(name, kind)                                                                                            \
    {                                                                                                                  \
#name, kind, NET(name), 0, 0                                                                                   \
    }
static const core_field NETWORK_FIELDS[] = {NETWORK(layers, 'l'),
                                            NETWORK(encoder_layers, 'l'),
                                            NETWORK(activation, 's'),
                                            NETWORK(output, 's'),
                                            NETWORK(tied, 'b'),
                                            NETWORK(seed, 'u'),
                                            NETWORK(training_rows, 'l'),
                                            NETWORK(validation_rows, 'l'),
                                            NETWORK(epochs, 'l'),
                                            NETWORK(best_epoch, 'l'),
                                            NETWORK(training_error, 'd'),
                                            NETWORK(validation_error, 'd'),
                                            NETWORK(pca_training_error, 'd'),
                                            NETWORK(pca_validation_error, 'd'),
                                            NETWORK(stopped, 's'),
                                            {NULL, 0, 0, 0, 0}};

/* (model) */
PyObject *core_model_view(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    return model ? core_view_dict(scree_model_get(model), VIEW) : NULL;
}

/* (model) → (facts of its kind as a dict, log likelihood, mutual information, effective rank) */
PyObject *core_model_facts(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    scree_facts facts = SCREE_FACTS_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    PyObject *dict = model ? PyDict_New() : NULL;
    const scree_fact *fact = NULL;
    for (int64_t i = 0; dict && (fact = scree_model_fact(model, i)); i++) {
        PyObject *text = PyUnicode_FromString(fact->text ? fact->text : "");
        if (!text || PyDict_SetItemString(dict, fact->name, text))
            Py_CLEAR(dict);
        Py_XDECREF(text);
    }
    if (!dict)
        return NULL;
    if (!scree_model_can(model, SCREE_CAN_DENSITY) || scree_model_facts(model, &facts, NULL) != SCREE_OK)
        return Py_BuildValue("NOOO", dict, Py_None, Py_None, Py_None);
    return Py_BuildValue("Nddd", dict, facts.log_likelihood, facts.mutual_information, facts.effective_rank);
}

/* (model, component) */
PyObject *core_model_sampling(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    long long component = 0;
    scree_sampling sampling = SCREE_SAMPLING_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OL", &capsule, &component))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    CORE_CALL(status, scree_model_sampling(model, component, &sampling, &error));
    return status == SCREE_OK ? core_view_dict(&sampling, SAMPLING_FIELDS) : core_fail(status, &error, NULL, NULL);
}

/* (model) → dict, or None where the model is no network */
PyObject *core_model_network(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    const scree_network_view *view = scree_model_network(model);
    return view ? core_view_dict(view, NETWORK_FIELDS) : Py_NewRef(Py_None);
}

/* (model) → (method, oblique, converged, k, matrix, correlations, variances), or None where the model is no rotation */
PyObject *core_model_rotation(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    const scree_rotation_view *view = scree_model_rotation(model);
    if (!view)
        return Py_NewRef(Py_None);
    const int64_t k = scree_model_get(model)->m;
    return Py_BuildValue("sOOLy#y#y#", view->method, view->oblique ? Py_True : Py_False,
                         view->converged ? Py_True : Py_False, k, (const char *)view->matrix, (Py_ssize_t)(k * k * 8),
                         (const char *)view->correlations, (Py_ssize_t)(k * k * 8), (const char *)view->variances,
                         (Py_ssize_t)(k * 8));
}

/* (model, what, out): out D×m doubles; what as scree_meaning, or -1: the loadings of the distribution, D×latent. */
PyObject *core_model_meaning(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *out = NULL;
    int what = 0;
    core_doubles numbers = {NULL, {0}};
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &what, &out))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    if (!model)
        return NULL;
    const scree_model_view *view = scree_model_get(what < 0 ? scree_model_distribution(model) : model);
    if (core_doubles_take(&numbers, out, view->d * view->m))
        return NULL;
    if (what < 0)
        CORE_CALL(status, scree_model_loadings(model, numbers.data, &error));
    else
        CORE_CALL(status, scree_model_meaning(model, (scree_meaning)what, numbers.data, &error));
    core_doubles_release(&numbers);
    return status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, NULL, NULL);
}
