/* SPDX-License-Identifier: BSD-3-Clause */
/* libscree-view drags some fifty libraries behind it (Cairo, Pango and theirs), so it is loaded when a picture is asked
 * for and not before. It is looked for beside libscree first, so that a tree of the command and its libraries works
 * wherever it is put; then where the system's loader looks. It stays until the program ends.
 *
 * SCREE_VIEW_LIBRARY is its file name, from the build; "" when it was not built. */

#define _GNU_SOURCE /* dladdr */

#include "pictures.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The calls, once it is loaded. */
static struct {
    __typeof__(scree_model_plot) *model_plot;
    __typeof__(scree_curve_plot) *curve_plot;
    __typeof__(scree_model_report) *model_report;
    __typeof__(scree_server_open) *server_open;
    __typeof__(scree_server_count) *server_count;
    __typeof__(scree_server_about) *server_about;
    __typeof__(scree_server_answer) *server_answer;
    __typeof__(scree_reply_clear) *reply_clear;
    __typeof__(scree_server_free) *server_free;
} calls;

/* Where it is if it lies beside libscree; "" when it does not. */
static void find_beside(char *path, size_t size)
{
    Dl_info info;
    const char *(*known)(void) = scree_version;
    const void *address = NULL;
    memcpy(&address, &known, sizeof address);
    path[0] = '\0';
    if (!dladdr(address, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/'))
        return;
    const int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    const int length = snprintf(path, size, "%.*s/%s", folder, info.dli_fname, SCREE_VIEW_LIBRARY);
    if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0)
        path[0] = '\0';
}

/* The loader's own reason may be wrong when memory is short: it says then that a file cannot be opened which is there.
 */
static scree_status fail(bool is_there, scree_error *error)
{
    scree_error own;
    error = error ? error : &own;
    error->status = SCREE_ERR_UNSUPPORTED;
    if (*SCREE_VIEW_LIBRARY) {
        const char *reason = dlerror();
        snprintf(error->text, sizeof error->text, "pictures and pages need %s, and it cannot be loaded (%s); %s",
                 SCREE_VIEW_LIBRARY, reason ? reason : "unknown reason",
                 is_there ? "it is there, so install Cairo and Pango, or free memory"
                          : "install it beside libscree, with Cairo and Pango");
    } else {
        snprintf(error->text, sizeof error->text,
                 "this scree was built without pictures and pages; build it with -DSCREE_VIEW=ON, which needs Cairo "
                 "and Pango");
    }
    return SCREE_ERR_UNSUPPORTED;
}

static bool find_call(void *library, const char *name, void *call)
{
    const void *address = dlsym(library, name);
    memcpy(call, &address, sizeof address);
    return address != NULL;
}

static scree_status load(scree_error *error)
{
    char path[PATH_MAX];
    void *library = NULL;
    if (calls.model_plot)
        return SCREE_OK;
    find_beside(path, sizeof path);
    if (*SCREE_VIEW_LIBRARY)
        library = dlopen(*path ? path : SCREE_VIEW_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    const bool whole = library && find_call(library, "scree_curve_plot", &calls.curve_plot) &&
                       find_call(library, "scree_model_report", &calls.model_report) &&
                       find_call(library, "scree_server_open", &calls.server_open) &&
                       find_call(library, "scree_server_count", &calls.server_count) &&
                       find_call(library, "scree_server_about", &calls.server_about) &&
                       find_call(library, "scree_server_answer", &calls.server_answer) &&
                       find_call(library, "scree_reply_clear", &calls.reply_clear) &&
                       find_call(library, "scree_server_free", &calls.server_free) &&
                       find_call(library, "scree_model_plot", &calls.model_plot);
    return whole ? SCREE_OK : fail(*path != '\0', error);
}

bool cli_pictures_can_be_drawn(scree_error *error)
{
    return load(error) == SCREE_OK;
}

bool cli_pictures_are_there(scree_error *error)
{
    char path[PATH_MAX];
    find_beside(path, sizeof path);
    return (*SCREE_VIEW_LIBRARY && *path) || load(error) == SCREE_OK;
}

scree_status cli_model_plot(const scree_model *model, scree_source *rows, const char *path,
                            const scree_plot_options *options, scree_error *error)
{
    const scree_status status = load(error);
    return status == SCREE_OK ? calls.model_plot(model, rows, path, options, error) : status;
}

scree_status cli_curve_plot(const scree_curve *curve, const char *path, const scree_plot_options *options,
                            scree_error *error)
{
    const scree_status status = load(error);
    return status == SCREE_OK ? calls.curve_plot(curve, path, options, error) : status;
}

scree_status cli_model_report(const scree_model *model, scree_source *source, const char *path,
                              scree_report_summary *summary, const scree_report_options *options, scree_error *error)
{
    const scree_status status = load(error);
    return status == SCREE_OK ? calls.model_report(model, source, path, summary, options, error) : status;
}

scree_status cli_server_open(scree_server **out, const scree_model *model, scree_source *source,
                             const scree_serve_options *options, scree_error *error)
{
    const scree_status status = load(error);
    return status == SCREE_OK ? calls.server_open(out, model, source, options, error) : status;
}

/* There is a server only where the library is. */

scree_status cli_server_count(scree_server *server, scree_source *source, const scree_run *run, scree_error *error)
{
    return calls.server_count(server, source, run, error);
}

scree_status cli_server_about(const scree_server *server, scree_serve_summary *about, scree_error *error)
{
    return calls.server_about(server, about, error);
}

void cli_server_answer(const scree_server *server, const scree_request *request, scree_reply *reply)
{
    calls.server_answer(server, request, reply);
}

void cli_reply_clear(scree_reply *reply)
{
    calls.reply_clear(reply);
}

void cli_server_free(scree_server *server)
{
    if (server)
        calls.server_free(server);
}
