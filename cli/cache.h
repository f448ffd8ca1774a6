/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_CACHE_H
#define SCREE_CLI_CACHE_H

/* The folder for the measured speed of the machine, as scree_run.cache; NULL: none. Lent; it does not change while the
 * program runs. */
const char *cli_cache_folder(void);

#endif
