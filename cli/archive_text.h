/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_ARCHIVE_TEXT_H
#define SCREE_CLI_ARCHIVE_TEXT_H

/* The description of an archive, as text and as JSON. */

#include "scree.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* What compress and info have in common. */
void cli_archive_print(FILE *out, const scree_archive *about);
void cli_archive_json(cJSON *object, const scree_archive *about);

/* scree info for an archive. */
scree_status cli_archive_info(const char *path, const scree_read_options *read, bool json, scree_error *error);

#endif
