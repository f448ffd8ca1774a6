/* SPDX-License-Identifier: BSD-3-Clause */
/* MAT files: how such a file is known; one of version 4 by its name alone. What reads and writes it is the module
 * scree-matio.so. */

#include "data/formats.h"
#include "data/module.h"

#include <string.h>

static bool mat_matches(const unsigned char *head, int64_t size)
{
    return size >= 128 &&
           (memcmp(head, "MATLAB 5.0 MAT-file", 19) == 0 || memcmp(head, "MATLAB 7.3 MAT-file", 19) == 0);
}

static scree_status mat_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    return scree__module_open(out, "matio", bytes, options, error);
}

static scree_status mat_list(scree__bytes *bytes, const scree_read_options *options, scree_part_fn visit, void *context,
                             scree_error *error)
{
    return scree__module_parts("matio", bytes, options, visit, context, error);
}

static scree_status mat_write(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    return scree__module_write(out, "matio", path, options, error);
}

static const char *const mat_extensions[] = {"mat", NULL};

const scree__reader scree__reader_mat = {.name = "mat",
                                         .extensions = mat_extensions,
                                         .matches = mat_matches,
                                         .open = mat_open,
                                         .text = "MATLAB's MAT files: a matrix, dense or sparse",
                                         .parts = true,
                                         .list = mat_list};
const scree__writer scree__writer_mat = {"mat", mat_extensions, mat_write, "MAT file of version 5, the matrix codes"};
