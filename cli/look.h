/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_LOOK_H
#define SCREE_CLI_LOOK_H

#include "work.h"

/* Prints on standard error what the values of the columns that were fitted say of them: see look.c. has_id: no need to
 * say which column numbers the rows. */
void cli_look(const cli_work *work, bool has_id);

#endif
