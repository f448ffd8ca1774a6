/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_STEP_H
#define SCREE_KERNEL_SPARSE_STEP_H

/* Some rows of a sparse product, by one thread: see typed/sparse_cpu.c. */

#include "kernel/sparse_rows.h"

/* Bytes of a row of a panel: one cache line, of 16 floats or 8 doubles, and panels begin at a multiple of it. */
enum { SCREE__SPARSE_PANEL = 64 };

/* Arrays marked real are of the arithmetic's type; a panel is a few columns of Q, and the same of W. */
typedef struct scree__sparse_step {
    const scree__sparse_centring *centring;
    const scree__entries *x;
    int64_t first; /* rows first .. end-1 */
    int64_t end;
    const void *q;    /* real, D × panel: fQ */
    const void *rest; /* real, panel: mᵀfQ */
    void *w;          /* real, D × panel: gains Vᵀy of each row */
    double *sums;     /* panel: gains y */
    int32_t *index;   /* D + 1: scratch */
    void *value;      /* real, D + 1: scratch */
} scree__sparse_step;

void scree__sparse_step_f32(const scree__sparse_step *step);
void scree__sparse_step_f64(const scree__sparse_step *step);

#endif
