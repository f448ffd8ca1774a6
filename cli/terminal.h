/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TERMINAL_H
#define SCREE_CLI_TERMINAL_H

/* What the terminal on standard output can show. */

#include <stdbool.h>

/* Whether standard output is a terminal. */
bool cli_terminal_is(void);

/* The best format of scree_model_plot: "kitty", "sixel", "ansi" (coloured text) or "text". */
const char *cli_terminal_format(void);

/* "ansi", or "text" if colours are not wanted. */
const char *cli_terminal_letters(void);

/* The width of the terminal in characters, at most 120; 80 if it is unknown. */
int cli_terminal_width(void);

#endif
