/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SELECT_TEXT_H
#define SCREE_CLI_SELECT_TEXT_H

/* The criteria for the number of components, as text and as JSON. */

#include "scree.h"

/* all: rows for every M; otherwise a few more than are recommended. legend: explain the columns. */
void cli_selection_print(const scree_selection *selection, bool all, bool legend);
void cli_selection_json(const scree_selection *selection);

#endif
