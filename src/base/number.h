/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_H
#define SCREE_BASE_NUMBER_H

/* Numbers as text, whatever the locale: read correctly rounded, printed as short as reads back the same. */

#include <stdint.h>

/* Bytes that hold any printed number and its final zero. */
enum { SCREE__NUMBER_SIZE = 32 };

/* Reads the longest number that begins at text and ends before end: [+-] digits [. digits] [e [+-] digits], with a
 * digit on at least one side of the point, or inf, infinity, nan in any case. No spaces, no hexadecimal.
 * Returns the place after it, or NULL when there is none; *value is the double nearest to it, ties to even. */
const char *scree__parse_double(const char *text, const char *end, double *value);

/* Writes the shortest decimal that reads back as value, of those the nearest: 0.1, 123456, 1e-7, 6.02e23, -0, nan, inf.
 * Returns its length; a zero follows. */
int scree__print_double(char *buffer, double value);
int scree__print_float(char *buffer, float value);

#endif
