/* SPDX-License-Identifier: BSD-3-Clause */
/* Status names and texts, made from the one list in scree.h; the sentence that goes with a failure. Whatever
 * names and bytes it quotes, it can be printed on a terminal. */

#include "base/error.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
#define SCREE_X(name, text) #name,
    SCREE_STATUS_LIST(SCREE_X)
#undef SCREE_X
};

static const char *const texts[] = {
#define SCREE_X(name, text) text,
    SCREE_STATUS_LIST(SCREE_X)
#undef SCREE_X
};

static bool is_known(scree_status status)
{
    return (unsigned)status < sizeof names / sizeof names[0];
}

const char *scree_status_name(scree_status status)
{
    return is_known(status) ? names[status] : "unknown";
}

const char *scree_status_text(scree_status status)
{
    return is_known(status) ? texts[status] : "unknown status";
}

scree_status scree__fail(scree_error *error, scree_status status, const char *format, ...)
{
    if (error) {
        char text[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        scree__format_list(text, sizeof text, format, arguments);
        va_end(arguments);
        scree__utf8_trim(text);
        error->status = status;
        scree_text_visible(error->text, sizeof error->text, text);
    }
    return status;
}

scree_status scree__fail_open(const char *path, int reason, scree_error *error)
{
    char beside[1024];
    if (reason == ENOENT && strpbrk(path, "*?["))
        return scree__fail(
            error, SCREE_ERR_IO,
            "%s: no file matches this pattern, so that the shell left it as it is: check name and folder", path);
    snprintf(beside, sizeof beside, "%s.bed", path);
    if (reason == ENOENT && strlen(path) + 4 < sizeof beside && access(beside, F_OK) == 0)
        return scree__fail(error, SCREE_ERR_IO, "%s: there is no such file: genotypes are named by their .bed, %s",
                           path, beside);
    if (reason == ENOENT || reason == ENOTDIR)
        return scree__fail(error, SCREE_ERR_IO, "%s: there is no such file: check its name and folder", path);
    if (reason == EACCES)
        return scree__fail(error, SCREE_ERR_IO, "%s: may not be read: change its permissions", path);
    return scree__fail(error, SCREE_ERR_IO, "%s: cannot be opened (%s): check its name and permissions", path,
                       strerror(reason));
}

scree_status scree__fail_as_said(scree_status status, const scree_error *said, const char *name, const char *call,
                                 scree_error *error)
{
    if (said->text[0])
        return scree__fail(error, status, "%.*s", (int)sizeof said->text - 1, said->text);
    return scree__fail(error, status, "%s: the callback '%s' failed and did not say why: %s", name, call,
                       scree_status_text(status));
}
