/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_HUMAN_H
#define SCREE_CLI_HUMAN_H

/* Human-readable quantities. Each function fills and returns buffer. */

#include <stddef.h>

const char *cli_human_count(char *buffer, size_t size, double count);  /* "820", "1.2 M" */
const char *cli_human_bytes(char *buffer, size_t size, double bytes);  /* "820 MB": powers of 1000 */
const char *cli_human_memory(char *buffer, size_t size, double bytes); /* "256 MiB": powers of 1024, as --memory 256M */
const char *cli_human_time(char *buffer, size_t size, double seconds); /* "3.1 ms", "12 s", "3 min 20 s" */

#endif
