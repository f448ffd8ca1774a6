/* SPDX-License-Identifier: BSD-3-Clause */
/* How a long call is told to stop, and tells how far it is: some ten times a second the library's progress asks Python
 * whether a signal has come (Ctrl-C raises KeyboardInterrupt) and calls the caller's function. A flag in memory, which
 * needs no interpreter, is looked at every time: another thread of Python may set it. */

#include "core.h"

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
        PyObject *answer = PyObject_CallFunction(run->call, "siiLL", p->stage, p->pass, p->passes, (long long)p->rows,
                                                 (long long)p->rows_total);
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
    const bool last = progress->rows_total > 0 && progress->rows >= progress->rows_total && run->call != Py_None;
    if (time - run->last < INTERVAL && !last)
        return 0;
    const PyGILState_STATE state = PyGILState_Ensure();
    const int stop = ask_python(run, progress);
    PyGILState_Release(state);
    run->last = now();
    return stop;
}

int core_run_begin(core_run *out, PyObject *run)
{
    PyObject *flag = Py_None;
    long long memory = 0;
    *out = (core_run){.run = SCREE_RUN_INIT, .call = Py_None, .last = now()};
    out->run.progress = on_progress;
    out->run.progress_context = out;
    if (run == Py_None)
        return 0;
    if (!PyArg_ParseTuple(run, "iLOO", &out->run.threads, &memory, &out->call, &flag))
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
