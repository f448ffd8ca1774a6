/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_RELATION_TEXT_H
#define SCREE_CLI_RELATION_TEXT_H

/* Relations between columns that held in all fitted rows (scree_model_relations), and columns that did not vary. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

enum { CLI_EQUATION = 512 }; /* bytes of a relation as text */

/* How many are exact. */
int64_t cli_relations_exact(const scree_model *model);

/* One sentence on the exact ones, with the first of them. */
void cli_relations_remark(FILE *out, const scree_model *model);

/* Arrays: relations, the exact ones as texts; and constant_columns, their names or numbers. */
void cli_relations_json(cJSON *object, const scree_model *model);
void cli_constants_json(cJSON *object, const scree_model *model);

#endif
