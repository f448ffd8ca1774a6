/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_NETWORK_TEXT_H
#define SCREE_CLI_NETWORK_TEXT_H

/* What is known of an auto-encoder: its layers, its training, its error beside that of PCA. */

#include "json.h"

/* "784-30-784, gelu, 47 k weights", how many these are, and why training ended, in words. */
void cli_network_layers(FILE *out, const scree_network_view *network);
int64_t cli_network_weights(const scree_network_view *network);
const char *cli_network_stopped(const scree_network_view *network);

void cli_network_print(FILE *out, const scree_model *model);
/* The same as the views of PCA: those that a network has. */
void cli_network_views(FILE *out, const scree_model *model);
/* Layers, training and errors alone. */
void cli_network_training_json(cJSON *object, const scree_network_view *network);
void cli_network_json(cJSON *object, const scree_model *model);

#endif
