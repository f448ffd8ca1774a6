/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_VIEWS_H
#define SCREE_CLI_VIEWS_H

/* One model seen in several ways: what it keeps, what it loses, what its code says, how likely rows are, what they
 * cost. distortion: a further one to state the rate at; 0: none. */

#include "json.h"

void cli_views_print(FILE *out, const scree_model *model, double distortion);
void cli_views_json(cJSON *object, const scree_model *model, double distortion);

/* A statement with its numbers in the book, and under it what it means. */
void cli_views_state(FILE *out, const char *name, const char *statement, const char *book, const char *meaning);

#endif
