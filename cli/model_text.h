/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_MODEL_TEXT_H
#define SCREE_CLI_MODEL_TEXT_H

/* A model as text. */

#include "scree.h"

#include <stdio.h>

/* The table of at most max_rows components. brief omits J_M, the residual and the bound on the eigenvalue. */
void cli_model_table(FILE *out, const scree_model *model, int64_t max_rows, bool brief);

/* What is not in the table: variances, and what the marks mean. */
void cli_model_remarks(FILE *out, const scree_model *model);

/* Which columns hide the others, in one line; nothing where none do. */
void cli_dominant_columns(FILE *out, const scree_model_view *model);

/* What the model is as a probability distribution, in one line: nothing where that is all its components and noise. */
void cli_model_latent(FILE *out, const scree_model *model);

/* Whether columns vary so much less than the first component that their digits are lost beside it, the fit not being
 * one that keeps them. */
bool cli_model_loses_digits(const scree_model_view *model);
/* And what to do about it. */
const char *cli_model_for_digits(const scree_model_view *model);

/* Whether cells were missing. */
bool cli_model_has_gaps(const scree_model_view *model);

/* How em went, if it was used. */
void cli_model_gaps(FILE *out, const scree_model_view *model);

/* "unit: each column divided by its standard deviation". */
const char *cli_model_scaling(const scree_model_view *model);

#endif
