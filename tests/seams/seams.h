/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_SEAMS_H
#define SCREE_TESTS_SEAMS_H

/* A method, a format and a kind of model that exist only here. Each is a file, and a line of a table in tables.c. */

#include "data/formats.h"
#include "fit/method.h"
#include "model/kind.h"

extern const scree__method seams_jacobi;
extern const scree__reader seams_ledger;

#endif
