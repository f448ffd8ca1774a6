/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_VIEWS_H
#define SCREE_CLI_VIEWS_H

/* A model seen from several sides: variance, error, mutual information, likelihood, rate. distortion: one more at which
 * to state the rate; 0: none. */

#include "json.h"

void cli_views_print(FILE *out, const scree_model *model, double distortion);
void cli_views_json(cJSON *object, const scree_model *model, double distortion);

/* A statement with its equations in the book, and below it what it means. */
void cli_views_state(FILE *out, const char *name, const char *statement, const char *book, const char *meaning);

#endif
