/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_LOOK_H
#define SCREE_CLI_LOOK_H

#include "work.h"

/* Prints on standard error what the values of the columns that were fitted say of them: see look.c. told: of each
 * column, whether it was named as one that numbers the rows; NULL: no need to say that of any. */
void cli_look(const cli_work *work, const bool *told);

#endif
