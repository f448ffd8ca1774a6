/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of formats that are written: a new one is a file with its struct, and a line here. It stands alone, so that
 * a program linked with the static library may bring a table of its own. */

#include "data/formats.h"

const scree__writer *const scree__writers[] = {
    &scree__writer_csv,
    &scree__writer_tsv,
    &scree__writer_npy,
    &scree__writer_npz,
    &scree__writer_json,
    &scree__writer_json_arrays,
    &scree__writer_hdf5,
    &scree__writer_h5ad,
    &scree__writer_arrow,
    &scree__writer_arrows,
    &scree__writer_sqlite,
    &scree__writer_mat,
    NULL,
};
