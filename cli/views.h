/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_VIEWS_H
#define SCREE_CLI_VIEWS_H

/* A model seen from several sides: variance, error, mutual information, likelihood, rate, as far as its kind has them.
 * distortion: one more at which to state the rate; 0: none. JSON is for models that have all of them. */

#include "json.h"

void cli_views_print(FILE *out, const scree_model *model, double distortion);
void cli_views_json(cJSON *object, const scree_model *model, double distortion);

#endif
