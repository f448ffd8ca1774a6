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

typedef struct scree__module {
    const char *name;  /* of scree-NAME.so and of its folder in src/module */
    const char *text;  /* what it is for, one line */
    const char *entry; /* by which it is opened: scree_module_open_1, or that of module_arrow.h */
} scree__module;

/* All of them, NULL-terminated, whether they were built or not: module_table.c. */
extern const scree__module *const scree__modules[];

/* What a module has, under the name scree_module_open_1. It opens a plain file and fills *calls, which is
 * SCREE_SOURCE_CALLS_INIT before; the names in it live until the next call of any of them. columns and weights of the
 * options are NULL: the library sees to them. When it fails, nothing is released. */
typedef scree_status (*scree__module_opener)(scree_source_calls *calls, const char *path,
                                             const scree_read_options *options, scree_error *error);

/* What it may have besides, under the name scree_module_write_1. It fills *calls, which is SCREE_SINK_CALLS_INIT
 * before, to write the file at path: empty, or, where the options say into, a copy of that file. It is a temporary
 * file that gets its name after finish, or goes when that fails or never comes; for messages it is called name. Nothing
 * may lie beside it that a signal would leave. When it fails, nothing is released. */
typedef scree_status (*scree__module_writer)(scree_sink_calls *calls, const char *path, const char *name,
                                             const scree_write_options *options, scree_error *error);

/* And under the name scree_module_list_1: calls visit for each part of a plain file (scree_file_parts). */
typedef scree_status (*scree__module_lister)(const char *path, const scree_read_options *options, scree_part_fn visit,
                                             void *context, scree_error *error);

/* The entry of a module scree-NAME.so, which is looked for in the folder scree beside the library, the library's own
 * folder, and the folder that it was built to be installed in. file: what cannot be read or written without it. */
scree_status scree__module_entry(void **out, const char *name, const char *entry, const char *file, scree_error *error);

/* What a module said of the bytes, with the name that the user knows in place of a scratch file's. */
void scree__module_said(scree_error *out, const scree__bytes *bytes, const scree_error *said);

/* Opens a file by a module. As the open of a reader, it owns the bytes on success. */
scree_status scree__module_open(scree_source **out, const char *name, scree__bytes *bytes,
                                const scree_read_options *options, scree_error *error);

/* What the file holds, by a module; see scree__reader. */
scree_status scree__module_parts(const char *name, scree__bytes *bytes, const scree_read_options *options,
                                 scree_part_fn visit, void *context, scree_error *error);

/* A sink that a module writes; as the open of a writer. */
scree_status scree__module_write(scree_sink **out, const char *name, const char *path,
                                 const scree_write_options *options, scree_error *error);

#endif
