/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: rows to a file that is as small as their model allows, and what such a file says of itself. */

#include "core.h"

#include <stddef.h>

#define ABOUT(name, kind)                                                                                              \
    {                                                                                                                  \
#name, kind, offsetof(scree_archive, name), 0, 0                                                               \
    }
static const core_field ABOUT_FIELDS[] = {
    ABOUT(rows, 'l'),   ABOUT(cols, 'l'),  ABOUT(type, 'i'),      ABOUT(components, 'l'), ABOUT(coding, 's'),
    ABOUT(blocks, 'l'), ABOUT(bytes, 'l'), ABOUT(bits, 'd'),      ABOUT(ratio, 'd'),      ABOUT(bound, 'd'),
    ABOUT(worst, 'd'),  ABOUT(rmse, 'd'),  ABOUT(code_bits, 'd'), ABOUT(rate_bound, 'd'), ABOUT(corrected, 'l'),
    ABOUT(raw, 'l'),    {NULL, 0, 0, 0, 0}};

#define OPTION(name, kind)                                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(scree_compress_options, name), 0, 0                                                      \
    }
static const core_field OPTIONS[] = {OPTION(max_error, 'd'), OPTION(rmse, 'd'),       OPTION(psnr, 'd'),
                                     OPTION(ratio, 'd'),     OPTION(components, 'l'), {NULL, 0, 0, 0, 0}};

/* (source, path, options, run) */
PyObject *core_compress(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows = NULL;
    PyObject *dict = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    const char *path = NULL;
    core_run run;
    scree_archive about = SCREE_ARCHIVE_INIT;
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OsOO", &rows, &path, &dict, &run_args) || core_options_read(&options, OPTIONS, dict))
        return NULL;
    core_source *source = core_source_begin(rows);
    if (!source)
        return NULL;
    if (core_run_begin(&run, run_args) == 0) {
        options.run = &run.run;
        CORE_CALL(status, scree_source_compress(source->source, path, &about, &options, &error));
        result = status == SCREE_OK ? core_view_dict(&about, ABOUT_FIELDS) : core_fail(status, &error, source, &run);
        core_run_end(&run);
    }
    core_source_end(source);
    return result;
}

/* (path) → dict, or None where it is no archive */
PyObject *core_archive_about(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path = NULL;
    scree_archive about = SCREE_ARCHIVE_INIT;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    if (!scree_archive_is(path))
        return Py_NewRef(Py_None);
    const scree_status status = scree_archive_read(path, &about, &error);
    return status == SCREE_OK ? core_view_dict(&about, ABOUT_FIELDS) : core_fail(status, &error, NULL, NULL);
}
