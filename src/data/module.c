/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading a module, and rows from what it fills in: a source of callbacks, less the columns that were not chosen. A
 * path comes from this library and the name of the format alone, never from the environment or the working folder. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include "data/module.h"

#include "base/sized.h"
#include "data/source.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef SCREE_MODULE_FOLDER
#define SCREE_MODULE_FOLDER "/usr/local/lib/scree"
#endif

/* To be filled by the module, with spare bytes for one that knows a longer struct and sets it as a whole. */
typedef union given_calls {
    scree_source_calls calls;
    char bytes[1024];
} given_calls;

/* The folder that this code was loaded from: of the library, or of a program that it is linked into. A name that does
 * not start at the root, as that of a program may not, would lead to the working folder. */
static void own_folder(char folder[PATH_MAX])
{
    static const char here;
    Dl_info info = {0};
    const bool known = dladdr(&here, &info) && info.dli_fname && info.dli_fname[0] == '/';
    if (known)
        snprintf(folder, PATH_MAX, "%.*s", (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
    else
        snprintf(folder, PATH_MAX, "%s", SCREE_MODULE_FOLDER);
}

static scree_status load(void **out, const char *name, const char *file, scree_error *error)
{
    char own[PATH_MAX];
    char path[PATH_MAX + 300];
    char reason[400] = "there is no such file";
    bool there = false; /* the reason is that of the first file that exists */
    own_folder(own);
    for (int i = 0; i < 3 && !*out && !there; i++) {
        snprintf(path, sizeof path, "%s%s/scree-%.60s.so", i < 2 ? own : SCREE_MODULE_FOLDER, i == 0 ? "/scree" : "",
                 name);
        *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *said = *out ? NULL : dlerror();
        there = access(path, F_OK) == 0;
        if (there && said)
            snprintf(reason, sizeof reason, "%s", said);
    }
    return *out ? SCREE_OK
                : scree__fail(
                      error, SCREE_ERR_UNSUPPORTED,
                      "%s: reading this needs the module scree-%.60s.so, which cannot be loaded (%s); install it", file,
                      name, reason);
}

scree_status scree__module_open(scree_source **out, const char *name, scree__bytes *bytes,
                                const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *path = scree__bytes_name(bytes);
    scree_read_options mine = *options;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    scree_error said = SCREE_ERROR_INIT;
    given_calls given = {.calls = SCREE_SOURCE_CALLS_INIT};
    scree_source *source = NULL;
    scree__module_opener open = NULL;
    void *module = NULL;
    mine.columns = mine.weights = NULL;
    if (!scree__bytes_can_seek(bytes))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: this format is read from plain files only: save it as one", path);
    SCREE_TRY(load(&module, name, path, error));
    *(void **)&open = dlsym(module, "scree_module_open_1");
    if (!open)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: the module scree-%.60s.so is not for this version of scree", path,
                   name);
    status = open(&given.calls, path, &mine, &said);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, path, "scree_module_open_1", error));
    SCREE_TRY(SCREE_ADOPT(&calls, &given.calls, error));
    calls.name = calls.name ? calls.name : path;
    status = scree_source_from_calls(&source, &calls, error);
    if (status != SCREE_OK && calls.release)
        calls.release(calls.context);
    if (status != SCREE_OK)
        goto done;
    SCREE_TRY(scree__select_by_options(out, source, options, error));
    source = NULL;
    scree__bytes_close(bytes);
done:
    scree_source_free(source);
    return status;
}
