/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 out: rows into a new file, or codes into a copy of the AnnData file that they are of. What writes them is the
 * module scree-hdf5.so. */

#include "base/error.h"
#include "data/formats.h"
#include "data/module.h"
#include "data/nested.h"
#include "data/tenx.h"

static scree_status rows_open(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    scree_write_options mine = *options;
    mine.into = NULL;
    return scree__module_write(out, "hdf5", path, &mine, error);
}

static scree_status codes_open(scree_sink **out, const char *path, const scree_write_options *options,
                               scree_error *error)
{
    scree_write_options mine = *options;
    const scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    scree__nested nested = {0};
    scree_status status = SCREE_OK;
    bool is_folder = false;
    if (!options->into)
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: an AnnData file gets codes of its cells, by scree project MODEL CELLS.h5ad -o %s; for other rows "
            "choose another format, such as .h5",
            path, path);
    SCREE_TRY(scree__nested_split(&nested, options->into, &plain, error));
    SCREE_TRY(scree__folder_look(&is_folder, nested.file, error));
    if (is_folder)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: codes go into a copy of DATA, which has to be an AnnData file (.h5ad) for that, and is not (it "
                   "is a folder): write another format, such as .csv or .h5",
                   path);
    mine.into = nested.file;
    SCREE_TRY(scree__module_write(out, "hdf5", path, &mine, error));
done:
    scree__nested_clear(&nested);
    return status;
}

static const char *const rows_extensions[] = {"h5", "hdf5", NULL};
static const char *const codes_extensions[] = {"h5ad", NULL};

const scree__writer scree__writer_hdf5 = {"hdf5", rows_extensions, rows_open, "HDF5, the dataset data"};
const scree__writer scree__writer_h5ad = {"h5ad", codes_extensions, codes_open,
                                          "codes into a copy of the AnnData file that they are of"};
