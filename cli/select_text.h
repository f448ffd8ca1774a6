/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SELECT_TEXT_H
#define SCREE_CLI_SELECT_TEXT_H

/* How many components: the criteria, as people and as machines read them. */

#include "scree.h"

/* all: rows for every M; otherwise a few more than are recommended. legend: what the columns mean. */
void cli_selection_print(const scree_selection *selection, bool all, bool legend);
void cli_selection_json(const scree_selection *selection);

#endif
