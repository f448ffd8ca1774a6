/* SPDX-License-Identifier: BSD-3-Clause */
/* Scratch files. TMPDIR, where it is set, is the only folder that is tried: who sets it knows where there is room. */

#include "data/scratch.h"

#include "base/file_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK_BYTES = 1 << 20 };

static scree_status fail_scratch(const scree__scratch *scratch, const char *what, int reason, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_IO,
                       "%s: %s needs a scratch file, which cannot be %s: %s; set TMPDIR to a folder with room for the "
                       "numbers",
                       scratch->file, scratch->why, what, strerror(reason));
}

scree_status scree__scratch_open(scree__scratch *scratch, const char *file, const char *why, scree_error *error)
{
    const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int reason = ENOENT;
    *scratch = (scree__scratch)SCREE__SCRATCH_INIT;
    scratch->file = file;
    scratch->why = why;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (!folders[i] || !*folders[i])
            continue;
        reason = scree__temporary_make(&scratch->temporary, folders[i], S_IRUSR | S_IWUSR);
        if (reason == 0)
            return SCREE_OK;
        if (i == 0)
            break; /* it was asked for */
    }
    return fail_scratch(scratch, "made", reason, error);
}

scree_status scree__scratch_write(scree__scratch *scratch, const void *from, int64_t size, scree_error *error)
{
    for (int64_t done = 0; done < size;) {
        const int64_t part =
            scree__call_pwrite(scratch->temporary.fd, (const char *)from + done, size - done, scratch->size);
        if (part <= 0)
            return fail_scratch(scratch, "written", part < 0 ? errno : ENOSPC, error);
        done += part;
        scratch->size += part;
    }
    return SCREE_OK;
}

scree_status scree__scratch_fill(scree__scratch *scratch,
                                 scree_status (*read)(void *context, void *to, int64_t size, int64_t *got,
                                                      scree_error *error),
                                 void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *chunk = malloc(CHUNK_BYTES);
    if (!chunk)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scratch->file);
    for (int64_t got = 1; got > 0;) {
        SCREE_TRY(read(context, chunk, CHUNK_BYTES, &got, error));
        SCREE_TRY(scree__scratch_write(scratch, chunk, got, error));
    }
done:
    free(chunk);
    return status;
}

scree_status scree__scratch_read(const scree__scratch *scratch, void *to, int64_t size, int64_t offset,
                                 scree_error *error)
{
    for (int64_t done = 0; done < size;) {
        const int64_t part = scree__call_pread(scratch->temporary.fd, (char *)to + done, size - done, offset + done);
        if (part <= 0)
            return fail_scratch(scratch, "read", part < 0 ? errno : EIO, error);
        done += part;
    }
    return SCREE_OK;
}

bool scree__scratch_is_open(const scree__scratch *scratch)
{
    return scratch->file && scratch->temporary.fd >= 0;
}

void scree__scratch_close(scree__scratch *scratch)
{
    if (scratch->file)
        scree__temporary_remove(&scratch->temporary);
    *scratch = (scree__scratch)SCREE__SCRATCH_INIT;
}
