/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading a module. A path comes from this library and the name of the format alone, never from the environment or the
 * working folder. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include "data/module.h"

#include "base/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef SCREE_MODULE_FOLDER
#define SCREE_MODULE_FOLDER "/usr/local/lib/scree"
#endif

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
    bool there = false;   /* the reason is that of the first file that exists */
    bool starved = false; /* which the loader's own sentence does not always say */
    own_folder(own);
    for (int i = 0; i < 3 && !*out && !there; i++) {
        snprintf(path, sizeof path, "%s%s/scree-%.60s.so", i < 2 ? own : SCREE_MODULE_FOLDER, i == 0 ? "/scree" : "",
                 name);
        errno = 0;
        *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *said = *out ? NULL : dlerror();
        starved = starved || errno == ENOMEM;
        there = access(path, F_OK) == 0;
        if (there && said)
            snprintf(reason, sizeof reason, "%s", said);
    }
    if (!*out && starved)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the module scree-%.60s.so", file, name);
    return *out
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_UNSUPPORTED,
                             "%s: this format needs the module scree-%.60s.so, which cannot be loaded (%s); install it",
                             file, name, reason);
}

scree_status scree__module_entry(void **out, const char *name, const char *entry, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    void *module = NULL;
    SCREE_TRY(load(&module, name, file, error));
    *out = dlsym(module, entry);
    if (!*out)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: the module scree-%.60s.so is not for this version of scree", file,
                   name);
done:
    return status;
}

scree_status scree_module_check(const char *name, scree_error *error)
{
    void *entry = NULL;
    for (int i = 0; scree__modules[i]; i++)
        if (strcmp(scree__modules[i]->name, name) == 0)
            return scree__module_entry(&entry, name, scree__modules[i]->entry, scree__modules[i]->text, error);
    return scree__fail(error, SCREE_ERR_ARGUMENT, "there is no module '%.100s'; scree version names those that may be",
                       name);
}
