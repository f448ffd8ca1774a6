/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_DEMO_FILES_H
#define SCREE_CLI_DEMO_FILES_H

/* The folder of the demo, and the embedded data as files in it. */

#include "scree.h"

/* Makes the folder where it is not there yet. */
scree_status cli_demo_folder(const char *folder, scree_error *error);

/* Writes the embedded file that has part in its name. */
scree_status cli_demo_unpack(const char *part, const char *path, scree_error *error);

/* FOLDER/NAME, the caller's to free. */
char *cli_demo_path(const char *folder, const char *name);

#endif
