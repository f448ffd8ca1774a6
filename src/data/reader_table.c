/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of formats that are read: a new one is a file with its struct, and a line here. It stands alone, so that a
 * program linked with the static library may bring a table of its own. */

#include "data/formats.h"

const scree__reader *const scree__readers[] = {
    &scree__reader_csv,  &scree__reader_tsv,      &scree__reader_npy,    &scree__reader_npz,    &scree__reader_idx,
    &scree__reader_mtx,  &scree__reader_triplets, &scree__reader_bed,    &scree__reader_screez, &scree__reader_hdf5,
    &scree__reader_tenx, &scree__reader_arrow,    &scree__reader_sqlite, &scree__reader_mat,    NULL,
};
