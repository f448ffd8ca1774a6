/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_JSON_H
#define SCREE_CLI_JSON_H

/* JSON for machines, through cJSON. Numbers are written so that they read back as the same double; what is not a number
 * is null. Like the library's calls these add to an object and lend nothing. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

void cli_json_number(cJSON *object, const char *name, double value);
void cli_json_integer(cJSON *object, const char *name, int64_t value);
/* values: count of them; NULL gives null. */
void cli_json_numbers(cJSON *object, const char *name, const double *values, int64_t count);
void cli_json_text(cJSON *object, const char *name, const char *text); /* NULL gives null */

/* Adds what a model knows. */
void cli_json_model(cJSON *object, const scree_model *model);

/* One number, for those who print as they go. */
void cli_json_put_number(FILE *out, double value);

/* Prints and frees. */
void cli_json_print(cJSON *object, FILE *out);

#endif
