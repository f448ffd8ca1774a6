/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_DEMO_STEPS_H
#define SCREE_CLI_DEMO_STEPS_H

/* What the demo shows beside what the library does: command lines. */

/* Prints the command line of these words, which end at NULL. */
void cli_demo_command(const char *const *words);

#endif
