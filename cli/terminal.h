/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TERMINAL_H
#define SCREE_CLI_TERMINAL_H

/* What the terminal at standard output can show. */

#include <stdbool.h>

/* Is there one? */
bool cli_terminal_is(void);

/* The format of scree_model_plot that suits it: "kitty", "sixel", "ansi" (letters in colour) or "text" (letters). */
const char *cli_terminal_format(void);

/* Letters in colour, or without where colours are not wanted. */
const char *cli_terminal_letters(void);

/* Letters in a line: of the terminal, at most 120; 80 when it cannot be told. */
int cli_terminal_width(void);

#endif
