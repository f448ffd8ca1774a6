/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_NETWORK_TEXT_H
#define SCREE_CLI_NETWORK_TEXT_H

/* What is known of an auto-encoder: its layers, its training, its error beside that of PCA. */

#include "json.h"

void cli_network_print(FILE *out, const scree_model_view *model);
/* The same as the views of PCA: those that a network has. */
void cli_network_views(FILE *out, const scree_model_view *model);
void cli_network_json(cJSON *object, const scree_model_view *model);

#endif
