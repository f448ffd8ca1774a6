/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

/* Random numbers by position: the i-th number of a stream is a function of (seed, stream, i) alone, so that any thread
 * may draw any part and the result is the same. */

#include "scree_private.h" /* scree__philox */

/* out[i] = the (first+i)-th standard normal of the stream. */
void scree__normals(uint64_t seed, uint64_t stream, int64_t first, int64_t count, double *out);

#endif
