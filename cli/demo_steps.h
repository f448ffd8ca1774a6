/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_DEMO_STEPS_H
#define SCREE_CLI_DEMO_STEPS_H

/* What the demo shows beside what the library does: command lines, and rows in the plane. */

#include "scree.h"

/* Prints the command line of these words, which end at NULL. */
void cli_demo_command(const char *const *words);

/* Draws the images, coloured by their digit, 0 or 1, in the plane of the model's first two components. */
scree_status cli_demo_plane(const scree_model *model, const char *images, const char *digits, scree_error *error);

#endif
