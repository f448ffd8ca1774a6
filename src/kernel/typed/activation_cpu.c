/* SPDX-License-Identifier: BSD-3-Clause */
/* Activations and their slopes (activation.h), one pass over the sums of a layer, in loops that compilers vectorise.
 *
 * All of them rest on one exponential: e^x = 2^n e^r with n = round(x/ln 2) and |r| ≤ ln 2 / 2, e^r by its series to
 * the last term that counts, and 2^n put together from its bits. Its error is a few units in the last place. Some 20
 * operations an entry, against the thousands of the products that made it. */

#include "kernel/activation.h"

#include "base/cpu.h"
#include "kernel/typed/real.h"

#include <string.h>

#if SCREE_REAL_IS_FLOAT
typedef uint32_t bits;
enum { TERMS = 7, MANTISSA = 23, BIAS = 127 };
static const real LARGEST = 87.0F;       /* e^-x is a normal number up to here */
static const real ROUNDER = 12582912.0F; /* 1.5·2^23: what is added to it is rounded to a whole number */
#else
typedef uint64_t bits;
enum { TERMS = 13, MANTISSA = 52, BIAS = 1023 };
static const real LARGEST = 700.0;
static const real ROUNDER = 6755399441055744.0;
#endif

enum { PIECE = 256 };

static const real LOG2_E = (real)1.44269504088896340736;
static const real LN2_HIGH = (real)0.693145751953125; /* few bits: times n it is exact */
static const real LN2_LOW = (real)1.42860682030941723212e-6;
static const real GELU_C = (real)1.59576912160573071176; /* 2√(2/π) */
static const real GELU_CUBE = (real)0.044715;

/* 1/k!, from 1/0! on. */
static const real SERIES[] = {1,
                              1,
                              (real)0.5,
                              (real)(1.0 / 6),
                              (real)(1.0 / 24),
                              (real)(1.0 / 120),
                              (real)(1.0 / 720),
                              (real)(1.0 / 5040),
                              (real)(1.0 / 40320),
                              (real)(1.0 / 362880),
                              (real)(1.0 / 3628800),
                              (real)(1.0 / 39916800),
                              (real)(1.0 / 479001600),
                              (real)(1.0 / 6227020800)};

static inline real exponential(real x)
{
    const real shifted = x * LOG2_E + ROUNDER;
    const real n = shifted - ROUNDER;
    const real r = (x - n * LN2_HIGH) - n * LN2_LOW;
    real sum = SERIES[TERMS];
    bits power;
    real scale;
    for (int k = TERMS - 1; k >= 0; k--)
        sum = sum * r + SERIES[k];
    memcpy(&power, &shifted, sizeof power); /* its last bits are n */
    power = (power + BIAS) << MANTISSA;
    memcpy(&scale, &power, sizeof scale);
    return sum * scale;
}

static inline real sigmoid(real x)
{
    x = x > LARGEST ? LARGEST : x;
    x = x < -LARGEST ? -LARGEST : x;
    return 1 / (1 + exponential(-x));
}

static void add(const real *restrict bias, real *restrict y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] += bias[j];
}

SCREE_CLONES static void gelu_row(real *restrict y, real *restrict slope, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        const real x = y[j];
        const real s = sigmoid(GELU_C * (x + GELU_CUBE * x * x * x));
        y[j] = x * s;
        slope[j] = s + x * s * (1 - s) * GELU_C * (1 + 3 * GELU_CUBE * x * x);
    }
}

SCREE_CLONES static void relu_row(real *restrict y, real *restrict slope, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        slope[j] = y[j] > 0 ? 1 : 0;
        y[j] = y[j] > 0 ? y[j] : 0;
    }
}

SCREE_CLONES static void tanh_row(real *restrict y, real *restrict slope, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        const real t = 2 * sigmoid(2 * y[j]) - 1;
        y[j] = t;
        slope[j] = 1 - t * t;
    }
}

SCREE_CLONES static void sigmoid_row(real *restrict y, real *restrict slope, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        const real s = sigmoid(y[j]);
        y[j] = s;
        slope[j] = s * (1 - s);
    }
}

static void identity_row(real *restrict y, real *restrict slope, int64_t n)
{
    (void)y;
    for (int64_t j = 0; j < n; j++)
        slope[j] = 1;
}

void FN(activate)(const scree__activate *job)
{
    static void (*const row[])(real *restrict, real *restrict, int64_t) = {
        [SCREE__IDENTITY] = identity_row, [SCREE__GELU] = gelu_row,       [SCREE__RELU] = relu_row,
        [SCREE__TANH] = tanh_row,         [SCREE__SIGMOID] = sigmoid_row,
    };
    real unwanted[PIECE];
    const real *bias = job->bias;
    for (int64_t i = 0; i < job->rows; i++) {
        real *y = (real *)job->y + i * job->ld;
        real *slope = job->slope ? (real *)job->slope + i * job->ld : NULL;
        if (bias)
            add(bias, y, job->n);
        if (slope)
            row[job->f](y, slope, job->n);
        for (int64_t j = 0; !slope && job->f != SCREE__IDENTITY && j < job->n; j += PIECE)
            row[job->f](y + j, unwanted, job->n - j < PIECE ? job->n - j : PIECE);
    }
}
