/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PLOT_KINDS_H
#define SCREE_CLI_PLOT_KINDS_H

/* The kinds of pictures that scree plot draws, and which options each of them takes. */

#include "cli.h"

extern const char *const cli_plot_kinds[]; /* ends with NULL */

/* Refuses options and rows that a picture of this kind does not use, and missing rows: an exit code, or 0. */
int cli_plot_kind_check(const cli_call *call, const char *kind);

#endif
