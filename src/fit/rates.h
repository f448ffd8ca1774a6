/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_RATES_H
#define SCREE_FIT_RATES_H

/* What one thread of a machine can do, a second. Rates are steps of 2^¼, so that a rate measured twice is mostly the
 * same rate, and is kept as a whole number. */

#include <stdbool.h>
#include <stddef.h>

/* One list makes the fields, the names in the file and the places in it. */
#define SCREE__RATES(X)                                                                                                \
    X(gemm_f32, 100e9) /* flops of square products */                                                                  \
    X(gemm_f64, 47e9)                                                                                                  \
    X(skinny_f32, 76e9) /* flops of products with 16 columns, plain and transposed in turn */                          \
    X(skinny_f64, 31e9)                                                                                                \
    X(eigen, 17e6) /* n² of an eigendecomposition of order n beside its n³ flops: how fast plain code is */          \
    X(copy, 14e9)  /* bytes copied, each read and written */

typedef struct scree__rates {
#define SCREE_X(name, value) double name;
    SCREE__RATES(SCREE_X)
#undef SCREE_X
} scree__rates;

/* Of a current server: methods are chosen by these, and times predicted where nothing was measured. */
extern const scree__rates scree__rates_builtin;

/* The processor and the BLAS, one line: what rates and the last bits depend on. */
void scree__machine_name(char *name, size_t size);

/* Of this machine: measured when first asked for, in some ten milliseconds, and kept in the folder, one file a
 * processor and BLAS. False where nothing can be kept: then nothing is measured. */
bool scree__rates_machine(scree__rates *rates, const char *folder);
/* The same, if they were measured before. */
bool scree__rates_known(scree__rates *rates, const char *folder);

/* For people: what rates are these? */
void scree__rates_describe(const scree__rates *rates, bool measured, char *text, size_t size);

/* ---- parts, for tests ---- */

/* As scree__rates_machine, with a key and a way to measure; false, and *rates untouched, when they cannot be
 * kept, or measure is NULL and they were not. A file that is damaged, or has another key, is measured and written anew.
 */
typedef void (*scree__rates_measure_fn)(scree__rates *rates);
bool scree__rates_kept(scree__rates *rates, const char *folder, const char *key, scree__rates_measure_fn measure);

/* rates_probe.c: some ten milliseconds on the calling thread. Rates that cannot be measured stay as they are. */
void scree__rates_measure(scree__rates *rates);

#endif
