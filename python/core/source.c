/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources as capsules: of paths, of arrays and sparse rows in memory, of Arrow streams, of draws from a model. Whatever
 * memory a source reads is held for as long as it lives. */

#include "core.h"

#include <stddef.h>

#define READ(name, kind)                                                                                               \
    {                                                                                                                  \
#name, kind, offsetof(scree_read_options, name), 0, 0                                                          \
    }
static const core_field READ_FIELDS[] = {
    READ(format, 's'),        READ(columns, 's'),    READ(label, 's'),     READ(id, 's'),
    READ(header, 'i'),        READ(delimiter, 'c'),  READ(threads, 'i'),   READ(weights, 's'),
    READ(memory, 'l'),        READ(encoding, 's'),   READ(exclude, 's'),   READ(na, 's'),
    READ(decimal, 'c'),       READ(skip, 'l'),       READ(transpose, 'i'), READ(row_width, 'l'),
    READ(on_error, 'i'),      READ(dataset, 's'),    READ(query, 's'),     READ(absent, 'i'),
    READ(first_row, 'l'),     READ(last_row, 'l'),   READ(sample, 'l'),    READ(sample_seed, 'u'),
    READ(columns_from, 's'),  READ(min_allele, 'd'), READ(totals, 'b'),    READ(chromosomes, 's'),
    READ(missing_calls, 'b'), READ(varying, 'b'),    {NULL, 0, 0, 0, 0}};

int core_read_options_read(scree_read_options *options, PyObject *dict)
{
    return core_options_read(options, READ_FIELDS, dict);
}

core_source *core_source_new(void)
{
    core_source *source = PyMem_Calloc(1, sizeof *source);
    if (source)
        atomic_flag_clear(&source->busy);
    else
        PyErr_NoMemory();
    return source;
}

static void source_free(core_source *source)
{
    scree_source_free(source->source);
    core_block_release(&source->rows);
    core_raised_clear(source->raised);
    Py_XDECREF(source->keeps);
    PyMem_Free(source->texts);
    PyMem_Free(source);
}

static void source_destroy(PyObject *capsule)
{
    source_free(PyCapsule_GetPointer(capsule, CORE_SOURCE));
}

PyObject *core_source_wrap(core_source *source)
{
    PyObject *capsule = PyCapsule_New(source, CORE_SOURCE, source_destroy);
    if (!capsule)
        source_free(source);
    return capsule;
}

core_source *core_source_begin(PyObject *capsule)
{
    core_source *source = PyCapsule_GetPointer(capsule, CORE_SOURCE);
    if (source && atomic_flag_test_and_set(&source->busy)) {
        PyErr_SetString(PyExc_RuntimeError, "these rows are being read by another call");
        return NULL;
    }
    return source;
}

void core_source_end(core_source *source)
{
    if (source)
        atomic_flag_clear(&source->busy);
}

/* What was made, or NULL with the exception set. */
static PyObject *made(core_source *source, scree_status status, const scree_error *error)
{
    if (status == SCREE_OK)
        return core_source_wrap(source);
    core_fail(status, error, source, NULL);
    source_free(source);
    return NULL;
}

const char **core_texts_of(PyObject *tuple, int64_t wanted)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    if (count >= 0 && wanted >= 0 && count != wanted)
        PyErr_Format(PyExc_ValueError, "there are %zd names of %lld columns", count, (long long)wanted);
    const char **texts = PyErr_Occurred() ? NULL : PyMem_Calloc((size_t)count + 1, sizeof *texts);
    if (!texts && !PyErr_Occurred())
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < count; i++)
        texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
    if (PyErr_Occurred()) {
        PyMem_Free(texts);
        return NULL;
    }
    return texts;
}

/* The columns of a model, (names, means or None), which the source keeps: its rows are to have them. */
static int read_wanted(core_source *source, scree_read_options *options, PyObject *wanted)
{
    PyObject *names = NULL;
    PyObject *means = NULL;
    Py_buffer view;
    if (wanted == Py_None)
        return 0;
    if (!PyArg_ParseTuple(wanted, "O!O", &PyTuple_Type, &names, &means) || !(source->texts = core_texts_of(names, -1)))
        return -1;
    source->keeps = Py_NewRef(wanted);
    options->numeric = source->texts;
    options->numeric_count = (int64_t)PyTuple_Size(names);
    if (means == Py_None)
        return 0;
    if (PyObject_GetBuffer(means, &view, PyBUF_C_CONTIGUOUS))
        return -1;
    options->means = view.buf;
    const bool fits = view.len == (Py_ssize_t)options->numeric_count * 8;
    PyBuffer_Release(&view); /* the array is kept with the tuple, and nothing writes to it */
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "there is one mean for each column");
    return fits ? 0 : -1;
}

/* (paths, options, wanted): paths is a tuple of texts, wanted None or (names, means or None). */
PyObject *core_source_open(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *paths = NULL;
    PyObject *dict = NULL;
    PyObject *wanted = NULL;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = SCREE_OK;
    if (!PyArg_ParseTuple(args, "O!OO", &PyTuple_Type, &paths, &dict, &wanted) ||
        core_options_read(&options, READ_FIELDS, dict))
        return NULL;
    const char **texts = core_texts_of(paths, -1);
    core_source *source = texts ? core_source_new() : NULL;
    if (!source || read_wanted(source, &options, wanted)) {
        PyMem_Free(texts);
        if (source)
            source_free(source);
        return NULL;
    }
    const Py_ssize_t count = PyTuple_Size(paths);
    if (count == 1)
        CORE_CALL(status, scree_source_open(&source->source, texts[0], &options, &error));
    else
        CORE_CALL(status, scree_source_open_many(&source->source, texts, count, &options, &error));
    PyMem_Free(texts);
    return made(source, status, &error);
}

/* (rows): a buffer, or the tuple of sparse rows. */
PyObject *core_source_rows(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "O", &rows))
        return NULL;
    core_source *source = core_source_new();
    if (!source)
        return NULL;
    if (core_block_take(&source->rows, rows)) {
        PyMem_Free(source);
        return NULL;
    }
    return made(source, scree_source_from_memory(&source->source, &source->rows.block, &error), &error);
}

/* (capsule "arrow_array_stream", options): the stream is moved out of the capsule. */
PyObject *core_source_arrow(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *dict = NULL;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = SCREE_OK;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &dict) || core_options_read(&options, READ_FIELDS, dict))
        return NULL;
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    core_source *source = stream ? core_source_new() : NULL;
    if (!source)
        return NULL;
    source->keeps = Py_NewRef(capsule);
    CORE_CALL(status, scree_source_from_arrow(&source->source, stream, &options, &error));
    return made(source, status, &error);
}

/* (source, weights): a buffer of doubles, one for each row. */
PyObject *core_source_weigh(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *weights = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &weights))
        return NULL;
    core_source *source = PyCapsule_GetPointer(capsule, CORE_SOURCE);
    if (!source)
        return NULL;
    Py_buffer view;
    if (PyObject_GetBuffer(weights, &view, PyBUF_C_CONTIGUOUS))
        return NULL;
    PyObject *held = PyMemoryView_FromObject(weights);
    PyObject *keeps = held ? PyTuple_Pack(2, source->keeps ? source->keeps : Py_None, held) : NULL;
    Py_XDECREF(held);
    if (!keeps) {
        PyBuffer_Release(&view);
        return NULL;
    }
    Py_XDECREF(source->keeps);
    source->keeps = keeps; /* the memory view holds the buffer */
    const scree_status status = scree_source_weigh(source->source, view.buf, view.len / 8, &error);
    PyBuffer_Release(&view);
    return status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, &error, NULL, NULL);
}

static PyObject *column_names(const scree_source *source)
{
    const int64_t cols = scree_source_cols(source);
    if (cols < 1 || !scree_source_column(source, 0))
        return Py_NewRef(Py_None);
    PyObject *list = PyList_New((Py_ssize_t)cols);
    for (int64_t j = 0; list && j < cols; j++) {
        PyObject *name = PyUnicode_FromString(scree_source_column(source, j));
        if (!name)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)j, name);
    }
    return list;
}

/* (source) → (name, rows, cols, type, columns or None, note or None, (rows, cells, empty) with gaps, faults,
 * the scale that rows of this kind usually have) */
PyObject *core_source_about(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    scree_gaps gaps = SCREE_GAPS_INIT;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    const core_source *source = PyCapsule_GetPointer(capsule, CORE_SOURCE);
    if (!source)
        return NULL;
    PyObject *names = column_names(source->source);
    if (!names)
        return NULL;
    scree_source_gaps(source->source, &gaps, NULL);
    return Py_BuildValue("sLLiNz(LLL)Li", scree_source_name(source->source), scree_source_rows(source->source),
                         scree_source_cols(source->source), (int)scree_source_type(source->source), names,
                         scree_source_note(source->source), gaps.rows, gaps.cells, gaps.empty,
                         scree_source_faults(source->source), (int)scree_source_scale(source->source));
}

/* (model, rows, seed): draws of the model, which is kept. */
PyObject *core_source_sample(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    long long rows = 0;
    unsigned long long seed = 0;
    scree_sample_options options = SCREE_SAMPLE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OLK", &capsule, &rows, &seed))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    core_source *source = model ? core_source_new() : NULL;
    if (!source)
        return NULL;
    options.rows = rows;
    options.seed = seed;
    source->keeps = Py_NewRef(capsule);
    return made(source, scree_source_sample(&source->source, model, &options, &error), &error);
}

/* (model, source, draws, latent, seed): draws near the rows of a source, which is taken over. */
PyObject *core_source_explore(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *capsule = NULL;
    PyObject *rows = NULL;
    long long draws = 0;
    int latent = 0;
    unsigned long long seed = 0;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOLpK", &capsule, &rows, &draws, &latent, &seed))
        return NULL;
    const scree_model *model = core_model_of(capsule);
    core_source *from = model ? core_source_begin(rows) : NULL;
    core_source *source = from ? core_source_new() : NULL;
    if (!source) {
        core_source_end(from);
        return NULL;
    }
    options.draws = draws;
    options.latent = latent;
    options.seed = seed;
    source->keeps = PyTuple_Pack(2, capsule, rows);
    const scree_status status = scree_source_explore(&source->source, model, from->source, &options, &error);
    if (status == SCREE_OK)
        from->source = NULL; /* owned by the draws; the capsule stays busy */
    else
        core_source_end(from);
    return made(source, status, &error);
}
