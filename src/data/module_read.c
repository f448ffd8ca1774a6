/* SPDX-License-Identifier: BSD-3-Clause */
/* Files read by a module: rows from what it fills in, a source of callbacks less the columns that were not chosen; and
 * what a file holds. */

#include "base/sized.h"
#include "data/module.h"
#include "data/source_calls.h"

/* To be filled by the module, with spare bytes for one that knows a longer struct and sets it as a whole. */
typedef union given_calls {
    scree_source_calls calls;
    char bytes[1024];
} given_calls;

static scree_status check_plain(const scree__bytes *bytes, scree_error *error)
{
    if (scree__bytes_can_seek(bytes))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: this format is read from plain files only: save it as one",
                       scree__bytes_name(bytes));
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
    mine.columns = mine.weights = NULL;
    SCREE_TRY(check_plain(bytes, error));
    SCREE_TRY(scree__module_entry((void **)&open, name, "scree_module_open_1", path, error));
    status = open(&given.calls, path, &mine, &said);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, path, "scree_module_open_1", error));
    SCREE_TRY(SCREE_ADOPT(&calls, &given.calls, error));
    calls.name = calls.name ? calls.name : path;
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
    const char *path = scree__bytes_name(bytes);
    scree_error said = SCREE_ERROR_INIT;
    scree__module_lister list = NULL;
    SCREE_TRY(check_plain(bytes, error));
    SCREE_TRY(scree__module_entry((void **)&list, name, "scree_module_list_1", path, error));
    status = list(path, options, visit, context, &said);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, path, "scree_module_list_1", error));
done:
    return status;
}
