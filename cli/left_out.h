/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_LEFT_OUT_H
#define SCREE_CLI_LEFT_OUT_H

/* Columns of the data that a model does not know, and those of a model that have one name. */

#include "scree.h"

#include <stdio.h>

/* One line that names them and says what became of them; nothing where there are none, or where columns were not
 * matched by name. copied: they are in the output as they came. */
void cli_left_out_print(FILE *out, const scree_model *model, const scree_source *source, bool copied);

/* One line where columns of the model have the same name. */
void cli_repeated_print(FILE *out, const scree_model *model);

#endif
