/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of formats: a new one is a file with its struct, and a line here. They stand alone, so that a program
 * linked with the static library may bring tables of its own. */

#include "data/formats.h"

const scree__reader *const scree__readers[] = {
    &scree__reader_csv, &scree__reader_tsv,      &scree__reader_npy,    &scree__reader_idx,
    &scree__reader_mtx, &scree__reader_triplets, &scree__reader_screez, NULL,
};

const scree__writer *const scree__writers[] = {
    &scree__writer_csv, &scree__writer_tsv, &scree__writer_npy, &scree__writer_json, &scree__writer_json_arrays, NULL,
};
