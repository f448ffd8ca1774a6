/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_BED_H
#define SCREE_DATA_BED_H

/* The parts of a reader of PLINK's .bed, .bim and .fam (bed_read.c). */

#include "base/budget.h"
#include "data/bytes.h"
#include "data/genotypes.h"

/* What a .bim says of a variant; every text lies in one block. */
typedef struct scree__variant {
    const char *chromosome;
    const char *id;
    const char *position;
    const char *a1;
    const char *a2;
    char *name;    /* the id, or, where that is a point or not the only one, another; owned */
    int64_t place; /* the position as a number */
    int64_t row;   /* of the file */
    int64_t order; /* of the chromosome: 1 .. 26; 0: another */
} scree__variant;

typedef struct scree__variants {
    char *text;
    scree__variant *all;
    int64_t count;
} scree__variants;

typedef struct scree__samples {
    char *text;
    const char **ids; /* FID and IID of each */
    int64_t count;
} scree__samples;

/* The files beside a .bed. expected: how many variants that has. budget: what may be taken. */
scree_status scree__samples_read(scree__samples *samples, const char *path, scree__budget *budget, scree_error *error);
scree_status scree__variants_read(scree__variants *variants, const char *path, int64_t expected, scree__budget *budget,
                                  scree_error *error);
void scree__samples_clear(scree__samples *samples);
void scree__variants_clear(scree__variants *variants);

/* Whether an allele is one: plink writes 0 for that which no sample has, others a point. */
bool scree__allele_known(const char *text);

/* Names for all variants, no two alike. */
scree_status scree__variants_name(scree__variants *variants, const char *path, scree_error *error);

/* How the columns of a model were found among variants. */
typedef struct scree__matches {
    int64_t same;
    int64_t flipped; /* the other allele is counted: 2 - x of it is the column */
    int64_t other;   /* other alleles */
    int64_t absent;
    int64_t unused; /* variants that are none of these columns */
    bool *flip;     /* of each column; NULL: no model was given */
} scree__matches;

/* The columns that the options know of a model take the places of the chosen variants; a row -1 is none. Fails where
 * fewer than half are found. */
scree_status scree__variants_match(scree__matches *matches, scree__genotypes *genotypes,
                                   const scree__variants *variants, const scree_read_options *model,
                                   scree__budget *budget, const char *path, scree_error *error);

/* The counts, as a part of a note. */
void scree__matches_note(const scree__matches *matches, char *note, size_t size);

/* 1 .. 22, X 23, Y 24, XY 25, M or MT 26, with chr in front or not; 0: another name. */
int64_t scree__chromosome_order(const char *name);

/* keep[j] is set for those that the list means: "1-5,X,6:25000000-34000000". */
scree_status scree__variants_on(bool *keep, const scree__variants *variants, const char *list, const char *path,
                                scree_error *error);

#endif
