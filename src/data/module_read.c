/* SPDX-License-Identifier: BSD-3-Clause */
/* Files read by a module: rows from what it fills in, a source of callbacks less the columns that were not chosen; and
 * what a file holds. */

#include "base/sized.h"
#include "data/module.h"
#include "data/source_calls.h"

#include <stdio.h>
#include <string.h>

/* To be filled by the module, with spare bytes for one that knows a longer struct and sets it as a whole. */
typedef union given_calls {
    scree_source_calls calls;
    char bytes[1024];
} given_calls;

/* Of the file as the user knows it and not of a scratch file. */
void scree__module_said(scree_error *out, const scree__bytes *bytes, const scree_error *said)
{
    const char *path = scree__bytes_path(bytes);
    const char *name = scree__bytes_name(bytes);
    size_t used = 0;
    const char *from = said->text;
    *out = *said;
    for (const char *at; strcmp(path, name) != 0 && used < sizeof out->text && (at = strstr(from, path));
         from = at + strlen(path))
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, "%.*s%.300s", (int)(at - from), from, name);
    if (used < sizeof out->text)
        snprintf(out->text + used, sizeof out->text - used, "%s", from);
}

static scree_status fail_as_said(const scree__bytes *bytes, scree_status status, scree_error *said, const char *entry,
                                 scree_error *error)
{
    scree_error mine;
    scree__module_said(&mine, bytes, said);
    return scree__fail_as_said(status, &mine, scree__bytes_name(bytes), entry, error);
}

scree_status scree__module_open(scree_source **out, const char *name, scree__bytes *bytes,
                                const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *path = NULL;
    scree_read_options mine = *options;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    scree_error said = SCREE_ERROR_INIT;
    given_calls given = {.calls = SCREE_SOURCE_CALLS_INIT};
    scree_source *source = NULL;
    scree__module_opener open = NULL;
    mine.columns = mine.weights = NULL;
    SCREE_TRY(scree__bytes_make_plain(bytes, true, error));
    path = scree__bytes_path(bytes);
    SCREE_TRY(scree__module_entry((void **)&open, name, "scree_module_open_1", scree__bytes_name(bytes), error));
    status = open(&given.calls, path, &mine, &said);
    if (status != SCREE_OK)
        SCREE_TRY(fail_as_said(bytes, status, &said, "scree_module_open_1", error));
    SCREE_TRY(SCREE_ADOPT(&calls, &given.calls, error));
    calls.name = calls.name && strcmp(path, scree__bytes_name(bytes)) == 0 ? calls.name : scree__bytes_name(bytes);
    status = scree__calls_open(&source, &calls, options, error);
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

scree_status scree__module_parts(const char *name, scree__bytes *bytes, const scree_read_options *options,
                                 scree_part_fn visit, void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *path = NULL;
    scree_error said = SCREE_ERROR_INIT;
    scree__module_lister list = NULL;
    SCREE_TRY(scree__bytes_make_plain(bytes, true, error));
    path = scree__bytes_path(bytes);
    SCREE_TRY(scree__module_entry((void **)&list, name, "scree_module_list_1", scree__bytes_name(bytes), error));
    status = list(path, options, visit, context, &said);
    if (status != SCREE_OK)
        SCREE_TRY(fail_as_said(bytes, status, &said, "scree_module_list_1", error));
done:
    return status;
}
