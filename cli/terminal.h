/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_TERMINAL_H
#define SCREE_CLI_TERMINAL_H

/* What the terminal on standard output can show. */

#include <stdbool.h>

/* Whether standard output is a terminal. */
bool cli_terminal_is(void);

/* The best format of scree_model_plot: "kitty", "sixel", or one of letters. */
const char *cli_terminal_format(void);

/* "ansi", coloured, or "text" if colours are not wanted, or "ascii" where the locale or the terminal knows nothing
 * else. */
const char *cli_terminal_letters(void);
bool cli_terminal_is_letters(const char *format);

/* The width of the terminal in characters, at most 120; 80 if it is unknown. */
int cli_terminal_width(void);

/* Its lines, less one for what is typed next; 0 if they are unknown. */
int cli_terminal_height(void);

#endif
