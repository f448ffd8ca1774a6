/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of methods: a new one is a file with its scree__method, and a line here. Where two take the same time, the
 * first is chosen. */

#include "fit/method.h"

const scree__method *const scree__methods[] = {
    &scree__method_covariance, &scree__method_gram, &scree__method_svd, &scree__method_lanczos, &scree__method_em, NULL,
};
