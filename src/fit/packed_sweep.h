/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PACKED_SWEEP_H
#define SCREE_FIT_PACKED_SWEEP_H

/* Sweeps over genotypes that are packed, 2 bits a call; see packed_sweep.c. Z is N×D, centred and scaled. */

#include "data/genotypes.h"
#include "fit/sweep.h"

typedef struct scree__packed_sweep scree__packed_sweep;

int64_t scree__packed_sweep_memory(const scree__job *job, int64_t width, scree_type type);
double scree__packed_sweep_chain(const scree__job *job, scree_type type);

/* Of blocks of so many columns. sweeps is lent. */
scree_status scree__packed_sweep_new(scree__packed_sweep **out, const scree__sweeps *sweeps, int64_t width,
                                     scree_type type, scree_error *error);
void scree__packed_sweep_free(scree__packed_sweep *sweep);

/* One read of the calls each, of which `pass` is the number: image (N×b) = ZZᵀy; w (D×b) = Zᵀy; y (N×b) = Zw. */
scree_status scree__packed_sweep_both(scree__packed_sweep *sweep, const double *y, int64_t b, double *image,
                                      scree_error *error);
scree_status scree__packed_sweep_columns(scree__packed_sweep *sweep, const double *y, int64_t b, double *w,
                                         scree_error *error);
scree_status scree__packed_sweep_rows(scree__packed_sweep *sweep, const double *w, int64_t b, double *y,
                                      scree_error *error);

/* What the four codes of variants become: tables, count×4. */
void scree__packed_tables(const scree__genotypes *genotypes, const double *shift, const double *factor, int64_t first,
                          int64_t count, double *tables);

/* Means, and sums of squares about them, of all variants: counts know them. */
void scree__packed_moments(const scree__genotypes *genotypes, double *mean, double *squares);

#endif
