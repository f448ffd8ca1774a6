/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_COMPRESS_CURVE_H
#define SCREE_CLI_COMPRESS_CURVE_H

/* The rate-distortion curve of rows, for scree compress --rd. */

#include "picture_values.h"
#include "work.h"

/* Draws to the output, or in the terminal; prints the table, or JSON, if there is no output. */
scree_status cli_curve_show(cli_work *work, bool json, bool dark, const cli_length *width);

#endif
