/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_EXPLORED_H
#define SCREE_CLI_EXPLORED_H

/* Files that scree explore has written, as rows for other commands. */

#include "work.h"

/* The open rows without the columns that scree explore puts before each draw, where names do not tell them apart: opens
 * the source once more, and says so. */
scree_status cli_explored_rows(cli_work *work, int first);

#endif
