/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_CHECKS_H
#define SCREE_TESTS_CHECKS_H

/* What every test file needs: cmocka with the headers it wants, numbers compared with a message, and whether this build
 * is slowed down by a sanitizer, so that heavy cases can be smaller there. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scree.h"

#include <math.h>
#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#else
#define SLOW_BUILD 0
#endif

#define COUNT_OF(array) ((int64_t)(sizeof(array) / sizeof((array)[0])))

/* |found - wanted| ≤ bound, and false for a NaN. */
#define EXPECT_NEAR(found, wanted, bound)                                                                              \
    do {                                                                                                               \
        const double found_ = (double)(found);                                                                         \
        const double wanted_ = (double)(wanted);                                                                       \
        const double bound_ = (double)(bound);                                                                         \
        if (!(fabs(found_ - wanted_) <= bound_))                                                                       \
            fail_msg("%s is %.17g, not %.17g: off by %.3g, more than %.3g", #found, found_, wanted_,                   \
                     fabs(found_ - wanted_), bound_);                                                                  \
    } while (0)

/* The call succeeds; the sentence of error is shown when it does not. */
#define EXPECT_OK(call, error)                                                                                         \
    do {                                                                                                               \
        if ((call) != SCREE_OK)                                                                                        \
            fail_msg("%s: %s", #call, (error).text);                                                                   \
    } while (0)

#endif
