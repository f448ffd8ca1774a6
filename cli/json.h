/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_JSON_H
#define SCREE_CLI_JSON_H

/* JSON output with cJSON. Numbers are written so that they read back as the same double; NaN and infinity are null. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Objects and arrays, and what is in them. A program that has no memory for a part ends with a sentence: an object is
 * never printed with keys missing. item NULL: as cJSON gives it where it has no memory. */
cJSON *cli_json_object(void);
cJSON *cli_json_parse(const char *text); /* text must be JSON */
cJSON *cli_json_add_object(cJSON *object, const char *name);
cJSON *cli_json_add_array(cJSON *object, const char *name);
void cli_json_add(cJSON *object, const char *name, cJSON *item);
void cli_json_append(cJSON *array, cJSON *item);
void cli_json_bool(cJSON *object, const char *name, bool value);
void cli_json_null(cJSON *object, const char *name);

void cli_json_number(cJSON *object, const char *name, double value);
void cli_json_integer(cJSON *object, const char *name, int64_t value);
/* values: count of them; NULL gives null. */
void cli_json_numbers(cJSON *object, const char *name, const double *values, int64_t count);
cJSON *cli_json_list(const double *values, int64_t count);             /* an array by itself */
void cli_json_text(cJSON *object, const char *name, const char *text); /* NULL gives null */

/* Adds everything that a model contains. */
void cli_json_model(cJSON *object, const scree_model *model);

/* The rest of it, which may be large: the components, M rows of D numbers, and variances. */
void cli_json_components(cJSON *object, const scree_model *model);

/* A single number, for output that is not collected in an object. */
void cli_json_put_number(FILE *out, double value);

/* Prints the object and frees it. */
void cli_json_print(cJSON *object, FILE *out);

#endif
