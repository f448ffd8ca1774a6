/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_FAULTS_H
#define SCREE_DATA_FAULTS_H

/* Rows that cannot be used and are no error: what becomes of them, and how many there were. */

#include "base/error.h"

typedef struct scree__faults scree__faults;

scree__faults *scree__faults_new(const scree_read_options *options); /* NULL: out of memory */
void scree__faults_free(scree__faults *faults);                      /* NULL-safe */

/* Counts a row, and tells what is wrong with it where there is a sentence. Any thread may call. */
void scree__faults_add(scree__faults *faults, const char *sentence);
void scree__faults_pass(scree__faults *faults, int pass); /* 1 is the first; rows of later ones are not counted again */
bool scree__faults_want_nan(const scree__faults *faults); /* such rows are answered, by NaN; else skipped */
int64_t scree__faults_count(scree__faults *faults);

#endif
