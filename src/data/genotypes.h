/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_GENOTYPES_H
#define SCREE_DATA_GENOTYPES_H

/* Genotypes as they lie in a PLINK file: variant after variant, four calls to a byte, the first lowest. A call is the
 * number of copies of allele A1: 00 two, 10 one, 11 none, and 01 a call that is missing. */

#include "data/pass.h"
#include "kernel/calls.h"

/* What lies behind a source of genotypes whose columns are these variants, in this order. */
typedef struct scree__genotypes {
    scree_source *packed; /* a row of bytes for each variant of the file, from the first that is chosen on */
    int64_t samples;
    int64_t variants;
    int64_t *row;               /* variants: of packed, ascending */
    scree__call_counts *counts; /* variants */
    bool keeps_missing;         /* missing calls stay missing: nobody may work on the packed calls then */
} scree__genotypes;

/* Variants that lie one after the other, as a visit is lent them: stride bytes each. */
typedef struct scree__packed_variants {
    const uint8_t *data;
    int64_t stride;
    int64_t first; /* of them, among the chosen */
    int64_t count;
} scree__packed_variants;

typedef scree_status (*scree__visit_variants)(void *context, const scree__packed_variants *variants,
                                              scree_error *error);

typedef struct scree__genotypes_pass {
    const char *stage; /* for progress */
    int pass;          /* from 1 */
    int64_t at_once;   /* variants of the file that are read together; visit gets these, or parts of these */
    const scree_run *run;
    scree__visit_variants visit;
    void *context;
} scree__genotypes_pass;

/* One read of the calls, in the order of the variants. The same parts whatever the threads are. */
scree_status scree__genotypes_read(const scree__genotypes *genotypes, const scree__genotypes_pass *pass,
                                   scree_error *error);

/* Bytes that such a read takes. */
int64_t scree__genotypes_read_memory(const scree__genotypes *genotypes, int64_t at_once);

void scree__genotypes_clear(scree__genotypes *genotypes);

#endif
