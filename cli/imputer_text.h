/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_IMPUTER_TEXT_H
#define SCREE_CLI_IMPUTER_TEXT_H

/* The imputer of a model. */

#include "scree.h"

#include <cJSON.h>
#include <stdio.h>

/* In one line: what it is, or that a fit with gaps has none. */
void cli_imputer_print(FILE *out, const scree_model *model);
/* Adds "imputer", where there is one. */
void cli_imputer_json(cJSON *object, const scree_model *model);

#endif
