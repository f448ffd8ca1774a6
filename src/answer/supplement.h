/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_SUPPLEMENT_H
#define SCREE_ANSWER_SUPPLEMENT_H

/* Sums over rows for columns that a model was not fitted to: of numbers (supplement.c chooses them), and of texts,
 * whose groups are kept sorted (supplement_groups.c). */

#include "base/error.h"

/* Of the codes of some rows: weight, means, and squares about them. */
typedef struct scree__code_sums {
    double weight;
    double *mean;    /* M */
    double *squares; /* M */
} scree__code_sums;

/* A column of numbers, over the rows that have one. */
typedef struct scree__number_sums {
    scree__code_sums codes;
    double mean;
    double square;
    double *products; /* M: with the codes */
    int64_t rows;
} scree__number_sums;

typedef struct scree__group {
    char *name;
    double weight;
    double *mean;    /* M: of the codes */
    double *centred; /* D: of the rows, centred and scaled */
} scree__group;

/* A column of texts: groups by strcmp. Rows without a text are in none. */
typedef struct scree__text_groups {
    const char *column; /* for messages */
    scree__code_sums codes;
    int64_t rows;
    scree__group *groups;
    int64_t count;
    int64_t *spare; /* bytes that groups of all columns may still take */
} scree__text_groups;

/* One more row, by the means as they were and as they are (Welford; West 1979 with weights). */
scree_status scree__code_sums_open(scree__code_sums *sums, int64_t m, scree_error *error);
void scree__code_sums_add(scree__code_sums *sums, const double *z, int64_t m, double weight);
void scree__number_sums_add(scree__number_sums *sums, double x, const double *z, int64_t m, double weight);

/* A row of code z and cells c. Fails where there are too many groups to be groups, or for the memory. */
scree_status scree__text_groups_add(scree__text_groups *texts, const char *text, double weight, const double *z,
                                    int64_t m, const double *c, int64_t d, scree_error *error);

void scree__code_sums_close(scree__code_sums *sums);
void scree__number_sums_close(scree__number_sums *sums);
void scree__text_groups_close(scree__text_groups *texts);

#endif
