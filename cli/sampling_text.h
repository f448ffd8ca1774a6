/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SAMPLING_TEXT_H
#define SCREE_CLI_SAMPLING_TEXT_H

/* What so many rows can say of the population that they were drawn from: the sampling error of components. */

#include "scree.h"
#include "table.h"

#include <cJSON.h>

/* Two cells of a table: heading, and those of component j. */
void cli_sampling_headings(cli_table *table);
void cli_sampling_cells(cli_table *table, const scree_model *model, int64_t j);

/* The sampling error of each component that can be told from noise, and an empty line; nothing if there is none. */
void cli_sampling_table(FILE *out, const scree_model *model);

/* What the two cells mean, once, below the table. */
void cli_sampling_remark(FILE *out, const scree_model *model);

/* Adds "sampling" to the object. */
void cli_sampling_json(cJSON *object, const scree_model *model);

#endif
