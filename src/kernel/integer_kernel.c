/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of integer kernels, fastest first, and the choice among them while the program runs. The choice changes the
 * time and no bit of a result. */

#include "kernel/integer_kernels.h"

#include <stddef.h>
#include <string.h>

static const scree__integer_kernel *const kernels[] = {
#if defined(__x86_64__)
    &scree__integer_vnni,
    &scree__integer_avx2,
#endif
    &scree__integer_portable,
};

const scree__integer_kernel *scree__integer_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if ((!name || strcmp(name, kernels[i]->name) == 0) && kernels[i]->runs_here())
            return kernels[i];
    return NULL;
}
