/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TYPED_REAL_H
#define SCREE_KERNEL_TYPED_REAL_H

/* Files in this folder are compiled twice: real is float or double, FN(name) is scree__name_f32 or scree__name_f64. */

#include "kernel/blas.h"

#if SCREE_REAL_IS_FLOAT
typedef float real;
#define FN(name) scree__##name##_f32
#define REAL_TYPE SCREE_F32
#define REAL_GEMM scree__sgemm
#define REAL_SYRK scree__ssyrk
#else
typedef double real;
#define FN(name) scree__##name##_f64
#define REAL_TYPE SCREE_F64
#define REAL_GEMM scree__dgemm
#define REAL_SYRK scree__dsyrk
#endif

#endif
