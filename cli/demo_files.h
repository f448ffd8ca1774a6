/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_DEMO_FILES_H
#define SCREE_CLI_DEMO_FILES_H

/* The folder of the demo, and the embedded data in it. */

#include "scree.h"

/* Creates the folder if it does not exist. */
scree_status cli_demo_folder(const char *folder, scree_error *error);

/* Writes the embedded file whose name contains part. */
scree_status cli_demo_unpack(const char *part, const char *path, scree_error *error);

/* FOLDER/NAME; the caller frees it. */
char *cli_demo_path(const char *folder, const char *name);

#endif
