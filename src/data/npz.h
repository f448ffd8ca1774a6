/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_NPZ_H
#define SCREE_DATA_NPZ_H

/* NumPy archives: which member is read (npz_read.c), and sparse arrays as SciPy saves them (npz_sparse.c). */

#include "data/array.h"
#include "data/zip.h"

/* "x" or "x.npy"; NULL: there is no such member. */
const scree__zip_member *scree__npz_find(const scree__zip *zip, const char *name);

/* Whether the members are those of a sparse array. */
bool scree__npz_is_sparse(const scree__zip *zip);

/* Its rows. On success the source owns the bytes. */
scree_status scree__npz_open_sparse(scree_source **out, scree__bytes *bytes, const scree__zip *zip,
                                    const scree_read_options *options, scree_error *error);

/* What scree ls shows of it: kind "CSR", "CSC" or "COO", rows, columns and type. */
typedef struct scree__npz_shape {
    char format[8];
    int64_t rows;
    int64_t cols;
    int64_t entries;
    scree__element element;
} scree__npz_shape;

scree_status scree__npz_look(scree__npz_shape *shape, const scree__bytes *bytes, const scree__zip *zip,
                             scree_error *error);

#endif
