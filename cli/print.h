/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PRINT_H
#define SCREE_CLI_PRINT_H

/* The one way from the command to people: what a format itself says is printed as it stands, and every text that is
 * filled in for a %s through scree_text_visible, for it may be the name of somebody's column or file. `make lint` sees
 * to it that nothing else in cli/ prints. */

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* fprintf, with the conversions d, u, x, c, f, e, g and s. Returns the bytes printed. */
int cli_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_print_list(FILE *out, const char *format, va_list list) __attribute__((format(printf, 2, 0)));

/* The same to memory: cut between letters where it does not fit in size bytes with a final zero. */
void cli_format_list(char *out, size_t size, const char *format, va_list list) __attribute__((format(printf, 3, 0)));

/* Writes text that is visible already to standard error, past its buffer: for handlers of signals. */
void cli_print_at_once(const char *text, size_t length);

#endif
