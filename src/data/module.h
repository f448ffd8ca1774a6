/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_MODULE_H
#define SCREE_DATA_MODULE_H

/* Formats that need further libraries. The line in the table of formats says how such a file is known; what reads it is
 * in a module, a shared object that is loaded when the first such file is opened, and stays.
 *
 *     static scree_status open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
 *                              scree_error *error)
 *     {
 *         return scree__module_open(out, "hdf5", bytes, options, error);
 *     }
 *     const scree__reader scree__reader_hdf5 = {"hdf5", extensions, matches, open, "HDF5, one dataset"};
 *
 * A module knows scree.h and calls nothing of the library, which may be linked into the program or not. */

#include "data/bytes.h"

/* What a module has, under the name scree_module_open_1. It opens a plain file and fills *calls, which is
 * SCREE_SOURCE_CALLS_INIT before; the names in it live until the next call of any of them. columns and weights of the
 * options are NULL: the library sees to them. When it fails, nothing is released. */
typedef scree_status (*scree__module_opener)(scree_source_calls *calls, const char *path,
                                             const scree_read_options *options, scree_error *error);

/* Opens a file by the module scree-NAME.so, from the folder scree beside the library, its own folder, or the folder
 * that it was built to be installed in. As the open of a reader, it owns the bytes on success. */
scree_status scree__module_open(scree_source **out, const char *name, scree__bytes *bytes,
                                const scree_read_options *options, scree_error *error);

#endif
