/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_AUTOENCODE_OPTIONS_H
#define SCREE_CLI_AUTOENCODE_OPTIONS_H

/* The arguments of scree autoencode. */

#include "checkpoint.h"
#include "work.h"

enum { AUTOENCODE_MOST_HIDDEN = 10 };

typedef struct autoencode_layers {
    int64_t widths[AUTOENCODE_MOST_HIDDEN];
    int64_t count;
} autoencode_layers;

typedef struct autoencode_arguments {
    cli_work work;
    scree_autoencode_options train;
    autoencode_layers hidden;
    const char *resume;
    cli_checkpoint checkpoint;
    int linear;
    int tied;
    int untied;
    int json;
} autoencode_arguments;

extern const cli_option cli_autoencode_options[];

#endif
