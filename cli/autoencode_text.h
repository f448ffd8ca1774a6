/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_AUTOENCODE_TEXT_H
#define SCREE_CLI_AUTOENCODE_TEXT_H

/* What scree autoencode reports about a training. */

#include "work.h"

void cli_autoencode_print(FILE *out, const cli_work *work, const scree_network_view *network, double seconds);
void cli_autoencode_json(const cli_work *work, double seconds);

/* Errors are divided by this: bytes count as numbers from 0 to 1, as is usual for images. */
double cli_autoencode_unit(const scree_source *source);

#endif
