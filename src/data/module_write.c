/* SPDX-License-Identifier: BSD-3-Clause */
/* Files written by a module, under a temporary name that the library gives and renames: the module opens the file by
 * that name and writes it as its own library does, from nothing, or into a copy of another file. */

#include "base/atomic_file.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/module.h"
#include "data/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 20 };

/* To be filled by the module, with spare bytes for one that knows a longer struct and sets it as a whole. */
typedef union given_calls {
    scree_sink_calls calls;
    char bytes[1024];
} given_calls;

static scree_status copy_file(scree__atomic_file *to, const char *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *buffer = NULL;
    int64_t got = 0;
    const int fd = scree__call_open(from, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be opened (%s): check the name and its permissions", from,
                   strerror(errno));
    SCREE_ALLOC(buffer, COPY_BYTES, error);
    while ((got = scree__call_read(fd, buffer, COPY_BYTES)) > 0)
        SCREE_TRY(scree__atomic_write(to, buffer, got, error));
    if (got < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be read (%s)", from, strerror(errno));
    SCREE_TRY(scree__atomic_flush(to, error));
done:
    free(buffer);
    if (fd >= 0)
        close(fd);
    return status;
}

scree_status scree__module_write(scree_sink **out, const char *name, const char *path,
                                 const scree_write_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    scree_error said = SCREE_ERROR_INIT;
    given_calls given = {.calls = SCREE_SINK_CALLS_INIT};
    scree__module_writer write = NULL;
    scree__atomic_file *file = NULL;
    const char *temporary = NULL;
    SCREE_TRY(scree__module_entry((void **)&write, name, "scree_module_write_1", path, error));
    SCREE_TRY(scree__atomic_open(&file, path, error));
    temporary = scree__atomic_temporary(file);
    if (!temporary)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: this format is written to plain files only: name one with -o, or choose another format",
                   strcmp(path, "-") == 0 ? "standard output" : path);
    if (options->into)
        SCREE_TRY(copy_file(file, options->into, error));
    status = write(&given.calls, temporary, path, options, &said);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, path, "scree_module_write_1", error));
    SCREE_TRY(SCREE_ADOPT(&calls, &given.calls, error));
    calls.name = path;
    status = scree_sink_to_calls(out, &calls, error);
    if (status != SCREE_OK && calls.release)
        calls.release(calls.context);
    if (status != SCREE_OK)
        goto done;
    (*out)->file = file;
    (*out)->type = options->type;
    file = NULL;
done:
    scree__atomic_free(file);
    return status;
}
