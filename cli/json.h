/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_JSON_H
#define SCREE_CLI_JSON_H

/* JSON output with cJSON. Numbers are written so that they read back as the same double; NaN and infinity are null. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

void cli_json_number(cJSON *object, const char *name, double value);
void cli_json_integer(cJSON *object, const char *name, int64_t value);
/* values: count of them; NULL gives null. */
void cli_json_numbers(cJSON *object, const char *name, const double *values, int64_t count);
void cli_json_text(cJSON *object, const char *name, const char *text); /* NULL gives null */

/* Adds everything that a model contains. */
void cli_json_model(cJSON *object, const scree_model *model);

/* A single number, for output that is not collected in an object. */
void cli_json_put_number(FILE *out, double value);

/* Prints the object and frees it. */
void cli_json_print(cJSON *object, FILE *out);

#endif
