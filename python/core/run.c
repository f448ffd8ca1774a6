/* SPDX-License-Identifier: BSD-3-Clause */
/* How a long call is told to stop, and tells how far it is: some ten times a second the library's progress asks Python
 * whether a signal has come (Ctrl-C raises KeyboardInterrupt) and calls the caller's function. A flag in memory, which
 * needs no interpreter, is looked at every time: another thread of Python may set it. */

#include "core.h"

#include <stdio.h>
#include <time.h>

static const double INTERVAL = 0.08; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ask_python(core_run *run, const scree_progress *p)
{
    int stop = PyErr_CheckSignals();
    if (!stop && run->call != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(run->call, "siiLLzdd", p->stage, p->pass, p->passes, (long long)p->rows,
                                  (long long)p->rows_total, p->part, p->done, p->seconds_left);
        stop = !answer;
        Py_XDECREF(answer);
    }
    if (stop)
        core_raised_keep(run->raised);
    return stop;
}

static int on_progress(void *context, const scree_progress *progress)
{
    core_run *run = context;
    if (run->stop && *run->stop)
        return 1;
    const double time = now();
    const bool last = progress->passes > 0 && progress->rows_total > 0 && progress->rows >= progress->rows_total &&
                      run->call != Py_None;
    if (time - run->last < INTERVAL && !last)
        return 0;
    const PyGILState_STATE state = PyGILState_Ensure();
    const int stop = ask_python(run, progress);
    PyGILState_Release(state);
    run->last = now();
    return stop;
}

/* One message by a callable of Python, which any thread may be asked for. */
static scree_status pass_message(core_run *run, int which, int other, void *data, int64_t bytes, scree_error *error)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *view = PyMemoryView_FromMemory(data, (Py_ssize_t)bytes, PyBUF_WRITE);
    PyObject *done = view ? PyObject_CallFunction(run->messages[which], "iO", other, view) : NULL;
    const bool failed = !done;
    if (failed)
        core_raised_keep(run->raised);
    Py_XDECREF(done);
    Py_XDECREF(view);
    PyGILState_Release(state);
    if (!failed)
        return SCREE_OK;
    if (error) {
        error->status = SCREE_ERR_IO;
        snprintf(error->text, sizeof error->text, "a message to or from another process has failed");
    }
    return SCREE_ERR_IO;
}

static scree_status send_message(void *context, int to, const void *data, int64_t bytes, scree_error *error)
{
    return pass_message(context, 0, to, (void *)(uintptr_t)data, bytes, error);
}

static scree_status receive_message(void *context, int from, void *data, int64_t bytes, scree_error *error)
{
    return pass_message(context, 1, from, data, bytes, error);
}

static scree_status broadcast_message(void *context, void *data, int64_t bytes, scree_error *error)
{
    return pass_message(context, 2, 0, data, bytes, error);
}

static int take_communicator(core_run *run, PyObject *comm)
{
    const scree_communicator none = SCREE_COMMUNICATOR_INIT;
    run->with = none;
    if (comm == Py_None)
        return 0;
    if (!PyArg_ParseTuple(comm, "iiiOOO", &run->with.rank, &run->with.ranks, &run->with.ranks_here, &run->messages[0],
                          &run->messages[1], &run->messages[2]))
        return -1;
    run->with.context = run;
    run->with.send = send_message;
    run->with.receive = receive_message;
    run->with.broadcast = broadcast_message;
    run->run.communicator = &run->with;
    return 0;
}

int core_run_begin(core_run *out, PyObject *run)
{
    PyObject *flag = Py_None;
    PyObject *comm = Py_None;
    long long memory = 0;
    *out = (core_run){.run = SCREE_RUN_INIT, .call = Py_None, .last = now()};
    out->run.progress = on_progress;
    out->run.progress_context = out;
    if (run == Py_None)
        return 0;
    if (!PyArg_ParseTuple(run, "iLOO|O", &out->run.threads, &memory, &out->call, &flag, &comm) ||
        take_communicator(out, comm))
        return -1;
    out->run.memory = memory;
    if (flag != Py_None) {
        if (PyObject_GetBuffer(flag, &out->flag, PyBUF_SIMPLE))
            return -1;
        if (out->flag.len < 1) {
            PyBuffer_Release(&out->flag);
            PyErr_SetString(PyExc_ValueError, "a flag has one byte");
            return -1;
        }
        out->stop = out->flag.buf;
    }
    return 0;
}

void core_run_end(core_run *run)
{
    if (run->stop)
        PyBuffer_Release(&run->flag);
    run->stop = NULL;
    core_raised_clear(run->raised);
}
