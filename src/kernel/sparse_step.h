/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_STEP_H
#define SCREE_KERNEL_SPARSE_STEP_H

/* Some rows of a sparse product, by one thread: see typed/sparse_cpu.c. */

#include "kernel/sparse_rows.h"

enum { SCREE__SPARSE_LANE = 16 }; /* columns of Q are padded to a multiple of it */

/* Arrays marked real are of the arithmetic's type. */
typedef struct scree__sparse_step {
    const scree__sparse_centring *centring;
    const scree__entries *x;
    int64_t first; /* rows first .. end-1 */
    int64_t end;
    int64_t wide;     /* columns of Q, padded */
    const void *q;    /* real, D×wide: fQ */
    const void *rest; /* real, wide: mᵀfQ */
    void *w;          /* real, D×wide: gains Vᵀy of each row */
    double *sums;     /* wide: gains y */
    int32_t *index;   /* D + 1: scratch */
    void *value;      /* real, D + 1: scratch */
    void *y;          /* real, wide: scratch */
} scree__sparse_step;

void scree__sparse_step_f32(const scree__sparse_step *step);
void scree__sparse_step_f64(const scree__sparse_step *step);

#endif
