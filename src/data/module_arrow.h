/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_MODULE_ARROW_H
#define SCREE_DATA_MODULE_ARROW_H

/* Modules that read tables, columns of numbers and of text by name: what they have in place of scree_module_open_1. */

#include "data/arrow.h"
#include "data/bytes.h"

/* scree_module_arrow_1 opens a plain file as a stream. Its last error is a whole sentence. */
typedef scree_status (*scree__module_arrow)(struct ArrowArrayStream *out, const char *path,
                                            const scree_read_options *options, scree_error *error);
/* scree_module_choose_1, before the first batch: the columns of the schema that are looked at; others may be anything.
 */
typedef void (*scree__module_chooser)(struct ArrowArrayStream *stream, const bool *wanted);
/* scree_module_again_1: back to the first row. */
typedef scree_status (*scree__module_again)(struct ArrowArrayStream *stream, scree_error *error);

/* Opens a file by a module. As the open of a reader, it owns the bytes on success. advice: what to do where no column
 * holds numbers, or NULL. */
scree_status scree__module_arrow_open(scree_source **out, const char *name, const char *advice, scree__bytes *bytes,
                                      const scree_read_options *options, scree_error *error);

#endif
