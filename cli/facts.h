/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_FACTS_H
#define SCREE_CLI_FACTS_H

/* What a model says about itself beyond what all models have (scree_model_fact), whatever its kind. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* A line per fact: title and text. */
void cli_facts_print(FILE *out, const scree_model *model);

/* Adds each fact to the object. */
void cli_facts_json(cJSON *object, const scree_model *model);

#endif
