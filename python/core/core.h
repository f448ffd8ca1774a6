/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_PYTHON_CORE_H
#define SCREE_PYTHON_CORE_H

/* What the files of the extension module share. It is thin: it turns buffers, dicts and callables of Python into what
 * scree.h takes, lets go of the interpreter while the library works, and gives numbers back as bytes or into buffers
 * that the caller made. Estimators, checks of input and everything that has a name in the documents is Python. */

#define PY_SSIZE_T_CLEAN
#ifndef SCREE_PYTHON_FREE_THREADED
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>
#include <scree.h>
#include <stdatomic.h>

/* == buffers == */

/* Rows that lie in buffers of Python, held until core_block_release. */
typedef struct core_block {
    scree_block block;
    Py_buffer views[3]; /* the rows; of sparse rows the values, where they start, their columns */
    int held;
} core_block;

/* rows: a buffer of two dimensions, whatever its strides, none negative; or a tuple (values, starts, indices, columns)
 * of sparse rows. Returns -1 with an exception set. */
int core_block_take(core_block *out, PyObject *rows);
void core_block_release(core_block *block);

/* A buffer of count doubles to be written; None leaves out at NULL. */
typedef struct core_doubles {
    double *data;
    Py_buffer view;
} core_doubles;

int core_doubles_take(core_doubles *out, PyObject *buffer, int64_t count);
void core_doubles_release(core_doubles *doubles);

/* == structs of options and of results, by tables == */

/* A field by its name: 'l' int64, 'u' uint64, 'i' int or enum, 'd' double, 'b' bool, 'c' char, 's' text. Of results
 * also arrays, of rows×cols numbers, each the offset of an int64 (0: one): 'D' double, 'L' int64, 'T' texts. */
typedef struct core_field {
    const char *name;
    char kind;
    size_t offset;
    size_t rows;
    size_t cols;
} core_field;

/* Texts stay the dict's. The table ends with a NULL name; a key that it does not have is a TypeError. */
int core_options_read(void *options, const core_field *fields, PyObject *dict);
/* A new dict; arrays are bytes, None where the library has none. */
PyObject *core_view_dict(const void *view, const core_field *fields);

/* == calls == */

/* A run that a signal, a callable or a flag can end: run is None or (threads, memory, callable, flag, comm), the
 * callable of (stage, pass, passes, rows, rows_total), the flag a buffer whose first byte is set to end the call. comm
 * is None or (rank, ranks, ranks_here, send, receive, broadcast), the callables of (other rank, memoryview), for a
 * scree_communicator. */
typedef struct core_run {
    scree_run run;
    scree_communicator with;
    PyObject *messages[3]; /* send, receive, broadcast, borrowed */
    PyObject *call;
    Py_buffer flag;
    const volatile unsigned char *stop;
    double last; /* seconds: when Python was last asked */
    PyObject *raised[3];
} core_run;

int core_run_begin(core_run *out, PyObject *run);
void core_run_end(core_run *run);

/* == sources, models, sinks: capsules == */

typedef struct core_source {
    scree_source *source;
    core_block rows;
    PyObject *keeps;     /* what must outlive it; NULL: nothing */
    const char **texts;  /* names of columns that are lent to it; NULL: none */
    PyObject *raised[3]; /* what a callable of Python raised */
    atomic_flag busy; /* a call reads it; set and looked at in one step, for threads without the interpreter's lock */
} core_source;

#define CORE_SOURCE "scree.source"
#define CORE_MODEL "scree.model"
#define CORE_SINK "scree.sink"

PyObject *core_source_wrap(core_source *source);
core_source *core_source_new(void);
/* Of the argument of a call that reads it; NULL with an exception set, where another thread does already. */
core_source *core_source_begin(PyObject *capsule);
void core_source_end(core_source *source);
/* What a callback of a source returns when Python raised: keeps the exception for the call that reads. */
scree_status core_source_raised(core_source *source, scree_error *error);

PyObject *core_model_wrap(scree_model *model);
const scree_model *core_model_of(PyObject *capsule);

typedef struct core_sink core_sink;
scree_sink *core_sink_of(PyObject *capsule);

/* Sets the exception of a call that failed: what Python raised meanwhile, else the library's sentence. source and run
 * may be NULL. Returns NULL. */
PyObject *core_fail(scree_status status, const scree_error *error, core_source *source, core_run *run);

/* Moves the exception that is set to raised, where none is, and back; whether there was one. */
void core_raised_keep(PyObject **raised);
bool core_raised_restore(PyObject **raised);
void core_raised_clear(PyObject **raised);

/* Calls status = CALL without the interpreter. */
#define CORE_CALL(status, call)                                                                                        \
    do {                                                                                                               \
        Py_BEGIN_ALLOW_THREADS(status) = (call);                                                                       \
        Py_END_ALLOW_THREADS                                                                                           \
    } while (0)

/* Options of a fit and of reading, by name; -1 with an exception set. */
int core_fit_options_read(scree_fit_options *options, PyObject *dict);
int core_read_options_read(scree_read_options *options, PyObject *dict);

/* A tuple of texts, count of them or, where that is -1, any number, as the library takes them: lent by the tuple, in an
 * array that is the caller's to free by PyMem_Free. NULL with an exception set. */
const char **core_texts_of(PyObject *tuple, int64_t count);

/* == the functions of the module, by file == */

PyObject *core_about(PyObject *self, PyObject *args);

PyObject *core_source_open(PyObject *self, PyObject *args);
PyObject *core_source_rows(PyObject *self, PyObject *args);
PyObject *core_source_arrow(PyObject *self, PyObject *args);
PyObject *core_source_arrow_calls(PyObject *self, PyObject *args);
PyObject *core_source_calls(PyObject *self, PyObject *args);
PyObject *core_source_weigh(PyObject *self, PyObject *args);
PyObject *core_source_about(PyObject *self, PyObject *args);
PyObject *core_source_sample(PyObject *self, PyObject *args);
PyObject *core_source_explore(PyObject *self, PyObject *args);

PyObject *core_model_fit(PyObject *self, PyObject *args);
PyObject *core_model_autoencode(PyObject *self, PyObject *args);
PyObject *core_model_load(PyObject *self, PyObject *args);
PyObject *core_model_save(PyObject *self, PyObject *args);
PyObject *core_model_from_bytes(PyObject *self, PyObject *args);
PyObject *core_model_to_bytes(PyObject *self, PyObject *args);
PyObject *core_model_onnx(PyObject *self, PyObject *args);
PyObject *core_model_view(PyObject *self, PyObject *args);
PyObject *core_model_facts(PyObject *self, PyObject *args);
PyObject *core_model_sampling(PyObject *self, PyObject *args);
PyObject *core_model_network(PyObject *self, PyObject *args);
PyObject *core_model_rotation(PyObject *self, PyObject *args);
PyObject *core_model_change(PyObject *self, PyObject *args);
PyObject *core_model_rotate(PyObject *self, PyObject *args);
PyObject *core_model_meaning(PyObject *self, PyObject *args);
PyObject *core_select(PyObject *self, PyObject *args);
PyObject *core_drift(PyObject *self, PyObject *args);
PyObject *core_plan(PyObject *self, PyObject *args);

PyObject *core_rows_project(PyObject *self, PyObject *args);
PyObject *core_rows_reconstruct(PyObject *self, PyObject *args);
PyObject *core_rows_posterior(PyObject *self, PyObject *args);
PyObject *core_rows_score(PyObject *self, PyObject *args);
PyObject *core_rows_impute(PyObject *self, PyObject *args);

PyObject *core_sink_open(PyObject *self, PyObject *args);
PyObject *core_sink_collect(PyObject *self, PyObject *args);
PyObject *core_sink_finish(PyObject *self, PyObject *args);
PyObject *core_stream(PyObject *self, PyObject *args);
PyObject *core_stream_score(PyObject *self, PyObject *args);

PyObject *core_state_new(PyObject *self, PyObject *args);
PyObject *core_state_add(PyObject *self, PyObject *args);
PyObject *core_state_add_source(PyObject *self, PyObject *args);
PyObject *core_state_merge(PyObject *self, PyObject *args);
PyObject *core_state_fit(PyObject *self, PyObject *args);
PyObject *core_state_view(PyObject *self, PyObject *args);
PyObject *core_state_save(PyObject *self, PyObject *args);
PyObject *core_state_load(PyObject *self, PyObject *args);
PyObject *core_state_load_many(PyObject *self, PyObject *args);
PyObject *core_state_from_bytes(PyObject *self, PyObject *args);
PyObject *core_state_to_bytes(PyObject *self, PyObject *args);

PyObject *core_compress(PyObject *self, PyObject *args);
PyObject *core_archive_about(PyObject *self, PyObject *args);

#endif
