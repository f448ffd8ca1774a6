/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the activations, as options and files spell them: one table, in the order of the enum. */

#include "kernel/activation.h"

#include <string.h>

const char *const scree__activation_names[SCREE__ACTIVATIONS] = {
    [SCREE__IDENTITY] = "linear", [SCREE__GELU] = "gelu",       [SCREE__RELU] = "relu",
    [SCREE__TANH] = "tanh",       [SCREE__SIGMOID] = "sigmoid",
};

scree__activation scree__activation_find(const char *name)
{
    int found = 0;
    while (found < SCREE__ACTIVATIONS && strcmp(scree__activation_names[found], name) != 0)
        found++;
    return (scree__activation)found;
}
