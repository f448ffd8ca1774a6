/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_MODEL_TEXT_H
#define SCREE_CLI_MODEL_TEXT_H

/* A model as people read it. */

#include "scree.h"

#include <stdio.h>

/* The table of the first components, at most most of them. brief leaves out J_M, residual and eigenvalue bound. */
void cli_model_table(FILE *out, const scree_model_view *model, int64_t most, bool brief);

/* What does not fit in the table: variances, divisor, what the marks mean. */
void cli_model_remarks(FILE *out, const scree_model_view *model);

/* Whether cells were missing. */
bool cli_model_has_gaps(const scree_model_view *model);

/* How em went, where it was used. */
void cli_model_gaps(FILE *out, const scree_model_view *model);

#endif
