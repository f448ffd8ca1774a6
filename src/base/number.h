/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_H
#define SCREE_BASE_NUMBER_H

/* Numbers as text, whatever the locale: read correctly rounded, printed as short as reads back the same.
 * scree__parse_double and scree__print_double are declared in scree_private.h. */

#include "scree_private.h"

/* As scree__print_double, for the shortest that reads back as a float. */
int scree__print_float(char *buffer, float value);

#endif
