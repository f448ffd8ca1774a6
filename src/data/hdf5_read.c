/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 in, AnnData and 10x among it: how such a file is known. What reads it is the module scree-hdf5.so. */

#include "data/formats.h"
#include "data/module.h"

#include <string.h>

static bool hdf5_matches(const unsigned char *head, int64_t size)
{
    return size >= 8 && memcmp(head, "\x89HDF\r\n\x1A\n", 8) == 0;
}

static scree_status hdf5_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                              scree_error *error)
{
    return scree__module_open(out, "hdf5", bytes, options, error);
}

static scree_status hdf5_list(scree__bytes *bytes, const scree_read_options *options, scree_part_fn visit,
                              void *context, scree_error *error)
{
    return scree__module_parts("hdf5", bytes, options, visit, context, error);
}

static const char *const hdf5_extensions[] = {"h5", "hdf5", "he5", "h5ad", NULL};

const scree__reader scree__reader_hdf5 = {
    "hdf5", hdf5_extensions, hdf5_matches, hdf5_open, "HDF5: a dataset, AnnData (.h5ad) or 10x", false,
    true,   hdf5_list};
