/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's tables, each with one line more. A program that is linked with the static library and brings tables of
 * its own has these in place of the library's. */

#include "kind/kinds.h"
#include "seams.h"
#include "support/rotated.h"

const scree__method *const scree__methods[] = {
    &scree__method_covariance,
    &scree__method_gram,
    &scree__method_svd,
    &scree__method_lanczos,
    &scree__method_em,
    &seams_jacobi, /* the line */
    NULL,
};

const scree__reader *const scree__readers[] = {
    &scree__reader_csv,
    &scree__reader_tsv,
    &scree__reader_npy,
    &scree__reader_idx,
    &scree__reader_mtx,
    &scree__reader_triplets,
    &scree__reader_screez,
    &seams_ledger, /* the line */
    NULL,
};

const scree__kind *const scree__kinds[] = {
    &scree__kind_pca,
    &scree__kind_network,
    &support_rotated, /* the line */
    NULL,
};
